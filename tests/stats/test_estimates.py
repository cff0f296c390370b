"""Tests, adjustments and ratios against scipy, exact fractions, brute force and simulation."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import stats

REPETITIONS = 20_000


def sums(values):
    return len(values), int(values.sum()), int((values * values).sum())


def pair_sums(x, y):
    return len(x), *(int(s.sum()) for s in (x, y, x * x, x * y, y * y))


def slack(rate):
    """Four standard errors of a rate that is counted in all repetitions."""
    return 4 * math.sqrt(rate * (1 - rate) / REPETITIONS)


# --- t_test


@pytest.mark.parametrize("units", [2, 3, 20, 499, 500, 501, 502, 3000, 100_000])
@pytest.mark.parametrize("effect", [0.0, 0.02, -0.1, 1.0])
def test_the_t_test_is_scipys(units, effect):
    values = np.random.default_rng(units).normal(40 * effect, 40, units).round().astype(int)
    exact = scipy_stats.ttest_1samp(values, 0).pvalue
    if exact > 1e-25:
        assert stats.t_test(*sums(values)) == pytest.approx(exact, rel=1e-9)
    else:
        assert stats.t_test(*sums(values)) < 1e-25


@pytest.mark.parametrize("units", [501, 2000, 10**6])
@pytest.mark.parametrize("t", [1e-5, 0.3, 1.96, 4.0, 8.0, 20.0])
def test_many_units_need_no_table(units, t):
    # Squares so large that t can be set through them to sixteen digits.
    total = 10**20
    squares = int(Fraction(total**2, units) * (1 + Fraction(units - 1) / Fraction(t) ** 2))
    relative = 1e-9 if t < 10 else 1e-7
    expected = 2 * scipy_stats.t.sf(t, units - 1)
    assert stats.t_test(units, total, squares) == pytest.approx(expected, rel=relative)


def test_the_t_test_of_equal_units():
    assert stats.t_test(5, 0, 0) == 1
    assert stats.t_test(5, 35, 245) == 0
    assert stats.t_test(10**6, 0, 0) == 1
    assert stats.t_test(10**6, -(10**6), 10**6) == 0
    assert stats.t_test(4, 0, 20) == 1


def test_the_t_test_needs_two_units():
    assert math.isnan(stats.t_test(0, 0, 0))
    assert math.isnan(stats.t_test(1, 3, 9))


def test_the_t_test_of_enormous_totals():
    # 10**11 units of spread 10**4: the mean is 3 standard errors off; the sums' products pass 2**63 by far.
    units, spread = 10**11, 10**4
    total = round(3 * spread * math.sqrt(units))
    assert stats.t_test(units, total, units * spread**2) == pytest.approx(
        2 * scipy_stats.norm.sf(3), rel=1e-8
    )
    # A total of 10**15 with a spread of 2: no digit of the spread is lost, and the effect is beyond all doubt.
    assert stats.sample_variance(units, 10**15, units * (10**8 + 4)) == pytest.approx(4, rel=1e-10)
    assert stats.t_test(units, 10**15, units * (10**8 + 4)) == 0


def test_numpy_sums_do_not_overflow():
    units, total, squares = 10**6, 10**12, 10**18 + 10**12
    plain = stats.t_test(units, total // 10**6, squares)
    assert stats.t_test(*map(np.int64, (units, total // 10**6, squares))) == plain
    assert stats.mean(*map(np.int64, (units, total, squares))) == stats.mean(units, total, squares)
    sizes = (100, 10**9, 10**9, 10**16 + 5, 10**16, 10**16 + 3)
    assert stats.ratio(*map(np.int64, sizes)) == stats.ratio(*sizes)


# --- holm


def closed_testing(p):
    """Holm's adjustment from its definition: every intersection of hypotheses tested by Bonferroni."""
    indices = range(len(p))
    subsets = [s for size in indices for s in itertools.combinations(indices, size + 1)]
    return [max(min(1.0, len(s) * min(p[j] for j in s)) for s in subsets if i in s) for i in indices]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_holm_is_closed_testing(number):
    rng = np.random.default_rng(number)
    for _ in range(50):
        p = (rng.random(number) ** 3).tolist()
        assert stats.holm(p) == pytest.approx(closed_testing(p), rel=1e-14)
    ties = [0.02, 0.5, 0.02, 0.5, 0.0][:number]
    assert stats.holm(ties) == pytest.approx(closed_testing(ties))


def test_what_is_not_a_number_is_no_hypothesis():
    adjusted = stats.holm([0.04, math.nan, 0.01, math.nan])
    assert math.isnan(adjusted[1])
    assert math.isnan(adjusted[3])
    assert (adjusted[0], adjusted[2]) == (0.04, 0.02)


