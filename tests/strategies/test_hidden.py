"""Dealing unseen cards to piles that may not have all of them: every possible deal, all equally likely."""

import random

import numpy as np
import pytest

from bridzik_sim.jit import jit
from strategies.parts.hidden import PILES, begin, deal

DEALER = np.dtype([("stream", "uint64", (4,))])
ANY = -1


@jit
def deals(dealer, piles, count, between):
    """int64[count, piles]: the masks of every ``between``-th deal."""
    found = np.empty((count, piles.count), np.int64)
    begin(dealer, piles)
    for i in range(count):
        for _ in range(between):
            deal(dealer, piles)
        found[i] = piles.cards[: piles.count]
    return found


def dealt(sizes, may, count, between=1, seed=1):
    dealers, piles = np.zeros(1, DEALER).view(np.recarray), np.zeros(1, PILES).view(np.recarray)
    dealers[0].stream = (seed, 2, 3, 4)
    piles[0].count, piles[0].unseen = len(sizes), (1 << sum(sizes)) - 1
    piles[0].holds[: len(sizes)], piles[0].may[: len(sizes)] = sizes, may
    return deals(dealers[0], piles[0], count, between)


def possible(sizes, may):
    """All deals, by plain enumeration of every card's pile."""
    found = [[0] * len(sizes)]
    for card in range(sum(sizes)):
        found = [
            [*deal[:pile], deal[pile] | 1 << card, *deal[pile + 1 :]]
            for deal in found
            for pile in range(len(sizes))
            if may[pile] >> card & 1 and deal[pile].bit_count() < sizes[pile]
        ]
    return [tuple(deal) for deal in found]


SMALL = [
    # Nobody bound.
    ((2, 2, 1), (ANY, ANY, ANY)),
    # Two bound, one not, and a rest.
    ((2, 2, 1, 2), (0b0001111, 0b1111001, ANY, ANY)),
    # All bound and nothing left over: only a circle of three leads from one of the two deals to the other.
    ((1, 1, 1, 0), (0b011, 0b110, 0b101, ANY)),
    # The same with a circle of five.
    ((1, 1, 1, 1, 1), (0b00011, 0b00110, 0b01100, 0b11000, 0b10001)),
    # Only one deal.
    ((1, 2, 1), (0b0001, 0b0111, 0b1111)),
]


def surplus(seen, each):
    """How far chi square lies above its mean, in its standard deviations."""
    freedom = max(len(seen) - 1, 1)
    square = sum((number - each) ** 2 / each for number in seen.values())
    return (square - freedom) / (2 * freedom) ** 0.5


@pytest.mark.parametrize(("sizes", "may"), SMALL)
def test_every_possible_deal_is_equally_likely(sizes, may):
    seen = dict.fromkeys(possible(sizes, may), 0)
    for found in dealt(sizes, may, 400 * len(seen), between=20):
        seen[tuple(map(int, found))] += 1
    assert surplus(seen, 400) < 5


def test_the_bound_of_that_test_finds_piles_dealt_one_after_the_other():
    sizes, may = SMALL[1]
    seen, rng, drawn = dict.fromkeys(possible(sizes, may), 0), random.Random(1), 0
    while drawn < 400 * len(seen):
        left, found = set(range(sum(sizes))), []
        for size, mask in zip(sizes, may, strict=True):
            fits = sorted(card for card in left if mask >> card & 1)
            hand = rng.sample(fits, min(size, len(fits)))
            left -= set(hand)
            found.append(sum(1 << card for card in hand))
        if tuple(found) in seen:
            seen[tuple(found)] += 1
            drawn += 1
    assert surplus(seen, 400) > 5


def test_a_first_deal_is_found_where_others_must_make_way():
    # Cards come lowest first: the first pile takes those that only it and another may have, then must give up.
    rng, tried = random.Random(2), 0
    for _ in range(300):
        count = rng.randrange(3, 7)
        owner = [rng.randrange(count) for _ in range(rng.randrange(4, 60))]
        sizes = [owner.count(pile) for pile in range(count)]
        suits = [rng.randrange(5) for _ in owner]
        lacks = [rng.choice([0, rng.randrange(16), rng.randrange(16)]) for _ in range(count)]
        may = [
            sum(1 << c for c, s in enumerate(suits) if owner[c] == pile or not lacks[pile] >> s & 1)
            for pile in range(count)
        ]
        for found in dealt(sizes, may, 3):
            tried += 1
            assert [int(mask).bit_count() for mask in found] == sizes
            assert sum(map(int, found)) == (1 << len(owner)) - 1
            assert all(int(mask) & ~may[pile] == 0 for pile, mask in enumerate(found))
    assert tried == 900
