"""Who wins a trick so far."""

import numpy as np

from strategies.parts.tricks import winning_place

VIEW = np.dtype([("trick_length", "int64"), ("best", "int64"), ("trick", "int64", (4,))])


def test_the_place_of_the_best_card():
    view = np.zeros(1, VIEW).view(np.recarray)[0]
    view.trick[:] = [12, 3, 30, -1]
    for length, best, place in ((3, 12, 0), (3, 30, 2), (2, 3, 1), (0, -1, -1)):
        view.trick_length, view.best = length, best
        assert winning_place(view) == place
