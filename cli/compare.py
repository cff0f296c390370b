"""``bridzik compare``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import boards, options, output
from cli.main import bridzik_command
from cli.options import isolated

if TYPE_CHECKING:
    from bridzik_sim.results import Results


@bridzik_command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--games",
    "games_wanted",
    type=options.Count(),
    help="Tables to play: 100000, 1e5, 100k …; rounded up to whole units. With --until-sure the most.  "
    "[required without --boards]",
)
@boards.option
@options.out
@options.force
@click.option(
    "--field",
    metavar="STRATEGY",
    help="Let A sit alone at a table of these, in every seat in turn, then B with the same cards.",
)
@options.players
@options.common_seating
@click.option("--until-sure", is_flag=True, help="Stop as soon as the evidence suffices.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="With --until-sure: how often the answer may be wrong.  [default: 0.05]",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    help="With --until-sure: stop, too, when no difference above this can be left: so many points or "
    "IMPs, or in games that measure a share so much of it, such as 0.01.",
)
@options.first_unit
@options.on_error
@options.rows
@options.cheats
@options.common
def command(
    a: str,
    b: str,
    games_wanted: int | None,
    boards: Path | None,
    out: Path | None,
    rows: str | None,
    alpha: float | None,
    margin: float | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    form: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Say whether one strategy is better than another, by how much and how sure that is.

    A and B play the same cards in swapped seats, so that luck with the cards cancels out. The answer is the
    difference of their points a game and seat, A minus B, or what the game measures instead: shares of games
    won, A's net points in games of two sides, IMPs in duplicate bridge; with its 95 % interval. With
    --until-sure the run ends as soon as the evidence suffices; its interval holds however often one looks,
    and the answer is wrong at most as often as --alpha says.

    \b
    Examples:
      bridzik compare heuristic simple --games 10k
      bridzik compare new=mine.py heuristic --games 10M --until-sure --margin 0.5 --out duel
      bridzik compare heuristic simple --field random --games 100k --seed 7 --format json
      bridzik compare heuristic random --game wizard --players 6 --games 10k
      bridzik compare natural random --game bridge --option scoring=duplicate --games 10k
    """
    from bridzik_sim import api
    from cli import running
    from cli.boards import games, rule_options

    if not given["until_sure"] and not alpha is margin is None:
        name = "alpha" if alpha is not None else "margin"
        raise click.UsageError(f"--{name} is for --until-sure only")
    stopping = {"alpha": 0.05 if alpha is None else alpha, "margin": margin}
    rules = rule_options(boards, given["game"], options)
    games_wanted = games(games_wanted, rules)
    settings = {**given, **stopping, "options": rules, "rows": rows or "none", "out": out}
    seed = running.told_seed(seed)
    running.play(
        lambda tick: api.compare(a, b, games_wanted, seed, **settings, tick=tick),
        out, form, quiet, not isolated(given),
    )  # fmt: skip


def show(results: Results, form: str, times: dict[str, float] | None = None) -> None:
    """Print the standings of both, what is between them and the verdict, for people."""
    from cli import standings

    standings.table(results, results.standings, form, times)
    found, facts = _found(results), standings.facts(results)
    if form == "markdown":
        lines = [f"- {name}: {text}" for name, text in found]
        output.data("\n".join(["", *lines, "", f"**{results.verdict}**", "", facts]))
        return
    width = max(len(name) for name, _ in found)
    for name, text in found:
        output.data(f"{name:<{width}}  {text}")
    output.data(f"\n{results.verdict}\n\n{facts}")
    if times:
        output.data(standings.TIMING)


def _found(results: Results) -> list[tuple[str, str]]:
    """What a comparison found, as names and texts."""
    from bridzik_sim.comparison import in_words
    from cli import standings

    found, measure = results.comparison, results.measure
    difference = f"{measure.scale * found['difference']:,.2f}".replace("-", "−")
    if not results.until_sure:
        difference = standings.difference(results, found)
    lines = [("difference", f"{difference} {measure.difference}: {in_words(results.experiment)}")]
    if results.until_sure:
        lines.append(("at every look", interval(results)))
    ahead = (found["superiority"], found["superiority_low"], found["superiority_high"])
    where = "duels" if len(results.labels) > 2 else "tables"
    if results.experiment.game.in_pairs:
        where = "boards"
    ended = f"{found['wins']:,} won, {found['ties']:,} tied, {found['losses']:,} lost"
    lines.append(
        ("ahead", f"at {standings.share_with_reach(*ahead)} of {where}, ties counted half ({ended})")
    )
    if math.isfinite(found["gain"]):
        lines.append(("gain", f"fresh cards would need {found['gain']:,.1f} times as many tables"))
    return lines


def interval(results: Results) -> str:
    """The interval of a comparison that holds at every look."""
    from bridzik_sim.comparison import decimals

    low, high = (results.measure.scale * results.comparison[end] for end in ("anytime_low", "anytime_high"))
    if not math.isfinite(high - low):
        return "too early to tell"
    digits = decimals(low, high)
    return f"{low:,.{digits}f} to {high:,.{digits}f} ({100 * (1 - results.alpha):g} % confidence sequence)"
