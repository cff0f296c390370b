"""What the calls so far have told of every seat, and what one more call would tell.

A reading is made from the public calls alone, so all four seats have the same.
"""

import numpy as np

from bridzik_sim.games.bridge.rules import SEATS, partner_of, side_of
from bridzik_sim.games.contract import DOUBLE, NO_TRUMP, PASS, REDOUBLE, level, strain
from bridzik_sim.games.french_cards import SUITS
from bridzik_sim.jit import jit

# What a meaning's points are counted by: a suit 0-3 stands for support of it.
HIGH_CARDS, POINTS = 4, 5
# What else a hand must have.
NOTHING, BALANCED, PREEMPT, STOPPERS, BALANCED_STOPPERS, TAKEOUT, PENALTY, A_MAJOR = range(8)
MOST_POINTS = 40
NOBODY = -1

MEANING = np.dtype(
    [(name, "int64") for name in ("means", "low", "high", "counted", "test", "forcing", "rank", "strain")]
    + [("least", "int64", (SUITS,)), ("most", "int64", (SUITS,))]
)
"""What a call means: ``means`` 0 if nothing (it is not to be made); points from ``low`` to ``high``,
``counted`` in one of the ways above; a ``test`` the hand must pass; ``forcing``: partner must not pass;
``rank``: the higher, the rather it is made; ``strain`` it offers to play in, -1 none; the ``least`` and the
``most`` cards by suit.
"""

READING = np.dtype(
    [(name, "int64", (SEATS,)) for name in ("low", "high", "named", "acted", "balanced", "lately")]
    + [("least", "int64", (SEATS, SUITS))]
    + [(name, "int64") for name in ("contract", "doubled", "bidder", "calls", "passes", "forced", "asked")]
)
"""By seat: points from ``low`` to ``high``; ``named``: mask of the strains it has offered; ``acted``: calls
but passes; ``balanced``: 1 once it has shown a balanced hand; ``lately``: its last call, -1 none; ``least``
cards by suit. Then the last bid (``contract``), ``doubled``, its ``bidder``; number of ``calls``, ``passes``
at the end; ``forced``: seat that must not pass, ``asked``: seat that has been asked for majors, -1 none.
"""


@jit
def begin(reading):
    """Set a reading to the beginning of an auction."""
    for seat in range(SEATS):
        reading.low[seat] = reading.named[seat] = reading.acted[seat] = reading.balanced[seat] = 0
        reading.high[seat], reading.lately[seat] = MOST_POINTS, -1
        for suit in range(SUITS):
            reading.least[seat, suit] = 0
    reading.contract = reading.doubled = reading.calls = reading.passes = 0
    reading.bidder = reading.forced = reading.asked = NOBODY


@jit
def note(reading, seat, call, meaning):
    """Take one call into a reading."""
    if call == PASS:
        reading.passes += 1
        reading.high[seat] = max(min(reading.high[seat], meaning.high), reading.low[seat])
    else:
        reading.passes = 0
        reading.acted[seat] += 1
        note_action(reading, seat, call, meaning)
    reading.lately[seat] = call
    reading.calls += 1


@jit
def note_action(reading, seat, call, meaning):
    """Take a call that is not a pass into a reading."""
    if call in (DOUBLE, REDOUBLE):
        reading.doubled = call - DOUBLE + 1
    else:
        reading.contract, reading.bidder, reading.doubled = call, seat, 0
    reading.forced = partner_of(seat) if meaning.forcing else NOBODY
    reading.asked = reading.forced if meaning.test == A_MAJOR else NOBODY
    if not meaning.means:
        note_unknown(reading, seat, call)
        return
    reading.low[seat] = max(reading.low[seat], meaning.low)
    reading.high[seat] = max(min(reading.high[seat], meaning.high), reading.low[seat])
    for suit in range(SUITS):
        reading.least[seat, suit] = max(reading.least[seat, suit], meaning.least[suit])
    if meaning.strain >= 0:
        reading.named[seat] |= 1 << meaning.strain
    if meaning.test in (BALANCED, BALANCED_STOPPERS):
        reading.balanced[seat] = 1


@jit
def note_unknown(reading, seat, call):
    """A call outside of the system: a suit is taken to be real, and nothing else."""
    if call < DOUBLE:
        suit = strain(call)
        reading.named[seat] |= 1 << suit
        if suit != NO_TRUMP and reading.least[partner_of(seat), suit] < 4:
            reading.least[seat, suit] = max(reading.least[seat, suit], 4)


@jit
def is_ours(reading, seat):
    """Whether the last bid was made by the side of ``seat``; False before the first."""
    return reading.bidder >= 0 and side_of(reading.bidder) == side_of(seat)


@jit
def named_by_them(reading, seat):
    """Mask of the strains that the opponents of ``seat`` have offered."""
    return reading.named[(seat + 1) & 3] | reading.named[(seat + 3) & 3]


@jit
def cheapest(reading, suit):
    """The lowest level at which a strain may be bid."""
    return level(reading.contract) + (strain(reading.contract) >= suit) if reading.contract else 1
