"""The formats that whole rows are written in, by what ``--rows`` calls them."""

from __future__ import annotations

from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import Protocol

from bridzik_sim import csv_rows, parquet_rows
from bridzik_sim.experiment import Experiment
from bridzik_sim.tally import Counts


class Format(Protocol):
    """A way to write rows, int64[rows, columns]; the first column is the unit, in which they ascend.

    In the column ``strategy`` they hold an index into the labels; files hold the label.
    """

    def check(self) -> None:
        """``UsageError`` when a library that such files need is not installed."""

    def part(self, columns: Sequence[str], labels: Sequence[str], rows: Counts) -> bytes:
        """A file of these rows. Called in any thread or process."""

    def join(
        self, columns: Sequence[str], labels: Sequence[str], sources: Sequence[Path], out: FileIO
    ) -> None:
        """Write the rows of files into one, whose bytes depend on the rows only.

        ``UsageError`` names a file that cannot be read.
        """

    def span(self, path: Path) -> tuple[int, int] | None:
        """Units from that of the first row to that of the last, half-open; None if it has none or is torn."""


FORMATS: dict[str, Format] = {"csv": csv_rows, "parquet": parquet_rows}


def ready(experiment: Experiment, rows: Counts) -> bytes:
    """A file of the rows of a chunk, in the format that the experiment asks for; empty if it wants none."""
    if experiment.rows == "none":
        return b""
    return FORMATS[experiment.rows].part(experiment.game.row_columns, experiment.labels, rows)
