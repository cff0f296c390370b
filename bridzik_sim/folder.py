"""A run as a folder: ``experiment.toml``, the journal of finished chunks, and what is derived from them.

Whole rows, where they are wanted, are first written as one part a chunk below ``rows/`` and joined in the
order of units when the run is complete, so ``rows.csv`` does not depend on how the run was split.
"""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import filelock
import numpy as np
import pandas as pd

from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment, from_toml
from bridzik_sim.files import quoted, write_atomically
from bridzik_sim.journal import Journal
from bridzik_sim.play import Played
from bridzik_sim.results import CSV_TABLES, Results, csv_bytes
from bridzik_sim.runner import Range, by_segment, missing

EXPERIMENT = "experiment.toml"
PICTURES = ("accuracy", "bids_tricks", "scores", "over_under", "convergence")
"""Names of the pictures that reports draw; replacing a run deletes its own and leaves all others."""
OURS = (
    EXPERIMENT,
    "journal",
    "snapshot",
    "rows.csv",
    "report.html",
    *(f"{name}.csv" for name in CSV_TABLES),
    *(f"{name}.png" for name in PICTURES),
)


class RunFolder:
    """An open run folder, locked against other writers. Use as a context manager."""

    def __init__(
        self, path: Path, experiment: Experiment, journal: Journal, lock: filelock.BaseFileLock
    ) -> None:
        self.path, self.experiment, self._journal, self._lock = path, experiment, journal, lock

    @classmethod
    def create(cls, path: Path, experiment: Experiment, force: bool = False) -> Self:
        """Begin a run; ``UsageError`` when the folder holds one, unless ``force`` replaces it."""
        _make(path)
        lock = _locked(path)
        try:
            if occupied(path) and not force:
                raise UsageError(
                    f"{path} already holds a run; go on with 'bridzik resume {quoted(path)}', "
                    "choose another folder, or replace it with --force"
                )
            if occupied(path):
                clear(path)
            write_atomically(path / EXPERIMENT, experiment.to_toml().encode())
            return cls(path, experiment, Journal.create(path, experiment.identity()), lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a run to go on with it; ``UsageError`` says why it cannot."""
        experiment = from_toml(path / EXPERIMENT).reloaded()
        with contextlib.ExitStack() as undo:
            lock = _locked(path)
            undo.callback(lock.release)
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
        """Whether every unit of the experiment is finished."""
        return not missing((self.experiment.first_unit, self.experiment.last_unit), self.ranges)

    @property
    def results(self) -> Results:
        """Results of what is finished."""
        return Results(self.experiment, self.ranges, dict(self._journal.sums))

    def lengthen(self, games: int) -> None:
        """Make the experiment longer; ``UsageError`` when more is finished already."""
        longer = self.experiment.longer(games)
        if longer.units < self.experiment.units:
            raise UsageError(f"{self.path} already holds {self.experiment.games} games; --games must be more")
        self.experiment = longer
        write_atomically(self.path / EXPERIMENT, longer.to_toml().encode())

    def keep(self, played: Played) -> None:
        """Put a finished chunk on disk; it counts once this returns."""
        if self.experiment.rows != "none":
            part = _part(self.path, played.first, played.stop)
            part.parent.mkdir(exist_ok=True)
            write_atomically(part, _rows_csv(played, self.experiment))
        self._journal.append(played.first, played.stop, by_segment(played))

    def adopt(self, run: Results, path: Path) -> None:
        """Take over all finished units of another run folder of the same experiment."""
        ((first, stop),) = run.ranges
        if self.experiment.rows != "none":
            part = _part(self.path, first, stop)
            part.parent.mkdir(exist_ok=True)
            shutil.copyfile(path / "rows.csv", part)
        self._journal.append(first, stop, run.sums)

    def write_tables(self) -> list[Path]:
        """Write the CSV tables, and the rows when the run is complete."""
        self._journal.compact()
        paths = self.results.save_tables(self.path)
        if self.experiment.rows != "none" and self.complete:
            paths.append(join_rows(self.path, self.experiment))
        return paths


def read(path: Path) -> Results:
    """Results of a run folder, finished or not; changes nothing and needs no strategy to be there."""
    experiment = from_toml(path / EXPERIMENT)
    contents = Journal.read(path)
    _same(path, contents.identity, experiment.identity())
    _within(path, contents.ranges, experiment)
    if not contents.ranges:
        raise UsageError(f"{path} holds no finished game yet; go on with 'bridzik resume {quoted(path)}'")
    return Results(experiment, contents.ranges, contents.sums)


def clear(path: Path) -> None:
    """Delete what a run leaves in a folder, and nothing else."""
    for name in OURS:
        (path / name).unlink(missing_ok=True)
    shutil.rmtree(path / "rows", ignore_errors=True)


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {error.strerror}") from None


def occupied(path: Path) -> bool:
    """Whether a folder holds a run, or what is left of one."""
    return any((path / name).exists() for name in (EXPERIMENT, "journal", "snapshot"))


def _locked(path: Path) -> filelock.BaseFileLock:
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
    for key, value in now.items():
        if begun.get(key) == value:
            continue
        if key == "fingerprints":
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


def _part(path: Path, first: int, stop: int) -> Path:
    return path / "rows" / f"{first:012d}-{stop:012d}.csv"


def _rows_csv(played: Played, experiment: Experiment) -> bytes:
    row_columns = experiment.game.row_columns
    frame = pd.DataFrame(played.rows, columns=list(row_columns))
    frame["strategy"] = np.array(experiment.labels, object)[played.rows[:, row_columns.index("strategy")]]
    return csv_bytes(frame)


def join_rows(path: Path, experiment: Experiment) -> Path:
    """Join the parts of the finished chunks into ``rows.csv``; safe to repeat after a crash at any point."""
    target, temporary = path / "rows.csv", path / ".rows.csv.tmp"
    parts = sorted((path / "rows").glob("*.csv"))
    joined = _last_unit(target)
    with contextlib.suppress(FileNotFoundError):
        temporary.unlink()
    with temporary.open("wb") as out:
        if target.exists():
            with target.open("rb") as old:
                shutil.copyfileobj(old, out)
        else:
            out.write((",".join(experiment.game.row_columns) + "\n").encode())
        for part in parts:
            if int(part.stem.split("-")[0]) > joined:
                with part.open("rb") as rows:
                    rows.readline()
                    shutil.copyfileobj(rows, out)
    temporary.replace(target)
    shutil.rmtree(path / "rows", ignore_errors=True)
    return target


def _last_unit(rows: Path) -> int:
    """The unit of the last row of a finished ``rows.csv``, -1 when there is none."""
    if not rows.exists() or rows.stat().st_size == 0:
        return -1
    with rows.open("rb") as file:
        file.seek(0, io.SEEK_END)
        file.seek(max(0, file.tell() - 4096))
        last = file.read().splitlines()[-1].split(b",")[0]
    return int(last) if last.isdigit() else -1


def drop_stray_parts(path: Path, finished: list[Range]) -> None:
    """Delete parts of chunks that never reached the journal (a crash came between the two)."""
    for part in list(_parts(path)):
        first, stop = (int(number) for number in part.stem.split("-"))
        if not any(a <= first and stop <= b for a, b in finished):
            part.unlink()


def _parts(path: Path) -> Iterator[Path]:
    return (path / "rows").glob("*-*.csv")
