"""Rules of thumb for the play with open hands, and the tricks they promise.

Hands are masks; ``own`` is that of the seat to play, ``led`` the card that the other has led, or -1.
"""

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS, SUITS
from bridzik_sim.games.honeymoon.solver import suit_of, wins
from bridzik_sim.jit import jit
from bridzik_sim.tricks import follow


@jit
def card_by_thumb(own, other, trump, led):
    """The card that the rules of thumb play."""
    if led < 0:
        return lead_by_thumb(own, other, trump)
    legal = follow(own, suit_of(led), 0)
    card = cheapest_winner(legal, trump, led)
    return card if card >= 0 else spare_card(legal, trump)


@jit
def cheapest_winner(legal, trump, led):
    """The lowest card that takes the trick, -1 if none does."""
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        if wins(card, led, trump):
            return card
    return -1


@jit
def lead_by_thumb(own, other, trump):
    """Draws trumps, cashes top cards that cannot be ruffed, else leads high where it has most to gain.

    It draws with top trumps while it has as many trumps as the other. Of suits with a top card it takes the
    one to which the other must follow longest, of suits without that of which it has the most more than the
    other.
    """
    trumps = SUIT_CARDS << RANKS * trump if trump >= 0 else 0
    mine, theirs = own & trumps, other & trumps
    if theirs != 0 and highest(mine) > highest(theirs) and popcount(mine) >= popcount(theirs):
        return highest(mine)
    cash, followed, other_lead, most = -1, -1, highest(mine), -RANKS
    ruffs = theirs != 0
    for number in range(SUITS):
        suit = SUIT_CARDS << RANKS * number
        mine, theirs = own & suit, other & suit
        if mine == 0 or suit == trumps:
            continue
        if highest(mine) > highest(theirs) and (theirs != 0 or not ruffs) and popcount(theirs) > followed:
            cash, followed = highest(mine), popcount(theirs)
        if popcount(mine) - popcount(theirs) > most:
            other_lead, most = highest(mine), popcount(mine) - popcount(theirs)
    return cash if cash >= 0 else other_lead


@jit
def spare_card(legal, trump):
    """The lowest card in rank, a trump only if there is nothing else."""
    choice, least = -1, 2 * RANKS
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        worth = card % RANKS + (RANKS if card // RANKS == trump else 0)
        if worth < least:
            choice, least = card, worth
    return choice


@jit
def tricks_by_thumb(own, other, trump, leads):
    """Tricks for ``own`` when both play by thumb; ``leads``: whether it leads first."""
    first, second, turned, taken = (own, other, False, 0) if leads else (other, own, True, 0)
    while first != 0:
        led = lead_by_thumb(first, second, trump)
        first ^= 1 << led
        card = card_by_thumb(second, first, trump, led)
        second ^= 1 << card
        if wins(card, led, trump):
            first, second, turned = second, first, not turned
        taken += 0 if turned else 1
    return taken
