"""Playing a range of units: by the compiled kernel, or game by game by the reference engine.

The kernel is fast but cannot say where a strategy went wrong. So when it stops at a unit, that unit is played
again by the reference engine, which finds the decision and either reports it or, under ``forfeit``, plays on.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from bridzik_sim import row_formats, tally
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.game import Chunk
from bridzik_sim.games.plain import Fault, StrategyFault, is_ctrl_c, told
from bridzik_sim.games.plain_records import GameRecord
from bridzik_sim.games.seats import NoRoom
from bridzik_sim.plans import Plan
from bridzik_sim.tally import Counts
from bridzik_sim.watch import Watch


@dataclass
class Played:
    """Counts (and rows, if wanted) of the units ``first`` to ``stop``."""

    first: int
    stop: int
    counts: dict[str, Counts]
    rows: Counts
    written: bytes = b""
    """The rows as a file of their own, which is how a chunk hands them on."""


class Player:
    """Plays units of one experiment. Safe to share between threads."""

    def __init__(self, experiment: Experiment) -> None:
        """Compile the strategies, or load them from the cache; ``StrategyError`` when one cannot be."""
        self.experiment = experiment
        self.game = experiment.game
        self.labels = experiment.labels
        strategies = [experiment.strategies[label] for label in self.labels]
        if not experiment.python:
            compiled = [strategy.compiled(self.game) for strategy in strategies]
            self.functions = {name: tuple(by[name] for by in compiled) for name in self.game.decisions}
        self.callables = [SimpleNamespace(**strategy.callables(self.game)) for strategy in strategies]
        self.cheats = [strategy.cheats for strategy in strategies]
        self.params = np.stack([strategy.params for strategy in strategies])
        self.match = experiment.match
        self.seatings, self.turns = self.match.seatings, self.match.turns
        self.layouts = self.game.tallies(self.labels, self.match)
        self.watch: Watch | None = None
        """Set where games of the reference engine are watched, by one thread at a time."""
        self.plan: Plan | None = None
        """What the kernel is compiled for; None: any strategies (see ``long_runs.py``)."""

    def play(self, first: int, stop: int, control: Counts, plain: bool = False) -> Played:
        """Play a chunk: as ``units``, but its rows are written, here where several workers share that."""
        done = self.units(first, stop, control, plain)
        done.written, done.rows = row_formats.ready(self.experiment, done.rows), self._no_rows()
        return done

    def units(self, first: int, stop: int, control: Counts, plain: bool = False) -> Played:
        """Play units ``first`` to ``stop``, fewer when ``control[0]`` is set meanwhile.

        ``control[1]`` counts those that are done. ``plain``: by the reference engine in any case.
        ``StrategyFaultError`` when a strategy fails and the experiment does not forfeit.
        """
        control[1] = 0
        done = Played(first, first, tally.zeros(self.layouts), self._no_rows())
        some = self._plain if plain or self.experiment.python else self._compiled
        while done.stop < stop and not control[0]:
            piece = some(done.stop, stop, control)
            done.stop = piece.stop
            done.rows = np.concatenate([done.rows, piece.rows])
            for name, counts in piece.counts.items():
                done.counts[name] += counts
        return done

    def _compiled(self, first: int, stop: int, control: Counts, room: int = 1) -> Played:
        """Play units by the kernel, up to the first that fails.

        If that is ``first``, by the reference engine; but if only its rows do not fit, again with more
        ``room``, so many times that of a usual game.
        """
        wanted = self.experiment.rows != "none"
        rows = (stop - first) * len(self.seatings) * self.game.rows_a_game * room if wanted else 0
        before = int(control[1])
        chunk = Chunk(
            self.functions,
            self.params,
            self.match,
            self.experiment.seed,
            self.experiment.options,
            first,
            stop,
            self.experiment.on_error == "forfeit",
            tally.zeros(self.layouts),
            np.full((rows, len(self.game.row_columns)), -1, np.int64),
            control,
            tuple(self.cheats),
            self.plan,
        )
        try:
            self.game.kernel.play_chunk(chunk)
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            bad = first + int(control[1]) - before
            control[1] = before
            if isinstance(error, NoRoom):
                return self._compiled(first, max(bad, first + 1), control, 2 * room)
            if bad > first:
                return self._compiled(first, bad, control, room)
            if stop > first + 1:  # it may have been the next one: some kernels play two at a time
                return self._compiled(first, first + 1, control, room)
            piece = self._plain(bad, bad + 1, control)
            if piece.stop > bad and not piece.counts["faults"].any():
                what = f"a strategy failed in unit {bad}, but not when the unit was played again"
                raise StrategyFaultError(f"{what}: it does not play the same every time", bad, 0) from error
            return piece
        filled = int(np.count_nonzero(chunk.rows[:, 0] >= 0))
        return Played(first, first + int(control[1]) - before, chunk.counts, chunk.rows[:filled])

    def _no_rows(self) -> Counts:
        return np.zeros((0, len(self.game.row_columns)), np.int64)

    def _plain(self, first: int, stop: int, control: Counts) -> Played:
        """Play units by the reference engine."""
        counts = tally.zeros(self.layouts)
        count, close_unit = self.game.kernel.count_units(counts, self.match)
        rows, unit = [self._no_rows()], first
        while unit < stop and not control[0]:
            for seating in range(len(self.seatings)):
                new = count(self.record(unit, seating), seating)
                new[:, 0] = unit
                rows.append(new)
            close_unit(unit)
            unit += 1
            control[1] += 1
        wanted = self.experiment.rows != "none"
        return Played(first, unit, counts, np.concatenate(rows) if wanted else self._no_rows())

    def as_seated(self, streams: int) -> None:
        """From now on seating ``streams`` is the first one, with the random streams of that number."""
        self.seatings, self.turns = np.repeat(self.seatings[:1], streams + 1, axis=0), streams + 1

    def record(self, unit: int, seating: int, observer: Any = None) -> GameRecord[Any]:
        """One game by the reference engine.

        ``StrategyFaultError`` when a strategy fails and does not forfeit.
        """
        entrants_at = self.seatings[seating]
        cheats = [self.cheats[entrant] for entrant in entrants_at]
        players: list[Any] = [self.callables[entrant] for entrant in entrants_at]
        if self.watch is not None:
            players = self.watch.seated(players, self.game.decisions, seating)
        try:
            record: GameRecord[Any] = self.game.reference.play_game(
                players,
                seed=self.experiment.seed,
                unit=unit,
                seating=seating % self.turns,
                params=self.params[entrants_at],
                on_error=self.experiment.on_error,
                observer=observer,
                **({"cheats": cheats} if any(cheats) else {}),
                **self.experiment.options,
            )
        except StrategyFault as fault:
            raise StrategyFaultError(self._explain(fault, unit, seating), unit, seating) from fault.exception
        return record

    def _explain(self, fault: StrategyFault, unit: int, seating: int) -> str:
        legal = f" (legal: {', '.join(str(code) for code in fault.legal)})" if fault.kind == "illegal" else ""
        return explained(self.experiment, self.seatings[seating], fault.fault, unit, seating, legal)


def explained(
    experiment: Experiment, entrants_at: Counts, fault: Fault, unit: int, seating: int, legal: str = ""
) -> str:
    """One line: which strategy did what, and where; ``entrants_at`` are the entrants by seat."""
    label = experiment.labels[entrants_at[fault.seat]]
    where = (
        f"unit {unit}, {experiment.place(seating)}, deal {fault.deal}, seat {fault.seat}, "
        f"decision {fault.decision}"
    )
    return f"the strategy {label} {told(fault.kind, fault.answer)}{legal}: {where}"
