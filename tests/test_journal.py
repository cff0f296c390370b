"""The journal survives a kill between and within any two operations on its files, a full disk and damage."""

import contextlib
import errno
import functools
import io
import itertools
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridzik_sim import files as written
from bridzik_sim import journal as module
from bridzik_sim.errors import DamageWarning
from bridzik_sim.journal import Journal, JournalError

IDENTITY = {"game": "bridzik", "seed": 2**64 - 1, "seats": ["a", "b"], "options": {"z": 1.5, "a": None}}
CHUNKS = [(0, 4), (4, 8), (12, 16), (8, 12), (20, 30), (16, 20), (30, 31), (31, 40), (40, 44), (44, 50)]


@functools.cache
def arrays(start: int, stop: int) -> dict[str, np.ndarray]:
    """Distinct for every chunk, additive over adjacent ones, and mostly zeros."""
    counts = np.zeros((3, 5), dtype=np.int64)
    counts[1] = [stop - start, stop**2 - start**2, 2**stop - 2**start, 0, start - stop]
    return {"counts": counts, "units": np.array(stop - start, dtype=np.int64)}


def fill(folder: Path, chunks: list[tuple[int, int]] = CHUNKS) -> Journal:
    journal = Journal.create(folder, IDENTITY)
    for start, stop in chunks:
        journal.append(start, stop, arrays(start, stop))
    return journal


def finished(contents: module.Contents | Journal, order: list[tuple[int, int]] = CHUNKS) -> int:
    """How many chunks are finished; they must be the first ones of the order, each counted once."""
    units = sum(stop - start for start, stop in contents.ranges)
    count = next(n for n in range(len(order) + 1) if sum(b - a for a, b in order[:n]) == units)
    covered = {unit for start, stop in contents.ranges for unit in range(start, stop)}
    assert covered == {unit for start, stop in order[:count] for unit in range(start, stop)}
    assert contents.ranges == sorted(contents.ranges)
    assert all(a[1] < b[0] for a, b in zip(contents.ranges, contents.ranges[1:], strict=False))
    for name in ("counts", "units") if count else ():
        assert (contents.sums[name] == sum(arrays(a, b)[name] for a, b in order[:count])).all()
        assert contents.sums[name].dtype == np.int64
    assert contents.identity == IDENTITY
    return count


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def lay_down(folder: Path, content: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return folder


class Killed(BaseException):
    """The process ends here."""


class Disk:
    """Stands between the module and its files: logs every change and stops the module before the n-th.

    Writes are done a few bytes at a time, each a change of its own, so that they are torn at many places.
    """

    def __init__(self, stop_before: int = -1, error: type[BaseException] = Killed, piece: int = 23) -> None:
        self.log: list[str] = []
        self.stop_before, self.error, self.piece = stop_before, error, piece
        self.on_step = lambda: None

    def step(self, what: str) -> None:
        self.on_step()
        if len(self.log) == self.stop_before:
            self.log.append("stopped")
            raise self.error(errno.ENOSPC, "No space left on device")
        self.log.append(what)

    @contextlib.contextmanager
    def installed(self) -> Iterator["Disk"]:
        disk = self
        replace = os.replace

        class File(io.FileIO):
            def write(self, data: memoryview) -> int:
                disk.step(f"write {Path(self.name).name}")
                return super().write(data[: disk.piece])

            def truncate(self, size: int | None = None) -> int:
                disk.step(f"truncate {Path(self.name).name}")
                return super().truncate(size)

        def fake_sync(file: io.FileIO | int) -> None:
            disk.step("sync folder" if isinstance(file, int) else f"sync {Path(file.name).name}")

        def fake_replace(source: Path, target: Path) -> None:
            disk.step(f"replace {target.name}")
            replace(source, target)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "FileIO", File)
            patch.setattr(written, "FileIO", File)
            patch.setattr(module.os, "fsync", fake_sync)
            patch.setattr(module.os, "replace", fake_replace)
            patch.setattr(module, "MAX_RECORDS", 3)
            yield disk


def go_on(folder: Path, progress: list[int]) -> None:
    """What a run does: create or open, play what is not finished, close; progress[0] is what is promised."""
    journal = Journal.open(folder) if (folder / "snapshot").exists() else Journal.create(folder, IDENTITY)
    with journal:
        assert finished(journal) >= progress[0]
        for start, stop in CHUNKS[finished(journal) :]:
            journal.append(start, stop, arrays(start, stop))
            progress[0] = finished(journal)


