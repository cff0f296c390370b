"""``bridzik simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli import boards, options
from cli.main import bridzik_command
from cli.options import isolated


@bridzik_command("simulate")
@click.option(
    "--seats",
    multiple=True,
    required=True,
    metavar="LINEUP",
    help="Who plays: strategies by name, file or module, separated by commas; 'x*3' repeats one. As many "
    "as sit at the table, at bridge also two, for N-S and E-W. Repeatable.",
)
@click.option(
    "--games",
    "games_wanted",
    type=options.Count(),
    help="Games to play: 1000000, 1_000_000, 1e6, 1M …; rounded up to whole units.  "
    "[required without --boards]",
)
@boards.option
@options.out
@options.force
@click.option(
    "--seating",
    type=click.Choice(["given", "rotate"]),
    default="given",
    show_default=True,
    help="Seats as given, or every deal again in each rotation of them.",
)
@options.first_unit
@options.on_error
@options.rows
@options.cheats
@options.common
def command(
    seats: tuple[str, ...],
    games_wanted: int | None,
    boards: Path | None,
    out: Path | None,
    rows: str | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    form: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Play many games in one seating and report how well everyone did.

    Prints a row a strategy: points a game, share of games won, and what else the game tells, such as the
    share of exact bids. With --out a folder is left that holds the tables as CSV, pictures as PNG and a page;
    a run there can be interrupted, resumed and made longer. The same seed gives the same results on any
    number of cores.

    \b
    Examples:
      bridzik simulate --seats "heuristic,simple,random*2" --games 10k
      bridzik simulate --game wizard --seats "heuristic,random*4" --games 10k
      bridzik simulate --game fool --option deck=36 --seats "heuristic,random*2" --games 10k
      bridzik simulate --game bridge --seats natural,random --games 1k
      bridzik simulate --game bridge --seats "natural,random" --boards evening.pbn
      bridzik simulate --seats mine.py --seats "heuristic*3" --games 1M --seating rotate --seed 7 --out run
    """
    from bridzik_sim import api
    from cli import running
    from cli.boards import games, rule_options

    rules = rule_options(boards, given["game"], options)
    games_wanted = games(games_wanted, rules)
    seed = running.told_seed(seed)
    settings = {**given, "options": rules, "rows": rows or "none", "out": out}
    running.play(
        lambda tick: api.simulate(seats, games_wanted, seed, **settings, tick=tick),
        out, form, quiet, not isolated(given),
    )  # fmt: skip
