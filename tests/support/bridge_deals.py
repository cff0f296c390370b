"""Deals and sheets of bridge made by hand, on the reference engine and on compiled positions side by side.

Calls and cards are written as in records; hands as their spades, hearts, diamonds and clubs, ``AKQ2.J3.T98.5432``.
"""

import numpy as np

from bridzik_sim.games.bridge import playout, sheet
from bridzik_sim.games.bridge.kernel import TABLE
from bridzik_sim.games.bridge.plain_deal import VULNERABLE_NAMES, Conditions, Table, hand_of
from bridzik_sim.games.bridge.plain_sheet import record_of
from bridzik_sim.games.bridge.rules import PUBLIC_FIELDS, VIEW
from bridzik_sim.games.plain import SeatView, mask_of
from bridzik_sim.games.plain_contract import CALL_NAMES, CARD_NAMES, Sheet

SUITS = "AKQJT98765432"
ONE_SUIT_EACH = [f"{SUITS}...", f".{SUITS}..", f"..{SUITS}.", f"...{SUITS}"]
"""N has the spades, E the hearts, S the diamonds, W the clubs."""
SHOWN = [field.name for field in PUBLIC_FIELDS]
PASSES = "P P P"


def codes(names, of):
    return [of.index(name) for name in names.split()]


def named(mask, of):
    return " ".join(name for code, name in enumerate(of) if int(mask) >> code & 1)


def record(dtype):
    return np.zeros(1, dtype).view(np.recarray)[0]


class Deal:
    """A deal in both engines in step; every field of the deciding seat's view is compared before each answer."""

    def __init__(self, *hands, dealer=0, vulnerable="none", below=(0, 0), games=(0, 0), **options):
        held = [hand_of(hand) for hand in hands or ONE_SUIT_EACH]
        mask = VULNERABLE_NAMES.index(vulnerable)
        self.table = Table(
            0, Conditions(dealer, mask), held, Sheet([*below], [*below], [0, 0], [*games]), options
        )
        self.position, self.view = record(playout.POSITION), SeatView(VIEW)
        self.position.hands = [mask_of(hand) for hand in held]
        self.position.last_bid_declares = options.get("declarer") == "last_bid"
        self.position.below, self.position.games = below, games
        self.position.scores = [*below, *below]
        self.position.vulnerable = [mask & 1, mask >> 1]
        self.position.calls = -1
        playout.open_deal(self.position, dealer)
        self.look()

    def look(self):
        """Compare both, and take over what they show."""
        table, position, view = self.table, self.position, self.view
        auction = table.auction
        self.over = len(table.tricks) == 13 or (auction.over and auction.bid == 0)
        assert (position.turn < 0) == self.over
        if self.over:
            return
        playing = table.declarer >= 0
        legal = table.legal_cards(table.turn) if playing else auction.legal_calls()
        self.shown = table.view_fields(table.decider, legal)
        playout.show(position, view.record)
        for name in [*SHOWN, "seat", "hand", "legal"]:
            assert np.array_equal(view.record[name], self.shown[name]), name
        self.turn, self.decider = table.turn, int(view.record.seat)
        self.legal = named(view.record.legal, CARD_NAMES if playing else CALL_NAMES)

    def call(self, names):
        """Make calls, each by who is to call."""
        for code in codes(names, CALL_NAMES):
            assert code in self.table.auction.legal_calls()
            self.table.auction.make(code)
            if self.table.auction.over:
                self.table.end_auction()
            playout.apply(self.position, code)
            self.look()
        return self

    def play(self, names):
        """Play cards, each of the hand that is to play."""
        table = self.table
        for card in codes(names, CARD_NAMES):
            assert card in table.legal_cards(table.turn)
            table.play(table.turn, card)
            if len(table.trick) == 4:
                table.close_trick()
            playout.apply(self.position, card)
            self.look()
        return self


class Rubber:
    """The sheet of a rubber in both engines in step."""

    def __init__(self, honours="off"):
        self.sheet, self.compiled, self.honours, self.deal = Sheet(), record(TABLE), honours, 0
        sheet.clear(self.compiled)
        self.compiled.declarer = -1

    def write(self, contract, seat=0, tricks=0, hands=ONE_SUIT_EACH, last=False):
        """Write a deal in which the seat declared, ``4SX``, or all passed, ``P``; returns what it brought."""
        bid, doubled = contract.rstrip("X"), len(contract) - len(contract.rstrip("X"))
        vulnerable = self.sheet.vulnerable
        table = Table(self.deal, Conditions(seat, vulnerable), [hand_of(hand) for hand in hands], self.sheet,
                      {"honours": self.honours})  # fmt: skip
        for call in codes(f"{bid} {('', 'X', 'X XX')[doubled]} {PASSES}", CALL_NAMES):
            assert call in table.auction.legal_calls()
            table.auction.make(call)
        table.end_auction()
        if bid != "P":
            table.taken[seat] = tricks
            assert table.declarer == seat
        made = record_of(table, self.sheet, last)
        self.deal += 1
        self.write_compiled(table, tricks, vulnerable, last)
        assert self.compiled.gained.tolist() == made.points
        for name in ("below", "written", "above", "games"):
            assert self.compiled[name].tolist() == getattr(made, name) == getattr(self.sheet, name)
        assert self.compiled.scores.tolist() == self.sheet.totals * 2
        self.below, self.above, self.written, self.games = made.below, made.above, made.written, made.games
        self.vulnerable = VULNERABLE_NAMES[self.sheet.vulnerable]
        return made.points

    def write_compiled(self, table, tricks, vulnerable, last):
        row = self.compiled
        row.contract, row.doubled, row.declarer = table.auction.bid, table.auction.doubled, table.declarer
        row.dealt = [mask_of(hand) for hand in table.dealt]
        assert row.vulnerable.tolist() == [vulnerable & 1, vulnerable >> 1]
        sheet.write_deal(row, tricks, int(self.honours == "on"))
        self.ending = int(sheet.ending(row, last))
        assert (self.ending >= 0) == (self.sheet.over or last)
        sheet.show_scores(row)
