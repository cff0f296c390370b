"""What the tables of all games are made of: estimates from a run's integer sums over units.

All take a run's ``Experiment``, the number of its finished units and its sums, for which see
``games/unit_sums.py``. Intervals are at 95 %, over units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bridzik_sim import stats
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.game import Game
from bridzik_sim.games.unit_sums import FAULTS, WHOLE_WIN
from bridzik_sim.stats import Estimate
from bridzik_sim.tally import Axis, Counts

Sums = Mapping[str, Counts]
Row = dict[str, Any]


def quantity(experiment: Experiment, sums: Sums, name: str) -> tuple[Counts, Counts]:
    """Sums and sums of squares over units, [segments, entrants], of a quantity of the game.

    Python's integers, for what fits into 64 bits in each segment may not do so in all together.
    """
    count = len(experiment.labels)
    first = experiment.game.quantities.index(name) * count
    columns = np.arange(first, first + count)
    return sums["total"][:, columns].astype(object), sums["product"][:, columns, columns].astype(object)


def moments(experiment: Experiment, sums: Sums, name: str, entrant: int) -> tuple[int, int]:
    """Sum and sum of squares over units of what an entrant got of a quantity."""
    total, squares = (int(part[:, entrant].sum()) for part in quantity(experiment, sums, name))
    return total, squares


def seats_of(experiment: Experiment, entrant: int) -> int:
    """Seats an entrant fills in one unit, over all its seatings."""
    return int(np.count_nonzero(experiment.seatings == entrant))


def is_alone(experiment: Experiment, entrant: int) -> bool:
    """Whether an entrant fills every seat."""
    return seats_of(experiment, entrant) == experiment.seatings.size


def measured(game: Game, units: int, total: int, squares: int, seats: int, alone: bool) -> Estimate:
    """The measure a game and seat, from its integers over the ``seats`` of a unit.

    A share has Wilson's interval; that of who is ``alone`` at its tables is certain.
    """
    if not game.measure.share:
        return stats.mean(units, total, squares, seats * game.measure.worth)
    return won(units, total, squares, seats, alone, game.measure.worth)


def won(units: int, total: int, squares: int, seats: int, alone: bool, worth: int = WHOLE_WIN) -> Estimate:
    """The share of games won a seat; who is ``alone`` at its tables wins the same for certain."""
    found = stats.rate(units, total, squares, seats, worth)
    return Estimate(found.value, 0.0, found.value, found.value) if alone else found


def lead_parts(experiment: Experiment, pair: int) -> int:
    """The sum of a pair's leads over the duels of a unit (``leads``) is so many times its difference.

    A net measure of two at one table is the first one's, which is half of what it is ahead by.
    """
    match, measure = experiment.match, experiment.game.measure
    duels = match.duels[match.duels[:, 0] == pair]
    halved = measure.net and bool((duels[:, 1] == duels[:, 3]).all())
    return int(match.scale * len(duels) * measure.worth * (2 if halved else 1))


def wins(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Share of games won by entrant, ties shared, and the share of a table where all are alike.

    In games of partners all seats of a side win.
    """
    rows, even = [], 1 / (experiment.game.sides or experiment.at_table)
    for who, label in enumerate(experiment.labels):
        seats = seats_of(experiment, who)
        found = won(units, *moments(experiment, sums, "wins", who), seats, is_alone(experiment, who))
        share = {"wins": found.value, "low": found.low, "high": found.high, "even": even}
        rows.append({"strategy": label, "seat_games": units * seats, **share})
    return rows


def ratio(units: int, moments: Counts) -> Estimate:
    """What things brought each, from the moments of their number and of what they brought (``MOMENTS``)."""
    x, y, xx, yy, xy = (int(moment) for moment in moments)
    return stats.ratio(units, x, y, xx, xy, yy)


def share(units: int, moments: Counts) -> Estimate:
    """The share of hits among trials, from the moments of the numbers of both."""
    x, y, xx, yy, xy = (int(moment) for moment in moments)
    return stats.share(units, x, y, xx, xy, yy)


def limits(name: str, found: Estimate) -> Row:
    """Columns of an estimate and its interval."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def with_error(name: str, found: Estimate) -> Row:
    """Columns of an estimate with its standard error and its interval."""
    ends = {f"{name}_low": found.low, f"{name}_high": found.high}
    return {name: found.value, f"{name}_se": found.error, **ends}


def axes(experiment: Experiment, tally: str) -> tuple[Axis, ...]:
    """The axes of a tally."""
    layouts = experiment.game.tallies(experiment.labels, experiment.match)
    return next(layout.axes for layout in layouts if layout.name == tally)


def tidy(experiment: Experiment, sums: Sums, tally: str, value: str) -> dict[str, Any]:
    """Columns of a table of an array of counts: one an axis, and ``value``; zeros are left out."""
    places = np.nonzero(sums[tally])
    columns: dict[str, Any] = {
        axis.name: [axis.values[i] for i in place]
        for axis, place in zip(axes(experiment, tally), places, strict=True)
    }
    return {**columns, value: sums[tally][places]}


def faults(sums: Sums, entrant: int) -> Row:
    """How often an entrant failed, by kind."""
    return {kind: int(count) for kind, count in zip(FAULTS, sums["faults"][entrant], strict=True)}
