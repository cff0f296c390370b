"""Remaking a strategy's data: the trainer beside it is run, and its arrays become ``X.npz`` and ``X.json``.

A strategy ``X.py`` that lists ``X.npz`` in ``DATA`` has a trainer ``_train_X.py`` beside it with

* ``PARTS``: names of independent pieces, which may run at the same time in threads,
* ``train(part, seed, say)``: the named arrays of one piece, a pure function of part and seed; ``say`` takes a
  line of progress. The names of different pieces do not clash.
* ``DATA``, if it reads files that are not Python, such as the data of another strategy: their names.

``X.json`` is the record of what was trained: seed, digests, versions, the trainer's fingerprint; no clock.
The bytes of both files depend on the trainer, the seed and the versions only.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from bridzik_sim import executors, lineup, sources, strategy, training_data
from bridzik_sim.errors import (
    EXIT_STRATEGY,
    BridzikError,
    Interrupted,
    StrategyError,
    UsageError,
    unknown_name,
)
from bridzik_sim.explain import first_line
from bridzik_sim.files import write_atomically
from bridzik_sim.folder import make as make_folder
from bridzik_sim.games import get
from bridzik_sim.jit import cached_under
from bridzik_sim.streams import MAX_SEED
from bridzik_sim.training_data import Arrays, Stored

Say = Callable[[str, str], None]
"""Takes the name of a part and a line about how it goes on."""
VERSIONS = ("bridzik", "numba", "numpy")


class TrainingError(BridzikError):
    """A trainer raised, returned something else than arrays, or did not repeat itself."""

    exit_code = EXIT_STRATEGY


@dataclass(frozen=True)
class Trainer:
    """A loaded trainer; ``found`` makes one."""

    path: Path
    strategy: str
    """Name of the strategy: of its file without the ending."""
    command: str
    """What remakes all the data, but for the seed."""
    parts: tuple[str, ...]
    fingerprint: str
    """Of the trainer's file, its local imports and the data it reads."""
    function: Callable[[str, int, Callable[[str], None]], Any]


@dataclass(frozen=True)
class Trained:
    """What ``train`` did."""

    strategy: str
    seed: int
    parts: dict[str, Arrays]
    """Arrays of all parts in the order of PARTS, also of those that were kept."""
    change: dict[str, str]
    """By part: ``new``, ``same``, ``changed``, or ``kept`` if it was not trained."""
    repeated: str
    """The part that was trained twice and came out the same."""
    files: tuple[Path, Path]


def train(
    text: str,
    *,
    game: str = "bridzik",
    seed: int | None = None,
    parts: Sequence[str] = (),
    jobs: int | None = None,
    out: Path | None = None,
    say: Say = lambda part, line: None,
) -> Trained:
    """Train parts of a strategy's data (all without ``parts``); write it beside the strategy or to ``out``.

    Parts that are not trained keep their arrays from the data in ``out``, or else beside the strategy. The
    seed is that of its record, or 0. Before anything is written the part that took least is trained again;
    ``TrainingError`` when its bytes differ. ``UsageError`` tells what is missing.
    """
    with found(text, game) as trainer:
        chosen = _chosen(trainer, parts)
        folder = trainer.path.parent if out is None else out
        stored = _stored(trainer, folder) or _stored(trainer, trainer.path.parent)
        seed = _seed(seed, stored)
        kept = _kept(trainer, chosen, seed, stored)
        make_folder(folder)
        made, seconds = _run(trainer, chosen, seed, jobs or executors.cores(), say)
        whole = _joined(trainer, {**made, **kept})
        quickest = min(chosen, key=lambda part: seconds[part])
        say(quickest, "once more, to see that it repeats")
        again, _ = _run(trainer, [quickest], seed, 1, say)
    if different := training_data.differences(again[quickest], made[quickest]):
        raise TrainingError(
            f"part {quickest} does not repeat, so nothing was written: "
            f"trained again with seed {seed}, {different[0]}"
        )
    record = _record(trainer, seed, whole, kept, stored)
    files = _write(folder, trainer.strategy, whole, record)
    change = {part: _change(part, made, stored) for part in whole}
    return Trained(trainer.strategy, seed, whole, change, quickest, files)


