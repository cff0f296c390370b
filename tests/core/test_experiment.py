"""Resolving, writing and reading experiments."""

import pytest

from bridzik_sim import experiment
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
    path.write_text(made.to_toml(), encoding="utf-8")
    read = experiment.from_toml(path)
    assert read.identity() == made.identity()
    assert (read.units, read.first_unit, read.games) == (made.units, made.first_unit, made.games)
    assert read.reloaded().strategies.keys() == {"mine", "random"}
    assert read.to_toml() == made.to_toml()


def test_arguments_are_quoted_for_the_shell_at_hand(monkeypatch):
    made = experiment.make("random*4", 1, 1)
    monkeypatch.setattr(experiment, "quoted", lambda text: f"<{text}>")
    assert made.as_arguments() == "--seats <random,random,random,random> --seed 1"


def test_games_are_rounded_up_to_whole_units():
    made = experiment.make("random,r2=random,random*2", 10, 1, seating="rotate")
    assert (made.units, made.games) == (3, 12)


def test_a_changed_file_is_noticed(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    path = tmp_path / "experiment.toml"
    path.write_text(experiment.make(f"{bot}*4", 1, 1).to_toml(), encoding="utf-8")
    bot.write_text(BOT + "# edited\n")
    with pytest.raises(UsageError, match="has changed since the run began"):
        experiment.from_toml(path).reloaded()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": "random*3"}, "has 4 seats, but the line-up fills 3"),
        ({"seats": "random*4", "games_wanted": 0}, "at least 1, not 0"),
        ({"seats": "random*4", "seed": -1}, "seed must lie between"),
        ({"seats": "random*4", "first_unit": -1}, "units must lie between"),
        ({"seats": "random*4", "games_wanted": 10**12}, "units must lie between"),
        ({"seats": "random*4", "game": "bridzk"}, "did you mean bridzik"),
        ({"seats": "random*4", "options": {"hand_size": 1}}, "did you mean hand_sizes"),
        ({"seats": "random*4", "options": {"hand_sizes": "9"}}, "hand sizes from 1 to 8"),
        ({"seats": "random*4", "options": {"hand_sizes": "1,1"}}, "different hand sizes"),
        ({"seats": "random*4", "on_error": "ignore"}, "on-error must be stop or forfeit"),
        ({"seats": "random*4", "rows": "xls"}, "rows must be none or csv"),
    ],
)
def test_wrong_requests_get_one_line(arguments, message):
    with pytest.raises(UsageError, match=message) as caught:
        experiment.make(**{"games_wanted": 1, "seed": 1, **arguments})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text.replace("schema = 1", "schema = 99"), "another version"),
        (lambda text: text.replace("seed = 1", "seed = 'x'"), "wrong type"),
        (lambda text: text.replace("seed = 1\n", ""), "missing"),
        (lambda text: "not toml at all", "not readable TOML"),
        (lambda text: text.replace('game = "bridzik"', 'game = "poker"'), "no game 'poker'"),
    ],
)
def test_a_damaged_file_gets_one_line(tmp_path, edit, message):
    path = tmp_path / "experiment.toml"
    path.write_text(edit(experiment.make("random*4", 1, 1).to_toml()), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        experiment.from_toml(path)


def test_no_file(tmp_path):
    with pytest.raises(UsageError, match="is not a run folder"):
        experiment.from_toml(tmp_path / "experiment.toml")
