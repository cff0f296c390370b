"""The crash-safe record of the finished chunks of a run.

A chunk is a half-open range of units with named int64 arrays that add up. Two files in the run's folder:

* ``snapshot``: identity, finished ranges and sums. It is only ever replaced as a whole, atomically.
* ``journal``: a header, then one frame a chunk (magic, length, CRC-32, payload), appended and fsynced.

What counts is the snapshot and the sound frames of the journal. A frame whose units the snapshot already
has is skipped, so a crash between replacing the snapshot and emptying the journal counts nothing twice. Bytes
after the last sound frame are cut off before anything follows them.

A frame is on disk before the next one is written, so a kill or a power cut can only tear the last; that is
usual and not worth a word. Damage with sound frames behind it comes from elsewhere: then those count as well,
`DamageWarning` tells where it is, and opening folds the journal into the snapshot, which ends it.

One process and thread writes at a time (locking is up to the caller); any may `Journal.read` meanwhile.
"""

import contextlib
import hashlib
import itertools
import math
import operator
import os
import struct
import warnings
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from bridzik_sim import files, tally
from bridzik_sim.errors import DamageWarning, UsageError

__all__ = ["Contents", "Journal", "JournalError"]

Range = tuple[int, int]
Counts = NDArray[np.int64]
_Packed = tuple[tuple[int, ...], bytes]  # shape, zlib-compressed little-endian int64 in C order
_Chunk = tuple[int, int, dict[str, _Packed]]  # payload of a frame of the journal: start, stop, arrays
_Snapshot = tuple[dict[str, Any], tuple[Range, ...], dict[str, _Packed]]  # identity, ranges, sums

MAX_RECORDS = 64  # with so many frames the journal is folded into the snapshot,
MAX_BYTES = 2 << 20  # or once it is so long

_JOURNAL, _SNAPSHOT = "journal", "snapshot"
_JOURNAL_MAGIC, _SNAPSHOT_MAGIC = b"bridzik journal 1\n", b"bridzik snapshot 1\n"
_FRAME_MAGIC = b"\xf7rec"
_ZLIB_BEST = 1032  # by that factor zlib shrinks zeros, and nothing by more
_FRAME = struct.Struct("<4sII")  # magic, length and CRC-32 of the payload that follows


class JournalError(UsageError):
    """A folder holds no run, already holds one, or its files are damaged or foreign; the text is one line."""


class Contents(NamedTuple):
    """What a run folder holds: its identity, the sorted finished ranges of units and the sums over them."""

    identity: dict[str, Any]
    ranges: list[Range]
    sums: dict[str, Counts]


@dataclass(frozen=True)
class _State:
    """What is finished. Replaced in one assignment, so that not even an interrupt leaves it half updated."""

    identity: dict[str, Any]
    ranges: tuple[Range, ...]
    sums: Mapping[str, Counts]
    end: int = 0  # the end of the last sound frame of the journal; 0: not even its header is there
    records: int = 0  # frames before `end`
    damage: int | None = None  # the first byte before `end` that belongs to no sound frame

    @property
    def header(self) -> bytes:
        """The start of the journal; the digest ties it to the snapshot beside it."""
        return _JOURNAL_MAGIC + hashlib.blake2b(_encode(self.identity), digest_size=16).digest()

    def add(self, start: int, stop: int, arrays: Mapping[str, Counts]) -> "_State":
        """The state after one more chunk; ValueError or TypeError if it does not fit."""
        _check_layout(arrays, self.sums if self.ranges else arrays)
        sums = {}
        for name in sorted(arrays):
            sums[name] = np.array(arrays[name], dtype=np.int64)
            if name in self.sums:
                tally.add(sums[name], self.sums[name])
            sums[name].setflags(write=False)
        return replace(self, ranges=_add_range(self.ranges, start, stop), sums=sums)


