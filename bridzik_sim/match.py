"""Seatings: who sits where on the same cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bridzik_sim.errors import UsageError
from bridzik_sim.tally import Counts

SEATINGS = ("given", "rotate")


def seatings(entrants: Sequence[int], kind: str) -> Counts:
    """int64[seatings, seats]: the entrant at each seat under each seating of a unit.

    ``given``: as written. ``rotate``: its distinct rotations; in rotation k everyone sits k seats further
    left.
    """
    if kind not in SEATINGS:
        raise UsageError(f"the seating must be {' or '.join(SEATINGS)}, not {kind!r}")
    given = tuple(entrants)
    turns = range(len(given)) if kind == "rotate" else range(1)
    rotations = dict.fromkeys(given[len(given) - turn :] + given[: len(given) - turn] for turn in turns)
    return np.array(list(rotations), np.int64)
