"""What is counted of Czech Fool, and how.

Rates and means are estimated over units (see ``unit_sums.py``), and the number of rounds differs from unit to
unit. So besides plain counts there are ratios: of two numbers by unit, their sums, squares and products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.games import unit_sums
from bridzik_sim.games.unit_sums import FAULTS, MOMENTS, WHOLE_WIN, add_ratios, add_to_ratio
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Axis, Counts, Tally

QUANTITIES = ("wins", "points")
FEWEST = 2
"""Players in the smallest round."""
MAX_TURNS, MAX_ROUNDS = 1000, 100
"""Histograms end with these numbers, which stand for more, too."""
LOWEST, HIGHEST = -400, 500
"""Likewise with these totals of a game; nobody can have more than 484 points."""
ENDINGS = ("won", "blocked", "capped")
OPENINGS = ("plain", "6", "7", "8", "Q", "A")
LAST_CARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "SQ")
EVENTS = ("exits", "resets")
EXITS, RESETS = range(len(EVENTS))
ROW_COLUMNS = (
    *("unit", "seating", "deal", "seat", "strategy", "players", "position", "turns"),
    *("cards", "won", "points", "total"),
)
ROWS_A_GAME = 80

# What the ratios are of: rounds won of those played, points of those lost, points of those played.
PLAYED_RATIOS = ("won", "lost_points", "points")
PLACE_RATIOS = ("won", "points")


class Round(NamedTuple):
    """A seat's part in a finished round; ``position`` 0 is the seat to the left of the dealer.

    ``full``: whether nobody had been out before; ``lost``: whether somebody else has won it.
    """

    entrant: int
    position: int
    won: int
    lost: int
    points: int
    full: int


class Rounds(NamedTuple):
    """What is counted at the end of every round; ``unit``: the ratios of one unit, in the order of RATIOS.

    A kernel hands tuples on by value, so this one has few arrays.
    """

    turns: Counts
    endings: Counts
    finishes: Counts
    events: Counts
    unit: Counts


class Counters(NamedTuple):
    """The arrays a kernel fills; see ``layouts`` for their axes. Ratios have all axes but the last joined."""

    each: Rounds
    decisions: Counts
    rounds: Counts
    places: Counts
    scores: Counts
    faults: Counts
    turn_moments: Counts
    loser_moments: Counts
    round_moments: Counts
    played_moments: Counts
    position_moments: Counts
    opening_moments: Counts
    sums: unit_sums.Sums


RATIOS = tuple(name for name in Counters._fields if name.endswith("_moments"))


def layouts(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """Tallies of a run.

    By players in the round: ``turns`` (of a round), ``endings``, ``turn_moments`` (rounds, their turns) and
    ``loser_moments`` (seats that lost a round which somebody won, and their points). ``rounds``: of a game;
    ``round_moments``: games and their rounds. ``finishes``: rounds won by the last card, SQ apart from the
    other queens. ``places``: by place at the end of a game, those who go out in one round share the best of
    theirs. ``position_moments`` and ``opening_moments``: of rounds in which all are still in.
    """
    seats = match.seatings.shape[1]
    who, moment = Axis("strategy", tuple(entrants)), Axis("moment", MOMENTS)
    players, position = Axis.span("players", FEWEST, seats), Axis.span("position", 0, seats - 1)
    opening, ratio = Axis("opening", OPENINGS), Axis("ratio", PLACE_RATIOS)
    return (
        Tally("decisions", (Axis("all", ("all",)),)),
        Tally("turns", (players, Axis.span("turns", 0, MAX_TURNS))),
        Tally("endings", (players, Axis("ending", ENDINGS))),
        Tally("rounds", (Axis.span("rounds", 0, MAX_ROUNDS),)),
        Tally("finishes", (who, Axis("last_card", LAST_CARDS))),
        Tally("places", (who, Axis.span("place", 1, seats))),
        Tally("events", (who, Axis("event", EVENTS))),
        Tally("scores", (who, Axis.span("points", LOWEST, HIGHEST))),
        Tally("faults", (who, Axis("fault", FAULTS))),
        Tally("turn_moments", (players, moment)),
        Tally("loser_moments", (players, moment)),
        Tally("round_moments", (Axis("all", ("all",)), moment)),
        Tally("played_moments", (who, Axis("ratio", PLAYED_RATIOS), moment)),
        Tally("position_moments", (who, position, ratio, moment)),
        Tally("opening_moments", (who, opening, position, ratio, moment)),
        *unit_sums.layouts(entrants, match, QUANTITIES),
    )


def counters(counts: dict[str, Counts], match: Match) -> Counters:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    ratios = {name: counts[name].reshape(-1, len(MOMENTS)) for name in RATIOS}
    unit = np.zeros((sum(map(len, ratios.values())), 2), np.int64)
    each = Rounds(**{name: counts[name] for name in Rounds._fields if name in counts}, unit=unit)
    plain = {name: counts[name] for name in Counters._fields if name in counts and name not in RATIOS}
    return Counters(each, **plain, **ratios, sums=unit_sums.sums(counts, match))


@jit
def sections(entrants, seats):
    """First rows of ``played_moments``, ``position_moments`` and ``opening_moments`` in a unit's scratch."""
    played = 2 * (seats - FEWEST + 1) + 1
    positions = played + entrants * len(PLAYED_RATIOS)
    return played, positions, positions + entrants * seats * len(PLACE_RATIOS)


