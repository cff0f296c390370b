"""Thresholds of an experiment file: figures that must not lie below or above a number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from bridzik_sim import tally
from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.play import Played
from bridzik_sim.results import Results
from bridzik_sim.runner import by_segment

if TYPE_CHECKING:
    from bridzik_sim.experiment import Experiment

RANKING = ("rank", "rating", "rating_low", "rating_high")
"""Figures of a strategy from ``leaderboard.csv``, besides those of ``summary.csv``.

Ratings are formed in tournaments only.
"""
DUEL = ("difference", "low", "high", "gain", "superiority", "games")
"""Figures of a comparison as a whole."""


class Threshold(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of ``fail_if``: the figure, whose it is, and the number it must not lie below or above."""

    figure: str
    of: str | None = None
    below: float | None = None
    above: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The keys that are given, as they are written in a file."""
        return {key: value for key, value in msgspec.structs.asdict(self).items() if value is not None}


def standing_figures(experiment: Experiment) -> list[str]:
    """Figures of a strategy in such a run: the columns of ``summary.csv``, as they are without any games."""
    counts = tally.zeros(experiment.game.tallies(experiment.labels, experiment.match))
    nothing = by_segment(Played(0, 0, counts, np.zeros((0, 0), np.int64)))
    return [name for name in Results(experiment, [], nothing).standings[0] if name != "strategy"]


def check(threshold: Threshold, experiment: Experiment, standing: Sequence[str]) -> None:
    """Refuse what cannot be looked up after a run of the experiment; ``standing``: its ``standing_figures``.

    ``UsageError`` begins with the key that is wrong.
    """
    command, labels, rated = experiment.command, experiment.labels, not experiment.match.alone
    shared = DUEL if command == "compare" else ()
    ranking = RANKING if command == "tournament" and rated else RANKING[:1]
    if not rated and threshold.figure in RANKING[1:]:
        raise UsageError("figure: there are no ratings where everyone sits in one seat")
    known = (*shared, *standing, *ranking)
    if threshold.figure not in known:
        if threshold.figure in (*DUEL, *RANKING):
            wanted = "compare" if threshold.figure in DUEL else "tournament"
            raise UsageError(f"figure: {threshold.figure} is a figure of {wanted}, not of {command}")
        raise UsageError(f"figure: {unknown_name('figure', threshold.figure, known)}")
    if threshold.figure in shared:
        if threshold.of is not None:
            raise UsageError(f"of: {threshold.figure} belongs to the whole comparison; leave out 'of'")
    elif threshold.of is None:
        raise UsageError(f"of: missing; say whose {threshold.figure}: {' or '.join(labels)}")
    elif threshold.of not in labels:
        raise UsageError(f"of: {unknown_name('entrant', threshold.of, labels)}")
    for key in ("below", "above"):
        if math.isnan(getattr(threshold, key) or 0.0):
            raise UsageError(f"{key}: expected a number, not nan")
    if (threshold.below is None) == (threshold.above is None):
        raise UsageError("below: exactly one of below and above is needed")
    key = "above" if threshold.below is None else "below"
    value = getattr(threshold, key)
    if _is_share(threshold.figure, experiment) and abs(value) > 1:
        raise UsageError(f"{key}: {threshold.figure} is a share from 0 to 1; 0.5 is half, not {value:g}")


def _is_share(figure: str, experiment: Experiment) -> bool:
    shares = ["superiority", *experiment.game.tables.SHARES]
    shares += ["difference", "low", "high"] if experiment.game.measure.share else []
    return figure in (name + end for name in shares for end in ("", "_se", "_low", "_high"))


def broken(results: Results) -> list[str]:
    """One line for each threshold of the experiment that the results do not keep.

    A figure that is not a number, because there were too few games to form it, keeps none.
    """
    thresholds = [msgspec.convert(entry, Threshold) for entry in results.experiment.fail_if]
    return [line for threshold in thresholds if (line := _line(threshold, _value(threshold, results)))]


def _value(threshold: Threshold, results: Results) -> float:
    if threshold.of is None:
        return float(results.comparison[threshold.figure])
    rows: list[dict[Any, Any]] = list(results.standings)
    if threshold.figure not in rows[0]:
        rows = results.leaderboard.to_dict("records")
    return float(next(row[threshold.figure] for row in rows if row["strategy"] == threshold.of))


def _line(threshold: Threshold, value: float) -> str:
    side, limit = "below", threshold.below
    if limit is None:
        side, limit = "above", threshold.above
    assert limit is not None
    name = threshold.figure if threshold.of is None else f"{threshold.figure} of {threshold.of}"
    if math.isnan(value):
        return f"{name} is not known, so nobody can say that it is not {side} {limit:.9g}"
    if not (value < limit if side == "below" else value > limit):
        return ""
    return f"{name} is {_apart(value, limit)}, {side} {limit:.9g}"


def _apart(value: float, limit: float) -> str:
    """A figure in four digits, or in as many as tell it from the limit."""
    texts = (f"{value:.{digits}g}" for digits in (4, 6, 9))
    return next((text for text in texts if float(text) != limit), repr(value))
