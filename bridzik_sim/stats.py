"""Estimates and intervals from integer sums over units. Pure functions; every formula names its source.

A unit (the cards of one game, in all its seatings) is one observation: rounds of a game are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
MANY = 500


class Estimate(NamedTuple):
    """A value with its standard error and confidence limits; NaN where there are too few units to tell."""

    value: float
    error: float
    low: float
    high: float


def student(units: int, confidence: float = CONFIDENCE) -> float:
    """Two-sided quantile of Student's t with ``units - 1`` degrees of freedom; NaN below two units.

    For many units by its expansion around the normal quantile (Abramowitz and Stegun 26.7.5), which equals
    scipy's to eleven digits there and spares the time that importing scipy takes.
    """
    if units < 2:
        return math.nan
    if units <= MANY:
        from scipy.special import stdtrit

        return float(stdtrit(units - 1, 0.5 + confidence / 2))
    z, freedom = NormalDist().inv_cdf(0.5 + confidence / 2), float(units - 1)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


def sample_variance(units: int, total: int, squares: int) -> float:
    """Variance (divisor n - 1) of unit values from their integer sum and sum of squares; NaN below two units.

    The subtraction is done in integers, so nothing cancels.
    """
    units, total, squares = int(units), int(total), int(squares)
    return (units * squares - total * total) / (units * (units - 1)) if units > 1 else math.nan


def mean(units: int, total: int, squares: int, parts: int = 1) -> Estimate:
    """Mean of a unit's value divided by ``parts`` (the seats it sums over), with Student's interval."""
    if units == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    value = total / (units * parts)
    error = math.sqrt(sample_variance(units, total, squares) / units) / parts if units > 1 else math.nan
    reach = student(units) * error
    return Estimate(value, error, value - reach, value + reach)


def t_test(units: int, total: int, squares: int) -> float:
    """Two-sided p-value of Student's one-sample test (Student 1908) that units of this sum have a mean of 0.

    With T the sum, Q the squares and v = n - 1, t**2 / v = T**2 / (n Q - T**2), both integers, so nothing
    cancels. Units that are all 0 give 1, units that all equal another value give 0; NaN below two units.

    For many units by the normal deviate of t (Hill, Algorithm 395, Comm. ACM 13, 1970), which equals scipy's
    value there to ten digits down to 1e-25 and to six down to 1e-145, and spares the time of importing scipy.
    """
    units, total, squares = int(units), int(total), int(squares)
    if units < 2:
        return math.nan
    rest = units * squares - total * total
    if rest == 0:
        return 0.0 if total else 1.0
    ratio, freedom = total * total / rest, units - 1
    if units <= MANY:
        from scipy.special import stdtr

        return 2 * float(stdtr(freedom, -math.sqrt(ratio * freedom)))
    a = freedom - 0.5
    b, y = 48 * a * a, a * math.log1p(ratio)
    inner = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b) + y + 3
    return math.erfc((inner / b + 1) * math.sqrt(y / 2))


def holm(p: Sequence[float]) -> list[float]:
    """P-values adjusted for all hypotheses; rejecting those up to alpha keeps the family-wise rate at alpha.

    Step-down Bonferroni (Holm, Scand. J. Statist. 6, 1979), valid under any dependence: the i-th smallest of
    m is multiplied by m + 1 - i, is not below the one before it, and at most 1. NaN stays NaN and is no
    hypothesis.
    """
    adjusted = [math.nan] * len(p)
    order = sorted((i for i, value in enumerate(p) if not math.isnan(value)), key=lambda i: p[i])
    least = 0.0
    for place, i in enumerate(order):
        least = adjusted[i] = min(1.0, max(least, (len(order) - place) * p[i]))
    return adjusted


def ratio(units: int, x: int, y: int, xx: int, xy: int, yy: int) -> Estimate:
    """The ratio sum(y) / sum(x) with an interval over units, from sums of x, y, x*x, x*y and y*y.

    Delta method (Cochran, Sampling Techniques, 3rd ed. 1977, section 6.4): with the residuals e = y - R x,
    which sum to 0, the variance is n / (n - 1) * sum(e**2) / x**2, and x**2 * sum(e**2) is the integer x**2
    yy - 2 x y xy + y**2 xx, so nothing cancels. Student's quantile. The denominators of units may be 0, but
    not all: then everything is NaN. Error and limits are NaN below two units. The interval needs a sum of x
    that is known well by itself, a coefficient of variation below about a tenth: dozens of units, not a
    handful.
    """
    units, x, y, xx, xy, yy = int(units), int(x), int(y), int(xx), int(xy), int(yy)
    if units == 0 or x == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    value = y / x
    residuals = x * x * yy - 2 * x * y * xy + y * y * xx
    error = math.sqrt(units * residuals / ((units - 1) * x**4)) if units > 1 else math.nan
    reach = student(units) * error
    return Estimate(value, error, value - reach, value + reach)


def rate(units: int, hits: int, squares: int, trials: int, worth: int = 1) -> Estimate:
    """Share of hits among ``trials`` a unit (the same for all), with an interval that respects clustering.

    Wilson's interval (Wilson, JASA 22, 1927) with the effective number of trials p(1 - p) / se**2, se the
    standard error over units (Korn and Graubard, Survey Methodology 24, 1998), and Student's quantile for few
    units. When all units agree, the design effect is taken as 1. A trial counts up to ``worth`` hits: 2 where
    a tie is half a win.
    """
    if units == 0 or trials == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    number = units * trials
    variance = sample_variance(units, hits, squares)
    error = math.sqrt(variance / units) / (trials * worth) if units > 1 else math.nan
    return _clustered(units, hits / (number * worth), error, number)


def share(units: int, trials: int, hits: int, xx: int, xy: int, yy: int) -> Estimate:
    """Share of hits among trials whose number differs from unit to unit; arguments as those of ``ratio``.

    Wilson's interval as in ``rate``, with the standard error of the ratio.
    """
    p, error, _, _ = ratio(units, trials, hits, xx, xy, yy)
    return Estimate(p, error, p, p) if math.isnan(p) else _clustered(units, p, error, int(trials))


def _clustered(units: int, p: float, error: float, number: int) -> Estimate:
    """Wilson's interval of a share of ``number`` trials with its standard error over units."""
    if units < 2:
        return Estimate(p, math.nan, math.nan, math.nan)
    effective = p * (1 - p) / error**2 if error > 0 and 0 < p < 1 else number
    low, high = wilson(p, effective, student(units))
    return Estimate(p, error, low, high)


def wilson(p: float, number: float, quantile: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion ``p`` of ``number`` trials."""
    square = quantile * quantile
    centre = p + square / (2 * number)
    reach = quantile * math.sqrt(p * (1 - p) / number + square / (4 * number * number))
    low, high = (centre - reach) / (1 + square / number), (centre + reach) / (1 + square / number)
    return (0.0 if p == 0 else low), (1.0 if p == 1 else high)
