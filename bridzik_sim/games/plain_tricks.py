"""Tricks in the plain reference engines: playing cards, closing tricks, and the checks of recorded ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from bridzik_sim.games.plain import mask_of, seats_from
from bridzik_sim.games.plain_records import TrickRecord, require


class Table(ABC):
    """A deal with tricks in progress: hands are sets, a trick is a list of cards in the order of play.

    ``leader`` is -1 before the first trick, ``voids`` are the suits each seat has shown to lack.
    """

    places: ClassVar[int]
    """Length of the arrays by seat in a view."""

    def __init__(self, deal: int, hands: Sequence[Collection[int]]) -> None:
        self.deal, self.seats = deal, len(hands)
        self.dealt = [list(hand) for hand in hands]
        self.hands = [set(hand) for hand in hands]
        self.taken = [0] * self.seats
        self.voids: list[set[int]] = [set() for _ in range(self.seats)]
        self.leader, self.trick = -1, list[int]()
        self.played, self.tricks = list[int](), list[TrickRecord]()

    @abstractmethod
    def legal_cards(self, seat: int) -> list[int]:
        """The cards that ``seat`` may add to the trick."""

    @abstractmethod
    def duty(self, seat: int) -> str:
        """What ``seat`` must do when it may not play every card."""

    @abstractmethod
    def lead_suit(self) -> int:
        """The suit to follow in the trick, -1 if there is none."""

    @abstractmethod
    def winning_card(self) -> int:
        """The card that wins the trick (not empty) so far."""

    @abstractmethod
    def shown_voids(self, card: int) -> list[int]:
        """The suits a player shows to lack by adding ``card`` to the trick."""

    def play(self, seat: int, card: int) -> None:
        """Add a card of ``seat`` to the trick."""
        self.hands[seat].remove(card)
        self.voids[seat].update(self.shown_voids(card))
        self.trick.append(card)
        self.played.append(card)

    def close_trick(self) -> TrickRecord:
        """Give the finished trick to its winner, who leads next."""
        winner = seats_from(self.leader, self.seats)[self.trick.index(self.winning_card())]
        record = TrickRecord(self.leader, self.trick, winner)
        self.tricks.append(record)
        self.taken[winner] += 1
        self.leader, self.trick = winner, []
        return record

    def by_seat(self, values: Sequence[int], missing: int) -> list[int]:
        """``values`` with ``missing`` in the places of the view that they leave."""
        return [*values, *[missing] * (self.places - len(values))]

    def trick_fields(self) -> dict[str, Any]:
        """The fields of a view that tell of tricks."""
        return {
            "trick_length": len(self.trick),
            "leader": self.leader,
            "best": self.winning_card() if self.trick else -1,
            "lead": self.lead_suit(),
            "played": mask_of(self.played),
            "taken": self.by_seat(self.taken, 0),
            "trick": self.by_seat(self.trick, -1),
            "seen_void": self.by_seat([mask_of(suits) for suits in self.voids], 0),
        }


def replay_trick(table: Table, given: Mapping[str, Any], names: Sequence[str], place: str) -> None:
    """Play a recorded trick and check each card; ``names`` are the names of the cards by id."""
    require(given["leader"] == table.leader, f"{place}.leader", f"seat {table.leader} leads")
    require(len(given["cards"]) == table.seats, f"{place}.cards", f"must be {table.seats}")
    for index, seat in enumerate(seats_from(table.leader, table.seats)):
        name, where = given["cards"][index], f"{place}.cards[{index}]"
        require(name in names, where, f"there is no card {name!r}")
        held = [card for card in sorted(table.hands[seat]) if names[card] == name]
        require(bool(held), where, f"seat {seat} does not hold {name}")
        require(held[0] in table.legal_cards(seat), where, f"seat {seat} {table.duty(seat)}")
        table.play(seat, held[0])
    winner = table.close_trick().winner
    require(given["winner"] == winner, f"{place}.winner", f"seat {winner} wins")
