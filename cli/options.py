"""Options that several commands share, always under the same name and in the same order."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "csv", "json", "markdown")


class KeyValue(click.ParamType[tuple[str, str]]):
    """``KEY=VALUE``."""

    name = "KEY=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not key or not equals:
            self.fail(f"{value!r} is not of the form KEY=VALUE", param, ctx)
        return key, text


class Count(click.ParamType[int]):
    """A number of things such as ``1000000``, ``1_000_000``, ``1,000,000``, ``1e6``, ``1M``."""

    name = "N"
    _FORM = re.compile(
        r"([+-]?(?:[0-9]{1,3}(?:_[0-9]{3})+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)"
        r"(?:e\+?([0-9]{1,2}))?([km]?)",
        re.IGNORECASE,
    )
    _FACTORS: ClassVar[dict[str, int]] = {"": 1, "k": 1000, "m": 1_000_000}

    def __init__(self, lowest: int = 1) -> None:
        self.lowest = lowest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number; anything but a whole number from the lowest on is refused."""
        if isinstance(value, int):
            return value
        match = self._FORM.fullmatch(str(value).strip())
        if match is None:
            self.fail(f"{value!r} is not a number such as 1000000, 1_000_000, 1e6, 1M or 100k", param, ctx)
        digits, exponent, suffix = match.groups()
        number = (
            Decimal(re.sub("[_,]", "", digits)) * 10 ** int(exponent or 0) * self._FACTORS[suffix.lower()]
        )
        if number != int(number):
            self.fail(f"{value!r} is not a whole number", param, ctx)
        if number < self.lowest:
            self.fail(f"{value!r} is too few; at least {self.lowest} is needed", param, ctx)
        return int(number)


def _once_each(
    ctx: click.Context, param: click.Parameter, pairs: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise click.BadParameter(f"{key} is given more than once", ctx, param)
    return pairs


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from bridzik_sim import games

    return [name for name in games.names() if name.startswith(incomplete)]


DEFAULT_GAME = "bridzik"


def game_flag(name: str) -> str:
    """What a command in a hint needs to speak of that game: nothing for the default one."""
    return "" if name == DEFAULT_GAME else f" --game {name}"


game = click.option(
    "--game",
    default=DEFAULT_GAME,
    show_default=True,
    metavar="GAME",
    shell_complete=_complete_game,
    help="Which game.",
)
rule_options = click.option(
    "--option",
    "options",
    multiple=True,
    type=KeyValue(),
    callback=_once_each,
    help="A rule option; repeatable. See 'bridzik games GAME'.",
)
seed = click.option(
    "--seed",
    type=int,
    help="Seed of the cards and strategies; drawn, and always printed, when left out.",
)
jobs = click.option(
    "--jobs", type=click.IntRange(1), help="Chunks played at the same time.  [default: all cores]"
)
executor = click.option(
    "--executor",
    type=click.Choice(["threads", "processes", "dask"]),
    help="Where chunks are played; dask: on a cluster.  [default: threads; processes for plain Python "
    "strategies]",
)
scheduler = click.option(
    "--scheduler", metavar="ADDRESS", help="With --executor dask: where the cluster's scheduler is."
)
output_format = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="How to print the result.",
)
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress and no notes.")
out = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Leave a run folder there, with tables and pictures.",
)
force = click.option("--force", is_flag=True, help="Replace a run that the folder already holds.")
players = click.option(
    "--players",
    type=click.IntRange(1),
    metavar="N",
    help="Players at a table, in games for tables of several sizes.  [default: the usual number of the game]",
)
common_seating = click.option(
    "--seating",
    type=click.Choice(["alternating", "all"]),
    help="Two at one table in turns, and swapped; or in every half-and-half seating.  [default: alternating]",
)
first_unit = click.option(
    "--first-unit",
    type=Count(lowest=0),
    default=0,
    show_default=True,
    help="Where in the seed's deals to begin, so that machines can share a run; see 'bridzik merge'.",
)
on_error = click.option(
    "--on-error",
    type=click.Choice(["stop", "forfeit"]),
    default="stop",
    show_default=True,
    help="When a strategy fails: stop, or count it and play its lowest legal answer.",
)
rows = click.option(
    "--rows", type=click.Choice(["csv", "parquet"]), help="With --out: a row a round and seat, too."
)
cheats = click.option(
    "--cheats", is_flag=True, help="Let strategies play that declare CHEATS and are told all hands."
)


timeout = click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="No decision may take longer; one that does is a failure of its strategy. Those of compiled "
    "strategies are looked at only in units that take longer than this and than a second. Isolates.",
)
isolate = click.option(
    "--isolate",
    is_flag=True,
    help="Play in processes with limited memory, so that no strategy can bring the run down.",
)
memory = click.option(
    "--memory",
    type=click.IntRange(1),
    metavar="MB",
    help="Memory of each such process, on Linux. Isolates.  [default: four fifths of all, shared]",
)
MEANS = {
    "jobs": jobs,
    "executor": executor,
    "scheduler": scheduler,
    "timeout": timeout,
    "isolate": isolate,
    "memory": memory,
}
"""How a run is played: the fields of ``bridzik_sim.executors.Means``."""


def means_in(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of ``MEANS`` out of a command's arguments."""
    return {name: given.pop(name) for name in MEANS}


def isolated(given: dict[str, Any]) -> bool:
    """Whether strategies are to be kept from doing harm: see ``bridzik_sim.executors.Means``."""
    return bool(given["isolate"] or given["timeout"] is not None or given["memory"] is not None)


def common(function: F) -> F:
    """All the common options, in the order in which help shows them."""
    return in_order(function, game, rule_options, seed, *MEANS.values(), output_format, quiet)


def playing(function: F) -> F:
    """The common options of a command that takes its experiment from a folder."""
    return in_order(function, *MEANS.values(), output_format, quiet)


def printing(function: F) -> F:
    """The common options of a command that plays nothing."""
    return in_order(function, output_format, quiet)


def in_order(function: F, *options: Callable[[F], F]) -> F:
    """Apply option decorators so that help shows them in the order given."""
    for option in reversed(options):
        function = option(function)
    return function
