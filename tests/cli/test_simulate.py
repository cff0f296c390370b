"""``bridzik simulate``: what it prints, what it leaves, what it refuses, and that the bytes depend on nothing else."""

import csv
import io
import json
import os
import re
import shutil
import sys

import numpy as np
import pytest
from rich.console import Console

from bridzik_sim import api, jit
from bridzik_sim.errors import StrategyFaultError, UsageError
from cli import progress, standings
from cli.options import Count

SEATS = "simple,random*3"
pytestmark = pytest.mark.usefixtures("no_timing")


def simulate(bridzik, *arguments, seats=SEATS, games=20, seed=5):
    return bridzik("simulate", "--seats", seats, "--games", games, "--seed", seed, *arguments)


def test_the_table_is_for_people(bridzik):
    result = simulate(bridzik, games="0.2k")
    assert result.code == 0
    assert result.err == ""
    heading, *_, simple, random, facts = [line for line in result.out.splitlines() if line.strip()][1:]
    assert heading.split() == ["strategy", "a", "game", "wins", "bids", "bid", "tricks"]
    figure = r"\d+\.\d+"
    row = rf" +{figure} ± {figure} +{figure} % +{figure} ± {figure} % +{figure} +{figure} *"
    assert re.fullmatch(f" simple{row}", simple)
    assert re.fullmatch(f" random{row}", random)
    assert "200 games (200 units seated as given), 6,400 rounds, seed 5; ± at 95 %" in facts
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_time_a_decision_is_shown_in_tables_only(bridzik, monkeypatch, tmp_path, no_pictures):
    monkeypatch.setattr(
        standings, "times_a_decision", lambda experiment: {"simple": 43.4e-9, "random": 2.1e-5}
    )
    out = tmp_path / "run"
    shown = simulate(bridzik, "--out", out).out
    assert "µs a" in shown
    assert "21.00" in shown
    assert "* at a table of its own after the run, on one core" in shown
    for form in ("csv", "json", "markdown"):
        assert "21.00" not in simulate(bridzik, "--format", form).out
    assert "µs" not in simulate(bridzik, "--quiet").out
    assert not [path for path in out.rglob("*") if path.is_file() and "µs".encode() in path.read_bytes()]


def test_the_csv_is_the_summary_file(bridzik, tmp_path, no_pictures):
    result = simulate(bridzik, "--format", "csv", "--out", tmp_path / "run", "--quiet")
    assert result.err == ""
    assert result.out.encode() == (tmp_path / "run" / "summary.csv").read_bytes()
    columns = "strategy seat_games points points_se points_low points_high wins exact exact_low exact_high bid tricks"
    assert result.out.splitlines()[0].split(",") == [*columns.split(), "illegal", "raised", "timeout"]


def test_the_json_is_one_object(bridzik):
    result = json.loads(simulate(bridzik, "--format", "json", "--seating", "rotate").out)
    assert result["schema"] == 1
    assert result["experiment"]["seed"] == 5
    assert (result["experiment"]["units"], result["experiment"]["games"]) == (5, 20)
    rows = list(csv.DictReader(io.StringIO(simulate(bridzik, "--format", "csv", "--seating", "rotate").out)))
    assert [row["strategy"] for row in result["standings"]] == ["simple", "random"]
    for row, exact in zip(rows, result["standings"], strict=True):
        assert row.keys() == exact.keys()
        assert float(row["points"]) == pytest.approx(exact["points"], rel=1e-8)


def test_the_markdown_is_a_table(bridzik):
    lines = simulate(bridzik, "--format", "markdown", seats="a|b=random,random*3").out.splitlines()
    assert lines[0] == "| strategy | points a game | wins | exact bids | mean bid | mean tricks |"
    assert lines[1] == "| --- | ---: | ---: | ---: | ---: | ---: |"
    assert lines[2].startswith("| a\\|b | ")
    assert lines[-1].startswith("20 games (20 units")


def test_seats_may_be_given_one_by_one(bridzik):
    many = ["--seats", "simple", "--seats", "random,random", "--seats", "random"]
    result = bridzik("simulate", *many, "--games", 20, "--seed", 5, "--format", "csv")
    assert result.out == simulate(bridzik, "--format", "csv").out


