"""Evidence against numeric integration, the confidence sequence against the evidence, both against chance."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate
from scipy import stats as scipy_stats

from bridzik_sim import stats
from bridzik_sim.sequential import MIN_UNITS, PRIOR, anytime, evidence
from bridzik_sim.tally import SCHEDULE

REPETITIONS = 20_000
LOOKS = sorted({MIN_UNITS, *(look for look in SCHEDULE if MIN_UNITS <= look <= 5600)})


def sums(values):
    return len(values), int(values.sum()), int((values * values).sum())


def with_t(units, t):
    """Integer sums of which Student's statistic is ``t``, to sixteen digits."""
    if t == 0:
        return units, 0, 1
    total = 10**40 if t > 0 else -(10**40)
    return units, total, int(Fraction(total**2, units) * (1 + (units - 1) / Fraction(t) ** 2))


# --- evidence


@pytest.mark.parametrize("units", [2, 5, 30, 60])
@pytest.mark.parametrize("t", [0.4, 1.0, -2.5, 6.0])
def test_evidence_is_the_mixture_of_noncentral_densities(units, t):
    def weighted(effect):
        density = scipy_stats.nct.pdf(t, units - 1, effect * math.sqrt(units))
        return density * scipy_stats.norm.pdf(effect, 0, math.sqrt(PRIOR))

    edge = 10 * math.sqrt(PRIOR)
    mixed = integrate.quad(weighted, -edge, edge, epsabs=0, epsrel=1e-7, limit=200)[0]
    expected = math.log10(mixed / scipy_stats.t.pdf(t, units - 1))
    assert evidence(*with_t(units, t)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("units", [2, 10, 200, 5000])
def test_the_mean_of_the_e_value_is_1_without_an_effect(units):
    def weighted(t):
        return math.exp(math.log(10) * evidence(*with_t(units, t)) + scipy_stats.t.logpdf(t, units - 1))

    mean = 2 * integrate.quad(weighted, 0, math.inf, epsabs=1e-9, limit=400)[0]
    assert mean == pytest.approx(1, abs=1e-6)


def test_evidence_of_few_or_equal_units():
    assert math.isnan(evidence(0, 0, 0))
    assert math.isnan(evidence(1, 5, 25))
    # All zero counts as t = 0; all equal is the limit of a spread that goes to nothing.
    assert evidence(300, 0, 0) == pytest.approx(-math.log10(4) / 2)
    assert evidence(300, 2100, 14_700) == pytest.approx(299 / 2 * math.log10(4))
    assert evidence(300, 2100 * 10**9, 14_700 * 10**18 + 1) == pytest.approx(299 / 2 * math.log10(4))


def test_evidence_of_enormous_totals():
    # t = 6 of 10**11 units: the sums' products pass 2**63, and v hardly differs from infinity, where the mixture
    # of normal densities is exp(t**2 / 2 * (1 - 1 / r)) / sqrt(r).
    units, spread = 10**11, 10**4
    total = round(6 * spread * math.sqrt(units))
    r = 1 + units * PRIOR
    expected = (18 * (1 - 1 / r) - math.log(r) / 2) / math.log(10)
    assert evidence(units, total, units * spread**2) == pytest.approx(expected, rel=1e-6)
    assert evidence(units, 10**15, units * 10**8) == pytest.approx((units - 1) / 2 * math.log10(r), rel=1e-6)
    assert evidence(np.int64(10**6), np.int64(10**9), np.int64(10**15)) == evidence(10**6, 10**9, 10**15)


# --- anytime


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-3, 1e-12])
@pytest.mark.parametrize("units", [MIN_UNITS, 317, 4000])
def test_its_limits_are_where_the_evidence_reaches_1_over_alpha(units, alpha):
    values = (np.random.default_rng(units).exponential(30, units) - 20).round().astype(int)
    _, total, squares = sums(values)
    estimate = anytime(units, total, squares, alpha=alpha)
    # The same data in finer units, so that a candidate mean is an integer: evidence does not depend on the scale.
    scale = 10**9

    def against(candidate):
        moved = total * scale - units * candidate
        return evidence(
            units, moved, squares * scale**2 - 2 * candidate * total * scale + units * candidate**2
        )

    def search(inside, outside):
        while abs(outside - inside) > 1:
            middle = (inside + outside) // 2
            inside, outside = (inside, middle) if against(middle) >= -math.log10(alpha) else (middle, outside)
        return outside / scale

    centre = total * scale // units
    assert estimate.low == pytest.approx(search(centre, centre - 10**13), rel=1e-7)
    assert estimate.high == pytest.approx(search(centre, centre + 10**13), rel=1e-7)


