"""A round of Czech Fool, slowly and plainly, straight from the rules.

Cards are the integers 13 * suit + rank (suits C D H S, ranks 2 … 9 T J Q K A). Hands and the pile are lists;
the pile's last card lies open. ``reference.py`` plays games of such rounds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bridzik_sim.games.plain import DEAL, PlainStream, mask_of, seats_from

QUEEN_SUIT, RESHUFFLE = 2, 2**16
SUITS, RANKS = "CDHS", "23456789TJQKA"
CARD_NAMES = [suit + rank for suit in SUITS for rank in RANKS]
CARDS = len(CARD_NAMES)
DECKS = {52: [*range(CARDS)], 36: [card for card in range(CARDS) if CARD_NAMES[card][1] not in "2345"]}
DRAW, PASS = 52, 53
MOST_SEATS = 4
HAND_SIZE, LIMIT = 5, 101
DEFAULTS: dict[str, Any] = {"deck": 52, "draw": "voluntary", "max_turns": 1000}
POINTS = {"T": 10, "J": 2, "Q": 20, "K": 4, "A": 11} | {rank: int(rank) for rank in "23456789"}
SPADE_QUEEN = CARD_NAMES.index("SQ")
OWED = {"6": 1, "7": 2}
ENDINGS = ("won", "blocked", "capped")
WON, BLOCKED, CAPPED = range(3)


def suit_of(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card // len(RANKS)


def rank_of(card: int) -> str:
    """The rank, one of 2 … 9 T J Q K A."""
    return RANKS[card % len(RANKS)]


def fits(card: int, top: int, chosen_suit: int = -1) -> bool:
    """Whether a card may go on ``top``: same suit or rank, and any queen; ``chosen_suit`` is a queen's."""
    suit = suit_of(top) if chosen_suit < 0 else chosen_suit
    return suit_of(card) == suit or rank_of(card) in (rank_of(top), "Q")


def answers_eight(card: int, eight: int) -> bool:
    """Whether a card that was drawn ends the drawing on an open eight."""
    return rank_of(card) in "28Q" or suit_of(card) == suit_of(eight)


def card_points(card: int) -> int:
    """What a card left in a hand counts."""
    return 40 if card == SPADE_QUEEN else POINTS[rank_of(card)]


def still_in(totals: Sequence[int]) -> list[int]:
    """The seats that have not gone out."""
    return [seat for seat, total in enumerate(totals) if total <= LIMIT]


