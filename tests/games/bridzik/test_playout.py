"""Positions against the reference engine: the same cards and answers give the same views and the same end."""

import numpy as np
import pytest

from bridzik_sim.games.bridzik import playout, reference
from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import SeatView, mask_of, unit_words
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose

OWN = ("stream", "params", "memory", "game_memory")
GAMES = 10


def empty():
    return np.zeros(1, playout.POSITION).view(np.recarray)[0]


class Following:
    """Four players of the reference engine; a position is played beside them, answer by answer."""

    def __init__(self, unit):
        self.words = unit_words(3, reference.stream_tag("bridzik", 1), unit)
        self.position, self.shown, self.deals, self.ends = empty(), SeatView(VIEW).record, [], []

    def bid(self, view):
        if not view.has_bid.any():
            self.start(view)
        return self.play(view)

    def start(self, view):
        hands = reference.deal_hands(self.words, int(view.deal))
        self.position.hands[:] = [mask_of(hand) for hand in hands]
        self.position.scores[:] = view.scores
        playout.set_deal(self.position, view.deal, view.size, view.starter)

    def play(self, view):
        for name in OWN:
            self.shown[name] = view[name]
        playout.show(self.position, self.shown)
        assert self.shown.tobytes() == view.tobytes()
        assert playout.legal(self.position) == view.legal
        public = empty()
        public.hands[:] = self.position.hands
        playout.set_public(public, view)
        assert public.tobytes() == self.position.tobytes()
        answer = choose(view)
        playout.apply(self.position, answer)
        if self.position.turn < 0:
            self.ends.append((self.position.bids.tolist(), self.position.taken.tolist()))
        return answer


@pytest.mark.parametrize("unit", range(GAMES))
def test_it_shows_and_plays_what_the_reference_does(unit):
    following = Following(unit)
    record = reference.play_game([following] * 4, seed=3, unit=unit)
    assert following.ends == [(deal.bids, deal.taken) for deal in record.deals]
    assert following.position.hands.tolist() == [0, 0, 0, 0]


@jit
def play_a_copy_on(positions, view):
    """Random answers from the first position to the end of the deal, in the second; returns how many."""
    positions[1] = positions[0]
    position, answers = positions[1], 0
    while position.turn >= 0:
        playout.show(position, view)
        playout.apply(position, choose(view))
        answers += 1
    return answers


@pytest.mark.parametrize("size", range(1, 9))
def test_compiled_code_plays_a_copy_on_and_leaves_the_position_alone(size):
    view, positions = SeatView(VIEW).record, np.zeros(2, playout.POSITION)
    view.stream = (1, 2, 3, size)
    position = positions.view(np.recarray)[0]
    position.hands[:] = [((1 << size) - 1) << 8 * seat for seat in range(4)]
    playout.set_deal(position, 8 - size, size, size % 4)
    before, ends = position.tobytes(), set()
    for _ in range(50):
        assert play_a_copy_on(positions, view) == 4 * (1 + size)
        end = positions[1]
        assert end["taken"].sum() == size
        assert not end["hands"].any()
        ends.add((*end["bids"].tolist(), *end["taken"].tolist()))
    assert positions[0].tobytes() == before
    assert len(ends) > 10
