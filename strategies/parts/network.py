"""A small network on sparse inputs, and the gradient by which it learns.

The input is a list of active features; each picks a row of the first layer, and the rows are added up. Two
hidden layers of rectified linear units follow, then one number an answer: the log-odds that the answer is
right. A network is three float32 matrices:

    first[features, HIDDEN]        row 0 is the bias: name it as an active feature
    second[HIDDEN + 1, HIDDEN_2]   the last row is the bias
    third[HIDDEN_2 + 1, WIDTH]     the last row is the bias; a column an answer

``work`` is float32[ANSWERS + WIDTH] of scratch; after ``evaluate`` the answers lie in ``work[ANSWERS:]``.
The sums have a fixed order, so the same weights give the same numbers everywhere.
"""

import numpy as np

from bridzik_sim.jit import jit
from strategies.parts.vectors import add_scaled, dot, mix_rows, sum_rows

HIDDEN, HIDDEN_2 = 64, 32
ANSWERS = HIDDEN + HIDDEN_2
WIDTH = 32
ZERO, ONE = np.float32(0), np.float32(1)


@jit
def evaluate(active, count, first, second, third, work):
    """Put the log-odds of every answer into ``work[ANSWERS:]`` for the features ``active[:count]``."""
    sum_rows(first, active, count, HIDDEN, work)
    mix_rows(second, work, HIDDEN, HIDDEN_2, work[HIDDEN:])
    mix_rows(third, work[HIDDEN:], HIDDEN_2, WIDTH, work[ANSWERS:])


@jit
def back(active, count, second, third, work, answer, error, slope_1, slope_2, slope_3):
    """Add the gradient of one example to the slopes, matrices like those of the network.

    ``work`` is as ``evaluate`` left it; ``error`` is the slope of the loss by the log-odds of ``answer``.
    """
    back_1, back_2 = np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN_2, np.float32)
    for i in range(HIDDEN_2):
        value = work[HIDDEN + i]
        if value > ZERO:
            slope_3[i, answer] += error * value
            back_2[i] = error * third[i, answer]
    slope_3[HIDDEN_2, answer] += error
    for i in range(HIDDEN):
        value = work[i]
        if value > ZERO:
            add_scaled(slope_2, i, HIDDEN_2, value, back_2)
            back_1[i] = dot(second, i, HIDDEN_2, back_2)
    add_scaled(slope_2, HIDDEN, HIDDEN_2, ONE, back_2)
    for i in range(count):
        add_scaled(slope_1, active[i], HIDDEN, ONE, back_1)


def new(features, rng):
    """Three random matrices, drawn from a numpy generator."""
    scales = 0.1, (2 / HIDDEN) ** 0.5, 0.1
    shapes = (features, HIDDEN), (HIDDEN + 1, HIDDEN_2), (HIDDEN_2 + 1, WIDTH)
    layers = [rng.normal(0, scale, shape) for scale, shape in zip(scales, shapes, strict=True)]
    layers[1][-1] = layers[2][-1] = 0
    return tuple(layer.astype(np.float32) for layer in layers)
