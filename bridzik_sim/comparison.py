"""Who is better, by how much and how sure: tables and verdicts about the duels of a run's entrants.

All take a run's ``Experiment``, its finished ranges and its integer sums, for which see
``games/unit_sums.py``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim import estimates, ladder, sequential, stats
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.unit_sums import BLOCKS
from bridzik_sim.stats import Estimate
from bridzik_sim.tally import SCHEDULE, Counts

Range = tuple[int, int]
ALPHA = 0.05
MOST_DECIMALS = 9


class Leads(NamedTuple):
    """Sums of a pair's lead over units: that of one unit is ``parts`` times its difference in the measure."""

    units: int
    total: int
    squares: int
    parts: int

    @property
    def fixed(self) -> Estimate:
        """Mean lead with Student's 95 % interval, for a number of units chosen beforehand."""
        return stats.mean(*self)

    def anytime(self, alpha: float) -> Estimate:
        """Mean lead with the interval that holds at every look."""
        return sequential.anytime(*self, alpha=alpha)


def units_by_segment(ranges: Sequence[Range]) -> Counts:
    """int64[segments]: finished units in each segment of the schedule."""
    ends = np.array(SCHEDULE)
    starts = np.concatenate([[0], ends[:-1]])
    lengths = [np.clip(np.minimum(stop, ends) - np.maximum(first, starts), 0, None) for first, stop in ranges]
    return np.sum(lengths, axis=0, dtype=np.int64) if lengths else np.zeros(len(ends), np.int64)


def running(
    experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts], pair: int
) -> list[Leads]:
    """A pair's sums after each segment of the schedule that has finished units."""
    parts = estimates.lead_parts(experiment, pair)
    units = np.cumsum(units_by_segment(ranges))
    leads = np.cumsum(sums["leads"][:, pair].astype(object), axis=0)  # may not fit into 64 bits together
    kept = np.flatnonzero(np.diff(units, prepend=0))
    return [Leads(int(units[row]), int(leads[row, 0]), int(leads[row, 1]), parts) for row in kept]


def looks(experiment: Experiment) -> list[int]:
    """Unit numbers at which a comparison that stops when it is sure looks: points of the fixed schedule."""
    earliest = experiment.first_unit + sequential.MIN_UNITS
    return [end for end in SCHEDULE if earliest <= end] if experiment.sure else []


def is_sure(experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts]) -> bool:
    """Whether the units finished so far are a look's, and decide the comparison."""
    if experiment.sure is None or not sums:
        return False
    at_look = len(ranges) == 1 and ranges[0][0] == experiment.first_unit and ranges[0][1] in looks(experiment)
    return at_look and _decided(experiment, running(experiment, ranges, sums, 0)[-1]) is not None


def _decided(experiment: Experiment, leads: Leads) -> str | None:
    """The verdict of the confidence sequence, or None while it is open."""
    assert experiment.sure is not None
    _, _, low, high = leads.anytime(experiment.sure.alpha)
    if low > 0 or high < 0:
        return f"{experiment.labels[0 if low > 0 else 1]} is better"
    margin, measure = experiment.sure.margin, experiment.game.measure
    if margin is not None and -margin <= low and high <= margin:
        return f"no difference above {margin * measure.scale:g}{measure.points}"
    return None


def comparison(experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts]) -> dict[str, Any]:
    """What a ``compare`` found: the row of the cross-table, the verdict, and that in words."""
    leads = running(experiment, ranges, sums, 0)[-1]
    (row,) = crosstable(experiment, ranges, sums)
    row = {key: value for key, value in row.items() if key not in ("p", "p_holm")}
    sequence = leads.anytime(experiment.sure.alpha if experiment.sure else ALPHA)
    verdict = _verdict(experiment, leads)
    finished = leads.units == experiment.units or is_sure(experiment, ranges, sums)
    winner = next((label for label in experiment.labels[:2] if verdict == f"{label} is better"), None)
    return {
        **row,
        "anytime_low": sequence.low,
        "anytime_high": sequence.high,
        "verdict": verdict,
        "winner": winner,
        "text": _sentence(experiment, leads, verdict, winner) + ("" if finished else "; not finished"),
    }


def _verdict(experiment: Experiment, leads: Leads) -> str:
    if experiment.sure is not None and (decided := _decided(experiment, leads)):
        return decided
    if leads.units > 1 and leads.squares == 0:
        return "no difference"
    _, _, low, high = leads.fixed
    if experiment.sure is None and (low > 0 or high < 0):
        return f"{experiment.labels[0 if low > 0 else 1]} is better"
    return "undecided"


