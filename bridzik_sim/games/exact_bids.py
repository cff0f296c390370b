"""What games of exact bids (Bridžik, Wizard) share: legal bids, and what is counted and how.

Rates and means are estimated over units (see ``unit_sums.py``), so besides the plain counts squares of each
unit's values are summed: exact bids of the whole table, and points by entrant, by hand size. Where the number
of rounds differs from unit to unit, squares and products of rounds and values are, which give ratios: exact
bids by entrant, hand size and position; points by entrant and position; tricks by entrant and bid; points and
exact bids by entrant and kind of deal, in games that have such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.games import unit_sums
from bridzik_sim.games.measure import Measure
from bridzik_sim.games.unit_sums import FAULTS, WHOLE_WIN
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Axis, Counts, Tally

QUANTITIES = ("points", "exact", "wins")
MEASURE = Measure("points a game and seat", QUANTITIES[0])
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


RATIOS = ("hit_moments", "position_moments", "bid_moments", "kind_moments")
"""Tallies of rounds and what they brought; in ``Counters`` with all axes but the last joined."""


class Points(NamedTuple):
    """The points that a game can bring: ``lowest`` to ``highest`` in steps of ``step``."""

    lowest: int
    highest: int
    step: int


@jit
def forbidden_bid(size, bound, bids_so_far):
    """Bid that would make all bids sum to the hand size, or -1: only who is ``bound`` may not make it.

    Without branches, because whether a bid is forbidden is a coin flip.
    """
    rest = size - bids_so_far
    return rest | rest >> 63 | (0 if bound else -1)


@jit
def legal_bids(size, forbidden):
    """Mask over the bids 0..size without the forbidden one (-1: none)."""
    return ((2 << size) - 1) ^ (1 << (forbidden + 1) >> 1)


def parse_hand_sizes(value: Any, most: int) -> list[int]:
    """Hand sizes, ascending, from ``"8,7"``, a number or a list; ``ValueError`` says what is wrong."""
    parts = (
        value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    )
    try:
        sizes = [int(str(part)) for part in parts]
    except ValueError:
        sizes = []
    if not sizes or len(set(sizes)) != len(sizes) or not all(1 <= size <= most for size in sizes):
        raise ValueError(f"give different hand sizes from 1 to {most}, such as 1 or 8,7")
    return sorted(sizes)


class Counters(NamedTuple):
    """The arrays a kernel fills; see ``layouts`` for their axes. ``unit_*`` are scratch for one unit.

    ``counts`` and most scratch are flat or narrow: with more axes numba looks up strides at every use.
    """

    counts: Counts
    table_hits_squared: Counts
    size_points: Counts
    hit_moments: Counts
    position_moments: Counts
    bid_moments: Counts
    kind_moments: Counts
    scores: Counts
    table: Counts
    faults: Counts
    unit_rounds: Counts
    unit_bids: Counts
    unit_kinds: Counts
    unit_positions: Counts
    unit_sizes: Counts
    unit_table_hits: Counts
    hits_before: Counts
    lowest: int
    step: int
    sums: unit_sums.Sums


def layouts(
    entrants: Sequence[str], match: Match, sizes: int, points: Points, kinds: Sequence[str] = ()
) -> tuple[Tally, ...]:
    """Tallies for hand sizes 1..``sizes``, the points of a game, and the kinds of deals told apart."""
    seats = match.seatings.shape[1]
    who, size = Axis("strategy", tuple(entrants)), Axis.span("hand_size", 1, sizes)
    position, bid = Axis.span("position", 0, seats - 1), Axis.span("bid", 0, sizes)
    moment, moments = Axis("moment", ("sum", "square")), Axis("moment", unit_sums.MOMENTS)
    scores = Axis("points", tuple(range(points.lowest, points.highest + 1, points.step)))
    kind = Axis("kind", tuple(kinds))
    return (
        Tally("counts", (who, size, position, bid, Axis.span("tricks", 0, sizes))),
        Tally("table_hits_squared", (size,)),
        Tally("size_points", (who, size, moment)),
        Tally("hit_moments", (who, size, position, moments)),
        Tally("position_moments", (who, position, moments)),
        Tally("bid_moments", (who, bid, moments)),
        Tally("kind_moments", (who, kind, Axis("quantity", ("points", "exact")), moments)),
        Tally("scores", (who, scores)),
        Tally("table", (size, Axis.span("sum_of_bids", 0, seats * sizes))),
        Tally("faults", (who, Axis("fault", FAULTS))),
        *unit_sums.layouts(entrants, match, QUANTITIES),
    )


def counters(counts: dict[str, Counts], match: Match, points: Points) -> Counters:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    ratios = {name: counts[name].reshape(-1, len(unit_sums.MOMENTS)) for name in RATIOS}
    return Counters(
        counts=counts["counts"].reshape(-1),
        **{name: counts[name] for name in ("table_hits_squared", "size_points", "scores", "table", "faults")},
        **ratios,
        unit_rounds=np.zeros((len(ratios["hit_moments"]), 3), np.int64),
        unit_bids=np.zeros((len(ratios["bid_moments"]), 2), np.int64),
        unit_kinds=np.zeros((len(ratios["kind_moments"]), 2), np.int64),
        unit_positions=np.zeros((len(ratios["position_moments"]), 2), np.int64),
        unit_sizes=np.zeros(counts["size_points"].shape[:2], np.int64),
        unit_table_hits=np.zeros(counts["table_hits_squared"].size, np.int64),
        hits_before=np.zeros(len(counts["scores"]), np.int64),
        lowest=points.lowest,
        step=points.step,
        sums=unit_sums.sums(counts, match),
    )


@jit(merged=True)
def count_round(counters, seats, sizes, entrant, size, position, bid, taken, points):
    """Count a seat's round, ``bid`` and ``taken`` of ``size`` tricks; the game has ``seats``, ``sizes``.

    Few numbers are written here; when the unit is closed they are added up in all ways that are told.
    """
    cell = (entrant * sizes + size - 1) * seats + position
    counters.counts[(cell * (sizes + 1) + bid) * (sizes + 1) + taken] += 1
    counters.unit_rounds[cell, 0] += 1
    counters.unit_rounds[cell, 1] += 1 if bid == taken else 0
    counters.unit_rounds[cell, 2] += points
    count_ratio(counters.unit_bids, entrant * (sizes + 1) + bid, taken)


@jit
def count_ratio(unit, row, amount):
    """Count one more round and what it brought."""
    unit[row, 0] += 1
    unit[row, 1] += amount


@jit
def write_row(rows, row, table, unit, seating, seat, position, brought):
    """Write a seat's round into row number ``row`` (see ``ROW_COLUMNS``); ``brought``: its last columns."""
    rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3] = unit, seating, table.deal, seat
    rows[row, 4], rows[row, 5], rows[row, 6] = table.entrants[seat], table.size, position
    rows[row, 7], rows[row, 8], rows[row, 9], rows[row, 10] = brought


