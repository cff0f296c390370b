"""What every game counts unit by unit: the measure by entrant, and the duels of entrants on the same cards.

A unit, in all its seatings, is one observation. A kernel adds up one unit in scratch arrays; closing the unit
folds them into sums, squares and products, from which estimates over units are formed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Axis, Counts, Tally

BLOCKS = 64
"""Blocks of units for the jackknife of ratings: unit ``u`` belongs to block ``u % BLOCKS``."""
MOMENTS = ("x", "y", "xx", "yy", "xy")
FAULTS = ("illegal", "raised", "timeout")
WHOLE_WIN = 60
"""A win is counted in 60ths, so that up to six seats can share it exactly."""


class Sums(NamedTuple):
    """The arrays of a chunk, scratch for one unit (``unit*``), and the match that is played.

    ``unit`` holds the quantities of the game by entrant, the measure first.
    """

    total: Counts
    product: Counts
    leads: Counts
    odds_squared: Counts
    ahead: Counts
    duel_moments: Counts
    seat_points: Counts
    unit: Counts
    unit_seats: Counts
    unit_tables: Counts
    unit_pairs: Counts
    duels: Counts
    weights: Counts
    ones: Counts
    unit_ones: Counts
    ones_at: Counts
    own_row: Counts


def layouts(entrants: Sequence[str], match: Match, quantities: Sequence[str]) -> tuple[Tally, ...]:
    """Tallies of the unit sums.

    ``leads``: by pair, the first one's lead over the second summed over a unit's duels (``Match.scale`` times
    points), and its square. ``odds_squared``: by pair, the square of a unit's count of duels won, twice, and
    tied, once. ``ahead``: duels in which the row was ahead of the column. ``duel_moments``: by duel, sums of
    both points, their squares and product. ``seat_points``: points and their square by unit. ``ones``, where
    the match has such seats: by pair and then by entrant, each quantity of the one summed over the seats of a
    unit, by entrant over all its pairs with a reference.
    """
    who = Axis("strategy", tuple(entrants))
    sums = Axis("quantity", tuple(f"{quantity}/{name}" for quantity in quantities for name in entrants))
    pair = Axis("pair", tuple(f"{entrants[a]}/{entrants[b]}" for a, b in match.pairs))
    moment = Axis("moment", ("sum", "square"))
    quantity = Axis("quantity", tuple(quantities))
    ones = (Tally("ones", (Axis("one", (*pair.values, *entrants)), quantity, moment)),)
    return (
        Tally("total", (sums,)),
        Tally("product", (sums, sums)),
        Tally("leads", (pair, moment)),
        Tally("odds_squared", (pair,)),
        Tally("ahead", (Axis.span("block", 0, BLOCKS - 1), who, Axis("opponent", tuple(entrants)))),
        Tally("duel_moments", (Axis.span("duel", 0, len(match.duels) - 1), Axis("moment", MOMENTS))),
        Tally("seat_points", (who, Axis.span("seat", 0, match.seatings.shape[1] - 1), moment)),
        *(ones if match.alone else ()),
    )


def sums(counts: dict[str, Counts], match: Match) -> Sums:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    names = ("total", "product", "leads", "odds_squared", "ahead", "duel_moments", "seat_points")
    ones = counts.get("ones", np.zeros((0, 0, 2), np.int64))
    references = {reference for one, reference in match.pairs if one != reference}
    return Sums(
        **{name: counts[name] for name in names},
        unit=np.zeros(counts["total"].shape, np.int64),
        unit_seats=np.zeros(counts["seat_points"].shape[:2], np.int64),
        unit_tables=np.zeros(match.weights.shape, np.int64),
        unit_pairs=np.zeros((len(match.pairs), 2), np.int64),
        duels=match.duels,
        weights=match.weights,
        ones=ones,
        unit_ones=np.zeros(ones.shape[:2], np.int64),
        ones_at=match.ones,
        own_row=np.array([len(match.pairs) + a if b in references else -1 for a, b in match.pairs], np.int64),
    )


@jit(merged=True)
def count_points(sums, seating, entrants_at, scores):
    """Count the measure of a game that was played in a seating, by seat."""
    for seat in range(len(entrants_at)):
        count_seat(sums, seating, entrants_at[seat], seat, scores[seat])


@jit(merged=True)
def count_seat(sums, seating, entrant, seat, amount):
    """Count the measure of a game for one seat."""
    sums.unit[entrant] += amount
    sums.unit_seats[entrant, seat] += amount
    sums.unit_tables[seating, entrant] += amount * sums.weights[seating, entrant]


@jit(merged=True)
def count_one(sums, seating, quantity, amount):
    """Count what the one at a table got of a quantity; only in matches that have such seats."""
    sums.unit_ones[sums.ones_at[seating, 0], quantity] += amount


@jit(merged=True)
def close_ones(sums):
    """Fold what the ones of one unit got into the sums, by pair and by entrant."""
    for pair in range(len(sums.own_row)):
        row = sums.own_row[pair]
        if row >= 0:
            for quantity in range(sums.unit_ones.shape[1]):
                sums.unit_ones[row, quantity] += sums.unit_ones[pair, quantity]
    add_moments(sums.unit_ones, sums.ones)


@jit(merged=True)
def close(sums, unit):
    """Fold unit number ``unit``, all its seatings, into the sums and clear the scratch."""
    close_duels(sums, unit % BLOCKS)
    if len(sums.ones_at) > 0:
        close_ones(sums)
    for i in range(sums.unit.size):
        sums.total[i] += sums.unit[i]
        for j in range(sums.unit.size):
            sums.product[i, j] += sums.unit[i] * sums.unit[j]
    sums.unit[:] = 0
    add_moments(sums.unit_seats, sums.seat_points)
    sums.unit_tables[:] = 0


@jit(merged=True)
def close_duels(sums, block):
    """Fold the duels of one unit into the sums."""
    for i in range(len(sums.duels)):
        pair, first, second = sums.duels[i, 0], sums.duels[i, 2], sums.duels[i, 4]
        x, y = sums.unit_tables[sums.duels[i, 1], first], sums.unit_tables[sums.duels[i, 3], second]
        add_products(sums.duel_moments[i], x, y)
        sums.unit_pairs[pair, 0] += x - y
        sums.unit_pairs[pair, 1] += (2 if x > y else 0) + (1 if x == y else 0)
        sums.ahead[block, first, second] += 1 if x > y else 0
        sums.ahead[block, second, first] += 1 if y > x else 0
    for pair in range(len(sums.unit_pairs)):
        lead, odds = sums.unit_pairs[pair, 0], sums.unit_pairs[pair, 1]
        sums.leads[pair, 0] += lead
        sums.leads[pair, 1] += lead * lead
        sums.odds_squared[pair] += odds * odds
    sums.unit_pairs[:] = 0


@jit(merged=True)
def add_products(moments, x, y):
    """Add two values of one unit, their squares and their product to ``moments`` (see ``MOMENTS``)."""
    moments[0] += x
    moments[1] += y
    moments[2] += x * x
    moments[3] += y * y
    moments[4] += x * y


@jit
def add_to_ratio(unit, row, number, amount):
    """Count a number of things more, and what they brought, in a row of ratios of one unit."""
    unit[row, 0] += number
    unit[row, 1] += amount


@jit
def add_ratios(unit, moments):
    """Add the values of one unit, two a row, to the row's moments (see ``MOMENTS``); clear them."""
    for row in range(len(unit)):
        add_products(moments[row], unit[row, 0], unit[row, 1])
        unit[row, 0] = unit[row, 1] = 0


@jit
def add_moments(unit, moments):
    """Add the values of one unit, by row and column, and their squares to ``moments``; clear them."""
    for i in range(unit.shape[0]):
        for j in range(unit.shape[1]):
            moments[i, j, 0] += unit[i, j]
            moments[i, j, 1] += unit[i, j] * unit[i, j]
            unit[i, j] = 0


def counting(
    counters: Any, match: Match, count_record: Callable[..., Counts], close_unit: Any
) -> tuple[Any, Any]:
    """Counting games of a reference engine into a game's ``counters``.

    ``count(record, seating) -> rows`` for every game of a unit, then ``close_unit(unit)``.
    """

    def count(record: Any, seating: int) -> Counts:
        return count_record(counters, record, seating, match.seatings[seating])

    return count, lambda unit: close_unit(counters, unit)
