"""What the games share to put other cards where a seat cannot see them; see ``redealing.py`` in each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

SHUFFLES = 200
Hands = list[list[int]]


def other_hands(
    hands: Sequence[Sequence[int]],
    seen: int,
    voids: Sequence[int],
    ranks: int,
    cards: int,
    chance: random.Random,
) -> Hands | None:
    """Hands of the same numbers of cards that an onlooker cannot tell from these; None if that is hard.

    Cards of the mask ``seen`` stay where they are. The other ones of the ``cards`` there are, also those in
    no hand, are dealt anew, and never a suit to a seat that has shown to lack it: ``voids``, a mask of suits
    by seat, each of so many ``ranks``.
    """
    fixed = [[card for card in hand if seen >> card & 1] for hand in hands]
    unseen = [card for card in range(cards) if not seen >> card & 1]
    for _ in range(SHUFFLES):
        left, dealt = chance.sample(unseen, len(unseen)), []
        # Seats that lack most suits choose first, or too few cards would be left for them.
        for seat in sorted(range(len(hands)), key=lambda seat: -int(voids[seat]).bit_count()):
            wanted = len(hands[seat]) - len(fixed[seat])
            fit = [card for card in left if not int(voids[seat]) >> card // ranks & 1][:wanted]
            if len(fit) < wanted:
                break
            dealt.append((seat, sorted(fixed[seat] + fit)))
            left = [card for card in left if card not in fit]
        else:
            return [hand for _, hand in sorted(dealt)]
    return None


def permutations(unseen: Sequence[int], cards: int, chance: random.Random) -> Iterator[list[int]]:
    """Permutations of ``cards`` cards that move the ``unseen`` ones: by card which one is dealt instead.

    Other cards may force other moves, so what follows are ever smaller changes: all cards not seen change
    places, then half as many, down to two.
    """
    number = len(unseen)
    while number > 1:
        moved = chance.sample(unseen, number)
        mapping = list(range(cards))
        for card, other in zip(moved, [*moved[1:], moved[0]], strict=True):
            mapping[card] = other
        yield mapping
        number //= 2
