"""Plays any legal card; mostly passes, else makes any of the cheapest calls, each equally likely."""

from bridzik_sim.cards import nth, popcount
from bridzik_sim.games.contract import DOUBLE, PASS
from bridzik_sim.jit import jit
from bridzik_sim.streams import below, choose

# One call of so many is not a pass. Were all calls equally likely, most auctions would end at 7NT.
SELDOM = 4
NEXT_BIDS, DOUBLES = 0b11110, 0b11 << DOUBLE


def call(view):
    """A pass, or any of the next four bids and doubling."""
    calls = cheap(view)
    if calls == 0 or below(view, SELDOM) != 0:
        return PASS
    return nth(calls, below(view, popcount(calls)))


def play(view):
    """Any legal card."""
    return choose(view)


@jit
def cheap(view):
    """Mask of the cheapest legal calls, without the pass."""
    return view.legal & (NEXT_BIDS << view.contract | DOUBLES)
