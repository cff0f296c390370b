"""Who is deciding: marks in memory that another process can read, and seats that are not asked any more.

The marks tell apart a strategy that does not answer, or brings its process down, from all others. They are
int64 words: the first two are the control of a chunk (see ``games/game.py``), the rest is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from bridzik_sim.games.plain import NoAnswer
from bridzik_sim.tally import Counts

STOP, DONE, DECIDING, COUNT, SEATING, NUMBER, DEAL, SEAT, DECISION = range(9)
"""``DECIDING`` is 1 while a strategy is being asked, ``COUNT`` counts decisions, ``NUMBER`` those of a game
from 0, ``DECISION`` is an index into the game's ``decisions``."""
WORDS = 9


class Silence(NamedTuple):
    """A decision to which a seat has no answer; it is not asked again in that game."""

    seating: int
    number: int
    deal: int
    seat: int
    decision: int
    kind: str
    answer: str
    """Both as in a ``Fault``."""


class Watch:
    """Marks every decision of the games that the reference engine plays, and keeps some seats silent."""

    def __init__(self, marks: Counts, silences: Sequence[Silence] = ()) -> None:
        self.marks, self.silences = marks, silences

    def seated(self, players: Sequence[Any], decisions: Sequence[str], seating: int) -> list[Any]:
        """The players of one game, watched."""
        silent = {one.seat: one for one in self.silences if one.seating == seating}
        self.marks[SEATING], self.marks[NUMBER] = seating, -1
        return [
            SimpleNamespace(
                **{
                    name: partial(self._ask, getattr(player, name), seat, index, silent.get(seat))
                    for index, name in enumerate(decisions)
                }
            )
            for seat, player in enumerate(players)
        ]

    def _ask(self, function: Any, seat: int, decision: int, silence: Silence | None, view: Any) -> Any:
        marks = self.marks
        marks[NUMBER] += 1
        if silence is not None and marks[NUMBER] >= silence.number:
            if marks[NUMBER] == silence.number:
                raise NoAnswer(silence.kind, silence.answer)
            legal = int(view.legal)
            return (legal & -legal).bit_length() - 1  # the fault has been counted
        marks[COUNT] += 1
        marks[DEAL], marks[SEAT], marks[DECISION] = view.deal, seat, decision
        marks[DECIDING] = 1
        try:
            return function(view)
        finally:
            marks[DECIDING] = 0


def under_way(marks: Counts, kind: str, answer: str) -> Silence | None:
    """The decision that the marks show as being made, as one without an answer; None between decisions."""
    if not marks[DECIDING]:
        return None
    seating, number, deal, seat, decision = (int(marks[at]) for at in (SEATING, NUMBER, DEAL, SEAT, DECISION))
    return Silence(seating, number, deal, seat, decision, kind, answer)
