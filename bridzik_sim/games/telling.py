"""How games are told as text, in English or Slovak: what a game's module ``telling`` builds on.

Wording follows the rules of the games. Seats are numbered from 0, as everywhere, unless they have names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.games import plain
from bridzik_sim.games.game import Game

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment

INDENT = "  "
MARGIN = 9
"""Width of the words that begin a line."""


@dataclass(frozen=True)
class Phrases:
    """The phrases that all games share; what stands in braces is filled in."""

    head: str
    seat: str
    points: str
    total: str
    final: str
    winner: str
    winners: str
    fault: str
    hand: str
    scores: str
    gone: str
    nothing: str
    legal: str
    answer: str


LANGUAGES = {
    "en": Phrases(
        head="{title}: seed {seed}, unit {unit}, seating {seating}",
        seat="seat",
        points="points",
        total="total",
        final="end",
        winner="winner",
        winners="winners",
        fault="seat {seat} {what} in its decision {decision}; the lowest legal answer was taken instead",
        hand="hand",
        scores="scores",
        gone="gone",
        nothing="nothing",
        legal="legal",
        answer="answer",
    ),
    "sk": Phrases(
        head="{title}: seed {seed}, jednotka {unit}, rozsadenie {seating}",
        seat="hráč",
        points="body",
        total="spolu",
        final="koniec",
        winner="víťaz",
        winners="víťazi",
        fault="hráč {seat}: chybné rozhodnutie {decision} ({what}); platí najnižšia povolená odpoveď",
        hand="ruka",
        scores="skóre",
        gone="zahrané",
        nothing="nič",
        legal="smie",
        answer="odpoveď",
    ),
}


class Telling(ABC):
    """A game told in a language. Each game has a subclass of this name in its module ``telling``.

    What it says of a deal and of a decision are lines of text without line breaks.
    """

    marks: ClassVar[Mapping[str, str]] = {}
    """By language: what the head of a text explains of the marks in it."""
    seat_names: ClassVar[Sequence[str]] = ()
    """What the seats are called in a game that has names for them; else they go by their numbers."""

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        """``record``: the game that is told. ``UsageError`` when it is not told in the language."""
        if lang not in game.words or lang not in LANGUAGES:
            raise UsageError(unknown_name(f"telling of {game.name} in the language", lang, game.words))
        self.game, self.deck, self.lang = game, game.deck, lang
        self.words, self.say = game.words[lang], LANGUAGES[lang]
        self.seats, self.options = len(record["seats"]), record["options"]

    @staticmethod
    @abstractmethod
    def numbers(deals: Sequence[Mapping[str, Any]]) -> list[int]:
        """The numbers of a record's deals within the full game."""

    @staticmethod
    @abstractmethod
    def totals(before: Sequence[int], deal: Mapping[str, Any]) -> list[int]:
        """The totals after a finished deal of a record; ``before``: those before it, zeros at first."""

    @staticmethod
    @abstractmethod
    def cut(deal: Mapping[str, Any], moments: Sequence[Moment]) -> dict[str, Any]:
        """A deal of a record as far as its moments were answered: all of them but the last.

        Its points are None.
        """

    @abstractmethod
    def deal(self, number: int, deal: Mapping[str, Any], before: Sequence[int]) -> list[str]:
        """A deal of a record, possibly cut; ``before``: the totals before it."""

    @abstractmethod
    def sight(self, moment: Moment) -> list[str]:
        """What a seat sees of a deal at its first decision in it."""

    @abstractmethod
    def decision(self, moment: Moment) -> str:
        """What a seat is about to do."""

    @abstractmethod
    def known(self, moment: Moment) -> list[str]:
        """What a seat knows at a decision, besides its hand."""

    @abstractmethod
    def name(self, decision: str, code: int) -> str:
        """An answer in words."""

    def answers(self, decision: str, codes: Sequence[int]) -> list[str]:
        """Answers in words; ``codes``: lowest first."""
        return [self.name(decision, code) for code in codes]

    def moment(self, moment: Moment) -> list[str]:
        """A decision of a seat whose view was kept: what it knew and might answer, then its answer."""
        legal = ", ".join(self.answers(moment.decision, moment.legal))
        lines = [row(self.say.hand, self.by_suit(ids(moment.view.hand))), *self.known(moment)]
        lines.append(row(self.say.legal, [legal]))
        if moment.answer >= 0:
            lines.append(row(self.say.answer, [self.name(moment.decision, moment.answer)]))
        if moment.fault:
            lines.append(self.fault(moment.fault.as_dict()))
        return [INDENT + self.decision(moment), *(INDENT + line for line in lines)]

    def seat(self, seat: int) -> str:
        """What a seat is called."""
        return self.seat_names[seat] if self.seat_names else str(seat)

    def standing(self, totals: Sequence[int]) -> list[str]:
        """The totals of a game, a cell for each."""
        return by_seat(totals)

    def fault(self, fault: Mapping[str, Any]) -> str:
        """A wrong answer that was replaced."""
        what = plain.told(fault["kind"], fault["answer"])
        told = self.say.fault.format(seat=self.seat(fault["seat"]), what=what, decision=fault["decision"])
        return f"{INDENT}! {told}"

    def card(self, name: str) -> str:
        """A card of a record in words."""
        return self.words.cards[self.deck.id(name)]

    def hands(self, hands: Mapping[str, Sequence[str]]) -> list[str]:
        """Hands of a record, each after the words that begin its line."""
        cells = [self.by_suit([self.deck.id(name) for name in hand]) for hand in hands.values()]
        return [row(first, held) for first, held in zip(hands, aligned(cells), strict=True)]

    def by_suit(self, cards: Sequence[int]) -> list[str]:
        """A set of card ids: one cell a suit, and one for the cards without a suit, if the game has such."""
        suits, ranks = len(self.words.suits), len(self.deck.ranks)
        held: list[list[str]] = [[] for _ in self.words.suits]
        specials = []
        for card in sorted(cards):
            if card < suits * ranks:
                held[card // ranks].append(self.words.ranks[card % ranks])
            else:
                specials.append(self.words.cards[card])
        cells = [
            f"{suit} {' '.join(names) or '-'}" for suit, names in zip(self.words.suits, held, strict=True)
        ]
        return [*cells, " ".join(specials) or "-"] if self.deck.specials else cells


def row(first: str, cells: Sequence[str]) -> str:
    """A line that begins with some words, or with as much room."""
    return f"{INDENT}{first:<{MARGIN - 1}} {'   '.join(cells)}".rstrip()


def by_seat(values: Sequence[Any]) -> list[str]:
    """A cell for each seat."""
    return [f"{seat}: {value}" for seat, value in enumerate(values)]


def aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same cells, each as wide as the widest of its column."""
    columns = max((len(cells) for cells in rows), default=0)
    widths = [max(len(cells[column]) for cells in rows if column < len(cells)) for column in range(columns)]
    return [[cell.ljust(width) for cell, width in zip(cells, widths, strict=False)] for cells in rows]


def ids(mask: Any) -> list[int]:
    """The codes in a mask, lowest first."""
    return [code for code in range(63) if int(mask) >> code & 1]
