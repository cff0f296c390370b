"""The run folder: whose files are replaced and whose are not, full disks, and what a killed run leaves."""

import errno
import os
import re
import shutil
import zlib
from pathlib import Path

import pytest

from bridzik_sim import api, csv_rows, executors, files, folder, journal, rows
from bridzik_sim.errors import UsageError
from bridzik_sim.results import Results
from cli import running, standings

SEATS = "simple,random*3"
pytestmark = pytest.mark.usefixtures("no_timing")


def simulate(bridzik, *arguments, seats=SEATS, games=20, seed=5):
    return bridzik("simulate", "--seats", seats, "--games", games, "--seed", seed, *arguments)


def test_an_unwritable_folder_is_refused(bridzik, tmp_path):
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file" / "run", tmp_path / "file"):
        result = simulate(bridzik, "--out", out)
        assert result.code == 2
        assert result.err.startswith(f"Error: cannot write to the folder {out}: ")
        assert result.err.count("\n") == 1


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_that_holds_another_run_is_left_alone(bridzik, tmp_path, no_pictures):
    out = tmp_path / "run"
    api.simulate("random*4", 5, 1, out=out)
    before = contents(out)
    result = simulate(bridzik, "--out", out)
    assert result.code == 2
    assert f"already holds a run; go on with 'bridzik resume {out}'" in result.err
    assert contents(out) == before


def test_force_replaces_a_run_and_only_that(bridzik, tmp_path, no_pictures, tables, reference):
    out = tmp_path / "run"
    api.simulate("random*4", 5, 1, out=out, rows="csv")
    for name in ("holiday.png", "notes.csv", "accuracy.png"):
        (out / name).write_bytes(b"mine")
    assert simulate(bridzik, "--out", out, "--force").code == 0
    assert (out / "holiday.png").exists()
    assert (out / "notes.csv").exists()
    (out / "notes.csv").unlink()
    assert not (out / "rows.csv").exists()
    assert not (out / "accuracy.png").exists()
    assert tables(out) == reference(SEATS, 20, 5)


@pytest.mark.parametrize("name", ["summary.csv", "accuracy.png", "report.html", "experiment.toml", "journal"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_files_of_others_are_not_overwritten(bridzik, tmp_path, name, force):
    (tmp_path / name).write_bytes(b"mine")
    (tmp_path / "notes.txt").write_bytes(b"mine")
    before = contents(tmp_path)
    result = simulate(bridzik, "--out", tmp_path, *force)
    assert result.code == 2
    assert result.err == (
        f"Error: {tmp_path} holds no run, but a run would overwrite the {name} in it; choose another folder\n"
    )
    assert contents(tmp_path) == before


def test_a_folder_of_rows_is_not_overwritten(bridzik, tmp_path):
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "1-2.csv").write_bytes(b"mine")
    assert "would overwrite the rows in it" in simulate(bridzik, "--out", tmp_path, "--force").err
    assert (tmp_path / "rows" / "1-2.csv").read_bytes() == b"mine"


def test_other_files_are_no_hindrance(bridzik, tmp_path, no_pictures):
    (tmp_path / "notes.txt").write_bytes(b"mine")
    assert simulate(bridzik, "--out", tmp_path).code == 0
    assert (tmp_path / "notes.txt").read_bytes() == b"mine"


def test_a_strategy_that_does_not_compile_costs_no_run(bridzik, tmp_path, no_pictures):
    mine, out = tmp_path / "mine.py", tmp_path / "run"
    mine.write_text("def bid(view):\n    return 0\n\n\ndef play(view):\n    return view.hnad\n")
    assert simulate(bridzik, "--out", out, seats=f"{mine},random*3").code == 2
    assert not out.exists()
    api.simulate("random*4", 5, 1, out=out)
    before = contents(out)
    assert simulate(bridzik, "--out", out, "--force", seats=f"{mine},random*3").code == 2
    assert contents(out) == before


def test_workers_that_cannot_begin_cost_no_run(tmp_path, monkeypatch):
    def refuse(*_):
        raise UsageError("no cluster there")

    api.simulate("random*4", 5, 1, out=tmp_path)
    before = contents(tmp_path)
    monkeypatch.setattr(executors, "make", refuse)
    for play in (
        lambda: api.simulate("random*4", 5, 2, out=tmp_path, force=True),
        lambda: api.resume(tmp_path, 9),
    ):
        with pytest.raises(UsageError, match="no cluster there"):
            play()
        assert contents(tmp_path) == before
    assert api.resume(tmp_path).games == 5


def test_a_deleted_snapshot_is_missed(tmp_path):
    api.simulate("random*4", 5, 1, out=tmp_path)
    (tmp_path / "snapshot").unlink()
    with pytest.raises(UsageError, match="there is no file 'snapshot'"):
        api.resume(tmp_path)
    with pytest.raises(UsageError, match="replace it with --force"):
        api.simulate("random*4", 5, 1, out=tmp_path)


def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch):
    def acquire(*_, **__):
        raise NotImplementedError

    monkeypatch.setattr("filelock.FileLock.acquire", acquire)
    with pytest.raises(UsageError, match="a file system without locks"):
        folder.locked(tmp_path)


