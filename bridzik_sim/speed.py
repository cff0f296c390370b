"""How fast a strategy and a line-up are on this machine.

Times never go into a run's tables: those must repeat exactly.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace

import numpy as np

from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.plain import Event
from bridzik_sim.match import GIVEN
from bridzik_sim.play import Player

PROBE_SECONDS = 0.002
REPEATS = 2
SAMPLE = 50
"""Units that tell the decisions of a game where their number differs."""


def time_a_decision(experiment: Experiment, label: str) -> float:
    """Seconds a decision of the entrant ``label`` takes at a table of its own, the game's own work included.

    It sits at every seat and plays whole games, of random deals, for about 2 ms on this thread; the faster of
    two counts, or the first where it took much longer. Its faults are forfeited. The experiment must hold its
    loaded strategies. ``UsageError`` for an unknown label.
    """
    specs = {spec.label: spec for spec in experiment.players}
    if label not in specs:
        raise UsageError(unknown_name("entrant called", label, specs))
    alone = replace(
        experiment.freely_dealt(),
        command="simulate",
        players=(specs[label],) * experiment.seatings.shape[1],
        strategies={label: experiment.strategies[label]},
        seating=GIVEN,
        sure=None,
        on_error="forfeit",
        rows="none",
    )
    player = Player(alone)
    if alone.python:
        return _seconds_a_plain_decision(player)
    units, first = _long_enough(player, PROBE_SECONDS)
    again = 0 if first > 10 * PROBE_SECONDS else REPEATS - 1
    fastest = min([first, *(_seconds(player, units) for _ in range(again))])
    return fastest / (units * decisions_a_game(player, units))


def games_per_second(experiment: Experiment, seconds: float) -> float:
    """Games of the experiment's line-up a second on one thread, over ``seconds`` or one unit at least."""
    player = Player(replace(experiment.freely_dealt(), rows="none"))
    units, taken = _long_enough(player, seconds)
    return units * len(player.seatings) / taken


def decisions_a_game(player: Player, units: int = SAMPLE) -> float:
    """Decisions of all seats in a game under the experiment's options.

    Where their number differs from game to game, the mean of the first ``units``.
    """
    game = player.game
    if game.decisions_a_game is None:
        played = player.play(0, units, np.zeros(2, np.int64))
        return int(played.counts["decisions"].sum()) / (units * len(player.seatings))
    if player.experiment.options == game.parse_options({}):
        return game.decisions_a_game(len(player.seatings[0]))
    moments: list[str] = []
    player.record(0, 0, observer=lambda event: moments.append(event.moment))
    return moments.count("after")


class _EnoughError(Exception):
    """Ends a game that has been timed for long enough."""


def _seconds_a_plain_decision(player: Player) -> float:
    """Seconds a decision of a plain Python line-up: a slow one is not asked for a whole game."""
    began, answers = time.perf_counter(), 0

    def count(event: Event) -> None:
        nonlocal answers
        answers += event.moment == "after"
        if answers and time.perf_counter() - began > 10 * PROBE_SECONDS:
            raise _EnoughError

    with contextlib.suppress(_EnoughError):
        player.record(0, 0, observer=count)
    return (time.perf_counter() - began) / answers


def _long_enough(player: Player, seconds: float) -> tuple[int, float]:
    """Units whose play takes ``seconds`` at least, found by playing ever more, and the time they took."""
    _ = player.game.kernel  # importing it compiles or loads it
    units, taken = 1, _seconds(player, 1)
    while taken < seconds:
        units *= int(np.clip(1.1 * seconds / taken, 2, 16)) if taken > 0 else 16
        taken = _seconds(player, units)
    return units, taken


def _seconds(player: Player, units: int) -> float:
    began = time.perf_counter()
    player.play(0, units, np.zeros(2, np.int64))
    return time.perf_counter() - began