def killed_at(folder: Path, moment: int, progress: list[int]) -> dict[str, bytes] | None:
    """The files as a kill at a moment leaves them (before the module's own clean-up), None if none came."""
    left: dict[str, bytes] = {}
    disk = Disk(moment)

    def look() -> None:
        if len(disk.log) == moment:
            left.update(files(folder))

    disk.on_step = look
    with disk.installed():
        try:
            go_on(folder, progress)
        except Killed:
            return left
    return None


def test_a_run_in_one_go(tmp_path: Path) -> None:
    with fill(tmp_path / "new" / "run") as journal:
        assert journal.ranges == [(0, 50)]
        assert finished(journal) == len(CHUNKS)
        with pytest.raises(ValueError, match="read-only"):
            journal.sums["counts"][0] = 1
    assert finished(Journal.read(tmp_path / "new" / "run")) == len(CHUNKS)
    assert sorted(files(tmp_path / "new" / "run")) == ["journal", "snapshot"]


def test_ranges_are_sorted_and_merged(tmp_path: Path) -> None:
    with fill(tmp_path, [(4, 6), (0, 2), (8, 9)]) as journal:
        assert journal.ranges == [(0, 2), (4, 6), (8, 9)]
        journal.append(2, 4, arrays(2, 4))
        assert journal.ranges == [(0, 6), (8, 9)]
        for start, stop in [(5, 7), (0, 1), (0, 20), (8, 9), (7, 9), (3, 3), (5, 4), (-1, 0)]:
            with pytest.raises(ValueError, match=r"finished|not a range"):
                journal.append(start, stop, arrays(start, stop) if start < stop else arrays(0, 1))
    assert Journal.read(tmp_path).ranges == [(0, 6), (8, 9)]


def test_a_kill_at_every_moment(tmp_path: Path) -> None:
    moment = 0
    while True:
        progress = [0]
        folder = tmp_path / str(moment)
        left = killed_at(folder, moment, progress)
        if left is None:
            break
        again = lay_down(tmp_path / f"{moment}-again", left)
        if "snapshot" in left:
            assert finished(Journal.read(again)) in (progress[0], progress[0] + 1)
            assert files(again) == left
        else:
            assert progress == [0]
        with Disk().installed():
            go_on(again, progress)
        assert finished(Journal.read(again)) == len(CHUNKS)
        assert sorted(files(again)) == ["journal", "snapshot"]
        moment += 1
    assert moment > 90


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 70), max_size=20))
def test_kills_again_and_again(moments: list[int]) -> None:
    with tempfile.TemporaryDirectory() as root:
        progress = [0]
        folder = Path(root, "0")
        for number, moment in enumerate(moments, 1):
            left = killed_at(folder, moment, progress)
            if left is None:
                break
            folder = lay_down(Path(root, str(number)), left)
        with Disk().installed():
            go_on(folder, progress)
        assert finished(Journal.read(folder)) == len(CHUNKS)


def test_a_reader_beside_a_writer_sees_finished_chunks_once(tmp_path: Path) -> None:
    seen = [0]
    disk = Disk()

    def look() -> None:
        if (tmp_path / "snapshot").exists():
            seen.append(finished(Journal.read(tmp_path)))

    disk.on_step = look
    with disk.installed():
        go_on(tmp_path, [0])
    assert seen == sorted(seen)
    assert seen[-1] == len(CHUNKS)


def test_a_compaction_between_the_two_reads_of_a_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = fill(tmp_path, CHUNKS[:3])
    read_bytes = Path.read_bytes

    def slow(path: Path) -> bytes:
        data = read_bytes(path)
        if path.name == "journal":
            journal.compact()
            journal.append(*CHUNKS[3], arrays(*CHUNKS[3]))
        return data

    monkeypatch.setattr(Path, "read_bytes", slow)
    contents = Journal.read(tmp_path)
    monkeypatch.undo()
    assert finished(contents) == 3
    journal.close()


def test_every_change_is_synced_before_it_counts(tmp_path: Path) -> None:
    with Disk(piece=1 << 20).installed() as disk:
        journal = fill(tmp_path, [])
        disk.log.clear()
        journal.append(0, 4, arrays(0, 4))
        assert disk.log == ["write journal", "sync journal"]
        disk.log.clear()
        journal.compact()
        temporary = f".snapshot.{os.getpid()}.tmp"
        snapshot = [f"write {temporary}", f"sync {temporary}", "replace snapshot"]
        if os.name != "nt":
            snapshot.append("sync folder")
        assert disk.log == [*snapshot, "truncate journal", "sync journal"]
        disk.log.clear()
        journal.close()
        assert disk.log == []


