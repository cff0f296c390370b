"""The standings of a run as a person reads them, and in the formats for programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cli import output

if TYPE_CHECKING:
    from bridzik_sim.experiment import Experiment
    from bridzik_sim.results import Results

Column = tuple[str, list[str]]
CSV = {"simulate": "summary", "compare": "crosstable", "tournament": "leaderboard"}
"""The table that ``--format csv`` prints, by kind of run."""
FAULTS = ("illegal", "raised", "timeout")
TIMING = "* at a table of its own after the run, on one core, the game's own work included"


def show(results: Results, form: str, times: dict[str, float] | None = None) -> None:
    """Print the results of a run; ``times`` are seconds a decision by entrant, for ``table`` only."""
    from cli import compare, tournament

    if form == "json":
        output.as_json(results.as_json())
    elif form == "csv":
        output.frame(getattr(results, CSV[results.kind]), "csv")
    elif results.kind == "compare":
        compare.show(results, form, times)
    elif results.kind == "tournament":
        tournament.show(results, form, times)
    else:
        table(results, results.standings, form, times)
        below = [*results.in_words, facts(results)]
        output.data("\n" + "\n\n".join(below) if form == "markdown" else "\n".join(below))
        if times:
            output.data(TIMING)


def table(
    results: Results,
    standings: list[dict[str, Any]],
    form: str,
    times: dict[str, float] | None = None,
    first: Column | None = None,
    last: Column | None = None,
) -> None:
    """Print a row a strategy, for people, with a further column before and after the others."""
    columns = [
        *([first] if first else []),
        *_columns(standings, _headings(results)),
        *([last] if last else []),
    ]
    if times:
        columns.append(_timing([times[row["strategy"]] for row in standings]))
    headings = [heading for heading, _ in columns]
    cells = list(zip(*(cells for _, cells in columns), strict=True))
    output.rows(headings, cells, [heading != "strategy" for heading in headings], form)


def best_first(results: Results) -> list[dict[str, Any]]:
    """The standings of a tournament from best to worst; where everyone sits in one seat, of that seat."""
    if results.experiment.match.alone:
        rows = results.leaderboard.to_dict("records")
        return [{str(name): value for name, value in row.items()} for row in rows]
    return sorted(results.standings, key=lambda row: -row[results.measure.column])


def times_a_decision(experiment: Experiment) -> dict[str, float]:
    """Seconds a decision of every entrant, measured now."""
    from bridzik_sim.speed import time_a_decision

    return {label: time_a_decision(experiment, label) for label in experiment.labels}


def facts(results: Results) -> str:
    """One line: how much was played, how and with which seed."""
    experiment = results.experiment
    seatings = len(experiment.seatings)
    units = f"{results.units:,} units"
    if experiment.first_unit:
        units += f" from unit {experiment.first_unit:,} on"
    rounds = f"{results.rounds_played:,} {experiment.game.tables.PARTS}, "
    if experiment.command == "simulate":
        seating = f"in {seatings} rotations" if experiment.seating == "rotate" else "seated as given"
    else:
        seating = f"in {seatings:,} seatings"
    games = f"{results.games:,}" + _unfinished(results)
    return f"{games} games ({units} {seating}), {rounds}seed {results.seed}; ± at 95 %"


def _unfinished(results: Results) -> str:
    if results.games == results.experiment.games:
        return ""
    return f" of {'at most ' if results.until_sure else ''}{results.experiment.games:,}"


def with_reach(value: float, low: float, high: float) -> str:
    """A mean with half its interval, in the decimals it deserves: ``213.24 ± 0.15``; ``0.0`` if certain."""
    reach = (high - low) / 2
    if math.isnan(reach):
        return "–" if math.isnan(value) else _number(value, 1)
    if reach == 0:
        return _number(value, 1)
    digits = decimals(reach)
    return f"{_number(value, digits)} ± {_number(reach, digits)}"


def _number(value: float, digits: int) -> str:
    """A fixed number of digits; never a minus sign before nothing but zeros."""
    text = f"{value:,.{digits}f}"
    return text if text.strip("-0.") else text.lstrip("-")


def decimals(reach: float) -> int:
    """How many decimals a value deserves that is known up to ``reach``, which is not told as 0."""
    return 0 if reach >= 20 else 1 if reach >= 0.95 else min(max(2, math.ceil(-math.log10(reach / 0.95))), 9)


def share_with_reach(value: float, low: float, high: float) -> str:
    """A share in per cents with half its interval: ``62.25 ± 0.12 %``; one that is certain: ``25.0 %``."""
    if low == high:
        return f"{100 * value:,.1f} %"
    text = with_reach(100 * value, 100 * low, 100 * high)
    return text if text == "–" else f"{text} %"


def measure(results: Results, row: dict[Any, Any]) -> str:
    """The measure in a row of the standings, with half its interval."""
    name = results.measure.column
    found = row[name], row[f"{name}_low"], row[f"{name}_high"]
    return share_with_reach(*found) if results.measure.share else with_reach(*found)


def difference(results: Results, row: dict[Any, Any]) -> str:
    """A row's difference of the measure with half its interval, shares in percentage points."""
    return with_reach(*(results.measure.scale * row[name] for name in ("difference", "low", "high")))


def _headings(results: Results) -> dict[str, str]:
    """Headings of the figures that a person wants to see; of a net measure all of its name."""
    headings, measure = dict(results.experiment.game.tables.COLUMNS), results.measure
    if measure.net:
        headings[measure.column] = measure.name.replace(" a ", "\na ")
    return headings


def _columns(standings: list[dict[str, Any]], headings: dict[str, str]) -> list[Column]:
    """What a person wants to see of a summary, by ``headings``."""
    from reports.tables import heading

    names = [name for name in headings if name in standings[0]]
    faults = [name for name in FAULTS if any(row.get(name) for row in standings)]
    others = [(name, heading(name)) for name in ("strategy", *faults)]
    columns = [others[0], *((name, headings[name]) for name in names), *others[1:]]
    return [_column(standings, name, title) for name, title in columns]


def _column(standings: list[dict[str, Any]], name: str, title: str) -> Column:
    from reports.tables import SHARES, format_value

    if f"{name}_low" not in standings[0]:
        return title, [format_value(name, row[name]) for row in standings]
    text = share_with_reach if name in SHARES else with_reach
    return title, [text(row[name], row[f"{name}_low"], row[f"{name}_high"]) for row in standings]


def _timing(seconds: list[float]) -> Column:
    if max(seconds) < 10e-6:
        return "ns a\ndecision*", [f"{1e9 * value:,.0f}" for value in seconds]
    return "µs a\ndecision*", [f"{1e6 * value:,.{0 if value >= 1e-4 else 2}f}" for value in seconds]
