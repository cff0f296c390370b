"""Seatings of simulate (design: as given, or its distinct rotations)."""

import pytest

from bridzik_sim import match
from bridzik_sim.errors import UsageError


def test_given():
    assert match.seatings([0, 1, 2, 2], "given").tolist() == [[0, 1, 2, 2]]


def test_rotations_move_everyone_one_seat_to_the_left():
    assert match.seatings([0, 1, 2, 3], "rotate").tolist() == [
        [0, 1, 2, 3],
        [3, 0, 1, 2],
        [2, 3, 0, 1],
        [1, 2, 3, 0],
    ]


@pytest.mark.parametrize(
    ("seats", "count"), [([0, 0, 0, 0], 1), ([0, 1, 0, 1], 2), ([0, 1, 1, 1], 4), ([0, 1], 2)]
)
def test_only_distinct_rotations(seats, count):
    rows = match.seatings(seats, "rotate").tolist()
    assert len(rows) == count == len({tuple(row) for row in rows})


def test_unknown_kind():
    with pytest.raises(UsageError, match="given or rotate"):
        match.seatings([0, 1], "sideways")
