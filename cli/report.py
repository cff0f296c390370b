"""``bridzik report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.results import Results

DEFAULT = Path("report")


@bridzik_command("report")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where to write.  [default: the run folder itself; for several runs the folder 'report']",
)
@click.option(
    "--names", metavar="A,B,...", help="Names that tell several runs apart.  [default: their folders]"
)
@options.printing
def command(folders: tuple[Path, ...], out: Path | None, names: str | None, form: str, quiet: bool) -> None:
    """Make tables, pictures and an HTML page from finished runs.

    One run folder gets its CSV tables, PNG pictures and report.html written anew. Several are laid side by
    side: one report.html, their standings in compare.csv, and the tables and pictures of each in a folder of
    its own. Runs that are not finished are reported as far as they are.

    \b
    Examples:
      bridzik report run
      bridzik report monday tuesday --names before,after --out changes
    """
    from bridzik_sim import api

    runs = [api.load_run(folder) for folder in folders]
    for folder, results in zip(folders, runs, strict=True):
        if not results.complete:
            done = f"{results.games:,} of {results.experiment.games:,} games"
            output.note(f"{folder} is not finished: the report is about {done}", quiet)
    if len(runs) == 1:
        _one(runs[0], folders[0], out or folders[0], form, quiet)
    else:
        _several(runs, _names(names, folders), out or DEFAULT, form, quiet)


def _one(results: Results, run: Path, out: Path, form: str, quiet: bool) -> None:
    from cli import running, standings

    if out.resolve() != run.resolve():
        _refuse_a_run(out)
    _make(out)
    running.write_report(results, out, quiet, tables=True)
    standings.show(results, form)


def _several(runs: list[Results], names: list[str], out: Path, form: str, quiet: bool) -> None:
    from cli.progress import stage

    _refuse_a_run(out)
    _make(out)
    with stage("drawing pictures", quiet):
        from reports.tables import compare_runs
        from reports.write import write_comparison

        write_comparison(runs, names, out)
    if form == "json":
        pairs = zip(names, runs, strict=True)
        output.as_json({"schema": 1, "runs": [{"name": name, **run.as_json()} for name, run in pairs]})
    else:
        output.frame(compare_runs(runs, names), form)
    output.note(f"report.html, compare.csv and the pictures are in {out}", quiet)


def _names(given: str | None, folders: tuple[Path, ...]) -> list[str]:
    """A name for every run: as given, else those of the folders, told apart by numbers where need be."""
    from bridzik_sim.errors import UsageError

    if given is not None:
        names = [name.strip() for name in given.split(",")]
        if len(names) != len(folders) or not all(names) or len(set(names)) < len(names):
            raise UsageError(f"--names needs {len(folders)} different names, one a run, not {given!r}")
        return names
    plain = [folder.resolve().name for folder in folders]
    if len(set(plain)) == len(plain):
        return plain
    return [f"{name} ({number})" for number, name in enumerate(plain, start=1)]


def _refuse_a_run(out: Path) -> None:
    from bridzik_sim import folder
    from bridzik_sim.errors import UsageError

    if folder.occupied(out):
        raise UsageError(f"{out} holds a run of its own; choose another folder for the report with --out")


def _make(folder: Path) -> None:
    from bridzik_sim.errors import UsageError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to the folder {folder}: {error.strerror}") from None
