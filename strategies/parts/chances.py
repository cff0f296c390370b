"""Chances from learned log-odds, the number of tricks they add up to, and their slopes.

A table is a float32 row of log-odds. Of each thing with a chance, such as a card that may win a trick, a few
*entries* of the table are noted, by what it and its surroundings look like; their sum is its log-odds. Which
entries those are is a game's own.
"""

import numpy as np

from bridzik_sim.cards import popcount
from bridzik_sim.jit import jit

LEAST = 1e-4
"""Chances this near to 0 or 1 are as good as certain: log-odds and slopes beyond are cut off."""


@jit
def chance(table, entries, first, count):
    """Chance from the log-odds that ``count`` entries from ``first`` add up to."""
    total = np.float64(0.0)
    for i in range(first, first + count):
        total += table[entries[i]]
    return 1 / (1 + np.exp(-total))


@jit
def log_odds(chance):
    """Log-odds of a chance, kept from 0 and 1."""
    chance = min(max(chance, LEAST), 1 - LEAST)
    return np.log(chance / (1 - chance))


@jit
def distribute(chances, count, skip, most, tricks):
    """Put the chances of 0 to ``most`` tricks into ``tricks``: the Poisson-binomial distribution.

    ``chances`` are those of ``count`` cards to win, of which number ``skip`` is left out (-1: none).
    """
    tricks[0] = 1.0
    for n in range(1, most + 1):
        tricks[n] = 0.0
    for i in range(count):
        if i != skip:
            wins = chances[i]
            for n in range(most, 0, -1):
                tricks[n] += wins * (tricks[n - 1] - tricks[n])
            tricks[0] -= wins * tricks[0]


@jit
def place_in_hand(hand, card):
    """How many cards of the hand have a lower id."""
    return popcount(hand & ((1 << card) - 1))


@jit
def spread_slope(slopes, entries, first, count, slope):
    """Add the slope of a chance's log-odds to the slopes of its entries."""
    for i in range(first, first + count):
        slopes[entries[i]] += np.float32(slope)


@jit
def slope_of(chance):
    """Slope of the log-odds by their chance."""
    inside = min(max(chance, LEAST), 1 - LEAST)
    return 1 / (inside * (1 - inside))


@jit
def one_more(tricks, number):
    """How the chance of ``number`` tricks changes with that of one more card to win."""
    return -tricks[number] + (tricks[number - 1] if number > 0 else 0.0)
