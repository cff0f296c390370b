"""Whole rows in a run's folder.

A chunk's rows are kept as one part below ``rows/`` before the journal counts the chunk, and joined in the
order of units when the run is complete. So ``rows.csv`` or ``rows.parquet`` does not depend on how the run
was split. A part is named by its units and the CRC-32 of its bytes.
"""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.files import copy_into, replacing, sync_folder, write_atomically
from bridzik_sim.play import Played
from bridzik_sim.row_formats import FORMATS
from bridzik_sim.runner import Range, merge_ranges

FOLDER = "rows"
NAMES = tuple(f"rows.{kind}" for kind in FORMATS)
"""Files of joined rows."""


def check(experiment: Experiment) -> None:
    """``UsageError`` when a library that the rows of an experiment need is not installed."""
    if experiment.rows != "none":
        FORMATS[experiment.rows].check()


def keep(path: Path, experiment: Experiment, played: Played) -> None:
    """Put the rows of a chunk on disk, if they are wanted."""
    if experiment.rows != "none":
        checksum = zlib.crc32(played.written)
        part = _new_part(path, experiment, (played.first, played.stop), checksum)
        write_atomically(part, played.written)


def adopt(path: Path, experiment: Experiment, units: Range, other: Path) -> None:
    """Take over the joined rows of another run folder, which are of these units, as one part."""
    if experiment.rows != "none":
        source = _joined_file(other, experiment)
        part = _new_part(path, experiment, units, _checksum(source))
        with source.open("rb") as rows, replacing(part) as copy:
            copy_into(copy, rows)


def join(path: Path, experiment: Experiment, finished: list[Range]) -> Path:
    """Join the parts of the finished chunks; safe to repeat after a crash at any point.

    ``UsageError`` when the rows of some finished units are nowhere.
    """
    target = _joined_file(path, experiment)
    joined = _joined(target, experiment)
    covered = [joined] if joined else []
    parts = [part for part in _parts(path, experiment) if not joined or _units(part)[0] >= joined[1]]
    if merge_ranges([*covered, *map(_units, parts)]) != finished:
        raise UsageError(
            f"{target} and the parts in {path / FOLDER} do not hold the rows of all finished games; "
            "they were changed or deleted, so begin a new run"
        )
    for part in parts:
        if f"{_checksum(part):08x}" != part.stem.rpartition("-")[2]:
            raise UsageError(f"the rows in {part} are damaged; begin a new run, or bring back that file")
    if parts:
        sources = [target, *parts] if joined else parts
        with replacing(target) as out:
            FORMATS[experiment.rows].join(experiment.game.row_columns, experiment.labels, sources, out)
    shutil.rmtree(path / FOLDER, ignore_errors=True)
    return target


def are_joined(path: Path, experiment: Experiment) -> bool:
    """Whether a folder holds, joined, all rows that an experiment of fixed length asks for."""
    wanted = (experiment.first_unit, experiment.last_unit)
    return experiment.rows == "none" or _joined(_joined_file(path, experiment), experiment) == wanted


def drop_stray_parts(path: Path, experiment: Experiment, finished: list[Range]) -> None:
    """Delete parts of chunks that never reached the journal (a crash came between the two)."""
    if experiment.rows == "none":
        return
    for part in _parts(path, experiment):
        first, stop = _units(part)
        if not any(a <= first and stop <= b for a, b in finished):
            part.unlink()
    for half in list((path / FOLDER).glob(".*.tmp")):
        half.unlink()


def _joined_file(path: Path, experiment: Experiment) -> Path:
    return path / f"rows.{experiment.rows}"


def _joined(target: Path, experiment: Experiment) -> Range | None:
    """The units of the joined rows; None without any, or when the file is torn."""
    return FORMATS[experiment.rows].span(target) if target.exists() else None


def _new_part(path: Path, experiment: Experiment, units: Range, checksum: int) -> Path:
    folder = path / FOLDER
    if not folder.exists():
        folder.mkdir()
        sync_folder(path)
    return folder / f"{units[0]:012d}-{units[1]:012d}-{checksum:08x}.{experiment.rows}"


def _checksum(file: Path) -> int:
    """CRC-32 of a file's bytes."""
    checksum = 0
    with file.open("rb") as data:
        while block := data.read(1 << 20):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _parts(path: Path, experiment: Experiment) -> list[Path]:
    return sorted((path / FOLDER).glob(f"*-*-*.{experiment.rows}"))


def _units(part: Path) -> Range:
    first, stop, _ = part.stem.split("-")
    return int(first), int(stop)