@jit
def count_kind(counters, kinds, entrant, kind, exact, points):
    """Count a seat's round in a deal of a kind, for games that tell ``kinds`` kinds of deals apart."""
    row = 2 * (entrant * kinds + kind)
    count_ratio(counters.unit_kinds, row, points)
    count_ratio(counters.unit_kinds, row + 1, exact)


@jit(merged=True)
def count_game(counters, seating, entrants_at, scores):
    """Count the end of a game: each seat's points, and the win shared by the best, in 60ths."""
    entrants = counters.scores.shape[0]
    best, winners = scores[0], 0
    for seat in range(len(entrants_at)):
        best = max(best, scores[seat])
    for seat in range(len(entrants_at)):
        winners += 1 if scores[seat] == best else 0
    for seat in range(len(entrants_at)):
        entrant = entrants_at[seat]
        counters.scores[entrant, (scores[seat] - counters.lowest) // counters.step] += 1
        if scores[seat] == best:
            counters.sums.unit[2 * entrants + entrant] += WHOLE_WIN // winners
    unit_sums.count_points(counters.sums, seating, entrants_at, scores)
    if len(counters.sums.ones_at) > 0:
        count_one(counters, seating, entrants_at, scores, WHOLE_WIN // winners, best)


@jit(merged=True)
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
    cells = len(counters.unit_rounds) // len(counters.hits_before)
    for entrant in range(len(counters.hits_before)):
        hits = 0
        for cell in range(entrant * cells, (entrant + 1) * cells):
            hits += counters.unit_rounds[cell, 1]
        if entrant == one:
            unit_sums.count_one(sums, seating, 1, hits - counters.hits_before[entrant])
        counters.hits_before[entrant] = hits


@jit(merged=True)
def close_unit(counters, unit):
    """Fold unit number ``unit``, all its seatings, into the sums over units, and clear the scratch."""
    add_rounds(counters)
    counters.hits_before[:] = 0
    unit_sums.add_ratios(counters.unit_positions, counters.position_moments)
    unit_sums.add_ratios(counters.unit_bids, counters.bid_moments)
    unit_sums.add_ratios(counters.unit_kinds, counters.kind_moments)
    unit_sums.add_moments(counters.unit_sizes, counters.size_points)
    unit_sums.close(counters.sums, unit)


@jit(merged=True)
def add_rounds(counters):
    """Add up the rounds of one unit by what their figures are told by, and clear them."""
    entrants, sizes = counters.unit_sizes.shape
    seats = len(counters.unit_rounds) // (entrants * sizes)
    cell = 0
    for entrant in range(entrants):
        for size in range(sizes):
            for position in range(seats):
                rounds, hits = counters.unit_rounds[cell, 0], counters.unit_rounds[cell, 1]
                points = counters.unit_rounds[cell, 2]
                unit_sums.add_products(counters.hit_moments[cell], rounds, hits)
                counters.unit_positions[entrant * seats + position, 0] += rounds
                counters.unit_positions[entrant * seats + position, 1] += points
                counters.unit_sizes[entrant, size] += points
                counters.unit_table_hits[size] += hits
                counters.sums.unit[entrants + entrant] += hits
                counters.unit_rounds[cell, :] = 0
                cell += 1
    for size in range(sizes):
        counters.table_hits_squared[size] += counters.unit_table_hits[size] ** 2
        counters.unit_table_hits[size] = 0


def count_record(counters: Counters, record: Any, seating: int, entrants_at: Counts) -> Counts:
    """Count a game of the reference engine and return its rows (see ``ROW_COLUMNS``; unit 0)."""
    seats, sizes = len(entrants_at), len(counters.table)
    kinds = len(counters.unit_kinds) // (2 * len(counters.scores))
    totals = np.zeros(seats, np.int64)
    rows = []
    for deal in record.deals:
        size = len(deal.tricks)
        for seat, entrant in enumerate(entrants_at):
            position = (seat - deal.starter) % seats
            bid, taken, points = deal.bids[seat], deal.taken[seat], deal.points[seat]
            totals[seat] += points
            count_round(counters, seats, sizes, entrant, size, position, bid, taken, points)
            if kinds:
                count_kind(counters, kinds, entrant, deal.kind, bid == taken, points)
            rows.append(
                (0, seating, deal.deal, seat, entrant, size, position, bid, taken, points, totals[seat])
            )
        counters.table[size - 1, sum(deal.bids)] += 1
    for seat, entrant in enumerate(entrants_at):
        for column, kind in enumerate(FAULTS):
            counters.faults[entrant, column] += record.fault_count(seat, kind)
    count_game(counters, seating, entrants_at, totals)
    return np.array(rows, np.int64)


def count_units(counts: dict[str, Counts], match: Match, points: Points) -> tuple[Any, Any]:
    """Counting games of a reference engine; see ``unit_sums.counting``."""
    return unit_sums.counting(counters(counts, match, points), match, count_record, close_unit)
