"""The built-in strategies and the rule of the C baseline: what they do, on hand-made and on random positions."""

from __future__ import annotations

import importlib
import importlib.util
import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridzik_sim.games.bridzik import reference as ref
from bridzik_sim.games.bridzik.rules import DECK, VIEW, legal_cards
from bridzik_sim.games.exact_bids import legal_bids
from bridzik_sim.games.plain import SeatView
from bridzik_sim.jit import jit

LIMIT_RULE = Path(__file__).parents[3] / "bench" / "strategies" / "limit_rule.py"
NAMES = ("random", "simple", "heuristic", "limit_rule")
ACES_AND_COURT_HEARTS = DECK.names(DECK.mask(["LA", "AA", "BA", "HA", "HK", "HQ", "HJ"]))


def load(name):
    """The compiled decisions of a strategy."""
    if name == "limit_rule":
        spec = importlib.util.spec_from_file_location(name, LIMIT_RULE)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(f"strategies.bridzik.{name}")
    return SimpleNamespace(bid=jit(module.bid), play=jit(module.play))


@pytest.fixture(scope="module")
def players():
    return {name: load(name) for name in NAMES}


@pytest.fixture(scope="module")
def heuristic(players):
    return players["heuristic"]


# ------------------------------------------------------------------------------------------ hand-made positions


def bidding(hand, bids=(), forbidden=-1):
    """The view of the next bidder after ``bids``; the first one sits at seat 0."""
    view = empty(hand)
    view.seat = view.position = len(bids)
    view.forbidden = forbidden
    for seat, value in enumerate(bids):
        view.bids[seat], view.has_bid[seat] = value, 1
    view.legal = legal_bids(len(hand.split()), forbidden)
    return view


def playing(hand, trick="", bids=(0, 0, 0, 0), taken=(0, 0, 0, 0), gone=""):
    """The view of seat 0 with ``hand`` after the cards of ``trick``; ``gone`` are cards of earlier tricks."""
    view = empty(hand)
    cards = [DECK.id(name) for name in trick.split()]
    view.size = len(hand.split()) + sum(taken)
    view.trick_length, view.leader = len(cards), -len(cards) % 4
    view.best = ref.winning_card(cards) if cards else -1
    view.lead = cards[0] // 8 if cards else -1
    view.trick[: len(cards)] = cards
    view.played = DECK.mask(gone.split() + trick.split())
    view.bids, view.taken, view.has_bid = bids, taken, 1
    view.legal = legal_cards(view.hand, view.lead)
    return view


def empty(hand):
    view = SeatView(VIEW).record
    view.hand = DECK.mask(hand.split())
    view.size = len(hand.split())
    view.bids, view.trick = -1, -1
    view.leader = view.best = view.lead = -1
    view.stream = (1, 2, 3, 4)
    return view


def card(player, view):
    return DECK.name(player.play(view))


def test_the_fourth_bidder_never_bids_none_with_the_highest_trump(heuristic):
    # One trick is certain and one is forbidden: zero can only lose, two at least may come.
    assert heuristic.bid(bidding("HA L7", (1, 0, 0), forbidden=1)) == 2
    rng = random.Random(1)
    for _ in range(500):
        others = rng.sample([name for name in DECK.names(2**32 - 1) if name != "HA"], rng.randrange(1, 8))
        size = len(others) + 1
        assert heuristic.bid(bidding(" ".join(["HA", *others]), (size - 1, 0, 0), forbidden=1)) >= 2


@pytest.mark.parametrize(
    ("hand", "gone"),
    [
        ("HA LA AA", ""),
        ("HA HK BA", ""),
        ("HK LA AA", "HA"),
        ("HQ B7", "HA HK"),
        ("H9 LA", "HA HK HQ HJ H10"),
    ],
)
def test_when_it_needs_all_remaining_tricks_it_leads_the_top_trump(heuristic, hand, gone):
    view = playing(hand, bids=(len(hand.split()), 0, 0, 1), gone=gone)
    assert card(heuristic, view) == hand.split()[0]


