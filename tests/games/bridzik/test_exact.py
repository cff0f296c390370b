"""The strategy ``exact``: its one-card table against brute force, its two-card sets against the plain rules."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from bridzik_sim import simulate
from bridzik_sim.games.bridzik import reference as ref
from bridzik_sim.games.bridzik.rules import DECK, VIEW
from bridzik_sim.games.plain import SeatView
from bridzik_sim.jit import jit
from strategies.bridzik import _one_card, _solve_two_cards, _train_exact, _two_cards, exact

DEALS = 863_040
BIDS_SO_FAR = [bids for position in range(4) for bids in itertools.product((0, 1), repeat=position)]
DATA = Path(exact.__file__).with_name("exact.npz")


def bidding(cards, bids):
    """The view of the next bidder after ``bids``; bidding began at seat 2."""
    view = SeatView(VIEW).record
    view.hand, view.size = sum(1 << card for card in cards), len(cards)
    view.starter, view.position, view.seat = 2, len(bids), (2 + len(bids)) % 4
    view.bids = -1
    for place, value in enumerate(bids):
        view.bids[(2 + place) % 4], view.has_bid[(2 + place) % 4] = value, 1
    view.forbidden = ref.forbidden_bid(len(cards), bids)
    view.legal = sum(1 << bid for bid in ref.legal_bids(len(cards), bids))
    return view


def shipped():
    with np.load(DATA) as data:
        return dict(data)


@pytest.fixture(scope="module")
def bid():
    return jit(exact.bid)


# ------------------------------------------------------------------------------------------------- one card


@pytest.fixture(scope="module")
def answers(bid):
    """The strategy's bids by bids so far and card: int64[15, 32]."""
    return np.array([[bid(bidding([card], bids)) for card in range(32)] for bids in BIDS_SO_FAR])


@pytest.fixture(scope="module")
def deals():
    """Every deal, int8[4, 863040], and the position that wins it, by who leads, int8[4, 863040]."""
    cards = np.indices((32, 32, 32, 32), np.int8).reshape(4, -1)
    different = np.ones(cards.shape[1], bool)
    for one, other in itertools.combinations(range(4), 2):
        different &= cards[one] != cards[other]
    cards = cards[:, different]
    suits, hearts = cards // 8, 16 * (cards < 8)
    strengths = [cards % 8 + 8 * (suits == suits[leader]) + hearts for leader in range(4)]
    return cards, np.stack([strength.argmax(axis=0).astype(np.int8) for strength in strengths])


@pytest.fixture(scope="module")
def found(answers, deals):
    """Points summed over the deals by bids so far, card and own bid, and the deals that get there."""
    cards, winners = deals
    count, points = np.zeros((15, 32), np.int64), np.zeros((15, 32, 2), np.int64)
    node, leader = np.zeros(DEALS, np.int8), np.full(DEALS, -1, np.int8)
    for position in range(4):
        count += np.bincount(32 * node.astype(np.int16) + cards[position], minlength=480).reshape(15, 32)
        for own in range(2):
            after, leads = node, leader
            for place in range(position, 4):
                made = np.int8(own) if place == position else answers[after, cards[place]].astype(np.int8)
                leads = np.where((leads < 0) & (made == 1), np.int8(place), leads)
                after = 2 * after + 1 + made
            winner = winners[np.maximum(leads, 0), np.arange(DEALS)]
            won = np.where((winner == position) == (own == 1), 10 + own, 0)
            sums = np.bincount(32 * node.astype(np.int16) + cards[position], won, minlength=480)
            points[:, :, own] += sums.astype(np.int64).reshape(15, 32)
        made = answers[node, cards[position]].astype(np.int8)
        leader = np.where((leader < 0) & (made == 1), np.int8(position), leader)
        node = 2 * node + 1 + made
    return points, count


