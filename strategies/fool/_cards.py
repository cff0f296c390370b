"""Small things that the strategies share."""

from bridzik_sim import streams
from bridzik_sim.cards import lowest
from bridzik_sim.games.french_cards import CARDS
from bridzik_sim.jit import jit

ALL_CARDS = (1 << CARDS) - 1


@jit
def fitting_cards(view):
    """Mask of the cards that may be played now."""
    return view.legal & ALL_CARDS


@jit
def any_of(view, cards):
    """A random one of the ``cards`` (not none), each equally likely."""
    return lowest(streams.take(view, cards, 1))
