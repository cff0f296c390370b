"""Weighs points, follow-ups and attacks of each card, keeps queens to finish with, minds the way to 101.

Every card that fits gets a value, in points of cards; the highest is played. What counts:

* the points it rids the hand of, more of them the sooner another may finish; fewer where the hand would put
  this seat out of the game anyway, since then only winning the round helps;
* what can follow: cards of its suit or rank that stay in the hand;
* what 6, 7, A and 8 do, above all to a neighbour with few cards. With two players they leave the move to this
  seat, which then wants a card that follows;
* that the neighbour lacks the suit: it passed the last time this seat left it that suit;
* a queen is worth keeping: it fits nearly always, and as the last card it takes points off the score. So is
  a two, which answers an eight;
* a hand of exactly the distance to 101 costs nothing.

Where it may, it draws or passes rather than play a card of too little value. After a queen it asks for the
suit of most cards it holds. It draws no random numbers.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.fool.rules import (
    ACE,
    CARD_POINTS,
    DRAW,
    EIGHT,
    PASS,
    QUEEN,
    QUEENS,
    RANK_CARDS,
    SEVEN,
    SIX,
    TWO,
    TWOS,
    hand_points,
    skips,
)
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS, SUITS
from bridzik_sim.jit import jit
from strategies.fool._cards import fitting_cards

# haste: how many more a point counts when another seat holds one card. despair: how many fewer when the hand
# reaches the distance to 101. exact: a hand of just that distance. follow: a card that can follow. lack: a
# suit that the neighbour lacks. again: with two players, when any card can follow. attack: 6, 7, A or 8 when
# the neighbour holds one card. six, seven, ace, eight: besides that. queen, two: keeping one. draw, rest:
# drawing and passing without need.
PARAMS = {
    "haste": 4.7, "despair": 1.9, "exact": 9.6, "follow": 2.9, "lack": 1.9, "again": 8.9,
    "attack": 15.4, "six": 1.5, "seven": 7.9, "ace": 1.1, "eight": 30.1,
    "queen": 56.5, "two": 8.2, "draw": -68.9, "rest": -13.4,
}  # fmt: skip
RANGES = {
    "haste": (0.0, 20.0), "despair": (-5.0, 5.0), "exact": (0.0, 500.0), "follow": (0.0, 50.0),
    "lack": (0.0, 500.0), "again": (0.0, 100.0), "attack": (0.0, 100.0), "six": (-50.0, 100.0),
    "seven": (-50.0, 100.0), "ace": (-50.0, 100.0), "eight": (-50.0, 100.0), "queen": (0.0, 500.0),
    "two": (-50.0, 100.0), "draw": (-500.0, 500.0), "rest": (-500.0, 500.0),
}  # fmt: skip
HASTE, DESPAIR, EXACT, FOLLOW, LACK, AGAIN, ATTACK = range(7)
OF_SIX, OF_SEVEN, OF_ACE, OF_EIGHT, OF_QUEEN, OF_TWO, TO_DRAW, TO_REST = range(7, 15)

# Places in view.memory: 1 + the suit that this seat left to its neighbour, 0 where it left none; mask of the
# suits that the neighbour lacks; cards the neighbour held then.
LEFT, LACKS, HELD = range(3)

BEST, WORST = 1000.0, -1000.0


def move(view):
    """The move of the highest value."""
    seat = neighbour(view)
    note_seen(view, seat)
    choice = lowest(view.legal)
    if view.legal & (view.legal - 1) != 0:
        choice = best_move(view, 1.0 / view.counts[seat])
    note_left(view, choice)
    return choice


def suit(view):
    """The suit of which it holds most cards; rather one that the neighbour lacks."""
    others, choice, best = view.hand & ~QUEENS, 0, WORST
    for number in range(SUITS):
        cards = popcount(others & SUIT_CARDS << RANKS * number)
        value = view.params[FOLLOW] * cards + view.params[LACK] * lacks(view, number)
        if value > best:
            choice, best = number, value
    view.memory[LEFT] = 1 + choice
    return choice


# ------------------------------------------------------------------------------------------- what is known


@jit
def neighbour(view):
    """The next seat that is still in the game."""
    seat = view.seat
    while True:
        seat = seat + 1 if seat + 1 < view.seats else 0
        if view.still_in[seat]:
            return seat


@jit
def fewest_cards(view):
    """The lowest number of cards that another seat holds."""
    fewest = 100
    for seat in range(view.seats):
        if view.still_in[seat] and seat != view.seat:
            fewest = min(fewest, view.counts[seat])
    return fewest


@jit
def note_seen(view, seat):
    """Keep what the last turn of the neighbour, ``seat``, has shown."""
    if view.memory[LEFT] > 0 and view.last_move[seat] == PASS:
        view.memory[LACKS] = 1 << int(view.memory[LEFT]) - 1
    elif view.counts[seat] > view.memory[HELD]:
        view.memory[LACKS] = 0
    view.memory[LEFT] = 0
    view.memory[HELD] = view.counts[seat]


@jit
def note_left(view, choice):
    """Keep which suit a move leaves to the neighbour; for a queen that comes with the choice of a suit."""
    left = 0
    if choice == PASS:
        left = 1 + (view.chosen_suit if view.chosen_suit >= 0 else view.top // RANKS)
    elif choice < DRAW and not skips(choice) and choice % RANKS not in (EIGHT, QUEEN):
        left = 1 + choice // RANKS
    view.memory[LEFT] = left


@jit
def lacks(view, suit):
    """1 if the neighbour seems to lack a suit, else 0."""
    return int(view.memory[LACKS]) >> suit & 1


# ------------------------------------------------------------------------------------------------- values


@jit
def best_move(view, threat):
    """The move of the highest value; ``threat`` is 1 divided by the cards of the neighbour."""
    params, in_hand, distance = view.params, hand_points(view.hand), view.distance[view.seat]
    pressure = 1.0 / fewest_cards(view)
    a_point = 1 + params[HASTE] * pressure - params[DESPAIR] * min(in_hand / max(distance, 1), 1.0)
    choice, best, fits = -1, WORST, fitting_cards(view)
    if view.legal >> PASS & 1:
        choice, best = PASS, params[TO_REST]
    elif view.legal >> DRAW & 1 and not view.open_eight:
        choice, best = DRAW, params[TO_DRAW]
    while fits != 0:
        card = lowest(fits)
        fits &= fits - 1
        points = CARD_POINTS[card]
        value = a_point * points + effect(view, card, view.hand ^ 1 << card, threat)
        if in_hand - points == distance:
            value += params[EXACT] * pressure
        if value > best:
            choice, best = card, value
    return choice


@jit
def effect(view, card, rest, threat):
    """The value of a card but for its points; ``rest`` stays in the hand."""
    params, rank, number = view.params, card % RANKS, card // RANKS
    if rest == 0:
        return BEST
    others = rest & ~QUEENS
    if rank == QUEEN:
        return params[FOLLOW] * longest(others) - params[OF_QUEEN]
    following = popcount(others & (SUIT_CARDS << RANKS * number | RANK_CARDS << rank))
    value = params[FOLLOW] * following + params[LACK] * lacks(view, number)
    if view.players == 2 and skips(card) and (following > 0 or others != rest):
        value += params[AGAIN]
    return value + special(view, rank, threat)


@jit
def special(view, rank, threat):
    """The value of what a card of a rank does to the neighbour; of a two, of what it could have done."""
    params, with_eights = view.params, view.deck & TWOS != 0
    if rank == TWO:
        return -params[OF_TWO]
    if rank == EIGHT and with_eights:
        return params[OF_EIGHT] + params[ATTACK] * threat
    if rank not in (SIX, SEVEN, ACE):
        return 0.0
    does = params[OF_SIX] if rank == SIX else params[OF_SEVEN] if rank == SEVEN else params[OF_ACE]
    return does + params[ATTACK] * threat


@jit
def longest(cards):
    """Number of cards of the suit of which there are most."""
    most = 0
    for number in range(SUITS):
        most = max(most, popcount(cards & SUIT_CARDS << RANKS * number))
    return most
