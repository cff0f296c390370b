"""Runs of the games with contracts that nobody has played: counts of random deals, and the real tables of them.

A deal of a unit is the same contract at every table; who is better takes more tricks.
"""

import numpy as np
from fake_cases import LONG, TWELVE

from bridzik_sim import tally
from bridzik_sim.experiment import Experiment
from bridzik_sim.games import contract_sums, get
from bridzik_sim.games.contract import IMP_LIMITS
from bridzik_sim.games.unit_sums import BLOCKS, WHOLE_WIN
from bridzik_sim.lineup import Spec
from bridzik_sim.play import Played
from bridzik_sim.results import Results
from bridzik_sim.runner import by_segment

THREE = ["natural", "montecarlo", "random"]
BOARDS, PAR = {"scoring": "duplicate"}, {"par": "on", "deals": 8}
CONTRACTS = {
    "rubber": {"labels": ["natural", "random"]},
    "rubber_alone": {"labels": ["natural"]},
    "rubber_four": {"labels": LONG[:4], "units": 90},
    "rubber_long": {"labels": LONG[2:4], "kind": "compare"},
    "rubber_twelve": {"labels": TWELVE, "kind": "tournament", "units": 30},
    "boards": {"labels": ["natural", "random"], "options": BOARDS, "units": 200},
    "boards_pair": {"labels": ["natural", "random"], "kind": "compare", "options": BOARDS, "units": 300},
    "boards_three": {"labels": THREE, "kind": "tournament", "options": BOARDS, "units": 200},
    "boards_twelve": {"labels": TWELVE, "kind": "tournament", "options": BOARDS, "units": 60},
    "boards_seats": {"labels": THREE, "kind": "ladder", "options": BOARDS},
    "boards_unit": {"labels": LONG[:2], "kind": "compare", "options": BOARDS, "units": 1},
    "matches": {"labels": ["perfect", "random"], "game": "honeymoon", "units": 100},
    "matches_par": {"labels": ["perfect", "random"], "game": "honeymoon", "options": PAR, "kind": "compare"},
    "matches_three": {"labels": LONG[:3], "game": "honeymoon", "options": PAR, "kind": "tournament"},
    "matches_twelve": {"labels": TWELVE, "game": "honeymoon", "options": PAR, "kind": "ladder", "units": 20},
}


def make_contracts(labels, kind="simulate", game="bridge", options=None, units=60):
    """Results of `units` units; later labels take fewer tricks."""
    command = {"ladder": "tournament"}.get(kind, kind)
    seats = get(game).usual_seats
    players = [labels[seat % len(labels)] for seat in range(seats)] if kind == "simulate" else labels
    experiment = Experiment(
        command, game, get(game).parse_options(options or {}), tuple(Spec(name, name, ()) for name in players),
        {}, units, 5, "given" if kind == "simulate" else "alternating",
        "one" if kind == "ladder" else "pairs", references=tuple(labels) if kind == "ladder" else (),
        at_table=seats,
    )  # fmt: skip
    none = tally.zeros(experiment.game.tallies(experiment.labels, experiment.match))
    counts = by_segment(Played(0, 0, none, np.zeros((0, 0), np.int64)))
    random = np.random.default_rng(11)
    net = _deals(experiment, counts, random)
    _units(experiment, counts, net, random)
    return Results(experiment, [(0, units)], counts)


def _deals(experiment, counts, random):
    """Count deals of all tables of all units; returns net points of N-S, int64[units, seatings]."""
    seatings, units = experiment.seatings, experiment.units
    rubbers = experiment.game_name == "bridge" and experiment.options["scoring"] == "rubber"
    matches = experiment.options["deals"] if experiment.game_name == "honeymoon" else 1
    number = 2 + random.poisson(6, units) if rubbers else np.full(units, matches)
    unit = np.repeat(np.arange(units), number)
    passed, level = random.random(len(unit)) < 0.08, np.minimum(7, random.geometric(0.4, len(unit)))
    strain, seat = random.integers(0, 5, len(unit)), random.integers(0, seatings.shape[1], len(unit))
    doubled = random.choice(3, len(unit), p=(0.87, 0.11, 0.02))
    tricks = 6 + level + random.integers(-2, 3, len(unit))
    net = np.zeros((units, len(seatings)), np.int64)
    of_units = np.zeros((units, len(experiment.labels), len(contract_sums.RATIOS), 2), np.int64)
    for table, row in enumerate(seatings):
        declarer = row[seat]
        worse = random.random(len(unit)) < 0.7 * declarer / max(len(experiment.labels) - 1, 1)
        taken = np.clip(tricks - worse, 0, 13)
        over = taken - 6 - level
        points = np.where(over >= 0, 30 * level + 50 + 30 * over + 300 * (level > 3), 50 * over) * (
            1 + doubled
        )
        points[passed] = 0
        own = np.where(seat % 2 == 0, points, -points)
        np.add.at(net[:, table], unit, own)
        played = ~passed
        where = (declarer, level - 1, strain, doubled, taken)
        np.add.at(counts["contracts"], tuple(part[played] for part in where), 1)
        counts["passed_out"][0] += passed.sum()
        for first, worth in ((contract_sums.MADE, over >= 0), (contract_sums.OVER, over)):
            for line in (0, level):
                _add(of_units, unit, declarer, first + line, worth, played)
        for at, who in enumerate(row):
            mine = own if at % 2 == 0 else -own
            declares = seat % 2 == at % 2
            _add(of_units, unit, who, contract_sums.PASSED_OUT, passed, passed | played)
            _add(of_units, unit, who, contract_sums.DECLARER, mine, played & declares)
            _add(of_units, unit, who, contract_sums.DEFENDER, mine, played & ~declares)
            below = np.bincount(unit, 30 * level * (played & declares & (over >= 0)), units)
            above = np.bincount(unit, np.abs(points) * (played & (declares == (over >= 0))), units)
            for line, worth in ((contract_sums.BELOW, below), (contract_sums.ABOVE, above)):
                _add(of_units, np.arange(units), who, line, worth.astype(int), np.ones(units, bool))
        if rubbers:
            np.add.at(counts["lengths"], number, 1)
            np.add.at(counts["endings"], random.choice(3, units, p=(0.5, 0.4, 0.1)), 1)
    x, y = of_units[..., 0], of_units[..., 1]
    counts["ratio_moments"][:] = np.stack([x, y, x * x, y * y, x * y], axis=-1).sum(axis=0)
    return net


