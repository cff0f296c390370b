"""What the levels of a contract need, and the ranks of meanings: the numbers of the bidding system."""

import numpy as np

from bridzik_sim.games.bridge.rules import side_of
from bridzik_sim.games.contract import NO_TRUMP
from bridzik_sim.jit import jit

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
MAJORS = 1 << HEARTS | 1 << SPADES
ALL_SUITS = 0b1111

# Points of both hands that the levels 1 to 7 need, of a suit and at no trump.
SUIT_WORTH = np.array([0, 17, 18, 22, 25, 28, 32, 37, 99])
PLAIN_WORTH = np.array([0, 18, 23, 25, 28, 30, 33, 38, 99])
# The same for a new suit, where another strain may turn out to be better.
NEW_SUIT_WORTH = (0, 18, 22, 24)
OPENING, STRONG, DOUBLED_FIRST, ANSWER_TO_STRONG = 12, 22, 18, 8
STRONG_CLUBS = 6
LEAST_ANSWER = 6
TOP_OF_SUIT = 21

# Ranks of meanings: what is bid first.
SLAM, FIT_GAME, FIT, ASKING, NEW_MAJOR, GAME, NEW_SUIT, OWN_MAJOR, PLAIN, OWN_MINOR, RAISED_MINOR, WEAK = (
    90, 80, 78, 75, 70, 62, 60, 57, 54, 52, 50, 30,
)  # fmt: skip


@jit
def goal(table, seat, suit):
    """The lowest level that makes a game in a strain, with the part-score that is open."""
    missing = 100 - table.below[side_of(seat)]
    if suit == NO_TRUMP:
        return max((missing + 19) // 30, 1)
    each = 30 if suit >= HEARTS else 20
    return max((missing + each - 1) // each, 1)


@jit
def worth(height, suit):
    """Points of both hands that a level of a strain needs."""
    return PLAIN_WORTH[height] if suit == NO_TRUMP else SUIT_WORTH[height]


@jit
def next_worth(table, seat, height, suit):
    """Points with which a side would bid higher: for the next level, or from a game on for a slam."""
    if height >= goal(table, seat, suit):
        return worth(max(height + 1, 6), suit)
    return worth(height + 1, suit)


@jit
def set_meaning(meaning, low, high, counted, rank, suit):
    """Begin a meaning; lengths are free, no test."""
    meaning.means, meaning.low, meaning.high, meaning.counted, meaning.rank = 1, low, high, counted, rank
    meaning.strain, meaning.test, meaning.forcing = suit, 0, 0
    for other in range(4):
        meaning.least[other], meaning.most[other] = 0, 13
