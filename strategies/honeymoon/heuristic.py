"""Throws the card of least worth; bids what it takes in tricks by rules of thumb, by which it plays, too.

In the auction, when all cards are known, it plays the deal out in every strain by the same rules for both
hands. Of its calls it takes the one that gains most, with the vulnerability as it is, if the other passes
or doubles; so it bids what it can make, doubles what goes down, and sacrifices where that is cheaper.

The score of the match changes nothing: with all cards known there is no risk to take or to avoid, and the
best result is the best at any score. It draws no random numbers.
"""

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.contract import DOUBLE, HAND_SIZE, NO_TRUMP, PASS
from bridzik_sim.games.honeymoon.par import STRAIN_COUNT
from bridzik_sim.games.honeymoon.rules import DRAWING
from bridzik_sim.jit import jit
from strategies.honeymoon._auction import contract_after, own_points
from strategies.honeymoon._draw import thrown
from strategies.honeymoon._thumb import card_by_thumb, tricks_by_thumb

# What a card is worth in the first phase, see ``_draw``. Found by CMA-ES in self-play; what the hands were
# worth in the end was told by a linear model of par.
PARAMS = {
    "nine": 24.0, "ten": 39.0, "jack": 111.0, "queen": 121.0, "king": 183.0, "ace": 307.0,
    "first": -126.0, "second": 7.0, "third": 44.0, "further": 87.0,
    "winning": 66.0, "high": 95.0, "void": 43.0,
}  # fmt: skip
RANGES = {
    "nine": (0.0, 500.0), "ten": (0.0, 500.0), "jack": (0.0, 500.0), "queen": (0.0, 500.0),
    "king": (0.0, 500.0), "ace": (0.0, 1000.0),
    "first": (-500.0, 500.0), "second": (-500.0, 500.0), "third": (-500.0, 500.0), "further": (-500.0, 500.0),
    "winning": (-500.0, 500.0), "high": (-500.0, 500.0), "void": (-500.0, 500.0),
}  # fmt: skip


def call(view):
    """The call that gains most; of equal ones the lowest, so rather a pass."""
    tricks = promised(view)
    choice, most, calls = PASS, gain(view, tricks, PASS), view.legal ^ 1 << PASS
    while calls != 0:
        made = lowest(calls)
        calls &= calls - 1
        gained = gain(view, tricks, made)
        if gained > most:
            choice, most = made, gained
    return choice


def play(view):
    """The card of least worth while cards are drawn, then the one of the rules of thumb."""
    if view.phase == DRAWING:
        return thrown(view, view.params)
    led = view.best if view.trick_length > 0 else -1
    return card_by_thumb(view.hand, view.unseen, view.trump, led)


@jit
def promised(view):
    """The tricks that seat 0 takes in each strain when both play by the rules of thumb."""
    tricks, leads = np.zeros(STRAIN_COUNT, np.int64), view.seat != view.dealer
    for strain in range(STRAIN_COUNT):
        trump = strain if strain < NO_TRUMP else -1
        own = tricks_by_thumb(view.hand, view.unseen, trump, leads)
        tricks[strain] = own if view.seat == 0 else HAND_SIZE - own
    return tricks


@jit
def gain(view, tricks, call):
    """Points after a call, if the other passes; after a bid, also if it doubles, whatever is worse."""
    bid, doubled, bidder = contract_after(view, call)
    points = own_points(view, tricks, bid, doubled, bidder)
    if PASS < call < DOUBLE:
        return min(points, own_points(view, tricks, bid, 1, bidder))
    return points