def check(
    text: str,
    *,
    game: str = "bridzik",
    seed: int | None = None,
    parts: Sequence[str] = (),
    jobs: int | None = None,
    out: Path | None = None,
    say: Say = lambda part, line: None,
) -> tuple[int, dict[str, list[str]]]:
    """Train parts and compare them with the data beside the strategy or in ``out``; writes nothing.

    Returns the seed and, by part, what differs; under "" what belongs to no part. Nothing differs where the
    lists are empty.
    """
    with found(text, game) as trainer:
        chosen = _chosen(trainer, parts)
        folder = trainer.path.parent if out is None else out
        stored = _stored(trainer, folder)
        if stored is None:
            raise UsageError(
                f"there is no {trainer.strategy}.npz with its record in {folder} to compare with"
            )
        seed = _seed(seed, stored)
        made, _ = _run(trainer, chosen, seed, jobs or executors.cores(), say)
    here = {part: training_data.part_of(stored, part, made[part]) for part in chosen}
    different = {part: training_data.differences(here[part], made[part]) for part in chosen}
    if not parts:
        strange = stored.arrays.keys() - {name for arrays in made.values() for name in arrays}
        different[""] = [f"array {name} belongs to no part" for name in sorted(strange)]
    return seed, different


@contextlib.contextmanager
def found(text: str, game: str) -> Iterator[Trainer]:
    """The trainer of a strategy; inside the block it can import its own files.

    The strategy itself is not read: its data may not exist yet. ``UsageError`` when there is no trainer,
    ``StrategyError`` when it cannot be loaded.
    """
    spec, _ = lineup.parse_spec(text)
    source = sources.locate(spec, get(game).name)
    path = source.with_name(f"_train_{source.stem}.py")
    if not path.is_file():
        raise UsageError(
            f"nothing remakes the data of {spec.source}: there is no {path.name} beside {source.name}"
        )
    fingerprint = sources.fingerprint(path)
    name = source.name if spec.kind == "file" else spec.source
    command = f"bridzik train {name}" + ("" if game == "bridzik" else f" --game {game}")
    with _running(path, fingerprint) as module:
        parts, function = getattr(module, "PARTS", None), getattr(module, "train", None)
        if not _are_names(parts):
            raise StrategyError(f"{path}: PARTS must be a tuple of different names, such as ('1', '2')")
        if not callable(function):
            raise StrategyError(f"{path} has no function train(part, seed, say)")
        yield Trainer(path, source.stem, command, tuple(parts), fingerprint, function)


@contextlib.contextmanager
def _running(path: Path, fingerprint: str) -> Iterator[ModuleType]:
    """Run a file as strategies are, and keep its modules importable and its cache chosen inside the block."""
    root = sources.import_root(path)
    with strategy.importable(path, root):
        module, modules = strategy.run_file(path, fingerprint)
        with strategy.loaded(modules), cached_under(fingerprint):
            yield module


def _are_names(parts: Any) -> TypeGuard[Sequence[str]]:
    good = isinstance(parts, tuple | list) and all(isinstance(part, str) and part for part in parts)
    return good and len(parts) > 0 and len(set(parts)) == len(parts)


def _chosen(trainer: Trainer, parts: Sequence[str]) -> list[str]:
    for part in parts:
        if part not in trainer.parts:
            raise UsageError(unknown_name(f"part of {trainer.strategy} called", part, trainer.parts))
    return [part for part in trainer.parts if part in parts or not parts]


def _stored(trainer: Trainer, folder: Path) -> Stored | None:
    return training_data.read(folder, trainer.strategy)


def _seed(seed: int | None, stored: Stored | None) -> int:
    if seed is None:
        return stored.seed if stored else 0
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"the seed must lie between 0 and {MAX_SEED}, not {seed}")
    return seed


def _kept(trainer: Trainer, chosen: Sequence[str], seed: int, stored: Stored | None) -> dict[str, Arrays]:
    """The arrays of the parts that are not trained; ``UsageError`` when they are not what the record says."""
    rest = [part for part in trainer.parts if part not in chosen]
    if not rest:
        return {}
    if stored is None:
        raise UsageError(f"there is no data yet to keep part {rest[0]} of; train all parts, without --part")
    if stored.seed != seed:
        raise UsageError(f"the other parts were trained with seed {stored.seed}, not {seed}; train all parts")
    for part in rest:
        if not stored.holds(part):
            raise UsageError(f"{stored.path} holds no part {part} as its record describes; train all parts")
    return {part: training_data.part_of(stored, part) for part in rest}