def _add(of_units, unit, who, row, worth, some):
    """Add one and what it is worth, where `some`, to a row of ratios."""
    who, row = (np.broadcast_to(part, unit.shape) for part in (who, row))
    where = unit[some], who[some], row[some]
    np.add.at(of_units, (*where, np.zeros(some.sum(), int)), 1)
    np.add.at(of_units, (*where, np.ones(some.sum(), int)), np.asarray(worth, int)[some])


def _units(experiment, counts, net, random):
    """Count the measure and the duels of all units."""
    match, entrants = experiment.match, len(experiment.labels)
    names, seatings = experiment.game.quantities, match.seatings
    measure = net
    if "imps" in names:
        apart = net - net[:, contract_sums.mates(match)]
        measure = np.sign(apart) * np.searchsorted(IMP_LIMITS, np.abs(apart))
    won = np.where(measure > 0, WHOLE_WIN, np.where(measure == 0, WHOLE_WIN // 2, 0))
    amounts = {"imps": (measure, -measure), "points": (net, -net), "wins": (won, WHOLE_WIN - won)}
    losses = 20 * random.integers(0, 9, (4, *net.shape))  # of calls, then of cards, by seat
    amounts |= {"auction": losses[:2], "play": losses[2:]}
    par = net + losses[0] + losses[2] - losses[1] - losses[3]
    amounts["par"] = (par, -par)
    unit = np.zeros((len(net), len(names), entrants), np.int64)
    tables = np.zeros((*net.shape, entrants), np.int64)
    ones = np.zeros((len(net), len(match.pairs) + entrants, len(names)), np.int64)
    for (table, seat), who in np.ndenumerate(seatings):
        of_seat = np.stack([amounts[name][seat % 2][:, table] for name in names], axis=1)
        unit[:, :, who] += of_seat
        tables[:, table, who] += of_seat[:, 0] * match.weights[table, who]
        if match.alone and who == match.ones[table, 1]:
            ones[:, match.ones[table, 0]] += of_seat
        last = counts["scores"].shape[1] - 1
        places = np.clip(last // 2 + (amounts["points"][seat % 2][:, table] + 50) // 100, 0, last)
        np.add.at(counts["scores"][who], places, 1)
    flat = unit.reshape(len(net), -1)
    for segment, first, stop in tally.segments(0, len(net)):
        some = flat[first:stop]
        counts["total"][segment], counts["product"][segment] = some.sum(axis=0), some.T @ some
    _duels(match, counts, tables)
    if "imps" in counts:
        _boards(match, counts, measure)
    if match.alone:
        for number, (one, other) in enumerate(match.pairs):
            ones[:, len(match.pairs) + one] += ones[:, number] * (one != other)
        counts["ones"][:] = np.stack([ones.sum(axis=0), (ones * ones).sum(axis=0)], axis=-1)


def _duels(match, counts, tables):
    """Count who was ahead by how much."""
    block = np.arange(len(tables)) % BLOCKS
    leads = np.zeros((len(tables), len(match.pairs)), np.int64)
    odds = np.zeros_like(leads)
    for number, (pair, here, first, there, second) in enumerate(match.duels):
        x, y = tables[:, here, first], tables[:, there, second]
        counts["duel_moments"][number] = [np.sum(part) for part in (x, y, x * x, y * y, x * y)]
        leads[:, pair] += x - y
        odds[:, pair] += np.sign(x - y) + 1
        np.add.at(counts["ahead"], (block, first, second), x > y)
        np.add.at(counts["ahead"], (block, second, first), y > x)
    for segment, first, stop in tally.segments(0, len(tables)):
        some = leads[first:stop]
        counts["leads"][segment] = np.stack([some.sum(axis=0), (some * some).sum(axis=0)], axis=-1)
    counts["odds_squared"][:] = (odds * odds).sum(axis=0)


def _boards(match, counts, imps):
    """Count the IMPs of a pair where its first entrant sits N-S."""
    for pair, here, first, _, _ in match.duels:
        if match.seatings[here, 0] == first:
            np.add.at(counts["imps"][pair], contract_sums.MOST_IMPS + imps[:, here], 1)