def test_a_seed_is_drawn_told_and_stored(bridzik, tmp_path, no_pictures):
    result = bridzik("simulate", "--seats", "random*4", "--games", 3, "--out", tmp_path / "run")
    seed = re.search(r"^seed (\d+) \(drawn\)$", result.err, re.MULTILINE)[1]
    assert f"seed {seed};" in result.out
    assert f"seed = {seed}\n" in (tmp_path / "run" / "experiment.toml").read_text()
    quiet = bridzik("simulate", "--seats", "random*4", "--games", 3, "--quiet")
    told = re.fullmatch(r"seed (\d+) \(drawn\)\n", quiet.err)[1]
    assert f"seed {told};" in quiet.out


def test_a_run_folder_has_tables_pictures_and_a_page(bridzik, tmp_path):
    out = tmp_path / "a run"
    result = simulate(bridzik, "--out", out, "--rows", "csv")
    assert result.code == 0
    assert result.err == f"tables, pictures and report.html are in {out}\n"
    names = {path.name for path in out.iterdir()}
    assert {"summary.csv", "bids.csv", "accuracy.csv", "scores.csv", "table.csv", "convergence.csv"} < names
    assert {"accuracy.png", "bids_tricks.png", "scores.png", "over_under.png", "convergence.png"} < names
    assert {"report.html", "rows.csv", "experiment.toml", "journal", "snapshot"} < names
    rows = (out / "rows.csv").read_text().splitlines()
    assert rows[0] == "unit,seating,deal,seat,strategy,hand_size,position,bid,tricks,points,total"
    assert len(rows) == 1 + 20 * 32 * 4


def test_faults_are_counted_and_shown(bridzik, bad):
    result = simulate(bridzik, "--on-error", "forfeit", seats=f"bad={bad}:how=1,random*3", games=5)
    assert result.code == 0
    assert "illegal" in result.out
    assert "exceptions" not in result.out
    seats = f"bad={bad}:how=4,random*3"
    text = simulate(bridzik, "--on-error", "forfeit", "--format", "csv", seats=seats, games=5).out
    row = next(csv.DictReader(io.StringIO(text)))
    assert (row["illegal"], row["raised"], row["timeout"]) == ("0", str(5 * 7), "0")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (1, r"answered 9 \(legal: [0-9, ]+\): .*, decision bid"),
        (2, r"answered 3[01] \(legal: [0-9, ]+\): .*, decision play"),
        (3, r"raised ValueError\('no idea what to bid'\): .*, decision bid"),
        (4, r"raised ValueError\('no idea what to play'\): .*, decision play"),
    ],
)
def test_a_failing_strategy_is_named_with_its_place(bridzik, bad, how, said):
    result = simulate(bridzik, "--first-unit", 3, seats=f"random*3,bad={bad}:how={how}")
    assert result.code == 3
    assert result.out == ""
    first, second = result.err.splitlines()
    assert re.fullmatch(f"Error: the strategy bad {said}", first)
    assert ": unit 3, seating 0, deal 9, seat 3, " in first
    assert second.startswith("see it with: bridzik replay --seats ")
    assert second.endswith("--seed 5 --seating 0 --unit 3")


def test_a_failing_strategy_in_a_folder_is_shown_from_there(bridzik, bad, tmp_path):
    out = tmp_path / "with space"
    seats = f"random*3,bad={bad}:how=3:chance=0"
    result = simulate(bridzik, "--out", out, "--jobs", 1, seats=seats, games=500)
    assert result.code == 3
    assert re.search(rf"bridzik replay '{out}' --unit \d+ --seating 0$", result.err.strip())


