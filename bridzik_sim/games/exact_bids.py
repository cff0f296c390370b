"""What games of exact bids (Bridžik, Wizard) count, and how: the layouts, and the counting for their kernels.

The rates of exact bids are estimated over units, so besides the plain counts the squares of each unit's
hits are summed: by entrant, hand size and position, and by hand size for the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.jit import jit
from bridzik_sim.tally import Axis, Counts, Tally

QUANTITIES = ("points", "exact", "wins")
FAULTS = ("illegal", "raised", "timeout")
WHOLE_WIN = 60
"""A win is counted in 60ths, so that up to six seats can share it exactly."""

ROW_COLUMNS = (
    "unit",
    "seating",
    "deal",
    "seat",
    "strategy",
    "hand_size",
    "position",
    "bid",
    "tricks",
    "points",
    "total",
)


class Counters(NamedTuple):
    """The arrays a kernel fills; see ``layouts`` for their axes. ``unit_*`` are scratch for one unit.

    ``counts``, ``unit`` and ``unit_hits`` are flat: with more axes numba looks up strides at every use.
    """

    counts: Counts
    hits_squared: Counts
    table_hits_squared: Counts
    scores: Counts
    table: Counts
    faults: Counts
    total: Counts
    product: Counts
    unit: Counts
    unit_hits: Counts
    unit_table_hits: Counts


def layouts(entrants: Sequence[str], seats: int, sizes: int, lowest: int, highest: int) -> tuple[Tally, ...]:
    """Tallies for hand sizes 1..``sizes`` and points in a game between ``lowest`` and ``highest``."""
    who, size = Axis("strategy", tuple(entrants)), Axis.span("hand_size", 1, sizes)
    position, bid = Axis.span("position", 0, seats - 1), Axis.span("bid", 0, sizes)
    sums = Axis("quantity", tuple(f"{quantity}/{name}" for quantity in QUANTITIES for name in entrants))
    return (
        Tally("counts", (who, size, position, bid, Axis.span("tricks", 0, sizes))),
        Tally("hits_squared", (who, size, position)),
        Tally("table_hits_squared", (size,)),
        Tally("scores", (who, Axis.span("points", lowest, highest))),
        Tally("table", (size, Axis.span("sum_of_bids", 0, seats * sizes))),
        Tally("faults", (who, Axis("fault", FAULTS))),
        Tally("total", (sums,)),
        Tally("product", (sums, sums)),
    )


def counters(counts: dict[str, Counts]) -> Counters:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    names = ("hits_squared", "table_hits_squared", "scores", "table", "faults", "total", "product")
    scratch = ("total", "hits_squared", "table_hits_squared")
    return Counters(
        counts["counts"].reshape(-1),
        *[counts[name] for name in names],
        *[np.zeros(counts[name].size, np.int64) for name in scratch],
    )


@jit
def count_round(counters, seats, sizes, entrant, size, position, bid, taken):
    """Count a seat's round, ``bid`` and ``taken`` of ``size`` tricks; the game has ``seats``, ``sizes``."""
    cell = (entrant * sizes + size - 1) * seats + position
    counters.counts[(cell * (sizes + 1) + bid) * (sizes + 1) + taken] += 1
    counters.unit_hits[cell] += 1 if bid == taken else 0


@jit
def count_game(counters, entrants_at, scores, lowest):
    """Count the end of a game: each seat's points, and the win shared by the best, in 60ths."""
    entrants = counters.scores.shape[0]
    best, winners = scores[0], 0
    for seat in range(len(entrants_at)):
        best = max(best, scores[seat])
    for seat in range(len(entrants_at)):
        winners += 1 if scores[seat] == best else 0
    for seat in range(len(entrants_at)):
        entrant = entrants_at[seat]
        counters.scores[entrant, scores[seat] - lowest] += 1
        counters.unit[entrant] += scores[seat]
        if scores[seat] == best:
            counters.unit[2 * entrants + entrant] += WHOLE_WIN // winners


@jit
def close_unit(counters):
    """Fold one unit, all its seatings, into the sums over units, and clear the scratch."""
    count_hits(counters)
    unit = counters.unit
    for i in range(unit.size):
        counters.total[i] += unit[i]
        for j in range(unit.size):
            counters.product[i, j] += unit[i] * unit[j]
    unit[:] = 0


@jit
def count_hits(counters):
    """Fold the exact bids of one unit into its sums and into the sums of squares, and clear them."""
    entrants, sizes, seats = counters.hits_squared.shape
    table_hits = counters.unit_table_hits
    cell = 0
    for entrant in range(entrants):
        for size in range(sizes):
            for position in range(seats):
                hits = counters.unit_hits[cell]
                counters.unit_hits[cell] = 0
                counters.hits_squared[entrant, size, position] += hits * hits
                counters.unit[entrants + entrant] += hits
                table_hits[size] += hits
                cell += 1
    for size in range(sizes):
        counters.table_hits_squared[size] += table_hits[size] * table_hits[size]
        table_hits[size] = 0


def count_record(counters: Counters, record: Any, entrants_at: Counts, lowest: int) -> Counts:
    """Count a game of the reference engine and return its rows (see ``ROW_COLUMNS``; unit and seating 0)."""
    sizes = counters.hits_squared.shape[1]
    totals = np.zeros(len(entrants_at), np.int64)
    rows = []
    for deal in record.deals:
        size, starter = len(deal.tricks), deal.starter
        for seat, entrant in enumerate(entrants_at):
            position = (seat - starter) % len(entrants_at)
            bid, taken, points = deal.bids[seat], deal.taken[seat], deal.points[seat]
            totals[seat] += points
            count_round(counters, len(entrants_at), sizes, entrant, size, position, bid, taken)
            rows.append((0, 0, deal.deal, seat, entrant, size, position, bid, taken, points, totals[seat]))
        counters.table[size - 1, sum(deal.bids)] += 1
    for seat, entrant in enumerate(entrants_at):
        for column, kind in enumerate(FAULTS):
            counters.faults[entrant, column] += record.fault_count(seat, kind)
    count_game(counters, entrants_at, totals, lowest)
    return np.array(rows, np.int64)
