"""``bridzik resume``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli import options
from cli.main import bridzik_command


@bridzik_command("resume")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--games",
    "games_wanted",
    type=options.Count(),
    help="Make the run that long.  [default: as it was begun]",
)
@options.playing
def command(folder: Path, games_wanted: int | None, form: str, quiet: bool, **means: Any) -> int:
    """Go on with an interrupted run, or make a finished one longer.

    Plays what is missing in the run folder DIR and writes its tables and pictures anew; they are the same
    bytes as if the run had never been interrupted, or had been that long from the beginning. A run whose
    strategies or experiment have changed is refused.

    \b
    Examples:
      bridzik resume run
      bridzik resume run --games 2M
    """
    from bridzik_sim import api
    from cli import output, running

    results, played = running.play(
        lambda tick: api.resume(folder, games_wanted, tick=tick, **means),
        folder,
        form,
        quiet,
        not options.isolated(means),
    )
    if not played:
        output.note(f"nothing was left to do: all {results.games:,} games were finished before", quiet)
    return running.judged(results)
