"""A generation of candidates on the same cards: each in every seat with the field elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bridzik_sim import api, match, strategy
from bridzik_sim.experiment import Experiment
from bridzik_sim.lineup import Spec
from bridzik_sim.match import Match
from bridzik_sim.strategy import Strategy


@dataclass(frozen=True)
class Generation(Experiment):
    """An experiment whose last player is the field and all others are candidates.

    A unit is played at the tables at which ``compare`` seats one against a field, once for each candidate.
    Seating k of every candidate draws the same random numbers.
    """

    @cached_property
    def match(self) -> Match:
        """The tables of all candidates, one candidate after the other."""
        seats = self.at_table
        sides, field = self.game.sides or seats, len(self.players) - 1
        rows = [
            tuple(who if side == own else field for side in range(sides))
            for who in range(field)
            for own in range(sides)
        ]
        return match.build(rows, field, field + 1, (), [], seats, sides)


class Table:
    """Where candidates of one strategy play; it is compiled once, for parameters are data."""

    def __init__(self, base: Experiment) -> None:
        """``base`` is the comparison of the strategy with itself against the field."""
        self._base = base
        self._own = base.strategies[base.players[0].label]
        self._field = base.players[2]
        if not base.python:
            self._own.compiled(base.game)

    @property
    def spec(self) -> Spec:
        """The strategy with its present parameters; a file by its absolute path."""
        return self._base.players[0]

    @property
    def tables(self) -> int:
        """Games that a candidate plays in a unit."""
        return len(self._base.seatings) // 2

    def play(self, candidates: Sequence[Spec], first: int, units: int, **playing: Any) -> list[int]:
        """Points that each candidate made in ``units`` units from ``first`` on, over all its seats."""
        specs = [replace(spec, label=f"candidate {number}") for number, spec in enumerate(candidates, 1)]
        field = replace(self._field, label="field")
        loaded = {spec.label: self._with(spec) for spec in specs}
        loaded["field"] = self._base.strategies[self._field.label]
        generation = Generation(
            "compare",
            self._base.game_name,
            self._base.options,
            (*specs, field),
            {label: one.fingerprint for label, one in loaded.items()},
            units,
            self._base.seed,
            self._base.seating,
            first_unit=first,
            strategies=loaded,
            at_table=self._base.at_table,
        )
        results = api.play(generation, **playing)
        totals = results.sums["total"].sum(axis=0)
        return [int(total) for total in totals[: len(specs)]]

    def _with(self, spec: Spec) -> Strategy:
        return replace(self._own, spec=spec, params=strategy.parameters(spec, self._own.listing))
