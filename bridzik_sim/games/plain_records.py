"""Records of games: what a finished game leaves, and what plain engines share to read it again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from bridzik_sim.games.plain import Fault


@dataclass
class TrickRecord:
    """A finished trick: who led, the cards (ids) in the order of play, who won."""

    leader: int
    cards: list[int]
    winner: int

    def as_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The trick as it stands in a record; ``names`` are the names of the cards by id."""
        return {"leader": self.leader, "cards": [names[card] for card in self.cards], "winner": self.winner}


class Recorded(Protocol):
    """A finished deal that can be written into a record."""

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record."""


DealT = TypeVar("DealT", bound=Recorded)


@dataclass
class GameRecord(Generic[DealT]):
    """A finished game; totals by seat, ``faults`` are the wrong answers that were replaced."""

    game: str
    rules_version: int
    deals: list[DealT]
    totals: list[int]
    winners: list[int]
    faults: list[Fault] = field(default_factory=list)

    def fault_count(self, seat: int, kind: str) -> int:
        """How many faults of a kind ("illegal" or "raised") the seat made."""
        return sum(fault.seat == seat and fault.kind == kind for fault in self.faults)

    def as_dict(
        self, *, options: Mapping[str, Any], seed: int, unit: int, seating: int, seats: Sequence[str]
    ) -> dict[str, Any]:
        """The record of the game, ready for JSON; ``seats`` are the labels of the players by seat.

        The key ``faults`` is there only when there were some.
        """
        record: dict[str, Any] = {
            "game": self.game,
            "options": dict(options),
            "seed": seed,
            "unit": unit,
            "seating": seating,
            "rules_version": self.rules_version,
            "seats": list(seats),
            "totals": list(self.totals),
            "winners": list(self.winners),
        }
        if self.faults:
            record["faults"] = [fault.as_dict() for fault in self.faults]
        record["deals"] = [deal.as_dict() for deal in self.deals]
        return record


def winners_of(totals: Sequence[int]) -> list[int]:
    """Every seat with the highest total."""
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def require(holds: bool, place: str, rule: str) -> None:
    """ValueError "place: rule" unless ``holds``."""
    if not holds:
        raise ValueError(f"{place}: {rule}")


@contextmanager
def reading_record(title: str) -> Iterator[None]:
    """Tell as ValueError when what is read within is no record of a game of ``title``."""
    try:
        yield
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"not a record of a game of {title}: {error!r}") from error


def check_heading(record: Mapping[str, Any], game: str, rules_version: int) -> None:
    """Check that a record is of this game under these rules."""
    require(record["game"] == game, "game", f"must be {game}")
    require(record["rules_version"] == rules_version, "rules_version", f"must be {rules_version}")


class CardReader:
    """Turns names of cards into ids, each card once; of cards with equal names the lowest id left.

    ``cards``: the ids there are, if not all that have names.
    """

    def __init__(self, names: Sequence[str], cards: Collection[int] | None = None) -> None:
        self.names, self.left = names, sorted(range(len(names)) if cards is None else cards)
        self.known = {names[card] for card in self.left}

    def take(self, name: str, place: str) -> int:
        """The id of a card that has not been taken yet."""
        require(name in self.known, place, f"there is no card {name!r}")
        found = [card for card in self.left if self.names[card] == name]
        require(bool(found), place, f"a card is dealt twice: {name}")
        self.left.remove(found[0])
        return found[0]

    def take_hands(
        self, given: Sequence[Sequence[str]], seats: int, size: int, place: str
    ) -> list[list[int]]:
        """The hands of a deal."""
        hands = [[self.take(name, f"{place}[{seat}]") for name in hand] for seat, hand in enumerate(given)]
        sizes = [len(hand) for hand in hands]
        require(sizes == [size] * seats, place, f"must be {seats} hands of {size} cards")
        return hands
