"""How the rounds of Czech Fool are told in a replay; the contract is in ``games/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bridzik_sim.games import telling
from bridzik_sim.games.fool.rules import DRAW, LIMIT, PASS
from bridzik_sim.games.french_cards import DECK
from bridzik_sim.games.game import Game
from bridzik_sim.games.telling import aligned, by_seat, ids, row

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


@dataclass(frozen=True)
class Phrases:
    """What is said of a round in a language; what stands in braces is filled in."""

    heading: str
    opening: str
    turn: str
    draws: str
    must_draw: str
    plays: str
    asks: str
    passes: str
    unanswered: str
    left: str
    result: str
    won: str
    blocked: str
    capped: str
    reset: str
    out: str
    distance: str
    decisions: dict[str, str]
    """What a seat does, by decision."""
    top: str
    to_answer: str
    cards: str
    stock: str
    answers: dict[int, str]
    """Moves that are no cards."""


PHRASES = {
    "en": Phrases(
        heading="round {round}: seat {dealer} deals",
        opening="opening card {card}",
        turn="turn",
        draws="draws {cards}",
        must_draw="must draw {cards}",
        plays="plays {card}",
        asks="asks for {suit}",
        passes="passes",
        unanswered="cannot answer the eight",
        left="left",
        result="result",
        won="seat {seat} has no cards left",
        blocked="blocked: there is nothing to play or draw",
        capped="stopped: no winner in {turns} turns",
        reset="{total} (from 101)",
        out="{total} (out)",
        distance="{total} ({distance} to go)",
        decisions={"move": "seat {seat} moves", "suit": "seat {seat} chooses a suit"},
        top="top",
        to_answer="must be answered",
        cards="cards",
        stock="stock: {number}",
        answers={DRAW: "draw", PASS: "pass"},
    ),
    "sk": Phrases(
        heading="kolo {round}: rozdáva hráč {dealer}",
        opening="otvorená karta {card}",
        turn="ťah",
        draws="ťahá: {cards}",
        must_draw="musí ťahať: {cards}",
        plays="hrá: {card}",
        asks="žiada: {suit}",
        passes="nehrá",
        unanswered="osmičku nemá čím prebiť",
        left="zvyšok",
        result="výsledok",
        won="hráč {seat} už nemá karty",
        blocked="zablokované: niet čo hrať ani ťahať",
        capped="zastavené: za {turns} ťahov nikto nevyhral",
        reset="{total} (zo 101)",
        out="{total} (vypadol)",
        distance="{total} (do 101 chýba {distance})",
        decisions={"move": "hráč {seat} je na ťahu", "suit": "hráč {seat} volí farbu"},
        top="navrchu",
        to_answer="treba prebiť",
        cards="karty",
        stock="v balíčku: {number}",
        answers={DRAW: "ťahať", PASS: "nehrať"},
    ),
}


class Telling(telling.Telling):
    """Czech Fool told in a language."""

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        super().__init__(game, record, lang)
        self.own = PHRASES[lang]

    @staticmethod
    def numbers(deals: Sequence[Mapping[str, Any]]) -> list[int]:
        """All rounds of a game are played, so they are numbered as they come."""
        return list(range(len(deals)))

    @staticmethod
    def totals(before: Sequence[int], deal: Mapping[str, Any]) -> list[int]:
        """The totals after a finished round stand in its record."""
        return list(deal["totals"])

    @staticmethod
    def cut(deal: Mapping[str, Any], moments: Sequence[Moment]) -> dict[str, Any]:
        """A round as far as its moments were answered, all of them but the last.

        An unfinished turn lacks what was not decided, and the round lacks how it ended.
        """
        moves, left = [], len(moments) - 1
        for move in deal["moves"]:
            decided = _decided(move)[:left]
            if not decided and not move.get("forced"):
                break
            left -= len(decided)
            unfinished = {"seat": move["seat"], "draw": move["draw"], **{key: move[key] for key in decided}}
            whole = len(decided) == len(_decided(move))
            moves.append(move if whole else unfinished)
            if not whole:
                break
        kept = ("dealer", "hands", "open_card", "open_suit")
        return {**{key: deal[key] for key in kept if key in deal}, "moves": moves, "points": None}

    def deal(self, number: int, deal: Mapping[str, Any], before: Sequence[int]) -> list[str]:
        """Heading, hands, a line a turn or forced draw, then how the round ended."""
        own = self.own
        parts = [self._heading(number, deal["dealer"]), own.opening.format(card=self.card(deal["open_card"]))]
        if "open_suit" in deal:
            parts.append(own.asks.format(suit=self._suit(deal["open_suit"])))
        hands = {f"{self.say.seat} {seat}": hand for seat, hand in enumerate(deal["hands"]) if hand}
        lines, turn = [", ".join(parts), *self.hands(hands)], 0
        for move in deal["moves"]:
            turn += not move.get("forced", False)
            lines.append(row("" if move.get("forced") else f"{own.turn} {turn}", [self._move(move)]))
        return lines if deal["points"] is None else [*lines, *self._end(deal, before, turn)]

    def _heading(self, number: int, dealer: int) -> str:
        return self.own.heading.format(round=number + 1, dealer=dealer)

    def _suit(self, name: str) -> str:
        return self.words.suits[DECK.suits.index(name)]

    def _move(self, move: Mapping[str, Any]) -> str:
        """A turn, as far as it went, or a forced draw."""
        own, forced = self.own, move.get("forced", False)
        drawn = ", ".join(self.card(name) for name in move["draw"]) or self.say.nothing
        parts = []
        if forced:
            parts.append(own.must_draw.format(cards=drawn))
        elif "draw" in _decided(move):
            parts.append(own.draws.format(cards=drawn))
        if move.get("play"):
            parts.append(own.plays.format(card=self.card(move["play"])))
        if move.get("suit"):
            parts.append(own.asks.format(suit=self._suit(move["suit"])))
        if move.get("pass"):
            parts.append(own.passes)
        elif not forced and "play" in move and not move["play"]:
            parts.append(own.unanswered)
        return f"{move['seat']} {', '.join(parts)}"

    def _end(self, deal: Mapping[str, Any], before: Sequence[int], turns: int) -> list[str]:
        """How a round ended: what is left, points and totals."""
        say, own, playing = self.say, self.own, [bool(hand) for hand in deal["hands"]]
        if deal.get("blocked") or deal.get("capped"):
            result = own.blocked if deal.get("blocked") else own.capped.format(turns=turns)
        else:
            winner = next(seat for seat, left in enumerate(deal["left"]) if playing[seat] and not left)
            result = own.won.format(seat=winner)
        left = {f"{own.left} {seat}": hand for seat, hand in enumerate(deal["left"]) if hand}
        points = [points if played else "-" for points, played in zip(deal["points"], playing, strict=True)]
        totals = []
        for seat, total in enumerate(deal["totals"]):
            reset = before[seat] + deal["points"][seat] == LIMIT
            form = own.out if total > LIMIT else own.reset if reset else "{total}"
            totals.append(form.format(total=total))
        table = aligned([by_seat(points), by_seat(totals)])
        lines = [row(first, cells) for first, cells in zip((say.points, say.total), table, strict=True)]
        return [row(own.result, [result]), *self.hands(left), *lines]

    def sight(self, moment: Moment) -> list[str]:
        """Who deals, and the scores."""
        view, own = moment.view, self.own
        scores = []
        for seat in range(self.seats):
            form = own.distance if view.still_in[seat] else own.out
            scores.append(form.format(total=view.scores[seat], distance=view.distance[seat]))
        return [self._heading(moment.deal, int(view.dealer)), row(self.say.scores, by_seat(scores))]

    def decision(self, moment: Moment) -> str:
        """What a seat is about to do."""
        return self.own.decisions[moment.decision].format(seat=moment.seat)

    def name(self, decision: str, code: int) -> str:
        """A card, draw or pass; or a suit."""
        if decision == "suit":
            return self.words.suits[code]
        return self.own.answers[code] if code in self.own.answers else self.words.cards[code]

    def known(self, moment: Moment) -> list[str]:
        """The top card and what it asks for, how many cards there are where, and the pile."""
        view, own = moment.view, self.own
        top = [self.words.cards[view.top]]
        if view.chosen_suit >= 0:
            top.append(own.asks.format(suit=self.words.suits[view.chosen_suit]))
        if view.open_eight:
            top.append(own.to_answer)
        counts = [f"{seat}: {view.counts[seat]}" for seat in range(self.seats) if view.still_in[seat]]
        counts.append(own.stock.format(number=view.stock))
        below = ids(view.gone & ~(1 << int(view.top)))
        lines = [row(own.top, [", ".join(top)]), row(own.cards, counts)]
        return [*lines, row(self.say.gone, self.by_suit(below))] if below else lines


def _decided(move: Mapping[str, Any]) -> list[str]:
    """The decisions of a turn in their order, each by the key of the record that it filled last."""
    if move.get("forced"):
        return []
    played = "play" if move.get("play") else "pass" if move.get("pass") else ""
    drew = ["draw"] if move["draw"] or not played else []
    return [*drew, *([played] if played else []), *(["suit"] if move.get("suit") else [])]
