"""Views of contract bridge set up by hand: what a seat sees after some calls and cards.

Hands are written as ``AK3.QJ2.T98.7654``: spades, hearts, diamonds, clubs.
"""

import numpy as np

from bridzik_sim.games.bridge.playout import POSITION, apply, open_deal, show
from bridzik_sim.games.bridge.rules import VIEW
from bridzik_sim.games.contract import CALL_NAMES
from bridzik_sim.games.french_cards import DECK
from bridzik_sim.jit import jit

NORTH, EAST, SOUTH, WEST = range(4)


def hand(text):
    """Mask of a hand."""
    suits = zip("SHDC", text.split("."), strict=True)
    return sum(1 << DECK.id(suit + rank) for suit, ranks in suits for rank in ranks)


# Compiled apart from the kernel's: numba warns where it finds a function compiled for a shorter record.
open_position = jit(open_deal.py_func)


@jit
def play_on(position, view, dealer, calls, cards):
    """Make calls and play cards from the beginning of a deal, then show what the seat to decide sees."""
    open_position(position, dealer)
    for call in calls:
        apply(position, call)
    for card in cards:
        apply(position, card)
    show(position, view)


def seen(
    hands, calls="", cards="", *, dealer=NORTH, vulnerable=(0, 0), below=(0, 0), games=(0, 0), duplicate=0
):
    """The position and the view of the seat to decide; ``hands`` are masks by seat, 0 for what nobody asks."""
    position, view = np.zeros(1, POSITION)[0], np.zeros(1, VIEW)[0]
    position["hands"], position["calls"] = hands, -1
    position["vulnerable"], position["below"], position["games"] = vulnerable, below, games
    position["duplicate"] = duplicate
    codes = np.array([CALL_NAMES.index(name) for name in calls.split()], np.int64)
    played = np.array([DECK.id(name) for name in cards.split()], np.int64)
    play_on(position, view, dealer, codes, played)
    view["stream"] = (1, 2, 3, 4)
    return position, view


def to_call(text, calls="", **more):
    """The view of the seat that holds ``text`` and calls next; the dealer is North."""
    return seen([hand(text)] * 4, calls, **more)[1]


def to_play(hands, calls, cards="", **more):
    """The view of the seat to play, all four hands given from North on."""
    return seen([hand(text) for text in hands], calls, cards, **more)[1]
