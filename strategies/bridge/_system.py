"""The bidding system: what each call means, from the calls before it.

One statement for both: who calls looks for the best meaning its hand has, and the others read it. Points are
weighed against the least that partner has shown: a bid of our own strain says that the two hands are worth
its level, and not the next one (``_levels``). Five-card majors, no trump of 15 to 17, weak twos, two clubs
strong.
"""

from bridzik_sim.games.bridge.rules import partner_of, side_of
from bridzik_sim.games.contract import DOUBLE, NO_TRUMP, PASS, REDOUBLE, level, strain
from bridzik_sim.jit import jit
from strategies.bridge._levels import (
    ALL_SUITS,
    HEARTS,
    LEAST_ANSWER,
    MAJORS,
    OPENING,
    SPADES,
    STRONG,
    STRONG_CLUBS,
    SUIT_WORTH,
    TOP_OF_SUIT,
    WEAK,
    goal,
    set_meaning,
)
from strategies.bridge._reading import (
    BALANCED,
    BALANCED_STOPPERS,
    HIGH_CARDS,
    MOST_POINTS,
    PENALTY,
    POINTS,
    PREEMPT,
    TAKEOUT,
    cheapest,
    is_ours,
    named_by_them,
)
from strategies.bridge._responses import set_answer, set_no_trump, set_suit


@jit
def set_meaning_of(table, reading, seat, call, meaning):
    """Write what ``call`` of ``seat`` means into ``meaning``."""
    partner = partner_of(seat)
    set_meaning(meaning, 0, MOST_POINTS, POINTS, 0, -1)
    if call == PASS:
        set_pass(table, reading, seat, meaning)
    elif call == REDOUBLE:
        meaning.means = 0
    elif call == DOUBLE:
        set_double(reading, seat, meaning)
    elif reading.contract == 0:
        set_opening(table, seat, call, meaning)
    elif reading.acted[partner] == 0:
        set_own(table, reading, seat, call, meaning)
    elif reading.asked == seat:
        set_answer(call, meaning)
    elif strain(call) == NO_TRUMP:
        set_no_trump(table, reading, seat, level(call), meaning)
    else:
        set_suit(table, reading, seat, call, meaning)


# ------------------------------------------------------------------------------------------------- passes


@jit
def set_pass(table, reading, seat, meaning):
    """What a pass denies."""
    partner = partner_of(seat)
    meaning.means = not must_act(table, reading, seat)
    if reading.acted[seat] > 0:
        return
    if reading.contract == 0:
        meaning.high = OPENING - 1
    elif reading.bidder == partner and reading.acted[partner] == 1 and level(reading.contract) == 1:
        meaning.high = 8 if strain(reading.contract) == NO_TRUMP else LEAST_ANSWER - 1
    elif reading.acted[partner] == 0:
        meaning.high = OPENING + 3


@jit
def must_act(table, reading, seat):
    """Whether a pass would end what must go on: partner's question, or the way to a game."""
    if reading.forced == seat:
        return True
    if not is_ours(reading, seat) or reading.doubled:
        return False
    together = reading.low[seat] + reading.low[partner_of(seat)]
    return together >= SUIT_WORTH[4] and level(reading.contract) < goal(table, seat, strain(reading.contract))


# ------------------------------------------------------------------------------------------------ openings


@jit
def set_opening(table, seat, call, meaning):
    """The first bid of an auction."""
    height, suit = level(call), strain(call)
    if suit == NO_TRUMP:
        low = 15 if height == 1 else 20
        set_meaning(meaning, low, low + 2 if height == 1 else 21, HIGH_CARDS, 90, NO_TRUMP)
        meaning.test = BALANCED
        meaning.means = height <= 2
    elif height == 1:
        set_meaning(meaning, OPENING, TOP_OF_SUIT, POINTS, 80, suit)
        meaning.least[suit] = 5 if suit >= HEARTS else 3
    elif call == STRONG_CLUBS:
        set_meaning(meaning, STRONG, MOST_POINTS, POINTS, 100, -1)
        meaning.forcing = 1
    else:
        set_weak(table, seat, height, suit, meaning)


