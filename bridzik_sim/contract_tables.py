"""The tables of games with contracts, from integer sums over units: rows of what a run counted.

Every function takes the experiment, the number of finished units and the sums, for which see
``games/contract_sums.py``. Intervals are at 95 %, over units. Tables that do not apply to a run, such as the
length of rubbers where boards were played, have no rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bridzik_sim import estimates, stats
from bridzik_sim.estimates import Row, Sums, limits, ratio, share, with_error
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.contract_sums import (
    ABOVE,
    BELOW,
    DECLARER,
    DEFENDER,
    ENDINGS,
    LEVELS,
    MADE,
    MOST_IMPS,
    OVER,
    PASSED_OUT,
)
from bridzik_sim.stats import Estimate
from bridzik_sim.tally import Counts

LEADING = (
    *("imps", "imps_low", "imps_high", "points", "points_low", "points_high"),
    *("wins", "wins_low", "wins_high"),
)
"""Figures that a leaderboard shows."""
SHARES = ("wins", "declared", "made", "passed_out")
"""Those that are shares from 0 to 1, their intervals too."""
WIDE = ("declared", "over", "passed_out", "below", "above", "par", "auction_lost", "play_lost")
"""Those that are left out where ratings need the room."""
PARTS = "deals"
"""What a game consists of."""
PAR_PARTS = {"par": "par", "auction": "auction lost", "play": "play lost", "points": "points"}
"""Quantities of a game that is measured against par, and what they are called."""


def standing(experiment: Experiment, units: int, sums: Sums, entrant: int) -> Row:
    """An entrant's net points, games won, contracts declared and made, and what else was counted."""
    moments = sums["ratio_moments"][entrant]
    made = moments[MADE]
    return {
        **_measures(experiment, units, _quantities(experiment, sums, entrant), *_seats(experiment, entrant)),
        "declared": _quotient(moments[DECLARER][0], moments[PASSED_OUT][0]),
        **limits("made", share(units, made)),
        "over": _quotient(moments[OVER][1], moments[OVER][0]),
        "passed_out": _quotient(moments[PASSED_OUT][1], moments[PASSED_OUT][0]),
        **{name: _quotient(of[1], of[0]) for name, of in _lines(moments).items() if "lengths" in sums},
        **{
            PAR_PARTS[name].replace(" ", "_"): _per_deal(experiment, units, sums, entrant, name).value
            for name in ("par", "auction", "play")
            if name in experiment.game.quantities
        },
    }


def one_seat(experiment: Experiment, units: int, sums: Sums, row: Counts, seats: int, alone: bool) -> Row:
    """The measure, points and wins in a row of ``ones`` (see ``unit_sums.py``): of ``seats`` seats a unit."""
    quantities = zip(experiment.game.quantities, row, strict=True)
    counted = {name: (int(total), int(squares)) for name, (total, squares) in quantities}
    return _measures(experiment, units, counted, seats, alone)


def _seats(experiment: Experiment, entrant: int) -> tuple[int, bool]:
    return estimates.seats_of(experiment, entrant), estimates.is_alone(experiment, entrant)


def _quantities(experiment: Experiment, sums: Sums, entrant: int) -> dict[str, tuple[int, int]]:
    """Sum and sum of squares over units of what an entrant got, by quantity."""
    names = experiment.game.quantities
    return {name: estimates.moments(experiment, sums, name, entrant) for name in names}


def _measures(
    experiment: Experiment, units: int, counted: dict[str, tuple[int, int]], seats: int, alone: bool
) -> Row:
    """IMPs where they are counted, net points and wins of ``seats`` seats a unit."""
    parts = seats * experiment.game.measure.worth
    row: Row = {}
    for name in ("imps", "points"):
        if name in counted:
            row |= with_error(name, stats.mean(units, *counted[name], parts))
    return {**row, **limits("wins", estimates.won(units, *counted["wins"], seats, alone))}


def _lines(moments: Counts) -> dict[str, Counts]:
    """What a side wrote below and above the line, by name."""
    return {"below": moments[BELOW], "above": moments[ABOVE]}


def _per_deal(experiment: Experiment, units: int, sums: Sums, entrant: int, quantity: str) -> Estimate:
    """What an entrant got of a quantity that is summed over the deals of a match, a deal and seat."""
    parts = estimates.seats_of(experiment, entrant) * experiment.game.measure.worth
    return stats.mean(units, *estimates.moments(experiment, sums, quantity, entrant), parts)


def _quotient(y: int, x: int) -> float:
    return int(y) / int(x) if x else math.nan


def rounds_played(sums: Sums) -> int:
    """Deals played, at all tables."""
    return int(sums["contracts"].sum() + sums["passed_out"].sum())


