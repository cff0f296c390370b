"""Cards of one suit: what is above, what touches, what wins."""

from bridzik_sim.cards import highest, popcount
from bridzik_sim.games.contract import level
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS
from bridzik_sim.jit import jit


@jit
def cards_of(suit):
    """Mask of the cards of a suit, 0-3."""
    return SUIT_CARDS << RANKS * suit


@jit
def above(cards, card):
    """Those of ``cards`` that are higher than ``card`` and of its suit."""
    return cards & cards_of(card // RANKS) & (-2 << card)


@jit
def top_of(cards):
    """The highest card of a suit's ``cards``."""
    return highest(cards)


@jit
def run_of(cards, card, others):
    """Those of ``cards`` in the suit of ``card``, up to it, that no card of ``others`` lies between."""
    below = others & cards_of(card // RANKS) & ((1 << card) - 1)
    floor = highest(below) if below else card // RANKS * RANKS - 1
    return cards & ((2 << card) - 1) & (-1 << floor + 1)


@jit
def sure(cards, others):
    """How many of a suit's ``cards`` are higher than all ``others`` of the suit."""
    return popcount(cards & (-2 << highest(others))) if others else popcount(cards)


@jit
def needed(table, seat):
    """Tricks that the side of ``seat`` still needs, to make the contract or to set it; may be negative."""
    ours = table.taken[seat] + table.taken[(seat + 2) & 3]
    declares = (seat - table.declarer) & 1 == 0
    return (6 + level(table.contract) if declares else 8 - level(table.contract)) - ours
