"""Adds up learned chances of its cards to a distribution of tricks; bids and plays for exactly its bid.

How it thinks, in three steps:

1. Every card gets a chance to win, from tables (``_chances``) that say how much the cards above it, its suit,
   the trumps held, the others' bids and the like change its log-odds. They were learned in self-play and are
   remade by ``bridzik train table``.
2. As if cards won or lost independently, the chances give a distribution of tricks (Poisson-binomial).
3. It bids the number with the highest expected points, and plays the card after which meeting its bid is
   most probable; once its bid is lost, the card after which most of the others fail.

It draws no random numbers.
"""

from pathlib import Path

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.bridzik.rules import MAX_SIZE
from strategies.bridzik import _by_chances
from strategies.bridzik._by_chances import ENTRIES_OF_A_DECISION, SCRATCH

DATA = ("table.npz",)
with np.load(Path(__file__).with_name(DATA[0])) as _data:
    TABLES = np.stack([_data[f"table_{size}"] for size in range(1, MAX_SIZE + 1)])


def bid(view):
    """The bid with the highest expected points."""
    entries, scratch = np.empty(ENTRIES_OF_A_DECISION, np.int64), np.empty(SCRATCH)
    return _by_chances.best_bid(TABLES[view.size - 1], view, entries, scratch)


def play(view):
    """The card after which exactly the tricks needed are most likely."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    entries, scratch = np.empty(ENTRIES_OF_A_DECISION, np.int64), np.empty(SCRATCH)
    return _by_chances.best_card(TABLES[view.size - 1], view, entries, scratch)
