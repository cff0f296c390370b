"""The one-card round, solved over all 863,040 deals.

The play is forced, so the game is its four bids of 0 or 1. An information set is a bidder's card and the bids
so far; these are the nodes of a tree of bids: node 0 is the first bid, 2n + 1 and 2n + 2 follow a bid of 0
and 1 at node n. A profile is an int64[15] array: bit c of entry n says that card c bids 1 at node n.
All sums are integers over the deals, and only integers are compared.

``solve`` goes through the positions in order of bidding. With the earlier bidders settled, it bounds how much
better 1 is than 0 by letting the later ones bid, deal by deal, whatever is best or worst for it. Where even
the worst case is above 0, or the best one below, nothing the others might do can change the answer. As every
information set is settled so, by iterated strict dominance, the profile is the only equilibrium.
"""

from math import perm

import numpy as np

from bridzik_sim.cards import popcount
from bridzik_sim.games.bridzik.rules import BONUS, RANKS, SEATS, forbidden_bid
from bridzik_sim.jit import jit

CARDS = SEATS * RANKS
NODES = 2**SEATS - 1
DEALS = perm(CARDS, SEATS)
LAST = SEATS - 1
FAR = 1 << 20  # beyond any number of points


def position_of(node):
    """Position (0 to 3) of the bidder at a node of the tree of bids."""
    return (node + 1).bit_length() - 1


def bids_before(node):
    """Bids before a node as text, first bidder first: "" at node 0, "01" after a bid of 0 and one of 1."""
    return f"{node + 1:b}"[1:]


def allowed(node):
    """The bids allowed at a node: the last bidder may not make the sum 1."""
    forbidden = forbidden_bid(1, position_of(node), bids_before(node).count("1"))
    return [bid for bid in (0, 1) if bid != forbidden]


def solve():
    """The only equilibrium: profile, int64[15], and the cards by node that never bid there, int64[15].

    Raises ``ArithmeticError`` if an information set is left open: the rules are not those it was made for.
    """
    profile, unreached = np.zeros(NODES, np.int64), np.zeros(NODES, np.int64)
    for position in range(SEATS):
        settled = margins(profile, position, True)
        # Where the earlier bids rule a card out, whoever holds it faces bidders unknown.
        never = settled[:, :, 2] == 0
        never[: 2**position - 1] = never[2 * 2**position - 1 :] = False
        if never.any():
            settled[never] = margins(profile, position, False)[never]
        for node in range(2**position - 1, 2 * 2**position - 1):
            for card in range(CARDS):
                least, most, _ = settled[node, card]
                if least <= 0 <= most:
                    raise ArithmeticError(f"node {node}, card {card}: the best bid depends on later bidders")
                profile[node] |= int(least > 0) << card
                unreached[node] |= int(never[node, card]) << card
    return profile, unreached


def gains(profile):
    """What best responses to a profile gain over it: ``(gain, points, exact)``, int64[4] each, by position.

    All are sums over the 863,040 deals: the gain and the points in points, ``exact`` in exact bids. The best
    response is found at every information set of a position, while the other three keep to the profile.
    """
    gain, points, exact = (np.zeros(SEATS, np.int64) for _ in range(3))
    worth = values(profile)
    for node in range(NODES):
        position, bids = position_of(node), np.int64(profile[node]) >> np.arange(CARDS) & 1
        kept = worth[node, np.arange(CARDS), bids]
        gain[position] += (worth[node][:, allowed(node)].max(axis=1) - kept).sum()
        points[position] += kept.sum()
        exact[position] += (kept // (BONUS + bids)).sum()
    return gain, points, exact


@jit
def next_deal(cards):
    """Step ``cards`` (int64[4]) to the next four different cards in counting order; False after the last.

    The first deal follows ``[0, 0, 0, 0]``.
    """
    while True:
        place = LAST
        while place >= 0 and cards[place] == CARDS - 1:
            cards[place] = 0
            place -= 1
        if place < 0:
            return False
        cards[place] += 1
        if popcount(1 << cards[0] | 1 << cards[1] | 1 << cards[2] | 1 << cards[3]) == SEATS:
            return True


@jit
def winner(cards, leader):
    """Place of the winner of the trick with ``cards`` (int64[4], by place) that ``leader`` leads."""
    best = leader
    for place in range(SEATS):
        suit, best_suit = cards[place] // RANKS, cards[best] // RANKS
        if (suit == best_suit and cards[place] > cards[best]) or (suit == 0 and best_suit > 0):
            best = place
    return best


@jit
def points_for(cards, bids, place):
    """Points of ``place`` with four ``bids``, the binary digits of a number; -1 if they are not allowed."""
    if popcount(bids) == 1:
        return -1
    leader = 0
    while bids > 0 and bids >> (LAST - leader) & 1 == 0:
        leader += 1
    own = bids >> (LAST - place) & 1
    return BONUS + own if (winner(cards, leader) == place) == (own == 1) else 0


@jit
def path(profile, cards, bids, start, stop):
    """The first ``start`` digits of four ``bids``, then those of the profile for positions below ``stop``."""
    node, made = 0, 0
    for place in range(stop):
        bid = bids >> (LAST - place) & 1 if place < start else profile[node] >> cards[place] & 1
        node = 2 * node + 1 + bid
        made |= bid << (LAST - place)
    return made


@jit
def margins(profile, position, follow):
    """How much better 1 is than 0 for a position, whatever the later bidders do: int64[15, 32, 3].

    By node and card: the sums over the deals of the least and of the greatest difference in points, and the
    number of deals. Earlier bidders bid as in the profile if ``follow``, else anything. Where one bid is not
    allowed, both differences are far away from 0.
    """
    found = np.zeros((NODES, CARDS, 3), np.int64)
    cards, later = np.zeros(SEATS, np.int64), LAST - position
    while next_deal(cards):
        kept = path(profile, cards, 0, 0, position) >> (later + 1)
        for earlier in range(1 << position):
            if follow and earlier != kept:
                continue
            low0, high0, low1, high1 = FAR, -FAR, FAR, -FAR
            for rest in range(1 << later):
                points0 = points_for(cards, earlier << (later + 1) | rest, position)
                points1 = points_for(cards, earlier << (later + 1) | 1 << later | rest, position)
                if points0 >= 0:
                    low0, high0 = min(low0, points0), max(high0, points0)
                if points1 >= 0:
                    low1, high1 = min(low1, points1), max(high1, points1)
            row = found[(1 << position) - 1 + earlier, cards[position]]
            row[0] += FAR if high0 < 0 else -FAR if high1 < 0 else low1 - high0
            row[1] += FAR if high0 < 0 else -FAR if high1 < 0 else high1 - low0
            row[2] += 1
    return found


@jit
def values(profile):
    """Points by node, card and bid, summed over the deals: int64[15, 32, 2], 0 for bids not allowed.

    Everybody else bids as in the profile, before and after.
    """
    worth = np.zeros((NODES, CARDS, 2), np.int64)
    cards = np.zeros(SEATS, np.int64)
    while next_deal(cards):
        for position in range(SEATS):
            made, turn = path(profile, cards, 0, 0, position), 1 << (LAST - position)
            node = (1 << position) - 1 + made // (2 * turn)
            for bid in range(2):
                bids = path(profile, cards, made | bid * turn, position + 1, SEATS)
                worth[node, cards[position], bid] += max(points_for(cards, bids, position), 0)
    return worth
