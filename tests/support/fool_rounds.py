"""Rounds of Czech Fool made by hand, played by the reference engine and by compiled positions side by side.

Cards are written as in records, moves also as "draw" and "pass", suits by their letter. The stock gives its cards in the
order in which they are written: both engines draw from the streams of unit words under which it does.
"""

import functools
import itertools

import numpy as np

from bridzik_sim.cards import popcount
from bridzik_sim.games.fool import plain_round, playout
from bridzik_sim.games.fool.rules import DECKS
from bridzik_sim.games.plain import PlainStream, mask_of
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose

NAMES = [*plain_round.CARD_NAMES, "draw", "pass"]
ENDINGS = ("won", "blocked", "capped")
OUT = 150
"""A total of who is out of the game."""


def ids(names):
    return [NAMES.index(name) for name in names.split()]


def named(codes):
    return " ".join(NAMES[code] for code in sorted(codes))


def members(mask):
    return [code for code in range(63) if int(mask) >> code & 1]


@functools.cache
def words_for(cards):
    """Unit words under which the cards of a first stock come in this order."""
    for number in itertools.count():
        words = [number, 1, 2, 3]
        stream, left = PlainStream.of(words, 0, plain_round.RESHUFFLE), sorted(cards)
        if all(stream.take(left, 1) == [card] for card in cards):
            return words
    raise AssertionError


class Plain:
    """A round by the reference engine."""

    def __init__(self, hands, opened, suit, dealer, stock, under, scores, options):
        words, deck = words_for(tuple(stock)), plain_round.DECKS[options["deck"]]
        drawn = plain_round.DealtStock(words, 0, deck, range(52), sorted(stock), [])
        self.table = plain_round.Table(0, dealer, hands, drawn, scores, options)
        self.table.open(opened, suit)
        self.pay()
        self.table.pile[:0] = under

    def pay(self):
        if self.table.owed:
            self.table.pay()

    def act(self, answer):
        table = self.table
        assert answer in (range(4) if table.choosing else table.legal_moves())
        (table.choose if table.choosing else table.move)(answer)
        self.pay()

    def state(self):
        table = self.table
        suits = [*range(4)] if table.choosing else None
        fields = table.view_fields(table.turn, suits or table.legal_moves())
        return {
            **{name: fields[name] for name in SHOWN},
            "turn": -1 if table.over else table.turn,
            "choosing": table.choosing,
            "legal": 0 if table.over else fields["legal"],
            "hands": [mask_of(hand) for hand in table.hands],
            "ending": table.ending if table.over else -1,
            "winner": table.winner,
            "points": table.points() if table.over else [],
        }


SHOWN = (
    *(
        "seats",
        "players",
        "dealer",
        "turns",
        "top",
        "chosen_suit",
        "open_eight",
        "has_drawn",
        "stock",
        "gone",
    ),
    *("returned", "forced", "deck", "counts", "fresh", "last_move", "still_in", "distance", "scores"),
)


def empty_position():
    return np.zeros(1, playout.POSITION).view(np.recarray)[0]


def set_up(position, table, words, options):
    """Begin the round of a table of the reference at which nobody has decided yet."""
    position.deal, position.seats = table.deal, table.seats
    position.scores[: table.seats] = table.scores
    playout.set_scores(position)
    position.deck, position.eights = DECKS[options["deck"]], options["deck"] == 52
    position.forced, position.cap = options["draw"] == "forced", options["max_turns"]
    position.words[:] = np.array(words, np.uint64)
    for seat in range(4):
        hand = table.dealt[seat] if seat < table.seats else []
        position.hands[seat], position.counts[seat] = mask_of(hand), len(hand)
        position.last_move[seat] = -1
    first = mask_of(table.stock.order)
    playout.first_stock(position, first, mask_of(table.stock.cards) ^ first)
    playout.open_round(position, table.dealer, table.open_card, table.open_suit)


