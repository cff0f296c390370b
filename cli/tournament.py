"""``bridzik tournament``."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command
from cli.options import isolated

if TYPE_CHECKING:
    from bridzik_sim.results import Results

MATRIX = 8
"""The most entrants whose differences are shown as a matrix."""
PAIRS = 66
"""The most pairs that are listed."""
SURE = 0.05
"""Differences with an adjusted p-value below this are marked."""


@bridzik_command("tournament")
@click.argument("entrants", metavar="STRATEGY...", nargs=-1, required=True)
@click.option(
    "--games",
    "games_wanted",
    type=options.Count(),
    required=True,
    help="Games that each entrant plays at least: 10000, 1e4, 10k …; rounded up to whole units.",
)
@options.out
@options.force
@click.option(
    "--tables",
    type=click.Choice(["pairs", "all", "one"]),
    default="pairs",
    show_default=True,
    help="Two at a table, every pair in turn; every line-up of different entrants, in all its rotations; or "
    "each in one seat, in all of them in turn, with a reference in all others.",
)
@click.option(
    "--references",
    metavar="LABEL[,LABEL...]",
    help="With --tables one: the entrants that fill the other seats.  [default: all]",
)
@options.players
@options.common_seating
@options.first_unit
@options.on_error
@options.rows
@options.cheats
@options.common
def command(
    entrants: tuple[str, ...],
    games_wanted: int,
    out: Path | None,
    rows: str | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    form: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Let everyone meet everyone on the same deals, and rank them.

    Prints the entrants by what the game measures (points a game, games won, IMPs a board) with their ratings
    (Elo scale, mean 0), and between every two of them the difference where they met, marked where it is more
    than chance. All pairs play the same cards. With --tables one it prints how the one seat did, by who fills
    the others, and no ratings.

    \b
    Examples:
      bridzik tournament heuristic simple random --games 10k
      bridzik tournament table heuristic random --game wizard --players 5 --games 10k
      bridzik tournament random heuristic perfect --game honeymoon --games 1k
      bridzik tournament heuristic simple random mine.py --games 1M --tables all --seed 7 --out ladder
      bridzik tournament heuristic simple mine.py --games 10k --tables one --references heuristic,simple
    """
    from bridzik_sim import api
    from cli import running

    settings = {**given, "options": dict(options), "rows": rows or "none", "out": out}
    seed = running.told_seed(seed)
    running.play(
        lambda tick: api.tournament(entrants, games_wanted, seed, **settings, tick=tick),
        out, form, quiet, not isolated(given),
    )  # fmt: skip


def show(results: Results, form: str, times: dict[str, float] | None = None) -> None:
    """Print the leaderboard, the cross-table and who is first, for people."""
    from cli import standings

    if results.experiment.match.alone:
        return _ladder(results, form, times)
    by_label = {row["strategy"]: row for row in results.standings}
    ranked = results.leaderboard.to_dict("records")
    ratings = [whole_with_reach(row["rating"], row["rating_low"], row["rating_high"]) for row in ranked]
    ranks = [f"{row['rank']}" for row in ranked]
    wide = results.experiment.game.tables.WIDE
    order = [_short(by_label[row["strategy"]], wide) for row in ranked]
    standings.table(results, order, form, times, first=("", ranks), last=("rating", ratings))
    _crosstable(results, [row["strategy"] for row in ranked], form)
    leader = first_place(results)
    lines = [*([leader, ""] if leader else []), standings.facts(results)]
    output.data("\n".join(["", *lines] if form == "markdown" else lines))
    if times:
        output.data(standings.TIMING)
    return None


def _ladder(results: Results, form: str, times: dict[str, float] | None) -> None:
    """Print the leaderboard of the one seat, and the measure in it by who fills the others."""
    from cli import standings
    from reports.tables import capital, set_apart, told

    ranked = standings.best_first(results)
    standings.table(results, ranked, form, times, first=("", [f"{row['rank']}" for row in ranked]))
    references = [row["strategy"] for row in ranked if row["strategy"] in results.experiment.references]
    cells = {(row["strategy"], row["opponent"]): row for row in results.crosstable.to_dict("records")}
    at, place, others = set_apart(results)
    what = f"{capital(told(results))} {'by' if results.measure.share else 'of'}"
    title = f"{what} the row's one {place}, the column {at} {others}"
    shown = references[:MATRIX]
    if len(shown) < len(references):
        title += f" (the first {MATRIX} references, all are in crosstable.csv and JSON)"
    output.data(f"\n**{title}**\n" if form == "markdown" else title)
    headings = ["", f"one {place}", *shown, "own table"]
    rows = [
        [f"{row['rank']}", row["strategy"]]
        + [standings.measure(results, cells[row["strategy"], label]) for label in [*shown, row["strategy"]]]
        for row in ranked
    ]
    output.rows(headings, rows, [True, False] + [True] * (len(shown) + 1), form)
    output.data(f"\n{standings.facts(results)}" if form == "markdown" else standings.facts(results))
    if times:
        output.data(standings.TIMING)


