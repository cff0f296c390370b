"""Two small networks, trained by playing, estimate the chance to make the bid; takes the best answer."""

from pathlib import Path

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.bridzik.rules import MAX_SIZE
from bridzik_sim.jit import jit
from strategies.bridzik import _by_network
from strategies.parts.network import ANSWERS

DATA = ("champion.npz",)
with np.load(Path(__file__).with_name(DATA[0])) as _data:
    BID_1, BID_2, BID_3, PLAY_1, PLAY_2, PLAY_3 = (
        np.stack([_data[f"{name}_{size}"].astype(np.float32) for size in range(1, MAX_SIZE + 1)])
        for name in ("bid_1", "bid_2", "bid_3", "play_1", "play_2", "play_3")
    )


def bid(view):
    """The bid with the highest expected points."""
    active, work = _by_network.bid_scratch()
    size = view.size - 1
    return _by_network.best_bid(BID_1[size], BID_2[size], BID_3[size], view, active, work)[0]


@jit
def chance(view):
    """The chance, 0 to 1, that its bid is made with its best card, before a play with a choice."""
    active, cards, work = _by_network.play_scratch()
    size = view.size - 1
    first, second, third = PLAY_1[size], PLAY_2[size], PLAY_3[size]
    choice, _ = _by_network.best_play(first, second, third, view, active, cards, work)
    return 1 / (1 + np.exp(-np.float64(work[ANSWERS + choice])))


def play(view):
    """The card after which its bid is most likely made; once that is lost, after which most others fail."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    active, cards, work = _by_network.play_scratch()
    size = view.size - 1
    first, second, third = PLAY_1[size], PLAY_2[size], PLAY_3[size]
    return cards[_by_network.best_play(first, second, third, view, active, cards, work)[0]]
