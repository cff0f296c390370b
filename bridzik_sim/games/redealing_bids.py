"""Games of exact bids with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bridzik_sim.cards import Deck
from bridzik_sim.games.plain_bids import BidsRecord

if TYPE_CHECKING:
    from bridzik_sim.replay import Moment

SHUFFLES = 200
Hands = list[list[int]]


def redeals(
    deck: Deck, deal: BidsRecord, moments: Sequence[Moment], chance: random.Random
) -> Iterator[Hands]:
    """Other hands that the last moment's seat cannot tell from those of the deal; nothing if that is hard.

    The seat's own cards and all cards played stay where they are, and so does a card turned up for trump. The
    others are dealt anew among the other hands and the rest, with the same numbers of cards, and never a suit
    to a seat that has shown to lack it.
    """
    hands, seat, view = deal.hands, moments[-1].seat, moments[-1].view
    ranks = len(deck.ranks)
    fixed = [[card for card in hand if int(view.played) >> card & 1] for hand in hands]
    fixed[seat] = list(hands[seat])
    seen = {card for hand in fixed for card in hand} | {int(getattr(view, "trump_card", -1))}
    unseen = [card for card in range(len(deck)) if card not in seen]
    for _ in range(SHUFFLES):
        left, dealt = chance.sample(unseen, len(unseen)), []
        # Seats that lack most suits choose first, or too few cards would be left for them.
        for other in sorted(range(len(hands)), key=lambda other: -int(view.seen_void[other]).bit_count()):
            wanted = len(hands[other]) - len(fixed[other])
            fit = [card for card in left if not int(view.seen_void[other]) >> card // ranks & 1][:wanted]
            if len(fit) < wanted:
                break
            dealt.append((other, sorted(fixed[other] + fit)))
            left = [card for card in left if card not in fit]
        else:
            yield [hand for _, hand in sorted(dealt)]
            return
