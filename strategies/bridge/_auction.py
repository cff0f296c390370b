"""Reading an auction, and finding the call that describes a hand."""

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridge.rules import partner_of
from bridzik_sim.games.contract import DOUBLE, NO_TRUMP, PASS, bid_of, level, strain
from bridzik_sim.games.french_cards import SUITS
from bridzik_sim.jit import jit
from strategies.bridge._hand import (
    HONOURS,
    balanced,
    high_cards,
    length,
    points,
    stops,
    strength,
    suit_of,
    support,
    tricks_in_defence,
)
from strategies.bridge._levels import SUIT_WORTH, goal
from strategies.bridge._reading import (
    A_MAJOR,
    BALANCED,
    BALANCED_STOPPERS,
    HIGH_CARDS,
    MEANING,
    PENALTY,
    POINTS,
    PREEMPT,
    READING,
    STOPPERS,
    TAKEOUT,
    begin,
    cheapest,
    is_ours,
    named_by_them,
    note,
)
from strategies.bridge._system import must_act, set_meaning_of

UNBALANCED = 6
"""Ranks by which no trump comes later with a hand that is not balanced."""
SLACK = 4
"""Points more than the least that partner is hoped to have."""
A_POINT = 1.2
"""Quarters of a trick that a point of partner is worth in defence."""


@jit
def read(table):
    """A record of READING for the calls made so far."""
    reading, meaning = np.zeros(1, READING)[0], np.zeros(1, MEANING)[0]
    begin(reading)
    for i in range(table.n_calls):
        seat, made = (table.dealer + i) & 3, np.int64(table.calls[i])
        set_meaning_of(table, reading, seat, made, meaning)
        note(reading, seat, made, meaning)
    return reading


@jit
def best_call(view):
    """The call of the highest rank whose meaning the hand has; a pass if there is none."""
    reading, meaning = read(view), np.zeros(1, MEANING)[0]
    seat, hand, calls = view.seat, view.hand, view.legal & ~(1 << PASS)
    if sits(reading, seat, hand):
        return PASS
    rich, shape = too_strong(view, reading, seat, hand), balanced(hand)
    must = rich or must_act(view, reading, seat)
    choice, best = PASS, 0
    while calls != 0:
        code = lowest(calls)
        calls &= calls - 1
        set_meaning_of(view, reading, seat, code, meaning)
        value = 64 * meaning.rank + order(hand, code, shape)
        better = value > best and fits(reading, seat, hand, meaning)
        if better and (must or helps(view, reading, seat, hand, code)):
            choice, best = code, value
    if must and choice == PASS:
        return least_bad(view, reading, seat, hand, rich)
    return choice


@jit
def order(hand, code, shape):
    """What is bid first: the longest suit; of equals the higher of five cards, else the lower.

    No trump comes later where the hand is not balanced (``shape``).
    """
    suit = strain(code)
    if code >= DOUBLE:
        return 0
    if suit == NO_TRUMP:
        return 0 if shape else -64 * UNBALANCED
    count = length(hand, suit)
    minors = count == 4 and suit == 1 and length(hand, 0) == 4
    return 4 * count + (suit if count >= 5 or minors else 3 - suit)


# ------------------------------------------------------------------------------------------ does it fit?


@jit
def fits(reading, seat, hand, meaning):
    """Whether a hand has what a call means."""
    if not meaning.means:
        return False
    for suit in range(SUITS):
        count = length(hand, suit)
        if meaning.test != TAKEOUT and (count < meaning.least[suit] or count > meaning.most[suit]):
            return False
    counted = meaning.counted
    value = (
        high_cards(hand)
        if counted == HIGH_CARDS
        else points(hand)
        if counted == POINTS
        else support(hand, counted)
    )
    return meaning.low <= value <= meaning.high and passes_test(reading, seat, hand, meaning)


@jit
def passes_test(reading, seat, hand, meaning):
    """Whether a hand has what a call means beyond points and lengths."""
    test, trump = meaning.test, strain(reading.contract)
    if test in (BALANCED, BALANCED_STOPPERS) and not balanced(hand):
        return False
    if test in (STOPPERS, BALANCED_STOPPERS):
        return stops_all(reading, seat, hand)
    if test == PREEMPT:
        return popcount(suit_of(hand, meaning.strain) & HONOURS) >= 2
    if test == A_MAJOR:
        return length(hand, 2) == 4 or length(hand, 3) == 4
    if test == TAKEOUT:
        return takes_out(hand, trump, meaning)
    return test != PENALTY or doubles(reading, seat, hand)


