"""How the deals of Bridžik are told in a replay; the contract is in ``games/game.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridzik_sim.games.bridzik.rules import ROUNDS

PLACES = {"en": "series {series}, round {round}", "sk": "séria {series}, kolo {round}"}


def number(deal: Mapping[str, Any]) -> int:
    """Number of a record's deal within the full game."""
    return int(ROUNDS * deal["series"] + deal["round"])


def seen(view: Any, decision: str) -> dict[str, Any]:
    """What a seat knows of its deal, under the keys of a record."""
    return dict(zip(("series", "round"), divmod(int(view.deal), ROUNDS), strict=True))


def heading(deal: Mapping[str, Any], lang: str) -> list[str]:
    """The place of a deal in the game; nothing else is special about it."""
    return [PLACES[lang].format(**deal)]
