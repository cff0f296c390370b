"""The score sheet of contract bridge: what a deal writes below and above the line, and when a rubber ends.

A sheet is a record with arrays by side: ``below`` open part-scores, ``written`` all ever written below the
line, ``above``, ``games``, ``vulnerable``, ``gained`` in the last deal; and ``scores`` by seat, what its side
has. Where every deal is scored by itself, only ``gained`` and ``scores`` are used. ``dealt``: hands as dealt.
"""

from __future__ import annotations

from bridzik_sim.games.auction import gain
from bridzik_sim.games.bridge.rules import GAMES_TO_WIN, SEATS, SIDES, side_of
from bridzik_sim.games.contract import (
    BOOK,
    GAME_LINE,
    UNFINISHED_GAME,
    UNFINISHED_PART,
    above_points,
    honour_points,
    level,
    rubber_points,
    trick_points,
    undertrick_points,
)
from bridzik_sim.jit import jit

TO_NONE, TO_ONE, UNFINISHED = range(3)
"""How rubbers end, as in ``contract_sums.ENDINGS``."""


@jit
def clear(sheet):
    """An empty sheet for a new rubber."""
    for side in range(SIDES):
        sheet.below[side] = sheet.written[side] = sheet.above[side] = 0
        sheet.games[side] = sheet.vulnerable[side] = sheet.gained[side] = 0
    for seat in range(SEATS):
        sheet.scores[seat] = 0


@jit
def write_above(sheet, side, points):
    """Write points above the line."""
    sheet.above[side] += points
    sheet.gained[side] += points


@jit
def write_below(sheet, side, points):
    """Write trick points below the line; 100 make a game and strike the open part-scores of both sides."""
    sheet.written[side] += points
    sheet.gained[side] += points
    sheet.below[side] += points
    if sheet.below[side] >= GAME_LINE:
        sheet.games[side] += 1
        sheet.below[0] = sheet.below[1] = 0


@jit
def write_duplicate(sheet, tricks):
    """Score a deal by itself."""
    gain(sheet, tricks)
    for seat in range(SEATS):
        sheet.scores[seat] = sheet.gained[side_of(seat)]


@jit
def write_deal(sheet, tricks, honours):
    """Write a deal of a rubber; ``tricks`` of the declarer's side, ``honours`` 1 where they count."""
    sheet.gained[0] = sheet.gained[1] = 0
    if sheet.contract == 0:
        return
    bid, doubled, side = sheet.contract, sheet.doubled, side_of(sheet.declarer)
    vulnerable, undertricks = sheet.vulnerable[side], BOOK + level(bid) - tricks
    if honours:
        for seat in range(SEATS):
            write_above(sheet, side_of(seat), honour_points(sheet.dealt[seat], bid))
    if undertricks > 0:
        write_above(sheet, 1 - side, undertrick_points(doubled, vulnerable, undertricks))
    else:
        write_above(sheet, side, above_points(bid, doubled, vulnerable, tricks))
        write_below(sheet, side, trick_points(bid, doubled))


@jit
def ending(sheet, last):
    """How the rubber has ended, with its bonuses written; -1 if it goes on. ``last``: no more deals."""
    for side in range(SIDES):
        if sheet.games[side] == GAMES_TO_WIN:
            write_above(sheet, side, rubber_points(sheet.games[1 - side]))
            return TO_NONE if sheet.games[1 - side] == 0 else TO_ONE
    if not last:
        return -1
    for side in range(SIDES):
        if sheet.games[side] > sheet.games[1 - side]:
            write_above(sheet, side, UNFINISHED_GAME)
        if sheet.below[side] > 0 and sheet.below[1 - side] == 0:
            write_above(sheet, side, UNFINISHED_PART)
    return UNFINISHED


@jit
def show_scores(sheet):
    """Bring up to date what everyone sees of the sheet of a rubber: points and who is vulnerable."""
    for side in range(SIDES):
        sheet.vulnerable[side] = 1 if sheet.games[side] > 0 else 0
    for seat in range(SEATS):
        sheet.scores[seat] += sheet.gained[side_of(seat)]
