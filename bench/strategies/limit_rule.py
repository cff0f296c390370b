"""Bids aces and high hearts, then wins cheaply while tricks are needed: the rule of the C baseline.

Bid: aces plus the hearts J, Q and K; where that is forbidden one less, or 1 instead of 0.
Lead: the highest card while tricks are needed, else the lowest. Follow: while tricks are needed the lowest
winning card, else the highest losing one; where there is none the lowest legal card. Highest and lowest go by
rank, and among equal ranks by suit, L < A < B < H. Written without branches: on random cards they are coin
flips, and a mispredicted one costs as much as the whole choice.
"""

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.jit import jit

HEARTS = 0xFF
ACES = 0x80808080
HIGH_HEARTS = 0x70
EVERY_SUIT = 0x0101010100  # the lowest rank of L, A, B and, moved above them, H


@jit
def beating(best):
    """Cards that beat the card ``best``: higher ones of its suit, hearts over another suit; none for -1."""
    higher = (256 << (best & 24)) - (2 << (best & 31))
    return higher | (HEARTS if best > 7 else 0)


@jit
def pick(top, high, low):
    """``high`` if ``top`` else ``low``, in a form that the compiler does not turn into a jump."""
    return low ^ ((low ^ high) & -top)


@jit
def extreme(cards, top):
    """Highest (``top`` = 1) or lowest (0) card of a mask, by rank first."""
    ordered = (cards & ~HEARTS) | (cards & HEARTS) << 32
    ranks = cards | cards >> 16
    ranks = (ranks | ranks >> 8) & 0xFF
    row = ordered & (EVERY_SUIT << pick(top, highest(ranks), lowest(ranks)))
    return pick(top, highest(row), lowest(row)) & 31


def bid(view):
    """Aces and high hearts; next to the forbidden value ``|n - 1|``."""
    count = popcount(view.hand & (ACES | HIGH_HEARTS))
    return abs(count - (count == view.forbidden))


def play(view):
    """Win cheaply while tricks are needed, else get rid of the highest card that loses."""
    if view.hand & (view.hand - 1) == 0:
        return lowest(view.hand)  # the last trick is forced, and that much is easy to foresee
    leads = view.trick_length == 0
    needed = view.taken[view.seat] < view.bids[view.seat]
    winning = view.legal & beating(view.best)
    wanted = winning if needed else view.legal ^ winning
    top = (needed == leads) & (leads | (wanted != 0))
    return extreme(wanted if wanted != 0 else view.legal, np.int64(top))
