"""Games of exact bids with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bridzik_sim.cards import Deck
from bridzik_sim.games import redealing
from bridzik_sim.games.plain import mask_of
from bridzik_sim.games.plain_bids import BidsRecord
from bridzik_sim.games.redealing import Hands

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment


def redeals(
    deck: Deck, deal: BidsRecord, moments: Sequence[Moment], chance: random.Random
) -> Iterator[Hands]:
    """Other hands that the last moment's seat cannot tell from those of the deal; nothing if that is hard.

    The seat's own cards and all cards played stay where they are, and so does a card turned up for trump. The
    others are dealt anew among the other hands and the rest.
    """
    view = moments[-1].view
    seen = int(view.played) | mask_of(deal.hands[moments[-1].seat])
    if (turned_up := int(getattr(view, "trump_card", -1))) >= 0:
        seen |= 1 << turned_up
    hands = redealing.other_hands(deal.hands, seen, view.seen_void, len(deck.ranks), len(deck), chance)
    if hands:
        yield hands
