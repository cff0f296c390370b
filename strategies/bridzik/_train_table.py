"""Trains the tables of ``table`` (see ``_chances``) in self-play; each hand size is a part."""

import numpy as np

from bridzik_sim.cards import nth, popcount
from bridzik_sim.games.bridzik.rules import MAX_SIZE
from bridzik_sim.jit import jit
from strategies.bridzik import _by_chances, heuristic
from strategies.bridzik._chances import M_SCALE, OF_BID, WIDTH, bid_corrections, table_needs
from strategies.bridzik._self_play import GAME, ROOM
from strategies.parts.chances import place_in_hand
from strategies.parts.self_play import learn, other_bid

PARTS = tuple(str(size) for size in range(MAX_SIZE, 0, -1))
ROUNDS_A_CARD = 400_000
# The tables first learn what tricks the cards take, then which answers make the bid: (share of the rounds,
# weight of the tricks in the loss, learning rate as it begins and ends). Without the first stage a failed bid
# does not tell whether the hand is worth more or less.
STAGES = (0.1, 0.3, 5e-3, 2e-3), (0.9, 0.03, 5e-3, 3e-5)


@jit
def answer(model, view, example):
    """The table's answer, or any other, with what it was based on."""
    weights, _, (entries, scratch, _) = model
    table = weights[0][0]
    if example.bidding:
        code = _by_chances.best_bid(table, view, entries, scratch)
        code = other_bid(code, view.legal, example.other)
        example.answer, example.count = code, view.size
        _by_chances.bid_entries(view, example.active)
        asked, trumps = bid_corrections(view)
        example.active[OF_BID * view.size] = asked + code
        example.active[OF_BID * view.size + 1] = trumps + code
        return code
    code = _by_chances.best_card(table, view, entries, scratch)
    if example.other:
        code = nth(view.legal, example.other % popcount(view.legal))
    cards = popcount(view.hand)
    needs = table_needs(view, cards)
    if example.lost:
        _by_chances.spoil_entries(view, needs, code, example.active, 0)
        return code
    _by_chances.weigh_kept(table, view, needs, example.active, scratch)
    _by_chances.odds_met(table, view, needs, code, example.active, scratch)
    example.answer, example.count = place_in_hand(view.hand, code), cards * 16 + needs[1] - 1
    return code


@jit
def study(model, example, target):
    """Add the gradient of one example."""
    weights, slopes, (_, scratch, shares) = model
    table, slope = weights[0][0], slopes[0][0]
    if example.bidding:
        _by_chances.study_bid(
            table, slope, example.count, example.answer, example.later, example.active, target, shares[0],
            scratch,
        )  # fmt: skip
    elif example.lost:
        _by_chances.study_spoiling(table, slope, example.active, target)
    else:
        cards, need = example.count // 16, example.count % 16
        _by_chances.study_play(
            table, slope, cards, example.answer, need, example.won, example.later, example.active, target,
            shares[0], scratch,
        )  # fmt: skip


# Made once: the learning is compiled anew for every new dispatcher.
LEARNER, RIVALS = (answer, study), (jit(heuristic.bid), jit(heuristic.play))


def train(part, seed, say, rounds=None):
    """Train the table of one hand size: ``{"table_<size>": float32[WIDTH]}``."""
    size = int(part)
    rng = np.random.Generator(np.random.Philox(key=[seed, size]))
    table = np.zeros((1, WIDTH), np.float32)
    table[0, M_SCALE] = 1
    rounds = size * ROUNDS_A_CARD if rounds is None else rounds
    for share, weight, *rates in STAGES:
        scratch = np.zeros(ROOM, np.int64), np.zeros(_by_chances.SCRATCH), np.array([weight])
        learn(GAME, size, round(share * rounds), rng, (table,), scratch, LEARNER, RIVALS, say, rates)
    return {f"table_{part}": table[0]}
