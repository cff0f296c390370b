"""Keeps its high cards in the draw phase, then counts which of its cards beat the other hand; plays cheaply.

The line above is what the lists of strategies show. Change this file and try it:

    bridzik check my_strategy.py --game honeymoon
    bridzik simulate --game honeymoon --seats "my_strategy.py,random" --games 1000
    bridzik compare my_strategy.py random --game honeymoon --games 1000
    bridzik replay --game honeymoon --seats "my_strategy.py,random" --seed 1 --unit 0 --view 0

Both functions get one view and return an integer: call a call, play a card. A deal has three
phases: 13 tricks that do not count, after each of which both draw a card; the auction; the play.
What stands in a view, in full: bridzik games honeymoon. The most useful fields:

    view.hand, view.legal       sets of cards: bit i is set for the card with id i
                                (in a call, bit c of view.legal for the call c)
    view.phase                  0 while cards are drawn, 1 auction, 2 play
    view.unseen                 set of the cards I have not seen: after the draw phase exactly
                                those of the other hand
    view.stock                  number of cards left to draw
    view.seat, view.dealer      who I am, who dealt: 0 N, 1 S
    view.calls, view.n_calls    the calls so far, the dealer's first: 0 pass, 1 to 35 the bids from
                                1C to 7NT, 36 double, 37 redouble; how many there are
    view.contract               the last bid, 0 before the first
    view.doubled, view.bidder   whether it is doubled (1) or redoubled (2), who made it
    view.declarer               -1 until the auction is over; whoever declares, the dealer's
                                opponent leads
    view.trump                  suit that is trump in the play, -1 at no trump
    view.best, view.lead        card that wins the trick now, suit to follow (-1 none)
    view.trick_length           cards in the trick: 0 when I lead
    view.taken                  by seat: tricks taken in the play
    view.played                 set of the cards that are out of play
    view.vulnerable             by seat: 1 if it is vulnerable
    view.scores                 by seat: points in the match so far
    view.deal, view.deals       number of the deal, 0 first; deals of the match
    view.memory                 64 numbers of my own, zeroed at every deal
    view.game_memory            64 numbers of my own, zeroed at every match

Cards are numbered 13 * suit + rank: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks 2 to 10,
jack, queen, king, ace from 0 to 12. For random decisions there are below(view, n), uniform(view)
and choose(view) in bridzik_sim.streams; no other source of chance repeats with the seed. The
functions are compiled by numba; with a line PYTHON = True they run as plain Python, with any
library, but far slower.
"""

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.contract import BOOK, NO_TRUMP, PASS, bid_of
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS
from bridzik_sim.jit import jit
from bridzik_sim.tricks import strength

# Numbers to play with. They are view.params[0], view.params[1], ... in this order and
# can be set from outside: --seats "my_strategy.py:ruffs=0.5:margin=2,random".
PARAMS = {"ruffs": 0.5, "margin": 1.0}
RUFFS, MARGIN = 0, 1


def call(view):
    """The bid that its cards are worth, in the best strain; a pass when the bidding is higher already."""
    chosen, most = NO_TRUMP, 0.0
    for strain in range(NO_TRUMP + 1):
        tricks = expected(view, strain)
        if tricks > most:
            chosen, most = strain, tricks
    level = min(int(most - view.params[MARGIN]) - BOOK, 7)
    if level < 1:
        return PASS
    bid = bid_of(level, chosen)
    return bid if view.legal >> bid & 1 else PASS


def play(view):
    """A low card while cards are drawn; then leads what nothing beats, and wins as cheaply as it can."""
    if view.phase == 0:
        return lowest_rank(view.legal)
    if view.trick_length == 0:
        masters = unbeaten(view)
        return highest_rank(masters) if masters != 0 else lowest_rank(view.legal)
    winning = winners(view)
    return lowest_rank(winning) if winning != 0 else lowest_rank(view.legal)


# Helpers need @jit, the two functions above do not.


@jit
def expected(view, strain):
    """About how many tricks the hand takes in a strain, against the other hand, which is known by now."""
    tricks = 0.0
    for suit in range(4):
        mine = view.hand >> RANKS * suit & SUIT_CARDS
        theirs = view.unseen >> RANKS * suit & SUIT_CARDS
        if suit == strain:
            tricks += view.params[RUFFS] * (popcount(mine) - popcount(theirs))
        # My best card against their best one, my next one against their next one, and so on.
        while mine != 0:
            card = highest(mine)
            other = highest(theirs)
            if card > other:
                tricks += 1.0
            mine ^= 1 << card
            if other >= 0:
                theirs ^= 1 << other
    return tricks


@jit
def unbeaten(view):
    """Set of the cards held that no card of the other hand beats in its suit."""
    masters = 0
    for suit in range(4):
        suited = SUIT_CARDS << RANKS * suit
        top = highest(view.legal & suited)
        if top > highest(view.unseen & suited):
            masters |= 1 << top
    return masters


@jit
def winners(view):
    """Set of the legal cards that would win the trick as it stands."""
    to_beat = strength(view.best, view.lead, view.trump, RANKS)
    winning = 0
    left = view.legal
    while left != 0:
        # The lowest card of the set, then the set without it: so one goes through a set.
        card = lowest(left)
        left &= left - 1
        if strength(card, view.lead, view.trump, RANKS) > to_beat:
            winning |= 1 << card
    return winning


@jit
def lowest_rank(cards):
    """Card of the lowest rank in a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if card % RANKS < chosen % RANKS:
            chosen = card
    return chosen


@jit
def highest_rank(cards):
    """Card of the highest rank in a set that is not empty."""
    chosen = lowest(cards)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if card % RANKS > chosen % RANKS:
            chosen = card
    return chosen
