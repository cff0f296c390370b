"""How the deals of Bridžik are told in a replay; the contract is in ``games/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bridzik_sim.games.bridzik.rules import ROUNDS
from bridzik_sim.games.telling_bids import BidTelling

PLACES = {"en": "series {series}, round {round}", "sk": "séria {series}, kolo {round}"}


class Telling(BidTelling):
    """Bridžik told in a language."""

    @staticmethod
    def numbers(deals: Sequence[Mapping[str, Any]]) -> list[int]:
        """The numbers of a record's deals within the full game."""
        return [int(ROUNDS * deal["series"] + deal["round"]) for deal in deals]

    def heading(self, deal: Mapping[str, Any]) -> list[str]:
        """The place of a deal in the game; nothing else is special about it."""
        return [PLACES[self.lang].format(**deal)]

    def seen(self, view: Any, decision: str) -> dict[str, Any]:
        """What a seat knows of its deal, under the keys of a record."""
        return dict(zip(("series", "round"), divmod(int(view.deal), ROUNDS), strict=True))
