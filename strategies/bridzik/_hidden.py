"""The cards a seat cannot see, dealt at random as they may well lie.

``start`` takes from a view what is known of the other hands, ``deal`` deals the unseen cards: every deal that
agrees with the number of cards each seat holds and the suits it has shown to lack is equally likely. Cards
that are in no hand are a rest without conditions.

The seats with missing suits come first, suit by suit: the number of cards of a suit that each gets is drawn
with the number of deals that lead on from there, which ``start`` counts from the last suit back.

``note_seen`` and ``note_play`` keep in ``view.memory`` who has played what. So each sample is a deal from its
beginning, and ``likelihood`` says how well it explains the bids and cards of the others, if these are about
as the fast policy's.
"""

from math import factorial

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import nth, popcount
from bridzik_sim.games.bridzik.playout import apply, set_deal, show
from bridzik_sim.games.bridzik.rules import (
    HEARTS,
    MAX_SIZE,
    RANKS,
    SEATS,
    SUIT_CARDS,
    SUITS,
    TRUMP,
    WHOLE_DECK,
)
from bridzik_sim.jit import jit
from bridzik_sim.tricks import best_card, shown_void
from strategies.bridzik._fast import other_bid, other_play

OTHERS = SEATS - 1
UNSEEN = np.dtype(
    [(name, "int64") for name in ("cards", "bound", "seat")]
    + [(name, "int64", (OTHERS,)) for name in ("seats", "held", "lacks")]
    + [("ways", "float64", (SUITS + 1, MAX_SIZE + 1, MAX_SIZE + 1, MAX_SIZE + 1))]
)
"""``cards``: mask of the unseen ones. ``seat``: who looks. ``seats``: the others, the ``bound`` ones first,
who have shown to lack suits; ``held`` and ``lacks`` in the same order. ``ways[s, a, b, c]``: deals of the
suits from ``s`` on that give the bound seats so many cards.
"""
FACTORIAL = np.array([float(factorial(n)) for n in range(SUITS * RANKS + 1)])

# Places in view.memory: by seat the cards played, then what there was to see after the own last card.
PLAYED, GONE, LEAD, LACKED = 0, 4, 5, 8
# By trick and seat the card, 0: none yet, else its id + 1.
CARDS = 12
# Orders in which up to three cards may have been played; the first ORDERS_OF[n] are those of n cards.
ORDERS = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]])
ORDERS_OF = np.array([0, 1, 2, 6])
# How likely a bid is, by its distance from what the policy would bid.
BELIEF = np.array([1.0, 0.3, 0.06, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01])
# How likely a card is that the policy would not have played, against that it would.
SURPRISE = 0.3


# ------------------------------------------------------------------------------------------------ dealing


@jit
def start(view, unseen):
    """Set up ``unseen`` (a record of UNSEEN) from a seat's view."""
    unseen.cards = WHOLE_DECK & ~(view.played | view.hand)
    unseen.bound, unseen.seat = 0, view.seat
    free = OTHERS
    for step in range(1, SEATS):
        seat = (view.seat + step) % SEATS
        lacks = view.seen_void[seat]
        if lacks != 0:
            place = unseen.bound
            unseen.bound += 1
        else:
            free -= 1
            place = free
        has_played = view.trick_length > (seat - view.leader) % SEATS
        unseen.seats[place], unseen.lacks[place] = seat, lacks
        unseen.held[place] = popcount(view.hand) - has_played
    if unseen.bound > 0:
        count_ways(unseen)


@jit
def count_ways(unseen):
    """Fill in ``ways``, from the last suit back; the seats that are not bound take nothing."""
    most_a, most_b, most_c = wanted(unseen)
    unseen.ways[SUITS, : most_a + 1, : most_b + 1, : most_c + 1] = 0.0
    unseen.ways[SUITS, 0, 0, 0] = 1.0
    for suit in range(SUITS - 1, -1, -1):
        for a in range(most_a if suit == 0 else 0, most_a + 1):
            for b in range(most_b if suit == 0 else 0, most_b + 1):
                for c in range(most_c if suit == 0 else 0, most_c + 1):
                    unseen.ways[suit, a, b, c] = ways_on(unseen, suit, a, b, c)


