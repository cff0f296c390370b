"""Trains the networks of ``champion`` in self-play and against ``table``; each hand size is a part."""

import numpy as np

from bridzik_sim.games.bridzik.rules import MAX_SIZE
from bridzik_sim.jit import jit
from strategies.bridzik import _by_network, table
from strategies.bridzik._features import BID_FEATURES, PLAY_ANSWERS, PLAY_FEATURES
from strategies.bridzik._self_play import GAME
from strategies.parts import network
from strategies.parts.network import ANSWERS
from strategies.parts.self_play import learn, other_bid

PARTS = tuple(str(size) for size in range(MAX_SIZE, 0, -1))
ROUNDS_A_CARD = 600_000
RATES = 3e-3, 1e-5
KEYS = "bid_1", "bid_2", "bid_3", "play_1", "play_2", "play_3"


@jit
def answer(model, view, example):
    """The networks' answer, or any other, with the features it was based on."""
    weights, _, cards = model
    active, work = example.active, example.work
    if example.bidding:
        choice, count = _by_network.best_bid(weights[0], weights[1], weights[2], view, active, work)
        code = choice = other_bid(choice, view.legal, example.other)
    else:
        choice, count = _by_network.best_play(weights[3], weights[4], weights[5], view, active, cards, work)
        if example.other:
            choice = example.other % PLAY_ANSWERS
            while cards[choice] < 0:
                choice = (choice + 1) % PLAY_ANSWERS
        code = cards[choice]
    example.answer, example.count = choice, count
    return code


@jit
def study(model, example, target):
    """Add the gradient of the log-loss of one example; the weights are still those it was answered with."""
    weights, slopes, _ = model
    layer = 0 if example.bidding else 3
    error = 1 / (1 + np.exp(-np.float64(example.work[ANSWERS + example.answer]))) - target
    network.back(
        example.active, example.count, weights[layer + 1], weights[layer + 2], example.work, example.answer,
        np.float32(error), slopes[layer], slopes[layer + 1], slopes[layer + 2],
    )  # fmt: skip


# Made once: the learning is compiled anew for every new dispatcher.
LEARNER, RIVALS = (answer, study), (jit(table.bid), jit(table.play))


def train(part, seed, say, rounds=None):
    """Train the networks of one hand size: ``{"<bid or play>_<layer>_<size>": float16 matrix}``."""
    size = int(part)
    rng = np.random.Generator(np.random.Philox(key=[seed, size]))
    weights = *network.new(BID_FEATURES, rng), *network.new(PLAY_FEATURES, rng)
    rounds = size * ROUNDS_A_CARD if rounds is None else rounds
    cards = np.zeros(PLAY_ANSWERS, np.int64)
    learn(GAME, size, rounds, rng, weights, cards, LEARNER, RIVALS, say, RATES)
    return {f"{key}_{part}": one.astype(np.float16) for key, one in zip(KEYS, weights, strict=True)}
