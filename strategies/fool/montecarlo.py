"""Deals the unseen cards many times and plays each of its moves on; takes what most likely wins the game.

For each legal answer the same deals are played to the end of the round by a fast policy (``_fast``). The
deals agree with all that is public (``_hidden``); those that explain why others have passed are taken more
often. An answer is judged by the chance to win the game with the scores after the round (``_outlook``).
Answers that fall far behind are given up early; where none is clearly better than the policy's it takes that.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest
from bridzik_sim.games.fool.playout import POSITION, set_public
from bridzik_sim.games.fool.rules import MAX_SEATS, VIEW
from bridzik_sim.jit import jit
from strategies.fool._fast import finish, policy_answer, set_knobs
from strategies.fool._hidden import lay_out, likelihood, passed_on_top
from strategies.fool._outlook import chance_to_win
from strategies.parts.search import best_of, give_up, list_of

# samples: deals that every answer is tried on. ease: see ``_outlook``.
PARAMS = {"samples": 100, "ease": 30.0}
RANGES = {"samples": (1, 100_000), "ease": (0.0, 1000.0)}

# Turns of each player after which a round that is played on ends.
TURNS = 40
# Deals of which one is taken, by how well it explains that others have passed.
TRIES = 4
# After every so many deals answers far behind are given up.
BATCH = 50
# Standard errors by which an answer has to be better than the policy's. With few samples chance speaks for
# another answer more often than its worth does.
CAUTION = 1.0

# Places in an array of positions: as it is, to be played out, and the deal taken.
NOW, THEN, CHOSEN = range(3)


def move(view):
    """The best of the legal moves."""
    return answer(view)


def suit(view):
    """The best of all suits."""
    return answer(view)


@jit
def answer(view):
    """The best of the legal answers."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    positions, views = np.zeros(3, POSITION), np.zeros(MAX_SEATS, VIEW)
    set_public(positions[NOW], view, view.turns + TURNS * view.players)
    positions[NOW].hands[view.seat] = view.hand
    set_knobs(views)
    own = policy_answer(positions[NOW], views)
    return search(view, positions, views, own)


@jit
def search(view, positions, views, own):
    """The best of the legal answers over the samples; ``own`` is the policy's."""
    answers, passed = list_of(view.legal), passed_on_top(view)
    samples = max(np.int64(view.params[0]), 1)
    worth, alive = np.zeros((samples, answers.size)), answers.size
    for sample in range(samples):
        draw(view, positions, passed)
        for i in range(alive):
            positions[THEN] = positions[CHOSEN]
            finish(positions[THEN], views, answers[i])
            worth[sample, i] = chance_to_win(positions[THEN], view.seat, view.params[1])
        if (sample + 1) % BATCH == 0:
            alive = give_up(answers, worth, sample + 1, alive)
            if alive == 1:
                break
    best = best_of(answers, worth, samples, alive, own, 0.0)
    for i in range(alive):
        if answers[i] == own and not is_better(worth, samples, best, i):
            return own
    return answers[best]


@jit
def is_better(worth, samples, best, other):
    """Whether the answer at place ``best`` is clearly worth more than the one at ``other``."""
    total, squares = 0.0, 0.0
    for sample in range(samples):
        ahead = worth[sample, best] - worth[sample, other]
        total += ahead
        squares += ahead * ahead
    return total > 0 and total * total > CAUTION * CAUTION * squares


@jit
def draw(view, positions, passed):
    """Deal the unseen cards; of some deals one is taken, in proportion to how well it explains the passes."""
    total = 0.0
    for _ in range(TRIES if passed else 1):
        lay_out(view, positions[NOW])
        chance = likelihood(view, passed, positions[NOW].hands)
        total += chance
        if streams.uniform(view) * total < chance:
            positions[CHOSEN] = positions[NOW]
