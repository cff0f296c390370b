"""What the networks of Bridžik strategies look at, as numbers of active features.

Two ideas keep it small. The plain suits have no names: they are ordered by what the hand holds of them, the
led one first. And a card is known by how many unseen cards of its suit are above and below it, so what has
been played no longer matters in itself, and cards that are worth the same share an answer.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.rules import MAX_SIZE, RANKS, SEATS, SUIT_CARDS, SUITS, WHOLE_DECK
from bridzik_sim.jit import jit
from strategies.parts.tricks import winning_place

SIZES = MAX_SIZE + 1
NEEDS = MAX_SIZE + 2
"""Codes of what a seat needs: 0 its bid is lost, else 1 + tricks still needed."""
HELD = RANKS * (RANKS + 1) // 2
"""(cards above, cards below) of a card, at most 7 together."""
LEADS = 1 + 2 * (SEATS - 1)
ROOM = 48
"""No decision has more active features."""

# Where each group of features of a play begins; feature 0 is always active.
CARDS = 1
UNSEEN = CARDS + SUITS * HELD
OWN_NEED = UNSEEN + SUITS * SIZES
LEAD = OWN_NEED + MAX_SIZE * NEEDS
FOLLOWS = LEAD + LEADS
BEST = FOLLOWS + 3
WINNING = BEST + 2 * SIZES
OTHERS = WINNING + 3 * (SEATS - 1)
BIDS = OTHERS + 2 * (SEATS - 1) * NEEDS
VOIDS = BIDS + (SEATS - 1) * SIZES
GREED = VOIDS + SUITS * (SEATS - 1)
PLAY_FEATURES = GREED + 2 * SIZES
PLAY_ANSWERS = SUITS * RANKS

# The same for a bid.
RANKED = 1
LONG = RANKED + SUITS * RANKS
LENGTHS = LONG + 2 * RANKS * SIZES
RUFFS = LENGTHS + SUITS * SIZES
BEFORE = RUFFS + SUITS * SIZES
ASKED = BEFORE + (SEATS - 1) * SIZES
FORBIDDEN = ASKED + SEATS * 2 * SIZES
BID_FEATURES = FORBIDDEN + SIZES + 1


@jit
def plain_order(hand, unseen, led):
    """The plain suits, the led one first, then by what is held and unseen of them."""
    first, second, third = _key(hand, unseen, led, 1), _key(hand, unseen, led, 2), _key(hand, unseen, led, 3)
    first, second = max(first, second), min(first, second)
    second, third = max(second, third), min(second, third)
    first, second = max(first, second), min(first, second)
    return first & 3, second & 3, third & 3


@jit
def _key(hand, unseen, led, suit):
    held, rest = hand >> RANKS * suit & SUIT_CARDS, unseen >> RANKS * suit & SUIT_CARDS
    return (led == suit) << 24 | popcount(held) << 20 | held << 12 | rest << 4 | suit


@jit
def suit_at(order, slot):
    """Suit of a slot: hearts, then the plain suits in their order."""
    suit = 0 if slot == 0 else order[0]
    suit = order[1] if slot == 2 else suit
    return order[2] if slot == 3 else suit


@jit
def need_code(bid, taken, cards):
    """0 when a bid is lost, else 1 + the tricks still needed."""
    need = bid - taken
    return 0 if need < 0 or need > cards else 1 + need


@jit
def ranking(view):
    """Cards that a card in hand is measured against: the unseen ones and the one that wins the trick."""
    unseen = WHOLE_DECK & ~(view.hand | view.played)
    return unseen | 1 << view.best if view.best >= 0 else unseen


@jit
def plays(view, active, answers):
    """Fill the active features of a play, and ``answers[slot * RANKS + cards above]`` with legal cards or -1.

    Returns how many features are active.
    """
    hand, best, cards = view.hand, view.best, popcount(view.hand)
    unseen = WHOLE_DECK & ~(hand | view.played)
    against = ranking(view)
    order = plain_order(hand, unseen, view.lead)
    active[0], active[1] = (
        0,
        OWN_NEED + (cards - 1) * NEEDS + need_code(view.bids[view.seat], view.taken[view.seat], cards),
    )
    count = 2
    for answer in range(PLAY_ANSWERS):
        answers[answer] = -1
    for slot in range(SUITS):
        shift = RANKS * suit_at(order, slot)
        held, rest = hand >> shift & SUIT_CARDS, against >> shift & SUIT_CARDS
        active[count] = UNSEEN + slot * SIZES + popcount(unseen >> shift & SUIT_CARDS)
        count += 1
        while held != 0:
            card = lowest(held)
            held &= held - 1
            above = popcount(rest >> card)
            below = popcount(rest) - above
            active[count] = CARDS + slot * HELD + (above * (17 - above) >> 1) + below
            count += 1
            if view.legal >> (shift + card) & 1:
                answers[slot * RANKS + above] = shift + card
    if view.trick_length > 0:
        led = view.lead > 0
        active[count] = LEAD + 1 + led * (SEATS - 1) + view.trick_length - 1
        follows = hand >> RANKS * view.lead & SUIT_CARDS != 0
        active[count + 1] = FOLLOWS + (0 if follows else 1 if hand & SUIT_CARDS != 0 else 2)
        suit = best // RANKS
        above = popcount((unseen >> RANKS * suit & SUIT_CARDS) >> best % RANKS)
        active[count + 2] = BEST + (suit > 0) * SIZES + above
        count += 3
    else:
        active[count] = LEAD
        count += 1
    return _table(view, order, cards, active, count)


@jit
def _table(view, order, cards, active, count):
    """Add what the other seats bid, need, lack and have played."""
    wanted = max(view.bids[view.seat] - view.taken[view.seat], 0)
    place = winning_place(view)
    winner = (view.leader + place) % SEATS if place >= 0 else -1
    for step in range(1, SEATS):
        seat = (view.seat + step) % SEATS
        bid, taken = view.bids[seat], view.taken[seat]
        need = need_code(bid, taken, cards)
        wanted += max(bid - taken, 0)
        later = step < SEATS - view.trick_length
        active[count] = OTHERS + ((step - 1) * 2 + later) * NEEDS + need
        active[count + 1] = BIDS + (step - 1) * SIZES + bid
        count += 2
        if seat == winner:
            active[count] = WINNING + (step - 1) * 3 + min(need, 2)
            count += 1
        voids = view.seen_void[seat]
        if voids != 0:
            for slot in range(SUITS):
                if voids >> suit_at(order, slot) & 1:
                    active[count] = VOIDS + (step - 1) * SUITS + slot
                    count += 1
    active[count] = GREED + min(max(wanted - cards + SIZES, 0), 2 * SIZES - 1)
    return count + 1


@jit
def bids(view, active):
    """Fill the active features of a bid; returns how many there are."""
    hand = view.hand
    order = plain_order(hand, WHOLE_DECK & ~hand, -1)
    active[0], count, voids = 0, 1, 0
    for slot in range(SUITS):
        held = hand >> RANKS * suit_at(order, slot) & SUIT_CARDS
        length = popcount(held)
        active[count] = LENGTHS + slot * SIZES + length
        count += 1
        voids += slot > 0 and length == 0
        while held != 0:
            card = lowest(held)
            held &= held - 1
            active[count] = RANKED + slot * RANKS + card
            active[count + 1] = LONG + ((slot > 0) * RANKS + card) * SIZES + length
            count += 2
    active[count] = RUFFS + voids * SIZES + popcount(hand & SUIT_CARDS)
    count += 1
    asked = 0
    for step in range(1, view.position + 1):
        bid = view.bids[(view.seat - step) % SEATS]
        asked += bid
        active[count] = BEFORE + (step - 1) * SIZES + bid
        count += 1
    active[count] = ASKED + view.position * 2 * SIZES + min(asked, 2 * SIZES - 1)
    active[count + 1] = FORBIDDEN + 1 + view.forbidden
    return count + 2
