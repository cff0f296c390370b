"""Bids its wizards, trumps and high cards; takes tricks while it needs some, then gives them away.

The line above is what the lists of strategies show. Change this file and try it:

    bridzik check my_strategy.py --game wizard
    bridzik simulate --game wizard --seats "my_strategy.py,random*3" --games 10000
    bridzik compare my_strategy.py random --game wizard --players 6 --games 10000
    bridzik replay --game wizard --seats "my_strategy.py,random*3" --seed 1 --unit 0 --view 0

All three functions get one view and return an integer. What stands in a view, in full:
bridzik games wizard. The most useful fields:

    view.hand, view.legal      sets of cards: bit i is set for the card with id i
                               (when bidding, bit b of view.legal for the bid b;
                               when choosing a trump, bit s for the suit s)
    view.seats                 players at the table, 3 to 6; arrays by seat have 6 places
    view.size                  cards dealt to each seat, so tricks to be taken in all
    view.seat, view.position   who I am, and my place in the order of bidding, 0 first
    view.trump                 suit that is trump, -1 if there is none
    view.trump_card            card turned up, -1 in the last round
    view.bids, view.taken      by seat: bids (-1 not yet or hidden), tricks taken
    view.scores                by seat: points in the game so far
    view.forbidden             the bid I may not make, -1 if I may make any
    view.best, view.lead       card that wins the trick now, suit to follow (-1 none)
    view.trick_length          cards in the current trick: 0 when I lead
    view.played                set of the cards that are gone
    view.seen_void             by seat: set of the suits it has shown to lack
    view.memory                64 numbers of my own, zeroed at every deal
    view.game_memory           64 numbers of my own, zeroed at every game

Cards are numbered 13 * suit + number - 1: suits red 0, yellow 1, green 2, blue 3; then
the wizards, 52 to 55, and the jesters, 56 to 59. For random decisions there are
below(view, n), uniform(view) and choose(view) in bridzik_sim.streams; no other source
of chance repeats with the seed. The functions are compiled by numba; with a line
PYTHON = True they run as plain Python, with any library, but far slower.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.rules import (
    FIRST_JESTER,
    FIRST_WIZARD,
    RANKS,
    beats,
    led_cards,
    next_lead,
    power,
)
from bridzik_sim.jit import jit

# Numbers to play with. They are view.params[0], view.params[1], ... in this order and
# can be set from outside: --seats "my_strategy.py:trump=0.9:plain=0.4,random*3".
PARAMS = {"trump": 0.8, "plain": 0.5}
TRUMP, PLAIN = 0, 1


def bid(view):
    """The tricks that the cards in hand make on average, rounded."""
    expected = 0.5
    cards = view.hand
    while cards != 0:
        # The lowest card of the set, then the set without it: so one goes through a set.
        card = lowest(cards)
        cards &= cards - 1
        expected += chance(view, card)
    tricks = min(int(expected), view.size)
    # The last bidder may not make the bids add up to the number of tricks.
    if tricks == view.forbidden:
        return tricks - 1 if tricks > 0 else 1
    return tricks


def play(view):
    """A card that wins while tricks are needed, afterwards a strong one that loses."""
    winning = winners(view)
    losing = view.legal & ~winning
    last = view.trick_length == view.seats - 1
    if view.taken[view.seat] < view.bids[view.seat]:
        if winning == 0:
            return weakest(view, view.legal)
        return weakest(view, winning) if last else strongest(view, winning)
    if losing != 0:
        return strongest(view, losing)
    return strongest(view, view.legal) if last else weakest(view, view.legal)


def trump(view):
    """The suit of which the hand has most cards.

    Only asked with the option wizard_trump=dealer, of a dealer who turned up a wizard.
    """
    choice, most = 0, 0
    for suit in range(4):
        held = popcount(view.hand & led_cards(suit))
        if held > most:
            choice, most = suit, held
    return choice


# Helpers need @jit, the three functions above do not.


@jit
def chance(view, card):
    """About how often a card takes a trick: less often the more players there are."""
    others = view.seats - 1
    if card >= FIRST_JESTER:
        return 0.0
    if card >= FIRST_WIZARD:
        return 1.0
    rank = card % RANKS
    if card // RANKS == view.trump:
        return view.params[TRUMP] * ((rank + RANKS) / (2 * RANKS - 1)) ** (0.5 * others)
    return view.params[PLAIN] * (rank / (RANKS - 1)) ** others


@jit
def winners(view):
    """Set of the legal cards that would win the trick as it stands: all, when leading."""
    winning = 0
    left = view.legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        if beats(card, view.best, next_lead(view.lead, view.best, card), view.trump):
            winning |= 1 << card
    return winning


@jit
def worth(view, card):
    """Strength of a card if it were led: jesters, plain cards, trumps, wizards."""
    return power(card, card // RANKS, view.trump)


@jit
def weakest(view, cards):
    """Weakest card of a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if worth(view, card) < worth(view, chosen):
            chosen = card
    return chosen


@jit
def strongest(view, cards):
    """Strongest card of a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if worth(view, card) > worth(view, chosen):
            chosen = card
    return chosen
