"""What a deal of contract bridge brings, slowly and plainly: records of deals and games, and their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bridzik_sim.games.bridge.plain_deal import SEATS, VULNERABLE_NAMES, Table
from bridzik_sim.games.plain import Fault
from bridzik_sim.games.plain_contract import (
    CALL_NAMES,
    CARD_NAMES,
    Sheet,
    contract_name,
    duplicate_points,
    honour_points,
    score,
)
from bridzik_sim.games.plain_records import GameRecord, TrickRecord

RULES_VERSION = 1
TWO_TO_NONE, TWO_TO_ONE, UNFINISHED, BOARD = range(4)
"""How a game ended: ``ending`` of its record."""


@dataclass
class DealRecord:
    """A finished deal: ``deal`` is its number in the game; hands by seat as dealt; numbers in pairs by side.

    vulnerable       mask of sides
    contract         the last bid, 0 when passed out; then ``declarer`` and ``declarer_tricks`` are -1
    points           gained in this deal, with all that is written for it
    below            open part-scores after the deal
    above, written   all points above and below the line after the deal: their sum is the score so far
    games            won after the deal
    board            its number in duplicate, where the sheet (the four before) is empty; 0 in a rubber
    """

    deal: int
    dealer: int
    vulnerable: int
    hands: list[list[int]]
    calls: list[int]
    contract: int
    doubled: int
    declarer: int
    tricks: list[TrickRecord]
    declarer_tricks: int
    points: list[int]
    below: list[int]
    above: list[int]
    written: list[int]
    games: list[int]
    board: int

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record, cards and calls by name."""
        played = self.contract > 0
        made: dict[str, Any] = {"board": self.board} if self.board else {}
        made |= {
            "dealer": self.dealer,
            "vulnerable": VULNERABLE_NAMES[self.vulnerable],
            "hands": [[CARD_NAMES[card] for card in hand] for hand in self.hands],
            "calls": [CALL_NAMES[call] for call in self.calls],
            "contract": contract_name(self.contract, self.doubled),
            "declarer": self.declarer if played else None,
            "tricks": [trick.as_dict(CARD_NAMES) for trick in self.tricks],
            "declarer_tricks": self.declarer_tricks if played else None,
            "points": list(self.points),
        }
        return made if self.board else made | self.sheet_as_dict()

    def sheet_as_dict(self) -> dict[str, list[int]]:
        """The sheet of a rubber after the deal."""
        return {name: list(getattr(self, name)) for name in SHEET}


SHEET = ("below", "above", "written", "games")


@dataclass
class BridgeRecord(GameRecord[DealRecord]):
    """A finished game, ``totals`` by side; ``decisions`` that were asked; ``ending``: as above."""

    decisions: int = 0
    ending: int = UNFINISHED


def record_of(table: Table, sheet: Sheet, last: bool) -> DealRecord:
    """Write a finished deal on the sheet of a rubber (not in duplicate), and make its record.

    ``last``: whether the rubber ends with it, finished or not.
    """
    auction, before = table.auction, sheet.totals
    if table.conditions.board:
        points = board_points(table)
    else:
        write_deal(table, sheet, last)
        points = [after - earlier for after, earlier in zip(sheet.totals, before, strict=True)]
    return DealRecord(
        deal=table.deal,
        dealer=auction.dealer,
        vulnerable=table.conditions.vulnerable,
        hands=table.dealt,
        calls=auction.calls,
        contract=auction.bid,
        doubled=auction.doubled,
        declarer=table.declarer,
        tricks=table.tricks,
        declarer_tricks=table.declarer_tricks(),
        points=points,
        below=list(sheet.below),
        above=list(sheet.above),
        written=list(sheet.written),
        games=list(sheet.games),
        board=table.conditions.board,
    )


def is_vulnerable(table: Table) -> bool:
    """Whether the declaring side is."""
    return bool(table.conditions.vulnerable >> table.declarer % 2 & 1)


def board_points(table: Table) -> list[int]:
    """Points by side of a board of duplicate: what one side gains."""
    if table.declarer < 0:
        return [0, 0]
    auction, side = table.auction, table.declarer % 2
    worth = duplicate_points(auction.bid, auction.doubled, is_vulnerable(table), table.declarer_tricks())
    return [max(worth, 0), max(-worth, 0)] if side == 0 else [max(-worth, 0), max(worth, 0)]


def write_deal(table: Table, sheet: Sheet, last: bool) -> None:
    """Write a finished deal of a rubber: its contract, honours, and what the end of the rubber brings."""
    auction, side = table.auction, table.declarer % 2
    if table.declarer >= 0:
        made = score(auction.bid, auction.doubled, is_vulnerable(table), table.declarer_tricks())
        sheet.add_above([made.above, made.against] if side == 0 else [made.against, made.above])
        sheet.write(side, made.below)
        if table.options["honours"] == "on":
            held = [honour_points(hand, auction.bid) for hand in table.dealt]
            sheet.add_above([held[0] + held[2], held[1] + held[3]])
    if sheet.over:
        sheet.add_above(sheet.rubber_bonus())
    elif last:
        sheet.add_above(sheet.unfinished_bonus())


def game_of(deals: list[DealRecord], totals: list[int], faults: list[Fault]) -> BridgeRecord:
    """The record of a game of these deals with these totals by side."""
    games = deals[-1].games
    made = BridgeRecord("bridge", RULES_VERSION, deals, totals, winners_of(totals), faults)
    if deals[-1].board:
        made.ending = BOARD
    elif 2 in games:
        made.ending = TWO_TO_ONE if 1 in games else TWO_TO_NONE
    made.decisions = sum(len(deal.calls) + SEATS * len(deal.tricks) for deal in deals)
    return made


def winners_of(totals: Sequence[int]) -> list[int]:
    """The seats of the side with the higher total, all when they are equal."""
    return [seat for seat in range(SEATS) if totals[seat % 2] == max(totals)]
