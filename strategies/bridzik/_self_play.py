"""Learning from rounds played by the learner itself and by others.

Monte Carlo learning, as Zha et al. use it for another card game ("DouZero", 2021): whoever decides picks the
answer its model likes best, now and then another; once the round is over, every answer is told whether its
seat made the bid, and Adam moves the estimated chance towards that. A seat whose bid is lost learns to
spoil: it is told the share of the others that fail. In half of the rounds the learner sits at all four
seats, else at one or two, beside the strategies it shall beat.

A model is a tuple (weights, slopes, more): two tuples of float32 matrices of the same shapes, and whatever
scratch it needs. Two jitted functions make it a learner:

    answer(model, view, example)           an answer by the model; notes in ``example`` what it was based on
    study(model, example, target)          adds the gradient of the loss for ``target`` (0 to 1) to the slopes

``example`` also tells whether its card won the trick, and how many ``later`` tricks its seat took.

``answer`` reads ``example.other``: 0 for the best answer, else it may pick any other by this random number.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.playout import POSITION, apply, set_deal, show
from bridzik_sim.games.bridzik.rules import MAX_SIZE, SEATS, VIEW, WHOLE_DECK, round_points
from bridzik_sim.jit import jit
from strategies.bridzik._features import need_code
from strategies.parts.adam import descend

ROOM = 128
EXAMPLE = np.dtype(
    [(name, "int64") for name in ("seat", "bidding", "lost", "taken", "other")]
    + [(name, "int64") for name in ("answer", "count", "won", "later")]
    + [("active", "int64", (ROOM,)), ("work", "float32", (ROOM,))]
)
DEALER = np.dtype([("stream", "uint64", (4,))])
REPORTS = 20
STEPS = 200
BATCH = 512
# Learning rate and share of answers tried at random: as they begin, and as they end.
RATE, LAST_RATE = 1e-3, 1e-5
EXPLORE, LAST_EXPLORE = 0.06, 0.01
WHOLE_TABLE = (1 << SEATS) - 1


@jit
def deal_round(dealer, position, size):
    """Deal a round of ``size`` cards with a random first bidder."""
    deck = WHOLE_DECK
    for seat in range(SEATS):
        hand = streams.take(dealer, deck, size)
        position.hands[seat] = hand
        deck ^= hand
    set_deal(position, MAX_SIZE - size, size, streams.below(dealer, SEATS))


@jit
def choose_seats(dealer):
    """Mask of the learner's seats: all in half of the rounds, one in a quarter, two in a quarter."""
    kind, first = streams.below(dealer, 4), streams.below(dealer, SEATS)
    step = streams.below(dealer, SEATS - 1)
    if kind < 2:
        return WHOLE_TABLE
    return 1 << first if kind == 2 else 1 << first | 1 << (first + 1 + step) % SEATS


@jit
def play_round(dealer, position, view, model, answer, rival_bid, rival_play, examples, learners, explore):
    """Play a dealt round; returns how many examples it left."""
    used, first = 0, 0
    while position.turn >= 0:
        show(position, view)
        seat, bidding = position.turn, position.bidders < SEATS
        if view.legal & (view.legal - 1) == 0:
            code = lowest(view.legal)
        elif learners >> seat & 1:
            example = examples[used]
            used += 1
            example.seat, example.bidding, example.taken, example.won = seat, bidding, view.taken[seat], 0
            need = need_code(view.bids[seat], view.taken[seat], popcount(view.hand))
            example.lost = not bidding and need == 0
            example.other = streams.below(dealer, 1 << 30) + 1 if streams.uniform(dealer) < explore else 0
            code = answer(model, view, example)
        elif bidding:
            code = rival_bid(view)
        else:
            code = rival_play(view)
        apply(position, code)
        if position.trick_length == 0 and not bidding:
            close_trick(examples, first, used, position.winner)
            first = used
        elif bidding:
            first = used
    return used


@jit
def close_trick(examples, first, used, winner):
    """Note in the examples of a trick whether they won it."""
    for i in range(first, used):
        examples[i].won = examples[i].seat == winner


@jit
def study_round(position, model, study, examples, used):
    """Tell every example of a round how it ended."""
    failed = 0
    for seat in range(SEATS):
        failed += position.bids[seat] != position.taken[seat]
    for i in range(used):
        example = examples[i]
        made = position.bids[example.seat] == position.taken[example.seat]
        example.later = position.taken[example.seat] - example.taken - example.won
        study(model, example, (failed - 1) / (SEATS - 1) if example.lost else 1.0 * made)


@jit
def play_rounds(
    size, number, dealers, model, adam, answer, study, rival_bid, rival_play, explore, rate, points
):
    """Play and learn from ``number`` rounds; adds rounds and points to ``points``.

    ``points`` is float64[3, 2]: the learner alone, the learner among others, the others.
    """
    dealer = dealers[0]
    positions, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    position, view = positions[0], views[0]
    examples = np.zeros(SEATS * (MAX_SIZE + 1), EXAMPLE)
    means, squares, steps = adam
    waiting = 0
    for _ in range(number):
        deal_round(dealer, position, size)
        learners = choose_seats(dealer)
        used = play_round(
            dealer, position, view, model, answer, rival_bid, rival_play, examples, learners, explore
        )
        study_round(position, model, study, examples, used)
        for seat in range(SEATS):
            group = 0 if learners == WHOLE_TABLE else 1 if learners >> seat & 1 else 2
            points[group, 0] += 1
            points[group, 1] += round_points(position.bids[seat], position.taken[seat])
        waiting += used
        if waiting >= BATCH:
            waiting = 0
            steps[0] += 1
            for layer in range(len(means)):
                descend(model[0][layer], model[1][layer], means[layer], squares[layer], steps[0], rate)


def learn(size, rounds, rng, weights, scratch, functions, say, rates=(RATE, LAST_RATE)):
    """Train ``weights`` (a tuple of float32 matrices) in place on ``rounds`` rounds of ``size`` cards.

    ``functions`` are jitted: answer and study (see the module), bid and play of the others at the table.
    ``rng`` is a numpy generator; everything is a function of its state.
    """
    model = (weights, tuple(np.zeros_like(one) for one in weights), scratch)
    adam = (
        tuple(np.zeros_like(one) for one in weights),
        tuple(np.zeros_like(one) for one in weights),
        np.zeros(1, np.int64),
    )
    dealers = np.zeros(1, DEALER)
    dealers["stream"][0] = rng.integers(1, 2**63, 4, np.uint64)
    points = np.zeros((3, 2))
    for step in range(STEPS):
        done = step / STEPS
        rate = rates[0] * (rates[1] / rates[0]) ** max(0.0, (done - 0.3) / 0.7)
        explore = EXPLORE + (LAST_EXPLORE - EXPLORE) * done
        number = rounds * (step + 1) // STEPS - rounds * step // STEPS
        play_rounds(size, number, dealers, model, adam, *functions, explore, np.float32(rate), points)
        if (step + 1) % (STEPS // REPORTS) == 0:
            alone, among, others = points[:, 1] / np.maximum(points[:, 0], 1)
            say(
                f"{(step + 1) / STEPS:4.0%}  points a round: {alone:.3f} alone, "
                f"{among:.3f} among others, who have {others:.3f}"
            )
            points[:] = 0
