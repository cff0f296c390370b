"""Positions against the reference engine: the same cards and answers give the same views and the same end."""

import numpy as np
import pytest

from bridzik_sim.games.plain import SeatView, mask_of, stream_tag, unit_words
from bridzik_sim.games.wizard import playout, reference
from bridzik_sim.games.wizard.rules import RULES_VERSION, VIEW
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose

OWN = ("stream", "params", "memory", "game_memory")


def empty():
    return np.zeros(1, playout.POSITION).view(np.recarray)[0]


class Following:
    """Players of the reference engine; a position is played beside them, answer by answer."""

    def __init__(self, unit, seats, sum_rule, dealer_chooses):
        self.words = unit_words(3, stream_tag("wizard", RULES_VERSION), unit)
        self.position, self.shown, self.ends = empty(), SeatView(VIEW).record, []
        self.seats, self.rules, self.deal, self.trumps = seats, (sum_rule, dealer_chooses), -1, 0

    def start(self, view):
        hands, _ = reference.deal_cards(self.words, int(view.deal), self.seats, int(view.starter))
        self.position.hands[: self.seats] = [mask_of(hand) for hand in hands]
        self.position.scores[:] = view.scores
        starter, turned = view.starter, view.trump_card
        playout.set_deal(self.position, self.seats, view.deal, starter, turned, *self.rules)
        self.deal = view.deal

    def decide(self, view):
        if view.deal != self.deal:
            self.start(view)
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
            seats = self.seats
            ends = self.position.bids.tolist()[:seats], self.position.taken.tolist()[:seats]
            self.ends.append((*ends, int(self.position.trump)))
        return answer

    bid = play = decide

    def trump(self, view):
        self.trumps += 1
        answer = self.decide(view)
        assert self.position.trump == answer
        return answer


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize(("sum_rule", "chooser"), [("on", "none"), ("off", "dealer")])
def test_it_shows_and_plays_what_the_reference_does(seats, sum_rule, chooser):
    trumps = 0
    for unit in range(3):
        following = Following(unit, seats, sum_rule == "on", chooser == "dealer")
        record = reference.play_game(
            [following] * seats, seed=3, unit=unit, sum_rule=sum_rule, wizard_trump=chooser
        )
        assert following.ends == [(deal.bids, deal.taken, deal.trump) for deal in record.deals]
        assert not following.position.hands.any()
        trumps += following.trumps
    assert (trumps > 0) == (chooser == "dealer")


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


@pytest.mark.parametrize(("seats", "size"), [(3, 1), (3, 20), (4, 7), (5, 12), (6, 2), (6, 10)])
def test_compiled_code_plays_a_copy_on_and_leaves_the_position_alone(seats, size):
    view, positions = SeatView(VIEW).record, np.zeros(2, playout.POSITION)
    view.stream = (1, 2, seats, size)
    position = positions.view(np.recarray)[0]
    for seat in range(seats):
        position.hands[seat] = ((1 << size) - 1) << size * seat
    playout.set_deal(position, seats, size - 1, size % seats, 52 if size < 7 else -1, 1, 1)
    before, ends = position.tobytes(), set()
    for _ in range(50):
        assert play_a_copy_on(positions, view) == seats * (1 + size) + (size < 7)
        end = positions[1]
        assert end["taken"].sum() == size
        assert end["bids"][:seats].sum() != size
        assert not end["hands"].any()
        ends.add((*end["bids"].tolist(), *end["taken"].tolist()))
    assert positions[0].tobytes() == before
    assert len(ends) >= 5