def _sentence(experiment: Experiment, leads: Leads, verdict: str, winner: str | None) -> str:
    """The verdict in words, with the interval that it rests on."""
    turned = experiment.game.measure.scale * (-1 if winner == experiment.labels[1] else 1)
    value = turned * leads.fixed.value
    low, high = sorted(turned * end for end in _limits(experiment, leads))
    digits, unit = decimals(low, high), experiment.game.measure.difference
    after = f"{leads.units:,} units"
    if math.isfinite(low) and math.isfinite(high):
        between = f"between {_number(low, digits)} and {_number(high, digits)}"
    else:
        between = "too few units for an interval"
    if experiment.sure is None:
        rest = f"(95 % interval) after {after}" if math.isfinite(low + high) else f"after {after}"
    else:
        ended = "stopped after"
        if verdict == "undecided":
            ended = (
                "undecided at the cap of" if leads.units == experiment.units else "undecided so far, after"
            )
        rest = f"; {ended} {after}; wrong at most {100 * experiment.sure.alpha:g} % of the time"
    names = in_words(experiment)
    if winner:
        head = f"{winner} is better by {_number(value, digits)} {unit}, {between}"
    elif verdict == "no difference":
        return f"no difference: all {after} ended equal"
    else:
        head = f"{verdict}: {names} is {_number(value, digits)} {unit}, {between}"
    return f"{head}{rest if rest.startswith(';') else ' ' + rest}"


def in_words(experiment: Experiment) -> str:
    """What a difference is of: one minus the other, but of a net measure at one table what the first has."""
    first, second = experiment.labels[:2]
    against = experiment.game.measure.net and len(experiment.players) == 2
    return f"{first} {'against' if against else 'minus'} {second}"


def decimals(low: float, high: float) -> int:
    """How many decimals an interval is told with: as its width deserves, and no end that is not 0 as 0."""
    if not math.isfinite(high - low):
        return 1
    digits, width = 0 if high - low >= 40 else 1 if high - low >= 2 else 2, high - low
    while 0 < width < 2 * 10.0**-digits and digits < MOST_DECIMALS:
        digits += 1
    while digits < 6 and any(end and not round(end, digits) for end in (low, high)):
        digits += 1
    return digits


def _number(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def crosstable(
    experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts]
) -> list[dict[str, Any]]:
    """A row a pair: duels, chance to be ahead, difference, Holm's p, gain of playing on the same cards.

    Where each sits in one seat in turn, the rows of ``ladder.crosstable``.
    """
    if experiment.match.alone:
        return ladder.crosstable(experiment, _units(ranges), sums)
    pairs = experiment.match.pairs
    last = [running(experiment, ranges, sums, pair)[-1] for pair in range(len(pairs))]
    p = [stats.t_test(leads.units, leads.total, leads.squares) for leads in last]
    if experiment.sure:  # such tests are for a number of units fixed beforehand
        p = [math.nan] * len(last)
    adjusted = stats.holm(p)
    rows = []
    for pair, leads in enumerate(last):
        fixed = leads.fixed
        low, high = _limits(experiment, leads)
        rows.append(
            {
                "strategy": experiment.labels[pairs[pair][0]],
                "opponent": experiment.labels[pairs[pair][1]],
                "units": leads.units,
                **_duels(experiment, sums, pair, leads.units),
                "difference": fixed.value,
                "difference_se": fixed.error,
                "low": low,
                "high": high,
                "p": p[pair],
                "p_holm": adjusted[pair],
                "gain": gain(experiment, sums, pair, leads),
            }
        )
    return rows


def _limits(experiment: Experiment, leads: Leads) -> tuple[float, float]:
    """The interval the verdict rests on: the sequence's where it decides the length, else the fixed one."""
    estimate = leads.anytime(experiment.sure.alpha) if experiment.sure else leads.fixed
    finite = math.isfinite(estimate.high - estimate.low)
    return (estimate.low, estimate.high) if finite else (math.nan, math.nan)


def _duels(experiment: Experiment, sums: Mapping[str, Counts], pair: int, units: int) -> dict[str, Any]:
    """How a pair's duels ended, and the chance to be ahead, ties counting half, with its interval."""
    a, b = experiment.match.pairs[pair]
    number = experiment.match.duels_of(pair)
    wins, losses = (int(sums["ahead"][:, i, j].sum()) for i, j in ((a, b), (b, a)))
    ties = units * number - wins - losses
    odds = stats.rate(units, 2 * wins + ties, int(sums["odds_squared"][pair]), number, worth=2)
    return {
        "games": units * number,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "superiority": odds.value,
        "superiority_low": odds.low,
        "superiority_high": odds.high,
    }


