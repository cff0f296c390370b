"""``bridzik merge``."""

from __future__ import annotations

from pathlib import Path

import click

from cli import options
from cli.main import bridzik_command


@bridzik_command("merge")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", required=True, help="The new run folder."
)
@options.force
@options.printing
def command(folders: tuple[Path, ...], out: Path, force: bool, form: str, quiet: bool) -> None:
    """Add finished runs of other units into one.

    The runs must be of the same experiment and seed and differ only in --first-unit and --games, as when
    several machines share a long run. The new folder is what one run over all the units would have left.

    \b
    Example:
      bridzik simulate --seats "heuristic*2,simple*2" --seed 7 --games 1M --out part1
      bridzik simulate --seats "heuristic*2,simple*2" --seed 7 --games 1M --first-unit 1000000 --out part2
      bridzik merge part1 part2 --out whole
    """
    from bridzik_sim import api
    from bridzik_sim.files import quoted
    from cli import output, running, standings

    results = api.merge(folders, out, force)
    running.write_report(results, out, quiet)
    standings.show(results, form)
    if not results.complete:
        output.note(
            f"the runs leave units out between them; play those with: bridzik resume {quoted(out)}", quiet
        )
