"""Matches of honeymoon bridge by the kernel and by the reference engine, compared."""

import kernel_checks
import numpy as np
from contract_tallies import rows_of

from bridzik_sim.cards import highest, lowest
from bridzik_sim.games.honeymoon import kernel
from bridzik_sim.games.honeymoon.rules import DRAWING, GAME, PLAY
from bridzik_sim.jit import jit
from bridzik_sim.streams import below, choose

SMALL_SLAM = 30
"""The bid of 6NT."""
# The third strategy always passes and plays low cards, the last one doubles or bids 7NT and plays high ones.
SEATINGS = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [2, 2], [3, 1]])


@jit
def pick(view):
    """A call that keeps the auction low most of the time; any card, or in odd deals a low one first and later a high one."""
    if view.phase == DRAWING:
        return lowest(view.legal) if view.deal & 1 else choose(view)
    if view.phase == PLAY:
        return highest(view.legal) if view.deal & 1 else choose(view)
    kind = below(view, 16)
    doubles, bids = view.legal >> 36, view.legal & ~1
    if kind < 3 or bids == 0:
        return 0
    if kind < 9 and doubles:
        return 35 + highest(doubles) + 1
    if (kind > 13 or view.deal & 3 == 1) and view.contract < SMALL_SLAM:
        return SMALL_SLAM
    return lowest(bids) if kind < 13 else choose(view)


def game_of(options):
    """The game as it is played with these options, and what it counts."""
    return GAME.played(options, "simulate")


def chunk_of(functions, first, stop, seatings, options, forfeit=False, rows=None):
    """Units to be played by the kernel, with room for all rows."""
    game = game_of(options)
    room = (stop - first) * len(seatings) * game.rows_a_game if rows is None else rows
    return kernel_checks.chunk_of(game, functions, first, stop, seatings, options, room, forfeit)


def play_by_reference(functions, unit, seatings, seating, options, **more):
    """The record of a match and the players' hashes."""
    how = options | more
    record, players = kernel_checks.play_by_reference(
        GAME, functions, seatings[seating], unit, seating, **how
    )
    assert record.decisions == sum(player.asked for player in players)
    return record, [player.hash for player in players]


def compare(functions, hashes, unit, seatings, options):
    """Play a unit in all seatings by both; returns (unit, seating, record) of each match."""
    games, rows = [], []
    for seating, entrants in enumerate(seatings):
        record, expected = play_by_reference(functions, unit, seatings, seating, options)
        games.append((unit, seating, record))
        rows += rows_of(record, entrants, unit, seating)
        chunk = chunk_of(functions, unit, unit + 1, seatings[: seating + 1], options)
        kernel.play_chunk(chunk)
        assert hashes(2) == expected, (unit, seating, options)
    assert list(map(tuple, chunk.rows.tolist())) == rows, (unit, options)
    return games


def events_of(record):
    """What happened in a match that happens rarely."""
    yield "tied" if len(record.winners) == 2 else "won"
    for deal in record.deals:
        if len(deal.calls) > 12:
            yield "more than 12 calls"
        yield f"vulnerable {deal.vulnerable}, dealer {deal.dealer}"
        if deal.contract == 0:
            yield "passed out"
            continue
        level = (deal.contract + 4) // 5
        over = deal.declarer_tricks - 6 - level
        vulnerable = " vulnerable" if deal.vulnerable >> deal.declarer & 1 else ""
        yield f"{'made' if over >= 0 else 'down'}{('', ' doubled', ' redoubled')[deal.doubled]}{vulnerable}"
        yield f"declarer {'leads' if deal.declarer != deal.dealer else 'follows'}"
        if over >= 0 and level > 5:
            yield ("small slam", "grand slam")[level - 6]
        if over > 0:
            yield "overtricks"
        if deal.calls[0] == 0:
            yield "opened by the dealer's opponent"
