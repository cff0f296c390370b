"""Learned chances: the distribution of tricks they add up to, and slopes, against independent arithmetic."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import poisson_binom

from strategies.parts import chances


@pytest.mark.parametrize("count", [0, 1, 4, 8, 20])
def test_the_distribution_is_poisson_binomial(count):
    wins = np.random.default_rng(count).random(count)
    tricks = np.empty(count + 1)
    chances.distribute(wins, count, -1, count, tricks)
    expected = poisson_binom(wins).pmf(np.arange(count + 1)) if count else [1.0]
    assert tricks == pytest.approx(expected, abs=1e-12)


def test_one_card_can_be_left_out_and_the_rest_cut_off():
    wins, tricks = np.array([0.2, 0.9, 0.5]), np.empty(2)
    chances.distribute(wins, 3, 1, 1, tricks)
    assert tricks == pytest.approx([0.8 * 0.5, 0.2 * 0.5 + 0.8 * 0.5])


def test_a_chance_is_the_logistic_function_of_the_sum_of_its_entries():
    table = np.array([0.5, -2, 1, 4, 8], np.float32)
    entries = np.array([4, 2, 1, 2, 3])
    assert chances.chance(table, entries, 1, 3) == pytest.approx(expit(1 - 2 + 1))


def test_log_odds_end_where_a_chance_is_as_good_as_certain():
    for chance in (0.3, 0.999):
        assert chances.log_odds(chance) == pytest.approx(logit(chance))
        step = (chances.log_odds(chance + 1e-7) - chances.log_odds(chance - 1e-7)) / 2e-7
        assert chances.slope_of(chance) == pytest.approx(step, rel=1e-4)
    assert chances.log_odds(0.0) == chances.log_odds(1e-9) == pytest.approx(-chances.log_odds(1.0))
    assert chances.log_odds(0.0) == pytest.approx(logit(chances.LEAST))


@pytest.mark.parametrize("number", range(5))
def test_one_more_card_moves_the_chance_of_a_number_of_tricks(number):
    wins = np.random.default_rng(number).random(4)
    without, low, high = (np.empty(5) for _ in range(3))
    chances.distribute(wins, 4, 2, 4, without)
    for tricks, step in ((low, -1e-6), (high, 1e-6)):
        changed = wins.copy()
        changed[2] += step
        chances.distribute(changed, 4, -1, 4, tricks)
    slope = (high[number] - low[number]) / 2e-6
    assert chances.one_more(without, number) == pytest.approx(slope, abs=1e-8)


def test_a_slope_is_added_to_every_entry_of_a_chance_and_to_no_other():
    slopes = np.ones(6, np.float32)
    chances.spread_slope(slopes, np.array([5, 0, 3, 3, 1]), 1, 3, 0.5)
    assert slopes.tolist() == [1.5, 1, 1, 2, 1, 1]


def test_the_place_of_a_card_in_a_hand():
    hand = 1 << 3 | 1 << 17 | 1 << 59
    assert [chances.place_in_hand(hand, card) for card in (3, 17, 59)] == [0, 1, 2]
