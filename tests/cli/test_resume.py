"""Interrupted runs: what Ctrl-C and kill leave behind, and that resuming gives the bytes of an uninterrupted run."""

import os
import signal
import sys
import time

import pytest

from bridzik_sim import api, journal
from cli import progress

SEATS = "simple,random*3"
pytestmark = pytest.mark.usefixtures("no_timing", "no_pictures")


def interrupt(after):
    """A tick that once, at the tick after so many, does as Ctrl-C."""
    ticks = []

    def tick(results, units, seconds):
        ticks.append(units)
        if len(ticks) == after + 1:
            raise KeyboardInterrupt

    return tick


def interrupted(folder, games, seed=5, after=2, **settings):
    """Begin a run and stop it after some ticks."""
    with pytest.raises(api.runner.Interrupted):
        api.simulate(SEATS, games, seed, out=folder, tick=interrupt(after), **settings)
    finished = sum(stop - first for first, stop in journal.Journal.read(folder).ranges)
    assert 0 < finished < games
    return finished


@pytest.mark.parametrize(
    "settings", [{}, {"rows": "csv", "jobs": 2}, {"seating": "rotate", "rows": "csv", "jobs": 1}]
)
def test_resume_completes_to_the_same_bytes(bridzik, tmp_path, tables, reference, settings):
    finished = interrupted(tmp_path, 900, chunk_units=10, **settings)
    result = bridzik("resume", tmp_path, "--jobs", 2)
    assert result.code == 0
    assert "900 games (" in result.out
    assert "nothing was left" not in result.err
    settings.pop("jobs", None)
    assert tables(tmp_path) == reference(SEATS, 900, 5, **settings)
    assert finished < 900


def test_resume_may_be_interrupted_again_and_again(tmp_path, tables, reference):
    interrupted(tmp_path, 900, chunk_units=20, rows="csv")
    for after in (1, 3, 2):
        with pytest.raises(api.runner.Interrupted):
            api.resume(tmp_path, tick=interrupt(after), chunk_units=9)
    api.resume(tmp_path)
    assert tables(tmp_path) == reference(SEATS, 900, 5, rows="csv")


@pytest.mark.parametrize("settings", [{"rows": "csv"}, {"seating": "rotate"}])
def test_a_longer_run_is_the_run_that_was_long_from_the_beginning(
    bridzik, tmp_path, tables, reference, settings
):
    api.simulate(SEATS, 300, 5, out=tmp_path, **settings)
    result = bridzik("resume", tmp_path, "--games", "0.9k")
    assert result.code == 0
    assert tables(tmp_path) == reference(SEATS, 900, 5, **settings)


def test_nothing_left_to_do_derives_everything_anew(bridzik, tmp_path, tables, reference):
    api.simulate(SEATS, 900, 5, out=tmp_path, rows="csv")
    (tmp_path / "summary.csv").unlink()
    (tmp_path / "scores.csv").write_text("spoiled")
    for arguments in ([], ["--games", "900"]):
        result = bridzik("resume", tmp_path, *arguments)
        assert result.code == 0
        assert "nothing was left to do: all 900 games were finished before" in result.err
        assert tables(tmp_path) == reference(SEATS, 900, 5, rows="csv")
    assert (tmp_path / "report.html").exists()


def test_a_run_cannot_be_made_shorter(bridzik, tmp_path):
    api.simulate(SEATS, 30, 5, out=tmp_path)
    before = (tmp_path / "experiment.toml").read_bytes()
    result = bridzik("resume", tmp_path, "--games", 20)
    assert result.code == 2
    assert "is a run of 30 games; --games must be more" in result.err
    assert (tmp_path / "experiment.toml").read_bytes() == before


def test_a_torn_end_of_the_journal_is_played_again(bridzik, tmp_path, tables, reference):
    interrupted(tmp_path, 900, chunk_units=10)
    path = tmp_path / "journal"
    whole = path.read_bytes()
    units = journal.Journal.read(tmp_path).ranges
    path.write_bytes(whole[:-7])
    assert journal.Journal.read(tmp_path).ranges != units
    assert bridzik("resume", tmp_path).code == 0
    assert tables(tmp_path) == reference(SEATS, 900, 5)


def test_rubbish_after_the_journal_is_cut_off(bridzik, tmp_path, tables, reference):
    interrupted(tmp_path, 900, chunk_units=10)
    with (tmp_path / "journal").open("ab") as file:
        file.write(os.urandom(100))
    assert bridzik("resume", tmp_path).code == 0
    assert tables(tmp_path) == reference(SEATS, 900, 5)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed = 5", "seed = 6", "the run was begun with seed = 5"),
        ('seating = "given"', 'seating = "rotate"', "the run was begun with seating = 'given'"),
        ('on_error = "stop"', 'on_error = "forfeit"', "on_error = 'stop'"),
        ("first_unit = 0", "first_unit = 3", "first_unit or games was changed"),
        ("games = 30", "games = 20", "first_unit or games was changed"),
        ("games = 30", 'games = "many"', "the number of games must be a whole number"),
        ("seed = 5", "", "a key is missing or has the wrong type: 'seed'"),
        ("seed = 5", "seed = = 5", "is not readable TOML"),
        ("schema = 3", "schema = 2", "another version of bridzik"),
        ('spec = "simple"', 'spec = "random"', "the strategy simple has changed"),
    ],
)
def test_a_changed_experiment_is_refused(bridzik, tmp_path, old, new, said):
    api.simulate(SEATS, 30, 5, out=tmp_path)
    path = tmp_path / "experiment.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().partition("# checksum")[0].replace(old, new, 1))
    for command in ("resume", "report"):
        if command == "report" and "strategy" in said:
            continue  # a report plays nothing and does not look at the strategies
        result = bridzik(command, tmp_path)
        assert result.code == 2
        assert said in result.err
        assert result.err.count("\n") == 1


