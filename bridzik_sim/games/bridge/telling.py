"""How the deals of contract bridge are told in a replay; the contract is in ``games/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bridzik_sim.games.bridge.rules import SEAT_NAMES, partner_of
from bridzik_sim.games.contract import CALL_NAMES
from bridzik_sim.games.game import Game
from bridzik_sim.games.telling import ids, row
from bridzik_sim.games.telling_contract import ContractTelling

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


class Phrases(NamedTuple):
    """What is said of a deal in a language; what stands in braces is filled in."""

    dummy: str
    dummy_hand: str
    dummy_plays: str
    below: str
    above: str
    games: str


PHRASES = {
    "en": Phrases(
        dummy="dummy {seat}",
        dummy_hand="dummy",
        dummy_plays="{seat} plays dummy's card to trick {trick}",
        below="below",
        above="above",
        games="games",
    ),
    "sk": Phrases(
        dummy="tichý hráč {seat}",
        dummy_hand="stôl",
        dummy_plays="{seat} hrá zo stola do zdvihu {trick}",
        below="pod",
        above="nad",
        games="hry",
    ),
}


class Telling(ContractTelling):
    """Contract bridge told in a language."""

    seat_names = SEAT_NAMES
    side_names = ("N-S", "E-W")

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        super().__init__(game, record, lang)
        self.bridge = PHRASES[lang]
        self.duplicate = self.options.get("scoring") == "duplicate"

    def play(self, deal: Mapping[str, Any]) -> list[str]:
        """The four hands, and the auction."""
        hands = {self.seat(seat): hand for seat, hand in enumerate(deal["hands"])}
        calls = [CALL_NAMES.index(call) for call in deal["calls"]]
        return [*self.hands(hands), *self.auction(deal["dealer"], calls)]

    def score(self, deal: Mapping[str, Any], totals: Sequence[int]) -> dict[str, Sequence[int]]:
        """The points; in a rubber the sheet after the deal, too: open part-scores, games, totals."""
        points = {self.say.points: deal["points"]}
        if self.duplicate:
            return points
        own = self.bridge
        sheet = {own.below: deal["below"], own.above: deal["above"], own.games: deal["games"]}
        return {**points, **sheet, self.say.total: totals}

    def contract(self, bid: int, doubled: int, declarer: int) -> str:
        """A contract, its declarer and dummy."""
        dummy = self.bridge.dummy.format(seat=self.seat(int(partner_of(declarer))))
        return f"{super().contract(bid, doubled, declarer)}, {dummy}"

    def sight(self, moment: Moment) -> list[str]:
        """The heading; in a rubber the points of the sides, their open part-scores and games."""
        heading, scores = super().sight(moment)
        view, own = moment.view, self.bridge
        sheet = self.rows({own.below: view.below, own.games: view.games})
        return [heading] if self.duplicate else [heading, scores, *sheet]

    def decision(self, moment: Moment) -> str:
        """What a seat is about to do, for itself or for dummy."""
        if moment.view.playing_for == moment.seat:
            return super().decision(moment)
        trick = int(sum(moment.view.taken)) + 1
        return self.bridge.dummy_plays.format(seat=self.seat(moment.seat), trick=trick)

    def known(self, moment: Moment) -> list[str]:
        """The calls so far; in the play the contract, the tricks of the sides, dummy and the cards played."""
        view = moment.view
        if moment.decision == "call":
            return self.known_auction(view)
        taken = [view.taken[side] + view.taken[partner_of(side)] for side in range(len(self.side_names))]
        lines = [self.known_contract(view), row(self.own.taken, self.by_side(taken))]
        if view.dummy:
            lines.insert(0, row(self.bridge.dummy_hand, self.by_suit(ids(view.dummy))))
        return [*lines, *self.known_trick(view)]
