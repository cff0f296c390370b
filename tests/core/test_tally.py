"""The schedule of unit counts and the cutting of ranges at it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridzik_sim.errors import UsageError
from bridzik_sim.tally import SCHEDULE, add, segments


def test_the_schedule_rises_evenly():
    assert SCHEDULE[:9] == (1, 2, 3, 4, 5, 6, 8, 10, 12)
    assert 10**6 in SCHEDULE
    assert SCHEDULE[-1] == 10**11
    later = [b / a for a, b in itertools.pairwise(SCHEDULE[8:])]
    assert 1.1 < min(later) <= max(later) < 1.3


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_pieces_cover_the_range_and_stay_in_their_segment(first, length):
    pieces = segments(first, first + length)
    assert sum(stop - start for _, start, stop in pieces) == length
    for segment, start, stop in pieces:
        assert (SCHEDULE[segment - 1] if segment else 0) <= start < stop <= SCHEDULE[segment]
    starts = [start for _, start, _ in pieces]
    assert starts == sorted(starts)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_that_leaves_64_bits_is_refused_and_nothing_is_changed(sign):
    total = np.array([sign * (2**63 - 10), 5])
    add(total, np.array([sign * 9, -7]))
    assert total.tolist() == [sign * (2**63 - 1), -2]
    with pytest.raises(UsageError, match="no longer fit into 64 bits"):
        add(total, np.array([sign * 2, 1]))
    assert total.tolist() == [sign * (2**63 - 1), -2]
