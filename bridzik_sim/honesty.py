"""Does a strategy use cards it cannot see? Change them and ask it again.

A game is played by the reference engine, all seats by the strategy. Then it is played again up to some
decision of one seat with the cards that this seat cannot see at that moment dealt differently: among the
other hands and the rest, with the same numbers of cards, and never a suit to a seat that has shown to lack
it. The other seats repeat their answers, so all that is public stays the same, and so must the seat's
answers and notes. A compiled strategy gets nothing but its view; this finds plain Python that looks past
it.
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

SHUFFLES = 200
NOTES = ("memory", "game_memory", "stream")
Hands = list[list[int]]


@dataclass
class Finding:
    """What came out: decisions asked again, and the first one that depended on unseen cards."""

    asked: int = 0
    problem: str = ""


class _Stop(Exception):
    """Leaves the engine after the decision in question; ``problem`` is empty when it was as before."""

    def __init__(self, problem: str = "") -> None:
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
    dealt = {deal.deal: deal.hands for deal in record.deals}
    finding, end = Finding(), time.monotonic() + seconds
    for index in _chosen(watcher.moments, tries, chance):
        moment = watcher.moments[index]
        hands = redeal(player, dealt[moment.deal], moment, chance)
        if hands is not None:
            finding.problem = _again(player, unit, watcher.moments, index, {moment.deal: hands})
            finding.asked += 1
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


def redeal(player: Player, hands: Hands, moment: Moment, chance: random.Random) -> Hands | None:
    """Other hands that this moment's seat cannot tell from ``hands``; None when there is hardly a way.

    The seat's own cards and all cards played stay where they are, and so does a card turned up for trump.
    """
    deck, view = player.game.deck, moment.view
    ranks = len(deck.ranks)
    fixed = [[card for card in hand if int(view.played) >> card & 1] for hand in hands]
    fixed[moment.seat] = list(hands[moment.seat])
    seen = {card for hand in fixed for card in hand} | {int(getattr(view, "trump_card", -1))}
    unseen = [card for card in range(len(deck)) if card not in seen]
    for _ in range(SHUFFLES):
        left, dealt = chance.sample(unseen, len(unseen)), []
        # Seats that lack most suits choose first, or too few cards would be left for them.
        for seat in sorted(range(len(hands)), key=lambda seat: -int(view.seen_void[seat]).bit_count()):
            wanted = len(hands[seat]) - len(fixed[seat])
            fit = [card for card in left if not int(view.seen_void[seat]) >> card // ranks & 1][:wanted]
            if len(fit) < wanted:
                break
            dealt.append((seat, sorted(fixed[seat] + fit)))
            left = [card for card in left if card not in fit]
        else:
            return [hand for _, hand in sorted(dealt)]
    return None


def _again(player: Player, unit: int, moments: Sequence[Moment], last: int, dealt: dict[int, Hands]) -> str:
    """Play up to moment ``last`` with other hands; says what its seat did differently, or nothing."""
    seat, experiment = moments[last].seat, player.experiment
    asked = -1

    def watch(event: Event) -> None:
        nonlocal asked
        asked += event.moment == "before"
        if event.seat != seat:
            return
        before = moments[asked]
        place = f"unit {unit}, deal {event.deal}, seat {seat}, decision {event.decision}"
        changed = [name for name in NOTES if event.view[name].tobytes() != before.view[name].tobytes()]
        if event.moment == "before" and changed:
            raise _Stop(f"with other unseen cards its {changed[0]} differs: {place}")
        if event.moment == "after" and event.answer != before.answer:
            raise _Stop(f"with other unseen cards it answers {event.answer}, not {before.answer}: {place}")
        if event.moment == "after" and asked == last:
            raise _Stop

    def repeat(view: Any) -> int:
        return moments[asked].answer

    own = player.callables[player.seatings[0][seat]]
    scripted = SimpleNamespace(**dict.fromkeys(player.game.decisions, repeat))
    players: list[Any] = [own if at == seat else scripted for at in range(experiment.seatings.shape[1])]
    play_game: Callable[..., Any] = player.game.reference.play_game
    try:
        play_game(
            players, seed=experiment.seed, unit=unit, params=player.params[player.seatings[0]],
            on_error=experiment.on_error, observer=watch, dealt=dealt, **experiment.options,
        )  # fmt: skip
    except _Stop as stop:
        return stop.problem
    return "it changed the course of the game"
