"""The starting point for a strategy of one's own: each game holds one, its ``template.py``."""

from __future__ import annotations

from importlib import resources

from bridzik_sim.games.game import Game

PLACEHOLDER = "my_strategy.py"


def starting_point(game: Game, name: str) -> str:
    """Source of a strategy for the game; ``name`` is the path that its examples of commands speak of."""
    folder = resources.files(f"bridzik_sim.games.{game.name}")
    source = folder.joinpath("template.py").read_text(encoding="utf-8")
    return source.replace(PLACEHOLDER, name)
