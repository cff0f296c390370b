"""``--boards``: given deals of bridge instead of random ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

option = click.option(
    "--boards",
    type=click.Path(path_type=Path),
    metavar="FILE.pbn",
    help="With --game bridge: play the deals of this PBN file as duplicate; all of them without --games.",
)


def rule_options(boards: Path | None, game: str, given: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The rule options as given, with the boards of the file, if any, and the scoring that these ask for."""
    options: dict[str, Any] = dict(given)
    if boards is None:
        return options
    if game != "bridge":
        raise click.UsageError(f"--boards gives deals of bridge, not of {game}; add --game bridge")
    if "boards" in options:
        raise click.UsageError("--boards and --option boards both give deals; leave one out")
    from bridzik_sim.games.bridge import pbn

    return {"scoring": "duplicate", **options, "boards": [str(board) for board in pbn.load(boards)]}


def games(wanted: int | None, options: dict[str, Any]) -> int | None:
    """The number of games as given; it may be missing, for all of them, where deals are given."""
    if wanted is None and not options.get("boards"):
        raise click.UsageError("Missing option '--games'.")
    return wanted
