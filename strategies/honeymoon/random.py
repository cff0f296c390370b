"""Plays any card it may; passes on every other call, else makes one of the next few bids, or doubles.

Bids that are all equally likely would soon end in a grand slam, so it looks at the five cheapest only.
"""

from bridzik_sim.cards import lowest
from bridzik_sim.games.contract import DOUBLE, PASS, REDOUBLE
from bridzik_sim.streams import below, choose, take

CHEAPEST = 0b11111
DOUBLES = 1 << DOUBLE | 1 << REDOUBLE


def call(view):
    """A pass, or one of the five cheapest bids, a double or a redouble, each equally likely."""
    calls = view.legal & (DOUBLES | CHEAPEST << view.contract + 1)
    if calls == 0 or below(view, 2) == 0:
        return PASS
    return lowest(take(view, calls, 1))


def play(view):
    """Any card."""
    return choose(view)