def test_the_first_failing_unit_is_named_on_any_number_of_jobs(bad):
    units = set()
    for jobs, chunk in ((1, 50), (3, 1), (2, 4)):
        with pytest.raises(StrategyFaultError) as failure:
            api.simulate(f"random*3,bad={bad}:how=3:chance=0", 400, 5, jobs=jobs, chunk_units=chunk)
        units.add(failure.value.unit)
    assert len(units) == 1


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        ([], {"seats": "simpel,random*3"}, "'simpel'; did you mean simple?"),
        ([], {"seats": "random*3"}, "bridzik has 4 seats, but the line-up fills 3: random, random, random"),
        ([], {"seats": "random*5"}, "bridzik has 4 seats, but the line-up fills 5"),
        ([], {"seats": "random,,random*2"}, "cannot read the strategy ''"),
        ([], {"seats": "random*1000000"}, "fills 1000000 seats"),
        ([], {"seats": "simple:courage=1,random*3"}, "'courage'"),
        ([], {"seats": "nowhere.py,random*3"}, "nowhere.py"),
        ([], {"seats": "a=random,a=simple,random*2"}, "the label 'a' stands for both"),
        ([], {"games": 0}, "'0' is too few"),
        ([], {"games": -3}, "'-3' is too few"),
        ([], {"games": "1.5"}, "'1.5' is not a whole number"),
        ([], {"games": "1e20"}, "units must lie between 0 and"),
        ([], {"seed": -1}, "the seed must lie between 0 and"),
        (["--game", "bridzk"], {}, "there is no game 'bridzk'; did you mean bridzik"),
        (["--option", "hand_size=3"], {}, "'hand_size'; did you mean hand_sizes?"),
        (["--option", "hand_sizes=9"], {}, "hand_sizes=9"),
        (["--rows", "csv"], {}, "whole rows need a folder to go to; add --out"),
        (["--force"], {}, "without a folder there is nothing to replace; add --out"),
        (["--option", "hand_sizes=3", "--option", "hand_sizes=2"], {}, "hand_sizes is given more than once"),
        (["--first-unit", "-1"], {}, "at least 0 is needed"),
        (["--on-error", "ignore"], {}, "'ignore' is not one of 'stop', 'forfeit'"),
    ],
)
def test_wrong_input_gets_one_line(bridzik, arguments, settings, said):
    result = simulate(bridzik, *arguments, **settings)
    assert result.code == 2
    assert result.out == ""
    assert said in result.err
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("def bid(view):\n    return 0\n\ndef play(view):\n    return view.hand.\n", 5, "invalid syntax"),
        ("def bid(view):\n    return 0\n\n\ndef play(view):\n    return view.hnad\n", 6, "hand"),
        ("import nothing_like_it\n", 1, "nothing_like_it"),
    ],
)
def test_a_strategy_that_does_not_compile_is_shown_with_its_line(bridzik, tmp_path, text, line, said):
    (tmp_path / "mine.py").write_text(text)
    result = simulate(bridzik, seats=f"{tmp_path / 'mine.py'},random*3")
    assert result.code == 2
    assert f"{tmp_path / 'mine.py'}, line {line}: " in result.err
    assert said in result.err
    assert result.err.count("\n") == 1


def test_numbers_of_numpy_are_numbers(tmp_path, tables, reference):
    out = tmp_path / "run"
    api.simulate(SEATS, np.int32(15), np.uint64(5), first_unit=np.int64(0), out=out, jobs=np.int64(1))
    api.resume(out, np.int64(20), chunk_units=np.int64(3))
    assert tables(out) == reference(SEATS, 20, 5)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"jobs": -1}, "jobs must be at least 1, not -1"),
        ({"jobs": 0}, "jobs must be at least 1, not 0"),
        ({"jobs": 1.5}, "the jobs must be a whole number, not 1.5"),
        ({"chunk_units": 0}, "chunk_units must be at least 1, not 0"),
        ({"games": 2.5}, "the number of games must be a whole number, not 2.5"),
        ({"seed": "7"}, "the seed must be a whole number, not '7'"),
        ({"first_unit": 0.0}, "the first unit must be a whole number"),
    ],
)
def test_wrong_numbers_are_told_before_anything_is_made(tmp_path, settings, said):
    with pytest.raises(UsageError, match=said):
        api.simulate(SEATS, **{"games": 20, "seed": 5, **settings}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    if settings.keys() & {"jobs", "chunk_units"}:
        api.simulate(SEATS, 20, 5, out=tmp_path / "run")
        with pytest.raises(UsageError, match=said):
            api.resume(tmp_path / "run", **settings)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,000", 1000), ("1_000_000", 10**6), ("12,345,678", 12345678), ("1,000k", 10**6), ("0.25M", 250000)],
)
def test_counts_as_people_write_them(text, number):
    assert Count().convert(text, None, None) == number


@pytest.mark.parametrize(
    "text", ["1,5", "1,50,000", "1_0000", "1,000_000", ",100", "1000,000", "100,", "1__000"]
)
def test_separators_stand_between_groups_of_three(bridzik, text):
    result = simulate(bridzik, games=text)
    assert result.code == 2
    assert f"'{text}' is not a number such as" in result.err


