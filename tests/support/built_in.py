"""Built-in strategies as they play: compiled for their game's view, and found in the cache once that was done."""

import functools

from bridzik_sim import games, lineup, strategy


@functools.cache
def compiled(game, name):
    """The compiled functions of a strategy by decision."""
    spec, _ = lineup.parse_spec(name)
    return strategy.load(spec, games.get(game)).compiled(games.get(game))