@jit
def set_weak(table, seat, height, suit, meaning):
    """A jump in a long suit with little else."""
    set_meaning(meaning, 7 + table.vulnerable[side_of(seat)], 11, POINTS, WEAK, suit)
    meaning.test = PREEMPT
    meaning.least[suit], meaning.most[suit] = height + 4, height + 4
    meaning.means = height <= 4


# ------------------------------------------------------------------------- bids without a partner's action


@jit
def set_own(table, reading, seat, call, meaning):
    """An overcall, or another bid of a seat whose partner has only passed."""
    height, suit = level(call), strain(call)
    jump = height - cheapest(reading, suit)
    theirs = named_by_them(reading, seat)
    balancing = 3 if reading.passes == 2 else 0
    if reading.acted[seat] > 0:
        set_once_more(reading, seat, height, suit, meaning)
    elif suit == NO_TRUMP:
        low = 15 if height < 3 else 17
        set_meaning(meaning, low - balancing, low + 3 - balancing, HIGH_CARDS, 85, NO_TRUMP)
        meaning.test = BALANCED_STOPPERS
        meaning.means = jump == 0 and height <= 3
    elif theirs >> suit & 1:
        meaning.means = 0
    elif jump > 0:
        set_weak(table, seat, height, suit, meaning)
    else:
        least = (0, 9, 11, 13, 15)[min(height, 4)]
        least += table.vulnerable[side_of(seat)] if height >= 2 else 0
        set_meaning(meaning, least - balancing, 17, POINTS, 45, suit)
        meaning.least[suit] = 5 if height <= 2 else 6
        meaning.means = height <= 4


@jit
def set_once_more(reading, seat, height, suit, meaning):
    """A further bid of a seat whose partner is silent: a long suit, or a second one."""
    set_meaning(meaning, 12 + 2 * height, MOST_POINTS, POINTS, 45, suit)
    if suit == NO_TRUMP or height > 3 or named_by_them(reading, seat) >> suit & 1:
        meaning.means = 0
        return
    meaning.least[suit] = 6 if reading.named[seat] >> suit & 1 else 5


# ------------------------------------------------------------------------------------------------- doubles


@jit
def set_double(reading, seat, meaning):
    """For takeout while there is room and partner has not bid, else for penalties."""
    partner, suit, height = partner_of(seat), strain(reading.contract), level(reading.contract)
    theirs = named_by_them(reading, seat)
    low = height <= 3 and suit != NO_TRUMP
    unbid = ALL_SUITS & ~(theirs | reading.named[seat] | reading.named[partner])
    if low and reading.acted[partner] == 0 and not reading.balanced[seat]:
        more = 3 + height // 3 if reading.acted[seat] else 0
        fewer = 2 if reading.passes == 2 else 0
        set_meaning(meaning, OPENING + more + height // 3 - fewer, MOST_POINTS, POINTS, 46, -1)
        meaning.test, meaning.forcing = TAKEOUT, 1
        meaning.least[:] = 0
        for other in range(4):
            meaning.least[other] = 3 if unbid >> other & 1 else 0
        meaning.most[suit] = 3
    elif low and opened_a_suit(reading, partner) and reading.acted[seat] == 0:
        # Partner has opened or overcalled a suit: the unbid majors.
        set_meaning(meaning, 5 + 2 * height, MOST_POINTS, POINTS, 56, -1)
        meaning.forcing = 1
        meaning.least[HEARTS] = 4 if unbid >> HEARTS & 1 else 0
        meaning.least[SPADES] = 4 if unbid >> SPADES & 1 else 0
        meaning.means = unbid & MAJORS != 0
    else:
        set_meaning(meaning, 0, MOST_POINTS, HIGH_CARDS, 65, -1)
        meaning.test = PENALTY


@jit
def opened_a_suit(reading, seat):
    """Whether the one action of a seat was to open or overcall a suit, and not weak."""
    return reading.acted[seat] == 1 and reading.named[seat] & ALL_SUITS and reading.low[seat] >= 9
