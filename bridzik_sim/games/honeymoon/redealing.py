"""Honeymoon bridge with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bridzik_sim.games import redealing
from bridzik_sim.games.french_cards import CARDS
from bridzik_sim.games.telling import ids

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


def redeals(deal: Any, moments: Sequence[Moment], chance: random.Random) -> Iterator[list[int]]:
    """Permutations of the cards that leave alone what the last moment's seat has seen of the deal.

    So the other hand and the stock change; from the auction on only when the other one got which card.
    """
    return redealing.permutations(ids(moments[-1].view.unseen), CARDS, chance)
