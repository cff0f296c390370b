"""The learning loop, by a game so small that what it must learn is known."""

import numpy as np
import pytest

from bridzik_sim import streams
from bridzik_sim.jit import jit
from strategies.parts import self_play
from strategies.parts.self_play import Game, Round, learn, other_bid

# A seat is shown a number, 0 to 3, bids 0 or 1 and then plays card 0 or 1. It takes its trick, in turn with
# the other, if it was shown 3, or 1 and plays card 1. So it shall bid 1 for 3, and play what it bid for 1.
SEATS, SHOWN = 2, 4
POSITION = np.dtype(
    [(name, "int64") for name in ("turn", "bidders", "trick_length", "winner")]
    + [(name, "int64", (SEATS,)) for name in ("bids", "taken", "shown")]
)
VIEW = np.dtype(
    [(name, "int64") for name in ("seat", "legal", "own", "bid")] + [("taken", "int64", (SEATS,))]
)


@jit
def deal(dealer, position, what):
    position.turn = position.bidders = position.trick_length = 0
    for seat in range(SEATS):
        position.bids[seat] = -1
        position.taken[seat] = 0
        position.shown[seat] = streams.below(dealer, SHOWN)


@jit
def all_or_one(dealer, what):
    return 3 if what else 1 << streams.below(dealer, SEATS)


@jit
def show(position, view):
    view.seat, view.legal, view.own = position.turn, 3, position.shown[position.turn]
    view.bid = position.bids[position.turn]
    for seat in range(SEATS):
        view.taken[seat] = position.taken[seat]


@jit
def apply(position, code):
    seat = position.turn
    if position.bidders < SEATS:
        position.bids[seat] = code
        position.bidders += 1
        position.turn = (seat + 1) % SEATS
        return
    # Every card is a trick of its own.
    wins = position.shown[seat] == 3 or (position.shown[seat] == 1 and code == 1)
    position.winner = seat if wins else 1 - seat
    position.taken[seat] += wins
    position.turn = seat + 1 if seat + 1 < SEATS else -1


@jit
def note(view, example):
    example.lost = view.own


@jit
def target(position, example):
    return 1.0 * (position.bids[example.seat] == position.taken[example.seat])


@jit
def points(bid, taken):
    return 10 if bid == taken else 0


@jit
def answer(model, view, example):
    table = model[0][0]
    row = (example.bidding * SHOWN + view.own) * 2 + max(view.bid, 0)
    code = 1 if table[row, 1] > table[row, 0] else 0
    if example.other:
        code = example.other & 1
    example.answer, example.count = code, row
    return code


@jit
def study(model, example, target):
    # What is noted of an example must fit the game: the other seat takes the trick when this one does not.
    weights, slopes, told = model
    error = 1 / (1 + np.exp(-np.float64(weights[0][example.count, example.answer]))) - target
    slopes[0][example.count, example.answer] += np.float32(error)
    if not example.bidding:
        wins = example.lost == 3 or (example.lost == 1 and example.answer == 1)
        told[0] += 1
        told[1] += wins == example.won and example.later == 0


@jit
def rival(view):
    return 0


GAME = Game(POSITION, VIEW, 4, 1, Round(SEATS, deal, all_or_one, show, apply, note, target, points))


def learned(seed, what=1, rounds=100_000):
    weights, told, lines = np.zeros((2 * SHOWN * 2, 2), np.float32), np.zeros(2, np.int64), []
    rng = np.random.default_rng(seed)
    learn(
        GAME, what, rounds, rng, (weights,), told, (answer, study), (rival, rival), lines.append, (0.02, 1e-3)
    )
    return weights, told, lines


def test_it_learns_what_can_be_known_and_repeats():
    weights, told, lines = learned(1)
    odds = weights.reshape(2, SHOWN, 2, 2)
    bids, plays = odds[1, :, 0], odds[0]
    assert bids[3, 1] > 1 > 0 > bids[3, 0]
    assert all(bids[own, 0] > 1 > 0 > bids[own, 1] for own in (0, 2))
    for bid in (0, 1):
        assert plays[1, bid, bid] > 1 > 0 > plays[1, bid, 1 - bid]
    assert told[0] > 100_000
    assert told[0] == told[1]
    assert len(lines) == self_play.REPORTS
    assert lines[-1].startswith("100%")
    assert np.array_equal(weights, learned(1)[0])
    assert not np.array_equal(weights, learned(2)[0])


def test_only_the_learners_seats_learn():
    _, both, _ = learned(3, what=1, rounds=20_000)
    _, one, lines = learned(3, what=0, rounds=20_000)
    assert both[0] == 2 * 20_000
    assert one[0] == 20_000
    # The rival bids 0 and gets 10 points whenever it takes nothing: for three of four hands.
    assert "who have 7." in lines[-1]


@pytest.mark.parametrize("other", range(1, 9))
def test_another_bid_is_near_and_legal(other):
    for bid in range(6):
        near = other_bid(bid, 0b111011, other)
        assert 0b111011 >> near & 1
        assert abs(near - bid) <= 2
        assert other_bid(bid, 0b111111, 0) == bid
    found = {other_bid(4, 0b1111111, number) for number in range(1, 9)}
    assert found == {2, 3, 5, 6}
