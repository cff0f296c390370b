"""Comparing answers on samples: which to try, which to give up early, which to take.

``worth`` is float64[samples, answers]: what each of the ``answers`` (int64) was worth on each sample. Those
that are still compared come first, ``alive`` of them.
"""

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.jit import jit

FAR = 2.0
"""An answer is given up that is so many standard errors behind the best."""


@jit
def list_of(mask):
    """The numbers of a mask, lowest first."""
    numbers = np.empty(popcount(mask), np.int64)
    for i in range(numbers.size):
        numbers[i] = lowest(mask)
        mask &= mask - 1
    return numbers


@jit
def near(legal, own, width):
    """Mask of the legal numbers next to ``own``, ``width`` on each side, itself included."""
    chosen, up, down = 1 << own, legal & -(2 << own), legal & ((1 << own) - 1)
    for _ in range(width):
        chosen |= up & -up
        up &= up - 1
        if down != 0:
            chosen |= 1 << highest(down)
            down ^= 1 << highest(down)
    return chosen


@jit
def runs(cards, others, own, ranks):
    """Mask of ``cards``, one of every run of neighbours in a suit that no card of ``others`` lies between.

    ``own`` stands for its run, else the lowest.
    """
    chosen, run, last = 0, 0, -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        between = ((1 << card) - 1) & ~((2 << last) - 1) if last >= 0 else 0
        if last < 0 or card // ranks != last // ranks or between & others:
            chosen |= run
            run = 1 << card
        if card == own:
            run = 1 << card
        last = card
    return chosen | run


@jit
def best_of(answers, worth, count, alive, own, in_advance):
    """Place of the answer worth most over ``count`` samples; the policy's ``own`` has points in advance."""
    best, most = 0, 0.0
    for i in range(alive):
        total = in_advance if answers[i] == own else 0.0
        for sample in range(count):
            total += worth[sample, i]
        if i == 0 or total > most:
            best, most = i, total
    return best


@jit
def give_up(answers, worth, count, alive):
    """Drop the answers far behind on ``count`` samples from both arrays; return how many are left."""
    best, kept = best_of(answers, worth, count, alive, -1, 0.0), 0
    far = np.empty(alive, np.bool_)
    for i in range(alive):
        total, squares = 0.0, 0.0
        for sample in range(count):
            behind = worth[sample, best] - worth[sample, i]
            total += behind
            squares += behind * behind
        far[i] = total * total > FAR * FAR * (squares - total * total / count)
    for i in range(alive):
        if not far[i]:
            answers[kept] = answers[i]
            for sample in range(count):
                worth[sample, kept] = worth[sample, i]
            kept += 1
    return kept
