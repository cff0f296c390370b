"""Throws cards like heuristic, then calls and plays by exact solving: never does worse than par.

In the auction it takes a call that loses nothing against best play of the other (``par.py``), of those the
one that gains most if the other passes then, so that the other has to find what is better. In the play it
takes a card that loses no trick (``solver.py``), of those the one after which the answers of the other lose
most on average. The score of the match changes nothing, since the best result is the best at any score. It
draws no random numbers.
"""

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games.french_cards import CARDS
from bridzik_sim.games.honeymoon.par import STRAIN_COUNT, VALUES, best_calls, fill_tricks, fill_values
from bridzik_sim.games.honeymoon.rules import DRAWING
from bridzik_sim.games.honeymoon.solver import answer_values, new_table, wins
from bridzik_sim.jit import jit
from strategies.honeymoon import heuristic
from strategies.honeymoon._auction import contract_after, own_points
from strategies.honeymoon._draw import thrown

THROWS_BY = np.array(list(heuristic.PARAMS.values()))
# Places in view.memory: whether the deal has been solved, and what was found.
SOLVED, TRICKS = 0, 1


def call(view):
    """A call that loses nothing."""
    tricks, values = solved(view), np.zeros(VALUES, np.int64)
    fill_values(tricks, view.vulnerable, values)
    bid, doubled, bidder = view.contract, view.doubled, view.bidder
    if bid == 0:
        doubled, bidder = view.n_calls, 1 - view.dealer
    calls = best_calls(values, tricks, view.vulnerable, bid, doubled, bidder)
    choice, most = -1, 0
    while calls != 0:
        made = lowest(calls)
        calls &= calls - 1
        bid, doubled, bidder = contract_after(view, made)
        points = own_points(view, tricks, bid, doubled, bidder)
        if choice < 0 or points > most:
            choice, most = made, points
    return choice


def play(view):
    """The card of least worth while cards are drawn, then one that loses no trick."""
    if view.phase == DRAWING:
        return thrown(view, THROWS_BY)
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    led = view.best if view.trick_length > 0 else -1
    table, values = new_table(), np.zeros(CARDS, np.int64)
    best = answer_values(view.hand, view.unseen, view.trump, led, table, values)
    return hardest(view, best, led, table, values)


@jit
def solved(view):
    """The tricks of seat 0 in every strain, solved once a deal."""
    tricks = np.zeros(STRAIN_COUNT, np.int64)
    if view.memory[SOLVED] == 0:
        north, south = (view.hand, view.unseen) if view.seat == 0 else (view.unseen, view.hand)
        fill_tricks(north, south, 1 - view.dealer, new_table(), tricks)
        view.memory[SOLVED] = 1
        for strain in range(STRAIN_COUNT):
            view.memory[TRICKS + strain] = tricks[strain]
    for strain in range(STRAIN_COUNT):
        tricks[strain] = np.int64(view.memory[TRICKS + strain])
    return tricks


@jit
def hardest(view, cards, led, table, values):
    """Of the ``cards`` the one after which the other loses most on average, if it plays next."""
    choice, most = -1, 0.0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        rest, lost = view.hand ^ 1 << card, 0.0
        if led < 0:
            lost = average_loss(view.unseen, rest, view.trump, card, table, values)
        elif not wins(card, led, view.trump):
            lost = average_loss(view.unseen, rest, view.trump, -1, table, values)
        if choice < 0 or lost > most:
            choice, most = card, lost
    return choice


@jit
def average_loss(own, other, trump, led, table, values):
    """Tricks that the cards of the seat to play lose, on average over those it may play."""
    answer_values(own, other, trump, led, table, values)
    total = count = most = 0
    for value in values:
        if value >= 0:
            total, count, most = total + value, count + 1, max(most, value)
    return most - total / count
