"""Bids its aces and high hearts; takes tricks while it needs some, then ducks with the highest loser."""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.rules import DECK, RANKS, beats
from bridzik_sim.jit import jit

COUNTED = DECK.mask(["LA", "AA", "BA", "HA", "HK", "HQ", "HJ"])


def bid(view):
    """One trick for each counted card; where that is forbidden one less, or 1 instead of 0."""
    tricks = popcount(view.hand & COUNTED)
    if tricks == view.forbidden:
        return tricks - 1 if tricks > 0 else 1
    return tricks


def play(view):
    """The legal card it likes best, given whether it still needs a trick."""
    needs = view.taken[view.seat] < view.bids[view.seat]
    choice, rest = lowest(view.legal), view.legal
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if liking(view, card, needs) > liking(view, choice, needs):
            choice = card
    return choice


@jit
def liking(view, card, needs):
    """How gladly the card is played: first cards that win, or lose, as wanted, the highest one of them.

    If no card does what is wanted, the lowest one goes. A card that is led counts as winning.
    """
    rank = card % RANKS
    return RANKS + rank if beats(card, view.best) == needs else -rank
