"""Resolving, writing and reading experiments."""

import pytest

from bridzik_sim import experiment, stored
from bridzik_sim.errors import UsageError

BOT = "from bridzik_sim.cards import lowest\nPARAMS = {'x': 1}\ndef bid(view):\n    return lowest(view.legal)\nplay = bid\n"


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "a bot, with commas.py"
    path.write_text(BOT)
    return path


def test_toml_round_trip(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    made = experiment.make(
        f"mine={bot}:x=3,random*3", 10, 7, options={"hand_sizes": "2,1"}, seating="rotate", on_error="forfeit"
    )
    path = tmp_path / "experiment.toml"
    path.write_text(stored.write(made), encoding="utf-8")
    read = stored.read(path)
    assert read.identity() == made.identity()
    assert (read.units, read.first_unit, read.games) == (made.units, made.first_unit, made.games)
    assert read.reloaded().strategies.keys() == {"mine", "random"}
    assert stored.write(read) == stored.write(made)


def test_arguments_are_quoted_for_the_shell_at_hand(monkeypatch):
    made = experiment.make("random*4", 1, 1)
    monkeypatch.setattr(experiment, "quoted", lambda text: f"<{text}>")
    assert made.as_arguments(0) == "--seats <random,random,random,random> --seed 1 --seating 0"


def test_games_are_rounded_up_to_whole_units():
    made = experiment.make("random,r2=random,random*2", 10, 1, seating="rotate")
    assert (made.units, made.games) == (3, 12)


def test_tournament_games_are_those_of_one_entrant():
    made = experiment.make("random,simple,heuristic", 10, 1, command="tournament")
    # Everyone meets two others at two tables each: four games a unit, six tables.
    assert (made.units, made.games, made.longer(12).units) == (3, 18, 3)


def test_equal_strategies_get_labels_of_their_own():
    made = experiment.make(["simple", "simple"], 1, 1, command="compare", field="simple")
    assert made.labels == ["simple", "simple-2", "simple-field"]
    assert experiment.make("random*3", 1, 1, command="tournament").labels == [
        "random",
        "random-2",
        "random-3",
    ]


def test_a_seating_is_named_within_its_line_up():
    made = experiment.make("random,simple,heuristic", 1, 1, command="tournament")
    assert made.place(3) == "line-up 1, seating 1 (heuristic, random, heuristic, random)"
    assert made.place_arguments(3) == "--seating 1 --lineup 1"
    assert made.as_arguments(3) == "--seats heuristic,random,heuristic,random --seed 1 --streams 1"


@pytest.mark.parametrize(
    "given",
    [
        {"players": "random,simple", "command": "compare", "until_sure": True, "alpha": 0.01, "margin": 2},
        {"players": "random,simple", "command": "compare", "field": "x=heuristic:courage=1", "rows": "csv"},
        {"players": "random,simple,heuristic", "command": "tournament", "seating": "all", "first_unit": 7},
        {"players": "random,a=random,b=random,c=random", "command": "tournament", "tables": "all"},
    ],
)
def test_every_kind_goes_there_and_back(tmp_path, given):
    made = experiment.make(games_wanted=50, seed=9, **given)
    (tmp_path / "experiment.toml").write_text(stored.write(made), encoding="utf-8")
    read = stored.read(tmp_path / "experiment.toml").reloaded()
    assert read == made
    assert read.identity() == made.identity()


def test_a_changed_file_is_noticed(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    path = tmp_path / "experiment.toml"
    path.write_text(stored.write(experiment.make(f"{bot}*4", 1, 1)), encoding="utf-8")
    bot.write_text(BOT + "# edited\n")
    with pytest.raises(UsageError, match="has changed since the run began"):
        stored.read(path).reloaded()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": "random*3"}, "has 4 seats, but the line-up fills 3"),
        ({"players": "random*4", "games_wanted": 0}, "at least 1, not 0"),
        ({"players": "random*4", "seed": -1}, "seed must lie between"),
        ({"players": "random*4", "first_unit": -1}, "units must lie between"),
        ({"players": "random*4", "games_wanted": 10**12}, "units must lie between"),
        ({"players": "random*4", "game": "bridzk"}, "did you mean bridzik"),
        ({"players": "random*4", "options": {"hand_size": 1}}, "did you mean hand_sizes"),
        ({"players": "random*4", "options": {"hand_sizes": "9"}}, "hand sizes from 1 to 8"),
        ({"players": "random*4", "options": {"hand_sizes": "1,1"}}, "different hand sizes"),
        ({"players": "random*4", "on_error": "ignore"}, "on-error must be stop or forfeit"),
        ({"players": "random*4", "rows": "xls"}, "rows must be none or csv"),
        ({"players": "random*4", "seating": "all"}, "seating must be given or rotate"),
        ({"players": "random*4", "field": "random"}, "only compare plays against a field"),
        ({"players": "random", "command": "compare"}, "takes two strategies, not 1"),
        ({"players": "random", "command": "tournament"}, "at least two entrants, not 1"),
        ({"players": "a=random,a=simple", "command": "compare"}, "'a' stands for both"),
        (
            {"players": "a=random,b=simple", "command": "compare", "field": "a=heuristic"},
            "'a' stands for both",
        ),
        (
            {"players": "random,simple", "command": "compare", "field": "random*2"},
            "the field is one strategy",
        ),
        (
            {"players": "random,simple", "command": "compare", "field": "random", "seating": "all"},
            "every seat anyhow",
        ),
        (
            {"players": "random,simple", "command": "compare", "until_sure": True, "alpha": 1},
            "between 0 and 1",
        ),
        ({"players": "random,simple", "command": "compare", "until_sure": True, "margin": 0}, "above 0"),
        ({"players": "random,simple", "command": "tournament", "tables": "all"}, "at least 4 of them"),
        (
            {
                "players": "a=random,b=random,c=random,d=random",
                "command": "tournament",
                "tables": "all",
                "seating": "all",
            },
            "rotations",
        ),
        (
            {"players": "random,simple", "command": "compare", "until_sure": True, "first_unit": 5},
            "begins at unit 0",
        ),
    ],
)
def test_wrong_requests_get_one_line(arguments, message):
    with pytest.raises(UsageError, match=message) as caught:
        experiment.make(**{"games_wanted": 1, "seed": 1, **arguments})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text.replace("schema = 3", "schema = 99"), "another version"),
        (lambda text: text.replace("seed = 1", "seed = 'x'"), "whole number"),
        (lambda text: text.replace("seed = 1\n", ""), "missing"),
        (lambda text: "not toml at all", "not readable TOML"),
        (lambda text: text.replace('game = "bridzik"', 'game = "poker"'), "no game 'poker'"),
    ],
)
def test_a_damaged_file_gets_one_line(tmp_path, edit, message):
    path = tmp_path / "experiment.toml"
    path.write_text(edit(stored.write(experiment.make("random*4", 1, 1))), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        stored.read(path)


def test_no_file(tmp_path):
    with pytest.raises(UsageError, match="is not a run folder"):
        stored.read(tmp_path / "experiment.toml")
