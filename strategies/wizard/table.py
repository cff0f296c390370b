"""Adds up learned chances of its cards to a distribution of tricks; bids and plays for the most points.

How it thinks, in three steps:

1. Every card gets a chance to win, from tables (``_chances``) that say how much the cards above it, its suit,
   the trumps and wizards held and unseen, the others' bids and the like change its log-odds. They were
   learned in self-play, a table for each number of players, and are remade by ``bridzik train table --game
   wizard``.
2. As if cards won or lost independently, the chances give a distribution of tricks (Poisson-binomial).
3. It bids the number with the highest expected points, and plays the card after which it expects most: the
   bid's points by the chance to make it exactly, and the loss by how far off it would be. The trump it names
   is the suit in which it would bid for the most points.

Where bids are hidden it takes the others' for their share of the tricks. It draws no random numbers.
"""

from pathlib import Path

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.wizard.rules import SEAT_COUNTS
from strategies.wizard import _by_chances
from strategies.wizard._by_chances import ENTRIES_OF_A_DECISION, SCRATCH
from strategies.wizard._chances import WIDTH

DATA = ("table.npz",)
FEWEST = min(SEAT_COUNTS)
with np.load(Path(__file__).with_name(DATA[0])) as _data:
    TABLES = np.stack([_data[f"table_{seats}"] for seats in SEAT_COUNTS])
if TABLES.shape[1] != WIDTH:
    raise ValueError("table.npz was trained for other entries; remake it: bridzik train table --game wizard")


def bid(view):
    """The bid with the highest expected points."""
    entries, scratch = np.empty(ENTRIES_OF_A_DECISION, np.int64), np.empty(SCRATCH)
    return _by_chances.best_bid(TABLES[view.seats - FEWEST], view, entries, scratch)


def play(view):
    """The card with the highest expected points."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    entries, scratch = np.empty(ENTRIES_OF_A_DECISION, np.int64), np.empty(SCRATCH)
    return _by_chances.best_card(TABLES[view.seats - FEWEST], view, entries, scratch)


def trump(view):
    """The suit in which its best bid has the highest expected points."""
    entries, scratch = np.empty(ENTRIES_OF_A_DECISION, np.int64), np.empty(SCRATCH)
    return _by_chances.best_trump(TABLES[view.seats - FEWEST], view, entries, scratch)
