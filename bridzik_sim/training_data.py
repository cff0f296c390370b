"""The data of a trained strategy on disk: ``X.npz`` with its arrays, ``X.json`` with the training record."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bridzik_sim.errors import BridzikError, UsageError

Arrays = dict[str, npt.NDArray[Any]]
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX, _READABLE = 3, 0o644 << 16
_RECORDED = {"seed": int, "parts": dict, "trainer": str, "versions": dict}


@dataclass(frozen=True)
class Stored:
    """Arrays of an ``X.npz`` and the record beside it."""

    path: Path
    arrays: Arrays
    record: dict[str, Any]

    @property
    def seed(self) -> int:
        """The seed it was trained with."""
        return int(self.record["seed"])

    @property
    def parts(self) -> dict[str, dict[str, Any]]:
        """By part: the names of its arrays and their digest."""
        return dict(self.record["parts"])

    def holds(self, part: str) -> bool:
        """Whether all arrays of a part are there, with the bytes that the record tells."""
        return part in self.parts and digest(part_of(self, part)) == self.parts[part]["blake2b"]

    def origin(self, part: str) -> dict[str, Any]:
        """Trainer and versions that a part came from."""
        return {key: self.parts[part].get(key, self.record[key]) for key in ("trainer", "versions")}


def read(folder: Path, name: str) -> Stored | None:
    """Data and record of a strategy; None when either is missing, ``UsageError`` when it cannot be read."""
    data, about = folder / f"{name}.npz", folder / f"{name}.json"
    if not (data.is_file() and about.is_file()):
        return None
    try:
        with np.load(data, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(f"{data} cannot be read ({_line(error)}); delete it to train anew") from None
    try:
        record = json.loads(about.read_bytes())
    except ValueError as error:
        raise UsageError(f"{about} is no training record ({_line(error)}); delete it to train anew") from None
    if not _is_record(record):
        raise UsageError(f"{about} is no training record; delete it to train anew")
    return Stored(data, arrays, record)


def _is_record(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    rows = record.get("parts", ())
    whole = all(isinstance(record.get(key), kind) for key, kind in _RECORDED.items())
    return whole and all(
        isinstance(row, dict) and {"arrays", "blake2b"} <= row.keys() for row in rows.values()
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def part_of(stored: Stored, part: str, like: Mapping[str, Any] | None = None) -> Arrays:
    """A part's arrays that are there: those its record names, and those of the names in ``like``."""
    names = {*stored.parts.get(part, {}).get("arrays", ()), *(like or ())}
    return {name: stored.arrays[name] for name in sorted(names) if name in stored.arrays}


def checked(returned: Any, part: str, fault: type[BridzikError]) -> Arrays:
    """What a trainer returned: arrays in C order, little-endian, sorted by name; ``fault`` if it is not."""
    good = isinstance(returned, dict) and all(isinstance(array, np.ndarray) for array in returned.values())
    if not good or not returned:
        raise fault(f"part {part} must return a dict of NumPy arrays by name, and at least one")
    plain: Arrays = {}
    for name in sorted(returned, key=str):
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name.endswith(".npy"):
            raise fault(
                f"part {part} returns an array under {name!r}; a name takes letters, digits and _ . -"
            )
        array = returned[name]
        if array.dtype.hasobject:
            raise fault(f"array {name} of part {part} holds Python objects; use numbers")
        plain[name] = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    return plain


def digest(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """BLAKE2b (32 hex digits) of arrays: their names, types, shapes and bytes."""
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = arrays[name]
        head = f"{name}\0{np.lib.format.dtype_to_descr(array.dtype)}\0{array.shape}\0{array.nbytes}\0"
        found.update(head.encode() + array.tobytes())
    return found.hexdigest()


def differences(old: Mapping[str, npt.NDArray[Any]], new: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    """What differs between arrays, in words, a line an array; bytes are compared, so NaN equals itself."""
    lines = []
    for name in sorted({*old, *new}):
        if name not in old or name not in new:
            lines.append(f"array {name} is {'new' if name in new else 'gone'}")
        elif (old[name].dtype, old[name].shape) != (new[name].dtype, new[name].shape):
            before, after = (f"{one[name].dtype}{list(one[name].shape)}" for one in (old, new))
            lines.append(f"array {name} is {after}, it was {before}")
        elif old[name].tobytes() != new[name].tobytes():
            places = [
                np.frombuffer(one[name].tobytes(), np.uint8).reshape(one[name].size, -1) for one in (old, new)
            ]
            count = int((places[0] != places[1]).any(axis=1).sum())
            lines.append(f"array {name} has other values in {count:,} of {new[name].size:,} places")
    return lines


def npz_bytes(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """An uncompressed ``.npz`` with sorted names and no times: equal arrays give equal bytes everywhere."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", _DATE)
            entry.create_system, entry.external_attr = _UNIX, _READABLE
            content = io.BytesIO()
            np.lib.format.write_array(content, arrays[name], version=(1, 0), allow_pickle=False)
            archive.writestr(entry, content.getvalue())
    return whole.getvalue()