def test_no_one_card_best_response_gains_anything(answers, found):
    best, kept, hits = ([0] * 4 for _ in range(3))
    for node, bids in enumerate(BIDS_SO_FAR):
        for card in range(32):
            points, own = found[0][node, card], answers[node, card]
            best[len(bids)] += max(points[other] for other in ref.legal_bids(1, bids))
            kept[len(bids)] += points[own]
            hits[len(bids)] += points[own] // (10 + own)
    assert kept == best
    assert [round(points / DEALS, 4) for points in kept] == [7.6178, 9.2796, 9.4284, 3.9346]
    assert [round(100 * number / DEALS, 2) for number in hits] == [74.56, 91.08, 92.61, 38.76]


def test_every_other_one_card_bid_loses_points(answers, found):
    # So the test above would notice any other answer but one, which no game can show: the ace of hearts has
    # been bid away before the fourth bidder could hold it.
    for node, bids in enumerate(BIDS_SO_FAR):
        never = np.flatnonzero(found[1][node] == 0)
        assert list(never) == ([DECK.id("HA")] if bids == (1, 1, 1) else [])
        for card in set(range(32)) - set(never) if len(ref.legal_bids(1, bids)) == 2 else ():
            points, own = found[0][node, card], answers[node, card]
            assert points[own] > points[1 - own]
    assert answers[BIDS_SO_FAR.index((1, 1, 1)), DECK.id("HA")] == 1  # it wins whatever happens


def test_the_strategy_bids_what_the_one_card_table_says(answers):
    table = shipped()["one_card"]
    assert table.shape == (15,)
    for node in range(15):
        assert [int(table[node]) >> card & 1 for card in range(32)] == list(answers[node])


def test_the_solver_finds_the_table_and_says_its_values():
    lines = []
    made = _train_exact.train("1", 0, lines.append)
    assert made["one_card"].tolist() == shipped()["one_card"].tolist()
    assert "  after 0 1: HJ HQ HK HA" in lines
    assert "  after 1 1 1: HA (never held there: HA)" in lines
    assert "position 3: 3.9346 points, 38.76% exact, a best response gains 0" in lines


@pytest.mark.parametrize("position", [0, 1])
def test_the_solver_bounds_what_later_bidders_can_change(position, answers, deals):
    cards, winners = deals
    low, high = np.full((2, DEALS), 99, np.int8), np.full((2, DEALS), -99, np.int8)
    node = np.zeros(DEALS, np.int64) if position == 0 else 1 + answers[0, cards[0]]
    for bids in itertools.product((0, 1), repeat=4):
        if sum(bids) != 1:
            own, leader = bids[position], max(range(4), key=lambda seat: (bids[seat], -seat))
            points = np.where((winners[leader] == position) == (own == 1), 10 + own, 0)
            points = points[agree := node == BIDS_SO_FAR.index(bids[:position])]
            low[own, agree] = np.minimum(low[own, agree], points)
            high[own, agree] = np.maximum(high[own, agree], points)
    found = _one_card.margins(shipped()["one_card"], position, True)
    for k, difference in enumerate((low[1] - high[0], high[1] - low[0])):
        sums = np.bincount(32 * node + cards[position], difference, minlength=480).reshape(15, 32)
        assert (found[:, :, k] == sums).all()
    assert (found[:, :, 0] <= found[:, :, 1]).all()
    assert found[:, :, 2].sum() == DEALS


def test_the_solver_measures_what_other_bids_lose():
    table = shipped()["one_card"]
    table[0] |= 1 << DECK.id("BA")  # the ace of bells wins 0.394 of its tricks when it leads
    gain, points, _ = _one_card.gains(table)
    assert gain[0] > 0
    assert points[0] / DEALS < 7.6178


# ------------------------------------------------------------------------------------------------- two cards

RENAMED = [(0, *plain) for plain in itertools.permutations((1, 2, 3))]
HANDS = list(itertools.combinations(range(32), 2))


def number_of(hand):
    return _two_cards.hand_number(*_two_cards.in_order(*hand))


