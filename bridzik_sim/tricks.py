"""Following suit and winning a trick, on masks, for every game with tricks.

Nothing here branches: on random cards a branch is a coin flip, and a mispredicted one costs more than the
rest.
"""

from __future__ import annotations

from bridzik_sim.cards import highest
from bridzik_sim.jit import jit


@jit
def follow(hand, led_cards, trump_cards):
    """Cards of ``hand`` that may be played: of ``led_cards``, else trumps, else all.

    ``led_cards`` is the mask of the led suit, or every card (-1) for the leader. Pass 0 trumps where nobody
    has to ruff.
    """
    suited = hand & led_cards
    trumps = hand & trump_cards
    without = trumps if trumps != 0 else hand
    return suited if suited != 0 else without


@jit
def best_card(contest, trump_cards):
    """Card that wins a trick so far; ``contest`` is its cards of the led suit and of trump, not empty."""
    trumps = contest & trump_cards
    return highest(trumps if trumps != 0 else contest)


@jit
def shown_void(suit, lead, trump):
    """Bits of the suits that a card of ``suit`` shows its player to lack: the led one, or trump too."""
    return (suit != lead) << lead | ((suit != lead) & (suit != trump)) << trump


@jit
def strength(card, lead, trump, ranks):
    """Strength of a card in a trick: its rank, above all ranks for the led suit, above those for trump.

    ``trump`` is -1 where there is none. A card that neither follows nor trumps is weaker than any that does.
    """
    suit = card // ranks
    return card % ranks + ranks * (suit == lead) + 2 * ranks * (suit == trump)