@pytest.mark.parametrize(
    ("hand", "trick", "given"),
    [
        ("HA H7 L8", "B9 H10", "H7"),  # no bells: it must ruff, but another has ruffed higher than the seven
        ("HA H7", "BA H10 B7", "H7"),
        ("HA H8 LK", "HQ H9", "H8"),
    ],
)
def test_it_does_not_spend_the_boss_trump_early_when_it_needs_one(heuristic, hand, trick, given):
    assert card(heuristic, playing(hand, trick, bids=(1, 1, 0, 0))) == given


def test_it_ruffs_with_the_boss_when_a_low_ruff_would_make_one_too_many(heuristic):
    # Last to play, no bells, nothing ruffed: any heart wins now, and the ace would win once more.
    assert card(heuristic, playing("HA H7", "BA B8 B7", bids=(1, 1, 0, 0))) == "HA"


def test_a_card_becomes_the_boss_when_the_higher_ones_are_gone(heuristic):
    # Two needed of three: the queen is certain only once the king and the ace are gone.
    gone = playing("HQ H7 B7", "H8", bids=(1, 1, 0, 1), gone="HA HK")
    assert card(heuristic, gone) == "H7"


def test_it_sheds_the_highest_loser_when_it_needs_none(heuristic):
    assert card(heuristic, playing("LQ L9 L7", "LA", bids=(0, 1, 0, 1))) == "LQ"
    assert card(heuristic, playing("AA A8 B7", "LA L8 LK", bids=(0, 1, 0, 1))) == "AA"


def test_it_takes_the_trick_with_the_surest_card_when_it_needs_it(heuristic):
    assert card(heuristic, playing("LA L7", "L8 L9", bids=(1, 0, 0, 1))) == "LA"


@pytest.mark.parametrize("lost", [{"bids": (0, 1, 1, 1), "taken": (1, 0, 0, 0)}, {"bids": (4, 1, 1, 1)}])
def test_once_lost_it_takes_tricks_that_others_need(heuristic, lost):
    # Seat 3 leads, wins so far and needs the trick.
    assert card(heuristic, playing("LK L7", "LQ", **lost)) == "LK"


def test_once_lost_it_leaves_tricks_to_those_who_need_none(heuristic):
    view = playing("LK L7", "LQ", bids=(0, 1, 1, 0), taken=(1, 0, 0, 0))
    assert card(heuristic, view) == "L7"


def test_high_bids_of_others_lower_its_bid(heuristic):
    hand = "HK HJ LA AK A9 B8 B7 L9"
    assert heuristic.bid(bidding(hand, (5, 3, 2))) < heuristic.bid(bidding(hand, (0, 0, 1)))


def test_courage_raises_its_bids(heuristic):
    timid, brave = bidding("HK HJ LA AK A9 B8 B7 L9"), bidding("HK HJ LA AK A9 B8 B7 L9")
    timid.params[0], brave.params[0] = -2, 2
    assert heuristic.bid(timid) < heuristic.bid(bidding("HK HJ LA AK A9 B8 B7 L9")) < heuristic.bid(brave)


# --------------------------------------------------------------------------------------------- random positions


