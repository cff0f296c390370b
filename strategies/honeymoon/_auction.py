"""What a call leads to when it is the last, for strategies that know the tricks of every strain.

``tricks`` (int64[5]) are those of seat 0 in the strains C D H S NT.
"""

from bridzik_sim.games.contract import DOUBLE, PASS, strain
from bridzik_sim.games.honeymoon.par import contract_points
from bridzik_sim.jit import jit


@jit
def contract_after(view, call):
    """The last bid (0 none), how it is doubled, and who made it, after a call of the view's seat."""
    if call == PASS:
        return view.contract, view.doubled, view.bidder
    if call >= DOUBLE:
        return view.contract, call - DOUBLE + 1, view.bidder
    return call, 0, view.seat


@jit
def own_points(view, tricks, bid, doubled, declarer):
    """Net points of the view's seat for a contract, 0 for none."""
    if bid == 0:
        return 0
    points = contract_points(bid, doubled, declarer, tricks[strain(bid)], view.vulnerable)
    return points if view.seat == 0 else -points
