"""The games. Each sub-package is one game and is found by being there.

Its ``rules`` module holds ``GAME``.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from bridzik_sim.errors import UsageError, unknown_name

if TYPE_CHECKING:  # completion asks for the names, and games import numba
    from bridzik_sim.games.game import Game


@functools.cache
def names() -> tuple[str, ...]:
    """Names of all games, sorted, found without importing any of them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


def get(name: str) -> Game:
    """Return the game called ``name``; ``UsageError`` with the nearest names when there is none."""
    from bridzik_sim.games.game import Game

    if name not in names():
        raise UsageError(unknown_name("game", name, names()))
    game = importlib.import_module(f"{__name__}.{name}.rules").GAME
    assert isinstance(game, Game)
    return game