def _run(
    trainer: Trainer, parts: Sequence[str], seed: int, jobs: int, say: Say
) -> tuple[dict[str, Arrays], dict[str, float]]:
    """Train parts in threads; arrays and seconds by part.

    The threads are daemons: compiled code cannot be interrupted, and must not keep the program from ending.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[str, Any, float]] = queue.SimpleQueue()
    stop = threading.Event()
    for part in parts:
        waiting.put(part)

    def work() -> None:
        with contextlib.suppress(queue.Empty):
            while not stop.is_set():
                part = waiting.get_nowait()
                began = time.monotonic()
                try:
                    result: Any = _one(trainer, part, seed, say, stop)
                except BaseException as error:
                    result = error
                done.put((part, result, time.monotonic() - began))

    arrays, seconds = {}, {}
    try:
        for _ in range(min(jobs, len(parts))):
            threading.Thread(target=work, name="bridzik-train", daemon=True).start()
        for part, result, took in _finished(done, len(parts)):
            if isinstance(result, BridzikError):
                raise result
            if isinstance(result, BaseException):
                raise _explained(result, part, trainer)
            arrays[part], seconds[part] = result, took
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was written") from None
    finally:
        stop.set()
    return {part: arrays[part] for part in parts}, seconds


def _finished(done: queue.SimpleQueue[Any], number: int) -> Iterator[tuple[str, Any, float]]:
    """What threads hand in; waits in short steps, so that Ctrl-C comes through on every system."""
    while number:
        with contextlib.suppress(queue.Empty):
            yield done.get(timeout=0.2)
            number -= 1


def _one(trainer: Trainer, part: str, seed: int, say: Say, stop: threading.Event) -> Arrays:
    def report(line: str) -> None:
        if stop.is_set():
            raise SystemExit  # nobody waits for this part any more
        say(part, line)

    return training_data.checked(trainer.function(part, seed, report), part, TrainingError)


def _explained(error: BaseException, part: str, trainer: Trainer) -> TrainingError:
    where = strategy.line_in(error, trainer.path)
    failure = TrainingError(
        f"training part {part} failed: {trainer.path}{where}: {type(error).__name__}: {first_line(error)}"
    )
    failure.__cause__ = error
    return failure


def _joined(trainer: Trainer, parts: Mapping[str, Arrays]) -> dict[str, Arrays]:
    """All parts in the order of PARTS; ``TrainingError`` when an array is of two of them."""
    owner: dict[str, str] = {}
    for part in trainer.parts:
        for name in parts[part]:
            if name in owner:
                raise TrainingError(f"parts {owner[name]} and {part} both return an array {name}")
            owner[name] = part
    return {part: parts[part] for part in trainer.parts}


def _change(part: str, made: Mapping[str, Arrays], stored: Stored | None) -> str:
    if part not in made:
        return "kept"
    if stored is None or part not in stored.parts:
        return "new"
    before = training_data.part_of(stored, part, made[part])
    return "changed" if training_data.differences(before, made[part]) else "same"


def _record(
    trainer: Trainer,
    seed: int,
    parts: Mapping[str, Arrays],
    kept: Mapping[str, Arrays],
    stored: Stored | None,
) -> dict[str, Any]:
    """The training record. A kept part that came from another trainer or other versions says so itself."""
    origin = {
        "trainer": trainer.fingerprint,
        "versions": {name: metadata.version(name) for name in VERSIONS},
    }
    rows = {}
    for part, arrays in parts.items():
        rows[part] = {"arrays": sorted(arrays), "blake2b": training_data.digest(arrays)}
        if part in kept and stored is not None:
            before = stored.origin(part)
            rows[part] |= {key: before[key] for key in origin if before[key] != origin[key]}
    return {
        "strategy": trainer.strategy,
        "command": f"{trainer.command} --seed {seed}",
        "seed": seed,
        **origin,
        "parts": rows,
    }


def _write(
    folder: Path, name: str, parts: Mapping[str, Arrays], record: Mapping[str, Any]
) -> tuple[Path, Path]:
    """Write data and record; between the two a crash leaves a record that does not fit, which is noticed."""
    folder.mkdir(parents=True, exist_ok=True)
    data, about = folder / f"{name}.npz", folder / f"{name}.json"
    arrays = {key: array for part in parts.values() for key, array in part.items()}
    write_atomically(data, training_data.npz_bytes(arrays))
    write_atomically(about, (json.dumps(record, indent=1) + "\n").encode())
    return data, about
