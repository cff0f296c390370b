"""The tables of contract bridge: those of all games with contracts, and of rubbers and IMPs besides.

See ``contract_tables.py`` for what the functions take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bridzik_sim import contract_tables
from bridzik_sim.contract_tables import (
    COMMON_FRAMES,
    LEADING,
    PARTS,
    SHARES,
    WIDE,
    endings,
    imps,
    lengths,
    one_seat,
    rounds_played,
    sheet,
    standing,
)
from bridzik_sim.estimates import Row, Sums
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.contract_sums import MAX_LENGTH, MOST_IMPS

__all__ = [
    "COLUMNS",
    "FRAMES",
    "LEADING",
    "MOST",
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
    "imps": "IMPs\na board",
    "points": "net\npoints",
    "wins": "wins",
    "declared": "declares",
    "made": "made",
    "over": "tricks\nover",
    "passed_out": "passed\nout",
    "below": "below\nthe line",
    "above": "above\nthe line",
}
"""Figures of a strategy that a person sees, with their headings."""
LARGE_SWING = 10
"""IMPs from which on the tables of a board were far apart, as when a game was made at one of them only."""
MOST = {"lengths": MAX_LENGTH}
"""The last number of the table of lengths, which stands for more, too."""
FRAMES: dict[str, Callable[[Experiment, int, Sums], Any]] = {
    **COMMON_FRAMES,
    "sheet": sheet,
    "lengths": lengths,
    "endings": endings,
    "imps": imps,
}
"""The game's own tables by name: lists of rows, or columns."""


def game_name(experiment: Experiment) -> str:
    """What a game is called."""
    return "board" if experiment.options["scoring"] == "duplicate" else "rubber"


def as_json(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """The game's own figures: contracts, how rubbers went, how far the tables of a board were apart."""
    found = contract_tables.as_json(experiment, units, sums)
    rubbers = endings(experiment, units, sums)
    if rubbers:
        found["deals_a_rubber"] = found["deals"] / sum(row["rubbers"] for row in rubbers)
        found["endings"] = rubbers
    if "imps" in sums:
        found["imps"] = _imps(experiment, sums)
    return found


def _imps(experiment: Experiment, sums: Sums) -> list[Row]:
    """By pair: boards, those without a swing, the mean swing, and those of ten IMPs and more."""
    rows, values = [], np.abs(np.arange(-MOST_IMPS, MOST_IMPS + 1))
    for (one, other), counted in zip(experiment.match.pairs, sums["imps"], strict=True):
        boards = int(counted.sum())
        if boards:
            swings = {
                "flat": int(counted[values == 0].sum()) / boards,
                "mean_swing": int(counted @ values) / boards,
                "large_swings": int(counted[values >= LARGE_SWING].sum()) / boards,
            }
            pair = {"strategy": experiment.labels[one], "opponent": experiment.labels[other]}
            rows.append({**pair, "boards": boards, **swings})
    return rows


def in_words(experiment: Experiment, units: int, sums: Sums) -> list[str]:
    """The game's own figures, in lines to be printed."""
    lines, rubbers = contract_tables.in_words(experiment, units, sums), endings(experiment, units, sums)
    if rubbers:
        mean = rounds_played(sums) / sum(row["rubbers"] for row in rubbers)
        ended = ", ".join(f"{100 * row['share']:.1f} % {row['ending']}" for row in rubbers)
        lines.append(f"{mean:,.1f} deals a rubber; {ended}")
    return lines
