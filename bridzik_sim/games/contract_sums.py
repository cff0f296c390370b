"""What is counted of games with contracts: contracts and tricks, gains in each role, the sheet, IMPs.

Both games have two sides, side = seat % 2, and a net measure: what a side has more than the other. Estimates
are formed over units (see ``unit_sums.py``). With IMPs every table of a unit is scored against its *mate*,
the table at which the sides have changed places on the same board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim.games import unit_sums
from bridzik_sim.games.contract import BOOK, STRAINS, imps, level, strain
from bridzik_sim.games.seats import NoRoom
from bridzik_sim.games.unit_sums import FAULTS, MOMENTS, WHOLE_WIN, add_ratios, add_to_ratio
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Axis, Counts, Tally

QUANTITIES = ("points", "wins")
IMP_QUANTITIES = ("imps", *QUANTITIES)
PAR_QUANTITIES = (*QUANTITIES, "par", "auction", "play")
"""``par``: net points of par after the draw phase; ``auction``, ``play``: lost by own calls and cards."""
SIDES = 2
LEVELS, TRICKS = 7, 13
MOST_IMPS = 24
MAX_LENGTH = 100
"""The histogram of deals in a rubber ends with this number, which stands for more, too."""
RUBBER, BOARD, MATCH = range(3)
STEPS = {RUBBER: 100, BOARD: 10, MATCH: 100}
"""Steps of histograms of net points."""
HIGHEST = {RUBBER: 20_000, BOARD: 3000, MATCH: 2500}
"""They end here, a match's at so many points a deal, and at minus it, which stand for more, too."""
ENDINGS = ("two games to none", "two games to one", "unfinished")
RATIOS = (
    *(f"made {row}" for row in ("all", *range(1, LEVELS + 1))),
    *(f"over {row}" for row in ("all", *range(1, LEVELS + 1))),
    *("declarer", "defender", "passed out", "below", "above"),
)
"""By entrant, numbers and what they brought: contracts declared and made, and tricks above them, by level;
deals of a seat whose side declared or defended, and net points; deals of a seat, and those passed out; games
of a seat, and its side's points below and above the line."""
MADE, OVER = 0, LEVELS + 1
DECLARER, DEFENDER, PASSED_OUT, BELOW, ABOVE = range(2 * (LEVELS + 1), len(RATIOS))
ROW_COLUMNS = (
    *("unit", "seating", "deal", "seat", "strategy", "dealer", "vulnerable"),
    *("contract", "doubled", "declarer", "tricks", "points", "total"),
)


class Deals(NamedTuple):
    """What is counted at the end of every deal; ``unit``: the ratios of one unit, by entrant.

    A kernel hands tuples on by value, so this one has few arrays.
    """

    contracts: Counts
    passed_out: Counts
    unit: Counts


class Counters(NamedTuple):
    """The arrays a kernel fills; see ``layouts`` for their axes, and what one unit needs besides.

    ``step``: of the histogram of points. ``mates``: by seating, that of its mate, -1 without IMPs. ``net``:
    by seating, the points of N-S (or N) minus the others', in one unit.
    """

    each: Deals
    step: int
    decisions: Counts
    scores: Counts
    lengths: Counts
    endings: Counts
    imps: Counts
    faults: Counts
    ratio_moments: Counts
    seatings: Counts
    mates: Counts
    net: Counts
    sums: unit_sums.Sums


def layouts(
    entrants: Sequence[str],
    match: Match,
    kind: int,
    imps: bool = False,
    quantities: Sequence[str] = QUANTITIES,
    deals: int = 1,
) -> tuple[Tally, ...]:
    """Tallies of a run of rubbers, boards or matches of so many ``deals`` (``kind``).

    ``contracts``: of the declarer, by what was taken. ``passed_out``: deals without a contract. ``lengths``,
    ``endings``: of rubbers. ``imps``: boards of a pair by the IMPs of its first entrant.
    """
    who, moment = Axis("strategy", tuple(entrants)), Axis("moment", MOMENTS)
    highest, step = HIGHEST[kind] * deals, STEPS[kind]
    points = Axis("points", tuple(range(-highest, highest + 1, step)))
    contracts = (
        Axis.span("level", 1, LEVELS),
        Axis("strain", STRAINS),
        Axis.span("doubled", 0, 2),
        Axis.span("tricks", 0, TRICKS),
    )
    pairs = Axis("pair", tuple(f"{entrants[a]}/{entrants[b]}" for a, b in match.pairs))
    rubbers = (
        Tally("lengths", (Axis.span("deals", 0, MAX_LENGTH),)),
        Tally("endings", (Axis("ending", ENDINGS),)),
    )
    boards = (Tally("imps", (pairs, Axis.span("imps", -MOST_IMPS, MOST_IMPS))),)
    return (
        Tally("decisions", (Axis("all", ("all",)),)),
        Tally("contracts", (who, *contracts)),
        Tally("passed_out", (Axis("all", ("all",)),)),
        Tally("scores", (who, points)),
        Tally("faults", (who, Axis("fault", FAULTS))),
        Tally("ratio_moments", (who, Axis("ratio", RATIOS), moment)),
        *(rubbers if kind == RUBBER else ()),
        *(boards if imps else ()),
        *unit_sums.layouts(entrants, match, IMP_QUANTITIES if imps else quantities),
    )


