"""Estimates and intervals from integer sums over units. Pure functions; every formula names its source.

A unit (the cards of one game, in all its seatings) is one observation: rounds of a game are not independent.
"""

from __future__ import annotations

import math
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
    return (units * squares - total * total) / (units * (units - 1)) if units > 1 else math.nan


def mean(units: int, total: int, squares: int, parts: int = 1) -> Estimate:
    """Mean of a unit's value divided by ``parts`` (the seats it sums over), with Student's interval."""
    if units == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    value = total / (units * parts)
    error = math.sqrt(sample_variance(units, total, squares) / units) / parts if units > 1 else math.nan
    reach = student(units) * error
    return Estimate(value, error, value - reach, value + reach)


def rate(units: int, hits: int, squares: int, trials: int) -> Estimate:
    """Share of hits among ``trials`` a unit (the same for all), with an interval that respects clustering.

    Wilson's interval (Wilson, JASA 22, 1927) with the effective number of trials p(1 - p) / se**2, se the
    standard error over units (Korn and Graubard, Survey Methodology 24, 1998), and Student's quantile for few
    units. When all units agree, the design effect is taken as 1.
    """
    if units == 0 or trials == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    number = units * trials
    p = hits / number
    variance = sample_variance(units, hits, squares)
    error = math.sqrt(variance / units) / trials if units > 1 else math.nan
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
