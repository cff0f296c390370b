"""What every built-in strategy of every game must do; a new one is tested by being there."""

import numpy as np
import pytest

from bridzik_sim import experiment, games, sources
from bridzik_sim.play import Player

# Less work for those that take long, and so many times fewer units; one that cheats may play here, too.
QUICK = {"montecarlo": "montecarlo:samples=2", "oracle": "oracle:nodes=2:worlds=2"}
FEWER = {"montecarlo": 15, "oracle": 15, "perfect": 150}
ALL = [(game, name) for game in games.names() for name in sources.named(game)]
AT_TABLES = [(game, name, seats) for game, name in ALL for seats in games.get(game).seat_counts]


def share(game, name, units):
    """The units that fall to tables of one size; slow strategies play fewer."""
    tables = len(games.get(game).seat_counts)
    return -(-(units // FEWER.get(name, 1)) // tables)


def lineup(name, seats):
    return f"{QUICK.get(name, name)}*{seats}"


def mixed(name, seats):
    return f"{QUICK.get(name, name)},random*{seats - 1}"


def play(game, seats, units, **more):
    made = experiment.make(seats, units, 99, game=game, cheats=True, **more)
    return Player(made).play(0, made.units, np.zeros(2, np.int64)).counts


@pytest.mark.parametrize(("game", "name", "seats"), AT_TABLES)
def test_it_always_answers_legally(game, name, seats):
    units, other = share(game, name, 300), games.get(game).check_options
    assert play(game, lineup(name, seats), units)["faults"].sum() == 0
    assert play(game, mixed(name, seats), units)["faults"].sum() == 0
    if other:
        assert play(game, lineup(name, seats), units, options=other)["faults"].sum() == 0


@pytest.mark.parametrize(("game", "name", "seats"), AT_TABLES)
def test_it_plays_the_same_every_time(game, name, seats):
    units = max(1, share(game, name, 60))
    first, second = (play(game, lineup(name, seats), units) for _ in range(2))
    assert all((first[key] == second[key]).all() for key in first)


@pytest.mark.parametrize(("game", "name", "seats"), AT_TABLES)
def test_the_reference_engine_plays_it_the_same(game, name, seats):
    made = experiment.make(mixed(name, seats), 1, 99, game=game, seating="rotate", cheats=True)
    player = Player(made)
    control = np.zeros(2, np.int64)
    fast, slow = player.play(0, made.units, control), player._plain(0, made.units, control)
    assert all((fast.counts[key] == slow.counts[key]).all() for key in fast.counts)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_says_what_it_is(game, name):
    listing = sources.read(sources.named(game)[name])
    assert listing.summary.endswith(".")
    assert len(listing.summary) < 120
