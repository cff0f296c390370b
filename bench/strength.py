"""Writes the tables of docs/strength.md from the runs of its experiments, and measures times a decision.

    python bench/strength.py RUN [RUN ...] [--page FILE]

A RUN is the finished folder of an experiment in which everyone sits in one seat (`experiments/strength.toml`,
`experiments/strength_search.toml`). All runs must have the same references, options and seed. Who played in
several of them is taken from the first. The tables replace what stands between the two marks of the page;
all but the times follow from the runs.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bridzik_sim import api, speed
from bridzik_sim.errors import BridzikError
from bridzik_sim.results import Results

PAGE = Path(__file__).resolve().parents[1] / "docs" / "strength.md"
BEGIN, END = "<!-- measured by bench/strength.py: begin -->", "<!-- measured: end -->"
YARDSTICK = "heuristic"
REPEATS = 5
Row = dict[str, Any]
Times = dict[str, tuple[float, float]]


class Ladder:
    """The entrants of several runs with their results in the one seat, best first."""

    def __init__(self, runs: Sequence[Results]) -> None:
        """Join the runs; ``SystemExit`` says why they cannot be."""
        self.runs, self.references = list(runs), runs[0].experiment.references
        self.home: dict[str, Results] = {}
        self.means: dict[str, Row] = {}
        self.cells: dict[tuple[str, str], Row] = {}
        for run in runs:
            _refuse(run, runs[0])
            new = [label for label in run.labels if label not in self.home]
            self.home |= dict.fromkeys(new, run)
            self.means |= {row["strategy"]: row for row in rows(run.leaderboard) if row["strategy"] in new}
            cells = [row for row in rows(run.crosstable) if row["strategy"] in new]
            self.cells |= {(row["strategy"], row["opponent"]): row for row in cells}
        self.labels = sorted(self.home, key=lambda label: -self.means[label]["points"])

    def points(self) -> Iterator[list[str]]:
        """The one seat's points and exact bids by who fills the others."""
        yield ["one seat", *(f"three {label}" for label in self.references), "mean"]
        for label in self.labels:
            cells = [self.cells[label, other] for other in self.references]
            yield [f"`{label}`", *(_cell(cell) for cell in [*cells, self.means[label]])]

    def differences(self) -> Iterator[list[str]]:
        """The one seat's points minus the mean of the three others at the same tables."""
        yield ["one seat minus the three", *(f"three {label}" for label in self.references)]
        for label in self.labels:
            cells = [self.cells[label, other] for other in self.references]
            yield [f"`{label}`", *(_reach(row["difference"], row["low"], row["high"], "+") for row in cells)]

    def tables(self, times: Times) -> Iterator[list[str]]:
        """Four alike at one table, and how long they think."""
        yield [
            *("strategy", "four of it: points a game", "exact bids", "a decision"),
            *(f"times `{YARDSTICK}`", "a round", "units"),
        ]
        for label in self.labels:
            own, (seconds, ratio) = self.cells[label, label], times[label]
            yield [
                f"`{label}`",
                _reach(own["points"], own["points_low"], own["points_high"]),
                _share(own),
                duration(seconds),
                "1" if label == YARDSTICK else f"{ratio:,.{2 if ratio < 10 else 0}f}",
                duration(seconds * decisions_a_round(self.home[label])),
                f"{own['units']:,}",
            ]


def rows(frame: Any) -> list[Row]:
    """The rows of a table by column."""
    found: list[Row] = frame.to_dict("records")
    return found