def test_holm_keeps_the_family_wise_rate():
    # Ten t-tests of correlated means (half of the variance is shared), three of them of effects that are there.
    units, hypotheses, false = 20, 10, 3
    rng = np.random.default_rng(11)
    shared = rng.normal(0, 100, (REPETITIONS, units, 1))
    values = (shared + rng.normal(0, 100, (REPETITIONS, units, hypotheses))).round().astype(int)
    values[:, :, :false] += 100
    totals, squares = values.sum(axis=1).tolist(), (values * values).sum(axis=1).tolist()
    wrong = found = 0
    for total, square in zip(totals, squares, strict=True):
        p = stats.holm([stats.t_test(units, a, b) for a, b in zip(total, square, strict=True)])
        wrong += min(p[false:]) <= 0.05
        found += sum(value <= 0.05 for value in p[:false])
    assert wrong / REPETITIONS <= 0.05 + slack(0.05)
    # Not by never rejecting: the familiar power of one t-test at alpha / 10 is a floor of what is found.
    reach = scipy_stats.t.ppf(1 - 0.05 / hypotheses / 2, units - 1)
    power = scipy_stats.nct.sf(reach, units - 1, 100 / math.sqrt(20_000) * math.sqrt(units))
    assert found / (false * REPETITIONS) >= power - slack(power)


# --- ratio


def deals(rng, *shape):
    """Numerators and denominators of which the ratio is 0.3: hits, and chances that vary between units."""
    x = 1 + rng.poisson(7, shape)
    return x, rng.binomial(x, rng.beta(3, 7, shape))


def test_a_ratio_with_equal_denominators_is_a_mean():
    y = np.random.default_rng(3).integers(-50, 90, 41)
    assert stats.ratio(*pair_sums(np.full(41, 4), y)) == pytest.approx(
        stats.mean(*sums(y), parts=4), rel=1e-12
    )


def test_a_ratio_from_its_definition():
    x, y = deals(np.random.default_rng(4), 60)
    estimate = stats.ratio(*pair_sums(x, y))
    whole = y.sum() / x.sum()
    parts = np.array([(y.sum() - y[i]) / (x.sum() - x[i]) for i in range(60)])
    jackknife = math.sqrt(59 / 60 * ((parts - parts.mean()) ** 2).sum())
    assert estimate.value == whole
    assert estimate.error == pytest.approx(jackknife, rel=0.03)
    residual = y - whole * x
    assert estimate.error == pytest.approx(residual.std(ddof=1) * math.sqrt(60) / x.sum(), rel=1e-12)
    reach = scipy_stats.t.ppf(0.975, 59) * estimate.error
    assert (estimate.low, estimate.high) == pytest.approx((whole - reach, whole + reach), rel=1e-12)


def test_a_ratio_does_not_cancel():
    # y = 3 x plus -1, 0 or 1 by units, with x about 10**9: the residuals are 10**-9 of the values.
    x = [10**9 + k for k in range(30)]
    y = [3 * value + (k % 3 - 1) for k, value in enumerate(x)]
    whole = Fraction(sum(y), sum(x))
    squares = sum((Fraction(b) - whole * a) ** 2 for a, b in zip(x, y, strict=True))
    exact = math.sqrt(squares * 30 / 29) / sum(x)
    pairs = list(zip(x, y, strict=True))
    products = [sum(a * a for a in x), sum(a * b for a, b in pairs), sum(b * b for b in y)]
    assert stats.ratio(30, sum(x), sum(y), *products).error == pytest.approx(exact, rel=1e-12)


def test_a_ratio_at_the_ends():
    assert all(map(math.isnan, stats.ratio(0, 0, 0, 0, 0, 0)))
    assert all(map(math.isnan, stats.ratio(3, 0, 0, 0, 0, 0)))
    one = stats.ratio(1, 4, 2, 16, 8, 4)
    assert one.value == 0.5
    assert all(map(math.isnan, one[1:]))
    assert stats.ratio(2, 3, 6, 5, 10, 20) == (2, 0, 2, 2)


def test_the_ratios_interval_covers_the_truth():
    x, y = deals(np.random.default_rng(12), REPETITIONS, 100)
    rows = np.stack([s.sum(axis=1) for s in (x, y, x * x, x * y, y * y)], axis=1).tolist()
    covered = sum(e.low <= 0.3 <= e.high for e in (stats.ratio(100, *row) for row in rows))
    assert abs(covered / REPETITIONS - 0.95) <= slack(0.95)


def test_a_share_of_equally_many_trials_is_a_rate():
    trials, hits = 4, [0, 1, 4, 2, 3, 3, 1]
    units, total, squares = len(hits), sum(hits), sum(hit * hit for hit in hits)
    moments = (units * trials**2, trials * total, squares)
    assert stats.share(units, units * trials, total, *moments) == pytest.approx(
        stats.rate(units, total, squares, trials)
    )


def test_a_share_of_no_trials_is_nothing():
    assert all(math.isnan(value) for value in stats.share(5, 0, 0, 0, 0, 0))
