"""Bids aces and high hearts, then wins cheaply while tricks are needed: the rule of the C baseline.

Bid: aces plus the hearts J, Q and K; where that is forbidden one less, or 1 instead of 0.
Lead: the highest card while tricks are needed, else the lowest. Follow: while tricks are needed the lowest winning
card, else the highest losing one; where there is none the lowest legal card. Highest and lowest go by rank, and
among equal ranks by suit, L < A < B < H. Written without branches: on random cards they are coin flips, and a
mispredicted one costs as much as the whole choice.
"""

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.jit import jit

HEARTS = 0xFF
ACES = 0x80808080
HIGH_HEARTS = 0x70
EVERY_SUIT = 0x0101010100  # the lowest rank of L, A, B and, moved above them, H


@jit
def beating(best):
    """Cards that would take a trick from the card ``best``: higher ones of its suit, and hearts over another suit."""
    higher = (256 << (best & 24)) - (2 << (best & 31))
    return higher | (HEARTS if best > 7 else 0)


@jit
def extreme(cards, top):
    """Highest (``top``) or lowest card of a mask, by rank first."""
    ordered = (cards & ~HEARTS) | (cards & HEARTS) << 32
    ranks = cards | cards >> 16
    ranks = (ranks | ranks >> 8) & 0xFF
    row = ordered & (EVERY_SUIT << (highest(ranks) if top else lowest(ranks)))
    return (highest(row) if top else lowest(row)) & 31


def bid(view):
    """Aces and high hearts; next to the forbidden value ``|n - 1|``."""
    count = popcount(view.hand & (ACES | HIGH_HEARTS))
    return abs(count - (count == view.forbidden))


def play(view):
    """Win cheaply while tricks are needed, else get rid of the highest card that loses."""
    legal = view.legal
    needed = view.taken[view.seat] < view.bids[view.seat]
    leads = view.trick_length == 0
    winning = 0 if leads else legal & beating(view.best)
    wanted = winning if needed else 0 if leads else legal ^ winning
    top = needed if leads else not needed and wanted != 0
    return extreme(wanted if wanted != 0 else legal, top)
