"""Games of Czech Fool by the kernel and by the reference engine, compared."""

import kernel_checks
import numpy as np
from fool_tallies import rows_of

from bridzik_sim.games.fool import kernel
from bridzik_sim.games.fool.rules import GAME

# The third strategy plays whatever card fits, the last one draws and passes whenever it may.
SEATINGS = {
    2: np.array([[0, 1], [2, 3], [3, 3]]),
    3: np.array([[1, 2, 0], [2, 3, 2], [3, 3, 3]]),
    4: np.array([[2, 1, 2, 0], [3, 0, 2, 2], [3, 3, 3, 3]]),
}
DRAWS = ("voluntary", "forced")
DEFAULTS = GAME.parse_options({})


def chunk_of(functions, first, stop, seatings, options, forfeit=False, rows=2000):
    """Units to be played by the kernel, with room for ``rows`` a game."""
    room = (stop - first) * len(seatings) * rows
    return kernel_checks.chunk_of(GAME, functions, first, stop, seatings, options, room, forfeit)


def play_by_reference(functions, unit, seatings, seating, options, **more):
    """The record of a game and the players' hashes."""
    how = options | more
    record, players = kernel_checks.play_by_reference(
        GAME, functions, seatings[seating], unit, seating, **how
    )
    assert record.decisions == sum(player.asked for player in players)
    return record, [player.hash for player in players]


def compare(functions, hashes, unit, seatings, options):
    """Play a unit in all seatings by both; returns (unit, seating, record) of each game."""
    games, rows, seats = [], [], seatings.shape[1]
    for seating, entrants in enumerate(seatings):
        record, expected = play_by_reference(functions, unit, seatings, seating, options)
        games.append((unit, seating, record))
        rows += rows_of(record, entrants, unit, seating)
        chunk = chunk_of(functions, unit, unit + 1, seatings[: seating + 1], options)
        kernel.play_chunk(chunk)
        assert hashes(seats) == expected, (unit, seating, options)
        filled = chunk.rows[chunk.rows[:, 0] >= 0]
        assert list(map(tuple, filled.tolist())) == rows, (unit, seating, options)
    return games


def events_of(record, deck):
    """What happened in a game that happens rarely."""
    if len(record.winners) > 1:
        yield "shared"
    if not any(total <= 101 for total in record.totals):
        yield "all out"
    for deal in record.deals:
        ending, last = ("won", "blocked", "capped")[deal.ending], deal.moves[-1]
        yield ending
        if last.forced:
            yield f"{ending}, a card drawn"
        if deal.ending == 2 and last.suit >= 0:
            yield "capped, a suit chosen"
        if any(deal.reset):
            yield "reset"
        players = sum(map(bool, deal.hands))
        if sum(len(move.draw) for move in deal.moves) > deck - 1 - 5 * players:
            yield "renewed"
        yield from (event for move in deal.moves if (event := event_of(move)))


def event_of(move):
    """What happened in a move that happens rarely."""
    if move.passed:
        return "passed" if move.draw else "passed with nothing to draw"
    if move.play < 0 and not move.forced:
        return "eight failed"
    return "drawn for an eight" if len(move.draw) > 1 and not move.forced else None
