"""Each entrant in one seat with each reference in all others: tables of a tournament of such tables.

All take a run's ``Experiment``, the number of its finished units and its integer sums (``ones`` and ``leads``
of ``games/unit_sums.py``). Intervals are at 95 %, over units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridzik_sim import stats
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.exact_bids import WHOLE_WIN
from bridzik_sim.stats import Estimate
from bridzik_sim.tally import Counts


def crosstable(experiment: Experiment, units: int, sums: Mapping[str, Counts]) -> list[dict[str, Any]]:
    """A row a pair, the one and who fills the other seats, in the order of the entrants.

    ``points`` are those of the one, a game and seat; ``others`` the mean of the others at the same tables;
    ``difference`` the one minus the others with its interval. Where the others are the entrant itself, the
    table is its own: ``points`` are the mean of the whole table, and there is no difference.
    """
    match = experiment.match
    seats = match.seatings.shape[1]
    rows = []
    for pair, (one, other) in enumerate(match.pairs):
        found = _results(experiment, units, sums, pair, seats)
        parts = match.scale * match.duels_of(pair)
        total, squares = (int(moment) for moment in sums["leads"][:, pair].sum(axis=0))
        lead = stats.mean(units if parts else 0, total, squares, parts)
        others = found["points"] - (lead.value if parts else 0.0)
        rows.append(
            {
                "strategy": experiment.labels[one],
                "opponent": experiment.labels[other],
                "units": units,
                "games": units * (match.duels_of(pair) or 1),
                **found,
                "others": others,
                "difference": lead.value,
                "difference_se": lead.error,
                "low": lead.low,
                "high": lead.high,
            }
        )
    return rows


def leaderboard(experiment: Experiment, units: int, sums: Mapping[str, Counts]) -> list[dict[str, Any]]:
    """The entrants by points of the one seat, a game, over all references alike; ties as they entered."""
    match = experiment.match
    seats = match.seatings.shape[1] * len(experiment.references)
    rows = []
    for entrant, label in enumerate(experiment.labels):
        found = _results(experiment, units, sums, len(match.pairs) + entrant, seats)
        rows.append({"strategy": label, "seat_games": units * seats, **found})
    rows.sort(key=lambda row: -row["points"])
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def _results(
    experiment: Experiment, units: int, sums: Mapping[str, Counts], row: int, seats: int
) -> dict[str, Any]:
    """Points, wins and exact bids in a row of ``ones`` that sums over ``seats`` seats a unit."""
    counted = {
        name: (int(sums["ones"][row, number, 0]), int(sums["ones"][row, number, 1]))
        for number, name in enumerate(experiment.game.quantities)
    }
    points, wins = (stats.mean(units, *counted[name], seats) for name in ("points", "wins"))
    hits, squares = counted["exact"]
    exact = stats.rate(units, hits, squares, seats * _deals(experiment, units, sums))
    return columns(points, wins, exact)


def columns(points: Estimate, wins: Estimate, exact: Estimate) -> dict[str, Any]:
    """What every table shows of somebody's results: points a game and seat, share of wins, of exact bids."""
    return {
        "points": points.value,
        "points_se": points.error,
        "points_low": points.low,
        "points_high": points.high,
        "wins": wins.value / WHOLE_WIN,
        "exact": exact.value,
        "exact_low": exact.low,
        "exact_high": exact.high,
    }


def _deals(experiment: Experiment, units: int, sums: Mapping[str, Counts]) -> int:
    """Deals of one game: every deal of every table is counted once in the sums of bids."""
    tables = units * len(experiment.seatings)
    return int(sums["table"].sum()) // tables if tables else 0
