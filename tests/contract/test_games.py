"""What every registered game must offer."""

import numpy as np
import pandas as pd
import pytest
from played_rows import rows_of

from bridzik_sim import experiment, games, match, sources, tally, template
from bridzik_sim.errors import UsageError
from bridzik_sim.games import view
from bridzik_sim.play import Player
from bridzik_sim.replay import Watcher

GAMES = games.names()
TABLES = [(name, seats) for name in GAMES for seats in games.get(name).seat_counts]


@pytest.fixture(params=GAMES)
def game(request):
    return games.get(request.param)


def watched(name, seats, **options):
    """A game of random players by the reference engine: its record and every decision with its view."""
    player, watcher = (
        Player(experiment.make(f"random*{seats}", 1, 5, game=name, options=options)),
        Watcher(-1),
    )
    return player.record(0, 0, watcher), watcher.moments


def test_they_are_there():
    assert {"bridge", "bridzik", "fool", "honeymoon", "wizard"} <= set(GAMES)


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
    assert game.usual_seats in game.seat_counts
    assert list(game.seat_counts) == sorted(set(game.seat_counts))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_decisions_of_a_full_game_are_counted_right(name, seats):
    (record, moments), known = watched(name, seats), games.get(name).decisions_a_game
    assert len(moments) == (known(seats) if known else record.decisions)


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


def test_options_to_check_are_not_the_defaults(game):
    assert game.parse_options(game.check_options) == {**game.parse_options({}), **game.check_options}
    defaults = game.parse_options({})
    assert all(defaults[name] != value for name, value in game.check_options.items())


def test_every_decision_is_asked_when_checked(game):
    asked = {
        moment.decision
        for options in ({}, game.check_options)
        for moment in watched(game.name, game.usual_seats, **options)[1]
    }
    assert asked == set(game.decisions)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_tallies_hold_integers_with_named_axes(name, seats):
    game = games.get(name)
    layouts = game.tallies(["a", "b"], match.compare(seats, game.sides or seats))
    arrays = tally.zeros(layouts)
    assert {"faults", "total", "product"} <= arrays.keys()
    assert all(array.dtype == np.int64 for array in arrays.values())
    assert len(arrays["total"]) == 2 * len(game.quantities)


def test_card_names_go_there_and_back(game):
    deck, suited = game.deck, len(game.deck.suits) * len(game.deck.ranks)
    names = [deck.name(card) for card in range(len(deck))]
    assert len(set(names[:suited])) == suited
    assert not set(names[:suited]) & set(deck.specials)
    # A name may stand for several cards: it gives the lowest of them, and the set of all.
    assert [deck.id(name) for name in names] == [names.index(name) for name in names]
    for name in names:
        assert deck.mask([name]) == sum(1 << card for card in range(len(deck)) if names[card] == name)


def test_cards_have_words_in_every_language(game):
    assert {"en", "sk"} <= set(game.words)
    for words in game.words.values():
        assert len(words.suits) == len(game.deck.suits)
        assert len(words.ranks) == len(game.deck.ranks)
        assert len(words.cards) == len(game.deck)
        shown = {game.deck.name(card): words.cards[card] for card in range(len(game.deck))}
        assert [shown[game.deck.name(card)] for card in range(len(game.deck))] == list(words.cards)
        assert len(set(shown.values())) == len(shown)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_deal_is_told_from_its_record_as_from_a_view(name, seats):
    game = games.get(name)
    played, moments = watched(name, seats, **game.check_options)
    record = played.as_dict(options=game.check_options, seed=5, unit=0, seating=0, seats=[""] * seats)
    for lang in game.words:
        tell = game.telling.Telling(game, record, lang)
        numbers = tell.numbers(record["deals"])
        assert numbers == [deal.deal for deal in played.deals]
        headings = {
            number: tell.deal(number, deal, [0] * len(record["totals"]))[0]
            for number, deal in zip(numbers, record["deals"], strict=True)
        }
        assert len({heading.split(":")[0] for heading in headings.values()}) == len(numbers)
        for moment in moments:
            # A seat may not know all of it yet, but nothing else.
            assert set(tell.sight(moment)[0].split(", ")) <= set(headings[moment.deal].split(", "))


def test_there_is_a_starting_point_for_strategies(game):
    source = template.starting_point(game, "bots/mine.py")
    flag = "" if game.name == "bridzik" else f" --game {game.name}"
    assert f"bridzik check bots/mine.py{flag}\n" in source
    assert all(f"def {decision}(view):" in source for decision in game.decisions)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_ceiling_is_a_share(name, seats):
    game = games.get(name)
    if game.table_ceiling is not None:
        assert 0 < game.table_ceiling(seats, game.parse_options({})) <= 1


def test_it_has_strategies_that_say_what_they_do(game):
    named = sources.named(game.name)
    assert "random" in named
    for path in named.values():
        assert sources.read(path).summary


def test_the_rules_are_told(game):
    from importlib import resources

    text = resources.files(f"bridzik_sim.games.{game.name}").joinpath("rules.md").read_text(encoding="utf-8")
    assert text.startswith("# ")


def test_units_do_not_depend_on_where_a_run_begins(game):
    line = f"random*{game.usual_seats}"
    whole = rows_of(game.name, line, 3, 10)
    part = rows_of(game.name, line, 3, 4, first_unit=5)
    pd.testing.assert_frame_equal(part, whole[whole.unit.between(5, 8)].reset_index(drop=True))


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_ends_of_the_range_of_seeds(game, seed):
    rows = rows_of(game.name, f"random*{game.usual_seats}", seed, 1)
    assert rows.unit.eq(0).all()
    if game.decisions_a_game is None:
        assert len(rows) >= game.usual_seats
    else:
        assert len(rows) == game.rows_a_game
