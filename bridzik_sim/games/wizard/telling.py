"""How the deals of Wizard are told in a replay; the contract is in ``games/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bridzik_sim.games.telling_bids import BidTelling
from bridzik_sim.games.wizard.rules import DECK, is_wizard


class Phrases(NamedTuple):
    """What is said of a deal in a language; what stands in braces is filled in."""

    round: str
    dealer: str
    turned: str
    none_turned: str
    trump: str
    chosen: str
    no_trump: str


PHRASES = {
    "en": Phrases(
        "round {round}",
        "seat {dealer} deals",
        "{card} turned up",
        "no card turned up",
        "{suit} is trump",
        "{suit} is trump by the dealer's choice",
        "no trump",
    ),
    "sk": Phrases(
        "kolo {round}",
        "rozdáva hráč {dealer}",
        "tromfová karta {card}",
        "bez tromfovej karty",
        "tromf {suit}",
        "tromf {suit} zvolil rozdávajúci",
        "bez tromfu",
    ),
}


class Telling(BidTelling):
    """Wizard told in a language."""

    @staticmethod
    def numbers(deals: Sequence[Mapping[str, Any]]) -> list[int]:
        """The numbers of a record's deals within the full game."""
        return [int(deal["round"]) - 1 for deal in deals]

    def heading(self, deal: Mapping[str, Any]) -> list[str]:
        """Round, dealer, the card turned up, and the trump unless it has not been chosen yet."""
        say = PHRASES[self.lang]
        parts, card = [say.round.format(**deal), say.dealer.format(**deal)], -1
        if deal["trump_card"] is None:
            parts.append(say.none_turned)
        else:
            card = DECK.id(deal["trump_card"])
            parts.append(say.turned.format(card=self.words.cards[card]))
        if "trump" in deal and deal["trump"] is None:
            parts.append(say.no_trump)
        elif "trump" in deal:
            suit = self.words.suits[DECK.suits.index(deal["trump"])]
            parts.append((say.chosen if is_wizard(card) else say.trump).format(suit=suit))
        return parts

    def seen(self, view: Any, decision: str) -> dict[str, Any]:
        """What a seat knows of its deal, under the keys of a record; no ``trump`` before it is chosen."""
        card, suit = int(view.trump_card), int(view.trump)
        known: dict[str, Any] = {
            "round": int(view.size),
            "dealer": int((view.starter - 1) % view.seats),
            "trump_card": DECK.name(card) if card >= 0 else None,
        }
        return known if decision == "trump" else {**known, "trump": DECK.suits[suit] if suit >= 0 else None}
