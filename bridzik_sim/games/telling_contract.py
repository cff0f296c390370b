"""What the games of contracts share when they are told: calls, the auction, the contract, the tricks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bridzik_sim.games import telling
from bridzik_sim.games.contract import BOOK, CALL_NAMES, DOUBLE, PASS, REDOUBLE, level, strain
from bridzik_sim.games.french_cards import CARDS, DECK, RANKS
from bridzik_sim.games.game import Game
from bridzik_sim.games.telling import aligned, ids, row

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment

SUITS = ("♣", "♦", "♥", "♠")
RANK_NAMES = tuple("10" if rank == "T" else rank for rank in DECK.ranks)
CARD_NAMES = tuple(SUITS[card // RANKS] + RANK_NAMES[card % RANKS] for card in range(CARDS))
FEW_BIDS = 3
"""Fewer bids than that are told one by one."""


@dataclass(frozen=True)
class Phrases:
    """What is said of a contract in a language; what stands in braces is filled in."""

    deal: str
    board: str
    dealer: str
    vulnerable: str
    nobody: str
    everybody: str
    auction: str
    calls: dict[int, str]
    """Calls that are no bids."""
    no_trump: str
    contract: str
    doubled: tuple[str, str, str]
    """By how often: not, doubled, redoubled."""
    declarer: str
    passed_out: str
    trick: str
    leads: str
    result: str
    made: str
    overtricks: str
    undertricks: str
    decisions: dict[str, str]
    """What a seat does, by decision."""
    on_table: str
    taken: str
    lacks: str


PHRASES = {
    "en": Phrases(
        deal="deal {number}",
        board="board {number}",
        dealer="{seat} deals",
        vulnerable="{who} vulnerable",
        nobody="nobody",
        everybody="all",
        auction="auction",
        calls={PASS: "pass", DOUBLE: "double", REDOUBLE: "redouble"},
        no_trump="NT",
        contract="contract",
        doubled=("", " doubled", " redoubled"),
        declarer="declarer {seat}",
        passed_out="passed out",
        trick="trick",
        leads="leads",
        result="result",
        made="{tricks} tricks, made",
        overtricks="{tricks} tricks, made with {over} over",
        undertricks="{tricks} tricks, {under} down",
        decisions={"call": "{seat} calls", "play": "{seat} plays to trick {trick}"},
        on_table="table",
        taken="taken",
        lacks="lacks",
    ),
    "sk": Phrases(
        deal="rozdanie {number}",
        board="rozdanie č. {number}",
        dealer="rozdáva {seat}",
        vulnerable="v druhej hre {who}",
        nobody="nikto",
        everybody="všetci",
        auction="dražba",
        calls={PASS: "pas", DOUBLE: "kontra", REDOUBLE: "rekontra"},
        no_trump="BT",
        contract="záväzok",
        doubled=("", " s kontrou", " s rekontrou"),
        declarer="vydražiteľ {seat}",
        passed_out="všetci pasovali",
        trick="zdvih",
        leads="vynáša",
        result="výsledok",
        made="zdvihy: {tricks}, splnený",
        overtricks="zdvihy: {tricks}, splnený, nadzdvihy: {over}",
        undertricks="zdvihy: {tricks}, nesplnený, pády: {under}",
        decisions={"call": "{seat} draží", "play": "{seat} hrá do zdvihu {trick}"},
        on_table="zdvih",
        taken="zdvihy",
        lacks="nemá",
    ),
}


class ContractTelling(telling.Telling):
    """A game of contracts told in a language. A side is who scores together: partners, or a seat alone."""

    marks: ClassVar = {"en": "* takes the trick", "sk": "* berie zdvih, BT bez trumfov"}
    side_names: ClassVar[Sequence[str]]

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        super().__init__(game, record, lang)
        self.own = PHRASES[lang]
        self.call_names = [self._call(code) for code in range(len(CALL_NAMES))]

    @abstractmethod
    def play(self, deal: Mapping[str, Any]) -> list[str]:
        """What stands between the heading of a deal of a record and its contract: hands, auction."""

    @abstractmethod
    def score(self, deal: Mapping[str, Any], totals: Sequence[int]) -> dict[str, Sequence[int]]:
        """Score lines of a finished deal: numbers by side after the words that begin the line."""

    @staticmethod
    def numbers(deals: Sequence[Mapping[str, Any]]) -> list[int]:
        """All deals of a game are played, so they are numbered as they come."""
        return list(range(len(deals)))

    @staticmethod
    def totals(before: Sequence[int], deal: Mapping[str, Any]) -> list[int]:
        """The totals after a finished deal: its points are added."""
        return [total + points for total, points in zip(before, deal["points"], strict=True)]

    @staticmethod
    def cut(deal: Mapping[str, Any], moments: Sequence[Moment]) -> dict[str, Any]:
        """A deal as far as its moments were answered, all of them but the last.

        An unfinished trick lacks cards and its winner. The contract is there once the play has begun.
        """
        asked = [moment.decision for moment in moments]
        calls = asked[:-1].count("call")
        played = asked[asked.index("call") :].count("play") - 1 if "call" in asked else -1
        known = ("contract", "declarer") if played >= 0 else ()
        kept = ("board", "dealer", "vulnerable", "hands", "draw_phase", *known)
        cut = {key: deal[key] for key in kept if key in deal}
        cut |= {"calls": deal["calls"][:calls], "tricks": first_cards(deal["tricks"], played)}
        return {**cut, "declarer_tricks": None, "points": None}

    def deal(self, number: int, deal: Mapping[str, Any], before: Sequence[int]) -> list[str]:
        """Heading, hands and auction, contract, tricks, then how the contract ended and the score."""
        own = self.own
        vulnerable = self._sides(deal["vulnerable"])
        lines = [self.heading(number, deal.get("board", 0), deal["dealer"], vulnerable), *self.play(deal)]
        if deal.get("contract"):
            bid, doubled = parse_contract(deal["contract"])
            lines.append(row(own.contract, [self.contract(bid, doubled, deal["declarer"])]))
        lines += self.tricks(own.trick, deal["tricks"])
        if deal["points"] is None:
            return lines
        result = self._result(bid, deal["declarer_tricks"]) if deal["contract"] else own.passed_out
        score = self.score(deal, self.totals(before, deal))
        return [*lines, row(own.result, [result]), *self.rows(score)]

    def heading(self, number: int, board: int, dealer: int, vulnerable: Sequence[str]) -> str:
        """The line that begins a deal, a ``board`` by its number; ``vulnerable``: names of the sides."""
        own = self.own
        place = own.board.format(number=board) if board else own.deal.format(number=number + 1)
        everybody = len(vulnerable) == len(self.side_names)
        who = own.everybody if everybody else ", ".join(vulnerable) or own.nobody
        parts = (own.dealer.format(seat=self.seat(dealer)), own.vulnerable.format(who=who))
        return f"{place}: {', '.join(parts)}"

    def _sides(self, vulnerable: str) -> list[str]:
        """Names of the sides that a record calls vulnerable."""
        return [name for name in self.side_names if vulnerable in ("both", name.replace("-", ""))]

    def by_side(self, values: Sequence[Any]) -> list[str]:
        """A cell for each side."""
        return [f"{name}: {value}" for name, value in zip(self.side_names, values, strict=True)]

    def rows(self, lines: Mapping[str, Sequence[Any]]) -> list[str]:
        """Lines with a cell for each side, after the words that begin them."""
        table = aligned([self.by_side(values) for values in lines.values()])
        return [row(first, cells) for first, cells in zip(lines, table, strict=True)]

    def standing(self, totals: Sequence[int]) -> list[str]:
        """The totals of a game, by side."""
        return self.by_side(totals)

    def by_suit(self, cards: Sequence[int]) -> list[str]:
        """A set of card ids: one cell a suit, highest suit and highest cards first."""
        held: list[list[str]] = [[] for _ in SUITS]
        for card in sorted(cards, reverse=True):
            held[card // RANKS].append(RANK_NAMES[card % RANKS])
        return [f"{suit} {' '.join(names) or '-'}" for suit, names in zip(SUITS, held, strict=True)][::-1]

    def card(self, name: str) -> str:
        """A card of a record: symbol of the suit and rank."""
        return CARD_NAMES[DECK.id(name)]

    def _call(self, code: int) -> str:
        """A call in words."""
        if code in self.own.calls:
            return self.own.calls[code]
        return f"{level(code)}{(*SUITS, self.own.no_trump)[strain(code)]}"

    def auction(self, dealer: int, calls: Sequence[int]) -> list[str]:
        """The calls in rows of the seats, below the names of the seats."""
        cells = [*[""] * dealer, *(self.call_names[code] for code in calls)] if calls else []
        rows = [
            self.seat_names,
            *(cells[first : first + self.seats] for first in range(0, len(cells), self.seats)),
        ]
        firsts = [self.own.auction, *[""] * (len(rows) - 1)]
        return [row(first, made) for first, made in zip(firsts, aligned(rows), strict=True)]

    def contract(self, bid: int, doubled: int, declarer: int) -> str:
        """A contract and its declarer."""
        own = self.own
        return (
            f"{self.call_names[bid]}{own.doubled[doubled]}, {own.declarer.format(seat=self.seat(declarer))}"
        )

    def _result(self, bid: int, tricks: int) -> str:
        """How a contract ended."""
        own, over = self.own, tricks - BOOK - level(bid)
        form = own.undertricks if over < 0 else own.overtricks if over else own.made
        return form.format(tricks=tricks, over=over, under=-over)

    def tricks(self, word: str, tricks: Sequence[Mapping[str, Any]]) -> list[str]:
        """A line a trick, numbered after a word."""
        cells = aligned([self.trick(trick) for trick in tricks])
        return [row(f"{word} {place}", laid) for place, laid in enumerate(cells, 1)]

    def trick(self, trick: Mapping[str, Any]) -> list[str]:
        """The cards in the order of play, the winner's marked."""
        cells = []
        for place, name in enumerate(trick["cards"]):
            seat = (trick["leader"] + place) % self.seats
            leads = f" {self.own.leads}" if place == 0 else ""
            mark = "*" if seat == trick["winner"] else ""
            cells.append(f"{self.seat(seat)}{leads} {self.card(name)}{mark}")
        return cells

    def sight(self, moment: Moment) -> list[str]:
        """The heading, and the scores."""
        view, board = moment.view, int(getattr(moment.view, "board", 0))
        vulnerable = [name for name, is_so in zip(self.side_names, view.vulnerable, strict=True) if is_so]
        heading = self.heading(moment.deal, board, int(view.dealer), vulnerable)
        return [heading, row(self.say.scores, self.by_side(view.scores[: len(self.side_names)]))]

    def decision(self, moment: Moment) -> str:
        """What a seat is about to do."""
        trick = int(sum(moment.view.taken)) + 1
        return self.own.decisions[moment.decision].format(seat=self.seat(moment.seat), trick=trick)

    def name(self, decision: str, code: int) -> str:
        """A call or a card."""
        return self.call_names[code] if decision == "call" else CARD_NAMES[code]

    def answers(self, decision: str, codes: Sequence[int]) -> list[str]:
        """Calls, where of many bids the first and the last stand for all; or cards, as in hands."""
        names = super().answers(decision, codes)
        if decision != "call":
            return names[::-1]
        bids = [name for name, code in zip(names, codes, strict=True) if PASS < code < DOUBLE]
        if len(bids) < FEW_BIDS:
            return names
        return [names[0], f"{bids[0]} … {bids[-1]}", *names[1 + len(bids) :]]

    def known_auction(self, view: Any) -> list[str]:
        """The calls so far."""
        if not view.n_calls:
            return [row(self.own.auction, [self.say.nothing])]
        return self.auction(int(view.dealer), [int(code) for code in view.calls[: view.n_calls]])

    def known_contract(self, view: Any) -> str:
        """The contract in the play."""
        return row(
            self.own.contract, [self.contract(int(view.contract), int(view.doubled), int(view.declarer))]
        )

    def known_trick(self, view: Any) -> list[str]:
        """The cards on the table, which suits who lacks, and the cards gone."""
        own = self.own
        cards = [int(card) for card in view.trick if card >= 0]
        laid = [
            f"{self.seat((int(view.leader) + place) % self.seats)} {CARD_NAMES[card]}"
            for place, card in enumerate(cards)
        ]
        voids = [
            f"{self.seat(seat)}: {', '.join(SUITS[suit] for suit in ids(mask))}"
            for seat, mask in enumerate(view.seen_void)
            if mask
        ]
        gone = ids(view.played & ~sum(1 << card for card in cards))
        lines = [row(own.on_table, laid or [self.say.nothing])]
        lines += [row(own.lacks, voids)] if voids else []
        return [*lines, row(self.say.gone, self.by_suit(gone))] if gone else lines


def parse_contract(name: str) -> tuple[int, int]:
    """The bid and how often it was doubled, of a contract such as ``4SX``."""
    bid = name.rstrip("X")
    return CALL_NAMES.index(bid), len(name) - len(bid)


def first_cards(tricks: Sequence[Mapping[str, Any]], cards: int) -> list[dict[str, Any]]:
    """The tricks of a record as far as so many cards go; the last one may lack cards and its winner."""
    made: list[dict[str, Any]] = []
    for trick in tricks:
        shown = trick["cards"][: max(cards, 0)]
        cards -= len(shown)
        if shown:
            whole = len(shown) == len(trick["cards"])
            made.append(dict(trick) if whole else {**trick, "cards": shown, "winner": None})
    return made
