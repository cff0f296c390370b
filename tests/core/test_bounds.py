"""No unit adds more to a sum than its bound, and what could leave 64 bits is refused."""

import sys
from pathlib import Path

import numpy as np
import pytest

from bridzik_sim import tally
from bridzik_sim.errors import UsageError
from bridzik_sim.runner import MAX_CHUNK

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
try:
    import bounds
finally:
    del sys.path[0]

# Here the bound lets fewer units be played than a run may have; `bench/bounds.py` prints how many.
FEWER = {
    "Bridžik, tournament of 8",
    "Czech Fool, compare",
    "rubbers, one line-up",
    "rubbers, compare",
    "rubbers, tournament of 8",
    "boards, compare",
    "boards, tournament of 8",
    "honeymoon, compare",
}
TIMED = {"rubbers, compare", "rubbers, tournament of 8"}
"""Here a chunk ends by its time long before as many units as would surely fit."""


@pytest.mark.parametrize("case", bounds.CASES)
def test_as_many_units_as_are_allowed_fit_or_are_refused(case):
    played = bounds.resolve(case)
    limits, (name, fits) = bounds.bounds(played), bounds.largest(played)
    assert limits.keys() == bounds.layout_names(played)
    assert (fits < tally.SCHEDULE[-1]) == (case in FEWER)
    assert (fits < MAX_CHUNK) == (case in TIMED)
    total, unit = np.array([fits * limits[name]]), np.array([limits[name]])
    with pytest.raises(UsageError, match="no longer fit into 64 bits"):
        tally.add(total, unit)


@pytest.mark.parametrize(
    "case",
    ["Bridžik, compare in all seatings", "Wizard, rotations of 3", "Czech Fool, compare", "rubbers, compare"],
)
def test_units_stay_within_the_bounds(case):
    played = bounds.resolve(case)
    limits, most = bounds.bounds(played), bounds.seen(played, 20)
    assert all(most[name] <= limits[name] for name in limits)
    assert most["total"] > limits["total"] / 1e4  # a bound of another size would be a wrong one
