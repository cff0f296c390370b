"""Bytes on disk: journals, tunings and PBN files, damaged in every way, are read or refused in one line."""

import hashlib
import json
import struct
import tracemalloc
import zlib

import msgspec
import numpy as np
import pytest
from fuzzing import VALUES, damaged, told, tried
from hypothesis import example, given
from hypothesis import strategies as st

from bridzik_sim import tuning_folder
from bridzik_sim.errors import UsageError
from bridzik_sim.games.bridge import pbn
from bridzik_sim.journal import Journal

pytestmark = pytest.mark.filterwarnings("ignore::bridzik_sim.errors.DamageWarning")
IDENTITY = {"game": "bridzik", "seed": 7, "options": {}}
SNAPSHOT = b"bridzik snapshot 1\n"
HEADER = (
    b"bridzik journal 1\n"
    + hashlib.blake2b(msgspec.msgpack.encode(IDENTITY, order="deterministic"), digest_size=16).digest()
)
BOARDS = """% PBN 2.1
[Event "an evening"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
{ a comment }
[Auction "N"]
Pass Pass Pass Pass

[Board "2"]
[Dealer "#"]
[Vulnerable "##All"]
[Deal "E:AKQ2.J3.T98.5432 JT9.AKQ.5432.876 876.T98.AKQ.JT9A 543.76542.J76.KQ"]
"""


def frame(value):
    payload = value if isinstance(value, bytes) else msgspec.msgpack.encode(value)
    return struct.pack("<4sII", b"\xf7rec", len(payload), zlib.crc32(payload)) + payload


def counts(shape, values=None):
    values = np.arange(int(np.prod(shape)), dtype="<i8") if values is None else values
    return list(shape), zlib.compress(values.tobytes(), 1)


def chunk(start, stop):
    return [start, stop, {"counts": counts((2, 3)), "units": counts((), np.array(stop - start))}]


