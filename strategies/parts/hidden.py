"""Unseen cards dealt at random to hands that are known to lack some of them.

Cards lie in *piles*: the hands of others, and last the cards that nobody holds. Each pile has its number of
cards and a mask of those it may have. Where every pile may have every card, each deal is drawn anew, all
equally likely.

Else a deal is made from the one before (a Markov chain). ``mix`` shares out the cards of every two piles
anew, all ways that are allowed equally likely, then tries to move cards around in a circle: random ones of
some piles, each to the next, where all may have them. Both keep the uniform distribution as it is, and every
deal is reached: what two deals differ by is a set of such circles, each of which is allowed by itself. So in
the long run each deal that agrees with what is known is equally likely. ``begin`` mixes BEGINNING times from
the first deal it finds, ``deal`` SWEEPS times between samples.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest, nth, popcount
from bridzik_sim.jit import jit

MOST = 8
"""Piles there may be."""
PILES = np.dtype(
    [(name, "int64") for name in ("count", "unseen", "bound")]
    + [(name, "int64", (MOST,)) for name in ("holds", "may", "cards", "came", "brought", "circle")]
)
"""To be filled in before ``begin``: ``count`` of piles; ``unseen``: mask of all their cards; by pile how many
it ``holds`` and the mask of what it ``may`` have. Filled in then: ``bound``, 1 where some pile may not have
some unseen card, and by pile the ``cards`` of the last deal. The rest is room to work in.
"""
BEGINNING, SWEEPS = 6, 2
AT_ONCE = 8
"""Cards that one draw from a stream can take."""


@jit
def begin(view, piles):
    """Prepare for dealing, drawing from the view's stream."""
    piles.bound = 0
    for pile in range(piles.count):
        piles.cards[pile] = 0
        piles.bound |= piles.unseen & ~piles.may[pile] != 0
    if piles.bound:
        rest = piles.unseen
        while rest != 0:
            place(piles, lowest(rest))
            rest &= rest - 1
        for _ in range(BEGINNING):
            mix(view, piles)


@jit
def deal(view, piles):
    """Put the next deal into ``piles.cards``."""
    if piles.bound:
        for _ in range(SWEEPS):
            mix(view, piles)
        return
    pool = piles.unseen
    for pile in range(piles.count):
        piles.cards[pile] = some_of(view, pool, piles.holds[pile])
        pool ^= piles.cards[pile]


@jit
def some_of(view, cards, count):
    """``count`` random ones of ``cards``, all sets equally likely."""
    size, left = popcount(cards), cards
    few = min(count, size - count)
    while few > 0:
        part = min(few, AT_ONCE)
        left ^= streams.take(view, left, part)
        few -= part
    return left if 2 * count > size else cards ^ left


@jit
def place(piles, card):
    """Put a card onto a pile with room; where others must make way, move them to piles that may have them."""
    for pile in range(piles.count):
        piles.came[pile] = -2
    found = -1
    for pile in range(piles.count):
        if found < 0 and piles.may[pile] >> card & 1:
            found = reach(piles, pile, -1, card)
    waiting = True
    while found < 0 and waiting:
        waiting = False
        for source in range(piles.count):
            for target in range(piles.count):
                fits = piles.cards[source] & piles.may[target]
                if found < 0 and piles.came[source] != -2 and piles.came[target] == -2 and fits != 0:
                    found, waiting = reach(piles, target, source, lowest(fits)), True
    while found >= 0:
        piles.cards[found] |= 1 << piles.brought[found]
        source = piles.came[found]
        if source >= 0:
            piles.cards[source] ^= 1 << piles.brought[found]
        found = source


@jit
def reach(piles, pile, source, card):
    """Note that ``card`` could come to a pile from ``source`` (-1: it is new).

    Returns the pile if it has room, else -1.
    """
    piles.came[pile], piles.brought[pile] = source, card
    return pile if popcount(piles.cards[pile]) < piles.holds[pile] else -1


@jit
def mix(view, piles):
    """Share out the cards of every two piles anew, then try to move some in a circle."""
    for one in range(1, piles.count):
        for other in range(one):
            both = piles.cards[one] | piles.cards[other]
            free = both & piles.may[one] & piles.may[other]
            kept = piles.cards[one] & ~free
            piles.cards[one] = kept | some_of(view, free, popcount(piles.cards[one] & free))
            piles.cards[other] = both ^ piles.cards[one]
    turn_circle(view, piles)


@jit
def turn_circle(view, piles):
    """Move a random card of each of three or more random piles to the next of them, if all may have it."""
    left = 0
    for pile in range(piles.count):
        left |= 1 << pile if piles.cards[pile] != 0 else 0
    if popcount(left) < 3:
        return
    length = 3 + streams.below(view, popcount(left) - 2)
    for i in range(length):
        pile = nth(left, streams.below(view, popcount(left)))
        left ^= 1 << pile
        piles.circle[i] = pile
        piles.brought[i] = nth(piles.cards[pile], streams.below(view, popcount(piles.cards[pile])))
    for i in range(length):
        if not piles.may[piles.circle[(i + 1) % length]] >> piles.brought[i] & 1:
            return
    for i in range(length):
        laid = 1 << piles.brought[i]
        piles.cards[piles.circle[i]] ^= laid
        piles.cards[piles.circle[(i + 1) % length]] |= laid