def gain(experiment: Experiment, sums: Mapping[str, Counts], pair: int, leads: Leads) -> float:
    """How many times more tables the same interval would need on fresh cards for each table.

    The variance of the sum of a unit's duels if every table had cards of its own, by the variance that they
    have on the same cards. NaN where the leads do not vary, and with IMPs, which are always of two tables on
    the same cards.
    """
    if "imps" in experiment.game.quantities:
        return math.nan
    fresh = 0.0
    for duel in np.flatnonzero(experiment.match.duels[:, 0] == pair):
        x, y, xx, yy, xy = (int(moment) for moment in sums["duel_moments"][duel])
        if experiment.match.duels[duel, 1] == experiment.match.duels[duel, 3]:  # at one table
            fresh += stats.sample_variance(leads.units, x - y, xx + yy - 2 * xy)
        else:
            fresh += stats.sample_variance(leads.units, x, xx) + stats.sample_variance(leads.units, y, yy)
    variance = stats.sample_variance(leads.units, leads.total, leads.squares)
    return fresh / variance if variance > 0 else math.nan


def running_table(
    experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts]
) -> list[dict[str, Any]]:
    """The difference of a ``compare`` as the units add up, with the fixed and the anytime interval."""
    alpha = experiment.sure.alpha if experiment.sure else ALPHA
    rows = []
    for leads in running(experiment, ranges, sums, 0):
        fixed, sequence = leads.fixed, leads.anytime(alpha)
        known = math.isfinite(sequence.low)
        rows.append(
            {
                "strategy": experiment.labels[0],
                "opponent": experiment.labels[1],
                "units": leads.units,
                "difference": fixed.value,
                "low": fixed.low,
                "high": fixed.high,
                "anytime_low": sequence.low if known else math.nan,
                "anytime_high": sequence.high if known else math.nan,
                "evidence": sequential.evidence(leads.units, leads.total, leads.squares),
            }
        )
    return rows


def rated(
    experiment: Experiment, ranges: Sequence[Range], sums: Mapping[str, Counts]
) -> list[dict[str, float]]:
    """A tournament's ratings by entrant with their intervals, to a thousandth of an Elo point."""
    from bridzik_sim.ratings import ratings

    meetings = np.zeros(sums["ahead"].shape[1:], np.int64)
    for pair, (a, b) in enumerate(experiment.match.pairs):
        meetings[a, b] = meetings[b, a] = experiment.match.duels_of(pair)
    games = _units_by_block(ranges)[:, None, None] * meetings
    found = ratings(sums["ahead"], games)
    return [
        {"rating": round(one.value, 3), "rating_low": round(one.low, 3), "rating_high": round(one.high, 3)}
        for one in found
    ]


def _units(ranges: Sequence[Range]) -> int:
    return sum(stop - first for first, stop in ranges)


def _units_by_block(ranges: Sequence[Range]) -> Counts:
    """int64[BLOCKS]: finished units in each block."""
    blocks = np.zeros(BLOCKS, np.int64)
    for first, stop in ranges:
        blocks += (stop - first) // BLOCKS
        rest = np.arange(stop - (stop - first) % BLOCKS, stop) % BLOCKS
        blocks[rest] += 1
    return blocks


def leaderboard(
    experiment: Experiment,
    ranges: Sequence[Range],
    sums: Mapping[str, Counts],
    standings: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:
    """The standings from best to worst, in tournaments with ratings; equals keep the order of entry.

    Where each sits in one seat in turn, the rows of ``ladder.leaderboard``: there everyone meets different
    tables, and head-to-head ratings would mix the one seat with the others.
    """
    if experiment.match.alone:
        return ladder.leaderboard(experiment, _units(ranges), sums)
    leading = (name for name in experiment.game.tables.LEADING if name in standings[0])
    columns = ("strategy", "seat_games", *leading)
    more = rated(experiment, ranges, sums) if experiment.command == "tournament" else itertools.repeat({})
    rows = [
        {**{name: row[name] for name in columns}, **extra}
        for row, extra in zip(standings, more, strict=False)
    ]
    rows.sort(key=lambda row: -row[experiment.game.measure.column])
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]
