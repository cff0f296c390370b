"""Trains the tables of ``table`` (see ``_chances``) in self-play; each number of players is a part."""

import numpy as np

from bridzik_sim.cards import lowest, nth, popcount
from bridzik_sim.games.wizard.rules import SEAT_COUNTS
from bridzik_sim.jit import jit
from strategies.parts.chances import place_in_hand
from strategies.parts.self_play import learn, other_bid
from strategies.wizard import _by_chances
from strategies.wizard._chances import (
    C_SCALE,
    M_SCALE,
    OF_BID,
    SIZES,
    WIDTH,
    asked_before,
    bid_corrections,
    bid_entries,
    table_needs,
)
from strategies.wizard._self_play import ROOM, game

PARTS = tuple(map(str, SEAT_COUNTS))
HANDS = 4_500_000
"""Rounds of a part times its players."""
# The tables first learn what tricks the cards take, then rather which answers make the bid: (share of the
# rounds, weight of the tricks in the loss, learning rate as it begins and ends).
STAGES = (0.03, 0.3, 5e-3, 3e-3), (0.97, 0.1, 5e-3, 5e-5)
CARDS = 64
"""A play is noted as CARDS * cards in hand + SIZES + tricks needed."""


@jit
def answer(model, view, example):
    """The table's answer, or any other, with what it was based on."""
    weights, _, (entries, scratch, _) = model
    table = weights[0][0]
    if example.bidding:
        code = other_bid(_by_chances.best_bid(table, view, entries, scratch), view.legal, example.other)
        example.answer, example.count = code, view.size
        asked = asked_before(view)
        bid_entries(view, asked, example.active)
        bid_corrections(view, asked, code, example.active, OF_BID * view.size)
        return code
    code = _by_chances.best_card(table, view, entries, scratch)
    if example.other:
        code = nth(view.legal, example.other % popcount(view.legal))
    cards, need = popcount(view.hand), view.bids[view.seat] - view.taken[view.seat]
    needs = table_needs(view, cards)
    _by_chances.weigh_kept(table, view, needs, example.active, scratch)
    _by_chances.card_points(table, view, needs, need, code, example.active, scratch)
    example.answer, example.count = place_in_hand(view.hand, code), CARDS * cards + SIZES + need
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
    else:
        cards, need = example.count // CARDS, example.count % CARDS - SIZES
        _by_chances.study_play(
            table, slope, cards, example.answer, need, example.won, example.later, example.active, target,
            shares[0], scratch,
        )  # fmt: skip


@jit
def nobody(view):
    """The answer of a rival; the learner plays by itself."""
    return lowest(view.legal)


# Made once: the learning is compiled anew for every new dispatcher.
LEARNER, RIVALS = (answer, study), (nobody, nobody)


def train(part, seed, say, rounds=None):
    """Train the table of one number of players: ``{"table_<players>": float32[WIDTH]}``."""
    seats = int(part)
    rng = np.random.Generator(np.random.Philox(key=[seed, seats]))
    table = np.zeros((1, WIDTH), np.float32)
    for scale in (M_SCALE, C_SCALE):
        table[0, scale : scale + SIZES] = 1
    rounds = HANDS // seats if rounds is None else rounds
    for share, weight, *rates in STAGES:
        scratch = np.zeros(ROOM, np.int64), np.zeros(_by_chances.SCRATCH), np.array([weight])
        learn(game(seats), seats, round(share * rounds), rng, (table,), scratch, LEARNER, RIVALS, say, rates)
    return {f"table_{part}": table[0]}
