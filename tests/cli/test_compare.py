"""``bridzik compare``: what it prints and stores, until-sure, progress, and what it refuses."""

import csv
import io
import json
import re

import pytest
from rich.console import Console
from scipy import stats

from bridzik_sim import api, journal
from cli import progress

pytestmark = pytest.mark.usefixtures("no_timing", "no_pictures")


def compare(bridzik, *arguments, a="simple", b="random", games=40, seed=5):
    return bridzik("compare", a, b, "--games", games, "--seed", seed, *arguments)


def leads_by_unit(folder, a, b):
    """A's mean points minus B's by unit, from the rows, where both sit twice at each of two tables."""
    leads = {}
    with (folder / "rows.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sign = {a: 1, b: -1}.get(row["strategy"], 0)
            leads[row["unit"]] = leads.get(row["unit"], 0) + sign * int(row["points"]) / 4
    return list(leads.values())


def test_the_difference_is_that_of_the_rows(bridzik, tmp_path):
    out = tmp_path / "run"
    text = compare(bridzik, "--out", out, "--rows", "csv", "--format", "csv").out
    assert text.encode() == (out / "crosstable.csv").read_bytes()
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["strategy"], row["opponent"], row["units"], row["games"]) == ("simple", "random", "20", "40")
    expected = stats.ttest_1samp(leads_by_unit(out, "simple", "random"), 0)
    low, high = expected.confidence_interval()
    found = [float(row[name]) for name in ("difference_se", "low", "high", "p")]
    assert found == pytest.approx([(high - low) / 2 / stats.t.ppf(0.975, 19), low, high, expected.pvalue])


def test_people_get_figures_verdict_and_facts(bridzik):
    result = compare(bridzik, "--quiet")
    assert (result.code, result.err) == (0, "")
    found = api.compare("simple", "random", 40, 5).comparison
    text = result.out
    assert re.search(
        r"^difference +1\d\d\.\d ± \d+\.\d points a game and seat: simple minus random$", text, re.M
    )
    assert f"({found['wins']} won, {found['ties']} tied, {found['losses']} lost)" in text
    assert f"fresh cards would need {found['gain']:.1f} times as many tables" in text
    lines = [line for line in text.splitlines() if line.strip()]
    assert lines[-2].startswith("simple is better by ")
    assert lines[-1] == "40 games (20 units in 2 seatings), 1,280 rounds, seed 5; ± at 95 %"
    assert "at every look" not in text
    markdown = compare(bridzik, "--format", "markdown").out
    assert "- difference: " in markdown
    assert f"\n**{lines[-2]}**\n" in markdown


def test_json_says_who_is_better(bridzik):
    found = json.loads(compare(bridzik, "--format", "json").out)
    assert found["verdict"] == "simple is better"
    assert found["winner"] == "simple"
    assert found["games"] == 40
    assert 0 < found["low"] < found["difference"] < found["high"]
    turned = json.loads(compare(bridzik, "--format", "json", a="random", b="simple").out)
    assert turned["verdict"] == "simple is better"
    assert turned["high"] < 0


def test_a_strategy_does_not_differ_from_itself(bridzik):
    result = compare(bridzik, "--format", "json", a="simple", b="simple")
    found = json.loads(result.out)
    assert result.code == 0
    assert [row["strategy"] for row in found["standings"]] == ["simple", "simple-2"]
    assert [found[name] for name in ("difference", "low", "high", "verdict")] == [0, 0, 0, "no difference"]
    assert "no difference: " in compare(bridzik, a="simple", b="simple").out


def test_against_a_field_both_take_the_same_seats(bridzik):
    result = compare(bridzik, "--field", "random", "--format", "json", games=24)
    found = json.loads(result.out)
    assert [row["strategy"] for row in found["standings"]] == ["simple", "random", "random-field"]
    assert [row["seat_games"] for row in found["standings"]] == [12, 12, 72]
    assert found["difference"] > 0
    assert "24 games (3 units in 8 seatings)" in compare(bridzik, "--field", "random", games=24).out
    assert "in 6 seatings" in compare(bridzik, "--seating", "all", games=24).out


