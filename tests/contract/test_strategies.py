"""What every built-in strategy of every game must do; a new one is tested by being there."""

import numpy as np
import pytest

from bridzik_sim import experiment, games, sources
from bridzik_sim.play import Player

ALL = [(game, name) for game in games.names() for name in sources.named(game)]


def lineup(game, name):
    return f"{name}*{games.get(game).seat_counts[0]}"


def play(game, seats, units, **more):
    made = experiment.make(seats, units, 99, game=game, **more)
    return Player(made).play(0, made.units, np.zeros(2, np.int64)).counts


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_always_answers_legally(game, name):
    counts = play(game, lineup(game, name), 300)
    assert counts["faults"].sum() == 0
    mixed = f"{name},random*{games.get(game).seat_counts[0] - 1}"
    assert play(game, mixed, 300)["faults"].sum() == 0


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_plays_the_same_every_time(game, name):
    first, second = (play(game, lineup(game, name), 50) for _ in range(2))
    assert all((first[key] == second[key]).all() for key in first)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_reference_engine_plays_it_the_same(game, name):
    made = experiment.make(
        f"{name},random*{games.get(game).seat_counts[0] - 1}", 3, 99, game=game, seating="rotate"
    )
    player = Player(made)
    control = np.zeros(2, np.int64)
    fast, slow = player.play(0, made.units, control), player._plain(0, made.units, control)
    assert all((fast.counts[key] == slow.counts[key]).all() for key in fast.counts)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_says_what_it_is(game, name):
    listing = sources.read(sources.named(game)[name])
    assert listing.summary.endswith(".")
    assert len(listing.summary) < 120
