"""Contract bridge with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bridzik_sim.games import redealing
from bridzik_sim.games.french_cards import CARDS, RANKS
from bridzik_sim.games.plain import mask_of

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


def redeals(deal: Any, moments: Sequence[Moment], chance: random.Random) -> Iterator[list[int]]:
    """A permutation of the cards that the last moment's seat cannot tell from the deal; none if that is hard.

    The seat's own cards, all cards played and those of a dummy on the table stay where they are. The others
    are dealt anew among the other hands, the partner's, too.
    """
    view = moments[-1].view
    seen = int(view.played) | int(view.dummy) | mask_of(deal.hands[moments[-1].seat])
    hands = redealing.other_hands(deal.hands, seen, view.seen_void, RANKS, CARDS, chance)
    if hands:
        mapping = list(range(CARDS))
        for old, new in zip(deal.hands, hands, strict=True):
            moved, instead = ([card for card in hand if not seen >> card & 1] for hand in (old, new))
            for card, other in zip(moved, instead, strict=True):
                mapping[card] = other
        yield mapping