def test_a_run_may_begin_anew_where_none_was_finished(bridzik, bad, tmp_path, no_pictures, tables, reference):
    out = tmp_path / "run"
    assert simulate(bridzik, "--out", out, seats=f"random*3,bad={bad}:how=1").code == 3
    assert (out / "experiment.toml").exists()
    assert not folder.occupied(out)
    assert simulate(bridzik, "--out", out).code == 0
    assert tables(out) == reference(SEATS, 20, 5)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_disk_that_is_full_at_the_start_is_told_and_no_hindrance_later(
    bridzik, tmp_path, monkeypatch, no_pictures, at
):
    out, write, calls = tmp_path / "run", files.write_all, []

    def full(file, data):
        calls.append(None)
        if len(calls) > at:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_all", full)
        result = simulate(bridzik, "--out", out)
    assert result.code == 2
    assert re.match(f"Error: {out}/(experiment.toml|snapshot|journal): No space left on device", result.err)
    assert simulate(bridzik, "--out", out).code == 0


def test_half_written_files_of_killed_runs_are_removed(bridzik, tmp_path, no_pictures):
    out = tmp_path / "run"
    api.simulate(SEATS, 20, 5, out=out)
    strays = [out / f".{name}.1234567.tmp" for name in ("snapshot", "rows.csv", "accuracy.png")]
    other = out / ".notes.txt.1234567.tmp"
    for arguments in (["resume", out], ["simulate", "--out", out, "--force", "--seats", SEATS, "--games", 3]):
        for path in (*strays, other):
            path.write_bytes(b"half")
        assert bridzik(*arguments).code == 0
        assert not any(path.exists() for path in strays)
        assert other.exists()


def test_the_report_is_there_even_if_nobody_reads_the_standings(tmp_path, monkeypatch, no_pictures):
    def gone(*arguments):
        raise BrokenPipeError

    monkeypatch.setattr(standings, "show", gone)
    settings = {"seed": 5, "out": tmp_path / "run"}
    with pytest.raises(BrokenPipeError):
        running.play(
            lambda tick: api.simulate(SEATS, 20, **settings, tick=tick), tmp_path / "run", "csv", True
        )
    assert (tmp_path / "run" / "report.html").exists()


def test_tables_are_written_once_a_run(bridzik, tmp_path, monkeypatch, no_pictures):
    written, save = [], Results.save_tables

    def counted(self, path):
        written.append(path)
        return save(self, path)

    monkeypatch.setattr(Results, "save_tables", counted)
    out = tmp_path / "run"
    assert simulate(bridzik, "--out", out).code == 0
    assert written == [out]
    assert bridzik("report", out).code == 0
    assert written == [out, out]


def test_two_runs_at_once_in_one_folder_are_refused(bridzik, tmp_path, monkeypatch, no_pictures):
    out, second = tmp_path / "run", []

    def tick(results, units, seconds):
        if not second:
            second.append(None)
            second.append(simulate(bridzik, "--out", out, "--force"))
            second.append(bridzik("resume", out))

    api.simulate(SEATS, 20, 5, out=out, tick=tick)
    for result in second[1:]:
        assert result.code == 2
        assert f"another bridzik is writing to {out}" in result.err
        assert result.err.count("\n") == 1


