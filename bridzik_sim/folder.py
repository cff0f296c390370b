"""A run as a folder: ``experiment.toml``, the journal of finished chunks, and what is derived from them."""

from __future__ import annotations

import contextlib
import functools
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import filelock

from bridzik_sim import games, rows, stored
from bridzik_sim.comparison import is_sure
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.files import quoted, remove_strays, write_atomically
from bridzik_sim.journal import Journal
from bridzik_sim.play import Played
from bridzik_sim.results import Results, csv_tables
from bridzik_sim.runner import Range, by_segment, missing

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
    marks = (EXPERIMENT, "journal", "snapshot", *rows.NAMES, "report.html")
    return (*marks, *(f"{name}.csv" for name in tables), *(f"{name}.png" for name in PICTURES))


class RunFolder:
    """An open run folder, locked against other writers. Use as a context manager."""

    def __init__(
        self, path: Path, experiment: Experiment, journal: Journal, lock: filelock.BaseFileLock
    ) -> None:
        self.path, self.experiment, self._journal, self._lock = path, experiment, journal, lock

    @classmethod
    def create(cls, path: Path, experiment: Experiment, force: bool = False) -> Self:
        """Begin a run; ``UsageError`` as from ``check_free``, or when a library for rows is missing."""
        rows.check(experiment)
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
        rows.check(experiment)
        with contextlib.ExitStack() as undo:
            lock = locked(path)
            undo.callback(lock.release)
            remove_strays(path, _ours())
            journal = Journal.open(path) if _begun(path) else Journal.create(path, experiment.identity())
            undo.push(journal)  # which closes its files and writes nothing when left by an exception
            _same(path, journal.identity, experiment.identity())
            _within(path, journal.ranges, experiment)
            rows.drop_stray_parts(path, experiment, journal.ranges)
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
        """Make the experiment longer, not yet on disk; ``UsageError`` when it is longer already."""
        longer = self.experiment.longer(games)
        if longer.units < self.experiment.units:
            held = self.experiment.units * self.experiment.games_a_unit
            raise UsageError(f"{self.path} is a run of {held:,} games; --games must be more")
        self.experiment = longer

    def write_experiment(self) -> None:
        """Put the experiment on disk as it is now."""
        write_atomically(self.path / EXPERIMENT, stored.write(self.experiment).encode())

    def keep(self, played: Played) -> None:
        """Put a finished chunk on disk; it counts once this returns."""
        rows.keep(self.path, self.experiment, played)
        self._journal.append(played.first, played.stop, by_segment(played))

    def adopt(self, run: Results, path: Path) -> None:
        """Take over all finished units of another run folder of the same experiment."""
        ((first, stop),) = run.ranges
        rows.adopt(self.path, self.experiment, (first, stop), path)
        self._journal.append(first, stop, run.sums)

    def write_tables(self) -> list[Path]:
        """Write the CSV tables, and the rows when the run is complete."""
        self._journal.compact()
        paths = self.results.save_tables(self.path)
        if self.experiment.rows != "none" and self.complete:
            paths.append(rows.join(self.path, self.experiment, self.ranges))
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
    shutil.rmtree(path / rows.FOLDER, ignore_errors=True)
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
    foreign = next((name for name in (*_ours(), rows.FOLDER) if (path / name).exists()), None)
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
        raise UsageError(f"cannot write to the folder {path}: {error.strerror or error}") from None


def occupied(path: Path) -> bool:
    """Whether a folder holds a run of which something is finished, or which is damaged."""
    if not _begun(path):
        return False
    try:
        return bool(Journal.read(path).ranges)
    except (UsageError, OSError):
        return True


def _begun(path: Path) -> bool:
    """Whether a folder has a journal, or what is left of one."""
    return any((path / name).exists() for name in ("snapshot", "journal"))


def locked(path: Path) -> filelock.BaseFileLock:
    """Take the lock of a folder; ``UsageError`` when another process holds it."""
    lock = filelock.FileLock(path / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise UsageError(
            f"another bridzik is writing to {path}; wait for it or choose another folder"
        ) from None
    except NotImplementedError:
        raise UsageError(
            f"{path} is on a file system without locks; choose a folder on another one"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {error.strerror or error}") from None
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
