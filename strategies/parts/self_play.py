"""Learning from rounds played by the learner itself and by others, in any game of exact bids.

Monte Carlo learning, as Zha et al. use it for another card game ("DouZero", 2021): whoever decides picks the
answer its model likes best, now and then another; once the round is over, every answer is told what came of
it, and Adam moves the model towards that.

A ``Game`` says what is played. A model is a tuple (weights, slopes, more): two tuples of float32 matrices of
the same shapes, and whatever scratch it needs. Two jitted functions make it a learner:

    answer(model, view, example)           an answer by the model; notes in ``example`` what it was based on
    study(model, example, target)          adds the gradient of the loss for ``target`` to the slopes

``example`` also tells whether its card won the trick, and how many ``later`` tricks its seat took.

``answer`` reads ``example.other``: 0 for the best answer, else it may pick any other by this random number.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import lowest
from bridzik_sim.jit import jit
from strategies.parts.adam import descend

REPORTS = 20
STEPS = 200
BATCH = 512
# Learning rate and share of answers tried at random: as they begin, and as they end.
RATE, LAST_RATE = 1e-3, 1e-5
EXPLORE, LAST_EXPLORE = 0.06, 0.01
DEALER = np.dtype([("stream", "uint64", (4,))])


class Round(NamedTuple):
    """What happens in a round: the number of seats, and jitted functions."""

    seats: int
    deal: Any
    """deal(dealer, position, what): deals a round; ``what`` is as ``learn`` was given it."""
    choose_seats: Any
    """choose_seats(dealer, what): mask of the learner's seats in a round."""
    show: Any
    """show(position, view): writes the view of the seat to decide."""
    apply: Any
    """apply(position, answer): carries an answer out."""
    note: Any
    """note(view, example): notes in an example what ``target`` needs to know of the decision."""
    target: Any
    """target(position, example): what an example is told, once the round is over."""
    points: Any
    """points(bid, taken): what a seat gets for a round."""


@dataclass(frozen=True)
class Game:
    """What the learning needs to know of a game."""

    position: np.dtype
    """The record of its playout."""
    view: np.dtype
    most: int
    """No round has more decisions."""
    room: int
    """Places an example has for what an answer was based on."""
    round: Round


def example_type(room):
    """The record of an example, with ``room`` places for what an answer was based on."""
    return np.dtype(
        [(name, "int64") for name in ("seat", "bidding", "lost", "taken", "other")]
        + [(name, "int64") for name in ("answer", "count", "won", "later")]
        + [("active", "int64", (room,)), ("work", "float32", (room,))]
    )


@jit
def other_bid(bid, legal, other):
    """The bid itself, or by a random number (0: none) a legal one not more than two away."""
    step = 1 + (other >> 1) % 2
    near = bid + step if other & 1 else bid - step
    return near if other and near >= 0 and legal >> near & 1 else bid


@jit
def play_round(
    play, dealer, position, view, model, answer, rival_bid, rival_play, examples, learners, explore
):
    """Play a dealt round; returns how many examples it left."""
    used, first = 0, 0
    while position.turn >= 0:
        play.show(position, view)
        seat, bidding = position.turn, position.bidders < play.seats
        if view.legal & (view.legal - 1) == 0:
            code = lowest(view.legal)
        elif learners >> seat & 1:
            example = examples[used]
            used += 1
            example.seat, example.bidding, example.taken, example.won = seat, bidding, view.taken[seat], 0
            play.note(view, example)
            example.other = streams.below(dealer, 1 << 30) + 1 if streams.uniform(dealer) < explore else 0
            code = answer(model, view, example)
        elif bidding:
            code = rival_bid(view)
        else:
            code = rival_play(view)
        play.apply(position, code)
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
def study_round(play, position, model, study, examples, used):
    """Tell every example of a round how it ended."""
    for i in range(used):
        example = examples[i]
        example.later = position.taken[example.seat] - example.taken - example.won
        study(model, example, play.target(position, example))


@jit
def play_rounds(
    play, what, number, room, model, adam, answer, study, rival_bid, rival_play, explore, rate, points
):
    """Play and learn from ``number`` rounds; adds rounds and points to ``points``.

    ``room`` are arrays of a dealer, a position, a view and examples. ``points`` is float64[3, 2]: the learner
    alone, the learner among others, the others.
    """
    dealers, positions, views, examples = room
    dealer, position, view = dealers[0], positions[0], views[0]
    means, squares, steps = adam
    waiting = 0
    for _ in range(number):
        play.deal(dealer, position, what)
        learners = play.choose_seats(dealer, what)
        used = play_round(
            play, dealer, position, view, model, answer, rival_bid, rival_play, examples, learners, explore
        )
        study_round(play, position, model, study, examples, used)
        for seat in range(play.seats):
            group = 0 if learners == (1 << play.seats) - 1 else 1 if learners >> seat & 1 else 2
            points[group, 0] += 1
            points[group, 1] += play.points(position.bids[seat], position.taken[seat])
        waiting += used
        if waiting >= BATCH:
            waiting = 0
            steps[0] += 1
            for layer in range(len(means)):
                descend(model[0][layer], model[1][layer], means[layer], squares[layer], steps[0], rate)


def learn(game, what, rounds, rng, weights, scratch, learner, rivals, say, rates=(RATE, LAST_RATE)):
    """Train ``weights`` (a tuple of float32 matrices) in place on ``rounds`` rounds.

    ``learner`` are the jitted functions answer and study (see the module), ``rivals`` bid and play of the
    others at the table. ``what`` goes to the game's ``deal``. ``rng`` is a numpy generator; everything is a
    function of its state.
    """
    model = (weights, tuple(np.zeros_like(one) for one in weights), scratch)
    adam = (
        tuple(np.zeros_like(one) for one in weights),
        tuple(np.zeros_like(one) for one in weights),
        np.zeros(1, np.int64),
    )
    room = (
        np.zeros(1, DEALER),
        np.zeros(1, game.position),
        np.zeros(1, game.view),
        np.zeros(game.most, example_type(game.room)),
    )
    room[0]["stream"][0] = rng.integers(1, 2**63, 4, np.uint64)
    points = np.zeros((3, 2))
    for step in range(STEPS):
        done = step / STEPS
        rate = rates[0] * (rates[1] / rates[0]) ** max(0.0, (done - 0.3) / 0.7)
        explore = EXPLORE + (LAST_EXPLORE - EXPLORE) * done
        number = rounds * (step + 1) // STEPS - rounds * step // STEPS
        play_rounds(
            game.round, what, number, room, model, adam, *learner, *rivals, explore, np.float32(rate), points
        )
        if (step + 1) % (STEPS // REPORTS) == 0:
            alone, among, others = points[:, 1] / np.maximum(points[:, 0], 1)
            say(
                f"{(step + 1) / STEPS:4.0%}  points a round: {alone:.3f} alone, "
                f"{among:.3f} among others, who have {others:.3f}"
            )
            points[:] = 0