def mates(match: Match) -> Counts:
    """int64[seatings]: the seating of the same line-up in which the sides have changed places."""
    rows = [tuple(row) for row in match.seatings.tolist()]
    found = []
    for number, row in enumerate(rows):
        first = number - number % match.turns
        turned = (*row[1:], row[0])
        found.append(rows.index(turned, first, first + match.turns))
    return np.array(found, np.int64)


def counters(counts: dict[str, Counts], match: Match, kind: int) -> Counters:
    """Bundle a chunk's arrays for a kernel, with scratch of the right shapes."""
    seatings, entrants = match.seatings, len(counts["contracts"])
    nothing = np.zeros(0, np.int64)
    return Counters(
        Deals(counts["contracts"], counts["passed_out"], np.zeros((entrants * len(RATIOS), 2), np.int64)),
        STEPS[kind],
        counts["decisions"],
        counts["scores"],
        counts.get("lengths", nothing),
        counts.get("endings", nothing),
        counts.get("imps", np.zeros((0, 0), np.int64)),
        counts["faults"],
        counts["ratio_moments"].reshape(-1, len(MOMENTS)),
        seatings,
        mates(match) if "imps" in counts else np.full(len(seatings), -1, np.int64),
        np.zeros(len(seatings), np.int64),
        unit_sums.sums(counts, match),
    )


@jit
def count_contract(each, entrant, bid, doubled, tricks):
    """Count a contract that the entrant's seat has declared, and the tricks it took."""
    own, over = entrant * len(RATIOS), tricks - BOOK - level(bid)
    each.contracts[entrant, level(bid) - 1, strain(bid), doubled, tricks] += 1
    for row in (0, level(bid)):
        add_to_ratio(each.unit, own + MADE + row, 1, 1 if over >= 0 else 0)
        add_to_ratio(each.unit, own + OVER + row, 1, over)


@jit
def count_seat_deal(each, entrant, declared, passed, net):
    """Count a deal of a seat whose side won ``net`` and has ``declared`` it, unless it was ``passed`` out."""
    own = entrant * len(RATIOS)
    add_to_ratio(each.unit, own + PASSED_OUT, 1, passed)
    if not passed:
        add_to_ratio(each.unit, own + (DECLARER if declared else DEFENDER), 1, net)


@jit
def count_deal(each, table, tricks):
    """Count a deal that has been scored; ``tricks`` of the declarer's side."""
    net, passed = table.gained[0] - table.gained[1], 1 if table.contract == 0 else 0
    for seat in range(len(table.entrants)):
        declared = (seat - table.declarer) % SIDES == 0
        count_seat_deal(each, table.entrants[seat], declared, passed, net if seat % SIDES == 0 else -net)
    each.passed_out[0] += passed
    if not passed:
        count_contract(each, table.entrants[table.declarer], table.contract, table.doubled, tricks)


@jit
def write_rows(table, rows, row, unit, seating, vulnerable, tricks):
    """Write the rows of a deal that is in the scores; returns the next free row.

    ``vulnerable``: mask of the sides that were so in this deal; ``tricks`` of the declarer's side.
    """
    for seat in range(len(table.entrants)):
        if row == rows.shape[0]:
            raise NoRoom
        one, side = rows[row], seat % SIDES
        one[0], one[1], one[2], one[3], one[4] = unit, seating, table.deal, seat, table.entrants[seat]
        one[5], one[6], one[7] = table.dealer, vulnerable >> side & 1, table.contract
        one[8], one[9], one[10] = table.doubled, table.declarer, tricks if table.contract > 0 else -1
        one[11], one[12] = table.gained[side], table.scores[seat]
        row += 1
    return row


@jit
def vulnerable_mask(table):
    """Mask of the sides that are vulnerable."""
    return table.vulnerable[0] | table.vulnerable[1] << 1


@jit
def count_sheet(each, entrant, below, above):
    """Count what the side of a seat has below and above the line at the end of a game."""
    own = entrant * len(RATIOS)
    add_to_ratio(each.unit, own + BELOW, 1, below)
    add_to_ratio(each.unit, own + ABOVE, 1, above)


