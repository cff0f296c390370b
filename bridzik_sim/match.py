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

from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.tally import Counts

GIVEN, ROTATE = "given", "rotate"
ALTERNATING, ALL = "alternating", "all"
PAIRS, ONE = "pairs", "one"
SEATINGS = {
    "simulate": (GIVEN, ROTATE),
    "compare": (ALTERNATING, ALL),
    "tournament": (ALTERNATING, ALL),
}
"""The seatings that each command offers; the first is its default."""
TABLES = (PAIRS, ALL, ONE)
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
    turns: int
    """Seatings of a line-up. Seating k of every line-up has the same random streams."""
    pairs: tuple[tuple[int, int], ...]
    """Pairs of entrants that are compared, or of the one and who fills the other seats (see ``ones``)."""
    duels: Counts
    """int64[duels, 5]: pair, the first entrant's seating and index, the second one's seating and index."""
    weights: Counts
    """int64[seatings, entrants]: what an entrant's points at a table count; 0 where it does not sit."""
    scale: int
    ones: Counts
    """int64[seatings, 2]: the pair and the entrant whose results count as those of the one seat; or empty."""

    @property
    def alone(self) -> bool:
        """Whether each entrant sits in one seat and a reference in all others, as in ``ladder``."""
        return len(self.ones) > 0

    @property
    def lineups(self) -> int:
        """Line-ups, one after the other, each of ``turns`` seatings, the last perhaps of fewer."""
        return -(-len(self.seatings) // self.turns)

    @property
    def fewest_games(self) -> int:
        """Tables of a unit at which an entrant sits, for the one that sits at the fewest."""
        return int((self.weights > 0).sum(axis=0).min())

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
    entrants: int,
    seats: int,
    sides: int,
    tables: str = PAIRS,
    seating: str = ALTERNATING,
    references: Sequence[int] = (),
) -> Match:
    """Everyone meets everyone: every pair as in ``compare``, or all line-ups of distinct entrants.

    Or each in one seat with each of the ``references`` elsewhere: see ``ladder``.
    """
    if tables == ONE:
        return ladder(entrants, references, seats, sides)
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


def ladder(entrants: int, references: Sequence[int], seats: int, sides: int) -> Match:
    """Each entrant in one seat, in all of them in turn, with a reference in all others; and among its own.

    A line-up is an entrant and a reference, in the order of the pairs. Tables of one entrant alone follow,
    one of each, for their rotations would be the same game again. ``pairs`` are the entrant in the one seat
    and who fills the others; a pair's results in ``ones`` are sums over as many seats for every pair.
    """
    pairs = tuple((a, b) for a in range(entrants) for b in range(entrants) if b in references or a == b)
    number = {pair: index for index, pair in enumerate(pairs)}
    mixed = [(a, b) for a, b in pairs if a != b]
    _refuse_too_many(len(mixed) * sides + entrants)
    rows = [tuple(a if side == own else b for side in range(sides)) for a, b in mixed for own in range(sides)]
    ones = [(number[pair], pair[0]) for pair in mixed for _ in range(sides)]
    duels = [(pair, seating, a, seating, pairs[pair][1]) for seating, (pair, a) in enumerate(ones)]
    rows += [(a,) * sides for a in range(entrants)]
    ones += [(number[a, a], a) for a in range(entrants)]
    made = build(rows, 1, entrants, pairs, duels, seats, sides)
    return made._replace(turns=sides, ones=np.array(ones, np.int64))


def chosen_references(
    given: str | Sequence[str] | None, entrants: Sequence[str], tables: str
) -> tuple[str, ...]:
    """The entrants that fill the other seats, in the order of the entrants: those given, by default all."""
    if given is None:
        return tuple(entrants) if tables == ONE else ()
    if tables != ONE:
        raise UsageError("references: only with tables one, where everyone sits in one seat")
    names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in entrants:
            raise UsageError(f"references: {unknown_name('entrant', name, entrants)}")
    if not names:
        raise UsageError("references: name at least one entrant")
    return tuple(name for name in entrants if name in names)


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


def in_pairs(match: Match) -> Match:
    """The match where two tables with the sides changed make one result: a duel counts at one of the two."""
    there = match.seatings[match.duels[:, 1], 0] == match.duels[:, 2]
    return match._replace(duels=match.duels[there])


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
    """A match from a row of entrants a seating, one a side, and its duels (see ``Match``).

    The rows are ``lineups`` line-ups of the same length.
    """
    _refuse_too_many(len(rows))
    seatings = np.tile(np.array(rows, np.int64), seats // sides)
    seated = (seatings[:, :, None] == np.arange(entrants)).sum(axis=1)
    scale = math.lcm(*set(seated[seated > 0].tolist()))
    weights = np.where(seated > 0, scale // np.maximum(seated, 1), 0)
    return Match(
        seatings,
        len(rows) // lineups,
        pairs,
        np.array(list(duels), np.int64).reshape(-1, 5),
        weights.astype(np.int64),
        scale,
        np.zeros((0, 2), np.int64),
    )
