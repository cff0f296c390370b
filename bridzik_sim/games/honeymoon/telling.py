"""How the deals of honeymoon bridge are told in a replay; the contract is in ``games/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bridzik_sim.games.contract import CALL_NAMES
from bridzik_sim.games.french_cards import DECK
from bridzik_sim.games.game import Game
from bridzik_sim.games.honeymoon.rules import DRAWING, SEAT_NAMES
from bridzik_sim.games.telling import ids, row
from bridzik_sim.games.telling_contract import ContractTelling, first_cards

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


class Phrases(NamedTuple):
    """What is said of a deal in a language; what stands in braces is filled in."""

    draw_trick: str
    draws: str
    drawing: str
    stock: str
    unseen: str


PHRASES = {
    "en": Phrases(
        draw_trick="draw",
        draws="draws",
        drawing="{seat} plays to trick {trick} of the draw phase",
        stock="stock",
        unseen="unseen",
    ),
    "sk": Phrases(
        draw_trick="ťah",
        draws="ťahá",
        drawing="{seat} hrá do zdvihu {trick} s ťahaním",
        stock="balíček",
        unseen="nevidel",
    ),
}


class Telling(ContractTelling):
    """Honeymoon bridge told in a language."""

    seat_names = SEAT_NAMES
    side_names = tuple(SEAT_NAMES)

    def __init__(self, game: Game, record: Mapping[str, Any], lang: str) -> None:
        super().__init__(game, record, lang)
        self.honeymoon = PHRASES[lang]

    @staticmethod
    def cut(deal: Mapping[str, Any], moments: Sequence[Moment]) -> dict[str, Any]:
        """A deal as far as its moments were answered, all of them but the last.

        As in all games of contracts; an unfinished trick of the draw phase lacks the cards drawn after it.
        """
        cut = ContractTelling.cut(deal, moments)
        cards = [*(moment.decision for moment in moments[:-1]), "call"].index("call")
        tricks = first_cards(deal["draw_phase"], cards)
        if tricks and tricks[-1]["winner"] is None:
            del tricks[-1]["drawn"]
        return {**cut, "draw_phase": tricks}

    def play(self, deal: Mapping[str, Any]) -> list[str]:
        """The hands as dealt, the draw phase, the hands after it and the auction."""
        lines = [*self._hands(deal["hands"]), *self.tricks(self.honeymoon.draw_trick, deal["draw_phase"])]
        if not deal["calls"]:
            return lines
        calls = [CALL_NAMES.index(call) for call in deal["calls"]]
        return [*lines, *self._hands(drawn_hands(deal)), *self.auction(deal["dealer"], calls)]

    def _hands(self, hands: Sequence[Sequence[str]]) -> list[str]:
        return self.hands({self.seat(seat): hand for seat, hand in enumerate(hands)})

    def trick(self, trick: Mapping[str, Any]) -> list[str]:
        """The cards, the winner's marked; in the draw phase then the cards drawn, by who led it first."""
        cells, leader, own = super().trick(trick), trick["leader"], self.honeymoon
        for place, seat in enumerate((leader, 1 - leader) if "drawn" in trick else ()):
            draws = f" {own.draws}" if place == 0 else ""
            cells.append(f"{self.seat(seat)}{draws} {self.card(trick['drawn'][seat])}")
        return cells

    def score(self, deal: Mapping[str, Any], totals: Sequence[int]) -> dict[str, Sequence[int]]:
        """Points and totals."""
        return {self.say.points: deal["points"], self.say.total: totals}

    def decision(self, moment: Moment) -> str:
        """What a seat is about to do."""
        view = moment.view
        if view.phase != DRAWING:
            return super().decision(moment)
        trick = (len(DECK) // 2 - int(view.stock)) // 2 + 1
        return self.honeymoon.drawing.format(seat=self.seat(moment.seat), trick=trick)

    def known(self, moment: Moment) -> list[str]:
        """The stock or the calls or the contract and tricks, the cards played, and those not seen."""
        view, own = moment.view, self.honeymoon
        if moment.decision == "call":
            lines = self.known_auction(view)
        elif view.phase == DRAWING:
            lines = [row(own.stock, [str(view.stock)]), *self.known_trick(view)]
        else:
            taken = row(self.own.taken, self.by_side(view.taken))
            lines = [self.known_contract(view), taken, *self.known_trick(view)]
        return [*lines, row(own.unseen, self.by_suit(ids(view.unseen)))]


def drawn_hands(deal: Mapping[str, Any]) -> list[list[str]]:
    """The hands after the draw phase of a deal."""
    hands = [list(hand) for hand in deal["hands"]]
    for trick in deal["draw_phase"]:
        for place, card in enumerate(trick["cards"]):
            hands[(trick["leader"] + place) % 2].remove(card)
        for hand, card in zip(hands, trick["drawn"], strict=True):
            hand.append(card)
    return hands