@pytest.mark.parametrize("compacted", [0, 2])
def test_a_journal_cut_at_every_byte(tmp_path: Path, compacted: int) -> None:
    journal = fill(tmp_path / "whole", CHUNKS[:compacted])
    journal.compact()
    ends = [(tmp_path / "whole" / "journal").stat().st_size]
    for start, stop in CHUNKS[compacted:4]:
        journal.append(start, stop, arrays(start, stop))
        ends.append((tmp_path / "whole" / "journal").stat().st_size)
    whole = files(tmp_path / "whole")
    journal.close()
    for size in range(len(whole["journal"]) + 1):
        folder = lay_down(tmp_path / str(size), whole | {"journal": whole["journal"][:size]})
        expected = compacted + sum(end <= size for end in ends[1:])
        assert finished(Journal.read(folder)) == expected
        with Disk(piece=1 << 20).installed(), Journal.open(folder) as journal:
            for number in (expected, expected + 1):
                journal.append(*CHUNKS[number], arrays(*CHUNKS[number]))
                assert finished(Journal.read(folder)) == number + 1


def test_sound_frames_behind_a_damaged_one_are_kept_and_the_damage_is_told(tmp_path: Path) -> None:
    chunk = {"x": np.ones(3, np.int64)}
    journal = fill(tmp_path / "whole", [])
    ends = []
    for unit in range(4):
        journal.append(unit, unit + 1, chunk)
        ends.append((tmp_path / "whole" / "journal").stat().st_size)
    damaged = files(tmp_path / "whole")
    damaged["journal"] = damaged["journal"][: ends[1] - 1] + b"?" + damaged["journal"][ends[1] :]
    journal.close()
    folder = lay_down(tmp_path / "damaged", damaged)
    with pytest.warns(DamageWarning, match=f"journal is damaged at byte {ends[0]}: "):
        journal = Journal.open(folder)
    assert journal.ranges == [(0, 1), (2, 4)]
    assert Journal.read(folder).ranges == [(0, 1), (2, 4)]
    journal.append(1, 2, chunk)
    assert Journal.read(folder).ranges == [(0, 4)]
    np.testing.assert_array_equal(journal.sums["x"], 4)
    journal.close()


