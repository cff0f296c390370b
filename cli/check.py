"""``bridzik check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.check import Check

WORDS = {True: "ok", False: "FAILED", None: "-"}


@bridzik_command("check")
@click.argument("strategy", metavar="STRATEGY")
@click.option(
    "--games",
    "count",
    type=options.Count(),
    default=200,
    show_default=True,
    help="Games of each kind to play, shared among tables of different sizes.",
)
@click.option(
    "--limit",
    "unit_seconds",
    type=click.FloatRange(0, min_open=True, max=86400),
    metavar="SECONDS",
    default=60,
    show_default=True,
    help="How long the games of one unit may take in the fresh process.",
)
@options.game
@options.output_format
@options.quiet
def command(strategy: str, count: int, unit_seconds: float, game: str, form: str, quiet: bool) -> int:
    """Check a strategy: does it compile, play legally, repeat with the seed, use only what it sees, how fast.

    It plays against itself and against random players, at tables of the smallest, the usual and the largest
    size, in some games by other rules, too, and with its parameters at both ends of their RANGES. First in a
    fresh process: under bounds checks, in another folder, with another order of sets and a clock that leaps,
    so that whatever depends on these is found; and so that endless loops and memory that grows without end
    harm nobody. That takes longer the first time. Exit code 3 when a check fails, 2 when it cannot be loaded.

    \b
    Examples:
      bridzik check bots/mine.py
      bridzik check simple --games 1000 --format json
      bridzik check bots/bridge.py --game bridge --games 20
    """
    from bridzik_sim import check
    from bridzik_sim.errors import EXIT_STRATEGY

    output.note(f"checking {strategy}; some seconds, longer the first time", quiet)
    checks = []
    for one in check.examine(strategy, game, count, unit_seconds):
        checks.append(one)
        if form == "table":
            output.data(f"{WORDS[one.ok]:<7} {one.name:<14} {one.detail}")
    passed = not any(one.ok is False for one in checks)
    _print(checks, strategy, game, passed, form)
    return 0 if passed else EXIT_STRATEGY


def _print(checks: list[Check], strategy: str, game: str, passed: bool, form: str) -> None:
    if form == "json":
        found = [{"check": one.name, "ok": one.ok, "detail": one.detail} for one in checks]
        output.as_json({"strategy": strategy, "game": game, "passed": passed, "checks": found})
    elif form == "table":
        failed = sum(one.ok is False for one in checks)
        output.data("all checks passed" if passed else f"{failed} of {len(checks)} checks failed")
    else:
        cells = [[one.name, WORDS[one.ok], one.detail] for one in checks]
        output.rows(("check", "result", "detail"), cells, [False] * 3, form)
