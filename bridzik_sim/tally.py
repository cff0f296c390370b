"""Integer counts with named axes.

They add in any order, so every way of splitting a run gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bridzik_sim.errors import UsageError

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """A named axis; ``values`` are what its indices stand for."""

    name: str
    values: tuple[int | str, ...]

    @staticmethod
    def span(name: str, first: int, last: int) -> Axis:
        """Axis of the integers ``first`` to ``last``, both included."""
        return Axis(name, tuple(range(first, last + 1)))


@dataclass(frozen=True)
class Tally:
    """The layout of one array of counts."""

    name: str
    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    def zeros(self) -> Counts:
        """An empty array of this layout, int64."""
        return np.zeros(self.shape, np.int64)


def zeros(tallies: Iterable[Tally]) -> dict[str, Counts]:
    """Empty arrays of all layouts, by name."""
    return {tally.name: tally.zeros() for tally in tallies}


def add(total: Counts, more: Counts) -> None:
    """Add counts to others; ``UsageError`` where a sum leaves 64 bits, which would wrap without a word."""
    before = total.copy()
    total += more
    if (((before ^ total) & (more ^ total)) < 0).any():
        total[...] = before
        raise UsageError("the sums of this run no longer fit into 64 bits; play fewer games in one run")


# Running means are kept at a fixed schedule of unit counts, about twelve in a decade, up to more units than
# anyone will play. It depends on nothing, so it is the same for every chunking, resume and merge.
_STEPS = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
SCHEDULE: tuple[int, ...] = (
    *sorted({step * 10**decade // 10 for decade in range(11) for step in _STEPS}),
    10**11,
)
"""Unit counts at which running figures are kept: 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, … 10**11."""


def segments(first: int, stop: int) -> list[tuple[int, int, int]]:
    """Cut units ``first`` to ``stop`` at the schedule.

    ``(segment, first, stop)``, segment i ends at SCHEDULE[i].
    """
    pieces = []
    for index, end in enumerate(SCHEDULE):
        if first < min(end, stop):
            pieces.append((index, first, min(end, stop)))
            first = min(end, stop)
    return pieces