def test_a_changed_strategy_is_refused(bridzik, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def bid(view):\n    return 0 if view.forbidden != 0 else 1\n\n\ndef play(view):\n    return 1\n"
    )
    mine.write_text(mine.read_text() + "\nPYTHON = True\n")
    seats = f"mine={mine},random*3"
    api.simulate(seats, 1, 5, out=tmp_path / "run", on_error="forfeit")
    mine.write_text(mine.read_text() + "# other\n")
    result = bridzik("resume", tmp_path / "run", "--games", 2)
    assert result.code == 2
    assert "the strategy mine has changed since the run began" in result.err
    assert result.err.count("\n") == 1
    mine.unlink()
    assert "there is no strategy file" in bridzik("resume", tmp_path / "run").err
    assert bridzik("report", tmp_path / "run").code == 0


def test_what_is_not_a_run_folder_is_told(bridzik, tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        result = bridzik("resume", path)
        assert result.code == 2
        assert f"{path} is not a run folder" in result.err
        assert result.err.count("\n") == 1


def test_an_interrupt_tells_how_to_go_on(bridzik, tmp_path, monkeypatch, tables, reference):
    tick, thrown = progress.Progress.tick, []

    def interrupting(self, results, units, seconds):
        tick(self, results, units, seconds)
        if units > 20 and not thrown:
            thrown.append(None)
            raise KeyboardInterrupt

    out = tmp_path / "my run"
    with monkeypatch.context() as patch:
        patch.setattr(progress.Progress, "tick", interrupting)
        arguments = ("simulate", "--seats", SEATS, "--games", 900, "--seed", 5)
        lost = bridzik(*arguments)
        thrown.clear()
        result = bridzik(*arguments, "--out", out)
    assert (lost.code, result.code) == (130, 130)
    assert lost.err.strip().endswith("of 900 games; without --out nothing is kept")
    assert result.err.strip().endswith(f"of 900 games; go on with: bridzik resume '{out}'")
    assert result.out == ""
    assert bridzik("resume", out).code == 0
    assert tables(out) == reference(SEATS, 900, 5)


LONG = ("random*4", 3_000, 3)


def wait_for_growth(folder, process, seconds=60.0):
    """Wait until something more is finished in a run folder, or its process has ended."""
    path, began = folder / "journal", time.monotonic()
    before = path.stat().st_mtime_ns if path.exists() else 0
    while process.poll() is None and time.monotonic() < began + seconds:
        if path.exists() and path.stat().st_mtime_ns != before and path.stat().st_size > 1000:
            return
        time.sleep(0.01)


def test_killed_runs_resume_to_the_same_bytes(start, tmp_path, tables, reference):
    seats, games, seed = LONG
    out = tmp_path / "run"
    command = ["simulate", "--seats", seats, "--games", games, "--seed", seed, "--rows", "csv", "--out", out]
    alive = 0
    for pause in (0.0, 0.25, 0.1):
        process = start(*command, "--jobs", "1", "--quiet")
        wait_for_growth(out, process)
        time.sleep(pause)
        alive += process.poll() is None
        process.kill()
        process.wait()
        command = ["resume", out]
    assert alive == 3
    assert not (out / "rows.csv").exists()
    api.resume(out)
    assert tables(out) == reference(seats, games, seed, rows="csv")


SLOW = """
import pathlib
import time

PYTHON = True


def bid(view):
    if view.deal == 31:
        pathlib.Path(__file__).with_suffix(".began").touch()
        time.sleep({seconds})
    return 0 if view.forbidden != 0 else 1


def play(view):
    return int(view.legal).bit_length() - 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send Ctrl-C to one other there")
def test_ctrl_c_keeps_what_is_finished_and_does_not_wait_for_a_thread(start, tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW.format(seconds=0.05))
    out = tmp_path / "run"
    process = start(
        "simulate", "--seats", f"{slow}*4", "--games", "1M", "--out", out, "--executor", "threads"
    )
    wait_for_growth(out, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"of 1,000,000 games; go on with: bridzik resume {out}" in err
    assert journal.Journal.read(out).ranges

    slow.write_text(SLOW.format(seconds=60))
    slow.with_suffix(".began").unlink()
    process = start("simulate", "--seats", f"{slow}*4", "--games", "1", "--jobs", "1")
    while not slow.with_suffix(".began").exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.endswith("Error: interrupted before any game was finished; without --out nothing is kept\n")