@pytest.mark.parametrize("at", [3, 4, 9])
def test_a_full_disk_stops_in_one_line_and_resume_completes(
    bridzik, tmp_path, monkeypatch, no_pictures, tables, reference, at
):
    out, write, calls = tmp_path / "run", files.write_all, []

    def full(file, data):
        calls.append(None)
        if len(calls) > at:
            write(file, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        write(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_all", full)
        result = simulate(bridzik, "--out", out, "--rows", "csv", games=300)
    assert result.code == 2
    assert result.err.startswith("Error: cannot write to ")
    assert "No space left on device; nothing that was finished is lost" in result.err
    assert "bridzik resume" in result.err
    assert result.err.count("\n") == 1
    assert journal.Journal.read(out).ranges or at < 5
    assert not list(out.rglob("*.tmp"))
    assert bridzik("resume", out).code == 0
    assert tables(out) == reference(SEATS, 300, 5, rows="csv")


def test_rows_are_on_disk_before_the_journal_vouches_for_them(tmp_path, monkeypatch):
    log, sync, replace, remove = [], os.fsync, os.replace, shutil.rmtree

    def logged_sync(file):
        sync(file)
        log.append(f"sync {'folder' if isinstance(file, int) else Path(file.name).name}")

    def logged_replace(source, target):
        replace(source, target)
        log.append(f"replace {Path(target).name}")

    def logged_remove(path, **settings):
        remove(path, **settings)
        log.append(f"remove {Path(path).name}")

    monkeypatch.setattr(os, "fsync", logged_sync)
    monkeypatch.setattr(os, "replace", logged_replace)
    monkeypatch.setattr(shutil, "rmtree", logged_remove)
    api.simulate("random*4", 1, 5, out=tmp_path, rows="csv", jobs=1)
    part, process = (
        f"{0:012d}-{1:012d}-{zlib.crc32((tmp_path / 'rows.csv').read_bytes()):08x}.csv",
        os.getpid(),
    )
    folder_synced = ["sync folder"] if os.name != "nt" else []

    def whole(name):
        return [f"sync .{name}.{process}.tmp", f"replace {name}", *folder_synced]

    at = log.index(f"sync .{part}.{process}.tmp")
    assert log[at : at + 3 + len(folder_synced)] == [*whole(part), "sync journal"]
    at = log.index(f"sync .rows.csv.{process}.tmp")
    assert log[at:] == [*whole("rows.csv"), "remove rows", *log[at + len(whole("rows.csv")) + 1 :]]


def test_a_failed_join_leaves_nothing_behind_and_is_made_up_for(
    bridzik, tmp_path, monkeypatch, tables, reference
):
    def full(file, source):
        files.write_all(file, source.read(100))
        raise OSError(errno.ENOSPC, "No space left on device")

    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(csv_rows, "copy_into", full)
        result = simulate(bridzik, "--out", out, "--rows", "csv")
    assert result.code == 2
    assert "No space left on device; nothing that was finished is lost" in result.err
    assert not list(out.rglob(".*.tmp"))
    assert not (out / "rows.csv").exists()
    api.resume(out)
    assert tables(out) == reference(SEATS, 20, 5, rows="csv")


def test_a_part_that_is_damaged_is_told(bridzik, tmp_path, monkeypatch, tables, reference):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(rows, "join", lambda *arguments: None)
        api.simulate(SEATS, 20, 5, out=out, rows="csv", chunk_units=5)
    part = sorted((out / "rows").iterdir())[2]
    data = part.read_bytes()
    part.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
    result = bridzik("resume", out)
    assert result.code == 2
    assert f"the rows in {part} are damaged" in result.err
    part.write_bytes(data)
    api.resume(out)
    assert tables(out) == reference(SEATS, 20, 5, rows="csv")


def test_a_part_that_is_missing_is_told(bridzik, tmp_path, monkeypatch):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(rows, "join", lambda *arguments: None)
        api.simulate(SEATS, 20, 5, out=out, rows="csv", chunk_units=5)
    sorted((out / "rows").iterdir())[1].unlink()
    left = contents(out / "rows")
    result = bridzik("resume", out)
    assert result.code == 2
    assert "do not hold the rows of all finished games" in result.err
    assert contents(out / "rows") == left
    assert not (out / "rows.csv").exists()
