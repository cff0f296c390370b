"""The tallies of games with contracts as they should be, straight from their definitions and the records of games."""

from bisect import bisect_left

import numpy as np
from kernel_checks import ENTRANTS, LABELS, add_duels, match_of, moments

from bridzik_sim import tally
from bridzik_sim.games.contract_sums import RATIOS

IMP_LIMITS = [
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
]


def rows_of(record, entrants, unit, seating):
    """What the kernel should have written for a game of the reference."""
    rows, totals = [], [0, 0]
    for deal in record.deals:
        totals = [totals[side] + deal.points[side] for side in (0, 1)]
        contract = (deal.contract, deal.doubled, deal.declarer, deal.declarer_tricks)
        for seat, who in enumerate(entrants):
            side = seat % 2
            place = (unit, seating, deal.deal, seat, who, deal.dealer, deal.vulnerable >> side & 1)
            rows.append((*place, *contract, deal.points[side], totals[side]))
    return rows


def counts_of(game, seatings, games):
    """The tallies of ``games``: (unit, seating, record), all seatings of every unit."""
    made = tally.zeros(game.tallies(LABELS, match_of(seatings)))
    for unit in sorted({one[0] for one in games}):
        add_unit(made, game, seatings, unit, [one[1:] for one in games if one[0] == unit])
    return made


def imps_of(difference):
    size = bisect_left(IMP_LIMITS, abs(difference))
    return size if difference > 0 else -size


def mate_of(seatings, seating):
    """The seating with the sides changed."""
    turned = [*seatings[seating][1:], seatings[seating][0]]
    return seatings.tolist().index(turned)


def add_unit(made, game, seatings, unit, games):
    """Add one unit."""
    ratios = np.zeros((ENTRANTS, len(RATIOS), 2), np.int64)
    nets = {seating: record.totals[0] - record.totals[1] for seating, record in games}
    vector, results = np.zeros((len(game.quantities), ENTRANTS), np.int64), []
    for seating, record in games:
        entrants, net = seatings[seating].tolist(), nets[seating]
        add_game(made, ratios, record, entrants)
        measure = imps_of(net - nets[mate_of(seatings, seating)]) if "imps" in made else net
        for seat, who in enumerate(entrants):
            sign = (1, -1)[seat % 2]
            own = [sign * measure, *([sign * net] if "imps" in made else [])]
            win = 30 * (1 + (own[0] > 0) - (own[0] < 0))
            vector[:, who] += [*own, win]
            results.append((unit, seating, 0, seat, who, 0, 0, 0, 0, own[0], 0))
        if "imps" in made:
            add_imps(made["imps"], entrants, measure)
    made["ratio_moments"] += moments(ratios[..., 0], ratios[..., 1])
    made["total"] += vector.ravel()
    made["product"] += np.outer(vector.ravel(), vector.ravel())
    results = np.array(results)
    cells = np.zeros(made["seat_points"].shape[:2], np.int64)
    np.add.at(cells, (results[:, 4], results[:, 3]), results[:, 9])
    made["seat_points"] += np.stack([cells, cells**2], axis=-1)
    add_duels(made, results, seatings, unit)


def add_imps(made, entrants, measure):
    """Count the board of a pair at the table where its first entrant sits N-S."""
    first, second = entrants[:2]
    if first < second:
        pair = [(a, b) for a in range(ENTRANTS) for b in range(a + 1, ENTRANTS)].index((first, second))
        made[pair, 24 + measure] += 1


def add_game(made, ratios, record, entrants):
    """Add one game."""
    made["decisions"] += record.decisions
    for deal in record.deals:
        add_deal(made, ratios, deal, entrants)
    last, net = record.deals[-1], record.totals[0] - record.totals[1]
    if "lengths" in made:
        made["lengths"][len(record.deals)] += 1
        made["endings"][record.ending] += 1
    half, step = made["scores"].shape[1] // 2, 10 if getattr(record, "ending", 0) == 3 else 100
    for seat, who in enumerate(entrants):
        side, own = seat % 2, net if seat % 2 == 0 else -net
        steps = (abs(own) + step // 2) // step  # from 0 outwards, so that the sides are mirror images
        made["scores"][who, np.clip(half + np.sign(own) * steps, 0, 2 * half)] += 1
        for column, kind in enumerate(("illegal", "raised", "timeout")):
            made["faults"][who, column] += record.fault_count(seat, kind)
        if "lengths" in made:
            ratios[who, RATIOS.index("below")] += (1, last.written[side])
            ratios[who, RATIOS.index("above")] += (1, last.above[side])


def add_deal(made, ratios, deal, entrants):
    """Add one deal."""
    net = deal.points[0] - deal.points[1]
    if deal.contract == 0:
        made["passed_out"] += 1
        for who in entrants:
            ratios[who, RATIOS.index("passed out")] += (1, 1)
        return
    level, strain = (deal.contract - 1) // 5 + 1, (deal.contract - 1) % 5
    declarer, over = entrants[deal.declarer], deal.declarer_tricks - 6 - level
    made["contracts"][declarer, level - 1, strain, deal.doubled, deal.declarer_tricks] += 1
    for row in ("all", level):
        ratios[declarer, RATIOS.index(f"made {row}")] += (1, over >= 0)
        ratios[declarer, RATIOS.index(f"over {row}")] += (1, over)
    for seat, who in enumerate(entrants):
        role = "declarer" if (seat - deal.declarer) % 2 == 0 else "defender"
        ratios[who, RATIOS.index(role)] += (1, net if seat % 2 == 0 else -net)
        ratios[who, RATIOS.index("passed out")] += (1, 0)
