"""Bids and plays from two networks that estimate the chance of every answer to make the bid.

``scratch`` is a tuple of active features (int64[ROOM]), cards by answer (int64[PLAY_ANSWERS]) and work for a
bid and for a play (float32).
"""

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.bridzik.rules import BONUS
from bridzik_sim.jit import jit
from strategies.bridzik import _features
from strategies.bridzik._features import PLAY_ANSWERS, ROOM
from strategies.parts.network import ANSWERS, WIDTH, evaluate


@jit
def best_bid(first, second, third, view, active, work):
    """The legal bid of the highest expected points; returns it and the number of active features."""
    count = _features.bids(view, active)
    evaluate(active, count, first, second, third, work)
    choice, best = lowest(view.legal), -1.0
    for tricks in range(view.size + 1):
        points = (BONUS + tricks) / (1 + np.exp(-np.float64(work[ANSWERS + tricks])))
        if view.legal >> tricks & 1 and points > best:
            choice, best = tricks, points
    return choice, count


@jit
def best_play(first, second, third, view, active, cards, work):
    """The answer of the highest log-odds among those that have a legal card in ``cards``, which this fills.

    Returns the answer and the number of active features.
    """
    count = _features.plays(view, active, cards)
    evaluate(active, count, first, second, third, work)
    choice = -1
    for answer in range(PLAY_ANSWERS):
        if cards[answer] >= 0 and (choice < 0 or work[ANSWERS + answer] > work[ANSWERS + choice]):
            choice = answer
    return choice, count


@jit
def bid_scratch():
    """(active features, work) of a bid."""
    return np.empty(ROOM, np.int64), np.empty(ANSWERS + WIDTH, np.float32)


@jit
def play_scratch():
    """(active features, cards, work) of a play."""
    work = np.empty(ANSWERS + WIDTH, np.float32)
    return np.empty(ROOM, np.int64), np.empty(PLAY_ANSWERS, np.int64), work
