"""What the plain engines of the bridge games share, straight from the rules: auction, tricks, scores.

Cards are the integers 13 * suit + rank (suits C D H S, ranks 2 … 9 T J Q K A). Calls are 0 pass, 1 to 35 the
bids 1C 1D 1H 1S 1NT 2C … 7NT, 36 double, 37 redouble. Seat s belongs to side s % 2; with two players each is
a side. It shares no code with the compiled ``contract.py``, of which it is the judge.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bridzik_sim.games import plain_tricks
from bridzik_sim.games.plain_records import require

SUITS, RANKS = "CDHS", "23456789TJQKA"
CARD_NAMES = [suit + rank for suit in SUITS for rank in RANKS]
CARDS, HAND_SIZE = len(CARD_NAMES), 13
STRAINS = ("C", "D", "H", "S", "NT")
LEVELS = range(1, 8)
PASS, DOUBLE, REDOUBLE = 0, 36, 37
CALL_NAMES = ["P", *(f"{level}{strain}" for level in LEVELS for strain in STRAINS), "X", "XX"]
BIDS = range(1, DOUBLE)
BOOK = 6
"""Tricks that a contract asks for beyond its level."""


def level_of(bid: int) -> int:
    """The level of a bid, 1 to 7."""
    return (bid - 1) // len(STRAINS) + 1


def strain_of(bid: int) -> str:
    """The strain of a bid, one of C D H S NT."""
    return STRAINS[(bid - 1) % len(STRAINS)]


def trump_of(bid: int) -> int:
    """The suit (0 to 3) that a contract makes trump; -1 at no trump or without a bid."""
    return SUITS.find(strain_of(bid)) if bid > 0 else -1


def contract_name(bid: int, doubled: int) -> str | None:
    """A contract as it stands in a record, ``4SX``; None when all passed."""
    return CALL_NAMES[bid] + "X" * doubled if bid > 0 else None


class Auction:
    """An auction of four or two players in progress.

    bid      the last bid so far, 0 for none; ``bidder``: its seat, -1
    doubled  0, 1 doubled, 2 redoubled
    """

    def __init__(self, seats: int, dealer: int) -> None:
        self.seats, self.dealer = seats, dealer
        self.calls = list[int]()
        self.bid, self.doubled, self.bidder = 0, 0, -1

    def seat_of(self, number: int) -> int:
        """Who makes call ``number`` (0 first)."""
        return (self.dealer + number) % self.seats

    @property
    def caller(self) -> int:
        """Who is to call."""
        return self.seat_of(len(self.calls))

    @property
    def over(self) -> bool:
        """Whether the last call ended the auction.

        All have passed and nobody bid; or, after a bid, three passes of four players, one pass of two once
        both have called.
        """
        if self.bid == 0:
            return len(self.calls) == self.seats
        passes = self.seats - 1
        return len(self.calls) >= self.seats and self.calls[-passes:] == [PASS] * passes

    def legal_calls(self) -> list[int]:
        """The calls that the caller may make, lowest first."""
        return [call for call in range(len(CALL_NAMES)) if not self.objection(call)]

    def objection(self, call: int) -> str:
        """The rule that forbids the caller a call, empty if none does."""
        ours = self.bidder >= 0 and (self.bidder - self.caller) % 2 == 0
        if call in BIDS and call <= self.bid:
            return f"a bid must be higher than {CALL_NAMES[self.bid]}, the last one"
        if call == DOUBLE and (self.bid == 0 or ours or self.doubled != 0):
            return "only the last bid of the other side may be doubled, and only once"
        if call == REDOUBLE and (not ours or self.doubled != 1):
            return "only the own side's bid that has been doubled may be redoubled"
        return ""

    def make(self, call: int) -> None:
        """Make a legal call."""
        if call in BIDS:
            self.bid, self.doubled, self.bidder = call, 0, self.caller
        elif call != PASS:
            self.doubled += 1
        self.calls.append(call)

    def first_to_name(self) -> int:
        """The first of the last bidder's side to have named the strain of its bid; -1 without a bid."""
        for number, call in enumerate(self.calls):
            seat = self.seat_of(number)
            if call in BIDS and strain_of(call) == strain_of(self.bid) and (seat - self.bidder) % 2 == 0:
                return seat
        return -1

    def fields(self, room: int) -> dict[str, Any]:
        """The fields of a view that tell of the auction; ``room``: the length of its list of calls."""
        return {
            "dealer": self.dealer,
            "calls": [*self.calls, *[-1] * (room - len(self.calls))],
            "n_calls": len(self.calls),
            "contract": self.bid,
            "doubled": self.doubled,
            "bidder": self.bidder,
        }


def replay_auction(auction: Auction, names: Sequence[str], place: str) -> None:
    """Make the calls of a record and check each."""
    for number, name in enumerate(names):
        where = f"{place}[{number}]"
        require(not auction.over, where, "the auction is over")
        require(name in CALL_NAMES, where, f"there is no call {name!r}")
        objection = auction.objection(CALL_NAMES.index(name))
        require(not objection, where, f"seat {auction.caller} may not call {name}: {objection}")
        auction.make(CALL_NAMES.index(name))
    require(auction.over, place, "the auction is not over")


