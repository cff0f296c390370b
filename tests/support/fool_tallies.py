"""The tallies of Czech Fool as they should be, straight from their definitions and the records of games."""

import numpy as np
from kernel_checks import ENTRANTS, LABELS, add_duels, match_of, moments

from bridzik_sim import tally
from bridzik_sim.games.fool.rules import GAME

RATIOS = (
    "turn_moments",
    "loser_moments",
    "round_moments",
    "played_moments",
    "position_moments",
    "opening_moments",
)


def rows_of(record, entrants, unit, seating):
    """What the kernel should have written for a game of the reference."""
    rows = []
    for deal in record.deals:
        order = positions(deal)
        for seat in sorted(order):
            who, position, left = entrants[seat], order[seat], len(deal.left[seat])
            place = (unit, seating, deal.deal, seat, who, len(order), position, deal.turns)
            rows.append((*place, left, seat == deal.winner, deal.points[seat], deal.totals[seat]))
    return rows


def positions(deal):
    """By seat that plays: its place after the dealer, whose own is the last."""
    seats = len(deal.hands)
    after = [(deal.dealer + 1 + step) % seats for step in range(seats)]
    return {seat: place for place, seat in enumerate(seat for seat in after if deal.hands[seat])}


def counts_of(seatings, games):
    """The tallies of ``games``: (unit, seating, record), all seatings of every unit."""
    made = tally.zeros(GAME.tallies(LABELS, match_of(seatings)))
    for unit in sorted({game[0] for game in games}):
        add_unit(made, seatings, unit, [game[1:] for game in games if game[0] == unit])
    return made


def add_unit(made, seatings, unit, games):
    """Add one unit."""
    ratios = {name: np.zeros((*made[name].shape[:-1], 2), np.int64) for name in RATIOS}
    results = []
    for seating, record in games:
        entrants = seatings[seating].tolist()
        for deal in record.deals:
            add_round(made, ratios, deal, entrants)
        made["decisions"] += record.decisions
        made["rounds"][min(len(record.deals), 100)] += 1
        ratios["round_moments"][0] += (1, len(record.deals))
        for seat, who in enumerate(entrants):
            made["places"][who, record.places[seat] - 1] += 1
            made["scores"][who, min(max(record.totals[seat], -400), 500) + 400] += 1
            for column, kind in enumerate(("illegal", "raised", "timeout")):
                made["faults"][who, column] += record.fault_count(seat, kind)
            win = 60 // len(record.winners) if seat in record.winners else 0
            results.append((unit, seating, 0, seat, who, 0, 0, 0, record.totals[seat], win, 0))
    for name, ratio in ratios.items():
        made[name] += moments(ratio[..., 0], ratio[..., 1])
    add_sums(made, seatings, unit, np.array(results))


def add_round(made, ratios, deal, entrants):
    """Add one round."""
    order = positions(deal)
    players, full = len(order), len(order) == len(entrants)
    losers = [seat for seat in order if deal.winner >= 0 and seat != deal.winner]
    made["turns"][players - 2, min(deal.turns, 1000)] += 1
    made["endings"][players - 2, deal.ending] += 1
    ratios["turn_moments"][players - 2] += (1, deal.turns)
    ratios["loser_moments"][players - 2] += (len(losers), sum(deal.points[seat] for seat in losers))
    if deal.winner >= 0:
        made["finishes"][entrants[deal.winner], deal.last_card] += 1
    for seat, position in order.items():
        who, points = entrants[seat], deal.points[seat]
        won, lost = (1, int(seat == deal.winner)), (1, points) if seat in losers else (0, 0)
        ratios["played_moments"][who] += (won, lost, (1, points))
        if full:
            ratios["position_moments"][who, position] += (won, (1, points))
            ratios["opening_moments"][who, deal.opening, position] += (won, (1, points))
        made["events"][who] += (deal.totals[seat] > 101, deal.reset[seat])


def add_sums(made, seatings, unit, results):
    """Add what every game counts: wins and points of a unit by entrant, wins by seat, duels."""
    seat, who, points, win = results.T[[3, 4, 8, 9]]
    vector = np.zeros((2, ENTRANTS), np.int64)
    np.add.at(vector, (0, who), win)
    np.add.at(vector, (1, who), points)
    made["total"] += vector.ravel()
    made["product"] += np.outer(vector.ravel(), vector.ravel())
    cells = np.zeros(made["seat_points"].shape[:2], np.int64)
    np.add.at(cells, (who, seat), win)
    made["seat_points"] += np.stack([cells, cells**2], axis=-1)
    add_duels(made, results, seatings, unit)
