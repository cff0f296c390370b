"""What every built-in strategy of every game must do; a new one is tested by being there."""

import numpy as np
import pytest

from bridzik_sim import experiment, games, sources
from bridzik_sim.play import Player

# Fewer of what takes long; a strategy that cheats may play here, too.
QUICK = {"montecarlo": "montecarlo:samples=2", "oracle": "oracle:nodes=2:worlds=2"}
SLOW = 20
ALL = [(game, name) for game in games.names() for name in sources.named(game)]


def lineup(game, name):
    return f"{QUICK.get(name, name)}*{games.get(game).seat_counts[0]}"


def mixed(game, name):
    return f"{QUICK.get(name, name)},random*{games.get(game).seat_counts[0] - 1}"


def play(game, seats, units, **more):
    made = experiment.make(seats, units, 99, game=game, cheats=True, **more)
    return Player(made).play(0, made.units, np.zeros(2, np.int64)).counts


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_always_answers_legally(game, name):
    units = SLOW if name in QUICK else 300
    for seats in (lineup(game, name), mixed(game, name)):
        assert play(game, seats, units)["faults"].sum() == 0


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_plays_the_same_every_time(game, name):
    units = SLOW if name in QUICK else 50
    first, second = (play(game, lineup(game, name), units) for _ in range(2))
    assert all((first[key] == second[key]).all() for key in first)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_reference_engine_plays_it_the_same(game, name):
    made = experiment.make(mixed(game, name), 3, 99, game=game, seating="rotate", cheats=True)
    player = Player(made)
    control = np.zeros(2, np.int64)
    fast, slow = player.play(0, made.units, control), player._plain(0, made.units, control)
    assert all((fast.counts[key] == slow.counts[key]).all() for key in fast.counts)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_says_what_it_is(game, name):
    listing = sources.read(sources.named(game)[name])
    assert listing.summary.endswith(".")
    assert len(listing.summary) < 120
