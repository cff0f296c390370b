"""Options that several commands share, always under the same name and in the same order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "csv", "json", "markdown")


class KeyValue(click.ParamType[tuple[str, str]]):
    """``KEY=VALUE``."""

    name = "KEY=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not key or not equals:
            self.fail(f"{value!r} is not of the form KEY=VALUE", param, ctx)
        return key, text


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from bridzik_sim import games

    return [name for name in games.names() if name.startswith(incomplete)]


game = click.option(
    "--game", default="bridzik", show_default=True, metavar="GAME", shell_complete=_complete_game, help="Which game."
)
rule_options = click.option(
    "--option", "options", multiple=True, type=KeyValue(), help="A rule option; repeatable. See 'bridzik games GAME'."
)
seed = click.option("--seed", type=int, help="Seed of the cards and strategies; drawn and printed when left out.")
jobs = click.option("--jobs", type=click.IntRange(1), help="Chunks played at the same time.  [default: all cores]")
executor = click.option(
    "--executor",
    type=click.Choice(["threads", "processes"]),
    help="Where chunks are played.  [default: threads; processes for plain Python strategies]",
)
output_format = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print the result."
)
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress and no notes.")


def common(function: F) -> F:
    """All the common options, in the order in which help shows them."""
    for option in reversed((game, rule_options, seed, jobs, executor, output_format, quiet)):
        function = option(function)
    return function