def _short(row: dict[str, Any], wide: Sequence[str]) -> dict[str, Any]:
    """A row of the standings without what makes it too wide beside a rating."""
    return {name: value for name, value in row.items() if name not in wide}


def first_place(results: Results) -> str:
    """A sentence when the leader is ahead of each other entrant by more than chance, else nothing."""
    leader = results.leaderboard["strategy"].iloc[0]
    duels = [row for pair, row in _duels(results).items() if pair[0] == leader]
    if all(row["difference"] > 0 and row["p_holm"] < SURE for row in duels):
        return f"{leader} is first: ahead of everyone else they met, by more than chance (Holm's p < {SURE})"
    return ""


def _duels(results: Results) -> dict[tuple[str, str], dict[str, Any]]:
    """What lies between two entrants, seen from either of them."""
    found = {}
    for row in results.crosstable.to_dict("records"):
        one, other = str(row["strategy"]), str(row["opponent"])
        found[one, other] = {str(key): value for key, value in row.items()}
        turned = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
        turned["superiority"] = 1 - row["superiority"]
        found[other, one] = {**found[one, other], **turned}
    return found


def _crosstable(results: Results, ranked: list[str], form: str) -> None:
    """Who beats whom by how much: a matrix, or a list where there are too many for one."""
    duels, title = _duels(results), f"Differences in {results.measure.difference}"
    pairs = list(itertools.combinations(ranked, 2))
    if len(pairs) > PAIRS:
        title += f" between neighbours (all {len(pairs):,} pairs are in crosstable.csv and JSON)"
        pairs = list(itertools.pairwise(ranked))
    title += f"; * where Holm's p < {SURE}"
    output.data(f"\n**{title}**\n" if form == "markdown" else title)
    if len(ranked) > MATRIX:
        return _list(results, pairs, duels, form)
    over = "against" if results.measure.net else "minus"
    headings = ["", f"row {over} column", *[str(rank + 1) for rank in range(len(ranked))]]
    cells = [
        [str(rank + 1), label, *[_cell(results, duels.get((label, other))) for other in ranked]]
        for rank, label in enumerate(ranked)
    ]
    return output.rows(headings, cells, [True, False] + [True] * len(ranked), form)


def _cell(results: Results, duel: dict[str, Any] | None) -> str:
    from reports.tables import measure_digits

    if duel is None:
        return "·"
    if math.isnan(duel["difference"]):
        return "–"
    mark = "*" if duel["p_holm"] < SURE else " "
    return f"{_signed(results.measure.scale * duel['difference'], measure_digits(results))}{mark}"


def _list(
    results: Results, pairs: list[tuple[str, str]], duels: dict[tuple[str, str], dict[str, Any]], form: str
) -> None:
    from cli import standings
    from reports.tables import format_value

    cells = []
    for one, other in pairs:
        duel = duels[one, other]
        mark = "*" if duel["p_holm"] < SURE else " "
        difference = standings.difference(results, duel)
        cells.append([one, other, f"{difference}{mark}", format_value("wins", duel["superiority"])])
    over = "against" if results.measure.net else "minus"
    output.rows(["strategy", over, "difference", "ahead"], cells, [False, False, True, True], form)


def _signed(value: float, digits: int) -> str:
    text = f"{value:+,.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


def whole_with_reach(value: float, low: float, high: float) -> str:
    """A rating with half its interval, in whole points: ``213 ± 4``."""
    reach = (high - low) / 2
    text = f"{round(value):,}" if not math.isnan(value) else "–"
    return text if math.isnan(reach) or text == "–" else f"{text} ± {reach:,.0f}"