@jit
def count_rubber(counters, deals, ending):
    """Count the length and the end of a rubber."""
    counters.lengths[min(deals, MAX_LENGTH)] += 1
    counters.endings[ending] += 1


@jit
def count_game(counters, seating, net):
    """Count a game: ``net`` points of N-S (or N)."""
    counters.net[seating] = net
    most = counters.scores.shape[1] // 2
    steps = min((abs(net) + counters.step // 2) // counters.step, most)
    for seat in range(counters.seatings.shape[1]):
        ahead = (net > 0) == (seat % SIDES == 0)
        place = most + (steps if ahead else -steps)
        counters.scores[counters.seatings[seating, seat], place] += 1


@jit
def count_quantity(counters, seating, seat, number, amount):
    """Count a quantity of a seat, the measure being number 0."""
    sums, entrant = counters.sums, counters.seatings[seating, seat]
    if number == 0:
        unit_sums.count_seat(sums, seating, entrant, seat, amount)
    else:
        sums.unit[number * len(counters.scores) + entrant] += amount
    if len(sums.ones_at) > 0 and entrant == sums.ones_at[seating, 1]:
        unit_sums.count_one(sums, seating, number, amount)


@jit
def count_measure(counters, seating):
    """Count the measure of a game of a unit all of whose games have been played, and who has won it."""
    mate, net = counters.mates[seating], counters.net[seating]
    measure = net if mate < 0 else imps(net - counters.net[mate])
    points = 0 if mate < 0 else 1
    for seat in range(counters.seatings.shape[1]):
        own = measure if seat % SIDES == 0 else -measure
        count_quantity(counters, seating, seat, 0, own)
        if points > 0:
            count_quantity(counters, seating, seat, points, net if seat % SIDES == 0 else -net)
        win = WHOLE_WIN if own > 0 else WHOLE_WIN // 2 if own == 0 else 0
        count_quantity(counters, seating, seat, points + 1, win)
    return measure


@jit
def close_unit(counters, unit):
    """Fold unit number ``unit``, all its seatings, into the sums over units, and clear the scratch."""
    for seating in range(len(counters.seatings)):
        measure = count_measure(counters, seating)
        if len(counters.imps) > 0:
            count_imps(counters, seating, measure)
    add_ratios(counters.each.unit, counters.ratio_moments)
    unit_sums.close(counters.sums, unit)


@jit
def count_imps(counters, seating, measure):
    """Count the IMPs of a pair at the one of its two tables at which its first entrant sits N-S."""
    duels = counters.sums.duels
    for duel in range(len(duels)):
        here = duels[duel, 1] == seating and duels[duel, 3] == seating
        if here and counters.seatings[seating, 0] == duels[duel, 2]:
            counters.imps[duels[duel, 0], MOST_IMPS + measure] += 1


def count_record(counters: Counters, record: Any, seating: int, entrants_at: Counts) -> Counts:
    """Count the deals and the result of a game of the reference engine; returns its rows (unit 0)."""
    rows, totals = [], [0] * SIDES
    for deal in record.deals:
        count_deal_record(counters.each, deal, entrants_at)
        totals = [total + points for total, points in zip(totals, deal.points, strict=True)]
        rows += record_rows(deal, seating, entrants_at, totals)
    for seat, entrant in enumerate(entrants_at):
        for column, fault in enumerate(FAULTS):
            counters.faults[entrant, column] += record.fault_count(seat, fault)
    counters.decisions[0] += record.decisions
    count_game(counters, seating, totals[0] - totals[1])
    return np.array(rows, np.int64)


def count_deal_record(each: Deals, deal: Any, entrants_at: Counts) -> None:
    """Count a deal of the reference engine."""
    net, passed = deal.points[0] - deal.points[1], int(deal.contract == 0)
    for seat, entrant in enumerate(entrants_at):
        declared = not passed and (seat - deal.declarer) % SIDES == 0
        count_seat_deal(each, int(entrant), declared, passed, net if seat % SIDES == 0 else -net)
    each.passed_out[0] += passed
    if not passed:
        entrant = int(entrants_at[deal.declarer])
        count_contract(each, entrant, deal.contract, deal.doubled, deal.declarer_tricks)


def record_rows(deal: Any, seating: int, entrants_at: Counts, totals: Sequence[int]) -> list[tuple[int, ...]]:
    """The rows of a deal of the reference engine, after which the sides have ``totals``."""
    contract = (deal.contract, deal.doubled, deal.declarer, deal.declarer_tricks)
    rows: list[tuple[int, ...]] = []
    for seat, entrant in enumerate(entrants_at):
        side = seat % SIDES
        place = (0, seating, deal.deal, seat, int(entrant), deal.dealer, deal.vulnerable >> side & 1)
        rows.append((*place, *contract, deal.points[side], totals[side]))
    return rows