def rank_first(number):
    """Order by rank, among equal ranks L < A < B < H."""
    return number % 8, (number // 8 - 1) % 4


def codes(mask):
    return [code for code in range(63) if int(mask) >> code & 1]


def beats_the_best(view):
    """The legal cards that would win the trick so far."""
    trick = [int(number) for number in view.trick[: view.trick_length]]
    return [number for number in codes(view.legal) if ref.winning_card([*trick, number]) == number]


def counted_bid(view):
    """Restatement of the bids of ``simple`` and of the C baseline."""
    count = sum(DECK.name(number) in ACES_AND_COURT_HEARTS for number in codes(view.hand))
    if count != view.forbidden:
        return count
    return count - 1 if count else 1


def limit_play(view):
    """Restatement of the play of the C baseline."""
    legal, needed = codes(view.legal), view.taken[view.seat] < view.bids[view.seat]
    if view.trick_length == 0:
        return max(legal, key=rank_first) if needed else min(legal, key=rank_first)
    winning = beats_the_best(view)
    if needed:
        return min(winning or legal, key=rank_first)
    losing = set(legal) - set(winning)
    return max(losing, key=rank_first) if losing else min(legal, key=rank_first)


def simple_play(view):
    """Restatement of the play of ``simple``: of equal ranks the first suit."""
    legal, needed = codes(view.legal), view.taken[view.seat] < view.bids[view.seat]
    winning = beats_the_best(view)
    wanted = winning if needed else [number for number in legal if number not in winning]
    if wanted:
        return max(wanted, key=lambda number: number % 8)
    return min(legal, key=lambda number: number % 8)


RULES = {
    "limit_rule": {"bid": counted_bid, "play": limit_play},
    "simple": {"bid": counted_bid, "play": simple_play},
}


class Watched:
    """Plays like ``player``; checks every answer of all ``players`` to every view it is asked with."""

    def __init__(self, player, players):
        self.player, self.players, self.seen = player, players, {"bid": 0, "play": 0}

    def bid(self, view):
        return self.answer("bid", view)

    def play(self, view):
        return self.answer("play", view)

    def answer(self, decision, view):
        self.seen[decision] += 1
        for name, player in self.players.items():
            answer = asked_twice(getattr(player, decision), view, draws=name == "random")
            if name in RULES:
                assert answer == RULES[name][decision](view), (name, decision, view)
        return getattr(self.player, decision)(view)


def asked_twice(function, view, draws=False):
    """The answer to a view; it must be legal and, unless it draws, the same again with nothing drawn."""
    stream = view.stream.copy()
    answer = function(view)
    assert type(answer) is int
    assert int(view.legal) >> answer & 1
    if not draws:
        assert function(view) == answer
        assert (view.stream == stream).all()
    view.stream[:] = stream
    return answer


@pytest.mark.parametrize("line_up", [["random"] * 4, ["heuristic", "simple", "limit_rule", "random"]])
def test_in_whole_games_every_answer_is_legal_repeatable_and_by_the_rule(players, line_up):
    watched = [Watched(players[name], players) for name in line_up]
    for unit in range(3):
        ref.play_game(watched, seed=5, unit=unit)
    assert sum(player.seen["play"] for player in watched) == 3 * 576


@pytest.mark.parametrize("name", NAMES)
def test_bids_are_legal_for_every_hand_size_and_forbidden_value(players, name):
    rng = random.Random(2)
    for size in range(1, 9):
        for forbidden in range(-1, size + 1):
            for _ in range(25):
                hand = " ".join(rng.sample(DECK.names(2**32 - 1), size))
                bids = [rng.randrange(size + 1) for _ in range(3)]
                asked_twice(players[name].bid, bidding(hand, bids, forbidden), draws=name == "random")


@pytest.mark.parametrize("name", NAMES)
def test_plays_are_legal_whatever_was_bid_taken_and_shown(players, name):
    rng = random.Random(3)
    for _ in range(2_000):
        size, length = rng.randrange(1, 9), rng.randrange(4)
        deck = rng.sample(DECK.names(2**32 - 1), 32)
        hand, trick, gone = deck[:size], deck[size : size + length], deck[size + length :][: 4 * (8 - size)]
        bids, taken = ([rng.randrange(9) for _ in range(4)] for _ in range(2))
        view = playing(" ".join(hand), " ".join(trick), bids, taken, " ".join(gone))
        view.seen_void = [0, *(rng.randrange(16) for _ in range(3))]
        asked_twice(players[name].play, view, draws=name == "random")