@jit
def wanted(unseen):
    """Cards that the three bound seats get; 0 for those that are not bound."""
    held, bound = unseen.held, unseen.bound
    return held[0], held[1] if bound > 1 else 0, held[2] if bound > 2 else 0


@jit
def limits(unseen, suit, a, b, c):
    """Cards of the suit: how many there are, and the most each bound seat may get of those it wants."""
    cards = popcount(unseen.cards & SUIT_CARDS << RANKS * suit)
    most_a = 0 if unseen.lacks[0] >> suit & 1 else min(a, cards)
    most_b = 0 if unseen.lacks[1] >> suit & 1 else min(b, cards)
    most_c = 0 if unseen.lacks[2] >> suit & 1 else min(c, cards)
    return cards, most_a, most_b, most_c


@jit
def ways_of(cards, x, y, z):
    """Ways to choose x, y and z of so many cards."""
    return FACTORIAL[cards] / (FACTORIAL[x] * FACTORIAL[y] * FACTORIAL[z] * FACTORIAL[cards - x - y - z])


@jit
def ways_on(unseen, suit, a, b, c):
    """Deals of the suits from ``suit`` on that give the bound seats a, b and c cards."""
    cards, most_a, most_b, most_c = limits(unseen, suit, a, b, c)
    total = 0.0
    for x in range(most_a + 1):
        for y in range(min(most_b, cards - x) + 1):
            for z in range(min(most_c, cards - x - y) + 1):
                on = unseen.ways[suit + 1, a - x, b - y, c - z]
                if on > 0:
                    total += ways_of(cards, x, y, z) * on
    return total


@jit
def deal(view, unseen, hands):
    """Deal the unseen cards to the other seats in ``hands`` (int64[4]), drawing from the view's stream."""
    for place in range(OTHERS):
        hands[unseen.seats[place]] = 0
    hands[unseen.seat] = view.hand
    pool = unseen.cards
    if unseen.bound > 0:
        pool = deal_bound(view, unseen, hands)
    for place in range(unseen.bound, OTHERS):
        hand = some_of(view, pool, unseen.held[place])
        hands[unseen.seats[place]] = hand
        pool ^= hand


@jit
def deal_bound(view, unseen, hands):
    """Deal to the bound seats; return the cards left over."""
    pool = unseen.cards
    a, b, c = wanted(unseen)
    for suit in range(SUITS):
        numbers = share(unseen, suit, a, b, c, streams.uniform(view))
        a, b, c = a - numbers[0], b - numbers[1], c - numbers[2]
        for place in range(unseen.bound):
            some = some_of(view, pool & SUIT_CARDS << RANKS * suit, numbers[place])
            hands[unseen.seats[place]] |= some
            pool ^= some
    return pool


@jit
def share(unseen, suit, a, b, c, where):
    """Cards of the suit for each bound seat; ``where`` in 0 … 1 picks, in proportion to the deals."""
    cards, most_a, most_b, most_c = limits(unseen, suit, a, b, c)
    left = where * unseen.ways[suit, a, b, c]
    chosen = (0, 0, 0)
    for x in range(most_a + 1):
        for y in range(min(most_b, cards - x) + 1):
            for z in range(min(most_c, cards - x - y) + 1):
                on = unseen.ways[suit + 1, a - x, b - y, c - z]
                if on > 0:
                    chosen = (x, y, z)
                    left -= ways_of(cards, x, y, z) * on
                    if left < 0:
                        return chosen
    return chosen


@jit
def some_of(view, cards, count):
    """``count`` random ones of ``cards``, all sets equally likely."""
    if count == 0:
        return 0
    return streams.take(view, cards, count) if count < popcount(cards) else cards


# ------------------------------------------------------------------------------------------------ evidence


@jit
def note_seen(view):
    """At a decision of the play, before anything else: keep which seat has played which card."""
    memory = view.memory
    here = 0
    for place in range(view.trick_length):
        here |= 1 << view.trick[place]
        note(view, (view.leader + place) % SEATS, view.trick[place], tricks_done(view))
    if memory[GONE] != 0:
        attribute(view, view.played & ~np.int64(memory[GONE]) & ~here)


