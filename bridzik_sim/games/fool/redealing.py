"""Czech Fool with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bridzik_sim.games import redealing
from bridzik_sim.games.french_cards import CARDS

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


def redeals(deal: Any, moments: Sequence[Moment], chance: random.Random) -> Iterator[list[int]]:
    """Permutations of the cards that leave alone what the last moment's seat has seen of the deal."""
    seat, seen = moments[-1].seat, 0
    for moment in moments:
        seen |= int(moment.view.gone) | (int(moment.view.hand) if moment.seat == seat else 0)
    unseen = [card for card in range(CARDS) if int(moments[-1].view.deck) & ~seen & 1 << card]
    return redealing.permutations(unseen, CARDS, chance)