def test_zero_lies_outside_exactly_when_the_evidence_suffices():
    rng = np.random.default_rng(8)
    outside = 0
    for _ in range(4000):
        units = int(rng.integers(MIN_UNITS, 3000))
        alpha = 10 ** rng.uniform(-8, -0.1)
        need = math.sqrt(2 * math.log(math.sqrt(1 + units * PRIOR) / alpha))
        total = round(rng.uniform(0.7, 1.6) * need * 1e6 * math.sqrt(units)) * int(rng.choice([-1, 1]))
        row = units, total, 10**12 * units + total**2 // units
        estimate = anytime(*row, parts=3, alpha=alpha)
        apart = not estimate.low <= 0 <= estimate.high
        assert apart == (evidence(*row) >= -math.log10(alpha))
        outside += apart
    assert 1000 < outside < 3000


def test_value_and_error_are_those_of_the_mean():
    values = np.random.default_rng(9).integers(-30, 80, 700)
    expected = stats.mean(*sums(values), parts=4)
    estimate = anytime(*sums(values), parts=4)
    assert estimate[:2] == pytest.approx(expected[:2], rel=1e-14)
    assert estimate.low < expected.low < expected.high < estimate.high


def test_nothing_is_concluded_before_the_first_units():
    values = np.random.default_rng(10).integers(90, 110, MIN_UNITS - 1)
    estimate = anytime(*sums(values))
    assert (estimate.low, estimate.high) == (-math.inf, math.inf)
    assert estimate.value == pytest.approx(values.mean())
    one, none = anytime(1, 5, 25), anytime(0, 0, 0)
    assert one.value == 5
    assert math.isnan(one.error)
    assert math.isnan(none.value)
    assert (one[2:], none[2:]) == ((-math.inf, math.inf), (-math.inf, math.inf))


def test_equal_units_leave_no_width():
    assert anytime(MIN_UNITS, 0, 0) == (0, 0, 0, 0)
    assert anytime(400, 2800, 19_600, parts=2) == (3.5, 0, 3.5, 3.5)


def test_a_certainty_beyond_what_the_units_can_give_has_no_limits():
    # Even equal units give no more than r**(v / 2) of evidence, about 10**47 with 200 units.
    most = (MIN_UNITS - 1) / 2 * math.log10(1 + MIN_UNITS * PRIOR)
    row = MIN_UNITS, 7 * MIN_UNITS, 50 * MIN_UNITS
    assert math.isfinite(anytime(*row, alpha=10 ** -(most - 0.1)).low)
    for values in (row, (MIN_UNITS, 7 * MIN_UNITS, 49 * MIN_UNITS)):
        estimate = anytime(*values, alpha=10 ** -(most + 0.1))
        assert (estimate.low, estimate.high) == (-math.inf, math.inf)
    assert math.isfinite(anytime(10**6, 10**6, 10**7, alpha=1e-300).high)


def test_limits_of_enormous_totals():
    # Normal data of known spread, Robbins' bound: spread * sqrt((log(r) - 2 log(alpha)) * r / (r - 1) / n).
    units, r = 10**11, 1 + 10**11 * PRIOR
    estimate = anytime(units, 10**15, units * (10**8 + 4))
    assert estimate.value == 10**4
    reach = 2 * math.sqrt((math.log(r) - 2 * math.log(0.05)) / units * r / (r - 1))
    assert estimate.high - estimate.value == pytest.approx(reach, rel=1e-6)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 2, math.nan])
def test_alpha_is_a_probability(alpha):
    with pytest.raises(ValueError, match="alpha"):
        anytime(500, 1, 1, alpha=alpha)


def test_many_units_import_no_scipy():
    code = (
        "import sys; from bridzik_sim import sequential, stats; sequential.anytime(10**6, 500, 10**6); "
        "stats.t_test(10**6, 500, 10**6); stats.holm([0.1]); sys.exit('scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- chance: every look of the schedule, up to 5,600 units. bench/intervals.py has more laws, unit by unit.


def rare(rng, units):
    """Sums of units that are 0, or with a chance of 0.1 either 1 or -1."""
    number = rng.binomial(units, 0.1, REPETITIONS)
    return 2 * rng.binomial(number, 0.5) - number, number


def heavy(rng, units):
    """Sums of units that are 1, or with a chance of 0.05 -19."""
    number = rng.binomial(units, 0.05, REPETITIONS)
    return units - 20 * number, units + 360 * number


@pytest.mark.parametrize("law", [rare, heavy])
def test_the_sequence_misses_at_most_its_stated_rate(law):
    rng = np.random.default_rng(2024)
    total, squares = np.zeros((2, REPETITIONS), np.int64)
    most, last = np.full(REPETITIONS, -math.inf), 0
    for look in LOOKS:
        more = law(rng, look - last)
        total, squares, last = total + more[0], squares + more[1], look
        seen = zip(total.tolist(), squares.tolist(), strict=True)
        most = np.maximum(most, [evidence(look, a, b) for a, b in seen])
    assert (most >= math.log10(20)).mean() <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / REPETITIONS)


def test_the_sequence_ends_when_there_is_an_effect():
    # A fifth of the spread, 2,000 units: t is about 9, where 4.1 suffices.
    values = np.random.default_rng(6).normal(20, 100, (50, 2000)).round().astype(int)
    assert all(anytime(*sums(row)).low > 0 for row in values)
