"""The tables of honeymoon bridge: those of all games with contracts, and of what was lost against par.

See ``contract_tables.py`` for what the functions take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridzik_sim import contract_tables
from bridzik_sim.contract_tables import (
    COMMON_FRAMES,
    LEADING,
    PARTS,
    SHARES,
    WIDE,
    one_seat,
    par,
    rounds_played,
    standing,
)
from bridzik_sim.estimates import Sums
from bridzik_sim.experiment import Experiment

__all__ = [
    "COLUMNS",
    "FRAMES",
    "LEADING",
    "PARTS",
    "SHARES",
    "WIDE",
    "as_json",
    "game_name",
    "in_words",
    "one_seat",
    "rounds_played",
    "standing",
]

COLUMNS = {
    "points": "net\npoints",
    "wins": "matches\nwon",
    "declared": "declares",
    "made": "made",
    "over": "tricks\nover",
    "passed_out": "passed\nout",
    "par": "par",
    "auction_lost": "lost in\nauction",
    "play_lost": "lost in\nplay",
}
"""Figures of a strategy that a person sees, with their headings."""
FRAMES: dict[str, Callable[[Experiment, int, Sums], Any]] = {**COMMON_FRAMES, "par": par}
"""The game's own tables by name: lists of rows, or columns."""


def game_name(experiment: Experiment) -> str:
    """What a game is called."""
    return "match"


def as_json(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """The game's own figures: contracts, and where points came from if that was measured against par."""
    rows = par(experiment, units, sums)
    return {**contract_tables.as_json(experiment, units, sums), **({"par": rows} if rows else {})}


def in_words(experiment: Experiment, units: int, sums: Sums) -> list[str]:
    """The game's own figures, in lines to be printed."""
    return contract_tables.in_words(experiment, units, sums)
