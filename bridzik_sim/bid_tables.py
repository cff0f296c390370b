"""The tables of games of exact bids, from integer sums over units: rows of what a run counted.

Every function takes the experiment, the number of finished units and the sums. Intervals are at 95 %, over
units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bridzik_sim import stats
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.exact_bids import WHOLE_WIN
from bridzik_sim.tally import Axis, Counts

Sums = dict[str, Counts]
Row = dict[str, Any]


def wins(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Share of games won by entrant, ties shared, and the share of a table where all are alike.

    Who fills every seat wins that share for certain.
    """
    count, rows = len(experiment.labels), []
    first = experiment.game.quantities.index("wins") * count
    for who, label in enumerate(experiment.labels):
        column, seats = first + who, int(np.count_nonzero(experiment.seatings == who))
        total, squares = int(sums["total"][:, column].sum()), int(sums["product"][:, column, column].sum())
        value, _, low, high = stats.rate(units, total, squares, seats, WHOLE_WIN)
        if seats == experiment.seatings.size:
            low = high = value
        share = {"wins": value, "low": low, "high": high, "even": 1 / experiment.at_table}
        rows.append({"strategy": label, "seat_games": units * seats, **share})
    return rows


def calibration(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Mean tricks that followed each bid, by entrant."""
    moments, rows = sums["bid_moments"], []
    for who, bid in np.argwhere(moments[:, :, 0] > 0):
        value, low, high = _ratio(units, moments[who, bid])
        made = {"bids": int(moments[who, bid, 0]), "tricks": value, "low": low, "high": high}
        rows.append({"strategy": experiment.labels[who], "bid": int(bid), **made})
    return rows


def deal_kinds(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Points a round and exact bids by entrant and kind of deal."""
    moments, rows = sums["kind_moments"], []
    names = _axis(experiment, "kind_moments", "kind").values
    for who, kind in np.argwhere(moments[:, :, 0, 0] > 0):
        row = {
            "strategy": experiment.labels[who],
            "kind": names[kind],
            "rounds": int(moments[who, kind, 0, 0]),
        }
        of_points, of_hits = moments[who, kind]
        for name, found in (("points", _ratio(units, of_points)), ("exact", _share(units, of_hits))):
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), found, strict=True))
        rows.append(row)
    return rows


def _axis(experiment: Experiment, tally: str, name: str) -> Axis:
    layouts = experiment.game.tallies(experiment.labels, experiment.match)
    return next(
        axis for layout in layouts if layout.name == tally for axis in layout.axes if axis.name == name
    )


def _ratio(units: int, moments: Counts) -> tuple[float, float, float]:
    x, y, xx, yy, xy = (int(moment) for moment in moments)
    value, _, low, high = stats.ratio(units, x, y, xx, xy, yy)
    return value, low, high


def _share(units: int, moments: Counts) -> tuple[float, float, float]:
    x, y, xx, yy, xy = (int(moment) for moment in moments)
    value, _, low, high = stats.share(units, x, y, xx, xy, yy)
    return value, low, high


def effects(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Points by entrant and seat (a game), by place in the bidding and by hand size (a round)."""
    games = np.array([(experiment.seatings == who).sum(axis=0) for who in range(len(experiment.labels))])
    by_size = sums["counts"].sum(axis=(2, 3, 4))
    return [
        *_means(experiment, units, ("seat", 0), games * units, sums["seat_points"]),
        *_by_position(experiment, units, sums["position_moments"]),
        *_means(experiment, units, ("hand_size", 1), by_size, sums["size_points"]),
    ]


def _means(
    experiment: Experiment, units: int, effect: tuple[str, int], numbers: Counts, moments: Counts
) -> Iterator[Row]:
    """Means of what every unit has equally often; ``effect`` is its name and that of the first place."""
    name, first = effect
    for who, place in np.argwhere(numbers > 0):
        number, (total, squares) = int(numbers[who, place]), moments[who, place]
        value, _, low, high = stats.mean(units, int(total), int(squares), number // units)
        where = {"strategy": experiment.labels[who], "effect": name, "place": int(place) + first}
        yield {**where, "number": number, "points": value, "low": low, "high": high}


def _by_position(experiment: Experiment, units: int, moments: Counts) -> Iterator[Row]:
    """Means a round by place in the bidding, which an entrant may have more often in some units."""
    for who, place in np.argwhere(moments[:, :, 0] > 0):
        value, low, high = _ratio(units, moments[who, place])
        where = {"strategy": experiment.labels[who], "effect": "position", "place": int(place)}
        yield {**where, "number": int(moments[who, place, 0]), "points": value, "low": low, "high": high}


def accuracy(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Exact bids by entrant, hand size and position."""
    rows, moments = [], sums["hit_moments"]
    for who, size, position in np.argwhere(moments[..., 0] > 0):
        value, low, high = _share(units, moments[who, size, position])
        bids, hits = (int(moment) for moment in moments[who, size, position, :2])
        where = {"strategy": experiment.labels[who], "hand_size": int(size) + 1, "position": int(position)}
        rows.append({**where, "bids": bids, "hits": hits, "rate": value, "low": low, "high": high})
    return rows


def table_accuracy(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Exact bids of the whole table by hand size, with the ceiling that the rules set to it."""
    bids = sums["counts"].sum(axis=(0, 2, 3, 4))
    hits = np.trace(sums["counts"], axis1=3, axis2=4).sum(axis=(0, 2))
    bound = experiment.game.table_ceiling
    ceiling = math.nan if bound is None else bound(experiment.at_table, experiment.options)
    rows = []
    for size in np.flatnonzero(bids):
        number, made, squares = int(bids[size]), int(hits[size]), int(sums["table_hits_squared"][size])
        value, _, low, high = stats.rate(units, made, squares, number // units)
        found = {"bids": number, "hits": made, "rate": value, "low": low, "high": high}
        rows.append({"hand_size": int(size) + 1, **found, "ceiling": ceiling})
    return rows