def contracts(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """How many tricks contracts ended with, by the declarer's entrant, level, strain and doubling."""
    return estimates.tidy(experiment, sums, "contracts", "deals")


def levels(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Contracts that an entrant declared, together and by level: how many were made, tricks above them."""
    rows, names = [], ("all", *range(1, LEVELS + 1))
    for who, row in np.argwhere(sums["ratio_moments"][:, MADE : MADE + len(names), 0]):
        made, over = (sums["ratio_moments"][who, first + row] for first in (MADE, OVER))
        where = {"strategy": experiment.labels[who], "level": str(names[row]), "deals": int(made[0])}
        rows.append({**where, **limits("made", share(units, made)), **limits("over", ratio(units, over))})
    return rows


def gains(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Net points a deal of an entrant's side where it declared and where it defended.

    The last row of an entrant are the deals that were passed out. Deals are counted by seat.
    """
    rows = []
    for who, label in enumerate(experiment.labels):
        moments = sums["ratio_moments"][who]
        for role, of in (("declarer", moments[DECLARER]), ("defender", moments[DEFENDER])):
            found = limits("points", ratio(units, of))
            rows.append({"strategy": label, "role": role, "seat_deals": int(of[0]), **found})
        passed, none = int(moments[PASSED_OUT][1]), limits("points", Estimate(0.0, 0.0, 0.0, 0.0))
        rows.append({"strategy": label, "role": "passed out", "seat_deals": passed, **none})
    return rows if units else []


def sheet(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Points a rubber that an entrant's side wrote below and above the line."""
    if "lengths" not in sums:
        return []
    return [
        {"strategy": label, "line": line, **_interval("points", ratio(units, of))}
        for who, label in enumerate(experiment.labels)
        for line, of in _lines(sums["ratio_moments"][who]).items()
    ]


def _interval(name: str, found: Estimate) -> Row:
    return {name: found.value, "low": found.low, "high": found.high}


def lengths(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """Histogram of the deals of a rubber; the last number stands for more, too."""
    return estimates.tidy(experiment, sums, "lengths", "rubbers") if "lengths" in sums else {}


def endings(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """How rubbers ended."""
    if "endings" not in sums or not units:
        return []
    counted = sums["endings"].tolist()
    return [
        {"ending": name, "rubbers": number, "share": number / sum(counted)}
        for name, number in zip(ENDINGS, counted, strict=True)
    ]


def imps(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """How many boards of a pair ended with how many IMPs for the first one."""
    rows = []
    for pair, place in np.argwhere(sums.get("imps", np.zeros((0, 0), np.int64))):
        one, other = (experiment.labels[who] for who in experiment.match.pairs[pair])
        boards = int(sums["imps"][pair, place])
        rows.append({"strategy": one, "opponent": other, "imps": int(place) - MOST_IMPS, "boards": boards})
    return rows


def par(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Net points a deal of par after the draw phase, and what an entrant's calls and cards then lost.

    The points of a seat are its par minus what it lost plus what its opponent lost.
    """
    return [
        {
            "strategy": label,
            "part": name,
            **_interval("points", _per_deal(experiment, units, sums, who, quantity)),
        }
        for who, label in enumerate(experiment.labels)
        for quantity, name in PAR_PARTS.items()
        if "par" in experiment.game.quantities
    ]


COMMON_FRAMES: dict[str, Callable[[Experiment, int, Sums], Any]] = {
    "contracts": contracts,
    "levels": levels,
    "gains": gains,
}
"""Tables of both games by name: lists of rows, or columns."""


def as_json(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """The game's own figures, of the whole table."""
    by_contract = sums["contracts"].sum(axis=0)
    made, deals = sums["ratio_moments"][:, MADE].sum(axis=0), rounds_played(sums)
    number = int(made[0])
    by_level, doubled = by_contract.sum(axis=(1, 2, 3)), by_contract.sum(axis=(0, 1, 3))
    return {
        "deals": deals,
        "contracts": number,
        "passed_out": _quotient(sums["passed_out"].sum(), deals),
        "made": _quotient(made[1], number),
        "mean_level": _quotient(by_level @ np.arange(1, LEVELS + 1), number),
        "doubled": _quotient(doubled[1], number),
        "redoubled": _quotient(doubled[2], number),
    }


def in_words(experiment: Experiment, units: int, sums: Sums) -> list[str]:
    """The game's own figures, in lines to be printed."""
    found = as_json(experiment, units, sums)
    if not found["contracts"]:
        return ["no deal had a contract"]
    made, out, doubled, redoubled = (
        f"{100 * found[name]:.1f} %" for name in ("made", "passed_out", "doubled", "redoubled")
    )
    return [
        f"{made} of the contracts made, at a mean level of {found['mean_level']:.2f}; "
        f"{doubled} doubled, {redoubled} redoubled; {out} of the deals passed out"
    ]
