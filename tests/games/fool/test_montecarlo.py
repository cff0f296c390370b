"""What a seat knows of hidden cards, and the strategy that plays samples of them out."""

import collections
import itertools
import math

import numpy as np
import pytest
from fool_views import choosing, mask, viewing

from bridzik_sim import compare, games, lineup, strategy
from bridzik_sim.games.fool import reference
from bridzik_sim.games.fool.playout import POSITION
from bridzik_sim.games.fool.rules import PASS, SEAT_COUNTS
from bridzik_sim.games.french_cards import DECK
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose
from strategies.fool import _fast, _hidden, _outlook

GAME = games.get("fool")


def cards(number):
    return [card for card in range(52) if int(number) >> card & 1]


@jit
def samples(view, count):
    """int64[count, 5]: hands and stock of that many samples."""
    positions, found = np.zeros(1, POSITION), np.zeros((count, 5), np.int64)
    for i in range(count):
        _hidden.lay_out(view, positions[0])
        found[i, :4] = positions[0].hands
        found[i, 4] = positions[0].left
    return found


# ----------------------------------------------------------------------------------------- hidden cards


def chi_squared(found, expected):
    """Whether counts of equally likely outcomes look like that: within five deviations."""
    assert set(found) == set(expected)
    mean = sum(found.values()) / len(expected)
    total, freedom = sum((found[key] - mean) ** 2 / mean for key in expected), len(expected) - 1
    return abs(total - freedom) < 5 * math.sqrt(2 * freedom)


def small_view(unseen, others, **more):
    """A view in which all cards are gone but these unseen ones and SK, HT."""
    gone = " ".join(name for name in DECK.names((1 << 52) - 1) if name not in f"{unseen} SK HT D5")
    return viewing("SK HT", "D5", others, gone=gone, **more)


def test_before_a_reshuffle_every_deal_is_equally_likely():
    unseen = "C2 C3 D9 HQ SA"
    found = samples(small_view(unseen, (2, 1)), 3000)
    every = mask(unseen)
    expected = set()
    for first in itertools.combinations(cards(every), 2):
        for second in set(cards(every)) - set(first):
            one, two = sum(1 << card for card in first), 1 << second
            expected.add((mask("SK HT"), one, two, 0, every ^ one ^ two))
    assert chi_squared(collections.Counter(map(tuple, found.tolist())), expected)


def test_after_a_reshuffle_cards_are_where_they_can_be():
    # D9, HQ and SA went into the stock; seat 1 has drawn one of them since, seat 2 none.
    view = small_view("C2 C3 C4 D9 HQ SA", (2, 2), returned="D9 HQ SA", fresh=(0, 1, 0))
    found = samples(view, 4000)
    expected = set()
    for old in cards(mask("C2 C3 C4")):
        for new in cards(mask("D9 HQ SA")):
            one, two = 1 << old | 1 << new, mask("C2 C3 C4") ^ 1 << old
            expected.add((mask("SK HT"), one, two, 0, mask("D9 HQ SA") ^ 1 << new))
    assert chi_squared(collections.Counter(map(tuple, found.tolist())), expected)


class Watching:
    """Plays at random; checks samples, and who has passed, against what has happened."""

    def __init__(self, seats):
        self.seats, self.passed, self.deal, self.checked, self.found = seats, set(), -1, 0, 0

    def move(self, view):
        sample = samples(view, 2)[1]
        hands, stock = [cards(hand) for hand in sample[: self.seats]], cards(sample[4])
        assert hands[view.seat] == cards(view.hand)
        assert [len(hand) for hand in hands] == view.counts[: self.seats].tolist()
        assert len(stock) == view.stock
        everything = [*itertools.chain(*hands), *stock, *cards(view.gone)]
        assert sorted(everything) == cards(view.deck)
        if view.returned:
            fresh = [sum(int(view.returned) >> card & 1 for card in hand) for hand in hands]
            assert fresh == view.fresh[: self.seats].tolist()
            assert not set(stock) - set(cards(view.returned))
            self.checked += 1
        if not view.has_drawn:
            others = self.passed - {int(view.seat)}
            assert cards(_hidden.passed_on_top(view)) == sorted(others)
            self.found += len(others)
        return choose(view)

    def suit(self, view):
        assert _hidden.passed_on_top(view) == 0
        return choose(view)

    def observe(self, event):
        """Keep who has passed since the top card was played, by the moves themselves."""
        if event.deal != self.deal:
            self.passed, self.deal = set(), event.deal
        if event.moment == "after" and event.decision == "move":
            if event.answer == PASS:
                self.passed.add(event.seat)
            elif event.answer < 52:
                self.passed.clear()


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_samples_agree_with_what_is_public_and_passes_are_seen(seats):
    watching = Watching(seats)
    for unit in range(2):
        watching.deal = -1
        reference.play_game(
            [watching] * seats, seed=3, unit=unit, deck=36, observer=watching.observe, max_turns=100
        )
    assert watching.checked > 20
    assert watching.found > 20


