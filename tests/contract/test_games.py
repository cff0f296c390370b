"""What every registered game must offer."""

import numpy as np
import pytest

from bridzik_sim import games, match, sources, tally
from bridzik_sim.errors import UsageError
from bridzik_sim.games import view

GAMES = games.names()


@pytest.fixture(params=GAMES)
def game(request):
    return games.get(request.param)


def test_bridzik_is_there():
    assert "bridzik" in GAMES


def test_an_unknown_game_suggests_the_nearest():
    with pytest.raises(UsageError, match="did you mean bridzik"):
        games.get("bridzig")


def test_it_says_what_it_is(game):
    assert game.name in GAMES
    assert game.title
    assert game.summary
    assert game.measure
    assert game.rules_version >= 1
    assert game.decisions
    assert game.decisions_a_game > 0


def test_every_field_of_the_view_is_explained(game):
    assert set(game.view.names) == set(game.view_help)
    assert all(game.view_help.values())
    assert game.view.itemsize % 8 == 0


def test_the_common_fields_are_there(game):
    seats = max(game.seat_counts)
    shapes = {name: game.view[name].shape for name in game.view.names}
    assert shapes["scores"] == (seats,)
    assert shapes["params"] == (view.PARAMS,)
    assert shapes["memory"] == shapes["game_memory"] == (view.MEMORY,)
    for name in ("seat", "legal", "hand", "deal"):
        assert game.view[name] == np.int64


def test_options_have_defaults_that_parse_to_themselves(game):
    defaults = game.parse_options({})
    assert game.parse_options(defaults) == defaults
    assert all(option.help for option in game.options)


def test_an_unknown_option_is_refused(game):
    with pytest.raises(UsageError, match="there is no option"):
        game.parse_options({"no_such_option": "1"})


def test_tallies_hold_integers_with_named_axes(game):
    layouts = game.tallies(["a", "b"], match.compare(game.seat_counts[0], game.seat_counts[0]))
    arrays = tally.zeros(layouts)
    assert {"faults", "total", "product"} <= arrays.keys()
    assert all(array.dtype == np.int64 for array in arrays.values())
    assert len(arrays["total"]) == 2 * len(game.quantities)


def test_card_names_go_there_and_back(game):
    cards = len(game.deck.suits) * len(game.deck.ranks)
    assert [game.deck.id(game.deck.name(card)) for card in range(cards)] == list(range(cards))


def test_it_has_strategies_that_say_what_they_do(game):
    named = sources.named(game.name)
    assert "random" in named
    for path in named.values():
        assert sources.read(path).summary


def test_the_rules_are_told(game):
    from importlib import resources

    text = resources.files(f"bridzik_sim.games.{game.name}").joinpath("rules.md").read_text(encoding="utf-8")
    assert text.startswith("# ")
