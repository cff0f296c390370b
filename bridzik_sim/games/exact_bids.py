"""What games of exact bids (Bridžik, Wizard) count, and how: the layouts, and the counting for their kernels.

Rates and means are estimated over units (see ``unit_sums.py``), so besides the plain counts squares of each
unit's values are summed: exact bids by entrant, hand size and position, and by hand size for the whole table;
points by entrant and position; bids made and the tricks that followed by entrant and bid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.games import unit_sums
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
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

    ``counts`` and most scratch are flat or narrow: with more axes numba looks up strides at every use.
    """

    counts: Counts
    hits_squared: Counts
    table_hits_squared: Counts
    position_points: Counts
    bid_moments: Counts
    scores: Counts
    table: Counts
    faults: Counts
    unit_hits: Counts
    hits_before: Counts
    unit_table_hits: Counts
    unit_positions: Counts
    unit_bids: Counts
    sums: unit_sums.Sums


def layouts(
    entrants: Sequence[str], match: Match, sizes: int, lowest: int, highest: int
) -> tuple[Tally, ...]:
    """Tallies for hand sizes 1..``sizes`` and points in a game between ``lowest`` and ``highest``."""
    seats = match.seatings.shape[1]
    who, size = Axis("strategy", tuple(entrants)), Axis.span("hand_size", 1, sizes)
    position, bid = Axis.span("position", 0, seats - 1), Axis.span("bid", 0, sizes)
    return (
        Tally("counts", (who, size, position, bid, Axis.span("tricks", 0, sizes))),
        Tally("hits_squared", (who, size, position)),
        Tally("table_hits_squared", (size,)),
        Tally("position_points", (who, position, Axis("moment", ("sum", "square")))),
        Tally("bid_moments", (who, bid, Axis("moment", unit_sums.MOMENTS))),
        Tally("scores", (who, Axis.span("points", lowest, highest))),
        Tally("table", (size, Axis.span("sum_of_bids", 0, seats * sizes))),
        Tally("faults", (who, Axis("fault", FAULTS))),
        *unit_sums.layouts(entrants, match, QUANTITIES),
    )


def counters(counts: dict[str, Counts], match: Match) -> Counters:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    names = (
        "hits_squared",
        "table_hits_squared",
        "position_points",
        "bid_moments",
        "scores",
        "table",
        "faults",
    )
    entrants, bids = counts["bid_moments"].shape[:2]
    return Counters(
        counts=counts["counts"].reshape(-1),
        **{name: counts[name] for name in names},
        unit_hits=np.zeros(counts["hits_squared"].size, np.int64),
        hits_before=np.zeros(entrants, np.int64),
        unit_table_hits=np.zeros(counts["table_hits_squared"].size, np.int64),
        unit_positions=np.zeros(counts["position_points"].shape[:2], np.int64),
        unit_bids=np.zeros((entrants * bids, 2), np.int64),
        sums=unit_sums.sums(counts, match),
    )


@jit
def count_round(counters, seats, sizes, entrant, size, position, bid, taken, points):
    """Count a seat's round, ``bid`` and ``taken`` of ``size`` tricks; the game has ``seats``, ``sizes``."""
    cell = (entrant * sizes + size - 1) * seats + position
    counters.counts[(cell * (sizes + 1) + bid) * (sizes + 1) + taken] += 1
    counters.unit_hits[cell] += 1 if bid == taken else 0
    counters.unit_positions[entrant, position] += points
    counters.unit_bids[entrant * (sizes + 1) + bid, 0] += 1
    counters.unit_bids[entrant * (sizes + 1) + bid, 1] += taken


@jit
def count_game(counters, seating, entrants_at, scores, lowest):
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
        if scores[seat] == best:
            counters.sums.unit[2 * entrants + entrant] += WHOLE_WIN // winners
    unit_sums.count_points(counters.sums, seating, entrants_at, scores)
    if len(counters.sums.ones_at) > 0:
        count_one(counters, seating, entrants_at, scores, WHOLE_WIN // winners, best)


@jit
def count_one(counters, seating, entrants_at, scores, win, best):
    """Count what the one at a table got: points, exact bids, and its ``win`` if its points are the best.

    Its exact bids are those it has more of in this unit than after the table before, where it may have been
    one of the others.
    """
    sums, one = counters.sums, counters.sums.ones_at[seating, 1]
    for seat in range(len(entrants_at)):
        if entrants_at[seat] == one:
            unit_sums.count_one(sums, seating, 0, scores[seat])
            unit_sums.count_one(sums, seating, 2, win if scores[seat] == best else 0)
    cells = len(counters.unit_hits) // len(counters.hits_before)
    for entrant in range(len(counters.hits_before)):
        hits = 0
        for cell in range(entrant * cells, (entrant + 1) * cells):
            hits += counters.unit_hits[cell]
        if entrant == one:
            unit_sums.count_one(sums, seating, 1, hits - counters.hits_before[entrant])
        counters.hits_before[entrant] = hits


@jit
def close_unit(counters, unit):
    """Fold unit number ``unit``, all its seatings, into the sums over units, and clear the scratch."""
    count_hits(counters)
    for entrant in range(len(counters.hits_before)):
        counters.hits_before[entrant] = 0
    unit_sums.add_moments(counters.unit_positions, counters.position_points)
    entrants, bids = counters.bid_moments.shape[:2]
    for entrant in range(entrants):
        for bid in range(bids):
            made = counters.unit_bids[entrant * bids + bid]
            unit_sums.add_products(counters.bid_moments[entrant, bid], made[0], made[1])
    counters.unit_bids[:] = 0
    unit_sums.close(counters.sums, unit)


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
                counters.sums.unit[entrants + entrant] += hits
                table_hits[size] += hits
                cell += 1
    for size in range(sizes):
        counters.table_hits_squared[size] += table_hits[size] * table_hits[size]
        table_hits[size] = 0


def count_record(counters: Counters, record: Any, seating: int, entrants_at: Counts, lowest: int) -> Counts:
    """Count a game of the reference engine and return its rows (see ``ROW_COLUMNS``; unit 0)."""
    sizes = counters.hits_squared.shape[1]
    totals = np.zeros(len(entrants_at), np.int64)
    rows = []
    for deal in record.deals:
        size, starter = len(deal.tricks), deal.starter
        for seat, entrant in enumerate(entrants_at):
            position = (seat - starter) % len(entrants_at)
            bid, taken, points = deal.bids[seat], deal.taken[seat], deal.points[seat]
            totals[seat] += points
            count_round(counters, len(entrants_at), sizes, entrant, size, position, bid, taken, points)
            rows.append(
                (0, seating, deal.deal, seat, entrant, size, position, bid, taken, points, totals[seat])
            )
        counters.table[size - 1, sum(deal.bids)] += 1
    for seat, entrant in enumerate(entrants_at):
        for column, kind in enumerate(FAULTS):
            counters.faults[entrant, column] += record.fault_count(seat, kind)
    count_game(counters, seating, entrants_at, totals, lowest)
    return np.array(rows, np.int64)