def test_who_passed_is_thought_to_hold_nothing_that_fits():
    view = viewing("C2 C9", "H4", (2, 2), last=(-1, PASS, PASS), dealer=0)
    assert _hidden.passed_on_top(view) == 0b110
    hands = [[mask("C2 C9"), mask(held), mask("C3 D3"), 0] for held in ("C5 D9", "SQ D9", "H5 D9", "H5 S4")]
    found = [_hidden.likelihood(view, 0b110, np.array(hand)) for hand in hands]
    assert found[0] == 1
    assert found == sorted(found, reverse=True)


# ---------------------------------------------------------------------------------------------- outlook


def over(scores, hands, top="C2", winner=-1):
    """A finished round: ``scores`` before it, hands left."""
    position = np.zeros(1, POSITION).view(np.recarray)[0]
    position.seats, position.winner, position.top, position.turn = len(scores), winner, DECK.id(top), -1
    for seat, score in enumerate(scores):
        position.scores[seat], position.still_in[seat] = score, score <= 101
        position.hands[seat] = mask(hands[seat])
    return position


def outlook(*args, **more):
    position = over(*args, **more)
    return [_outlook.chance_to_win(position, seat, 30.0) for seat in range(position.seats)]


def test_the_chance_to_win_follows_the_scores():
    even = outlook([50, 50, 50], ["C3", "D3", "H3"])
    assert even == pytest.approx([1 / 3] * 3)
    first = outlook([10, 50, 120], ["C3", "D3", ""])
    assert first[0] > first[1] > first[2] == 0
    assert sum(first) == pytest.approx(1)
    assert outlook([90, 50], ["CT C3", ""], winner=1) == [0, 1]
    # Exactly 101 is 0, and a last queen takes points off.
    assert outlook([91, 50], ["CT", ""], winner=1)[0] > 0.5
    plain, queen, spades = (outlook([50, 50], ["", "C3"], top, 0)[0] for top in ("CK", "CQ", "SQ"))
    assert plain < queen < spades


def test_where_all_are_out_the_lowest_total_wins():
    assert outlook([99, 98, 90], ["C3", "D4", "ST S3"]) == [0.5, 0.5, 0]


# --------------------------------------------------------------------------------------------- searching


@pytest.fixture(scope="module")
def searching():
    return strategy.load(lineup.parse("montecarlo")[0], GAME).callables(GAME)


def plays(searching, *args, count=40, **more):
    return DECK.name(searching["move"](viewing(*args, params=(count, 30.0), **more)))


def test_where_only_one_answer_is_legal_nothing_is_drawn(searching):
    view = viewing("C2", "H4", drawn=1)
    before = view.stream.tolist()
    assert searching["move"](view) == PASS
    assert view.stream.tolist() == before


def test_a_win_that_cannot_be_missed_is_found(searching):
    # With two players the ace leaves the move here; the other way round there is nothing to follow.
    assert plays(searching, "HA CA", "H4", (1,)) == "HA"
    assert plays(searching, "HA H3", "H4", (1,)) == "HA"
    assert plays(searching, "C7 H7 H3", "C4", (1,)) in ("C7", "H7")


def test_it_finishes_with_the_queen_of_spades(searching):
    assert plays(searching, "H3 SQ", "H4", (5, 5, 5), scores=(50, 50, 50, 50)) == "H3"
    assert plays(searching, "SQ HQ", "H4", (4, 4, 4), scores=(50, 50, 50, 50)) == "HQ"


def test_it_asks_for_a_suit_that_it_can_finish_with(searching):
    view = choosing("D9", "CQ", (5, 5), params=(40, 30.0))
    assert searching["suit"](view) == 1


class Beside:
    """Searches with one sample, after which no answer is clearly better than the policy's."""

    def __init__(self, searching):
        self.searching, self.compared = searching, 0

    def answer(self, decision, policy, view):
        view.params[:2] = 1, 30
        shown = view.copy()
        shown.memory[:] = 0
        shown.params[: len(_fast.KNOBS)] = _fast.KNOBS
        answer = self.searching[decision](view)
        assert answer == policy(shown)
        self.compared += int(view.legal).bit_count() > 1
        return answer

    def move(self, view):
        return self.answer("move", _fast.policy_move, view)

    def suit(self, view):
        return self.answer("suit", _fast.policy_suit, view)


def test_without_much_to_go_by_it_answers_as_the_policy(searching):
    beside = Beside(searching)
    for unit, draw in enumerate(("voluntary", "forced")):
        reference.play_game([beside] * 3, seed=4, unit=unit, draw=draw)
    assert beside.compared > 100


def test_few_samples_already_beat_the_policy():
    # Exactly 0 if the search had no say; fewer wins if it were wrong about its samples.
    options = {"deck": 36}
    results = compare("montecarlo:samples=30", "heuristic", 300, 4, game="fool", players=2, options=options)
    assert results.comparison["low"] > 0
