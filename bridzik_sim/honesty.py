"""Does a strategy use cards it cannot see? Change them and ask it again.

A game is played by the reference engine, all seats by the strategy. Then it is played again up to some
decision of one seat, with other cards where this seat cannot see them (the game's ``redealing``). The other
seats repeat their answers, so what the seat sees stays the same, and so must its answers and notes. Where
other cards do change what it sees, because they forbid an answer or force another one, nothing follows from
them. A compiled strategy gets nothing but its view; this finds plain Python that looks past it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from bridzik_sim.games.plain import Event
from bridzik_sim.play import Player
from bridzik_sim.replay import Moment, Watcher

NOTES = ("memory", "game_memory", "stream")


@dataclass
class Finding:
    """What came out: decisions asked again, and the first one that depended on unseen cards."""

    asked: int = 0
    problem: str = ""
    unit: int = 0
    seat: int = 0
    """Where it was found."""


class _Stop(Exception):
    """Leaves the engine; ``problem``: see ``_again``."""

    def __init__(self, problem: str | None) -> None:
        super().__init__(problem)
        self.problem = problem


def examine(player: Player, units: int, tries: int, seconds: float, seed: int = 0) -> Finding:
    """Ask again at up to ``tries`` random decisions of one unit's first seating, for about ``seconds``.

    The unit is the first in which all decisions of the game are asked, or else the last of ``units``. Each
    kind of decision has an equal share of the tries, as far as there are so many. All seats must hold the
    same strategy, and it must be deterministic.
    """
    chance = random.Random(seed)
    for unit in range(units):
        watcher = Watcher(-1)
        record = player.record(unit, 0, watcher)
        if {moment.decision for moment in watcher.moments} == {*player.game.decisions}:
            break
    deals = {deal.deal: deal for deal in record.deals}
    finding, end = Finding(), time.monotonic() + seconds
    for index in _chosen(watcher.moments, tries, chance):
        number = watcher.moments[index].deal
        before = [moment for moment in watcher.moments[: index + 1] if moment.deal == number]
        for cards in player.game.redealing.redeals(deals[number], before, chance):
            problem = _again(player, unit, watcher.moments, index, {number: cards})
            if problem is not None:
                finding.asked, finding.problem = finding.asked + 1, problem
                finding.unit, finding.seat = unit, watcher.moments[index].seat
                break
        if finding.problem or time.monotonic() > end:
            break
    return finding


def _chosen(moments: Sequence[Moment], tries: int, chance: random.Random) -> list[int]:
    """Moments with a choice, at random, the kinds of decisions in turn."""
    choices = [index for index, moment in enumerate(moments) if len(moment.legal) > 1]
    chance.shuffle(choices)
    turns: Counter[str] = Counter()
    ranked = []
    for index in choices:
        turns[moments[index].decision] += 1
        ranked.append((turns[moments[index].decision], index))
    return [index for _, index in sorted(ranked)[:tries]]


def _again(
    player: Player, unit: int, moments: Sequence[Moment], last: int, dealt: dict[int, Any]
) -> str | None:
    """Play up to moment ``last`` with other cards; says what its seat did differently, or nothing.

    None when the seat sees something else, or the others cannot repeat what they did.
    """
    seat, experiment = moments[last].seat, player.experiment
    asked = -1

    def watch(event: Event) -> None:
        nonlocal asked
        asked += event.moment == "before"
        before = moments[asked]
        if (event.deal, event.seat, event.decision) != (before.deal, before.seat, before.decision):
            raise _Stop(None)
        if event.seat == seat:
            _compare(event, before, f"unit {unit}, deal {event.deal}, seat {seat}, decision {event.decision}")
        elif event.moment == "after" and event.answer != before.answer:
            raise _Stop(None)
        if event.moment == "after" and asked == last:
            raise _Stop("")

    def repeat(view: Any) -> int:
        return moments[asked].answer

    own = player.callables[player.seatings[0][seat]]
    scripted = SimpleNamespace(**dict.fromkeys(player.game.decisions, repeat))
    players: list[Any] = [own if at == seat else scripted for at in range(experiment.seatings.shape[1])]
    play_game: Callable[..., Any] = player.game.reference.play_game
    try:
        play_game(
            players, seed=experiment.seed, unit=unit, params=player.params[player.seatings[0]],
            on_error="forfeit", observer=watch, dealt=dealt, **experiment.options,
        )  # fmt: skip
    except _Stop as stop:
        return stop.problem
    return None


def _compare(event: Event, before: Moment, place: str) -> None:
    """Leave the engine when a seat sees, notes or answers something else than before."""
    if event.moment == "after":
        if event.answer != before.answer:
            raise _Stop(f"with other unseen cards it answers {event.answer}, not {before.answer}: {place}")
        return
    now, then = event.view, before.view
    changed = [name for name in now.dtype.names if now[name].tobytes() != then[name].tobytes()]
    if any(name not in NOTES for name in changed):
        raise _Stop(None)
    if changed:
        raise _Stop(f"with other unseen cards its {changed[0]} differs: {place}")
