"""bridzik games: the games, their options, views and rules."""

import json

from bridzik_sim.games.bridzik.rules import VIEW


def test_the_list(bridzik):
    (bridzik_entry,) = (
        e for e in json.loads(bridzik("games", "--format", "json").out) if e["name"] == "bridzik"
    )
    assert bridzik_entry["title"] == "Bridžik"
    assert bridzik_entry["seats"] == [4]
    assert bridzik_entry["decisions"] == ["bid", "play"]
    lines = [" ".join(line.split()) for line in bridzik("games").out.splitlines()]
    assert any(line.startswith("bridzik Bridžik 4 bid, play points a game and seat") for line in lines)
    assert any(line.startswith("wizard Wizard 3-6 bid, play, trump points a game and seat") for line in lines)
    assert (
        bridzik("games", "--format", "csv").out.splitlines()[0]
        == "name,title,seats,decisions,measure,summary"
    )
    assert bridzik("games", "--format", "markdown").out.startswith("| name | title |")


def test_one_is_described_with_every_field_of_its_view(bridzik):
    text = bridzik("games", "bridzik").out
    assert "  hand_sizes=1,2,3,4,5,6,7,8\n      play only the rounds of these hand sizes" in text
    assert "704 in a full game" in text
    described = json.loads(bridzik("games", "bridzik", "--format", "json").out)
    assert list(described["view"]) == list(VIEW.names)
    for name, meaning in described["view"].items():
        assert f"\n  {name}" in text
        assert meaning in text
    assert "  memory[64] " in text
    assert described["options"][0]["default"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "| hand | mask of the cards held |" in bridzik("games", "bridzik", "--format", "markdown").out


def test_the_rules_are_printed_whole(bridzik):
    text = bridzik("games", "bridzik", "--rules").out
    assert text.startswith("# Bridžik\n")
    assert "The highest bid leads the first trick" in text


def test_what_is_not_there(bridzik):
    result = bridzik("games", "bridzk")
    assert result.code == 2
    assert "there is no game 'bridzk'; did you mean bridzik or bridge?" in result.err
    assert "say which game" in bridzik("games", "--rules").err
