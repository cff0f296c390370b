"""Everything a report leaves in a folder: tables, pictures and the page."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bridzik_sim.files import write_atomically
from bridzik_sim.results import csv_bytes
from reports.tables import compare_runs, run_names

if TYPE_CHECKING:
    from bridzik_sim.results import Results

PAGE, COMPARISON = "report.html", "compare.csv"


def write_report(results: "Results", folder: Path, tables: bool = True) -> list[Path]:
    """Write the CSV tables, the pictures and `report.html` of a run into an existing folder.

    Without `tables` those are taken to be there, as in the folder of a run that has just been played.

    Returns the paths. The same results give the same bytes. Each file is replaced as a whole. Raises OSError
    when the folder cannot be written to.
    """
    from reports.figures import draw
    from reports.html import page

    pictures = draw(results)
    paths = [
        *(results.save_tables(folder) if tables else []),
        *write_pictures(pictures, folder),
        folder / PAGE,
    ]
    write_atomically(paths[-1], page([results], pictures=[pictures], link_files=True).encode())
    return paths


def write_comparison(results: Sequence["Results"], names: Sequence[str] | None, folder: Path) -> list[Path]:
    """Write `report.html` with the runs side by side, `compare.csv`, and the pictures of each run.

    The tables and pictures of run k lie in a sub-folder `k-<name>`. The folder must exist; returns the paths
    of all files. Raises OSError when the folder cannot be written to, ValueError for a wrong number of names.
    """
    from reports.figures import draw
    from reports.html import page

    runs = run_names(results, names)
    drawn = [draw(one) for one in results]
    paths = []
    for number, (run, one, pictures) in enumerate(zip(runs, results, drawn, strict=True), start=1):
        below = folder / sub_folder(number, run)
        below.mkdir(exist_ok=True)
        paths += [*one.save_tables(below), *write_pictures(pictures, below)]
    paths += [folder / COMPARISON, folder / PAGE]
    write_atomically(paths[-2], csv_bytes(compare_runs(results, runs)))
    write_atomically(paths[-1], page(results, runs, drawn).encode())
    return paths


def sub_folder(number: int, run: str) -> str:
    """A folder name for a run that every system takes: its number and what is harmless of its name."""
    return f"{number}-{re.sub(r'[^A-Za-z0-9_.-]+', '_', run)}".rstrip("._")[:80]


def write_pictures(pictures: dict[str, bytes], folder: Path) -> list[Path]:
    """Write pictures as `<name>.png`, each replaced as a whole; raises OSError as `write_report`."""
    paths = []
    for name, picture in pictures.items():
        paths.append(folder / f"{name}.png")
        write_atomically(paths[-1], picture)
    return paths
