"""Estimates against numpy, scipy and published values."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import stats

UNITS = np.random.default_rng(5).integers(0, 400, 57)


def sums(values):
    return len(values), int(values.sum()), int((values * values).sum())


def test_mean_is_the_textbook_interval():
    estimate = stats.mean(*sums(UNITS), parts=2)
    halves = UNITS / 2
    low, high = scipy_stats.t.interval(0.95, len(halves) - 1, halves.mean(), scipy_stats.sem(halves))
    assert estimate == pytest.approx((halves.mean(), scipy_stats.sem(halves), low, high), rel=1e-12)


@pytest.mark.parametrize("units", [2, 3, 10, 499, 500, 501, 502, 1000, 10**6])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_student_is_scipys(units, confidence):
    exact = scipy_stats.t.ppf(0.5 + confidence / 2, units - 1)
    assert stats.student(units, confidence) == pytest.approx(exact, rel=1e-11)


def test_variance_does_not_cancel():
    values = 10**9 + np.array([0, 1, 2, 3])
    units, total, _ = sums(values)
    squares = sum(int(value) ** 2 for value in values)
    assert stats.sample_variance(units, total, squares) == pytest.approx(5 / 3)


def test_one_unit_has_no_interval():
    estimate = stats.mean(1, 7, 49)
    assert estimate.value == 7
    assert all(math.isnan(value) for value in estimate[1:])


def test_no_units_no_value():
    assert math.isnan(stats.mean(0, 0, 0).value)
    assert math.isnan(stats.rate(0, 0, 0, 4).value)


def test_equal_units_have_an_interval_of_no_width():
    estimate = stats.mean(10, 70, 490)
    assert (estimate.value, estimate.error, estimate.low, estimate.high) == (7, 0, 7, 7)


def test_wilson_published_value():
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I:
    # 81 of 263 gives 0.2553 to 0.3662 by the score method, 15 of 148 gives 0.0624 to 0.1605.
    assert stats.wilson(81 / 263, 263, 1.959964) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert stats.wilson(15 / 148, 148, 1.959964) == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_wilson_at_the_ends():
    assert stats.wilson(0.0, 20, 1.959964) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert stats.wilson(1.0, 20, 1.959964) == pytest.approx((0.8389, 1.0), abs=5e-5)


def test_independent_trials_give_the_binomial_interval():
    hits = np.random.default_rng(1).binomial(4, 0.3, 200_000)
    estimate = stats.rate(*sums(hits), trials=4)
    binomial = stats.wilson(estimate.value, 800_000, stats.student(200_000))
    assert (estimate.low, estimate.high) == pytest.approx(binomial, abs=2e-5)


def test_clustering_widens_the_interval():
    # Four equal trials a unit carry the information of one.
    hits = 4 * np.random.default_rng(2).binomial(1, 0.3, 100_000)
    estimate = stats.rate(*sums(hits), trials=4)
    single = stats.wilson(estimate.value, 100_000, stats.student(100_000))
    assert (estimate.low, estimate.high) == pytest.approx(single, abs=2e-5)


@pytest.mark.parametrize("units", [20, 200])
def test_the_intervals_cover_the_truth(units):
    # 4,000 repetitions with correlated trials inside a unit (a shared beta-distributed chance), seed fixed before
    # looking; the number covered must lie within four standard errors of a binomial with 95 %.
    rng = np.random.default_rng(77)
    repetitions, trials = 4000, 4
    chance = rng.beta(3, 5, (repetitions, units))
    hits = rng.binomial(trials, chance)
    points = rng.normal(20, 6, (repetitions, units)).round().astype(int)
    covered = np.zeros(2, int)
    for row in range(repetitions):
        exact = stats.rate(*sums(hits[row]), trials=trials)
        mean = stats.mean(*sums(points[row]))
        covered += [exact.low <= 3 / 8 <= exact.high, mean.low <= 20 <= mean.high]
    slack = 4 * math.sqrt(0.95 * 0.05 * repetitions)
    assert np.all(np.abs(covered - 0.95 * repetitions) < slack), covered
