"""The tables of Czech Fool, from integer sums over units: rows of what a run counted (see ``counting.py``).

Every function takes the experiment, the number of finished units and the sums. Intervals are at 95 %, over
units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bridzik_sim import estimates, stats
from bridzik_sim.estimates import Row, Sums, limits, ratio, share, with_error
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.fool.counting import ENDINGS, FEWEST, LAST_CARDS, MAX_ROUNDS, MAX_TURNS, OPENINGS
from bridzik_sim.tally import Counts

LEADING = ("wins", "wins_low", "wins_high", "points", "points_low", "points_high")
"""Figures that a leaderboard shows."""
SHARES = ("wins", "rounds_won", "exits")
"""Those that are shares from 0 to 1, their intervals too."""
COLUMNS = {
    "wins": "wins",
    "points": "points\na game",
    "rounds_won": "rounds\nwon",
    "lost_points": "points a\nlost round",
    "exits": "exits",
    "resets": "resets\na game",
}
"""Those that a person sees, with their headings."""
WIDE = ("exits", "resets")
"""Those of them that are left out where ratings need the room."""
PARTS = "rounds"
"""What a game consists of."""
MOST = {"turns": MAX_TURNS, "lengths": MAX_ROUNDS}
"""The last numbers of the tables of lengths, which stand for more, too."""
BLOCKED, CAPPED = ENDINGS.index("blocked"), ENDINGS.index("capped")
WON, LOST = 0, 1
"""The first two of ``PLAYED_RATIOS``: rounds won of those played, points of those lost."""


def standing(experiment: Experiment, units: int, sums: Sums, entrant: int) -> Row:
    """An entrant's share of games and rounds won, its points, and how often it went out or back to 0."""
    seats, alone = estimates.seats_of(experiment, entrant), estimates.is_alone(experiment, entrant)
    rounds_won = share(units, sums["played_moments"][entrant, WON])
    if alone and not rounds_won.error > 0:  # as many of them in every unit
        rounds_won = stats.Estimate(rounds_won.value, 0.0, rounds_won.value, rounds_won.value)
    wins, points = (estimates.moments(experiment, sums, name, entrant) for name in ("wins", "points"))
    played, games = sums["played_moments"][entrant], units * seats
    exits, resets = (int(number) for number in sums["events"][entrant])
    return {
        **with_error("wins", estimates.won(units, *wins, seats, alone)),
        **with_error("points", stats.mean(units, *points, seats)),
        **limits("rounds_won", rounds_won),
        **limits("lost_points", ratio(units, played[LOST])),
        "exits": exits / games if games else math.nan,
        "resets": resets / games if games else math.nan,
    }


def one_seat(experiment: Experiment, units: int, sums: Sums, row: Counts, seats: int, alone: bool) -> Row:
    """Games won and points in a row of ``ones`` (see ``unit_sums.py``): of ``seats`` seats a unit."""
    wins, points = ((int(total), int(squares)) for total, squares in row)
    won = estimates.won(units, *wins, seats, alone)
    return {**with_error("wins", won), **with_error("points", stats.mean(units, *points, seats))}


def game_name(experiment: Experiment) -> str:
    """What a game is called."""
    return "game"


def rounds_played(sums: Sums) -> int:
    """Rounds played, at all tables."""
    return int(sums["endings"].sum())


