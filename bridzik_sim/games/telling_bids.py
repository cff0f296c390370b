"""What games of exact bids share when they are told: the bids, the tricks, what a seat knows of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bridzik_sim.games import telling
from bridzik_sim.games.game import Game
from bridzik_sim.games.telling import aligned, by_seat, ids, row

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


@dataclass(frozen=True)
class Phrases:
    """What is said of bids and tricks in a language; what stands in braces is filled in."""

    starter: str
    card_forms: tuple[str, str, str]
    """After 1, after 2 to 4, after other numbers."""
    bids: str
    not_allowed: str
    sum: str
    trick: str
    leads: str
    taken: str
    taken_of: str
    decisions: dict[str, str]
    """What a seat does, by decision."""
    on_table: str
    lacks: str

    def cards(self, number: int) -> str:
        """A number of cards in words."""
        few, many = 2 <= number <= 4, self.card_forms[2]
        return f"{number} {self.card_forms[0] if number == 1 else self.card_forms[1] if few else many}"


PHRASES = {
    "en": Phrases(
        starter="seat {starter} bids first",
        card_forms=("card", "cards", "cards"),
        bids="bids",
        not_allowed="not {bid}",
        sum="sum {sum}",
        trick="trick",
        leads="leads",
        taken="taken",
        taken_of="{taken} (bid {bid})",
        decisions={
            "trump": "seat {seat} chooses the trump",
            "bid": "seat {seat} bids",
            "play": "seat {seat} plays to trick {trick}",
        },
        on_table="table",
        lacks="lacks",
    ),
    "sk": Phrases(
        starter="tipovanie začína hráč {starter}",
        card_forms=("karta", "karty", "kariet"),
        bids="tipy",
        not_allowed="nesmie {bid}",
        sum="súčet {sum}",
        trick="kopka",
        leads="vynáša",
        taken="kopky",
        taken_of="{taken} (tip {bid})",
        decisions={
            "trump": "hráč {seat} volí tromf",
            "bid": "hráč {seat} tipuje",
            "play": "hráč {seat} hrá do kopky {trick}",
        },
        on_table="stôl",
        lacks="nemá",
    ),
}


class BidTelling(telling.Telling):
    """A game of exact bids told in a language."""

    marks: ClassVar = {"en": "* takes the trick", "sk": "* berie kopku"}

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        super().__init__(game, record, lang)
        self.own = PHRASES[lang]

    @abstractmethod
    def heading(self, deal: Mapping[str, Any]) -> list[str]:
        """What a deal of a record is called, and more about it."""

    @abstractmethod
    def seen(self, view: Any, decision: str) -> dict[str, Any]:
        """What a seat knows of that, under the keys of a record's deal."""

    @staticmethod
    def totals(before: Sequence[int], deal: Mapping[str, Any]) -> list[int]:
        """The totals after a finished deal: its points are added."""
        return [total + points for total, points in zip(before, deal["points"], strict=True)]

    @staticmethod
    def cut(deal: Mapping[str, Any], moments: Sequence[Moment]) -> dict[str, Any]:
        """A deal as far as its moments were answered, all of them but the last.

        Bids not made and points are None, an unfinished trick has fewer cards and the winner None, and a
        trump that was not chosen is left out.
        """
        seats, answered = len(deal["hands"]), moments[:-1]
        bidders = {moment.seat for moment in answered if moment.decision == "bid"}
        cards = sum(moment.decision == "play" for moment in answered)
        taken = [0] * seats
        tricks: list[dict[str, Any]] = []
        for trick in deal["tricks"][: -(-cards // seats)]:
            shown = trick["cards"][: cards - seats * len(tricks)]
            winner = trick["winner"] if len(shown) == seats else None
            tricks.append({**trick, "cards": shown, "winner": winner})
            if winner is not None:
                taken[winner] += 1
        bids = [bid if seat in bidders else None for seat, bid in enumerate(deal["bids"])]
        cut = {**deal, "bids": bids, "tricks": tricks, "taken": taken, "points": None}
        if moments[-1].decision == "trump":
            del cut["trump"]
        return cut

    def deal(self, number: int, deal: Mapping[str, Any], before: Sequence[int]) -> list[str]:
        """Heading, hands, bids, tricks, then what was taken and the points."""
        say, own, size = self.say, self.own, len(deal["hands"][0])
        lines = [self._heading(deal, size, deal["starter"])]
        lines += self.hands({f"{say.seat} {seat}": hand for seat, hand in enumerate(deal["hands"])})
        lines.append(self._bids(deal, size))
        for place, cells in enumerate(aligned([self._trick(trick) for trick in deal["tricks"]]), 1):
            lines.append(row(f"{own.trick} {place}", cells))
        if deal["points"] is not None:
            totals = self.totals(before, deal)
            taken = [
                own.taken_of.format(taken=taken, bid=bid)
                for taken, bid in zip(deal["taken"], deal["bids"], strict=True)
            ]
            table = aligned([by_seat(taken), by_seat(deal["points"]), by_seat(totals)])
            firsts = (own.taken, say.points, say.total)
            lines += [row(first, cells) for first, cells in zip(firsts, table, strict=True)]
        return lines

    def _heading(self, deal: Mapping[str, Any], size: int, starter: int) -> str:
        """What a deal is called, its number of cards, what the game tells of it and who bids first."""
        place, *more = self.heading(deal)
        return (
            f"{place}: {', '.join([self.own.cards(size), *more, self.own.starter.format(starter=starter)])}"
        )

    def _bids(self, deal: Mapping[str, Any], size: int) -> str:
        """The bids in order, with what the last bidder might not bid; only those made before a failure."""
        bids, own = deal["bids"], self.own
        order = [(deal["starter"] + place) % self.seats for place in range(self.seats)]
        made = [f"{seat}: {bids[seat]}" for seat in order if bids[seat] is not None]
        if len(made) == self.seats:
            forbidden = size - sum(bids[seat] for seat in order[:-1])
            if self.options.get("sum_rule", "on") == "on" and forbidden >= 0:
                made[-1] += f" ({own.not_allowed.format(bid=forbidden)})"
            made.append(own.sum.format(sum=sum(bids)))
        return row(own.bids, made)

    def _trick(self, trick: Mapping[str, Any]) -> list[str]:
        """The cards in the order of play, the winner's marked."""
        cells = []
        for place, name in enumerate(trick["cards"]):
            seat = (trick["leader"] + place) % self.seats
            leads = f" {self.own.leads}" if place == 0 else ""
            mark = "*" if seat == trick["winner"] else ""
            cells.append(f"{seat}{leads} {self.card(name)}{mark}")
        return cells

    def sight(self, moment: Moment) -> list[str]:
        """The heading as far as the seat knows it, and the scores."""
        view = moment.view
        heading = self._heading(self.seen(view, moment.decision), int(view.size), int(view.starter))
        return [heading, row(self.say.scores, by_seat(view.scores[: self.seats]))]

    def decision(self, moment: Moment) -> str:
        """What a seat is about to do."""
        trick = int(sum(moment.view.taken)) + 1
        return self.own.decisions[moment.decision].format(seat=moment.seat, trick=trick)

    def name(self, decision: str, code: int) -> str:
        """A bid, a card or a suit."""
        words: Mapping[str, Sequence[str]] = {"play": self.words.cards, "trump": self.words.suits}
        return words[decision][code] if decision in words else str(code)

    def known(self, moment: Moment) -> list[str]:
        """The bids so far, or the tricks."""
        if moment.decision == "bid":
            return [row(self.own.bids, self._known_bids(moment.view))]
        return self._known_play(moment.view) if moment.decision == "play" else []

    def _known_bids(self, view: Any) -> list[str]:
        """The bids made so far, a hidden one as a question mark, and what may not be bid."""
        order = [(int(view.starter) + place) % self.seats for place in range(self.seats)]
        bids = {
            seat: view.bids[seat] if view.bids[seat] >= 0 else "?" for seat in order if view.has_bid[seat]
        }
        made = [f"{seat}: {bid}" for seat, bid in bids.items()]
        forbidden = [f"({self.own.not_allowed.format(bid=view.forbidden)})"] if view.forbidden >= 0 else []
        return [*(made or [self.say.nothing]), *forbidden]

    def _known_play(self, view: Any) -> list[str]:
        say, own, seats = self.say, self.own, self.seats
        cards = [int(card) for card in view.trick if card >= 0]
        laid = [
            f"{(view.leader + place) % seats} {self.words.cards[card]}" for place, card in enumerate(cards)
        ]
        taken = [own.taken_of.format(taken=view.taken[seat], bid=view.bids[seat]) for seat in range(seats)]
        voids = [
            f"{seat}: {', '.join(self.words.suits[suit] for suit in ids(mask))}"
            for seat, mask in enumerate(view.seen_void)
            if mask
        ]
        gone = ids(view.played & ~sum(1 << card for card in cards))
        lines = [row(own.taken, by_seat(taken)), row(own.on_table, laid or [say.nothing])]
        lines += [row(own.lacks, voids)] if voids else []
        return [*lines, row(say.gone, self.by_suit(gone))] if gone else lines
