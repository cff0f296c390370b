"""The tables of games of exact bids, from integer sums over units: rows of what a run counted.

Every function takes the experiment, the number of finished units and the sums. Intervals are at 95 %, over
units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bridzik_sim import estimates, stats
from bridzik_sim.estimates import Row, Sums, ratio, share
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.unit_sums import WHOLE_WIN
from bridzik_sim.stats import Estimate
from bridzik_sim.tally import Counts

LEADING = ("points", "points_low", "points_high", "wins")
"""Figures that a leaderboard shows."""
SHARES = ("wins", "exact")
"""Those that are shares from 0 to 1, their intervals too."""
COLUMNS = {
    "points": "points\na game",
    "wins": "wins",
    "exact": "exact\nbids",
    "bid": "mean\nbid",
    "tricks": "mean\ntricks",
}
"""Those that a person sees, with their headings."""
WIDE = ("bid", "tricks")
"""Those of them that are left out where ratings need the room."""
PARTS = "rounds"
"""What a game consists of."""


def standing(experiment: Experiment, units: int, sums: Sums, entrant: int) -> Row:
    """An entrant's points a game and seat, share of wins, exact bids, means a round."""
    counts = sums["counts"][entrant]
    rounds = int(counts.sum())
    seats, axis = estimates.seats_of(experiment, entrant), np.arange(counts.shape[-1])
    points, wins = (
        stats.mean(units, *estimates.moments(experiment, sums, name, entrant), seats)
        for name in ("points", "wins")
    )
    exact = estimates.moments(experiment, sums, "exact", entrant)
    return {
        **_columns(points, wins, stats.rate(units, *exact, rounds // max(units, 1))),
        "bid": int((counts.sum(axis=(0, 1, 3)) * axis).sum()) / rounds if rounds else math.nan,
        "tricks": int((counts.sum(axis=(0, 1, 2)) * axis).sum()) / rounds if rounds else math.nan,
    }


def one_seat(experiment: Experiment, units: int, sums: Sums, row: Counts, seats: int, alone: bool) -> Row:
    """Points, wins and exact bids in a row of ``ones`` (see ``unit_sums.py``): of ``seats`` seats a unit."""
    counted = {
        name: (int(of[0]), int(of[1])) for name, of in zip(experiment.game.quantities, row, strict=True)
    }
    tables = units * len(experiment.seatings)
    deals = rounds_played(sums) // tables if tables else 0
    points, wins = (stats.mean(units, *counted[name], seats) for name in ("points", "wins"))
    return _columns(points, wins, stats.rate(units, *counted["exact"], seats * deals))


def _columns(points: Estimate, wins: Estimate, exact: Estimate) -> Row:
    won = {"wins": wins.value / WHOLE_WIN}
    return {**estimates.with_error("points", points), **won, **estimates.limits("exact", exact)}


def game_name(experiment: Experiment) -> str:
    """What a game is called."""
    return "game"


def rounds_played(sums: Sums) -> int:
    """Rounds played: every deal of every table is counted once in the sums of bids."""
    return int(sums["table"].sum())


def in_words(experiment: Experiment, units: int, sums: Sums) -> list[str]:
    """Nothing: all that is to be told is in the standings."""
    return []


def as_json(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """The game's own figures: exact bids of the whole table."""
    return {"table_accuracy": table_accuracy(experiment, units, sums)}


def bids(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """How often each bid ended with each number of tricks, by entrant, hand size and position."""
    return estimates.tidy(experiment, sums, "counts", "count")


def table(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """How often the bids of a table summed to what, by hand size."""
    return estimates.tidy(experiment, sums, "table", "count")


def calibration(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Mean tricks that followed each bid, by entrant."""
    moments, rows = sums["bid_moments"], []
    for who, bid in np.argwhere(moments[:, :, 0] > 0):
        value, _, low, high = ratio(units, moments[who, bid])
        made = {"bids": int(moments[who, bid, 0]), "tricks": value, "low": low, "high": high}
        rows.append({"strategy": experiment.labels[who], "bid": int(bid), **made})
    return rows


def deal_kinds(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Points a round and exact bids by entrant and kind of deal."""
    moments, rows = sums["kind_moments"], []
    names = estimates.axes(experiment, "kind_moments")[1].values
    for who, kind in np.argwhere(moments[:, :, 0, 0] > 0):
        of_points, of_hits = moments[who, kind]
        rows.append(
            {
                "strategy": experiment.labels[who],
                "kind": names[kind],
                "rounds": int(of_points[0]),
                **estimates.limits("points", ratio(units, of_points)),
                **estimates.limits("exact", share(units, of_hits)),
            }
        )
    return rows


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
        value, _, low, high = ratio(units, moments[who, place])
        where = {"strategy": experiment.labels[who], "effect": "position", "place": int(place)}
        yield {**where, "number": int(moments[who, place, 0]), "points": value, "low": low, "high": high}


def accuracy(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Exact bids by entrant, hand size and position."""
    rows, moments = [], sums["hit_moments"]
    for who, size, position in np.argwhere(moments[..., 0] > 0):
        value, _, low, high = share(units, moments[who, size, position])
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


FRAMES: dict[str, Callable[[Experiment, int, Sums], Any]] = {
    "bids": bids,
    "accuracy": accuracy,
    "table": table,
    "table_accuracy": table_accuracy,
    "calibration": calibration,
    "effects": effects,
    "deal_kinds": deal_kinds,
}
"""The game's own tables by name: lists of rows, or columns."""
