"""Adam: one step of gradient descent with a rate of its own for every weight."""

import numpy as np

from bridzik_sim.jit import jit

KEEP_MEAN, KEEP_SQUARE, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
ZERO, ONE = np.float32(0), np.float32(1)


@jit
def descend(weights, slopes, means, squares, step, rate):
    """Change a matrix of weights by the gradient in ``slopes``, and clear that.

    All are float32 matrices of one shape; ``means`` and ``squares`` are kept from step to step, zero at
    first; ``step`` counts from 1; ``rate`` is the learning rate, float32. Source: Kingma and Ba, "Adam: a
    method for stochastic optimization" (2015), algorithm 1.
    """
    unbias_mean = np.float32(1 / (1 - 0.9**step))
    unbias_square = np.float32(1 / (1 - 0.999**step))
    for row in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            slope = slopes[row, j]
            mean = KEEP_MEAN * means[row, j] + (ONE - KEEP_MEAN) * slope
            square = KEEP_SQUARE * squares[row, j] + (ONE - KEEP_SQUARE) * slope * slope
            means[row, j], squares[row, j] = mean, square
            # Not "/": its check for zero would keep the loop from being vectorised.
            size = np.sqrt(square * unbias_square) + TINY
            weights[row, j] -= np.true_divide(rate * mean * unbias_mean, size)
            slopes[row, j] = ZERO
