"""Given deals: `--boards` plays what a PBN file says, and `replay --as pbn` writes what was played."""

import json

import pytest

from bridzik_sim.games.bridge import pbn

BRIDGE = ("--game", "bridge", "--seats", "random,random")
TWO = """\
[Board "7"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "E:AKQ.JT9.876.5432 JT9.876.5432.AKQ 876.5432.AKQ.JT9 5432.AKQ.JT9.876"]

[Board "12"]
[Dealer "W"]
[Vulnerable "EW"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
"""


@pytest.fixture
def evening(tmp_path):
    path = tmp_path / "evening.pbn"
    path.write_text(TWO, encoding="utf-8")
    return path


def standings(bridzik, *arguments):
    result = bridzik(*arguments, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)["standings"]


def records(bridzik, *arguments):
    result = bridzik("replay", *arguments, "--as", "json")
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def test_given_boards_are_played_also_when_a_run_goes_on_without_the_file(bridzik, evening, tmp_path):
    run = tmp_path / "run"
    played = (
        "simulate",
        "--game",
        "bridge",
        "--seats",
        "random,other=random",
        "--boards",
        evening,
        "--seed",
        3,
    )
    found = standings(bridzik, *played)
    assert bridzik(*played, "--games", 1, "--out", run).code == 0
    evening.unlink()
    assert standings(bridzik, "resume", run, "--games", 2) == found
    games = records(bridzik, run, "--unit", "0:2")
    assert [game["options"]["scoring"] for game in games] == ["duplicate"] * 2
    assert found[0]["points"] == sum(game["totals"][0] - game["totals"][1] for game in games) / 2
    written = bridzik("replay", run, "--unit", "0:2", "--as", "pbn").out
    assert pbn.read(written) == pbn.read(TWO)
    assert [board.number for board in pbn.read(written)] == [7, 12]
    assert bridzik("replay", run, "--unit", "0:2", "--format", "pbn").out == written
    longer = bridzik("resume", run, "--games", 3)
    assert longer.code == 2
    assert "2 deals are given, for units 0 to 1" in longer.err


def test_a_failing_strategy_is_shown_on_the_given_board(bridzik, evening, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(
        '"""Bids nothing there is."""\n\n\ndef call(view):\n    return 50\n\n\ndef play(view):\n    return 0\n'
    )
    line = ("--game", "bridge", "--seats", f"random,bad={bad}", "--boards", evening)
    failed = bridzik("simulate", *line, "--seed", 3)
    assert failed.code == 3
    assert "--option scoring=duplicate --boards FILE --seating 0 --unit 0" in failed.err
    shown = bridzik("replay", *line, "--seed", 3, "--unit", 0)
    assert shown.code == 3
    assert "board 7" in shown.out


def test_two_strategies_are_compared_on_given_boards(bridzik, evening):
    arguments = ("--game", "bridge", "--boards", evening, "--seed", 3, "--format", "json")
    result = bridzik("compare", "random", "other=random", *arguments)
    assert result.code == 0, result.err
    assert json.loads(result.out)["experiment"]["games"] == 4


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--games", 3), "2 deals are given, for units 0 to 1; 3 games from unit 0 on would need 3"),
        (("--first-unit", 2), "2 deals are given"),
        (("--option", "scoring=rubber"), "given boards are scored as duplicate; add option scoring=duplicate"),
        (("--option", "honours=on"), "option honours belongs to the rubber"),
        (("--option", f"boards={pbn.read(TWO)[0]}"), "--boards and --option boards both give deals"),
        (("--game", "fool"), "--boards gives deals of bridge, not of fool; add --game bridge"),
        (("--boards", "nowhere.pbn"), "nowhere.pbn cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_what_does_not_go_with_boards(bridzik, evening, arguments, line):
    result = bridzik("simulate", *BRIDGE, "--boards", evening, *arguments, "--seed", 1)
    assert result.code == 2
    assert line in result.err
    assert len(result.err.splitlines()) == 1


def test_nothing_is_tuned_on_given_boards(bridzik):
    given = ("--option", "scoring=duplicate", "--option", f"boards={pbn.read(TWO)[0]}")
    result = bridzik("tune", "random", "--params", "x=0:1", "--game", "bridge", *given, "--seed", 1)
    assert result.code == 2
    assert "every candidate is tried on fresh deals" in result.err


def test_a_damaged_file_is_named_with_the_line(bridzik, evening):
    evening.write_text(TWO.replace("E:AKQ", "E:AKK"), encoding="utf-8")
    result = bridzik("simulate", *BRIDGE, "--boards", evening)
    assert result.code == 2
    assert result.err == f"Error: {evening} line 4: SK is twice in the hand of E\n"


@pytest.mark.parametrize(
    "command", [("simulate", *BRIDGE), ("compare", "random", "random", "--game", "bridge")]
)
def test_without_boards_the_number_of_games_is_needed(bridzik, command):
    result = bridzik(*command)
    assert result.code == 2
    assert "Missing option '--games'" in result.err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--seats", "random*4", "--as", "pbn"), "only bridge is written as PBN, not bridzik"),
        ((*BRIDGE, "--as", "pbn", "--view", "0"), "--view tells a game as text; leave out --as pbn"),
        ((*BRIDGE, "--option", "scoring=duplicate", "--option", f"boards={pbn.read(TWO)[0]}", "--unit", 1), "there is no unit 1; 1 deals are given"),
    ],
)  # fmt: skip
def test_what_is_not_written(bridzik, arguments, line):
    result = bridzik("replay", "--unit", 0, "--seed", 1, *arguments)
    assert result.code == 2
    assert line in result.err


def test_a_rubber_is_written_deal_by_deal(bridzik):
    (record,) = records(bridzik, *BRIDGE, "--seed", 1, "--unit", 0)
    result = bridzik("replay", *BRIDGE, "--seed", 1, "--unit", 0, "--as", "pbn")
    boards = pbn.read(result.out)
    assert [board.number for board in boards] == list(range(1, len(record["deals"]) + 1))
    assert [board.dealer for board in boards] == [deal["dealer"] for deal in record["deals"]]
    assert result.out.count('[North "random"]\n') == len(boards)