@dataclass
class MoveRecord:
    """A turn, or a draw that a six or seven forced; ``play`` and ``suit`` are -1 for none.

    A turn in which nothing was played is a pass, unless it ended with a draw on an eight that failed.
    """

    seat: int
    draw: list[int] = field(default_factory=list)
    play: int = -1
    suit: int = -1
    passed: bool = False
    forced: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The move as it stands in a record, cards by name."""
        entry: dict[str, Any] = {
            "seat": self.seat,
            "draw": [CARD_NAMES[card] for card in self.draw],
            "play": CARD_NAMES[self.play] if self.play >= 0 else None,
            "suit": SUITS[self.suit] if self.suit >= 0 else None,
            "pass": self.passed,
        }
        return entry | {"forced": True} if self.forced else entry


class Stock(ABC):
    """The ``cards`` face down, and how often they have been made of the pile."""

    def __init__(self, cards: Collection[int]) -> None:
        self.cards, self.renewals = set(cards), 0

    def renew(self, cards: Collection[int]) -> None:
        """Put cards of the pile into the empty stock."""
        self.cards = set(cards)
        self.renewals += 1

    @abstractmethod
    def next_card(self) -> int:
        """Draw a card; there must be one."""


class DealtStock(Stock):
    """A stock in a random order that is made while cards are drawn.

    The streams give ids, and ``mapping`` the card for each id. Ids come from ``order``, those whose card is
    not in the stock are passed over; when it is used up, it is made anew of what is left.
    """

    def __init__(
        self, words: Sequence[int], deal: int, deck: Sequence[int], mapping: Sequence[int],
        order: Sequence[int], last: Sequence[int],
    ) -> None:  # fmt: skip
        """``order``: the ids of the first stock, after which the cards ``last`` come."""
        super().__init__([*(mapping[code] for code in order), *last])
        self.words, self.deal, self.deck, self.mapping = words, deal, deck, mapping
        self.shuffle(order)

    def shuffle(self, order: Sequence[int]) -> None:
        """Begin a stock, which has a stream of its own."""
        self.order = list(order)
        self.stream = PlainStream.of(self.words, self.deal, RESHUFFLE + self.renewals)

    def renew(self, cards: Collection[int]) -> None:
        """Put cards of the pile into the empty stock."""
        super().renew(cards)
        self.shuffle(self.deck)

    def next_card(self) -> int:
        """Draw a card; there must be one."""
        while True:
            if not self.order:
                self.order = [code for code in self.deck if self.mapping[code] in self.cards]
            card = self.mapping[self.stream.take(self.order, 1)[0]]
            if card in self.cards:
                self.cards.remove(card)
                return card


class Table:
    """A round in progress.

    turn          seat to decide; ``choosing``: whether it has to choose a queen's suit
    fresh         by seat: cards held that were drawn since the last reshuffle
    open_eight    whether the eight on top has to be answered; ``answer``: the card drawn for that, or -1
    passes        in a row with nothing to draw
    owed          cards that ``victim`` has to draw for a six or seven
    entry         the turn so far; ``moves``: what came before it
    """

    places: ClassVar[int] = MOST_SEATS

    def __init__(
        self, deal: int, dealer: int, hands: Sequence[Sequence[int]], stock: Stock, scores: Sequence[int],
        options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        options = DEFAULTS | dict(options or {})
        self.deal, self.dealer, self.stock, self.scores = deal, dealer, stock, list(scores)
        self.deck = options["deck"]
        self.forced, self.max_turns = options["draw"] == "forced", options["max_turns"]
        self.seats, self.sitting = len(hands), still_in(scores)
        self.dealt, self.hands = ([list(hand) for hand in hands] for _ in range(2))
        self.fresh = [set[int]() for _ in hands]
        self.last_move = [-1] * self.seats
        self.pile, self.returned = list[int](), set[int]()
        self.open_eight = self.has_drawn = self.choosing = False
        self.chosen_suit = self.answer = self.ending = self.winner = self.open_suit = -1
        self.turns = self.passes = self.owed = self.decisions = 0
        self.moves = list[MoveRecord]()

    def open(self, card: int, suit: int) -> None:
        """Open the first card, which acts as if the dealer had played it; ``suit`` is that of a queen."""
        self.open_card, self.pile = card, [card]
        self.start_turn(self.act(self.dealer, card))
        if rank_of(card) == "Q":
            self.open_suit = self.chosen_suit = suit

    @property
    def top(self) -> int:
        """The card that lies open."""
        return self.pile[-1]

    @property
    def over(self) -> bool:
        """Whether the round is over, the last six or seven having been paid for."""
        return self.ending >= 0 and not self.owed

    def left_of(self, seat: int) -> int:
        """The next seat that is still in the game."""
        return next(other for other in seats_from(seat + 1, self.seats) if other in self.sitting)

    def can_draw(self) -> bool:
        """Whether there is a card to draw, if need be from the pile."""
        return bool(self.stock.cards) or len(self.pile) > 1

    def playable(self, card: int) -> bool:
        """Whether the seat to move may play a card that it holds."""
        if self.open_eight:
            return rank_of(card) == "2" or card == self.answer
        return fits(card, self.top, self.chosen_suit)

    def legal_moves(self) -> list[int]:
        """The moves of the seat to move: cards, DRAW, PASS."""
        cards = sorted(card for card in self.hands[self.turn] if self.playable(card))
        if self.has_drawn:
            return cards if self.open_eight else [*cards, PASS]
        if self.forced and cards:
            return cards
        return [*cards, DRAW if self.open_eight or self.can_draw() else PASS]

    def move(self, answer: int) -> None:
        """Carry out a legal move."""
        self.decisions += 1
        if answer == DRAW:
            self.draw()
        elif answer == PASS:
            self.rest()
        else:
            self.play(answer)

    def draw(self) -> None:
        """Draw a card; on an open eight until one answers it, and if none does, turn and eight are over."""
        seat, self.has_drawn = self.turn, True
        card = self.take_card(seat, self.entry)
        if not self.open_eight:
            return
        while card >= 0 and not answers_eight(card, self.top):
            card = self.take_card(seat, self.entry)
        self.answer = card
        if card < 0:
            self.open_eight, self.passes = False, 0
            self.last_move[seat] = DRAW
            self.end_turn(self.left_of(seat))

    def rest(self) -> None:
        """Pass; a full circle of passes with nothing to draw blocks the round."""
        self.passes = 0 if self.has_drawn else self.passes + 1
        self.entry.passed, self.last_move[self.turn] = True, PASS
        self.end_turn(self.left_of(self.turn))
        if self.passes == len(self.sitting):
            self.ending = BLOCKED

    def play(self, card: int) -> None:
        """Play a card; the last one of a hand wins the round."""
        seat = self.turn
        self.hands[seat].remove(card)
        self.fresh[seat].discard(card)
        self.pile.append(card)
        self.entry.play = self.last_move[seat] = card
        self.chosen_suit, self.open_eight, self.passes = -1, False, 0
        if not self.hands[seat]:
            self.ending, self.winner = WON, seat
        if rank_of(card) == "Q" and self.ending < 0:
            self.choosing = True
        else:
            self.end_turn(self.act(seat, card))

    def choose(self, suit: int) -> None:
        """Ask for a suit with the queen just played."""
        self.decisions += 1
        self.entry.suit = self.chosen_suit = suit
        self.choosing = False
        self.end_turn(self.left_of(self.turn))

    def act(self, seat: int, card: int) -> int:
        """What ``card``, played by ``seat``, does to the next player; returns who has the next turn."""
        following, rank = self.left_of(seat), rank_of(card)
        self.open_eight = rank == "8" and self.deck == 52 and self.ending < 0
        self.owed, self.victim = OWED.get(rank, 0), following
        return self.left_of(following) if rank in "67A" else following

    def end_turn(self, following: int) -> None:
        """Close the turn; the next one is that of ``following``, unless no more may be played."""
        self.turns += 1
        self.moves.append(self.entry)
        self.start_turn(following)
        if self.ending < 0 and self.turns >= self.max_turns:
            self.ending = CAPPED

    def start_turn(self, seat: int) -> None:
        """Give a seat the turn."""
        self.turn, self.has_drawn, self.answer, self.entry = seat, False, -1, MoveRecord(seat)

    def pay(self) -> None:
        """Let the victim of a six or seven draw what it owes, as far as there are cards."""
        entry = MoveRecord(self.victim, forced=True)
        for _ in range(self.owed):
            self.take_card(self.victim, entry)
        self.moves.append(entry)
        self.owed = 0

    def take_card(self, seat: int, entry: MoveRecord) -> int:
        """Give a seat a card of the stock, which is renewed if it is empty; -1 when there is none."""
        if not self.can_draw():
            return -1
        if not self.stock.cards:
            self.returned, self.pile = set(self.pile[:-1]), self.pile[-1:]
            self.fresh = [set() for _ in self.hands]
            self.stock.renew(self.returned)
        card = self.stock.next_card()
        self.hands[seat].append(card)
        entry.draw.append(card)
        if self.stock.renewals > 0:
            self.fresh[seat].add(card)
        return card

    def by_seat(self, values: Sequence[int], missing: int) -> list[int]:
        """``values`` with ``missing`` in the places of the view that they leave."""
        return [*values, *[missing] * (self.places - len(values))]

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
        return {
            "deal": self.deal,
            "seats": self.seats,
            "scores": self.by_seat(self.scores, 0),
            "distance": self.by_seat([LIMIT - score for score in self.scores], 0),
            "still_in": self.by_seat([int(seat in self.sitting) for seat in range(self.seats)], 0),
            "counts": self.by_seat([len(hand) for hand in self.hands], 0),
            "fresh": self.by_seat([len(cards) for cards in self.fresh], 0),
            "last_move": self.by_seat(self.last_move, -1),
            "deck": mask_of(DECKS[self.deck]),
            "players": len(self.sitting),
            "dealer": self.dealer,
            "turns": self.turns,
            "top": self.top,
            "chosen_suit": self.chosen_suit,
            "open_eight": int(self.open_eight),
            "has_drawn": int(self.has_drawn),
            "passes": self.passes,
            "stock": len(self.stock.cards),
            "gone": mask_of(self.pile),
            "returned": mask_of(self.returned),
            "forced": int(self.forced),
            "seat": seat,
            "hand": mask_of(self.hands[seat]),
            "legal": mask_of(legal),
        }

    def points(self) -> list[int]:
        """Points of the finished round by seat."""
        points = [sum(card_points(card) for card in hand) for hand in self.hands]
        if self.winner >= 0 and rank_of(self.top) == "Q":
            points[self.winner] = -card_points(self.top)
        return points


def deal_table(
    words: Sequence[int], deal: int, dealer: int, scores: Sequence[int], options: Mapping[str, Any],
    mapping: Sequence[int] | None = None,
) -> Table:  # fmt: skip
    """The table of a round with the cards of the unit; ``mapping``: by card, which one is dealt instead.

    Hands are taken for every seat; the unused ones of those who are out come last in the stock.
    """
    deck, sitting = DECKS[options["deck"]], still_in(scores)
    mapping = range(CARDS) if mapping is None else mapping
    stream, left = PlainStream.of(words, deal, DEAL), list(deck)
    hands = [sorted(mapping[card] for card in stream.take(left, HAND_SIZE)) for _ in scores]
    open_card = mapping[stream.take(left, 1)[0]]
    unused = [card for seat, hand in enumerate(hands) if seat not in sitting for card in hand]
    stock = DealtStock(words, deal, deck, mapping, left, unused)
    held = [hand if seat in sitting else [] for seat, hand in enumerate(hands)]
    table = Table(deal, dealer, held, stock, scores, options)
    table.open(open_card, PlainStream.of(words, deal, QUEEN_SUIT).below(len(SUITS)))
    return table