def rounds(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """How rounds ended and how long they were, by the number of players in them."""
    rows = []
    for row in np.flatnonzero(sums["endings"].sum(axis=1)):
        histogram = sums["turns"][row]
        rows.append(
            {
                "players": int(row) + FEWEST,
                "rounds": int(histogram.sum()),
                "blocked": int(sums["endings"][row, BLOCKED]),
                "capped": int(sums["endings"][row, CAPPED]),
                **limits("turns", ratio(units, sums["turn_moments"][row])),
                "median": quantile(histogram, 50),
                "p99": quantile(histogram, 99),
                **limits("points_per_loser", ratio(units, sums["loser_moments"][row])),
            }
        )
    return rows


def quantile(histogram: Counts, percent: int) -> float:
    """The smallest turns of a round that so many per cent do not exceed; NaN from ``MAX_TURNS`` on."""
    total = int(histogram.sum())
    turns = int(np.searchsorted(100 * np.cumsum(histogram), percent * total))
    return turns if total and turns < MAX_TURNS else math.nan


def as_json(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """The game's own figures, of all rounds whatever their players, and the rows of ``rounds``."""
    turns, losers = (sums[name].sum(axis=0) for name in ("turn_moments", "loser_moments"))
    histogram, endings = sums["turns"].sum(axis=0), sums["endings"].sum(axis=0)
    return {
        "rounds": rounds(experiment, units, sums),
        **limits("rounds_a_game", ratio(units, sums["round_moments"][0])),
        "turns_per_round": _quotient(turns),
        "turns_median": quantile(histogram, 50),
        "turns_p99": quantile(histogram, 99),
        "points_per_loser": _quotient(losers),
        "blocked": int(endings[BLOCKED]),
        "capped": int(endings[CAPPED]),
    }


def _quotient(moments: Counts) -> float:
    """What things brought each, without an interval: rows of ``players`` vary together within units."""
    return int(moments[1]) / int(moments[0]) if moments[0] else math.nan


def in_words(experiment: Experiment, units: int, sums: Sums) -> list[str]:
    """The game's own figures, in lines to be printed."""
    found = as_json(experiment, units, sums)
    median, most = (
        f"{value:,}" if math.isfinite(value) else f"{MAX_TURNS:,} or more"
        for value in (found["turns_median"], found["turns_p99"])
    )
    turns, points, rounds_a_game = (
        f"{found[name]:,.1f}" if math.isfinite(found[name]) else "–"
        for name in ("turns_per_round", "points_per_loser", "rounds_a_game")
    )
    return [
        f"{turns} turns a round (median {median}, 99th percentile {most}), "
        f"{points} points a loser, {rounds_a_game} rounds a game",
        f"{found['blocked']:,} rounds ended blocked, {found['capped']:,} capped",
    ]


def turns(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """Histogram of the turns of a round, by the number of players in it."""
    return estimates.tidy(experiment, sums, "turns", "rounds")


def lengths(experiment: Experiment, units: int, sums: Sums) -> dict[str, Any]:
    """Histogram of the rounds of a game."""
    return estimates.tidy(experiment, sums, "rounds", "games")


def finishes(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """With which card rounds were won, by entrant; SQ apart from the other queens."""
    rows = []
    for who, card in np.argwhere(sums["finishes"]):
        number, won = int(sums["finishes"][who, card]), int(sums["finishes"][who].sum())
        where = {"strategy": experiment.labels[who], "last_card": LAST_CARDS[card]}
        rows.append({**where, "rounds": number, "share": number / won})
    return rows


def places(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """In which place games ended, by entrant; who go out in one round share the best of their places."""
    rows = []
    for who, place in np.argwhere(sums["places"]):
        number, games = int(sums["places"][who, place]), int(sums["places"][who].sum())
        where = {"strategy": experiment.labels[who], "place": int(place) + 1}
        rows.append({**where, "games": number, "share": number / games})
    return rows


def effects(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Share of games won by entrant and seat, and of rounds by place after the dealer.

    Place 0 begins; only rounds count in which all are still in.
    """
    rows = []
    games = np.array([(experiment.seatings == who).sum(axis=0) for who in range(len(experiment.labels))])
    for who, seat in np.argwhere(games * units):
        number, (total, squares) = int(games[who, seat]), sums["seat_points"][who, seat]
        found = estimates.won(units, int(total), int(squares), number, False)
        where = {"strategy": experiment.labels[who], "effect": "seat", "place": int(seat)}
        rows.append({**where, "number": units * number, **_won(found)})
    of_place = sums["position_moments"]
    for who, place in np.argwhere(of_place[:, :, 0, 0]):
        where = {"strategy": experiment.labels[who], "effect": "position", "place": int(place)}
        number = int(of_place[who, place, 0, 0])
        rows.append({**where, "number": number, **_won(share(units, of_place[who, place, 0]))})
    return rows


def _won(found: stats.Estimate) -> Row:
    return {"won": found.value, "low": found.low, "high": found.high}


def openings(experiment: Experiment, units: int, sums: Sums) -> list[Row]:
    """Rounds won and points by entrant, opening card and place after the dealer, while all are still in."""
    rows, of_opening = [], sums["opening_moments"]
    for who, opening, place in np.argwhere(of_opening[..., 0, 0]):
        of_rounds, of_points = of_opening[who, opening, place]
        rows.append(
            {
                "strategy": experiment.labels[who],
                "opening": OPENINGS[opening],
                "position": int(place),
                "rounds": int(of_rounds[0]),
                **limits("won", share(units, of_rounds)),
                **limits("points", ratio(units, of_points)),
            }
        )
    return rows


FRAMES: dict[str, Callable[[Experiment, int, Sums], Any]] = {
    "rounds": rounds,
    "turns": turns,
    "lengths": lengths,
    "finishes": finishes,
    "places": places,
    "effects": effects,
    "openings": openings,
}
"""The game's own tables by name: lists of rows, or columns."""
