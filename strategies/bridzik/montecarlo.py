"""Deals the unseen cards many times and tries its answers on every deal; takes what makes its bid likeliest.

For each answer worth a thought the same deals are played on by fast policies (``_fast``) to the seat's next
choice, where the network of ``champion`` says how likely its bid is made. The deals agree with all that has
been seen (``_hidden``); those that explain the others' bids and cards are taken more often. Answers that fall
far behind are given up early.

A bid is judged by its points, a card by the chance that the bid is then made exactly; once the bid is lost,
by the points it leaves to the others at the end. Of answers about as good it takes the one of the policy.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.playout import POSITION, apply, set_public
from bridzik_sim.games.bridzik.rules import BONUS, SEATS, VIEW, round_points
from bridzik_sim.jit import jit
from strategies.bridzik._fast import chance_of_bid, different, finish, policy_answer
from strategies.bridzik._hidden import UNSEEN, deal, likelihood, note_play, note_seen, start
from strategies.parts.search import best_of, give_up, list_of, near

# Deals that every answer is tried on; a quarter of them once the bid is lost.
PARAMS = {"samples": 100}
RANGES = {"samples": (1, 100_000)}

# Bids that are tried on each side of the policy's.
WIDTH = 1
# Deals of which one is taken, by how well it explains what the others did.
TRIES = 4
# After every so many deals answers far behind are given up.
BATCH = 20
# Points that the policy's own answer is given in advance: it need not be proved right by chance.
IN_ADVANCE = 5.0

# Places in an array of positions: as it is, to be played out, and what was before.
NOW, THEN, BEFORE = 0, 1, 2


def bid(view):
    """The bid with the most points over the deals, of the policy's and those next to it."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    positions, views = room(view)
    own = policy_answer(positions[NOW], views[0], view.seat)
    return search(view, positions, views, near(view.legal, own, WIDTH), own)


def play(view):
    """The card after which the bid is made most often, or others get the fewest points once it is lost."""
    note_seen(view)
    card = lowest(view.legal)
    if view.legal & (view.legal - 1) != 0:
        positions, views = room(view)
        card = policy_answer(positions[NOW], views[0], view.seat)
        candidates = different(view, card)
        if candidates & (candidates - 1) != 0:
            card = search(view, positions, views, candidates, card)
    note_play(view, card)
    return card


@jit
def room(view):
    """Three positions, the first of them the view's without the hands of others, and a view to show in."""
    positions, views = np.zeros(3, POSITION), np.zeros(1, VIEW)
    set_public(positions[NOW], view)
    positions[NOW].hands[view.seat] = view.hand
    return positions, views


@jit
def search(view, positions, views, candidates, own):
    """The best of ``candidates`` over the samples; ``own`` is the policy's answer."""
    unseen, answers = np.empty(1, UNSEEN), list_of(candidates)
    start(view, unseen[0])
    need = view.bids[view.seat] - view.taken[view.seat]
    lost = view.has_bid[view.seat] == 1 and not 0 <= need <= popcount(view.hand)
    samples = max(np.int64(view.params[0]) // (4 if lost else 1), 1)
    worth, alive = np.zeros((samples, answers.size)), answers.size
    for sample in range(samples):
        draw(view, unseen[0], positions, views[0])
        for i in range(alive):
            positions[THEN] = positions[NOW]
            apply(positions[THEN], answers[i])
            worth[sample, i] = judge(positions[THEN], views[0], view.seat, lost)
        if (sample + 1) % BATCH == 0:
            alive = give_up(answers, worth, sample + 1, alive)
            if alive == 1:
                break
    return answers[best_of(answers, worth, samples, alive, own, IN_ADVANCE)]


@jit(inline=True)
def draw(view, unseen, positions, shown):
    """Deal the unseen cards into the hands of the first position.

    Of some deals one is taken, each in proportion to how well it explains what the others did.
    """
    hands, total = positions[NOW].hands, 0.0
    chosen = np.empty(SEATS, np.int64)
    for _ in range(TRIES):
        deal(view, unseen, hands)
        chance = likelihood(view, positions[BEFORE], shown, hands)
        total += chance
        if streams.uniform(view) * total < chance:
            for seat in range(SEATS):
                chosen[seat] = hands[seat]
    for seat in range(SEATS):
        hands[seat] = chosen[seat]


@jit(inline=True)
def judge(position, shown, seat, lost):
    """Points that ``seat`` may expect; once its bid is lost, minus those of the others at the end."""
    if not lost:
        return chance_of_bid(position, shown, seat) * (BONUS + position.bids[seat])
    finish(position, shown, seat)
    points = 0
    for other in range(SEATS):
        points -= round_points(position.bids[other], position.taken[other])
    return 1.0 * points