def test_hands_are_the_same_exactly_when_plain_suits_can_be_renamed():
    classes = {}
    for hand in HANDS:
        renamed = {frozenset(8 * suits[card // 8] + card % 8 for card in hand) for suits in RENAMED}
        classes.setdefault(min(map(sorted, renamed))[0] * 32 + min(map(sorted, renamed))[1], []).append(hand)
        assert _two_cards.in_order(*hand) == _two_cards.in_order(*hand[::-1])
    numbers = [{number_of(hand) for hand in hands} for hands in classes.values()]
    assert all(len(found) == 1 for found in numbers)
    assert sorted(min(found) for found in numbers) == list(range(156))


def test_a_choice_of_two_cards_is_known_by_what_either_does_to_the_trick():
    meanings = {}
    for hand in HANDS:
        first, second = _two_cards.in_order(*hand)
        for lead, best in itertools.product(range(4), range(32)):
            if best in hand or best // 8 not in (0, lead):
                continue
            led = [8 * lead + rank for rank in range(8) if 8 * lead + rank not in hand]
            trick = [best] if best // 8 == lead else [led[0], best]
            legal = ref.legal_cards(set(hand), trick)
            choice = _two_cards.choice(first, second, lead)
            assert legal == sorted(hand) if choice == 2 else legal == [(first, second)[choice]]
            if choice == 2:
                wins = [ref.winning_card([*trick, card]) == card for card in (first, second)]
                hearts = [first < 8, second < 8, lead == 0]
                meaning = (first % 8, second % 8, first // 8 == second // 8, *hearts, *wins)
                number = _two_cards.kind(first, second, lead, best)
                assert 0 <= number < _two_cards.KINDS
                assert meanings.setdefault(number, meaning) == meaning
    assert len(meanings) > 300


def test_every_set_of_the_play_has_a_number_of_its_own():
    first, second = DECK.id("L7"), DECK.id("L9")
    numbers = set()
    for bids, (place, best_place) in itertools.product(
        range(81), [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    ):
        for best in ("L8", "L10", "HA"):
            made = _two_cards.play_number(bids, place, best_place, first, second, 1, DECK.id(best))
            assert _two_cards.LEADS <= made < _two_cards.PLAYS
            numbers.add(made)
        numbers.add(_two_cards.play_number(bids, 0, 0, first, second, -1, -1))
    assert len(numbers) == 81 * 6 * 3 + 81


def test_two_certain_tricks_are_bid(bid):
    hand = [DECK.id("HK"), DECK.id("HA")]
    for position in range(4):
        for bids in itertools.product(range(3), repeat=position):
            if 2 in ref.legal_bids(2, bids):
                assert bid(bidding(hand, bids)) == 2, bids


def test_the_kernel_plays_the_two_card_round_as_the_solver_does():
    # Shares of exact bids by position from the trainer (docs/exact.md), whose rules are written apart.
    known = (0.7746, 0.7916, 0.8193, 0.4566)
    results = simulate("exact*4", 20_000, 20261130, options={"hand_sizes": "2"})
    for row, share in zip(results.accuracy.itertuples(), known, strict=True):
        assert abs(row.rate - share) < 4 * (share * (1 - share) / row.bids) ** 0.5 + 0.0005, row


def test_a_learned_response_finds_nothing_against_the_table_but_much_against_chance():
    tables = shipped()
    plays = np.unpackbits(tables["two_plays"], count=_two_cards.PLAYS, bitorder="little")
    table = np.eye(3)[tables["two_bids"]], plays.astype(np.float64)
    *_, gain, error = _solve_two_cards.best_response(1, 30_000, 3, *table)
    assert gain < 4 * error
    *_, gain, error = _solve_two_cards.best_response(1, 30_000, 3, *_solve_two_cards.even_policies())
    assert gain > 2


def test_two_card_learning_repeats_and_improves():
    first, second, other = (_solve_two_cards.solve(seed, 20_000, 0.02) for seed in (7, 7, 8))
    for one, again in zip(itertools.chain(*first), itertools.chain(*second), strict=True):
        assert (one == again).all()
    assert (other[0][0] != first[0][0]).any()
    same = first[0][0].argmax(axis=1) == shipped()["two_bids"]
    assert same[:156].mean() > 0.8  # the first bids already
