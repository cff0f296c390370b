"""Bids its aces and trumps; takes tricks while it needs some, then gives them away.

The line above is what the lists of strategies show. Change this file and try it:

    bridzik check my_strategy.py
    bridzik simulate --seats "my_strategy.py,simple,random*2" --games 10000
    bridzik replay --seats "my_strategy.py,random*3" --seed 1 --unit 0 --view 0

Both functions get one view and return an integer. What stands in a view, in full:
bridzik games bridzik. The most useful fields:

    view.hand, view.legal      sets of cards: bit i is set for the card with id i
                               (when bidding, bit b of view.legal for the bid b)
    view.size                  cards dealt to each seat, so tricks to be taken in all
    view.seat, view.position   who I am, and my place in the order of bidding (0..3)
    view.bids, view.taken      by seat: bids (-1 not yet), tricks taken in this deal
    view.scores                by seat: points in the game so far
    view.forbidden             the bid I may not make, -1 if I may make any
    view.best, view.lead       card that wins the trick now, suit to follow (-1 none)
    view.trick_length          cards in the current trick: 0 when I lead, 3 when last
    view.played                set of the cards that are gone
    view.seen_void             by seat: set of the suits it has shown to lack
    view.memory                64 numbers of my own, zeroed at every deal
    view.game_memory           64 numbers of my own, zeroed at every game

Cards are numbered 8 * suit + rank: suits hearts (trump) 0, leaves 1, acorns 2, bells 3;
ranks 7 8 9 10 lower upper king ace from 0 to 7. For random decisions there are
below(view, n), uniform(view) and choose(view) in bridzik_sim.streams; no other source
of chance repeats with the seed. The functions are compiled by numba; with a line
PYTHON = True they run as plain Python, with any library, but far slower.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.rules import DECK, HEARTS, RANKS, TRUMP
from bridzik_sim.jit import jit
from bridzik_sim.tricks import strength

# Numbers to play with. They are view.params[0], view.params[1], ... in this order and
# can be set from outside: --seats "my_strategy.py:ace=0.9:heart=0.4,random*3".
PARAMS = {"ace": 0.8, "heart": 0.6}
ACE, HEART = 0, 1

# Sets of cards are integers; & | ^ ~ are the operations on sets.
SIDE_ACES = DECK.mask(["LA", "AA", "BA"])


def bid(view):
    """The tricks that aces and trumps make on average, rounded."""
    aces = popcount(view.hand & SIDE_ACES)
    hearts = popcount(view.hand & HEARTS)
    tricks = int(view.params[ACE] * aces + view.params[HEART] * hearts + 0.5)
    tricks = max(0, min(tricks, view.size))
    # The last bidder may not make the four bids add up to the number of tricks.
    if tricks == view.forbidden:
        return tricks - 1 if tricks > 0 else 1
    return tricks


def play(view):
    """A card that wins while tricks are needed, afterwards a high one that loses."""
    winning = winners(view)
    losing = view.legal & ~winning
    last = view.trick_length == 3
    if view.taken[view.seat] < view.bids[view.seat]:
        if winning == 0:
            return lowest_rank(view.legal)
        return lowest_rank(winning) if last else highest_rank(winning)
    if losing != 0:
        return highest_rank(losing)
    return highest_rank(view.legal) if last else lowest_rank(view.legal)


# Helpers need @jit, the two functions above do not.


@jit
def winners(view):
    """Set of the legal cards that would win the trick as it stands: all, when leading."""
    if view.best < 0:
        return view.legal
    to_beat = strength(view.best, view.lead, TRUMP, RANKS)
    winning = 0
    left = view.legal
    while left != 0:
        card = lowest(left)
        left ^= 1 << card
        if strength(card, view.lead, TRUMP, RANKS) > to_beat:
            winning |= 1 << card
    return winning


@jit
def lowest_rank(cards):
    """Card of the lowest rank in a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards ^= 1 << card
        if card % RANKS < chosen % RANKS:
            chosen = card
    return chosen


@jit
def highest_rank(cards):
    """Card of the highest rank in a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards ^= 1 << card
        if card % RANKS > chosen % RANKS:
            chosen = card
    return chosen
