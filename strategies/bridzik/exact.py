"""One-card rounds as in their only equilibrium, two-card rounds close to one, larger ones as champion.

The tables are made by ``_train_exact.py``: one card by iterated dominance over all deals, two cards by
counterfactual regret. It draws no random numbers.
"""

from pathlib import Path

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.bridzik.rules import SEATS
from bridzik_sim.jit import jit
from strategies.bridzik import champion as larger
from strategies.bridzik._two_cards import BIDS, HANDS, hand_number, in_order, play_number
from strategies.parts.tricks import winning_place

DATA = ("exact.npz",)
with np.load(Path(__file__).with_name(DATA[0])) as _data:
    # By node of the tree of bids: the set of the cards that bid 1.
    ONE_CARD = _data["one_card"]
    # By information set of _two_cards.py: the bid, and bits that say whether the second card is played.
    TWO_BIDS, TWO_PLAYS = _data["two_bids"], _data["two_plays"]

bid_larger, play_larger = jit(larger.bid), jit(larger.play)


def bid(view):
    """The bid of the table; of the larger rounds' strategy with more than two cards."""
    if view.size == 1:
        return ONE_CARD[node_of(view, 2)] >> lowest(view.hand) & 1
    if view.size == 2:
        first, second = in_order(lowest(view.hand), highest(view.hand))
        return np.int64(TWO_BIDS[node_of(view, BIDS) * HANDS + hand_number(first, second)])
    return bid_larger(view)


def play(view):
    """The card of the table; of the larger rounds' strategy with more than two cards."""
    if view.size > 2:
        return play_larger(view)
    if popcount(view.legal) == 1:
        return lowest(view.legal)
    first, second = in_order(lowest(view.hand), highest(view.hand))
    number = play_number(
        all_bids(view), view.trick_length, winning_place(view), first, second, view.lead, view.best
    )
    return second if TWO_PLAYS[number >> 3] >> (number & 7) & 1 else first


@jit
def node_of(view, bids):
    """Node of the tree of bids, each with ``bids`` branches, at which the view's seat bids."""
    node = 0
    for position in range(view.position):
        node = bids * node + 1 + view.bids[(view.starter + position) % SEATS]
    return node


@jit
def all_bids(view):
    """Number of the four bids of a two-card round."""
    number = 0
    for position in range(SEATS):
        number = BIDS * number + view.bids[(view.starter + position) % SEATS]
    return number
