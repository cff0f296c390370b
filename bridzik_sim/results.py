"""What a run left behind, as tidy pandas tables. Floats are formed here, last, from integer sums."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridzik_sim import comparison as comparisons
from bridzik_sim import estimates
from bridzik_sim.experiment import Experiment, versions
from bridzik_sim.files import write_atomically
from bridzik_sim.games.game import Game
from bridzik_sim.games.measure import Measure
from bridzik_sim.tally import Counts

if TYPE_CHECKING:
    import pandas as pd

COMMON_TABLES = ("summary", "leaderboard", "crosstable", "running", "wins", "scores", "convergence")
"""Tables of every game; besides, each has its own (``FRAMES`` of its module of tables)."""


def csv_tables(game: Game) -> tuple[str, ...]:
    """Tables that a run of a game leaves as CSV, unless they are empty."""
    return (*COMMON_TABLES, *game.tables.FRAMES)


@dataclass(frozen=True)
class Results:
    """Results of one run: an experiment, the finished ranges of units and the sums over them.

    Tables are pandas frames, made on first use: the common ones are described below, those of a game in its
    module of tables. Intervals are at 95 %, over units.
    """

    experiment: Experiment
    ranges: list[tuple[int, int]]
    sums: dict[str, Counts]

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.experiment.game_name

    @property
    def title(self) -> str:
        """The game as a reader calls it."""
        return self.experiment.game.title

    @property
    def measure(self) -> Measure:
        """What entrants are ranked and compared by."""
        return self.experiment.game.measure

    @property
    def kind(self) -> str:
        """``simulate``, ``compare`` or ``tournament``."""
        return self.experiment.command

    @property
    def labels(self) -> list[str]:
        """The entrants, one row each in most tables."""
        return self.experiment.labels

    @property
    def seats(self) -> list[str]:
        """Labels of the players, as given: one a seat, or the entrants (and the field)."""
        return [spec.label for spec in self.experiment.players]

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self.experiment.seed

    @cached_property
    def units(self) -> int:
        """Finished units."""
        return sum(stop - first for first, stop in self.ranges)

    @property
    def games(self) -> int:
        """Tables played."""
        return self.units * len(self.experiment.seatings)

    @property
    def complete(self) -> bool:
        """Whether every unit of the experiment is finished, or enough of them to be sure."""
        return self.units == self.experiment.units or self.stopped

    @cached_property
    def stopped(self) -> bool:
        """Whether a comparison that may stop when it is sure has done so."""
        return comparisons.is_sure(self.experiment, self.ranges, self.sums)

    @property
    def until_sure(self) -> bool:
        """Whether the evidence decides the length of the run."""
        return self.experiment.sure is not None

    @property
    def alpha(self) -> float:
        """Error rate of the interval that holds at every look."""
        return self.experiment.sure.alpha if self.experiment.sure else comparisons.ALPHA

    @cached_property
    def comparison(self) -> dict[str, Any]:
        """What a ``compare`` found; empty for other runs."""
        return comparisons.comparison(*self._played) if self.kind == "compare" else {}

    @property
    def verdict(self) -> str:
        """What a ``compare`` found, in one sentence; empty for other runs."""
        return str(self.comparison.get("text", ""))

    @property
    def _played(self) -> tuple[Experiment, list[tuple[int, int]], dict[str, Counts]]:
        return self.experiment, self.ranges, self.sums

    @property
    def _counted(self) -> tuple[Experiment, int, dict[str, Counts]]:
        return self.experiment, self.units, self.sums

    @property
    def about(self) -> dict[str, str]:
        """Options and versions, as text for a report."""
        experiment = self.experiment
        facts = {f"option {name}": _text(value) for name, value in experiment.options.items()}
        if not self.complete:
            facts["not finished"] = f"{self.games:,} of {experiment.games:,} games"
        return {**facts, **{name: str(version) for name, version in versions(experiment.game).items()}}

    def __getattr__(self, name: str) -> pd.DataFrame:
        """A table of the game's own; ``AttributeError`` in games that have no such table."""
        if name.startswith("_") or name not in self.experiment.game.tables.FRAMES:
            raise AttributeError(f"results of this game have no {name}")
        frame = _frame(self.experiment.game.tables.FRAMES[name](*self._counted))
        self.__dict__[name] = frame
        return frame

    @cached_property
    def standings(self) -> list[dict[str, Any]]:
        """The rows of ``summary``, for those who have no need of pandas."""
        return [self._summary_row(entrant) for entrant in range(len(self.labels))]

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row an entrant: the measure a game and seat, what else the game tells of each, faults."""
        return _frame(self.standings)

    def _summary_row(self, entrant: int) -> dict[str, Any]:
        return {
            "strategy": self.labels[entrant],
            "seat_games": self.units * estimates.seats_of(self.experiment, entrant),
            **self.experiment.game.tables.standing(*self._counted, entrant),
            **estimates.faults(self.sums, entrant),
        }

    @cached_property
    def leaderboard(self) -> pd.DataFrame:
        """Entrants from best to worst, in tournaments with ratings; of the one seat if ``match.alone``."""
        return _frame(comparisons.leaderboard(*self._played, self.standings))

    @cached_property
    def crosstable(self) -> pd.DataFrame:
        """A row a pair that was compared; an ordered pair if ``match.alone`` (see ``ladder``)."""
        return _frame(comparisons.crosstable(*self._played))

    @cached_property
    def running(self) -> pd.DataFrame:
        """The difference of a ``compare`` at the schedule's unit counts and at the end."""
        return _frame(comparisons.running_table(*self._played) if self.kind == "compare" else [])

    @cached_property
    def wins(self) -> pd.DataFrame:
        """Share of games won by entrant, ties shared; ``even``: the share of a table where all are alike."""
        return _frame(estimates.wins(*self._counted))

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Histogram of an entrant's points in a game; the ends may stand for what lies beyond, too."""
        return _frame(estimates.tidy(self.experiment, self.sums, "scores", "games"))

    @property
    def points_step(self) -> int:
        """All points of a game are multiples of this."""
        first, second, *_ = estimates.axes(self.experiment, "scores")[-1].values
        return int(second) - int(first)

    @property
    def points_ends(self) -> tuple[int, int]:
        """Where the histogram of points ends; of net points the ends stand for what lies beyond, too."""
        first, *_, last = estimates.axes(self.experiment, "scores")[-1].values
        return int(first), int(last)

    @property
    def rounds_played(self) -> int:
        """Rounds played, at all tables."""
        return int(self.experiment.game.tables.rounds_played(self.sums))

    @property
    def in_words(self) -> list[str]:
        """The game's own figures, in lines to be printed, if it has such."""
        return list(self.experiment.game.tables.in_words(*self._counted))

    @cached_property
    def convergence(self) -> pd.DataFrame:
        """Running value of the measure a game and seat, at the schedule's unit counts and at the end."""
        game, units = self.experiment.game, np.cumsum(comparisons.units_by_segment(self.ranges))
        sums = estimates.quantity(self.experiment, self.sums, game.measure.column)
        total, squares = (np.cumsum(part, axis=0) for part in sums)
        kept = np.flatnonzero(np.diff(units, prepend=0))
        rows = []
        for entrant, label in enumerate(self.labels):
            seats = estimates.seats_of(self.experiment, entrant)
            alone = estimates.is_alone(self.experiment, entrant)
            for row in kept:
                number, of, square = int(units[row]), int(total[row, entrant]), int(squares[row, entrant])
                found = estimates.measured(game, number, of, square, seats, alone)
                place = {"strategy": label, "units": number}
                rows.append({**place, game.measure.column: found.value, "low": found.low, "high": found.high})
        return _frame(rows)

    def save_tables(self, folder: Path) -> list[Path]:
        """Write every table that is not empty as CSV, each file replaced as a whole."""
        paths = []
        for name in csv_tables(self.experiment.game):
            frame = getattr(self, name)
            if len(frame):
                paths.append(folder / f"{name}.csv")
                write_atomically(paths[-1], csv_bytes(frame))
        return paths

    def as_json(self) -> dict[str, Any]:
        """The object of ``--format json``."""
        experiment = self.experiment
        identity = experiment.identity()
        return {
            "schema": 1,
            "experiment": {
                **identity,
                "units": self.units,
                "games": self.games,
                "first_unit": experiment.first_unit,
                "measure": experiment.game.measure.name,
            },
            **next(iter(json_rows([self.comparison])), {}),
            **(
                {"leaderboard": json_rows(self.leaderboard.to_dict("records"))}
                if self.kind == "tournament"
                else {}
            ),
            **(
                {"crosstable": json_rows(self.crosstable.to_dict("records"))}
                if self.kind == "tournament"
                else {}
            ),
            "standings": json_rows(self.standings),
            "game": _plain(self.experiment.game.tables.as_json(*self._counted)),
        }


def _frame(data: Any) -> pd.DataFrame:
    import pandas as pd  # here, because importing it takes longer than many a run

    return pd.DataFrame(data)


def json_rows(rows: Iterable[Mapping[Any, Any]]) -> list[dict[str, Any]]:
    """Rows as JSON values; what is not finite becomes null."""
    return [{str(key): _plain(value) for key, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    """A value as JSON has it: what is not finite becomes null, also inside of others."""
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """The one way tables are written: UTF-8, LF, floats with nine significant digits, NaN empty."""
    return frame.to_csv(index=False, lineterminator="\n", float_format="%.9g").encode()


def _text(value: Any) -> str:
    """An option's value for a report; given deals are too long to be told."""
    if not isinstance(value, list):
        return str(value)
    if any(isinstance(part, str) for part in value):
        return f"{len(value):,} given"
    return ",".join(str(part) for part in value) or "none"
