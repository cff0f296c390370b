"""Bids as natural; deals the unseen cards many times, plays its cards on and takes what scores most.

For each card worth a thought the same deals are played to the end by a fast policy (``_fast``). The deals
agree with all that has been seen (``_hidden``); those that explain the calls are taken more often. A card is
judged by the points of the deal: contract and bonus, overtricks, undertricks. Cards that fall far behind are
given up early; of cards about as good it takes the policy's. To solve the last three or four tricks exactly
instead won no more IMPs and took up to five times as long.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest
from bridzik_sim.games.bridge.playout import POSITION, set_public
from bridzik_sim.games.bridge.playout import play as lay
from bridzik_sim.games.bridge.rules import SEATS, side_of
from bridzik_sim.jit import jit
from strategies.bridge import natural
from strategies.bridge._auction import read
from strategies.bridge._fast import different, finish, points_for, policy_card
from strategies.bridge._hidden import lay_out, likelihood, note_play, note_seen, start
from strategies.parts.hidden import PILES, deal
from strategies.parts.search import best_of, give_up, list_of

# Deals that every card is tried on.
PARAMS = {"samples": 80}
RANGES = {"samples": (1, 100_000)}

# Deals of which one is taken, by how well it explains the calls.
TRIES = 8
# After every so many deals cards far behind are given up.
BATCH = 20
# Points, over all samples, that the policy's own card is given in advance.
IN_ADVANCE = 100.0

# Places in an array of positions: as it is, to be played out, the deal taken.
NOW, THEN, CHOSEN = range(3)

natural_call = jit(natural.call)


def call(view):
    """The call of natural."""
    return natural_call(view)


def play(view):
    """The best of the cards that differ."""
    note_seen(view)
    card = lowest(view.legal)
    if view.legal & (view.legal - 1) != 0:
        card = searched(view)
    note_play(view, card)
    return card


@jit
def searched(view):
    """The best of several legal cards."""
    positions = np.zeros(3, POSITION)
    now = positions[NOW]
    set_public(now, view)
    for seat in range(SEATS):
        now.hands[seat] = 0
    if view.dummy_seat >= 0:
        now.hands[view.dummy_seat] = view.dummy
    now.hands[view.seat] = view.hand
    own = policy_card(now)
    candidates = different(now, view.legal, own)
    if candidates & (candidates - 1) == 0:
        return own
    return search(view, positions, candidates, own)


@jit
def search(view, positions, candidates, own):
    """The best of ``candidates`` over the samples; ``own`` is the policy's card."""
    piles, answers, reading = np.zeros(1, PILES)[0], list_of(candidates), read(view)
    start(view, piles)
    samples = max(np.int64(view.params[0]), 1)
    worth, alive = np.zeros((samples, answers.size)), answers.size
    declares = side_of(view.seat) == side_of(view.declarer)
    for sample in range(samples):
        draw(view, piles, reading, positions)
        for i in range(alive):
            positions[THEN] = positions[CHOSEN]
            lay(positions[THEN], answers[i])
            points = points_for(view, finish(positions[THEN]))
            worth[sample, i] = points if declares else -points
        if (sample + 1) % BATCH == 0:
            alive = give_up(answers, worth, sample + 1, alive)
            if alive == 1:
                break
    return answers[best_of(answers, worth, samples, alive, own, IN_ADVANCE)]


@jit
def draw(view, piles, reading, positions):
    """Deal the unseen cards; of some deals one is taken, in proportion to how well it explains the calls."""
    now, total = positions[NOW], 0.0
    for _ in range(TRIES):
        deal(view, piles)
        lay_out(view, piles, now.hands)
        chance = likelihood(view, reading, now.hands)
        total += chance
        if streams.uniform(view) * total < chance:
            positions[CHOSEN] = positions[NOW]
