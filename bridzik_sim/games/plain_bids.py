"""What the plain reference engines of games of exact bids share: bidding, tricks, records and their checks.

A game states what differs in a subclass of ``Table`` and drives it by ``play_bidding`` and ``play_tricks``,
or, for a finished record, by ``replay_bids`` and ``replay_tricks``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridzik_sim.games import plain_tricks
from bridzik_sim.games.plain import Players, mask_of, seats_from
from bridzik_sim.games.plain_records import TrickRecord, require, winners_of
from bridzik_sim.games.plain_tricks import replay_trick


def forbidden_bid(size: int, earlier: Sequence[int], bidders: int) -> int:
    """The bid the next bidder may not make, -1 if there is none; ``earlier`` are the bids so far, in order.

    Only the last bidder is bound: the bids may not sum to the number of tricks.
    """
    if len(earlier) == bidders - 1 and sum(earlier) <= size:
        return size - sum(earlier)
    return -1


def legal_bids(size: int, forbidden: int) -> list[int]:
    """The bids that may be made in a deal of ``size`` tricks."""
    return [bid for bid in range(size + 1) if bid != forbidden]


@dataclass
class BidsRecord:
    """A finished deal: ``deal`` is its number in the full game; the lists run by seat, hands are as dealt."""

    deal: int
    starter: int
    hands: list[list[int]]
    bids: list[int]
    tricks: list[TrickRecord]
    taken: list[int]
    points: list[int]

    def play_as_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """What was dealt and played as it stands in a record; ``names`` are the names of the cards by id."""
        return {
            "hands": [[names[card] for card in hand] for hand in self.hands],
            "bids": list(self.bids),
            "tricks": [trick.as_dict(names) for trick in self.tricks],
            "taken": list(self.taken),
            "points": list(self.points),
        }


class Table(plain_tricks.Table):
    """A deal in progress: bids are -1 until made, the leader is -1 while bidding."""

    sum_rule = True
    """Whether the last bidder may not make the bids sum to the number of tricks."""

    def __init__(
        self, deal: int, starter: int, hands: Sequence[Collection[int]], scores: Sequence[int]
    ) -> None:
        super().__init__(deal, hands)
        self.starter, self.size = starter, len(hands[0])
        self.scores, self.bids = list(scores), [-1] * self.seats

    @abstractmethod
    def first_leader(self) -> int:
        """The seat that leads the first trick, once all have bid."""

    @abstractmethod
    def points(self, bid: int, taken: int) -> int:
        """Points of a seat for the deal."""

    def forbidden_bid(self) -> int:
        """The bid the next bidder may not make, -1 if there is none."""
        made = [bid for bid in self.bids if bid >= 0]
        return forbidden_bid(self.size, made, self.seats) if self.sum_rule else -1

    def shown_bids(self) -> list[int]:
        """The bids that everyone sees, -1 for the others."""
        return self.bids

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
        return {
            "deal": self.deal,
            "size": self.size,
            "starter": self.starter,
            "forbidden": self.forbidden_bid(),
            **self.trick_fields(),
            "scores": self.by_seat(self.scores, 0),
            "bids": self.by_seat(self.shown_bids(), -1),
            "has_bid": self.by_seat([int(bid >= 0) for bid in self.bids], 0),
            "seat": seat,
            "position": (seat - self.starter) % self.seats,
            "hand": mask_of(self.hands[seat]),
            "legal": mask_of(legal),
        }

    def all_points(self) -> list[int]:
        """Points of the finished deal by seat."""
        return [self.points(bid, taken) for bid, taken in zip(self.bids, self.taken, strict=True)]

    def totals(self) -> list[int]:
        """The match scores after the finished deal."""
        return [score + points for score, points in zip(self.scores, self.all_points(), strict=True)]

    def outcome(self) -> dict[str, Any]:
        """The fields of the finished deal's ``BidsRecord``."""
        return {
            "deal": self.deal,
            "starter": self.starter,
            "hands": self.dealt,
            "bids": self.bids,
            "tricks": self.tricks,
            "taken": self.taken,
            "points": self.all_points(),
        }


def play_bidding(table: Table, players: Players) -> None:
    """Each seat bids once, the starter first."""
    for seat in seats_from(table.starter, table.seats):
        legal = legal_bids(table.size, table.forbidden_bid())
        table.bids[seat] = players.ask(table, seat, "bid", legal)


def play_tricks(table: Table, players: Players) -> None:
    """All the tricks of the deal, one card a seat, the leader's first; the winner leads next."""
    table.leader = table.first_leader()
    for _ in range(table.size):
        for seat in seats_from(table.leader, table.seats):
            table.play(seat, players.ask(table, seat, "play", table.legal_cards(seat)))
        table.close_trick()


def check_numbers(numbers: Sequence[int], expected: Sequence[int]) -> None:
    """Check that deals with these numbers are some of the ``expected`` ones, in order."""
    in_order = [deal for deal in expected if deal in numbers]
    require(list(numbers) == in_order, "deals", "must be deals of the options, in order")


def replay_bids(table: Table, bids: Sequence[int], place: str) -> None:
    """Make the bids of a record and check each."""
    require(len(bids) == table.seats, place, f"must be {table.seats}")
    for seat in seats_from(table.starter, table.seats):
        bid, forbidden, where = bids[seat], table.forbidden_bid(), f"{place}[{seat}]"
        require(type(bid) is int and 0 <= bid <= table.size, where, f"must be 0 … {table.size}")
        require(bid != forbidden, where, f"the last bid may not make the sum {table.size}")
        table.bids[seat] = bid


def replay_tricks(table: Table, given: Mapping[str, Any], names: Sequence[str], place: str) -> None:
    """Play the tricks of a record's deal ``given`` and check each card, the tricks taken and the points."""
    table.leader = table.first_leader()
    require(len(given["tricks"]) == table.size, f"{place}.tricks", f"must be {table.size}")
    for index, trick in enumerate(given["tricks"]):
        replay_trick(table, trick, names, f"{place}.tricks[{index}]")
    require(given["taken"] == table.taken, f"{place}.taken", f"the tricks taken are {table.taken}")
    points = table.all_points()
    require(given["points"] == points, f"{place}.points", f"the points are {points}")


def check_totals(
    record: Mapping[str, Any],
    deals: Sequence[BidsRecord],
    seats: int,
    missing: Sequence[int],
    points: Callable[[int, int], int],
) -> list[int]:
    """Check totals and winners of a record that shows these ``deals``, and return the totals.

    missing     hand sizes of the deals it lacks, whose points are not known
    points      points for a bid and the tricks taken
    """
    shown = [sum(deal.points[seat] for deal in deals) for seat in range(seats)]
    totals: list[int] = record["totals"]
    require(len(totals) == seats, "totals", f"must be {seats} numbers")
    if not missing:
        require(totals == shown, "totals", f"the points of the deals add up to {shown}")
    least, most = (
        sum(best(points(bid, taken) for bid in (0, size) for taken in (0, size)) for size in missing)
        for best in (min, max)
    )
    for seat, total in enumerate(totals):
        possible = shown[seat] + least <= total <= shown[seat] + most
        require(possible, "totals", f"seat {seat} made {shown[seat]} in the deals shown")
    winners = winners_of(totals)
    require(record["winners"] == winners, "winners", f"the highest total has {winners}")
    return list(totals)