def _refuse(run: Results, first: Results) -> None:
    """``SystemExit`` when a run cannot be shown, or not beside the first."""
    one, other = run.experiment, first.experiment
    if not one.match.alone:
        sys.exit('a run is no tournament with tables = "one"')
    if not run.complete:
        sys.exit("a run is not finished; finish it with 'bridzik resume'")
    if YARDSTICK not in run.labels:
        sys.exit(f"a run lacks {YARDSTICK}, by whose time all others are measured")
    for label in one.fingerprints.keys() & other.fingerprints.keys():
        if one.fingerprints[label] != other.fingerprints[label]:
            sys.exit(f"{label} was changed between the runs")
    for name in ("references", "options", "seed", "first_unit"):
        if getattr(one, name) != getattr(other, name):
            sys.exit(f"the runs differ in {name}: {getattr(other, name)} and {getattr(one, name)}")


def decisions_a_round(run: Results) -> float:
    """Decisions of a seat in a round, a bid and its cards: the mean over the rounds of a game."""
    sizes: list[int] = run.experiment.options["hand_sizes"]
    return sum(1 + size for size in sizes) / len(sizes)


def measured_times(ladder: Ladder) -> Times:
    """Seconds a decision by entrant, and how many times those of the yardstick, measured alternately."""
    found: Times = {}
    for run in ladder.runs:
        experiment = run.experiment.reloaded()
        for label in run.labels:
            if ladder.home[label] is run:
                pairs = [
                    (speed.time_a_decision(experiment, label), speed.time_a_decision(experiment, YARDSTICK))
                    for _ in range(REPEATS)
                ]
                found[label] = min(own for own, _ in pairs), statistics.median(own / by for own, by in pairs)
    return found


def _reach(value: float, low: float, high: float, sign: str = "") -> str:
    if math.isnan(value):
        return "–"
    return f"{value:{sign}.1f} ± {(high - low) / 2:.1f}".replace("-", "−")


def _share(row: Row) -> str:
    return f"{100 * row['exact']:.1f} %"


def _cell(row: Row) -> str:
    return f"{_reach(row['points'], row['points_low'], row['points_high'])} ({_share(row)})"


def duration(seconds: float) -> str:
    """``68 ns``, ``1.11 µs``, ``255 µs`` or ``6.1 ms``: three digits, two below a hundred ns."""
    unit, name = next(((u, n) for u, n in ((1e-3, "ms"), (1e-6, "µs")) if seconds >= u), (1e-9, "ns"))
    return f"{seconds / unit:.3g} {name}"


def text(ladder: Ladder, times: Times) -> str:
    """All that stands between the marks."""
    units = sorted({run.units for run in ladder.runs}, reverse=True)
    played = " and ".join(f"{number:,}" for number in units)
    first = ladder.runs[0].experiment
    parts = [
        f"Seed {first.seed}, {played} units, version {first.game.rules_version} of the rules; ± is half of a "
        "95 % interval over units.",
        "**Points a game of the one seat, and its share of exact bids**",
        markdown(ladder.points()),
        "**Points a game of the one seat minus the mean of the three at the same tables**",
        markdown(ladder.differences()),
        "**Four alike, and the time they take on one core of the machine that wrote this**",
        markdown(ladder.tables(times)),
    ]
    return "\n\n".join(parts)


def markdown(rows: Iterator[list[str]]) -> str:
    """A Markdown table; all columns but the first hold numbers."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    columns = lines[0].count("|") - 1
    lines.insert(1, f"| --- |{' ---: |' * (columns - 1)}")
    return "\n".join(lines)


def put(page: str, tables: str) -> str:
    """The page with the tables between its marks; ``SystemExit`` when it has not both, once."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        sys.exit(f"the page needs the lines {BEGIN} and {END}, once each")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.split(END)[1]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the runs, measure the times and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="finished run folder")
    parser.add_argument("--page", type=Path, default=PAGE, help="page to write into")
    given = parser.parse_args(arguments)
    try:
        page = given.page.read_text(encoding="utf-8")
        ladder = Ladder([api.load_run(path) for path in given.runs])
        tables = text(ladder, measured_times(ladder))
    except (BridzikError, OSError) as error:
        sys.exit(str(error))
    given.page.write_text(put(page, tables), encoding="utf-8")
    print(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
