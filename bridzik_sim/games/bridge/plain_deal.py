"""A deal of contract bridge, slowly and plainly, straight from the rules; ``reference.py`` plays games.

Seats 0 to 3 are N E S W, side = seat % 2. Cards and calls are those of ``plain_contract.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from bridzik_sim.games import plain_contract
from bridzik_sim.games.plain import DEAL, PlainStream, Players, mask_of, seats_from
from bridzik_sim.games.plain_contract import CARD_NAMES, CARDS, HAND_SIZE, SUITS, Auction, Sheet, trump_of
from bridzik_sim.games.plain_records import require

SEATS, SEAT_NAMES = 4, "NESW"
CALL_ROOM = 320
AT_ONCE = 8
"""Cards of a hand that are drawn together: more would not fit one random word."""
DEFAULTS: dict[str, Any] = {
    "scoring": "rubber",
    "declarer": "laws",
    "honours": "off",
    "max_deals": 100,
    "first_dealer": 0,
    "boards": [],
}
CYCLE_VULNERABLE = [
    *("none", "NS", "EW", "both"),
    *("NS", "EW", "both", "none"),
    *("EW", "both", "none", "NS"),
    *("both", "none", "NS", "EW"),
]
"""By board, 1 to 16, then again."""
VULNERABLE_NAMES = ["none", "NS", "EW", "both"]
"""By mask of the vulnerable sides."""


class Conditions(NamedTuple):
    """Who deals and who is vulnerable (a mask of sides); ``board``: 0 in a rubber, else its number."""

    dealer: int
    vulnerable: int
    board: int = 0


def board_conditions(board: int) -> Conditions:
    """Those of a board by its number, 1 first."""
    place = (board - 1) % 16
    vulnerable = VULNERABLE_NAMES.index(CYCLE_VULNERABLE[place])
    return Conditions(place % SEATS, vulnerable, board)


def given_board(boards: Sequence[str], unit: int) -> tuple[Conditions, list[list[int]]]:
    """Conditions and hands of a board of the option, a line such as ``12 W EW AKQ2.J3.T98.5432 …``.

    It tells the board's number, the dealer, who is vulnerable and the hands of N, E, S, W, each its spades,
    hearts, diamonds, clubs. ValueError when there is none for the unit.
    """
    require(unit < len(boards), "boards", f"there are {len(boards)}, and none for unit {unit}")
    number, dealer, vulnerable, *hands = boards[unit].split()
    conditions = Conditions(SEAT_NAMES.index(dealer), VULNERABLE_NAMES.index(vulnerable), int(number))
    return conditions, [hand_of(text) for text in hands]


def hand_of(text: str) -> list[int]:
    """The cards of a hand, lowest first."""
    suits = zip(reversed(SUITS), text.split("."), strict=True)
    return sorted(CARD_NAMES.index(suit + rank) for suit, ranks in suits for rank in ranks)


class Table(plain_contract.Table):
    """A deal in progress: ``declarer`` is -1 until the auction has ended with a contract.

    ``options`` are the rule options of ``play_game`` that differ from the default.
    """

    places: ClassVar[int] = SEATS

    def __init__(
        self, deal: int, conditions: Conditions, hands: Sequence[Collection[int]], sheet: Sheet | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(deal, hands)
        self.options = DEFAULTS | dict(options or {})
        self.conditions, self.sheet = conditions, sheet or Sheet()
        self.auction = Auction(SEATS, conditions.dealer)
        self.declarer = -1

    @property
    def dummy(self) -> int:
        """The declarer's partner, -1 in the auction."""
        return (self.declarer + 2) % SEATS if self.declarer >= 0 else -1

    @property
    def turn(self) -> int:
        """The seat that calls, or whose card is played."""
        return self.auction.caller if self.declarer < 0 else (self.leader + len(self.trick)) % SEATS

    @property
    def decider(self) -> int:
        """The seat that decides: the declarer plays dummy's cards."""
        return self.declarer if self.turn == self.dummy else self.turn

    def end_auction(self) -> None:
        """Make the contract: who declares, what is trump, who leads. Nothing when all passed."""
        if self.auction.bid == 0:
            return
        laws = self.options["declarer"] == "laws"
        self.declarer = self.auction.first_to_name() if laws else self.auction.bidder
        self.trump = trump_of(self.auction.bid)
        self.leader = (self.declarer + 1) % SEATS

    def declarer_tricks(self) -> int:
        """Tricks that the declaring side has taken, -1 in a deal that was passed out."""
        return self.taken[self.declarer] + self.taken[self.dummy] if self.declarer >= 0 else -1

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
        totals, board = self.sheet.totals, self.conditions.board
        return {
            "deal": self.deal,
            "scores": [totals[other % 2] for other in range(SEATS)],
            "vulnerable": [self.conditions.vulnerable >> side & 1 for side in (0, 1)],
            "below": self.sheet.below,
            "games": self.sheet.games,
            **self.auction.fields(CALL_ROOM),
            "declarer": self.declarer,
            "trump": self.trump,
            **self.trick_fields(),
            "dummy_seat": self.dummy,
            "dummy": mask_of(self.hands[self.dummy]) if self.played else 0,
            "playing_for": self.turn,
            "board": board,
            "duplicate": int(self.options["scoring"] == "duplicate"),
            "last_bid_declares": int(self.options["declarer"] == "last_bid"),
            "seat": seat,
            "hand": mask_of(self.hands[seat]),
            "legal": mask_of(legal),
        }


def deal_hands(words: Sequence[int], deal: int) -> list[list[int]]:
    """The hands of a deal of a unit by seat, lowest card first; the last one gets what is left."""
    stream, deck = PlainStream.of(words, deal, DEAL), list(range(CARDS))
    rest = HAND_SIZE - AT_ONCE
    hands = [sorted(stream.take(deck, AT_ONCE) + stream.take(deck, rest)) for _ in range(SEATS - 1)]
    return [*hands, deck]


def play_deal(table: Table, players: Players) -> None:
    """The auction, then all the tricks, the card of dummy being chosen by the declarer."""
    auction = table.auction
    while not auction.over:
        auction.make(players.ask(table, auction.caller, "call", auction.legal_calls()))
    table.end_auction()
    for _ in range(HAND_SIZE if table.declarer >= 0 else 0):
        for seat in seats_from(table.leader, SEATS):
            table.play(seat, players.ask(table, table.decider, "play", table.legal_cards(seat)))
        table.close_trick()