class Journal:
    """The finished chunks of one run folder, open for appending; also a context manager that closes it.

    A ``with`` block left by an exception closes the files as they are: what `append` took is in them.
    """

    def __init__(self, folder: Path, state: _State) -> None:
        """Use `create` or `open`."""
        self._folder, self._state = folder, state
        self._file = FileIO(folder / _JOURNAL, "r+")

    @classmethod
    def create(cls, folder: Path, identity: Mapping[str, Any]) -> Self:
        """Start an empty journal in `folder` (made if needed), with an identity of plain JSON values.

        Raises JournalError if the folder already holds a run, OSError if it cannot be written.
        """
        if (folder / _SNAPSHOT).exists() or (folder / _JOURNAL).exists():
            raise JournalError(f"{folder} already holds a run")
        plain = msgspec.msgpack.decode(_encode(identity), type=dict[str, Any])
        folder.mkdir(parents=True, exist_ok=True)
        files.write_atomically(folder / _SNAPSHOT, _snapshot_bytes(_State(plain, (), {})))
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the journal in `folder`; what is torn or damaged is dropped: those units count as not played.

        Raises JournalError if there is none or if the snapshot or the journal's header is damaged or foreign;
        warns of damage before the end of the journal (DamageWarning).
        """
        state = _load(folder)
        if state.end == 0:
            files.write_atomically(folder / _JOURNAL, state.header)
            state = replace(state, end=len(state.header))
        journal = cls(folder, state)
        if state.damage is not None:
            with contextlib.ExitStack() as undo:
                undo.push(journal)
                journal.compact()
                undo.pop_all()
        return journal

    @staticmethod
    def read(folder: Path) -> Contents:
        """What is finished in `folder`; changes nothing and may run beside a writer. Raises as `open`."""
        state = _load(folder)
        return Contents(state.identity, list(state.ranges), dict(state.sums))

    @staticmethod
    def begun(folder: Path) -> bool:
        """Whether a journal was ever created in `folder`, sound or not."""
        try:
            with (folder / _SNAPSHOT).open("rb") as file:
                return file.read(len(_SNAPSHOT_MAGIC)) == _SNAPSHOT_MAGIC
        except OSError:
            return False

    @property
    def identity(self) -> dict[str, Any]:
        """What `create` stored, as JSON values (tuples have become lists)."""
        return self._state.identity

    @property
    def ranges(self) -> list[Range]:
        """Finished units as half-open ranges, sorted, adjacent ones merged."""
        return list(self._state.ranges)

    @property
    def sums(self) -> dict[str, Counts]:
        """Sums of the arrays of all finished chunks (int64, read-only) by name; empty before the first."""
        return dict(self._state.sums)

    def append(self, start: int, stop: int, arrays: Mapping[str, Counts]) -> None:
        """Record units [start, stop); when this returns, the chunk is on disk and counted.

        Raises TypeError (not int64) or ValueError (bad or overlapping range, other names or shapes than
        before). After an OSError, e.g. a full disk, the chunk is not counted and can be appended again.
        """
        start, stop = operator.index(start), operator.index(stop)
        added = self._state.add(start, stop, arrays)
        if self._state.records >= MAX_RECORDS or self._state.end >= MAX_BYTES:
            self.compact()
        frame = _frame((start, stop, _pack(arrays)))
        end, records = self._state.end, self._state.records
        self._cut()
        try:
            self._file.seek(end)
            files.write_all(self._file, frame)
            os.fsync(self._file)
        except BaseException:
            with contextlib.suppress(OSError):
                self._cut()
            raise
        self._state = replace(added, end=end + len(frame), records=records + 1)

    def compact(self) -> None:
        """Fold the journal into the snapshot; if this fails with an OSError, nothing finished is lost."""
        self._cut()
        if self._state.records:
            files.write_atomically(self._folder / _SNAPSHOT, _snapshot_bytes(self._state))
            # Before cutting: the frames are garbage from now on, and the file is never shorter than `end`.
            self._state = replace(self._state, end=len(self._state.header), records=0, damage=None)
            self._cut()

    def close(self) -> None:
        """Compact and close the files; harmless when closed already."""
        if not self._file.closed:
            try:
                self.compact()
            finally:
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self._file.close()

    def _cut(self) -> None:
        """Cut off what follows the last sound frame; ValueError if the journal is closed."""
        if self._file.closed:
            raise ValueError("the journal is closed")
        if os.fstat(self._file.fileno()).st_size > self._state.end:
            self._file.truncate(self._state.end)
            os.fsync(self._file)


def _check_layout(arrays: Mapping[str, Counts], before: Mapping[str, Counts]) -> None:
    if arrays.keys() != before.keys():
        raise ValueError(f"a chunk has arrays {sorted(arrays)}, the chunks before it {sorted(before)}")
    for name, array in arrays.items():
        kind = getattr(array, "dtype", type(array).__name__)
        if kind != np.int64:
            raise TypeError(f"array {name!r} of a chunk must be int64, not {kind}")
        if array.shape != before[name].shape:
            raise ValueError(f"array {name!r} has shape {array.shape}, before it was {before[name].shape}")


def _add_range(ranges: Sequence[Range], start: int, stop: int) -> tuple[Range, ...]:
    if not 0 <= start < stop:
        raise ValueError(f"[{start}, {stop}) is not a range of units")
    merged: list[Range] = []
    for first, last in sorted([*ranges, (start, stop)]):
        if merged and first < merged[-1][1]:
            raise ValueError(f"some units of [{start}, {stop}) are already finished")
        if merged and first == merged[-1][1]:
            merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return tuple(merged)


def _encode(value: object) -> bytes:
    return msgspec.msgpack.encode(value, order="deterministic")


def _frame(value: _Chunk | _Snapshot) -> bytes:
    payload = _encode(value)
    return _FRAME.pack(_FRAME_MAGIC, len(payload), zlib.crc32(payload)) + payload


def _payload(data: bytes, offset: int) -> bytes | None:
    """The payload of the frame at `offset`, or None if no sound frame is there."""
    begin = offset + _FRAME.size
    if len(data) < begin:
        return None
    magic, length, crc = _FRAME.unpack_from(data, offset)
    if magic != _FRAME_MAGIC or begin + length > len(data):
        return None
    payload = data[begin : begin + length]
    return payload if zlib.crc32(payload) == crc else None


def _pack(arrays: Mapping[str, Counts]) -> dict[str, _Packed]:
    # The arrays are mostly zeros, for which the fastest level is good enough.
    return {
        name: (a.shape, zlib.compress(a.astype("<i8", copy=False).tobytes(), 1)) for name, a in arrays.items()
    }


def _unpack(arrays: Mapping[str, _Packed]) -> dict[str, Counts]:
    """Raises ValueError or zlib.error for foreign bytes, before these take more memory than they should."""
    result = {}
    for name, (shape, data) in arrays.items():
        size = 8 * math.prod(shape)
        if min(shape, default=0) < 0 or size > _ZLIB_BEST * len(data):
            raise ValueError(f"array {name!r} cannot have the shape {shape}")
        plain = zlib.decompressobj().decompress(data, size + 1)
        if len(plain) != size:
            raise ValueError(f"array {name!r} has not the length that its shape {shape} asks for")
        result[name] = np.frombuffer(plain, dtype="<i8").astype(np.int64).reshape(shape)
        result[name].setflags(write=False)
    return result


def _snapshot_bytes(state: _State) -> bytes:
    """Equal identity, ranges and sums give equal bytes."""
    return _SNAPSHOT_MAGIC + _frame((state.identity, state.ranges, _pack(state.sums)))


def _load(folder: Path) -> _State:
    """The state of a run folder, which is only read."""
    # The journal goes first: if a writer compacts in between, the newer snapshot covers all frames read here.
    journal = (folder / _JOURNAL).read_bytes() if (folder / _JOURNAL).exists() else b""
    if not (folder / _SNAPSHOT).exists():
        raise JournalError(f"{folder} holds no run (there is no file {_SNAPSHOT!r})")
    state = _read_snapshot(folder / _SNAPSHOT)
    if not journal.startswith(state.header[: len(journal)]):
        kept = sum(stop - start for start, stop in state.ranges)
        raise JournalError(
            f"{folder / _JOURNAL} is damaged or does not belong to the {_SNAPSHOT} beside it; put back the "
            f"right one, or move it away and go on with the {kept:,} units that the {_SNAPSHOT} holds"
        )
    if len(journal) < len(state.header):
        return state
    state = _replay(replace(state, end=len(state.header)), journal)
    if state.damage is not None:
        warnings.warn(
            f"{folder / _JOURNAL} is damaged at byte {state.damage:,}: what was recorded there counts as not "
            "played, all else is kept",
            DamageWarning,
            stacklevel=3,
        )
    return state


def _read_snapshot(path: Path) -> _State:
    raw = path.read_bytes()
    payload = _payload(raw, len(_SNAPSHOT_MAGIC)) if raw.startswith(_SNAPSHOT_MAGIC) else None
    state = None if payload is None else _state(payload)
    if state is None:
        raise JournalError(
            f"{path} is damaged or not the snapshot of a run; put back a copy of it, or begin the run anew"
        )
    return state


def _state(payload: bytes) -> _State | None:
    """The state that a snapshot holds; None when it was not written by this module."""
    try:
        identity, ranges, sums = msgspec.msgpack.decode(payload, type=_Snapshot)
        ends = [0, *(end + 1 for pair in ranges for end in pair)]
        if any(later <= earlier for earlier, later in itertools.pairwise(ends)):
            return None
        return _State(identity, ranges, _unpack(sums))
    except (ValueError, RecursionError, msgspec.MsgspecError, zlib.error):
        return None


def _replay(state: _State, journal: bytes) -> _State:
    """Add the frames of the journal from `state.end` on to the state of the snapshot."""
    while (found := _find(journal, state.end)) is not None:
        at, payload = found
        sound = at == state.end
        try:
            start, stop, arrays = msgspec.msgpack.decode(payload, type=_Chunk)
            if not any(first <= start < stop <= last for first, last in state.ranges):
                state = state.add(start, stop, _unpack(arrays))
        except (ValueError, msgspec.MsgspecError, zlib.error):
            sound = False  # its checksum fits, but this module did not write it for this run
        damage = state.end if not sound and state.damage is None else state.damage
        end = at + _FRAME.size + len(payload)
        state = replace(state, end=end, records=state.records + 1, damage=damage)
    return state


def _find(data: bytes, offset: int) -> tuple[int, bytes] | None:
    """The first sound frame from `offset` on: where it begins, and its payload."""
    while offset >= 0:
        payload = _payload(data, offset)
        if payload is not None:
            return offset, payload
        offset = data.find(_FRAME_MAGIC, offset + 1)
    return None
