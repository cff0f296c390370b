"""Players of whole runs: with a kernel made for their strategies, where that pays.

What a plan leaves out is read off names in the strategies' code. So that no strategy which reads by other
ways is ever played wrongly, both kernels first play some units, and must count the same.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np

from bridzik_sim import plans
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.experiment import Experiment
from bridzik_sim.play import Player
from bridzik_sim.speed import decisions_a_game

COMPARED = 32
"""Units that both kernels play."""


def player(experiment: Experiment) -> Player:
    """A player for all units of an experiment; ``StrategyError`` when a strategy cannot be compiled."""
    made, game = Player(experiment), experiment.game
    if experiment.python or experiment.rows != "none" or not hasattr(game.kernel, "specialise"):
        return made
    strategies = [experiment.strategies[label] for label in experiment.labels]
    with contextlib.suppress(StrategyFaultError):  # the run will meet it again, and tell
        decisions = experiment.games * decisions_a_game(made)
        plan = plans.chosen(game, strategies, decisions, certain=experiment.sure is None)
        if plan is not None and _same(experiment, plan):
            made.plan = plan
    return made


def _same(experiment: Experiment, plan: plans.Plan) -> bool:
    """Whether the first units come out the same with the plan as without; faults are forfeited here."""
    forfeiting = Player(replace(experiment, on_error="forfeit"))
    counts = []
    for which in (None, plan):
        forfeiting.plan = which
        stop = min(experiment.first_unit + COMPARED, experiment.last_unit)
        counts.append(forfeiting.units(experiment.first_unit, stop, np.zeros(2, np.int64)).counts)
    return all(np.array_equal(counts[0][name], counts[1][name]) for name in counts[0])
