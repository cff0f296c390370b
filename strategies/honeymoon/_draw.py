"""The first phase, in which cards are drawn: which card to throw, and so to lead.

Of the 26 cards that come to a seat it keeps 13. Nobody sees what is drawn, so nothing hangs on who draws
first; what counts is which cards go. A card is worth its rank and what it adds to the length of its suit: a
short suit had better go altogether, a long one grow, which counts the more the fewer cards are to come. A
leader throws what it likes, the other has to follow; so winning a trick is worth something, and so is
leading a suit in which the other can hardly follow with a low card.

``weights`` (float64[13], the parameters of ``heuristic``) are in points of a deal: of the ranks from the nine
up, while lower ones weigh nothing; of the first, second, third, and any further card of a suit; of winning a
trick; of leading a suit of which all cards not seen are high; of leading one that the other lacks.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS
from bridzik_sim.games.honeymoon.rules import STOCK
from bridzik_sim.games.honeymoon.solver import suit_of
from bridzik_sim.jit import jit

NINE, FIRST, FURTHER, WINNING, HIGH, VOID = 0, 6, 9, 10, 11, 12
LOWEST_OF_WEIGHT = 7
LOW_CARDS = (1 << LOWEST_OF_WEIGHT) - 1


@jit
def thrown(view, weights):
    """The card of least worth."""
    late, legal = 1 - view.stock / STOCK, view.legal
    choice, least = -1, 0.0
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        suit = suit_of(card)
        rank, length = card % RANKS, popcount(view.hand & suit)
        worth = late * weights[min(FIRST + length - 1, FURTHER)]
        if rank >= LOWEST_OF_WEIGHT:
            worth += weights[NINE + rank - LOWEST_OF_WEIGHT]
        if view.trick_length == 0:
            worth -= worth_of_lead(view, card // RANKS, weights)
        elif card > view.best and card // RANKS == view.lead:
            worth -= weights[WINNING]
        if choice < 0 or worth < least:
            choice, least = card, worth
    return choice


@jit
def worth_of_lead(view, suit, weights):
    """What it is worth to make the other follow to a suit."""
    unseen = view.unseen >> RANKS * suit & SUIT_CARDS
    if unseen == 0:
        return weights[VOID]
    high = popcount(unseen & ~LOW_CARDS) / popcount(unseen)
    return weights[HIGH] * high + weights[VOID] * (view.seen_void[1 - view.seat] >> suit & 1)
