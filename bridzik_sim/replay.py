"""A game played again by the reference engine: its record, what a seat saw, how far a bad strategy got."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from bridzik_sim.cards import lowest
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.games.plain import Event, Fault
from bridzik_sim.play import Player


@dataclass
class Moment:
    """One decision. ``view`` is a copy, kept for the watched seat only; ``answer`` is -1 after a failure."""

    deal: int
    seat: int
    decision: str
    legal: list[int]
    view: Any = None
    answer: int = -1
    fault: Fault | None = None


@dataclass
class Replay:
    """A game that was played again."""

    record: dict[str, Any]
    """The game as records are written. After a failure it ends there, and the points of its last deal are
    None."""
    moments: list[Moment]
    """Every decision, in order."""
    error: StrategyFaultError | None
    """Why the game could not be finished."""


class Watcher:
    """An observer that notes every decision, and copies the views of one seat (None: of none, -1: of all)."""

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat
        self.moments: list[Moment] = []

    def __call__(self, event: Event) -> None:
        """Note an event of the reference engine."""
        if event.moment == "before":
            view = event.view.copy() if self.seat in (-1, event.seat) else None
            self.moments.append(Moment(event.deal, event.seat, event.decision, list(event.legal), view))
        else:
            self.moments[-1].answer, self.moments[-1].fault = event.answer, event.fault


def play(player: Player, unit: int, seating: int, seat: int | None = None) -> Replay:
    """Play a game of the player's experiment again, noting what ``seat`` sees; a failing strategy ends it."""
    watcher = Watcher(seat)
    error = None
    try:
        game = player.record(unit, seating, watcher)
    except StrategyFaultError as fault:
        error = fault
        game = _scripted(player, unit, seating, [moment.answer for moment in watcher.moments[:-1]])
    experiment = player.experiment
    record = game.as_dict(
        options=experiment.options_of(unit),
        seed=experiment.seed,
        unit=unit,
        seating=seating,
        seats=[player.labels[entrant] for entrant in player.seatings[seating]],
    )
    if error:
        record = _cut(record, watcher.moments, player.game.telling.Telling)
    return Replay(record, watcher.moments, error)


def _scripted(player: Player, unit: int, seating: int, answers: Sequence[int]) -> Any:
    """The game in which these answers are given, and the lowest legal ones after them. Asks no strategy."""
    script: Iterator[int] = iter(answers)

    def answer(view: Any) -> int:
        given = next(script, None)
        return int(lowest(view.legal)) if given is None else given

    seat = SimpleNamespace(**dict.fromkeys(player.game.decisions, answer))
    experiment = player.experiment
    return player.game.reference.play_game(
        [seat] * experiment.seatings.shape[1],
        seed=experiment.seed,
        unit=unit,
        seating=seating % player.turns,
        **experiment.options,
    )


def _cut(record: dict[str, Any], moments: Sequence[Moment], telling: Any) -> dict[str, Any]:
    """The record up to its last moment, which got no answer."""
    *whole, last = record["deals"][: len({moment.deal for moment in moments})]
    totals = [0] * len(record["totals"])
    for deal in whole:
        totals = telling.totals(totals, deal)
    cut = telling.cut(last, [moment for moment in moments if moment.deal == moments[-1].deal])
    return {**record, "totals": totals, "winners": [], "deals": [*whole, cut]}
