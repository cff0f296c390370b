"""Ratings from who finished ahead of whom: Bradley-Terry on the Elo scale, intervals by jackknife."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bridzik_sim.stats import Estimate, student
from bridzik_sim.tally import Counts

ELO = 400 / math.log(10)
"""Elo points in one unit of log odds: 400 points are odds of ten to one (Elo 1978)."""
PRIOR_WINS = 0.5
"""Wins each way added to every pair, so that whoever always won or never met anybody has a finite rating."""
MOST_STEPS = 1_000
"""Steps of Newton's method; ten or so do where nobody is far ahead."""
PRECISION = 1e-10
"""A step as small as this ends the fit, which is far more exact by then."""

Ratings = npt.NDArray[np.float64]


def ratings(ahead: Counts, games: Counts) -> list[Estimate]:
    """Rating of each entrant with its 95 % interval, Elo points around a mean of 0.

    ``ahead`` int64[blocks, n, n]: tables of a block of units at which i finished ahead of j. ``games``
    int64[blocks, n, n], symmetric: tables at which i and j met. What neither finished ahead in was a tie and
    counts half for each. The diagonals are not looked at.

    The rating is the maximum of the Bradley-Terry likelihood of all blocks together and PRIOR_WINS, where i
    is ahead of j with the chance 1 / (1 + 10**((Rj - Ri) / 400)). A table of several is broken into all its
    pairs, which estimates the strengths of Plackett and Luce consistently (Azari Soufiani, Chen, Parkes and
    Xia, "Generalized method-of-moments for rank aggregation", NIPS 2013). Pairs of one table and tables of
    one unit are not independent, so the likelihood's own errors would be wrong. Errors come from leaving out
    whole blocks (see ``jackknife``), the interval from Student's quantile with one degree of freedom less
    than used blocks.

    Blocks must be independent; they may differ in size, which is read from their games, and empty ones are
    left out. With fewer than two used blocks error and limits are NaN, with none the value, too. Where
    somebody was always ahead, PRIOR_WINS and the number of tables set how far, and the interval, which knows
    only how blocks differ, is too narrow: read it as "at least".
    """
    games = _without_diagonal(games)
    sizes = games.sum(axis=(1, 2))
    used = np.flatnonzero(sizes)
    games, sizes = games[used], sizes[used]
    wins = _wins(_without_diagonal(ahead)[used], games)
    if not len(used):
        return [Estimate(math.nan, math.nan, math.nan, math.nan)] * wins.shape[1]
    whole = wins.sum(axis=0)
    full = _fit(whole)
    errors = jackknife(full, np.array([_fit(whole - block, full) for block in wins]), sizes)
    quantile = student(len(used))
    rows = zip(full.tolist(), errors.tolist(), strict=True)
    return [Estimate(r * ELO, e * ELO, (r - quantile * e) * ELO, (r + quantile * e) * ELO) for r, e in rows]


def jackknife(full: Ratings, parts: Ratings, sizes: Counts) -> Ratings:
    """Standard errors by the delete-block jackknife for blocks of unequal size; NaN below two blocks.

    ``full`` float64[n] estimates of everything, ``parts`` float64[blocks, n] with one block left out,
    ``sizes`` int64[blocks] > 0. With h = sum(sizes) / size, the pseudo-values are h * full - (h - 1) * part,
    their centre is the sum of pseudo-value / h, and the variance is the mean over blocks of (pseudo-value -
    centre)**2 / (h - 1) (Busing, Meijer and van der Leeden, "Delete-m jackknife for unequal m", Statistics
    and Computing 9, 1999). Every block has the same weight in that mean, so it has close to blocks - 1
    degrees of freedom whatever the sizes.
    """
    if len(sizes) < 2:
        return np.full(full.shape, math.nan)
    share = (sizes / sizes.sum())[:, None]
    # The pseudo-value minus the centre, once the large terms they have in common are gone; h = 1 / share.
    moved = (1 - share) * (full - parts)
    apart = moved / share - moved.sum(axis=0)
    errors: Ratings = np.sqrt((apart**2 * share / (1 - share)).mean(axis=0))
    return errors


def _without_diagonal(counts: Counts) -> Counts:
    """Nobody meets himself."""
    return np.where(np.eye(counts.shape[1], dtype=bool), 0, counts)


def _wins(ahead: Counts, games: Counts) -> Counts:
    """Twice the wins of i against j, a tie being half a win: an integer, so blocks subtract exactly."""
    return games + ahead - ahead.transpose(0, 2, 1)


def _fit(wins: Counts, start: Ratings | None = None) -> Ratings:
    """Log strengths, mean 0, at the maximum of the likelihood of ``wins`` (doubled) and PRIOR_WINS.

    By Newton's method: the log likelihood is strictly concave among strengths of mean 0, as everybody has won
    against everybody (Ford, Amer. Math. Monthly 64, 1957). No step moves a strength by more than 1, within
    which the curvature changes too little for the method to overshoot. Nothing of the size of the counts is
    subtracted, so that one win in 10**10 still tells.
    """
    count = len(wins)
    strengths: Ratings = np.zeros(count) if start is None else start.copy()
    if count < 2:
        return strengths
    won = wins / 2 + PRIOR_WINS
    np.fill_diagonal(won, 0)
    for _ in range(MOST_STEPS):
        odds = strengths[:, None] - strengths
        ahead, behind = 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(odds))
        slope = (won * behind - won.T * ahead).sum(axis=1)
        curvature = -(won + won.T) * ahead * behind
        np.fill_diagonal(curvature, 0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        strengths += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < PRECISION:
            break
    strengths -= strengths.mean()
    return strengths