@jit
def stops_all(reading, seat, hand):
    """Whether a hand stops all suits of the opponents that partner does not hold."""
    theirs = named_by_them(reading, seat)
    for suit in range(SUITS):
        if theirs >> suit & 1 and not stops(hand, suit) and not reading.balanced[partner_of(seat)]:
            return False
    return True


@jit
def takes_out(hand, trump, meaning):
    """Whether a hand is short in their suit and long in the others, or strong enough without."""
    if points(hand) >= 18:
        return True
    shape = True
    for suit in range(SUITS):
        shape &= length(hand, suit) >= meaning.least[suit]
    return shape and length(hand, trump) <= 2


@jit
def doubles(reading, seat, hand):
    """Whether the opponents' contract will most likely go two down."""
    partner, bid = partner_of(seat), reading.contract
    trump = strain(bid) if strain(bid) != NO_TRUMP else -1
    own = tricks_in_defence(hand, trump)
    shown = reading.low[partner] if reading.low[partner] >= 9 else 0
    expected = own + A_POINT * shown
    needed = 4 * (8 - level(bid)) + 3
    trumps = trump < 0 or length(hand, trump) >= (4 if level(bid) <= 3 else 2)
    return trumps and expected >= needed and own >= 8


# ----------------------------------------------------------------------------------------- does it help?


@jit
def helps(table, reading, seat, hand, call):
    """Whether a call is better than to pass; always over the opponents' contract."""
    if not is_ours(reading, seat) or call >= DOUBLE:
        return True
    partner, now, then = partner_of(seat), strain(reading.contract), strain(call)
    if level(reading.contract) >= goal(table, seat, now):
        return level(call) >= 6 > level(reading.contract)
    if level(call) >= goal(table, seat, then):
        return True
    if points(hand) + min(reading.high[partner], reading.low[partner] + SLACK) >= SUIT_WORTH[4]:
        return True
    if reading.acted[seat] == 0 and level(reading.contract) == 1:
        return True
    if now == NO_TRUMP:
        return not balanced(hand)
    if then == NO_TRUMP:
        return length(hand, now) + reading.least[partner, now] <= 6
    return length(hand, then) + reading.least[partner, then] > length(hand, now) + reading.least[partner, now]


@jit
def too_strong(table, reading, seat, hand):
    """Whether a pass would give up a game that partner's bid and the own hand are worth."""
    partner, bid = partner_of(seat), reading.contract
    if reading.acted[partner] == 0 or strength(hand) + reading.low[partner] < SUIT_WORTH[4]:
        return False
    if is_ours(reading, seat):
        return level(bid) < goal(table, seat, strain(bid)) and not reading.doubled
    return level(bid) <= 3 and reading.named[partner] != 0 and not reading.doubled


@jit
def sits(reading, seat, hand):
    """Whether partner's takeout double is left in: many good trumps."""
    trump = strain(reading.contract)
    if reading.doubled != 1 or reading.forced != seat or is_ours(reading, seat) or trump == NO_TRUMP:
        return False
    return length(hand, trump) >= 5 and popcount(suit_of(hand, trump) & HONOURS) >= 3


@jit
def least_bad(table, reading, seat, hand, rich):
    """A bid when none fits and a pass is no choice: the best fit, or no trump.

    At the lowest level, or as a game where the hands are worth one (``rich``).
    """
    partner, theirs = partner_of(seat), named_by_them(reading, seat)
    choice, most = 0, -1000
    for suit in range(SUITS + 1):
        needed = goal(table, seat, suit)
        lowest_level = max(cheapest(reading, suit), needed if rich else 1)
        if lowest_level > 7:
            continue
        if suit == NO_TRUMP:
            value = 13 + 2 * stops_all(reading, seat, hand)
        elif theirs >> suit & 1:
            continue
        else:
            value = 2 * (length(hand, suit) + min(reading.least[partner, suit], 6))
        value -= 3 * max(lowest_level - needed, 0) + lowest_level
        if value > most:
            choice, most = bid_of(lowest_level, suit), value
    return choice
