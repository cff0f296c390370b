"""``bridzik run``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options
from cli.main import bridzik_command
from cli.options import isolated, means_in

if TYPE_CHECKING:
    from bridzik_sim.experiment_file import File


@bridzik_command("run")
@click.argument("path", metavar="EXPERIMENT.toml", type=click.Path(path_type=Path))
@click.option("--games", type=options.Count(), help="Instead of the file's games.")
@options.out
@options.force
@click.option("--first-unit", type=click.IntRange(0), help="Instead of the file's first_unit.")
@click.option("--on-error", type=click.Choice(["stop", "forfeit"]), help="Instead of the file's on_error.")
@options.rows
@options.rule_options
@options.seed
@options.playing
def command(
    path: Path,
    out: Path | None,
    force: bool,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    form: str,
    quiet: bool,
    **given: Any,
) -> int:
    """Play an experiment from a file.

    The file says in TOML what the options of simulate, compare or tournament say; options given here override
    it. Every run folder holds such a file, experiment.toml, which repeats the run to the byte. Paths in the
    file are seen from its own folder. Entries [[fail_if]] demand figures, shares as fractions such as 0.3:
    where one is missed, the exit code is 1.

    \b
    Examples:
      bridzik run experiments/duel.toml
      bridzik run duel.toml --games 1M --seed 7 --out duel
      bridzik run duel/experiment.toml --out again
    """
    from bridzik_sim import api, experiment_file
    from cli import running

    means = means_in(given)
    file = experiment_file.read(path)
    overrides = {name: value for name, value in given.items() if value is not None}
    if seed is None and file.seed is None:
        overrides["seed"] = running.told_seed(None)
    elif seed is not None:
        overrides["seed"] = seed
    experiment = experiment_file.resolve(file, {**overrides, "options": dict(options)})
    folder = file.folder if out is None else out
    _keep(file, folder)
    results, _ = running.play(
        lambda tick: api.play(experiment, folder, force=force, tick=tick, **means),
        folder,
        form,
        quiet,
        not isolated(means),
    )
    return running.judged(results)


def _keep(file: File, folder: Path | None) -> None:
    """Refuse a folder in which the run's own experiment.toml would overwrite what the user wrote."""
    from bridzik_sim.errors import UsageError
    from bridzik_sim.folder import EXPERIMENT
    from bridzik_sim.journal import Journal

    if folder is None or (folder / EXPERIMENT).resolve() != file.path.resolve():
        return
    if not Journal.begun(folder):
        raise UsageError(f"a run in {folder} would overwrite {file.path}; choose another folder with --out")