def test_until_sure_stops_early_and_says_so(bridzik, tmp_path):
    out = tmp_path / "run"
    result = compare(bridzik, "--until-sure", "--alpha", "0.01", "--out", out, "--quiet", games="100k")
    assert result.code == 0
    assert "at every look" in result.out
    assert "(99 % confidence sequence)" in result.out
    played = re.search(r"([\d,]+) of at most 100,000 games", result.out)[1]
    assert int(played.replace(",", "")) < 2000
    again = bridzik("resume", out, "--format", "json")
    assert json.loads(again.out)["verdict"] == "simple is better"
    assert "nothing was left to do" in again.err


def test_an_interrupted_comparison_goes_on_to_the_same_bytes(bridzik, tmp_path, tables):
    settings = {"until_sure": True, "margin": 30.0, "options": {"hand_sizes": [1, 2]}, "rows": "csv"}
    whole, part = tmp_path / "whole", tmp_path / "part"
    api.compare("x=random", "y=random", 4000, 5, **settings, out=whole, jobs=1)
    ticks = []

    def tick(results, units, seconds):
        ticks.append(units)
        if len(ticks) == 3:
            raise KeyboardInterrupt

    with pytest.raises(api.runner.Interrupted):
        api.compare("x=random", "y=random", 4000, 5, **settings, out=part, jobs=1, chunk_units=20, tick=tick)
    finished = sum(stop - first for first, stop in journal.Journal.read(part).ranges)
    assert 0 < finished < 200
    result = bridzik("resume", part, "--jobs", 2)
    assert result.code == 0
    assert "no difference above 30: x minus y is " in result.out
    assert tables(part) == tables(whole)


def test_progress_tells_how_it_stands(bridzik, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "SHARE", 1e9)
    lines = compare(bridzik, games=400).err.splitlines()
    assert lines
    assert re.search(r"; simple minus random 1\d\d\.\d ± [\d.]+$", lines[-1])
    sure = compare(bridzik, "--until-sure", games=4000).err.splitlines()
    assert re.match(r"[\d,]+ of at most 4,000 games, .*; simple minus random 1\d\d\.\d, ", sure[-1])
    assert sure[-1].endswith("too early to tell") or "% confidence sequence)" in sure[-1]
    results = api.compare("simple", "random", 400, 5, until_sure=True)
    console = Console(file=io.StringIO(), width=100)
    console.print(progress._display(console, results, 12.0))
    shown = console.file.getvalue()
    assert "simple minus random" in shown
    assert "95 % confidence sequence" in shown


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["--alpha", "0.1"], {}, "--alpha is for --until-sure only (see 'bridzik compare --help')"),
        (["--margin", "1"], {}, "--margin is for --until-sure only"),
        (["--until-sure", "--alpha", "1"], {}, "1.0 is not in the range 0<x<1"),
        (["--until-sure", "--margin", "0"], {}, "0.0 is not in the range x>0"),
        (["--until-sure", "--margin", "nan"], {}, "margin"),
        (["third"], {}, "unexpected extra argument (third)"),
        (["--field", "simple*2"], {}, "the field is one strategy"),
        (["--field", "simple", "--seating", "all"], {}, "leave out the seating"),
        (["--seating", "given"], {}, "'given' is not one of 'alternating', 'all'"),
        ([], {"a": "simpel"}, "'simpel'; did you mean simple?"),
        ([], {"a": "x=simple", "b": "x=random"}, "the label 'x' stands for both"),
        ([], {"a": "simple,random"}, "compare takes two strategies, not 3"),
        (["--rows", "csv"], {}, "whole rows need a folder to go to; add --out"),
    ],
)
def test_wrong_input_gets_one_line(bridzik, arguments, settings, said):
    result = compare(bridzik, *arguments, **settings)
    assert result.code == 2
    assert said in result.err
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert not result.out
