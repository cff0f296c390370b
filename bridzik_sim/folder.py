"""A run as a folder: ``experiment.toml``, the journal of finished chunks, and what is derived from them.

Whole rows, where they are wanted, are first written as one part a chunk below ``rows/`` and joined in the
order of units when the run is complete, so ``rows.csv`` does not depend on how the run was split.
"""

from __future__ import annotations

import contextlib
import functools
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import filelock
import numpy as np

from bridzik_sim import games, stored
from bridzik_sim.comparison import is_sure
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.files import (
    copy_into,
    quoted,
    remove_strays,
    replacing,
    sync_folder,
    write_all,
    write_atomically,
)
from bridzik_sim.journal import Journal
from bridzik_sim.play import Played
from bridzik_sim.results import Results, csv_bytes, csv_tables
from bridzik_sim.runner import Range, by_segment, merge_ranges, missing

EXPERIMENT = "experiment.toml"
PICTURES = (
    *("leaderboard", "crosstable", "difference", "evidence", "accuracy", "calibration", "bids_tricks"),
    *(
        "over_under",
        "scores",
        "ecdf",
        "effects",
        "points_by_size",
        "wins",
        "deal_kinds",
        "convergence",
        "ladder",
    ),
    *("seats", "openings", "places", "finishes", "turns", "lengths"),
    *("contracts", "levels", "gains", "sheet", "rubbers", "imps", "par"),
)
"""Names of the pictures that reports draw; replacing a run deletes its own and leaves all others."""


@functools.cache
def _ours() -> tuple[str, ...]:
    """Names of all files that a run leaves, of whatever game; what marks a folder as a run's comes first."""
    tables = sorted({name for game in games.names() for name in csv_tables(games.get(game))})
    marks = (EXPERIMENT, "journal", "snapshot", "rows.csv", "report.html")
    return (*marks, *(f"{name}.csv" for name in tables), *(f"{name}.png" for name in PICTURES))


