"""An experiment for machines that have none of its strategies: strategies as source, with their hashes.

A strategy given as a file or module travels as the bytes of all its files. One that goes by name is taken
from what is installed there. Either way it is the same strategy only if its fingerprint is the same.
"""

from __future__ import annotations

import atexit
import hashlib
import pickle
import shutil
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from os.path import normpath
from pathlib import Path

from bridzik_sim import jit, sources, strategy
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.files import write_atomically
from bridzik_sim.lineup import Spec

CODE = jit.sources_hash(sorted(jit.PACKAGE.rglob("*.py")))
"""Hash of the simulator's own sources, as they were when they were imported: 16 hex digits."""


@dataclass(frozen=True)
class Parcel:
    """The files of a strategy by their path below its import root, and which of them it is."""

    files: dict[str, bytes]
    entry: str

    @property
    def digest(self) -> str:
        """Hash (16 hex digits) of all that is in it."""
        digest = hashlib.blake2b(digest_size=8)
        for name, data in sorted(self.files.items()):
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        return digest.hexdigest()


@dataclass(frozen=True)
class Shipment:
    """A packed experiment; ``key`` stands for its content, ``code`` for the simulator that has packed it."""

    key: str
    code: str
    content: bytes
    """A pickled ``Experiment`` without code, and a ``Parcel`` by label of what does not go by name."""


def ship(experiment: Experiment) -> Shipment:
    """Pack an experiment; ``UsageError`` when a strategy's files cannot be sent."""
    specs = [spec for spec in dict.fromkeys(experiment.players) if spec.kind != "name"]
    parcels = {spec.label: pack(sources.locate(spec, experiment.game_name)) for spec in specs}
    content = pickle.dumps((experiment.without_code(), parcels))
    return Shipment(hashlib.blake2b(content, digest_size=16).hexdigest(), CODE, content)


def pack(path: Path) -> Parcel:
    """All files of a strategy and of the packages that they lie in, with their data."""
    root, files = sources.import_root(path), _files(path)
    for file in files:
        if not file.is_relative_to(root):
            raise UsageError(f"{path} uses {file}, which cannot be sent; put it into {root}")
    named = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(files)}
    return Parcel(named, path.relative_to(root).as_posix())


def _files(path: Path) -> set[Path]:
    root, found, waiting = sources.import_root(path), set[Path](), [path]
    while waiting:
        for file in map(Path, map(normpath, sources.all_files(waiting.pop()))):
            if file not in found:
                found.add(file)
                waiting += _packages(file, root)
    return found


def _packages(file: Path, root: Path) -> list[Path]:
    """What Python runs before it imports ``file``: the ``__init__.py`` of the packages around it."""
    around = [folder / "__init__.py" for folder in file.parents if folder != root]
    return [init for init in around if init.is_relative_to(root) and init.is_file()]


def unpack(shipment: Shipment) -> Experiment:
    """The experiment with its strategies loaded; ``UsageError`` when it would not be the same here."""
    if shipment.code != CODE:
        raise UsageError(
            "another version of bridzik is installed there than here; install the same on all machines"
        )
    experiment: Experiment
    parcels: dict[str, Parcel]
    experiment, parcels = pickle.loads(shipment.content)
    players = tuple(
        _to_file(spec, parcels[spec.label]) if spec.label in parcels else spec for spec in experiment.players
    )
    loaded = {spec.label: strategy.load(spec, experiment.game) for spec in dict.fromkeys(players)}
    for label, found in loaded.items():
        if found.fingerprint != experiment.fingerprints[label]:
            why = "has changed since the run began" if label in parcels else "is not the same there as here"
            raise UsageError(f"the strategy {label} {why}")
    return replace(experiment, players=players, strategies=loaded)


def _to_file(spec: Spec, parcel: Parcel) -> Spec:
    """The spec with its files on this machine; they stay there, and so does their compiled code."""
    folder = _home() / parcel.digest
    for name, data in parcel.files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
    return replace(spec, source=str(folder / parcel.entry))


@cache
def _home() -> Path:
    """Where files are unpacked: beside compiled code, or where nothing can be written, for this process."""
    if jit.CACHE_DIRECTORY is not None:
        return jit.CACHE_DIRECTORY / "shipped"
    folder = Path(tempfile.mkdtemp(prefix="bridzik-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
