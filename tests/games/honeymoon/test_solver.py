"""The solver against minimax in plain Python, and against itself on whole hands."""

import itertools
from functools import cache

import numpy as np
import pytest

from bridzik_sim.games.honeymoon import solver

TRUMPS = range(-1, 4)
NO_CARD = None


def legal_answers(hand, led):
    """Cards (suit, rank) that may be played."""
    following = [card for card in hand if led is not NO_CARD and card[0] == led[0]]
    return following or list(hand)


def beats(card, led, trump):
    """Whether an answer wins."""
    return card[1] > led[1] if card[0] == led[0] else card[0] == trump


@cache
def minimax(own, other, led, trump):
    """Tricks of whoever is to play, who holds ``own``: every line of play, straight from the rules."""
    return max((after(own, other, led, card, trump) for card in legal_answers(own, led)), default=0)


def after(own, other, led, card, trump):
    """Tricks of whoever plays ``card``, this one included."""
    rest, left = own - {card}, len(own) - 1
    if led is NO_CARD:
        return len(own) - minimax(other, rest, card, trump)
    if beats(card, led, trump):
        return 1 + minimax(rest, other, NO_CARD, trump)
    return left - minimax(other, rest, NO_CARD, trump)


def mask(cards):
    """The cards as a mask of the 52."""
    return sum(1 << 13 * suit + rank for suit, rank in cards)


def cards_of(hand):
    """The cards of a mask."""
    return frozenset((card // 13, card % 13) for card in range(52) if hand >> card & 1)


def deal(random, size, deck=52):
    """Two random hands of the first ``deck`` cards by rank: the fewer, the more they meet in a suit."""
    ids = random.permutation(deck)[: 2 * size]
    cards = [(int(card) % 4, int(card) // 4) for card in ids]
    return frozenset(cards[:size]), frozenset(cards[size:])


def known(own, other, led, trump, table):
    """What the solver says, in tricks of whoever is to play."""
    card = -1 if led is NO_CARD else 13 * led[0] + led[1]
    return solver.tricks(mask(own), mask(other), trump, card, table)


@pytest.mark.parametrize("rows", [1, 1 << 14])
def test_small_endings_are_solved_as_by_minimax(rows):
    # One row is written over all the time.
    random, table, seen = np.random.default_rng(rows), solver.new_table(rows), set()
    for size, deck in itertools.product(range(1, 6), (2 * 5, 16, 28, 52)):
        for _ in range(12):
            one, two = deal(random, size, deck)
            for trump, (own, other) in itertools.product(TRUMPS, ((one, two), (two, one))):
                wanted = minimax(own, other, NO_CARD, trump)
                assert known(own, other, NO_CARD, trump, table) == wanted, (own, other, trump)
                seen.add((size, wanted))
        minimax.cache_clear()
    assert seen == {(size, tricks) for size in range(1, 6) for tricks in range(size + 1)}


def test_every_card_of_leader_and_answerer_has_its_value():
    random, table, values = np.random.default_rng(4), solver.new_table(1 << 10), np.zeros(52, np.int64)
    for size, deck in itertools.product(range(1, 6), (2 * 5, 28)):
        for trump in TRUMPS:
            own, other = deal(random, size, deck)
            for led in (NO_CARD, *other):
                rest = other - {led}
                card = -1 if led is NO_CARD else 13 * led[0] + led[1]
                best = solver.answer_values(mask(own), mask(rest), trump, card, table, values)
                wanted = {c: after(own, rest, led, c, trump) for c in legal_answers(own, led)}
                most = max(wanted.values())
                assert {(c // 13, c % 13): int(values[c]) for c in range(52) if values[c] >= 0} == wanted
                assert cards_of(int(best)) == {c for c, tricks in wanted.items() if tricks == most}
                assert known(own, rest, led, trump, table) == most
        minimax.cache_clear()


def test_whole_hands_agree_with_themselves():
    random, table, values = np.random.default_rng(6), solver.new_table(1 << 14), np.zeros(52, np.int64)
    for trump in TRUMPS:
        hands = [mask(hand) for hand in deal(random, 13)]
        turn, led, taken = 0, -1, [0, 0]
        total = solver.solve(hands[0], hands[1], trump)
        while hands[turn]:
            best = int(solver.answer_values(hands[turn], hands[1 - turn], trump, led, table, values))
            value = int(values.max())
            north = taken[0] + (value if turn == 0 else hands[turn].bit_count() - value)
            assert north == total
            card = best.bit_length() - 1
            hands[turn] ^= 1 << card
            if led < 0:
                turn, led = 1 - turn, card
                continue
            ours, theirs = (card // 13, card % 13), (led // 13, led % 13)
            turn = turn if beats(ours, theirs, trump) else 1 - turn
            taken[turn] += 1
            led = -1
        assert taken == [total, 13 - total]


def test_thirteen_trumps_take_all_and_at_no_trump_so_does_who_leads():
    suit = (1 << 13) - 1
    for leader, wanted in ((0, [13, 13, 0]), (1, [0, 13, 0])):
        assert [solver.solve(suit, suit << 13, trump, leader) for trump in (-1, 0, 1)] == wanted


def test_the_names_of_suits_do_not_matter():
    random = np.random.default_rng(8)
    for trump in TRUMPS:
        hands, names = deal(random, 13), random.permutation(4).tolist()
        renamed = [frozenset((names[suit], rank) for suit, rank in hand) for hand in hands]
        other_trump = names[trump] if trump >= 0 else -1
        for leader in (0, 1):
            wanted = solver.solve(*map(mask, hands), trump, leader)
            assert solver.solve(*map(mask, renamed), other_trump, leader) == wanted
            assert 13 - solver.solve(*map(mask, renamed[::-1]), other_trump, 1 - leader) == wanted


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"trump": 4}, "trump"),
        ({"leader": 2}, "leader"),
        ({"first": 2}, "different"),
        ({"first": 1 << 52}, "52"),
        ({"led": 1}, "led"),
        ({"led": 52}, "led"),
        ({"first": 5}, "equally large"),
        ({"led": 7}, "equally large"),
    ],
)
def test_wrong_positions_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        solver.solve(**{"first": 1, "second": 2} | wrong)


def test_a_card_led_counts_for_its_hand():
    # Seat 1 has led the king (its only card), seat 0 has the ace.
    assert solver.solve(1 << 12, 0, -1, leader=1, led=11) == 1
    assert solver.solve(1 << 12, 0, -1, leader=1, led=24) == 0
    assert solver.solve(1 << 12, 0, 0, leader=1, led=24) == 1
    assert solver.solve(0, 1 << 12, 0, leader=0, led=24) == 0
