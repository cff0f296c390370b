"""Seatings: who sits where on the same cards, and which results of a unit are compared with which.

A seat belongs to a side: in most games a side is one seat, in partnership games seat ``s`` belongs to side
``s % sides``. Entrants sit for sides. Every function names entrants by their index.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bridzik_sim.errors import UsageError
from bridzik_sim.tally import Counts

GIVEN, ROTATE = "given", "rotate"
ALTERNATING, ALL = "alternating", "all"
PAIRS = "pairs"
SEATINGS = {
    "simulate": (GIVEN, ROTATE),
    "compare": (ALTERNATING, ALL),
    "tournament": (ALTERNATING, ALL),
}
"""The seatings that each command offers; the first is its default."""
TABLES = (PAIRS, ALL)
MAX_SEATINGS = 1 << 14
"""More tables a unit would make a unit last for seconds, within which nothing can be stopped or kept."""
Row = tuple[int, ...]


class Match(NamedTuple):
    """The tables that every unit is played at.

    A *duel* compares the mean points of two entrants on the same cards, at one table or at two. Points are
    taken ``scale`` times, so that the mean over an entrant's seats at a table is a whole number.
    """

    seatings: Counts
    """int64[seatings, seats]: the entrant at each seat."""
    lineups: int
    """Line-ups, each with the same number of seatings, one after the other."""
    pairs: tuple[tuple[int, int], ...]
    """Pairs of entrants that are compared."""
    duels: Counts
    """int64[duels, 5]: pair, the first entrant's seating and index, the second one's seating and index."""
    weights: Counts
    """int64[seatings, entrants]: what an entrant's points at a table count; 0 where it does not sit."""
    scale: int

    @property
    def turns(self) -> int:
        """Seatings of a line-up. Seating k of every line-up has the same random streams."""
        return len(self.seatings) // self.lineups

    def duels_of(self, pair: int) -> int:
        """How many duels a pair has in one unit."""
        return int(np.count_nonzero(self.duels[:, 0] == pair))


def rotations(row: Sequence[int]) -> list[Row]:
    """The distinct rotations of a row; in rotation k everyone sits k places further left."""
    given = tuple(row)
    turned = (given[len(given) - turn :] + given[: len(given) - turn] for turn in range(len(given)))
    return list(dict.fromkeys(turned))


def alternating(a: int, b: int, sides: int) -> list[Row]:
    """ABAB and BABA; at a table with an odd number of sides ABA and BAB in all their rotations."""
    rows = [tuple((a, b)[(side + first) % 2] for side in range(sides)) for first in (0, 1)]
    return rows if sides % 2 == 0 else [turned for row in rows for turned in rotations(row)]


def halves(a: int, b: int, sides: int) -> list[Row]:
    """Every seating in which both fill half of the sides (or differ by one where their number is odd)."""
    rows = []
    for count in sorted({sides // 2, sides - sides // 2}):
        for chosen in itertools.combinations(range(sides), count):
            rows.append(tuple(a if side in chosen else b for side in range(sides)))
    return rows


def simulate(entrants: Sequence[int], seating: str = GIVEN) -> Match:
    """One line-up, an entrant a seat, as given or in its rotations; nothing is compared."""
    rows = rotations(entrants) if seating == ROTATE else [tuple(entrants)]
    return build(rows, 1, max(entrants) + 1, (), [], len(entrants), len(entrants))


def compare(seats: int, sides: int, seating: str = ALTERNATING) -> Match:
    """Entrants 0 and 1 at common tables."""
    rows = _shared(seating)(0, 1, sides)
    return build(rows, 1, 2, ((0, 1),), shared_duels(rows, ((0, 1),)), seats, sides)


def against_field(seats: int, sides: int) -> Match:
    """Entrants 0 and 1 each in every seat with entrant 2 elsewhere; compared seat by seat."""
    rows = [
        tuple(who if side == own else 2 for side in range(sides)) for who in (0, 1) for own in range(sides)
    ]
    duels = [(0, own, 0, sides + own, 1) for own in range(sides)]
    return build(rows, 2, 3, ((0, 1),), duels, seats, sides)


def tournament(
    entrants: int, seats: int, sides: int, tables: str = PAIRS, seating: str = ALTERNATING
) -> Match:
    """Everyone meets everyone: every pair as in ``compare``, or all line-ups of distinct entrants."""
    pairs = tuple(itertools.combinations(range(entrants), 2))
    if tables == PAIRS:
        lineups = [_shared(seating)(a, b, sides) for a, b in pairs]
    elif entrants < sides:
        raise UsageError(
            f"tables of different entrants need at least {sides} of them, not {entrants}; "
            "add entrants or let pairs meet"
        )
    else:
        _refuse_too_many(math.comb(entrants, sides) * sides)
        lineups = [rotations(table) for table in itertools.combinations(range(entrants), sides)]
    rows = [row for lineup in lineups for row in lineup]
    return build(rows, len(lineups), entrants, pairs, shared_duels(rows, pairs), seats, sides)


def _shared(seating: str) -> Callable[[int, int, int], list[Row]]:
    return halves if seating == ALL else alternating


def shared_duels(rows: Sequence[Row], pairs: Sequence[tuple[int, int]]) -> list[Row]:
    """Duels at common tables: of every pair at every table where both sit."""
    number = {pair: index for index, pair in enumerate(pairs)}
    return [
        (number[pair], seating, pair[0], seating, pair[1])
        for seating, row in enumerate(rows)
        for pair in itertools.combinations(sorted(set(row)), 2)
    ]


def _refuse_too_many(seatings: int) -> None:
    if seatings > MAX_SEATINGS:
        raise UsageError(
            f"these entrants make {seatings:,} tables a unit, and {MAX_SEATINGS:,} is the most; "
            "take fewer entrants or let pairs meet"
        )


def build(
    rows: Sequence[Row],
    lineups: int,
    entrants: int,
    pairs: tuple[tuple[int, int], ...],
    duels: Iterable[Row],
    seats: int,
    sides: int,
) -> Match:
    """A match from a row of entrants a seating, one a side, and its duels (see ``Match``)."""
    _refuse_too_many(len(rows))
    seatings = np.tile(np.array(rows, np.int64), seats // sides)
    seated = (seatings[:, :, None] == np.arange(entrants)).sum(axis=1)
    scale = math.lcm(*(int(count) for count in np.unique(seated[seated > 0])))
    weights = np.where(seated > 0, scale // np.maximum(seated, 1), 0)
    return Match(
        seatings,
        lineups,
        pairs,
        np.array(list(duels), np.int64).reshape(-1, 5),
        weights.astype(np.int64),
        scale,
    )
