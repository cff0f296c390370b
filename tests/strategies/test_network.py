"""The small network and how it learns, against plain numpy."""

import numpy as np
import pytest

from strategies.parts import network, vectors
from strategies.parts.adam import descend
from strategies.parts.network import ANSWERS, HIDDEN, HIDDEN_2, WIDTH

FEATURES = 30


def made(seed):
    rng = np.random.default_rng(seed)
    layers = [
        layer + rng.normal(0, 0.1, layer.shape).astype(np.float32) for layer in network.new(FEATURES, rng)
    ]
    return layers, rng.permutation(FEATURES)[:9]


def plain(layers, active):
    first, second, third = (layer.astype(np.float64) for layer in layers)
    hidden = np.maximum(first[active].sum(axis=0), 0)
    hidden_2 = np.maximum(second[-1] + hidden @ second[:-1], 0)
    return third[-1] + hidden_2 @ third[:-1]


def evaluated(layers, active):
    work = np.empty(ANSWERS + WIDTH, np.float32)
    network.evaluate(active, active.size, *layers, work)
    return work


@pytest.mark.parametrize("seed", range(3))
def test_it_evaluates_as_numpy_does(seed):
    layers, active = made(seed)
    assert evaluated(layers, active)[ANSWERS:] == pytest.approx(plain(layers, active), abs=1e-5)


def test_only_the_first_features_given_count():
    layers, active = made(0)
    work = np.empty(ANSWERS + WIDTH, np.float32)
    network.evaluate(active, 4, *layers, work)
    assert work[ANSWERS:] == pytest.approx(plain(layers, active[:4]), abs=1e-5)


@pytest.mark.parametrize("answer", [0, 31])
def test_the_gradient_is_that_of_small_changes(answer):
    layers, active = made(answer + 10)
    slopes = [np.zeros_like(layer) for layer in layers]
    work = evaluated(layers, active)
    network.back(active, active.size, *layers[1:], work, answer, np.float32(2), *slopes)
    rng = np.random.default_rng(1)
    for layer, slope in zip(layers, slopes, strict=True):
        places = [tuple(rng.integers(0, layer.shape)) for _ in range(30)]
        places += [(int(active[0]), 3), (layer.shape[0] - 1, answer % layer.shape[1])]
        for place in places:
            both = []
            for step in (1e-6, -1e-6):
                changed = [other.astype(np.float64) for other in layers]
                changed[[id(other) for other in layers].index(id(layer))][place] += step
                both.append(plain(changed, active)[answer])
            assert slope[place] == pytest.approx(2 * (both[0] - both[1]) / 2e-6, abs=1e-4)


def test_gradients_add_up():
    layers, active = made(3)
    once, twice = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
    work = evaluated(layers, active)
    for slopes, times in ((once, 1), (twice, 2)):
        for _ in range(times):
            network.back(active, active.size, *layers[1:], work, 5, np.float32(1), *slopes)
    for one, two in zip(once, twice, strict=True):
        assert two == pytest.approx(2 * one, rel=1e-5)
        assert np.abs(one).max() > 0


def test_products_are_added_half_by_half():
    rng = np.random.default_rng(2)
    matrix, vector = (
        rng.normal(size=(3, HIDDEN_2)).astype(np.float32),
        rng.normal(size=HIDDEN_2).astype(np.float32),
    )
    from bridzik_sim.jit import jit

    @jit
    def product(matrix, vector):
        return vectors.dot(matrix, 2, HIDDEN_2, vector)

    total = matrix[2] * vector
    while total.size > 1:
        total = total[: total.size // 2] + total[total.size // 2 :]
    assert product(matrix, vector) == total[0]


def test_adam_steps_as_published():
    # Kingma and Ba (2015), algorithm 1, in float64.
    rng = np.random.default_rng(4)
    weights = rng.normal(size=(3, 5)).astype(np.float32)
    expected, mean, square = weights.astype(np.float64), np.zeros((3, 5)), np.zeros((3, 5))
    means, squares = np.zeros((2, 3, 5), np.float32)
    for step in range(1, 6):
        slopes = rng.normal(size=(3, 5)).astype(np.float32)
        mean, square = 0.9 * mean + 0.1 * slopes, 0.999 * square + 0.001 * slopes.astype(np.float64) ** 2
        expected -= 0.01 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        descend(weights, slopes, means, squares, step, np.float32(0.01))
        assert not slopes.any()
    assert weights == pytest.approx(expected, abs=1e-5)


def test_new_weights_depend_on_the_generator_only():
    one, two = (network.new(FEATURES, np.random.default_rng(7)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert [layer.shape for layer in one] == [
        (FEATURES, HIDDEN),
        (HIDDEN + 1, HIDDEN_2),
        (HIDDEN_2 + 1, WIDTH),
    ]
