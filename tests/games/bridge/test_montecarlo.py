"""What a seat knows of hidden hands, and the strategy that plays samples of them out."""

import numpy as np
import pytest
from bridge_views import hand, play_on, to_play

from bridzik_sim import compare, games, lineup, strategy
from bridzik_sim.games.bridge.playout import POSITION, apply, show
from bridzik_sim.games.bridge.rules import VIEW
from bridzik_sim.games.contract import CALL_NAMES
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose
from strategies.bridge import _fast, _hidden
from strategies.bridge._auction import read
from strategies.parts.hidden import PILES, deal

GAME = games.get("bridge")
CONTRACTS = ("1S P 4S P P P", "1NT P 3NT P P P", "P P 1C 1H P P P", "P 2D P P P")


def cards(number):
    return [card for card in range(52) if int(number) >> card & 1]


def shuffled(rng):
    deck = [1 << int(number) for number in rng.permutation(52)]
    return [sum(deck[13 * seat : 13 * seat + 13]) for seat in range(4)]


@jit
def samples(view, count):
    """int64[count, 4]: hands of that many samples."""
    piles, hands = np.zeros(1, PILES)[0], np.zeros((count, 4), np.int64)
    _hidden.start(view, piles)
    for i in range(count):
        deal(view, piles)
        _hidden.lay_out(view, piles, hands[i])
    return hands


@jit
def step(position, view):
    """Show what the seat to play sees, and let it take notes."""
    show(position, view)
    _hidden.note_seen(view)


@jit
def go(position, view):
    """Play any card."""
    card = choose(view)
    _hidden.note_play(view, card)
    apply(position, card)


def begin(rng, calls):
    position, views = np.zeros(1, POSITION)[0], np.zeros(4, VIEW)
    position["hands"], position["calls"] = shuffled(rng), -1
    codes = np.array([CALL_NAMES.index(name) for name in calls.split()], np.int64)
    play_on(position, views[0], 0, codes, np.zeros(0, np.int64))
    views["stream"] = [(1 + seat, 2, 3, 4) for seat in range(4)]
    return position, views


# ------------------------------------------------------------------------------------------ hidden hands


@pytest.mark.parametrize("calls", CONTRACTS)
def test_samples_agree_with_what_is_public_and_notes_with_what_was_played(calls):
    rng = np.random.default_rng(5)
    right = noted = 0
    for _ in range(3):
        position, views = begin(rng, calls)
        dealt = position["hands"].copy()
        while position["turn"] >= 0:
            turn = position["turn"]
            seat = position["declarer"] if turn == position["dummy_seat"] else turn
            view = views[seat]
            step(position, view)
            check_samples(view, position["hands"])
            for other in range(4):
                found = cards(_hidden.played_by(view, other))
                noted += len(found)
                right += sum(int(dealt[other]) >> card & 1 for card in found)
            go(position, view)
    assert noted > 2000
    assert right > 0.95 * noted


def check_samples(view, hands):
    for sample in samples(view, 2):
        assert sample[view["seat"]] == view["hand"]
        assert view["dummy"] in (0, sample[view["dummy_seat"]])
        assert [int(held).bit_count() for held in sample] == [int(held).bit_count() for held in hands]
        assert np.bitwise_or.reduce(sample) == np.bitwise_or.reduce(hands)
        for seat in range(4):
            for suit in range(4):
                lacking = view["seen_void"][seat] >> suit & 1
                assert not (lacking and sample[seat] >> 13 * suit & 0x1FFF)


def test_who_opened_no_trump_is_thought_to_hold_it():
    texts = ["AQ2.KJ3.QT98.K54", "T987.AQ2.A32.QJT", "KJ6.T987.KJ4.A98", "543.654.765.7632"]
    view = to_play(texts, "1NT P 2NT P P P", "ST S6")
    hands = [hand(text) for text in texts]
    found = _hidden.likelihood(view, read(view), np.array(hands))
    assert found == 1
    hands[0] = hand("J92.J8.QT9.QT543")
    assert _hidden.likelihood(view, read(view), np.array(hands)) < 0.05


# ---------------------------------------------------------------------------------------------- searching


def test_points_tell_a_game_from_a_part_score():
    texts = ["AKQ32.A2.K432.32", "54.KQJT.Q87.QT98", "JT98.43.AT65.A54", "76.98765.J9.KJ76"]
    board = to_play(texts, "1S P 4S P P P", "HK", duplicate=1, vulnerable=(1, 0))
    assert [_fast.points_for(board, tricks) for tricks in (8, 9, 10, 11)] == [-200, -100, 620, 650]
    part = to_play(texts, "1S P 2S P P P", "HK")
    game = to_play(texts, "1S P 2S P P P", "HK", below=(40, 0))
    assert _fast.points_for(game, 8) - _fast.points_for(part, 8) > 200
    assert _fast.points_for(game, 7) == _fast.points_for(part, 7) == -50


@pytest.fixture(scope="module")
def searching():
    return strategy.load(lineup.parse("montecarlo:samples=20")[0], GAME).callables(GAME)


def test_where_the_cards_are_alike_nothing_is_drawn(searching):
    texts = ["AKQ32.A2.K432.32", "54.KQJT.Q87.QT98", "JT98.43.AT65.A54", "76.98765.J9.KJ76"]
    drawn = []
    for cards_played in ("HK H3", "HK H3 H5"):
        view = to_play(texts, "1S P 4S P P P", cards_played)
        view["params"][0] = 20
        before = view["stream"].tolist()
        card = searching["play"](view)
        assert int(view["legal"]) >> card & 1
        drawn.append(view["stream"].tolist() != before)
    assert drawn == [False, True]


def test_few_samples_already_beat_natural():
    # Exactly 0 if the search had no say.
    options = {"scoring": "duplicate"}
    results = compare("montecarlo:samples=8", "natural", 80, 4, game="bridge", options=options, jobs=1)
    assert results.comparison["low"] > 0