@jit
def note_play(view, card):
    """After the own card has been chosen."""
    note(view, view.seat, card, tricks_done(view))
    view.memory[GONE] = view.played | 1 << card
    view.memory[LEAD] = view.lead if view.trick_length > 0 else card // RANKS
    for seat in range(SEATS):
        view.memory[LACKED + seat] = view.seen_void[seat]


@jit
def note(view, seat, card, trick):
    """That ``seat`` has played ``card`` to a trick."""
    view.memory[PLAYED + seat] = np.int64(view.memory[PLAYED + seat]) | 1 << card
    view.memory[CARDS + SEATS * trick + seat] = card + 1


@jit
def tricks_done(view):
    """Tricks that have been finished."""
    return view.taken[0] + view.taken[1] + view.taken[2] + view.taken[3]


@jit
def attribute(view, cards):
    """Give ``cards``, which the seats after this one played to the last trick, to these seats.

    Who won and who did not follow mostly tells whose they are; of the ways that are left one is drawn.
    """
    after, found, chosen = popcount(cards), 0, 0
    for order in range(ORDERS_OF[after]):
        if could_be(view, cards, order):
            found += 1
            if found == 1 or streams.below(view, found) == 0:
                chosen = order
    if found > 0:
        for step in range(after):
            card = nth(cards, ORDERS[chosen, step])
            note(view, (view.seat + 1 + step) % SEATS, card, tricks_done(view) - 1)


@jit
def could_be(view, cards, order):
    """Whether the seats after this one could have played ``cards`` in that order."""
    lead = np.int64(view.memory[LEAD])
    contest = cards & (SUIT_CARDS << RANKS * lead | HEARTS)
    for step in range(popcount(cards)):
        seat = (view.seat + 1 + step) % SEATS
        card = nth(cards, ORDERS[order, step])
        if seat == view.leader and (contest == 0 or card != best_card(contest, HEARTS)):
            return False
        before, now = np.int64(view.memory[LACKED + seat]), view.seen_void[seat]
        suit, shown_since, place = card // RANKS, 0, (seat - view.leader) % SEATS
        shown = shown_void(suit, lead, TRUMP)
        if place < view.trick_length:
            since = view.trick[place] // RANKS
            shown_since = shown_void(since, view.lead, TRUMP)
            if shown >> since & 1:
                return False
        if before >> suit & 1 or shown & ~now or now & ~(before | shown | shown_since):
            return False
    return True


@jit(inline=True)
def likelihood(view, position, shown, hands):
    """How likely it is that the others did what they did, if these are the hands now.

    ``position`` and ``shown`` are room to work in.
    """
    chance = likelihood_of_bids(view, position, shown, hands)
    return chance * likelihood_of_plays(view, position, shown) if view.leader >= 0 else chance


@jit(inline=True)
def likelihood_of_bids(view, position, shown, hands):
    """The same of the bids; ``position`` is then after the last one."""
    set_deal(position, view.deal, view.size, view.starter)
    for seat in range(SEATS):
        position.scores[seat] = view.scores[seat]
        position.hands[seat] = hands[seat] | np.int64(view.memory[PLAYED + seat])
    chance = 1.0
    while position.bidders < SEATS and view.has_bid[position.turn]:
        seat = position.turn
        if seat != view.seat:
            show(position, shown)
            chance *= BELIEF[abs(other_bid(shown) - view.bids[seat])]
        apply(position, view.bids[seat])
    return chance


@jit(inline=True)
def likelihood_of_plays(view, position, shown):
    """The same of the cards, from ``position`` after the bids on."""
    chance = 1.0
    for trick in range(tricks_done(view) + 1):
        for _ in range(SEATS):
            seat = position.turn
            card = np.int64(view.memory[CARDS + SEATS * trick + seat]) - 1
            if card < 0:
                return chance
            if seat != view.seat:
                show(position, shown)
                if shown.legal & (shown.legal - 1) != 0 and not alike(shown, other_play(shown), card):
                    chance *= SURPRISE
            apply(position, card)
    return chance


@jit
def alike(view, one, other):
    """Whether two cards in hand are worth the same: of a suit, and no card of others lies between them."""
    low, high = min(one, other), max(one, other)
    between = ((1 << high) - 1) & ~((2 << low) - 1)
    return low // RANKS == high // RANKS and between & ~(view.hand | view.played) == 0
