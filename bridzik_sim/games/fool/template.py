"""Plays its dearest fitting card and keeps its queens; asks for the suit it holds most of.

The line above is what the lists of strategies show. Change this file and try it:

    bridzik check my_strategy.py --game fool
    bridzik simulate --game fool --seats "my_strategy.py,random*3" --games 10000
    bridzik compare my_strategy.py random --game fool --players 2 --games 10000
    bridzik replay --game fool --seats "my_strategy.py,random*3" --seed 1 --unit 0 --view 0

Both functions get one view and return an integer: move a card to play, DRAW or PASS, suit
the suit that a queen asks for. What stands in a view, in full: bridzik games fool. The
most useful fields:

    view.hand, view.legal      sets of cards: bit i is set for the card with id i
                               (in view.legal also bit 52 to draw, bit 53 to pass)
    view.top                   card that lies open
    view.chosen_suit           suit that the queen on top asks for, -1 none
    view.open_eight            1 while the eight on top has to be answered
    view.has_drawn             1 once I have drawn in this turn
    view.seats                 players at the table, 2 to 4; arrays by seat have 4 places
    view.seat, view.dealer     who I am, who dealt
    view.still_in              by seat: 1 while it is in the game
    view.counts                by seat: cards held
    view.last_move             by seat: card of its last turn, 52 drew in vain, 53 passed
    view.scores, view.distance by seat: points so far, points to exactly 101
    view.stock                 number of cards in the stock
    view.gone                  set of the cards on the pile
    view.deck                  set of all cards of the game
    view.memory                64 numbers of my own, zeroed at every deal
    view.game_memory           64 numbers of my own, zeroed at every game

Cards are numbered 13 * suit + rank: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks
2 to 10, jack, queen, king, ace from 0 to 12. For random decisions there are
below(view, n), uniform(view) and choose(view) in bridzik_sim.streams; no other source of
chance repeats with the seed. The functions are compiled by numba; with a line
PYTHON = True they run as plain Python, with any library, but far slower.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.fool.rules import CARD_POINTS, QUEENS, cards_to_draw, skips
from bridzik_sim.games.french_cards import CARDS, RANKS, SUIT_CARDS
from bridzik_sim.jit import jit

# Numbers to play with. They are view.params[0], view.params[1], ... in this order and
# can be set from outside: --seats "my_strategy.py:skip=9:draw=6,random*3".
PARAMS = {"skip": 3.0, "draw": 4.0, "queen": 15.0}
SKIP, FORCE, KEEP = 0, 1, 2

# Sets of cards are integers; & | ^ ~ are the operations on sets.
ALL_CARDS = (1 << CARDS) - 1


def move(view):
    """The fitting card that is worth most to be rid of; draws or passes when none fits."""
    cards = view.legal & ALL_CARDS
    # Without a card, view.legal has one bit: DRAW or PASS, whichever is allowed.
    choice, most = lowest(view.legal), -1000.0
    while cards != 0:
        # The lowest card of the set, then the set without it: so one goes through a set.
        card = lowest(cards)
        cards &= cards - 1
        value = worth(view, card)
        if value > most:
            choice, most = card, value
    return choice


def suit(view):
    """The suit of which the hand has most cards."""
    choice, most = 0, -1
    for number in range(4):
        held = popcount(view.hand & (SUIT_CARDS << RANKS * number))
        if held > most:
            choice, most = number, held
    return choice


# Helpers need @jit, the two functions above do not.


@jit
def worth(view, card):
    """What it is worth to play a card: its points, and what it does to the next player."""
    value = 1.0 * CARD_POINTS[card] + view.params[FORCE] * cards_to_draw(card)
    if skips(card):
        value += view.params[SKIP]
    # A queen fits nearly always, and as the last card it takes points off the score.
    if QUEENS & (1 << card) != 0:
        value -= CARD_POINTS[card] + view.params[KEEP]
    return value