@jit
def conserved(position):
    """Whether every card of the deck is in exactly one place, and the public numbers of cards are right."""
    seen, number = position.left | position.gone, position.stock + popcount(position.gone)
    right = popcount(position.left) == position.stock and (position.gone >> position.top) & 1 == 1
    for seat in range(position.seats):
        hand = position.hands[seat]
        right = right and popcount(hand) == position.counts[seat]
        right = right and (
            position.renewals == 0 or position.fresh[seat] == popcount(hand & position.returned)
        )
        seen |= hand
        number += position.counts[seat]
    return right and seen == position.deck and number == popcount(position.deck)


@jit
def play_a_copy_on(positions, view):
    """Random answers from the first position to the end of the round, in the second; returns how many.

    -1 when a card is lost or doubled, or there is no answer, after any of them.
    """
    positions[1] = positions[0]
    position, answers = positions[1], 0
    while position.turn >= 0:
        playout.show(position, view)
        if view.legal == 0 or not conserved(position):
            return -1
        playout.apply(position, choose(view))
        answers += 1
    return answers if conserved(position) else -1


class Compiled:
    """A round as a compiled position."""

    def __init__(self, hands, opened, suit, dealer, stock, under, scores, options, position=None):
        self.position = position = empty_position() if position is None else position
        position.seats = len(hands)
        position.scores[: len(hands)] = scores
        playout.set_scores(position)
        position.last_move[:] = -1
        position.deck, position.eights = mask_of(plain_round.DECKS[options["deck"]]), options["deck"] == 52
        position.forced, position.cap = options["draw"] == "forced", options["max_turns"]
        for seat, hand in enumerate(hands):
            position.hands[seat], position.counts[seat] = mask_of(hand), len(hand)
        position.words[:] = np.array(words_for(tuple(stock)), np.uint64)
        playout.first_stock(position, mask_of(stock), 0)
        playout.open_round(position, dealer, opened, suit)
        position.gone |= mask_of(under)

    def act(self, answer):
        assert answer in members(playout.legal(self.position))
        playout.apply(self.position, answer)

    def state(self):
        position = self.position
        over, seats = position.turn < 0, int(position.seats)
        shown = {name: position[name].tolist() for name in SHOWN}
        return {
            **shown,
            "turn": int(position.turn),
            "choosing": bool(position.choosing),
            "legal": 0 if over else int(playout.legal(position)),
            "hands": position.hands.tolist()[:seats],
            "ending": int(position.ended) if over else -1,
            "winner": int(position.winner),
            "points": [int(playout.points(position, seat)) for seat in range(seats)] if over else [],
        }


class Round:
    """Both engines in step. ``hands``: one a seat, empty for who is out; the last seat deals if nothing is said."""

    def __init__(
        self,
        *hands,
        opened,
        suit="",
        dealer=None,
        stock="",
        under="",
        scores=None,
        deck=52,
        draw="voluntary",
        cap=1000,
    ):
        options = {"deck": deck, "draw": draw, "max_turns": cap}
        scores = scores or [0 if hand else OUT for hand in hands]
        dealer = len(hands) - 1 if dealer is None else dealer
        held, (card,) = [ids(hand) for hand in hands], ids(opened)
        given = (
            held,
            card,
            "CDHS".find(suit) if suit else -1,
            dealer,
            ids(stock),
            ids(under),
            scores,
            options,
        )
        self.engines = [Plain(*given), Compiled(*given)]
        self.look()

    def look(self):
        one, other = (engine.state() for engine in self.engines)
        assert one == other
        self.__dict__.update(one)
        self.hands = [named(members(hand)) for hand in one["hands"]]
        self.top = NAMES[one["top"]]
        self.chosen = "CDHS"[one["chosen_suit"]] if one["chosen_suit"] >= 0 else ""
        self.legal = "CDHS" if one["choosing"] else named(members(one["legal"]))
        self.gone, self.returned = (named(members(one[name])) for name in ("gone", "returned"))
        self.last_move = [NAMES[code] if code >= 0 else "" for code in one["last_move"][: self.seats]]
        self.ending = ENDINGS[one["ending"]] if one["ending"] >= 0 else ""

    def act(self, *answers):
        """Answer for whoever is to decide, one after the other."""
        for answer in answers:
            code = "CDHS".index(answer) if self.choosing else NAMES.index(answer)
            for engine in self.engines:
                engine.act(code)
            self.look()
