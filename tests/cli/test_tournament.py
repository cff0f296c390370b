"""``bridzik tournament``: leaderboard, cross-table as matrix and as list, and what it refuses."""

import csv
import io
import json
import re

import pytest

from bridzik_sim import api
from cli import progress, tournament

pytestmark = pytest.mark.usefixtures("no_timing", "no_pictures")
THREE = ("random", "heuristic", "simple")


def play(bridzik, *arguments, entrants=THREE, games=80, seed=5):
    return bridzik("tournament", *entrants, "--games", games, "--seed", seed, *arguments)


@pytest.fixture(scope="module")
def three():
    return api.tournament(THREE, 80, 5)


def test_people_get_ranks_a_matrix_and_who_is_first(bridzik, three):
    result = play(bridzik)
    assert (result.code, result.err) == (0, "")
    text = result.out
    for rank, label in enumerate(("heuristic", "simple", "random"), start=1):
        assert len(re.findall(rf"^ {rank}  {label} ", text, re.M)) == 2
    between = {(row.strategy, row.opponent): row.difference for row in three.crosstable.itertuples()}
    row = next(line for line in text.splitlines() if line.startswith(" 2  simple") and "·" in line)
    ahead, behind = between["random", "simple"], between["heuristic", "simple"]
    assert row.split() == ["2", "simple", f"{-behind:+.1f}*", "·", f"{-ahead:+.1f}*"]
    assert "heuristic is first: ahead of everyone else they met" in text
    assert "120 games (20 units in 6 seatings), 3,840 rounds, seed 5" in text
    assert max(map(len, text.splitlines())) <= 90


def test_nobody_is_first_by_chance(bridzik):
    text = play(bridzik, entrants=["random", "random", "random"], games=8).out
    assert "is first" not in text
    assert " random-3 " in text
    matrix = text.split("row minus column")[1].splitlines()[2:5]
    assert not [line for line in matrix if "*" in line]


def test_csv_is_the_leaderboard_and_json_has_the_crosstable(bridzik, tmp_path):
    text = play(bridzik, "--format", "csv", "--out", tmp_path / "run").out
    assert text.encode() == (tmp_path / "run" / "leaderboard.csv").read_bytes()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["rank"], row["strategy"]) for row in rows] == [
        ("1", "heuristic"),
        ("2", "simple"),
        ("3", "random"),
    ]
    assert float(rows[0]["rating_low"]) < float(rows[0]["rating"]) < float(rows[0]["rating_high"])
    found = json.loads(play(bridzik, "--format", "json").out)
    assert [row["strategy"] for row in found["leaderboard"]] == ["heuristic", "simple", "random"]
    pairs = [(row["strategy"], row["opponent"]) for row in found["crosstable"]]
    assert pairs == [("random", "heuristic"), ("random", "simple"), ("heuristic", "simple")]
    markdown = play(bridzik, "--format", "markdown").out
    assert "|  | row minus column | 1 | 2 | 3 |" in markdown


def test_many_entrants_make_a_list(bridzik, monkeypatch):
    short = ["--option", "hand_sizes=1", "--quiet"]
    text = play(bridzik, *short, entrants=["random*9"], games=32).out
    assert "row minus column" not in text
    assert text.count("random") == 9 + 2 * 36
    monkeypatch.setattr(tournament, "PAIRS", 35)
    text = play(bridzik, *short, entrants=["random*9"], games=32).out
    assert "between neighbours (all 36 pairs are in crosstable.csv and JSON)" in text
    assert text.count("random") == 9 + 2 * 8


def test_the_one_seat_by_who_fills_the_others(bridzik):
    given = ["--tables", "one", "--references", "simple"]
    text = play(bridzik, *given, games=50).out
    found = api.tournament(THREE, 50, 5, tables="one", references=["simple"])
    points = {(row.strategy, row.opponent): f"{row.points:,.1f}" for row in found.crosstable.itertuples()}
    below = text.split("Points a game of the row's one seat, the column in all others")[1].splitlines()
    assert below[2].split() == ["one", "seat", "simple", "own", "table"]
    for rank, label in enumerate(("heuristic", "simple", "random"), start=1):
        words = below[3 + rank].split()
        assert words[:3] == [f"{rank}", label, points[label, "simple"]]
        assert words[5] == points[label, label]
    assert "rating" not in text
    assert "110 games (10 units in 11 seatings)" in text
    assert "| 1 | heuristic |" in play(bridzik, *given, "--format", "markdown", games=50).out
    rows = json.loads(play(bridzik, *given, "--format", "json", games=50).out)["crosstable"]
    assert [row["difference"] is None for row in rows] == [True, False, True, False, True]


def test_resume_and_merge_print_it_too(bridzik, tmp_path):
    for number in (0, 10):
        api.tournament(THREE, 40, 5, first_unit=number, out=tmp_path / f"{number}")
    whole = bridzik("merge", tmp_path / "0", tmp_path / "10", "--out", tmp_path / "whole").out
    assert whole == play(bridzik).out
    assert bridzik("resume", tmp_path / "0", "--games", 80).out == whole


def test_progress_shows_the_best_first(three):
    line = progress.line(three, 12.0)
    points = line.split("; ")[1]
    assert [part.split()[0] for part in points.split(", ")] == ["heuristic", "simple", "random"]
    assert line.startswith("120 of 120 games, ")


@pytest.mark.parametrize(
    ("arguments", "entrants", "said"),
    [
        ([], [], "Missing argument 'STRATEGY...'"),
        ([], ["simple"], "tournament takes at least two entrants, not 1: simple"),
        ([], ["simple", "radnom"], "'radnom'; did you mean random?"),
        ([], ["x=simple", "x=random"], "the label 'x' stands for both"),
        (["--tables", "all"], THREE, "tables of different entrants need at least 4 of them, not 3"),
        (["--tables", "some"], THREE, "'some' is not one of 'pairs', 'all', 'one'"),
        (["--references", "simple"], THREE, "references: only with tables one"),
        (["--tables", "one", "--references", "smple"], THREE, "no entrant 'smple'; did you mean simple?"),
        (["--field", "simple"], THREE, "No such option '--field'"),
        (["--until-sure"], THREE, "No such option '--until-sure'"),
    ],
)
def test_wrong_input_gets_one_line(bridzik, arguments, entrants, said):
    result = play(bridzik, *arguments, entrants=entrants)
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert not result.out
