"""Plays special cards first, then the fitting card worth most; asks for the suit of a special card it holds.

So play the robots of an existing server of the game. Special are 6, 7, A, and 8 in the deck of 52. It draws
or passes only when nothing fits, and answers an eight by any two it holds.
"""

from bridzik_sim.cards import lowest
from bridzik_sim.games.fool.rules import ACE, CARD_POINTS, EIGHT, RANK_CARDS, SEVEN, SIX
from bridzik_sim.games.french_cards import RANKS
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose
from strategies.fool._cards import any_of, fitting_cards

SPECIAL = RANK_CARDS << SIX | RANK_CARDS << SEVEN | RANK_CARDS << ACE
EIGHTS = RANK_CARDS << EIGHT
TWO = 1


def move(view):
    """A random special card; else the card worth most, of several the one with the lowest id."""
    fits = fitting_cards(view)
    if fits == 0:
        return lowest(view.legal)
    if view.open_eight:
        return any_of(view, fits)
    special = fits & specials(view)
    return any_of(view, special) if special != 0 else worth_most(fits)


def suit(view):
    """The suit of a random special card it holds, else of a random card it holds."""
    special = view.hand & specials(view)
    held = special if special != 0 else view.hand
    return any_of(view, held) // RANKS if held != 0 else choose(view)


@jit
def specials(view):
    """Mask of the special cards of the deck."""
    return SPECIAL | EIGHTS if view.deck & TWO else SPECIAL


@jit
def worth_most(cards):
    """The card of most points, of several the one with the lowest id."""
    choice, most = -1, -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if CARD_POINTS[card] > most:
            choice, most = card, CARD_POINTS[card]
    return choice