class RunFolder:
    """An open run folder, locked against other writers. Use as a context manager."""

    def __init__(
        self, path: Path, experiment: Experiment, journal: Journal, lock: filelock.BaseFileLock
    ) -> None:
        self.path, self.experiment, self._journal, self._lock = path, experiment, journal, lock

    @classmethod
    def create(cls, path: Path, experiment: Experiment, force: bool = False) -> Self:
        """Begin a run; ``UsageError`` as from ``check_free``."""
        make(path)
        lock = locked(path)
        try:
            check_free(path, force)
            clear(path)
            write_atomically(path / EXPERIMENT, stored.write(experiment).encode())
            return cls(path, experiment, Journal.create(path, experiment.identity()), lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a run to go on with it; ``UsageError`` says why it cannot."""
        experiment = stored.read(path / EXPERIMENT).reloaded()
        with contextlib.ExitStack() as undo:
            lock = locked(path)
            undo.callback(lock.release)
            remove_strays(path, _ours())
            fresh = not (path / "snapshot").exists()
            journal = Journal.create(path, experiment.identity()) if fresh else Journal.open(path)
            undo.push(journal)  # which closes its files and writes nothing when left by an exception
            _same(path, journal.identity, experiment.identity())
            _within(path, journal.ranges, experiment)
            undo.pop_all()
            return cls(path, experiment, journal, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._journal.__exit__(kind, error, trace)
        finally:
            self._lock.release()

    @property
    def ranges(self) -> list[Range]:
        """Finished units."""
        return self._journal.ranges

    @property
    def complete(self) -> bool:
        """Whether every unit of the experiment is finished, or enough of them to be sure."""
        wanted = (self.experiment.first_unit, self.experiment.last_unit)
        return not missing(wanted, self.ranges) or self.sure

    @property
    def sure(self) -> bool:
        """Whether a comparison that may stop when it is sure has enough."""
        return is_sure(self.experiment, self.ranges, self._journal.sums)

    @property
    def results(self) -> Results:
        """Results of what is finished."""
        return Results(self.experiment, self.ranges, dict(self._journal.sums))

    def lengthen(self, games: int) -> None:
        """Make the experiment longer; ``UsageError`` when more is finished already."""
        longer = self.experiment.longer(games)
        if longer.units < self.experiment.units:
            held = self.experiment.units * self.experiment.games_a_unit
            raise UsageError(f"{self.path} is a run of {held:,} games; --games must be more")
        self.experiment = longer
        write_atomically(self.path / EXPERIMENT, stored.write(longer).encode())

    def keep(self, played: Played) -> None:
        """Put a finished chunk on disk; it counts once this returns."""
        if self.experiment.rows != "none":
            part = _new_part(self.path, played.first, played.stop)
            write_atomically(part, _rows_csv(played, self.experiment))
        self._journal.append(played.first, played.stop, by_segment(played))

    def adopt(self, run: Results, path: Path) -> None:
        """Take over all finished units of another run folder of the same experiment."""
        ((first, stop),) = run.ranges
        if self.experiment.rows != "none":
            part = _new_part(self.path, first, stop)
            with (path / "rows.csv").open("rb") as rows, replacing(part) as copy:
                copy_into(copy, rows)
        self._journal.append(first, stop, run.sums)

    def write_tables(self) -> list[Path]:
        """Write the CSV tables, and the rows when the run is complete."""
        self._journal.compact()
        paths = self.results.save_tables(self.path)
        if self.experiment.rows != "none" and self.complete:
            paths.append(join_rows(self.path, self.experiment, self.ranges))
        return paths


def read(path: Path) -> Results:
    """Results of a run folder, finished or not; changes nothing and needs no strategy to be there."""
    experiment = stored.read(path / EXPERIMENT)
    contents = Journal.read(path)
    _same(path, contents.identity, experiment.identity())
    _within(path, contents.ranges, experiment)
    if not contents.ranges:
        raise UsageError(f"{path} holds no finished game yet; go on with 'bridzik resume {quoted(path)}'")
    return Results(experiment, contents.ranges, contents.sums)


def clear(path: Path) -> None:
    """Delete what a run leaves in a folder, and nothing else; what marks the folder as a run's goes last."""
    shutil.rmtree(path / "rows", ignore_errors=True)
    remove_strays(path, _ours())
    for name in reversed(_ours()):
        (path / name).unlink(missing_ok=True)


def check_free(path: Path, force: bool = False) -> None:
    """Refuse a folder that holds a run, unless ``force``, and always one with others' files of our names."""
    if occupied(path) and not force and _marked(path):
        raise UsageError(
            f"{path} already holds a run; go on with 'bridzik resume {quoted(path)}', "
            "choose another folder, or replace it with --force"
        )
    foreign = next((name for name in (*_ours(), "rows") if (path / name).exists()), None)
    if foreign and not _marked(path):
        raise UsageError(
            f"{path} holds no run, but a run would overwrite the {foreign} in it; choose another folder"
        )


def _marked(path: Path) -> bool:
    """Whether the files of our names in a folder are a run's, be it damaged or hardly begun."""
    if Journal.begun(path):
        return True
    try:
        stored.read(path / EXPERIMENT)
    except UsageError:
        return False
    return True


def make(path: Path) -> None:
    """Make a folder with all above it; ``UsageError`` tells why it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {error.strerror}") from None


def occupied(path: Path) -> bool:
    """Whether a folder holds a run of which something is finished, or which is damaged."""
    if not (path / "snapshot").exists():
        return False
    try:
        return bool(Journal.read(path).ranges)
    except (UsageError, OSError):
        return True


def locked(path: Path) -> filelock.BaseFileLock:
    """Take the lock of a folder; ``UsageError`` when another process holds it."""
    lock = filelock.FileLock(path / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise UsageError(
            f"another bridzik is writing to {path}; wait for it or choose another folder"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {error.strerror}") from None
    return lock


def _same(path: Path, begun: dict[str, Any], now: dict[str, Any]) -> None:
    """Refuse a folder whose experiment is no longer the one its journal was begun with."""
    for key in (*now, *(begun.keys() - now.keys())):
        value = now.get(key)
        if begun.get(key) == value:
            continue
        if key == "fingerprints" and value:
            label = next((label for label, print_ in value.items() if begun[key].get(label) != print_), "")
            raise UsageError(f"{path}: the strategy {label} has changed since the run began; start a new run")
        raise UsageError(
            f"{path}: the run was begun with {key} = {begun.get(key)!r}, now it is {value!r}; start a new run"
        )


def _within(path: Path, finished: list[Range], experiment: Experiment) -> None:
    """Refuse a folder that holds units its experiment does not ask for."""
    first, stop = experiment.first_unit, experiment.last_unit
    if finished and (finished[0][0] < first or finished[-1][1] > stop):
        raise UsageError(
            f"{path}: units {finished[0][0]} to {finished[-1][1]} are finished, but {EXPERIMENT} asks for "
            f"{first} to {stop}; its first_unit or games was changed"
        )


def _new_part(path: Path, first: int, stop: int) -> Path:
    folder = path / "rows"
    if not folder.exists():
        folder.mkdir()
        sync_folder(path)
    return folder / f"{first:012d}-{stop:012d}.csv"


def _rows_csv(played: Played, experiment: Experiment) -> bytes:
    row_columns = experiment.game.row_columns
    import pandas as pd  # here, because importing it takes longer than many a run

    frame = pd.DataFrame(played.rows, columns=list(row_columns))
    frame["strategy"] = np.array(experiment.labels, object)[played.rows[:, row_columns.index("strategy")]]
    return csv_bytes(frame)


def join_rows(path: Path, experiment: Experiment, finished: list[Range]) -> Path:
    """Join the parts of the finished chunks into ``rows.csv``; safe to repeat after a crash at any point.

    ``UsageError`` when the rows of some finished units are nowhere.
    """
    target = path / "rows.csv"
    joined = _joined(target)
    covered = [joined] if joined else []
    parts = [part for part in sorted(_parts(path)) if not joined or _units(part)[0] >= joined[1]]
    if merge_ranges([*covered, *map(_units, parts)]) != finished:
        raise UsageError(
            f"{target} and the parts in {path / 'rows'} do not hold the rows of all finished games; "
            "they were changed or deleted, so begin a new run"
        )
    if parts:
        with replacing(target) as out:
            if joined:
                with target.open("rb") as old:
                    copy_into(out, old)
            else:
                write_all(out, (",".join(experiment.game.row_columns) + "\n").encode())
            for part in parts:
                with part.open("rb") as rows:
                    rows.readline()
                    copy_into(out, rows)
    shutil.rmtree(path / "rows", ignore_errors=True)
    return target


def rows_joined(path: Path, experiment: Experiment) -> bool:
    """Whether ``rows.csv`` holds all rows that an experiment of fixed length asks for."""
    return experiment.rows == "none" or _joined(path / "rows.csv") == (
        experiment.first_unit,
        experiment.last_unit,
    )


def _joined(rows: Path) -> Range | None:
    """The units from the first to the last row of ``rows.csv``; None without any, or with a torn last one."""
    if not rows.exists():
        return None
    with rows.open("rb") as file:
        file.readline()
        first = file.readline()
        file.seek(0, io.SEEK_END)
        file.seek(max(0, file.tell() - 4096))
        tail = file.read()
    units = [line.split(b",")[0] for line in (first, *tail.splitlines()[-1:])]
    if not tail.endswith(b"\n") or not all(unit.isdigit() for unit in units):
        return None
    return int(units[0]), int(units[-1]) + 1


def drop_stray_parts(path: Path, finished: list[Range]) -> None:
    """Delete parts of chunks that never reached the journal (a crash came between the two)."""
    for part in list(_parts(path)):
        first, stop = _units(part)
        if not any(a <= first and stop <= b for a, b in finished):
            part.unlink()
    for half in list((path / "rows").glob(".*.tmp")):
        half.unlink()


def _parts(path: Path) -> Iterator[Path]:
    return (path / "rows").glob("*-*.csv")


def _units(part: Path) -> Range:
    first, stop = part.stem.split("-")
    return int(first), int(stop)
