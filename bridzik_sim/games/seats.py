"""What every kernel keeps of the seats of a table, whatever is played there, and how it is set up.

A kernel's ``table`` is a record with these fields and its own; ``views`` are one view a seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridzik_sim import streams
from bridzik_sim.calls import address
from bridzik_sim.cards import lowest
from bridzik_sim.games import view
from bridzik_sim.games.game import Chunk
from bridzik_sim.jit import jit
from bridzik_sim.plans import shows


def fields(seats: int, decisions: int) -> list[tuple[Any, ...]]:
    """Fields of a table: who sits where and how it decides, faults, and the random words of the unit."""
    return [
        *((name, "int64", (seats,)) for name in ("entrants", "cheats", "illegal")),
        ("functions", "int64", (decisions, seats)),
        ("params", "float64", (seats, view.PARAMS)),
        *streams.UNIT_FIELDS,
        *((name, "int64") for name in ("forfeit", "lineup_turns")),
    ]


def addresses(chunk: Chunk, decisions: tuple[str, ...], view_type: Any) -> Any:
    """int64[decisions, entrants]: where the entrants' compiled functions are."""
    return np.array([[address(one, view_type) for one in chunk.functions[name]] for name in decisions])


def cheats(chunk: Chunk) -> Any:
    """int64[entrants]: 1 for who is told all hands."""
    return np.array(chunk.cheats or [False] * len(chunk.params), np.int64)


def new_table(chunk: Chunk, record: Any, number: int = 1) -> Any:
    """So many empty tables, an array of records."""
    table = view.empty(record, number)
    table["forfeit"], table["lineup_turns"] = chunk.forfeit, chunk.match.turns
    return table


class IllegalAnswer(Exception):
    """A strategy's answer was not legal; the reference engine finds out which."""


class NoRoom(Exception):
    """The rows of a unit do not fit into what the chunk has for them; it is played again with more room."""


@jit(inline=True)
def legal_answer(table, seat, legal, answer):
    """The answer of a seat, one of ``legal`` (a mask); else IllegalAnswer, or the lowest under forfeit."""
    if answer < 0 or answer > 62 or (legal >> answer) & 1 == 0:
        if not table.forfeit:
            raise IllegalAnswer
        table.illegal[seat] += 1
        return lowest(legal)
    return answer


@jit
def start_game(plan, table, views, seats, functions, params, cheats, entrants_at):
    """Put the entrants of a seating on their seats for a new game."""
    for seat in range(seats):
        entrant = entrants_at[seat]
        table.entrants[seat] = entrant
        table.cheats[seat] = cheats[entrant]
        for decision in range(functions.shape[0]):
            table.functions[decision, seat] = functions[decision, entrant]
        for i in range(view.PARAMS):
            table.params[seat, i] = params[entrant, i]
        if shows(plan, "game_memory"):
            views[seat].game_memory[:] = 0.0
        for other in range(seats):
            views[seat].dealt[other] = 0


@jit(merged=True)
def start_deal(plan, table, views, seats, deal, seating):
    """Give every seat its parameters, an empty memory and its stream for this deal (see ``Match.turns``).

    Who cheats is told all hands.
    """
    for seat in range(seats):
        own = views[seat]
        if shows(plan, "params"):
            for i in range(view.PARAMS):
                own.params[i] = table.params[seat, i]
        if shows(plan, "memory"):
            own.memory[:] = 0.0
        if table.cheats[seat]:
            for other in range(seats):
                own.dealt[other] = table.hands[other]
        if shows(plan, "stream"):
            streams.start(table.words, deal, streams.strategy_purpose(seating, seat), own.stream)


@jit(merged=True)
def count_faults(table, seats, faults):
    """Add the illegal answers of a game to ``faults``, by entrant, and forget them."""
    for seat in range(seats):
        faults[table.entrants[seat], 0] += table.illegal[seat]
        table.illegal[seat] = 0
