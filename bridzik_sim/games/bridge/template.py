"""Opens with 12 points, raises with three cards of partner's suit, bids game with 25; second hand plays low.

The line above is what the lists of strategies show. Change this file and try it:

    bridzik check my_strategy.py --game bridge
    bridzik simulate --game bridge --seats "my_strategy.py,random" --games 1000
    bridzik compare my_strategy.py random --game bridge --option scoring=duplicate --games 10000
    bridzik replay --game bridge --seats "my_strategy.py,random" --seed 1 --unit 0 --view 0

Two names in a line-up are those of N-S and E-W, four those of N, E, S, W. Partners share nothing
but what the rules show. Both functions get one view and return an integer: call a call, play the
card of the seat view.playing_for. What stands in a view, in full: bridzik games bridge. The most
useful fields:

    view.hand, view.legal       sets of cards: bit i is set for the card with id i
                                (in a call, bit c of view.legal for the call c)
    view.seat, view.dealer      who I am, who dealt: 0 N, 1 E, 2 S, 3 W
    view.calls, view.n_calls    the calls so far, the dealer's first: 0 pass, 1 to 35 the bids from
                                1C to 7NT, 36 double, 37 redouble; how many there are
    view.contract               the last bid, 0 before the first
    view.doubled, view.bidder   whether it is doubled (1) or redoubled (2), who made it
    view.declarer               -1 in the auction
    view.playing_for            whose card I choose: as declarer also dummy's
    view.dummy_seat, view.dummy who dummy is, and the set of its cards, once they are on the table
    view.trump                  suit that is trump, -1 at no trump
    view.best, view.lead        card that wins the trick now, suit to follow (-1 none)
    view.trick                  cards of the trick in order of play, -1 not yet
    view.trick_length           cards in the trick: 0 when I lead
    view.leader                 who led it
    view.taken, view.seen_void  by seat: tricks taken, set of the suits it has shown to lack
    view.played                 set of the cards that are gone
    view.vulnerable             by side (0 N-S, 1 E-W): 1 if it is vulnerable
    view.below, view.games      by side: open part-score and games won, in a rubber
    view.scores                 by seat: points of its side in the rubber so far
    view.memory                 64 numbers of my own, zeroed at every deal
    view.game_memory            64 numbers of my own, zeroed at every rubber

Cards are numbered 13 * suit + rank: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks 2 to 10,
jack, queen, king, ace from 0 to 12. For random decisions there are below(view, n), uniform(view)
and choose(view) in bridzik_sim.streams; no other source of chance repeats with the seed. The
functions are compiled by numba; with a line PYTHON = True they run as plain Python, with any
library, but far slower.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridge.rules import partner_of, side_of
from bridzik_sim.games.contract import NO_TRUMP, PASS, bid_of, level, strain
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS
from bridzik_sim.jit import jit
from bridzik_sim.tricks import strength

# Numbers to play with. They are view.params[0], view.params[1], ... in this order and
# can be set from outside: --seats "my_strategy.py:open=11:game=26,random".
PARAMS = {"open": 12.0, "game": 25.0}
OPEN, GAME = 0, 1

# What a side can be sure that its partner holds, in points, once that one has bid.
PARTNER = 12
# Levels of a game by strain: clubs, diamonds, hearts, spades, no trump.
GAME_LEVELS = (5, 5, 4, 4, 3)


def call(view):
    """Opens or overcalls the longest suit, raises partner, or passes."""
    held, long = points(view.hand), longest_suit(view.hand)
    partners = partner_bid(view)
    if partners > 0:
        kind = strain(partners)
        fits = kind == NO_TRUMP or cards_of(view.hand, kind) >= 3
        if fits and held + PARTNER >= view.params[GAME]:
            return bid_if_legal(view, GAME_LEVELS[kind], kind)
        if fits and held >= 6 and level(partners) == 1:
            return bid_if_legal(view, 2, kind)
        if held + PARTNER >= view.params[GAME]:
            return bid_if_legal(view, GAME_LEVELS[NO_TRUMP], NO_TRUMP)
        return PASS
    # A bid, if there is one, is an opponent's or my own: then only a long suit is bid.
    cards = 4 if view.contract == 0 else 5
    if held >= view.params[OPEN] and cards_of(view.hand, long) >= cards:
        return bid_if_legal(view, 1, long)
    return PASS


def play(view):
    """Leads trumps or a long suit; second hand low, third hand high, the last one as cheaply as it can."""
    if view.trick_length == 0:
        return lead(view)
    winning = winners(view)
    if winning == 0 or view.trick_length == 1 or partner_wins(view):
        return lowest_rank(view.legal)
    return lowest_rank(winning) if view.trick_length == 3 else highest_rank(winning)


# Helpers need @jit, the two functions above do not.


@jit
def points(hand):
    """High-card points: ace 4, king 3, queen 2, jack 1."""
    found = 0
    for suit in range(4):
        honours = (hand >> RANKS * suit) >> 9 & 15
        for place in range(4):
            found += (place + 1) * (honours >> place & 1)
    return found


@jit
def cards_of(hand, suit):
    """Number of cards of a suit."""
    return popcount(hand >> RANKS * suit & SUIT_CARDS)


@jit
def longest_suit(hand):
    """The suit with most cards, the higher of two."""
    chosen = 0
    for suit in range(1, 4):
        if cards_of(hand, suit) >= cards_of(hand, chosen):
            chosen = suit
    return chosen


@jit
def partner_bid(view):
    """The last bid of partner, 0 if it has made none."""
    last = 0
    for number in range(view.n_calls):
        code = view.calls[number]
        if (view.dealer + number) % 4 == partner_of(view.seat) and 0 < code <= 35:
            last = code
    return last


@jit
def bid_if_legal(view, at_level, kind):
    """That bid, or a pass when it is too low by now."""
    bid = bid_of(at_level, kind)
    return bid if view.legal >> bid & 1 else PASS


@jit
def lead(view):
    """The highest trump while declarer's opponents may have any, else the highest card of a long suit."""
    mine = view.trump >= 0 and side_of(view.playing_for) == side_of(view.declarer)
    if mine:
        trumps = SUIT_CARDS << RANKS * view.trump
        if trumps & ~(view.played | view.hand | view.dummy) != 0 and view.legal & trumps != 0:
            return highest_rank(view.legal & trumps)
    return highest_rank(view.legal & SUIT_CARDS << RANKS * longest_suit(view.legal))


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
def partner_wins(view):
    """Whether the trick goes to the side whose card is to be played, as it stands."""
    for place in range(view.trick_length):
        if view.trick[place] == view.best:
            return side_of(view.leader + place) == side_of(view.playing_for)
    return False


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
