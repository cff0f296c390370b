"""Following suit and winning a trick, on masks, for every game with tricks."""

from __future__ import annotations

from bridzik_sim.jit import jit


@jit
def follow(hand, suit_cards, trump_cards):
    """Cards of ``hand`` that may follow: of the led suit, else trumps, else all. Pass 0 trumps where there is no duty to ruff."""
    suited = hand & suit_cards
    trumps = hand & trump_cards
    without = trumps if trumps != 0 else hand
    return suited if suited != 0 else without


@jit
def strength(card, lead, trump, ranks):
    """Strength of a card in a trick: its rank, above all ranks for the led suit, above those for trump (-1: no trump).

    Comparing strengths needs no branches; a card that neither follows nor trumps is weaker than any that does.
    """
    suit = card // ranks
    return card % ranks + ranks * (suit == lead) + 2 * ranks * (suit == trump)
