"""A deal of honeymoon bridge, slowly and plainly, straight from the rules.

Cards and calls are those of ``plain_contract.py``, which has the auction, the tricks and the scores; here are
the draw phase, whose deal it is, who leads and who gains. ``reference.py`` plays matches of such deals.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bridzik_sim.games import plain_contract
from bridzik_sim.games.plain import DEAL, PlainStream, mask_of, seats_from
from bridzik_sim.games.plain_contract import CARDS, HAND_SIZE, Auction, duplicate_points, trump_of
from bridzik_sim.games.plain_records import TrickRecord

SEATS, MOST_CALLS = 2, 112
AT_ONCE = 8
"""Cards of a hand that are drawn together: more would not fit one random word."""
VULNERABILITY = 3
"""Purpose of the stream that draws who is vulnerable."""
VULNERABLE = ("none", "N", "S", "both")
"""Names of the masks of who is vulnerable: bit 0 is N, bit 1 is S."""
DRAWING, CALLING, PLAYING = range(3)


@dataclass
class DrawTrick(TrickRecord):
    """A trick of the draw phase, and by seat the card that it drew then."""

    drawn: list[int]

    def as_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The trick as it stands in a record; ``names`` are the names of the cards by id."""
        return super().as_dict(names) | {"drawn": [names[card] for card in self.drawn]}


def dealer_of(deal: int) -> int:
    """The seat that deals: in turn, and after every four deals the other way round."""
    return (deal + deal // 4) % SEATS


def vulnerable_in(words: Sequence[int], deal: int, vulnerability: str) -> int:
    """The mask of who is vulnerable in a deal under this option."""
    if vulnerability == "cycle":
        return deal % len(VULNERABLE)
    if vulnerability == "random":
        return PlainStream.of(words, deal, VULNERABILITY).below(len(VULNERABLE))
    return VULNERABLE.index(vulnerability)


class Table(plain_contract.Table):
    """A deal in progress.

    ``stock`` has the cards still to be drawn, in their order; ``vulnerable`` is a mask; ``scores`` are the
    points so far of the match of ``deals`` deals. While the auction lasts the leader is -1.
    """

    places: ClassVar[int] = SEATS

    def __init__(
        self, deal: int, dealer: int, vulnerable: int, hands: Sequence[Collection[int]],
        stock: Sequence[int], scores: Sequence[int], deals: int,
    ) -> None:  # fmt: skip
        super().__init__(deal, hands)
        self.dealer, self.vulnerable, self.deals = dealer, vulnerable, deals
        self.stock, self.scores = list(stock), list(scores)
        self.draw_phase = list[DrawTrick]()
        self.auction = Auction(SEATS, dealer)
        self.leader, self.declarer = dealer, -1

    @property
    def phase(self) -> int:
        """What is going on: DRAWING, CALLING or PLAYING."""
        if self.stock:
            return DRAWING
        return PLAYING if self.auction.over else CALLING

    def draw(self) -> None:
        """After a trick of the draw phase, which counts for nobody: both draw, who led it first.

        Who has drawn may hold a suit again that it has shown to lack. The last draw opens the auction.
        """
        trick = self.tricks.pop()
        self.taken = [0] * SEATS
        self.voids = [set() for _ in range(SEATS)]
        drawn = {seat: self.stock.pop(0) for seat in seats_from(trick.leader, SEATS)}
        for seat, card in drawn.items():
            self.hands[seat].add(card)
        by_seat = [drawn[seat] for seat in range(SEATS)]
        self.draw_phase.append(DrawTrick(trick.leader, trick.cards, trick.winner, by_seat))
        self.leader = self.leader if self.stock else -1

    def open_play(self) -> None:
        """After the auction: the last bidder declares, the dealer's opponent leads, whoever declares."""
        self.declarer, self.trump = self.auction.bidder, trump_of(self.auction.bid)
        self.leader = 1 - self.dealer

    @property
    def passed_out(self) -> bool:
        """Whether both passed and there is no play."""
        return self.auction.over and self.auction.bid == 0

    def declarer_tricks(self) -> int:
        """Tricks that declarer has taken; -1 without one."""
        return self.taken[self.declarer] if self.declarer >= 0 else -1

    def points(self) -> list[int]:
        """What each seat gains in the finished deal: declarer what it makes, the opponent undertricks."""
        gains = [0] * SEATS
        if not self.passed_out:
            auction, vulnerable = self.auction, bool(self.vulnerable >> self.declarer & 1)
            points = duplicate_points(auction.bid, auction.doubled, vulnerable, self.declarer_tricks())
            gains[self.declarer if points > 0 else 1 - self.declarer] = abs(points)
        return gains

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
        seen = self.hands[seat] | set(self.played)
        return {
            "deal": self.deal,
            "deals": self.deals,
            "scores": self.scores,
            "phase": self.phase,
            "stock": len(self.stock),
            "vulnerable": [self.vulnerable >> one & 1 for one in range(SEATS)],
            **self.trick_fields(),
            **self.auction.fields(MOST_CALLS),
            "declarer": self.declarer,
            "trump": self.trump,
            "seat": seat,
            "hand": mask_of(self.hands[seat]),
            "unseen": mask_of([card for card in range(CARDS) if card not in seen]),
            "legal": mask_of(legal),
        }


def deal_table(
    words: Sequence[int], deal: int, scores: Sequence[int], options: Mapping[str, Any],
    mapping: Sequence[int] | None = None,
) -> Table:  # fmt: skip
    """The table of a deal with the cards of the unit; ``mapping``: by card, which one is dealt instead."""
    stream, deck = PlainStream.of(words, deal, DEAL), list(range(CARDS))
    hands = [stream.take(deck, AT_ONCE) + stream.take(deck, HAND_SIZE - AT_ONCE) for _ in range(SEATS)]
    stock = [stream.take(deck, 1)[0] for _ in range(len(deck))]
    mapping = range(CARDS) if mapping is None else mapping
    hands = [sorted(mapping[card] for card in hand) for hand in hands]
    vulnerable = vulnerable_in(words, deal, options["vulnerability"])
    stock = [mapping[card] for card in stock]
    return Table(deal, dealer_of(deal), vulnerable, hands, stock, scores, options["deals"])
