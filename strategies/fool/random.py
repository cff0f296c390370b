"""Plays any fitting card, each equally likely; draws or passes only when none fits; asks for any suit."""

from bridzik_sim.cards import lowest
from bridzik_sim.streams import choose
from strategies.fool._cards import any_of, fitting_cards


def move(view):
    """Any card that fits; if there is none, to draw, and if that is not allowed, to pass."""
    fits = fitting_cards(view)
    return any_of(view, fits) if fits != 0 else lowest(view.legal)


def suit(view):
    """Any suit."""
    return choose(view)
