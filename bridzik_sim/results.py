"""What a run left behind, as tidy pandas tables. Floats are formed here, last, from integer sums."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridzik_sim import bid_tables, ladder, stats
from bridzik_sim import comparison as comparisons
from bridzik_sim.experiment import Experiment, versions
from bridzik_sim.files import write_atomically
from bridzik_sim.games.exact_bids import FAULTS
from bridzik_sim.tally import Axis, Counts

if TYPE_CHECKING:
    import pandas as pd

CSV_TABLES = (
    *(
        "summary",
        "leaderboard",
        "crosstable",
        "running",
        "bids",
        "accuracy",
        "scores",
        "table",
        "convergence",
    ),
    *("table_accuracy", "calibration", "effects", "wins", "deal_kinds"),
)
"""Tables that a run leaves as CSV, unless they are empty."""


@dataclass(frozen=True)
class Results:
    """Results of one run: an experiment, the finished ranges of units and the sums over them.

    Tables are pandas frames, made on first use: see ``CSV_TABLES``. Intervals are at 95 %, over units.
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

    def seat_games(self, entrant: int) -> int:
        """Seats an entrant fills in one unit, over all its seatings."""
        return int(np.count_nonzero(self.experiment.seatings == entrant))

    def _quantity(self, name: str) -> tuple[Counts, Counts]:
        """Sums and sums of squares over units, int64[segments, entrants], of a quantity."""
        count = len(self.labels)
        start = self.experiment.game.quantities.index(name) * count
        columns = np.arange(start, start + count)
        return self.sums["total"][:, columns], self.sums["product"][:, columns, columns]

    def _estimate(self, name: str, entrant: int) -> stats.Estimate:
        total, squares = (int(sums[:, entrant].sum()) for sums in self._quantity(name))
        return stats.mean(self.units, total, squares, self.seat_games(entrant))

    @cached_property
    def standings(self) -> list[dict[str, Any]]:
        """The rows of ``summary``, for those who have no need of pandas."""
        return [self._summary_row(entrant) for entrant in range(len(self.labels))]

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row an entrant: points a game and seat, share of wins, exact bids, means a round, faults."""
        return _frame(self.standings)

    def _summary_row(self, entrant: int) -> dict[str, Any]:
        counts = self.sums["counts"][entrant]
        rounds = int(counts.sum())
        points, wins = self._estimate("points", entrant), self._estimate("wins", entrant)
        hits, squares = (int(sums[:, entrant].sum()) for sums in self._quantity("exact"))
        exact = stats.rate(self.units, hits, squares, rounds // max(self.units, 1))
        axis = np.arange(counts.shape[-1])
        faults = zip(FAULTS, self.sums["faults"][entrant], strict=True)
        return {
            "strategy": self.labels[entrant],
            "seat_games": self.units * self.seat_games(entrant),
            **ladder.columns(points, wins, exact),
            "bid": int((counts.sum(axis=(0, 1, 3)) * axis).sum()) / rounds if rounds else math.nan,
            "tricks": int((counts.sum(axis=(0, 1, 2)) * axis).sum()) / rounds if rounds else math.nan,
            **{name: int(count) for name, count in faults},
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
        return _frame(bid_tables.wins(*self._counted))

    @cached_property
    def calibration(self) -> pd.DataFrame:
        """Mean tricks that followed each bid, by entrant."""
        return _frame(bid_tables.calibration(*self._counted))

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Points by entrant and seat (a game), place in the bidding and hand size (a round)."""
        return _frame(bid_tables.effects(*self._counted))

    @cached_property
    def deal_kinds(self) -> pd.DataFrame:
        """Points a round and exact bids by entrant and kind of deal, in games that tell such kinds apart."""
        return _frame(bid_tables.deal_kinds(*self._counted))

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """Exact bids by entrant, hand size and position, with intervals over units."""
        return _frame(bid_tables.accuracy(*self._counted))

    @cached_property
    def table_accuracy(self) -> pd.DataFrame:
        """Exact bids of the whole table by hand size, with the ceiling that the sum rule sets to it."""
        return _frame(bid_tables.table_accuracy(*self._counted))

    @cached_property
    def bids(self) -> pd.DataFrame:
        """How often each bid ended with each number of tricks, by entrant, hand size and position."""
        return self._tidy("counts", "count")

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Histogram of an entrant's points in a game."""
        return self._tidy("scores", "games")

    @cached_property
    def table(self) -> pd.DataFrame:
        """How often the bids of a table summed to what, by hand size."""
        return self._tidy("table", "count")

    @property
    def points_step(self) -> int:
        """All points of a game are multiples of this."""
        first, second, *_ = self._axes("scores")[-1].values
        return int(second) - int(first)

    def _axes(self, name: str) -> tuple[Axis, ...]:
        layouts = self.experiment.game.tallies(self.labels, self.experiment.match)
        return next(layout.axes for layout in layouts if layout.name == name)

    def _tidy(self, name: str, value: str) -> pd.DataFrame:
        """An array of counts as a table with a column an axis, zeros left out."""
        places = np.nonzero(self.sums[name])
        columns: dict[str, Any] = {
            axis.name: [axis.values[i] for i in place]
            for axis, place in zip(self._axes(name), places, strict=True)
        }
        return _frame({**columns, value: self.sums[name][places]})

    @cached_property
    def convergence(self) -> pd.DataFrame:
        """Running mean of points a game and seat, at the schedule's unit counts and at the end."""
        units = np.cumsum(comparisons.units_by_segment(self.ranges))
        total, squares = (np.cumsum(sums, axis=0) for sums in self._quantity("points"))
        kept = np.flatnonzero(np.diff(units, prepend=0))
        rows = []
        for entrant, label in enumerate(self.labels):
            for row in kept:
                number = int(units[row])
                sums = int(total[row, entrant]), int(squares[row, entrant])
                estimate = stats.mean(number, *sums, self.seat_games(entrant))
                place = {"strategy": label, "units": number}
                rows.append({**place, "points": estimate.value, "low": estimate.low, "high": estimate.high})
        return _frame(rows)

    def save_tables(self, folder: Path) -> list[Path]:
        """Write every table that is not empty as CSV, each file replaced as a whole."""
        paths = []
        for name in CSV_TABLES:
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
                "measure": experiment.game.measure,
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
            "game": {"table_accuracy": json_rows(self.table_accuracy.to_dict("records"))},
        }


def _frame(data: Any) -> pd.DataFrame:
    import pandas as pd  # here, because importing it takes longer than many a run

    return pd.DataFrame(data)


def json_rows(rows: Iterable[Mapping[Any, Any]]) -> list[dict[str, Any]]:
    """Rows as JSON values; what is not finite becomes null."""

    def clean(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return [{str(key): clean(value) for key, value in row.items()} for row in rows]


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """The one way tables are written: UTF-8, LF, floats with nine significant digits, NaN empty."""
    return frame.to_csv(index=False, lineterminator="\n", float_format="%.9g").encode()


def _text(value: Any) -> str:
    return ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