@jit
def count_seat(unit, part, entrants, seats, opening):
    """Count a seat's ``part`` (a ``Round``) in a finished round of a run of ``entrants`` at ``seats``."""
    played, positions, openings = sections(entrants, seats)
    won, points = part.won, part.points
    row = played + part.entrant * len(PLAYED_RATIOS)
    add_to_ratio(unit, row, 1, won)
    add_to_ratio(unit, row + 1, part.lost, points if part.lost else 0)
    add_to_ratio(unit, row + 2, 1, points)
    if part.full:
        row = positions + 2 * (part.entrant * seats + part.position)
        add_to_ratio(unit, row, 1, won)
        add_to_ratio(unit, row + 1, 1, points)
        row = openings + 2 * ((part.entrant * len(OPENINGS) + opening) * seats + part.position)
        add_to_ratio(unit, row, 1, won)
        add_to_ratio(unit, row + 1, 1, points)


@jit
def count_round(each, players, turns, ending, losers, points):
    """Count a finished round of so many ``players``: ``losers`` of one that was won have ``points``."""
    row = players - FEWEST
    each.turns[row, min(turns, MAX_TURNS)] += 1
    each.endings[row, ending] += 1
    add_to_ratio(each.unit, row, 1, turns)
    add_to_ratio(each.unit, each.turns.shape[0] + row, losers, points)


@jit
def count_game(counters, seating, entrants_at, totals, places, rounds):
    """Count a finished game: totals and places by seat; the win is shared by those in place 1."""
    seats, winners = len(entrants_at), 0
    for seat in range(seats):
        winners += 1 if places[seat] == 1 else 0
    share = WHOLE_WIN // winners
    for seat in range(seats):
        entrant, total = entrants_at[seat], min(max(totals[seat], LOWEST), HIGHEST)
        counters.scores[entrant, total - LOWEST] += 1
        counters.places[entrant, places[seat] - 1] += 1
        counters.sums.unit[counters.scores.shape[0] + entrant] += totals[seat]
        win = share if places[seat] == 1 else 0
        unit_sums.count_seat(counters.sums, seating, entrant, seat, win)
        if len(counters.sums.ones_at) > 0 and entrant == counters.sums.ones_at[seating, 1]:
            unit_sums.count_one(counters.sums, seating, 0, win)
            unit_sums.count_one(counters.sums, seating, 1, totals[seat])
    counters.rounds[min(rounds, MAX_ROUNDS)] += 1
    add_to_ratio(counters.each.unit, 2 * len(counters.turn_moments), 1, rounds)


@jit
def close_unit(counters, unit):
    """Fold unit number ``unit``, all its seatings, into the sums over units, and clear the scratch."""
    first = fold(counters, 0, counters.turn_moments)
    first = fold(counters, first, counters.loser_moments)
    first = fold(counters, first, counters.round_moments)
    first = fold(counters, first, counters.played_moments)
    first = fold(counters, first, counters.position_moments)
    fold(counters, first, counters.opening_moments)
    unit_sums.close(counters.sums, unit)


@jit
def fold(counters, first, moments):
    """Fold the rows of a unit's scratch from ``first`` on into moments; returns the row after them."""
    after = first + len(moments)
    add_ratios(counters.each.unit[first:after], moments)
    return after


def count_record(counters: Counters, record: Any, seating: int, entrants_at: Counts) -> Counts:
    """Count a game of the reference engine and return its rows (see ``ROW_COLUMNS``; unit 0)."""
    seats, rows = len(entrants_at), []
    for deal in record.deals:
        sitting = [seat for seat in range(seats) if deal.hands[seat]]
        lost = deal.winner >= 0
        losers = [seat for seat in sitting if lost and seat != deal.winner]
        losses = sum(deal.points[seat] for seat in losers)
        count_round(counters.each, len(sitting), deal.turns, deal.ending, len(losers), losses)
        place = sitting.index(deal.dealer)
        for seat in sitting:
            entrant, won = int(entrants_at[seat]), int(seat == deal.winner)
            position = (sitting.index(seat) - place - 1) % len(sitting)
            full = int(len(sitting) == seats)
            points, total = deal.points[seat], deal.totals[seat]
            part = Round(entrant, position, won, int(lost and not won), points, full)
            count_seat(counters.each.unit, part, len(counters.scores), seats, deal.opening)
            counters.each.events[entrant, EXITS] += int(total > 101)
            counters.each.events[entrant, RESETS] += int(deal.reset[seat])
            cards = len(deal.left[seat])
            where = (0, seating, deal.deal, seat, entrant, len(sitting), position, deal.turns)
            rows.append((*where, cards, won, points, total))
        if lost:
            counters.each.finishes[int(entrants_at[deal.winner]), deal.last_card] += 1
    for seat, entrant in enumerate(entrants_at):
        for column, kind in enumerate(FAULTS):
            counters.faults[entrant, column] += record.fault_count(seat, kind)
    counters.decisions[0] += record.decisions
    places, totals = (np.array(given, np.int64) for given in (record.places, record.totals))
    count_game(counters, seating, entrants_at, totals, places, len(record.deals))
    return np.array(rows, np.int64)


def count_units(counts: dict[str, Counts], match: Match) -> tuple[Any, Any]:
    """Counting games of a reference engine; see ``unit_sums.counting``."""
    return unit_sums.counting(counters(counts, match), match, count_record, close_unit)
