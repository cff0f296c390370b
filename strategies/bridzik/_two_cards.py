"""What a bidder of the two-card round knows, as numbers of information sets: for the solver and for playing.

A hand is the pair (first, second) of ``in_order``. Plain suits may be renamed, which leaves 156 hands of 496.
Bids so far are a node of a tree: node 0 is the first bid, 3n + 1 + b follows a bid of b at node n; four bids
are the digits of a number to base 3, first bidder highest. The only choice in the play is in the first trick
and between two cards. The leader's set holds hand and bids; the others' tells two cards of a kind, which
of them beat the best card so far, who plays it, and all bids. It forgets which card that is, and all others.
"""

from bridzik_sim.games.bridzik.rules import RANKS, SEATS, beats
from bridzik_sim.jit import jit

SIZE = 2
BIDS = SIZE + 1
NODES = (BIDS**SEATS - 1) // (BIDS - 1)
HANDS = 156
ALL_BIDS = BIDS**SEATS
PAIRS, PAIRS_OR_EQUAL = RANKS * (RANKS - 1) // 2, RANKS * (RANKS + 1) // 2
# Kinds of two cards between which a follower may choose, where each begins among the KINDS numbers.
RUFFS = 3 * PAIRS
SUITED = 2 * RUFFS
THROWN = SUITED + 4 * PAIRS
THROWN_OF_TWO = THROWN + 2 * PAIRS
KINDS = THROWN_OF_TWO + 2 * PAIRS_OR_EQUAL
PLACES = 6  # place in the trick and place of its best card: 1/0, 2/0, 2/1, 3/0, 3/1, 3/2
LEADS = ALL_BIDS * HANDS
PLAYS = LEADS + ALL_BIDS * PLACES * KINDS
FIRST, SECOND, EITHER = 0, 1, 2


@jit
def in_order(one, other):
    """A hand as (first, second): a heart first, else the lower rank, of equal ranks the lower id."""
    low, high = min(one, other), max(one, other)
    swap = low >= RANKS and high % RANKS < low % RANKS
    return (high, low) if swap else (low, high)


@jit
def pair(low, high):
    """Number of a pair of ranks ``low < high``, from 0 to 27."""
    return high * (high - 1) // 2 + low


@jit
def hand_number(first, second):
    """Number of a hand in order, from 0 to 155, the same whatever the plain suits are called."""
    suit, low, high = first // RANKS, first % RANKS, second % RANKS
    if second < RANKS:
        return pair(low, high)
    if suit == 0:
        return PAIRS + RANKS * low + high
    if suit == second // RANKS:
        return PAIRS + RANKS * RANKS + pair(low, high)
    return 2 * PAIRS + RANKS * RANKS + pair(low, high + 1)


@jit
def choice(first, second, lead):
    """Which cards may be played, FIRST, SECOND or EITHER; ``lead`` is the suit to follow (-1: none yet)."""
    if lead < 0:
        return EITHER
    one, other = first // RANKS == lead, second // RANKS == lead
    if not one and not other:
        one, other = first < RANKS, second < RANKS
    return EITHER if one == other else FIRST if one else SECOND


@jit
def kind(first, second, lead, best):
    """Number of a follower's choice, from 0 to KINDS - 1; ``best`` is the best card so far."""
    low, high = first % RANKS, second % RANKS
    losing = 2 - beats(first, best) - beats(second, best)
    if second < RANKS:
        return 3 * pair(low, high) + losing + (0 if lead == 0 else RUFFS)
    if first // RANKS == lead:
        ruffed = best < RANKS
        return SUITED + 4 * pair(low, high) + (3 if ruffed else losing)
    ruffed = 1 if lead > 0 else 0
    if first // RANKS == second // RANKS:
        return THROWN + 2 * pair(low, high) + ruffed
    return THROWN_OF_TWO + 2 * pair(low, high + 1) + ruffed


@jit
def play_number(bids, place, best_place, first, second, lead, best):
    """Information set of a choice in the first trick, from 0 to PLAYS - 1.

    ``bids`` is the number of the four bids, ``place`` the own place in the trick (0 leads), ``best_place``
    that of the ``best`` card so far, and ``lead`` the suit to follow; the last three are not used at place 0.
    """
    if place == 0:
        return bids * HANDS + hand_number(first, second)
    where = place * (place - 1) // 2 + best_place
    return LEADS + (bids * PLACES + where) * KINDS + kind(first, second, lead, best)
