"""Evidence and intervals that stay valid however often one looks: pure functions of integer sums over units.

The test is Robbins' normal mixture for data of unknown spread: the t statistic's density when the mean in
units of the standard deviation has a normal prior, divided by its density when the mean is 0.

* Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist. 41 (1970):
  the normal mixture.
* Lai, "On confidence sequences", Ann. Statist. 4 (1976): unknown spread, by invariance to the scale.
* Gönen, Johnson, Lu and Westfall, "The Bayesian two-sample t test", Amer. Statist. 59 (2005): its formula.
* Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
  Sequential Analysis 44 (2025): its martingale and its interval.

For independent normal units with a mean of 0 the ratio is a martingale that starts at 1 (for those who see
the t statistics only), so by Ville's inequality the chance that it ever reaches 1 / alpha is at most alpha,
whatever the rule of stopping. For other laws this rests on the central limit theorem at the first look, hence
``MIN_UNITS`` (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
asymptotic confidence sequences", Ann. Statist. 52, 2024). No number of units is enough for every law (Bahadur
and Savage, Ann. Math. Statist. 27, 1956): an outcome too rare to have been seen moves the mean all the same.
The smaller alpha, the more a lopsided law matters. ``bench/intervals.py`` measures several.
"""

from __future__ import annotations

import math

from bridzik_sim.stats import Estimate, sample_variance

MIN_UNITS = 200
"""Units before which nothing is concluded. With 100, units of 1 and rarely (0.05) -19 break alpha = 0.05."""
PRIOR = 0.01
"""Variance of the normal prior of the effect (mean by standard deviation): effects of about a tenth."""


def evidence(units: int, total: int, squares: int) -> float:
    """Log10 of the e-value against a mean of 0, from the units' integer sum and sum of squares.

    With g = PRIOR, r = 1 + n g, v = n - 1 and t Student's statistic, the e-value is (Gönen et al. 2005)

        r**(-1/2) * ((1 + t**2 / v) / (1 + t**2 / (v r)))**(n / 2).

    In sums, t**2 / v = T**2 / (n Q - T**2), so the fraction is 1 / (1 - u (1 - 1 / r)) with u = T**2 / (n Q)
    from 0 to 1. That form needs no variance: units that all equal one value other than 0 give (v / 2) log10
    r, units that are all 0 count as t = 0. NaN below two units; whoever stops by it looks from MIN_UNITS on.
    """
    units, total, squares = int(units), int(total), int(squares)
    if units < 2:
        return math.nan
    r = 1 + units * PRIOR
    u = total * total / (units * squares) if squares else 0.0
    return -(math.log(r) + units * math.log1p(-u * (1 - 1 / r))) / (2 * math.log(10))


def anytime(units: int, total: int, squares: int, parts: int = 1, alpha: float = 0.05) -> Estimate:
    """Mean of a unit's value divided by ``parts``, with its confidence sequence of level 1 - ``alpha``.

    Every mean whose e-value (see ``evidence``) is below 1 / alpha. With K = (r**(1/2) / alpha)**(2 / n) they
    are those within s * (v (K - 1) / ((1 - K / r) n))**(1/2) of the mean if K < r, else all; so 0 lies
    outside exactly when the evidence is at least log10(1 / alpha). All such intervals of a run hold the true
    mean at once with probability 1 - alpha, on the terms the module states; one interval alone is wider than
    Student's.

    Below MIN_UNITS the limits are infinite, without units the value is NaN and below two units the error.
    Units that are all equal give an interval of no width: right when strategies always play alike, but all it
    rests on is that MIN_UNITS units showed no exception, and a rare one could still come. ``parts`` >= 1.

    Raises ValueError unless 0 < alpha < 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha}")
    units, total, squares = int(units), int(total), int(squares)
    value = total / (units * parts) if units else math.nan
    spread = math.sqrt(sample_variance(units, total, squares)) / parts if units > 1 else math.nan
    error = spread / math.sqrt(units) if units else math.nan
    log_r = math.log1p(units * PRIOR)
    log_k = (log_r - 2 * math.log(alpha)) / units if units else math.inf
    if units < MIN_UNITS or log_k >= log_r:
        return Estimate(value, error, -math.inf, math.inf)
    reach = error * math.sqrt((units - 1) * math.expm1(log_k) / -math.expm1(log_k - log_r))
    return Estimate(value, error, value - reach, value + reach)