def test_damaged_caches_only_cost_a_compilation(bridzik, start, tmp_path):
    if jit.CACHE_DIRECTORY is None:
        pytest.skip("nothing is cached here")
    expected = simulate(bridzik, "--format", "csv")
    cache = tmp_path.joinpath(*jit.CACHE_DIRECTORY.parts[-3:])
    shutil.copytree(jit.CACHE_DIRECTORY, cache, ignore=shutil.ignore_patterns("bridzik_strategy_*"))
    files = [path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc")]
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    for number, path in enumerate(files):
        os.truncate(path, path.stat().st_size * (number % 4) // 5)
    arguments = ("simulate", "--seats", SEATS, "--games", 20, "--seed", 5, "--format", "csv", "--quiet")
    process = start(*arguments, environment={"BRIDZIK_CACHE_DIR": str(tmp_path)})
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, expected.out, "")


BYTES = {
    "given": {},
    "rotate": {"seating": "rotate", "rows": "csv"},
    "short": {"options": (("hand_sizes", "5,2"),), "first_unit": 77},
}


@pytest.mark.parametrize("case", BYTES)
@pytest.mark.parametrize(
    "split", [{"jobs": 2}, {"jobs": 3, "chunk_units": 7}, {"jobs": 1, "chunk_units": 1}, {}]
)
def test_bytes_do_not_depend_on_jobs_and_chunks(tmp_path, tables, reference, case, split):
    settings = {**BYTES[case]}
    expected = reference(SEATS, 300, 5, **settings)
    settings["options"] = dict(settings.get("options", ()))
    api.simulate(SEATS, 300, 5, out=tmp_path, **settings, **split)
    assert tables(tmp_path) == expected


def test_bytes_do_not_depend_on_chunks_where_strategies_fail(tmp_path, tables, reference, bad):
    seats = f"bad={bad}:how=3:chance=0,random*2,simple"
    settings = {"on_error": "forfeit", "seating": "rotate", "rows": "csv"}
    expected = reference(seats, 40, 5, **settings)
    raised = [int(line.split(",")[-2]) for line in expected["summary.csv"].decode().splitlines()[1:]]
    assert raised[0] > 0
    assert raised[1:] == [0, 0]
    for number, split in enumerate(({"jobs": 2}, {"jobs": 3, "chunk_units": 4})):
        api.simulate(seats, 40, 5, out=tmp_path / str(number), **settings, **split)
        assert tables(tmp_path / str(number)) == expected


def test_bytes_do_not_depend_on_the_executor(bridzik, tmp_path, no_pictures, tables, reference):
    simulate(bridzik, "--out", tmp_path, "--executor", "processes", "--jobs", 2, games=100)
    assert tables(tmp_path) == reference(SEATS, 100, 5)


def test_progress_is_a_plain_line_where_nobody_watches(bridzik, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "SHARE", 1e9)
    lines = simulate(bridzik, games=400).err.splitlines()
    assert lines
    form = r"\d+ of 400 games, [\d,]+ games/s, \d+ s left; simple \d+\.\d, random \d+\.\d"
    assert all(re.fullmatch(form, line) for line in lines)
    assert simulate(bridzik, "--quiet", games=400).err == ""


def test_progress_is_live_on_a_terminal():
    results = api.simulate(SEATS, 40, 5, seating="rotate")
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=80)
    console.print(progress._display(console, results, 12.0))
    shown = console.file.getvalue()
    assert "100 %" in shown
    assert "40 of 40 games" in shown
    assert "12 games/s, 0 s left" in shown
    assert re.search(r"simple +\d+(\.\d+)? ± \d+\.\d+ +\d+\.\d+ ± \d\.\d+ %", shown)
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix thing")
def test_a_terminal_sees_the_live_display_and_gets_its_cursor_back(start):
    import pty

    ours, theirs = pty.openpty()
    process = start(
        "simulate", "--seats", SEATS, "--games", "3000", "--seed", 5, "--format", "csv", stderr=theirs
    )
    out, _ = process.communicate()
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    assert process.returncode == 0
    assert out.startswith("strategy,")
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.6, "1 min 0 s"), (250, "4 min 10 s"), (12034, "3 h 20 min")]
)
def test_durations_are_readable(seconds, text):
    assert progress.duration(seconds) == text