def suit_of(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card // len(RANKS)


def of_suit(cards: Collection[int], suit: int) -> list[int]:
    """The cards of a suit among ``cards``, lowest first."""
    return sorted(card for card in cards if suit_of(card) == suit)


class Table(plain_tricks.Table):
    """A deal in progress whose tricks are those of bridge; ``trump`` is a suit, -1 for none."""

    trump = -1

    def legal_cards(self, seat: int) -> list[int]:
        """All cards of ``seat``, or those of the suit led if it holds any."""
        return of_suit(self.hands[seat], self.lead_suit()) or sorted(self.hands[seat])

    def duty(self, seat: int) -> str:
        """What ``seat`` must do when it may not play every card."""
        return "must follow suit"

    def lead_suit(self) -> int:
        """The suit of the trick's first card, -1 before it."""
        return suit_of(self.trick[0]) if self.trick else -1

    def winning_card(self) -> int:
        """The highest trump of the trick, or else the highest card of the suit led."""
        return max(of_suit(self.trick, self.trump) or of_suit(self.trick, self.lead_suit()))

    def shown_voids(self, card: int) -> list[int]:
        """The suit led, when ``card`` is not of it."""
        return [] if self.lead_suit() in (-1, suit_of(card)) else [self.lead_suit()]


TRICK_VALUES = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
FIRST_NO_TRUMP = 10
"""What the first trick at no trump counts beyond the others."""
# By vulnerability: not, and vulnerable.
OVERTRICKS = {1: (100, 200), 2: (200, 400)}
SLAMS = {6: (500, 750), 7: (1000, 1500)}
INSULTS = (0, 50, 100)
UNDERTRICK = (50, 100)
DOUBLED_UNDERTRICKS = ((100, 200, 200), (200, 300, 300))
LATER_DOUBLED_UNDERTRICKS = 300
DUPLICATE_GAME, DUPLICATE_PART_SCORE = (300, 500), 50
GAME = 100


class Score(NamedTuple):
    """What a contract brings: trick points of the declarer, its other points, points of the other side."""

    below: int
    above: int
    against: int


def trick_points(bid: int, doubled: int) -> int:
    """Points of the tricks that a contract asks for."""
    points = TRICK_VALUES[strain_of(bid)] * level_of(bid)
    return (points + (FIRST_NO_TRUMP if strain_of(bid) == "NT" else 0)) * (1, 2, 4)[doubled]


def undertrick_points(doubled: int, vulnerable: bool, undertricks: int) -> int:
    """Points for so many tricks too few; a redouble doubles those of a doubled contract."""
    if doubled == 0:
        return UNDERTRICK[vulnerable] * undertricks
    first = DOUBLED_UNDERTRICKS[vulnerable]
    each = [*first, *[LATER_DOUBLED_UNDERTRICKS] * undertricks][:undertricks]
    return sum(each) * doubled


def score(bid: int, doubled: int, vulnerable: bool, tricks: int) -> Score:
    """What a contract brings when its side took ``tricks`` of the 13, ``vulnerable`` or not."""
    over = tricks - BOOK - level_of(bid)
    if over < 0:
        return Score(0, 0, undertrick_points(doubled, vulnerable, -over))
    each = OVERTRICKS[doubled][vulnerable] if doubled else TRICK_VALUES[strain_of(bid)]
    slam = SLAMS[level_of(bid)][vulnerable] if level_of(bid) in SLAMS else 0
    return Score(trick_points(bid, doubled), over * each + slam + INSULTS[doubled], 0)


def duplicate_points(bid: int, doubled: int, vulnerable: bool, tricks: int) -> int:
    """Points of the declaring side in duplicate, minus what the other side gets when it is down."""
    below, above, against = score(bid, doubled, vulnerable, tricks)
    if against:
        return -against
    bonus = DUPLICATE_GAME[vulnerable] if below >= GAME else DUPLICATE_PART_SCORE
    return below + above + bonus


def honour_points(hand: Collection[int], bid: int) -> int:
    """Honours of a hand as dealt: four of A K Q J T of trumps 100, all 150; at no trump four aces 150."""
    names = {CARD_NAMES[card] for card in hand}
    if strain_of(bid) == "NT":
        return 150 if names >= {suit + "A" for suit in SUITS} else 0
    held = sum(strain_of(bid) + rank in names for rank in "AKQJT")
    return {4: 100, 5: 150}.get(held, 0)


@dataclass
class Sheet:
    """The score of a rubber by side.

    below    open part-scores
    written  all ever written below the line
    above    all above it
    games    games won
    """

    below: list[int] = field(default_factory=lambda: [0, 0])
    written: list[int] = field(default_factory=lambda: [0, 0])
    above: list[int] = field(default_factory=lambda: [0, 0])
    games: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def totals(self) -> list[int]:
        """All points so far, by side."""
        return [self.written[side] + self.above[side] for side in (0, 1)]

    @property
    def vulnerable(self) -> int:
        """Who has a game, a mask of sides."""
        return sum(1 << side for side in (0, 1) if self.games[side])

    @property
    def over(self) -> bool:
        """Whether one side has won two games."""
        return 2 in self.games

    def write(self, side: int, points: int) -> None:
        """Write trick points below the line; at a hundred they are a game, and all part-scores are struck."""
        self.below[side] += points
        self.written[side] += points
        if self.below[side] >= GAME:
            self.games[side] += 1
            self.below = [0, 0]

    def add_above(self, points: Sequence[int]) -> None:
        """Write points by side above the line."""
        self.above = [self.above[side] + points[side] for side in (0, 1)]

    def rubber_bonus(self) -> list[int]:
        """Points by side for the rubber that is over: 700 if the other side has no game, else 500."""
        return [(700, 500)[self.games[1 - side]] if self.games[side] == 2 else 0 for side in (0, 1)]

    def unfinished_bonus(self) -> list[int]:
        """Points by side when the rubber ends too early.

        300 to the only side with a game, 100 to the only side with a part-score.
        """
        bonus = [0, 0]
        for side in (0, 1):
            if self.games[side] and not self.games[1 - side]:
                bonus[side] += 300
            if self.below[side] and not self.below[1 - side]:
                bonus[side] += 100
        return bonus
