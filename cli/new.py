"""``bridzik new``."""

from __future__ import annotations

from pathlib import Path

import click

from cli import options, output
from cli.main import bridzik_command


@bridzik_command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@options.game
@options.quiet
def command(file: Path, force: bool, game: str, quiet: bool) -> None:
    """Write a starting point for a strategy of your own: a commented file that already plays.

    \b
    Examples:
      bridzik new bots/mine.py
      bridzik check bots/mine.py
      bridzik new bots/merlin.py --game wizard
      bridzik new bots/bridge.py --game bridge
    """
    from bridzik_sim import games, template
    from bridzik_sim.errors import UsageError
    from bridzik_sim.files import write_atomically

    if file.suffix != ".py" or not file.stem.isidentifier():
        raise UsageError(f"{file} must end in .py and be named like a Python module, such as my_bot.py")
    if file.exists() and not force:
        raise UsageError(f"{file} is there already; choose another name or add --force")
    source = template.starting_point(games.get(game), file.as_posix())
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, source.encode())
    flag = options.game_flag(game)
    output.note(f"wrote {file}; next: bridzik check {file}{flag}", quiet)