def test_frames_that_the_snapshot_has_are_skipped(tmp_path: Path) -> None:
    journal = fill(tmp_path / "run", CHUNKS[:2])
    early = files(tmp_path / "run")
    journal.append(*CHUNKS[2], arrays(*CHUNKS[2]))
    late = files(tmp_path / "run")
    journal.close()
    with Journal.open(lay_down(tmp_path / "copy", early)) as journal:
        journal.compact()
        folder = lay_down(tmp_path / "mixed", late | {"snapshot": files(tmp_path / "copy")["snapshot"]})
    assert finished(Journal.read(folder)) == 3
    with Disk().installed():
        go_on(folder, [3])
    assert finished(Journal.read(folder)) == len(CHUNKS)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_damage_or_a_garbage_tail_drops_only_what_it_touches(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as root:
        journal = fill(Path(root, "whole"), [])
        ends = [len(files(Path(root, "whole"))["journal"])]
        for start, stop in CHUNKS[:5]:
            journal.append(start, stop, arrays(start, stop))
            ends.append((Path(root, "whole") / "journal").stat().st_size)
        whole = files(Path(root, "whole"))
        journal.close()
        place = data.draw(st.integers(ends[0], len(whole["journal"])))
        damage = data.draw(st.binary(min_size=1, max_size=300))
        damaged = whole["journal"][:place] + damage + whole["journal"][place + len(damage) :]
        folder = lay_down(Path(root, "damaged"), whole | {"journal": damaged})
        sound = [damaged[a:b] == whole["journal"][a:b] for a, b in itertools.pairwise(ends)]
        order = [chunk for chunk, kept in zip(CHUNKS, sound, strict=False) if kept]
        order += [chunk for chunk in CHUNKS if chunk not in order]
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert finished(Journal.read(folder), order) == sum(sound)
        assert len(told) == (sound != sorted(sound, reverse=True))
        with Disk().installed(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DamageWarning)
            with Journal.open(folder) as journal:
                for start, stop in order[sum(sound) :]:
                    journal.append(start, stop, arrays(start, stop))
        assert finished(Journal.read(folder)) == len(CHUNKS)


def test_a_damaged_snapshot_or_header_is_refused(tmp_path: Path) -> None:
    journal = fill(tmp_path / "whole", CHUNKS[:2])
    journal.compact()
    journal.append(*CHUNKS[2], arrays(*CHUNKS[2]))
    whole = files(tmp_path / "whole")
    header = len(module._JOURNAL_MAGIC) + 16
    journal.close()
    folder = lay_down(tmp_path / "damaged", whole)
    for name, size in [("snapshot", len(whole["snapshot"])), ("journal", header)]:
        for place in range(size):
            damaged = bytearray(whole[name])
            damaged[place] ^= 1 << place % 8
            (folder / name).write_bytes(damaged)
            with pytest.raises(JournalError, match=rf"{name} is damaged") as caught:
                Journal.open(folder)
            assert "\n" not in str(caught.value)
        (folder / name).write_bytes(whole[name])
    for size in range(len(whole["snapshot"])):
        (folder / "snapshot").write_bytes(whole["snapshot"][:size])
        with pytest.raises(JournalError, match="snapshot is damaged"):
            Journal.read(folder)


def test_no_run_a_second_run_and_a_foreign_journal(tmp_path: Path) -> None:
    for attempt in (Journal.open, Journal.read):
        with pytest.raises(JournalError, match="holds no run"):
            attempt(tmp_path / "nowhere")
    fill(tmp_path / "one", CHUNKS[:1]).close()
    with pytest.raises(JournalError, match="already holds a run"):
        Journal.create(tmp_path / "one", IDENTITY)
    Journal.create(tmp_path / "two", IDENTITY | {"seed": 1}).close()
    (tmp_path / "one" / "journal").replace(tmp_path / "two" / "journal")
    with pytest.raises(JournalError, match="does not belong"):
        Journal.open(tmp_path / "two")
    assert finished(Journal.read(tmp_path / "one")) == 1


def test_reading_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    journal = fill(folder, CHUNKS[:2])
    with (folder / "journal").open("ab") as file:
        file.write(b"torn")
    before = files(folder)
    times = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    folder.chmod(0o500)
    try:
        assert finished(Journal.read(folder)) == 2
    finally:
        folder.chmod(0o700)
    assert files(folder) == before
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == times
    journal.close()


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_going_on_with_the_same_journal_after_a_failure_at_any_moment(
    tmp_path: Path, error: type[BaseException]
) -> None:
    moment = failures = 0
    while failures == moment:
        folder = tmp_path / str(moment)
        with Disk(error=error).installed() as disk:
            journal = fill(folder, [])
            disk.log.clear()
            disk.stop_before = moment
            for start, stop in CHUNKS:
                while all(stop <= first or last <= start for first, last in journal.ranges):
                    before = finished(journal)
                    try:
                        journal.append(start, stop, arrays(start, stop))
                    except error:
                        failures += 1
                        assert finished(journal) == before
                        assert finished(Journal.read(folder)) >= before
                        assert not list(folder.glob("*.tmp"))
            assert finished(journal) == len(CHUNKS)
            assert finished(Journal.read(folder)) == len(CHUNKS)
            disk.stop_before = -1
            journal.close()
        assert finished(Journal.read(folder)) == len(CHUNKS)
        moment += 1
    assert moment > 50


def test_a_full_disk_leaves_no_torn_frame_even_if_it_cannot_be_cut_at_once(tmp_path: Path) -> None:
    disk = Disk()
    with disk.installed():
        journal = fill(tmp_path, CHUNKS[:2])
        size = (tmp_path / "journal").stat().st_size
        for cut_works in (True, False):
            disk.log.clear()

            def full(cut_works: bool = cut_works) -> None:
                if len(disk.log) == 2 or (len(disk.log) > 2 and not cut_works):
                    disk.log.append("full")
                    raise OSError(errno.ENOSPC, "No space left on device")

            disk.on_step = full
            with pytest.raises(OSError, match="No space"):
                journal.append(*CHUNKS[2], arrays(*CHUNKS[2]))
            assert ((tmp_path / "journal").stat().st_size == size) == cut_works
            assert finished(Journal.read(tmp_path)) == 2
        disk.on_step = lambda: None
        journal.append(*CHUNKS[2], arrays(*CHUNKS[2]))
        assert finished(Journal.read(tmp_path)) == 3
        go_on_from = files(tmp_path)
        journal.close()
    assert finished(Journal.read(lay_down(tmp_path / "copy", go_on_from))) == 3


def test_an_exception_in_the_block_keeps_the_finished_chunks(tmp_path: Path) -> None:
    with pytest.raises(KeyError), fill(tmp_path, CHUNKS[:2]):
        raise KeyError
    with Journal.open(tmp_path) as journal:
        assert finished(journal) == 2


def test_chunks_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with fill(tmp_path, CHUNKS[:1]) as journal:
        before = files(tmp_path)
        good = arrays(4, 8)
        for dtype in (np.float64, np.int32, np.uint64, ">i8", bool, object):
            with pytest.raises(TypeError, match="'units' of a chunk must be int64, not"):
                journal.append(4, 8, good | {"units": good["units"].astype(dtype)})
        with pytest.raises(TypeError, match="must be int64, not int"):
            journal.append(4, 8, good | {"units": 4})
        with pytest.raises(ValueError, match=r"has shape \(1,\), before it was \(\)"):
            journal.append(4, 8, good | {"units": good["units"].reshape(1)})
        with pytest.raises(ValueError, match="a chunk has arrays"):
            journal.append(4, 8, {"units": good["units"]})
        with pytest.raises(ValueError, match="a chunk has arrays"):
            journal.append(4, 8, good | {"more": good["units"]})
        with pytest.raises(TypeError):
            journal.append(4.0, 8, good)
        assert files(tmp_path) == before
    with pytest.raises(ValueError, match="closed"):
        journal.append(4, 8, good)
    with pytest.raises(ValueError, match="closed"):
        journal.compact()
    journal.close()


def test_the_first_chunk_is_checked_too(tmp_path: Path) -> None:
    with Journal.create(tmp_path, IDENTITY) as journal, pytest.raises(TypeError, match="must be int64"):
        journal.append(0, 1, {"x": np.zeros(3)})


@pytest.mark.parametrize("bad", [{1: 2}, {"x": object()}, {"x": 2**64}])
def test_an_identity_that_cannot_be_stored_leaves_no_file(tmp_path: Path, bad: dict) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Journal.create(tmp_path, bad)
    assert files(tmp_path) == {}


def test_arrays_of_any_layout_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    big = rng.integers(-(2**62), 2**62, (7, 5, 3))
    chunk = {
        "transposed": big.T,
        "strided": big[::2],
        "empty": np.zeros((0, 4), np.int64),
        "scalar": np.array(7),
    }
    with Journal.create(tmp_path, IDENTITY) as journal:
        journal.append(0, 1, chunk)
        chunk["scalar"][()] = 8
        journal.append(np.int64(1), np.int64(2), {name: -array for name, array in chunk.items()})
        journal.append(2, 3, chunk)
        chunk["scalar"][()] = 7
    for sums in (journal.sums, Journal.read(tmp_path).sums):
        assert list(sums) == sorted(chunk)
        for name, array in chunk.items():
            np.testing.assert_array_equal(sums[name], array)
            assert sums[name].shape == array.shape


def test_equal_sums_give_equal_snapshots(tmp_path: Path) -> None:
    fill(tmp_path / "one").close()
    with Journal.create(tmp_path / "two", dict(reversed(IDENTITY.items()))) as journal:
        journal.append(30, 50, dict(reversed(arrays(30, 50).items())))
        journal.compact()
        journal.append(0, 30, arrays(0, 30))
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_the_folder_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.os, "fsync", lambda file: None)
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 2**55, 8_000)
    largest = 0
    with Journal.create(tmp_path / "bytes", IDENTITY) as journal:
        for unit in range(100):
            journal.append(unit, unit + 1, {"counts": counts})
            largest = max(largest, sum(map(len, files(tmp_path / "bytes").values())))
    assert largest < module.MAX_BYTES + 4 * counts.nbytes
    with Journal.create(tmp_path / "records", IDENTITY) as journal:
        sizes = []
        for unit in range(200):
            journal.append(unit, unit + 1, {"counts": counts[:2]})
            sizes.append((tmp_path / "records" / "journal").stat().st_size)
    drops = [unit for unit in range(1, 200) if sizes[unit] < sizes[unit - 1]]
    assert drops == [module.MAX_RECORDS * n for n in (1, 2, 3)]


PLAYER = """
import sys
from pathlib import Path
import numpy as np
from bridzik_sim.journal import Journal
folder = Path(sys.argv[1])
journal = Journal.open(folder)
start = sum(b - a for a, b in journal.ranges)
for unit in range(start, 10**6):
    journal.append(unit, unit + 1, {"sum": np.full(2000, unit)})
    print(unit, flush=True)
"""


def test_a_real_kill(tmp_path: Path) -> None:
    Journal.create(tmp_path, IDENTITY).close()
    units = 0
    for lines in (1, 70, 150):
        command = [sys.executable, "-c", PLAYER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]) as player:
            assert player.stdout is not None
            promised = [int(player.stdout.readline()) for _ in range(lines)][-1]
            player.kill()
        contents = Journal.read(tmp_path)
        assert contents.ranges == [(0, contents.ranges[0][1])]
        units = contents.ranges[0][1]
        assert units > promised
        np.testing.assert_array_equal(contents.sums["sum"], np.full(2000, units * (units - 1) // 2))