SOUND = SNAPSHOT + frame([IDENTITY, [[0, 4]], {"counts": counts((2, 3)), "units": counts((), np.array(4))}])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run folder with a snapshot and some chunks in the journal."""
    path = tmp_path_factory.mktemp("run")
    with Journal.create(path, IDENTITY):
        pass
    assert (path / "journal").read_bytes() == HEADER
    (path / "snapshot").write_bytes(SOUND)
    (path / "journal").write_bytes(HEADER + frame(chunk(4, 9)) + frame(chunk(20, 21)))
    assert Journal.read(path).ranges == [(0, 9), (20, 21)]
    return path


def read(folder):
    """Read and open a journal; what is there adds up."""
    for way in (Journal.read, Journal.open):
        found = told(way, folder)
        if found is None:
            continue
        assert found.ranges == sorted(found.ranges)
        assert all(array.dtype == np.int64 for array in found.sums.values())
        if isinstance(found, Journal):
            found.close()


@tried(60)
@given(snapshot=damaged(SOUND), journal=st.data())
def test_damaged_journals(folder, snapshot, journal):
    """Flipped bits, cuts and splices: all that passes the checksums is sound."""
    frames = HEADER + frame(chunk(4, 9)) + frame(chunk(20, 21)) + frame(chunk(4, 9))
    if journal.draw(st.booleans()):
        snapshot = SOUND
    (folder / "snapshot").write_bytes(snapshot)
    (folder / "journal").write_bytes(journal.draw(damaged(frames)))
    read(folder)


PACKED = st.tuples(
    st.lists(st.integers(-2, 4) | st.sampled_from([2**31, 2**62]), max_size=3),
    st.sampled_from(
        [
            b"",
            zlib.compress(b""),
            zlib.compress(b"x" * 7),
            zlib.compress(b"\1" * 48),
            zlib.compress(b"\1" * 8),
        ]
    ),
)
ARRAYS = st.dictionaries(st.sampled_from(["counts", "units", "ľ"]), PACKED, max_size=2)
ENDS = st.integers(-2, 6) | st.sampled_from([2**31, 2**63 - 1, 2**64 - 1])
RANGES = st.lists(st.tuples(ENDS, ENDS), max_size=3)


@tried(60)
@given(
    snapshot=VALUES | st.tuples(st.just(IDENTITY) | VALUES, RANGES, ARRAYS),
    chunks=st.lists(VALUES | st.tuples(ENDS, ENDS, ARRAYS), max_size=3),
)
@example(snapshot=[IDENTITY, [[0, 4]], {"counts": [[2, 2], zlib.compress(bytes(48))]}], chunks=[])
@example(snapshot=[IDENTITY, [[0, 4]], {"counts": [[2], b"not compressed"]}], chunks=[])
@example(snapshot=[IDENTITY, [[4, 0]], {}], chunks=[])
def test_foreign_journals_with_right_checksums(folder, snapshot, chunks):
    (folder / "snapshot").write_bytes(SNAPSHOT + frame(plain(snapshot)))
    (folder / "journal").write_bytes(HEADER + b"".join(frame(plain(one)) for one in chunks))
    read(folder)


def plain(value):
    """What msgpack can hold; anything else as bytes."""
    try:
        return msgspec.msgpack.encode(value)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return repr(value).encode("utf-8", "replace")


@pytest.mark.parametrize("where", ["snapshot", "journal"])
def test_a_bomb_of_zeros_takes_no_memory(folder, where):
    """A few kilobytes that unpack to 64 megabytes are not unpacked, for so much is not what the shape says."""
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    for shape in ([6], [2**40], []):
        sums = {"counts": [shape, bomb]}
        inside = where == "snapshot"
        (folder / "snapshot").write_bytes(
            SNAPSHOT + frame([IDENTITY, [[0, 4]] if inside else [], sums if inside else {}])
        )
        (folder / "journal").write_bytes(HEADER + (b"" if inside else frame([4, 9, sums])))
        tracemalloc.start()
        read(folder)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 8 << 20


LINES = [{"generation": n, "candidates": [[0.5, n]], "totals": [n]} for n in (1, 2, 3)]
TUNING = "".join(json.dumps(line) + "\n" for line in LINES).encode()


@tried(50)
@given(lines=damaged(TUNING) | VALUES, settings=damaged(b'{"seed": 7, "games": 5}'))
@example(lines=b"[" * 100_000 + b"\n", settings=b"[" * 100_000)
@example(lines=b'{"generation": 1, "candidates": 5, "totals": "x"}\n', settings=b'{"seed": 7, "games": 5}')
def test_tunings(tmp_path_factory, lines, settings):
    folder = tmp_path_factory.mktemp("tuning")
    if not isinstance(lines, bytes):
        lines = (repr(lines) + "\n").encode("utf-8", "replace")
    (folder / tuning_folder.JOURNAL).write_bytes(lines)
    (folder / tuning_folder.SETTINGS).write_bytes(settings)
    told(tuning_folder.begun_seed, folder)
    (folder / tuning_folder.SETTINGS).write_bytes(b'{"seed": 7, "games": 5}')
    opened = told(tuning_folder.TuningFolder, folder, {"seed": 7, "games": 5})
    if opened is not None:
        with opened:
            for candidates, totals in opened.lines:
                assert len(np.array(candidates, float)) == len(np.array(totals, np.int64))


@tried(50)
@given(data=damaged(BOARDS.encode()))
def test_pbn(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "fuzzed.pbn"
    file.write_bytes(data)
    boards = told(pbn.load, file)
    for board in boards or ():
        assert pbn.board_of(str(board)) == board
    assert boards is None or pbn.parse_boards([str(board) for board in boards]) == list(map(str, boards))


def test_pbn_that_is_not_there(tmp_path):
    for name in ("none.pbn", "x" * 5000, "a\nb"):
        with pytest.raises(UsageError) as refused:
            pbn.load(tmp_path / name)
        assert len(str(refused.value).splitlines()) == 1
