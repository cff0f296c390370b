"""Positions against the reference engine: the same cards and answers give the same views and the same end."""

import itertools

import numpy as np
import pytest
from fool_rounds import empty_position, play_a_copy_on, set_up

from bridzik_sim.games.fool import playout, reference
from bridzik_sim.games.fool.plain_round import deal_table
from bridzik_sim.games.fool.rules import RULES_VERSION, VIEW
from bridzik_sim.games.plain import SeatView, mask_of, stream_tag, unit_words
from bridzik_sim.streams import choose

OWN = ("stream", "params", "memory", "game_memory")
# What a seat cannot tell from its view.
UNSEEN = ("hands", "left", "order", "words", "stream", "renewals", "ended")


class Following:
    """Players of the reference engine; a position is played beside them, answer by answer."""

    def __init__(self, unit, seats, options):
        self.words = unit_words(3, stream_tag("fool", RULES_VERSION), unit)
        self.position, self.shown, self.ends = empty_position(), SeatView(VIEW).record, []
        self.seats, self.options, self.deal, self.eights = seats, options, -1, 0

    def start(self, view):
        scores = view.scores.tolist()[: self.seats]
        table = deal_table(self.words, int(view.deal), int(view.dealer), scores, self.options)
        set_up(self.position, table, self.words, self.options)
        self.deal = view.deal

    def decide(self, view):
        if view.deal != self.deal:
            self.start(view)
        position = self.position
        for name in OWN:
            self.shown[name] = view[name]
        playout.show(position, self.shown)
        assert self.shown.tobytes() == view.tobytes()
        self.check_public(view)
        self.eights += view.open_eight and view.has_drawn
        # Often the lowest answer, which plays a card, so that rounds end.
        answer = (int(view.legal) & -int(view.legal)).bit_length() - 1 if view.stock % 3 else choose(view)
        playout.apply(position, answer)
        if position.turn < 0:
            points = [int(playout.points(position, seat)) for seat in range(self.seats)]
            hands = position.hands.tolist()[: self.seats]
            self.ends.append((position.ended, position.winner, position.turns, points, hands))
        return answer

    move = suit = decide

    def check_public(self, view):
        """What a seat sees gives the position, but for what it cannot see."""
        position, public = self.position, empty_position()
        playout.set_public(public, view, self.options["max_turns"])
        assert (public.renewals > 0) == (position.renewals > 0)
        if position.choosing or position.must % 13 == 0:
            # It has been played, or any two may be played, so it does not matter which one was drawn.
            assert public.must == -1
            public.must = position.must
        for name in UNSEEN:
            public[name] = position[name]
        assert public.tobytes() == position.tobytes()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("deck", [52, 36])
def test_it_shows_and_plays_what_the_reference_does(seats, deck):
    eights, endings = 0, set()
    for unit, (draw, max_turns) in enumerate(itertools.product(("voluntary", "forced"), (15, 150))):
        options = {"deck": deck, "draw": draw, "max_turns": max_turns}
        following = Following(unit, seats, options)
        record = reference.play_game([following] * seats, seed=3, unit=unit, **options)
        assert following.ends == [
            (deal.ending, deal.winner, deal.turns, deal.points, [mask_of(hand) for hand in deal.left])
            for deal in record.deals
        ]
        eights += following.eights
        endings |= {deal.ending for deal in record.deals}
    assert (eights > 0) == (deck == 52)
    assert endings >= {playout.WON, playout.CAPPED}


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("deck", [52, 36])
def test_compiled_code_plays_a_copy_on_and_leaves_the_position_alone(seats, deck):
    view, positions = SeatView(VIEW).record, np.zeros(2, playout.POSITION)
    view.stream = (1, 2, seats, deck)
    options = {"deck": deck, "draw": "voluntary", "max_turns": 500}
    position, words = positions.view(np.recarray)[0], [1, 2, 3, 4]
    set_up(position, deal_table(words, 0, 0, [0] * seats, options), words, options)
    before, ends = position.tobytes(), set()
    for _ in range(100):
        assert play_a_copy_on(positions, view) > 0
        end = positions[1]
        assert (end["winner"] >= 0) == (end["ended"] == playout.WON) == (0 in end["hands"][:seats])
        ends.add((int(end["turns"]), int(end["winner"])))
    assert positions[0].tobytes() == before
    assert len(ends) > 50
