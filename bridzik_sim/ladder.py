"""Each entrant in one seat with each reference in all others: tables of a tournament of such tables.

All take a run's ``Experiment``, the number of its finished units and its integer sums (``ones`` and ``leads``
of ``games/unit_sums.py``). Intervals are at 95 %, over units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridzik_sim import estimates, stats
from bridzik_sim.experiment import Experiment
from bridzik_sim.tally import Counts


def crosstable(experiment: Experiment, units: int, sums: Mapping[str, Counts]) -> list[dict[str, Any]]:
    """A row a pair, the one and who fills the other seats, in the order of the entrants.

    The measure is that of the one, a game and seat; ``others`` the mean of the others at the same tables;
    ``difference`` the one minus the others with its interval, of a net measure that of the one. Where the
    others are the entrant itself, the table is its own: the measure is the mean of the whole table, and there
    is no difference.
    """
    match, measure = experiment.match, experiment.game.measure
    seats, tables, ones = match.seatings.shape[1], experiment.game.tables, sums["ones"]
    rows = []
    for pair, (one, other) in enumerate(match.pairs):
        found = tables.one_seat(experiment, units, sums, ones[pair], seats, one == other)
        parts = estimates.lead_parts(experiment, pair)
        total, squares = (int(moment) for moment in sums["leads"][:, pair].astype(object).sum(axis=0))
        lead = stats.mean(units if parts else 0, total, squares, parts)
        ahead = lead.value * (2 if measure.net else 1) if parts else 0.0
        rows.append(
            {
                "strategy": experiment.labels[one],
                "opponent": experiment.labels[other],
                "units": units,
                "games": units * (match.duels_of(pair) or 1),
                **found,
                "others": found[measure.column] - ahead,
                "difference": lead.value,
                "difference_se": lead.error,
                "low": lead.low,
                "high": lead.high,
            }
        )
    return rows


def leaderboard(experiment: Experiment, units: int, sums: Mapping[str, Counts]) -> list[dict[str, Any]]:
    """The entrants by how the one seat did, a game, over all references alike; ties as they entered."""
    match = experiment.match
    seats = match.seatings.shape[1] * len(experiment.references)
    tables, ones = experiment.game.tables, sums["ones"][len(match.pairs) :]
    rows = []
    for entrant, label in enumerate(experiment.labels):
        found = tables.one_seat(experiment, units, sums, ones[entrant], seats, False)
        rows.append({"strategy": label, "seat_games": units * seats, **found})
    rows.sort(key=lambda row: -row[experiment.game.measure.column])
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]
