"""Deals the unseen cards many times and plays its answers on; takes what gains most on the others.

For each answer worth a thought the same deals are played to the end by a fast policy (``_fast``). The deals
agree with all that has been seen (``_hidden``); those that explain the others' bids are taken more often. An
answer is judged by the own points less the mean of the others'. Answers that fall far behind are given up
early; of answers about as good it takes the policy's.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest
from bridzik_sim.games.wizard.playout import POSITION, apply, bidding, set_public
from bridzik_sim.games.wizard.rules import MAX_SEATS, VIEW, round_points
from bridzik_sim.jit import jit
from strategies.parts.hidden import PILES, deal
from strategies.parts.search import best_of, give_up, list_of, near
from strategies.wizard._fast import different, finish, policy_answer, set_knobs
from strategies.wizard._hidden import lay_out, likelihood, note_play, note_seen, start

# Deals that every answer is tried on.
PARAMS = {"samples": 100}
RANGES = {"samples": (1, 100_000)}

# Bids that are tried on each side of the policy's.
WIDTH = 1
# Deals of which one is taken, by how well it explains the others' bids.
TRIES = 4
# After every so many deals answers far behind are given up.
BATCH = 20
# Points, over all samples, that the policy's own answer is given in advance. With few samples chance speaks
# for another answer more often than its worth does.
IN_ADVANCE = 200.0

# Places in an array of positions: as it is, to be played out, what was before, and that of the deal taken.
NOW, THEN, BEFORE, CHOSEN = range(4)


def bid(view):
    """The best of the policy's bid and those next to it."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    positions, views = room(view)
    own = policy_answer(positions[NOW], views[0])
    return search(view, positions, views, near(view.legal, own, WIDTH), own)


def play(view):
    """The best of the cards that differ."""
    note_seen(view)
    card = lowest(view.legal)
    if view.legal & (view.legal - 1) != 0:
        positions, views = room(view)
        card = policy_answer(positions[NOW], views[0])
        candidates = different(view, card)
        if candidates & (candidates - 1) != 0:
            card = search(view, positions, views, candidates, card)
    note_play(view, card)
    return card


def trump(view):
    """The best of all suits."""
    positions, views = room(view)
    own = policy_answer(positions[NOW], views[0])
    return search(view, positions, views, view.legal, own)


@jit
def room(view):
    """Positions, the first of them the view's without the hands of others, and a view to show in."""
    positions, views = np.zeros(4, POSITION), np.zeros(1, VIEW)
    set_public(positions[NOW], view)
    positions[NOW].hands[view.seat] = view.hand
    set_knobs(views[0])
    return positions, views


@jit
def search(view, positions, views, candidates, own):
    """The best of ``candidates`` over the samples; ``own`` is the policy's answer."""
    piles, answers = np.zeros(1, PILES), list_of(candidates)
    start(view, piles[0])
    samples = max(np.int64(view.params[0]), 1)
    worth, alive = np.zeros((samples, answers.size)), answers.size
    for sample in range(samples):
        draw(view, piles[0], positions, views[0])
        for i in range(alive):
            positions[THEN] = positions[NOW]
            apply(positions[THEN], answers[i])
            finish(positions[THEN], views[0])
            worth[sample, i] = gain(positions[THEN], view.seat)
        if (sample + 1) % BATCH == 0:
            alive = give_up(answers, worth, sample + 1, alive)
            if alive == 1:
                break
    return answers[best_of(answers, worth, samples, alive, own, IN_ADVANCE)]


@jit(inline=True)
def draw(view, piles, positions, shown):
    """Deal the unseen cards into the hands of the first position, and make up the bids that are hidden.

    Of some deals one is taken, each in proportion to how well it explains what the others bid.
    """
    now, chosen, total = positions[NOW], positions[CHOSEN], 0.0
    for _ in range(TRIES):
        deal(view, piles)
        lay_out(view, piles, now.hands)
        chance = likelihood(view, positions[BEFORE], shown, now.hands)
        total += chance
        if streams.uniform(view) * total < chance:
            for seat in range(MAX_SEATS):
                chosen.hands[seat] = now.hands[seat]
                chosen.bids[seat] = positions[BEFORE].bids[seat]
    for seat in range(MAX_SEATS):
        now.hands[seat] = chosen.hands[seat]
    if bidding(now):
        now.bid_sum = 0
        for seat in range(MAX_SEATS):
            now.bids[seat] = chosen.bids[seat]
            now.bid_sum += max(now.bids[seat], 0)


@jit
def gain(position, seat):
    """Points of ``seat`` in the round less the mean of the others'."""
    own, all_points = 0, 0
    for other in range(position.seats):
        points = round_points(position.bids[other], position.taken[other])
        all_points += points
        own = points if other == seat else own
    return own - (all_points - own) / (position.seats - 1)
