"""Honeymoon bridge, compiled: plays chunks of units and counts.

``table`` is a position (see ``playout.py``) with what the kernel keeps of seats besides. Before each decision
one copy of its public fields shows them all (``blocks.py``); the seat's own fields follow, and its hand is
taken back after the answer. So a strategy can neither change the table nor find another hand or the stock in
what it was given.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from bridzik_sim import match, streams, tally
from bridzik_sim.blocks import copy_until
from bridzik_sim.borrowed import borrowed
from bridzik_sim.calls import call
from bridzik_sim.games import contract_sums, seats, unit_sums, view
from bridzik_sim.games.auction import gain
from bridzik_sim.games.contract import HAND_SIZE
from bridzik_sim.games.french_cards import WHOLE_DECK
from bridzik_sim.games.game import Chunk
from bridzik_sim.games.honeymoon import judging
from bridzik_sim.games.honeymoon.judging import JUDGED, new_judge
from bridzik_sim.games.honeymoon.playout import FIELDS as POSITION_FIELDS
from bridzik_sim.games.honeymoon.playout import apply, legal, open_deal
from bridzik_sim.games.honeymoon.rules import (
    AUCTION,
    GAME,
    PLAY,
    RULES_VERSION,
    SEATS,
    VIEW,
    VULNERABILITIES,
    dealer_of,
    unseen,
)
from bridzik_sim.jit import jit
from bridzik_sim.plans import GENERAL
from bridzik_sim.tally import Counts

TABLE = np.dtype(
    [
        *POSITION_FIELDS,
        ("gained", "int64", (SEATS,)),
        *((name, "int64") for name in ("decisions", "vulnerability", "par")),
        *seats.fields(SEATS, len(GAME.decisions)),
    ]
)
"""``gained``: points in the last deal; ``decisions``: asked so far; options: ``vulnerability``, an index into
VULNERABILITIES, and ``par``.
"""
SHOWN = np.dtype([("views", VIEW, (SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)
CALL, CARD = range(len(GAME.decisions))
CYCLE, RANDOM, NONE, BOTH = range(len(VULNERABILITIES))


@jit(inline=True)
def ask(table, own, seat):
    """Show the seat its view and return its answer; ``own`` is its view.

    An illegal answer raises IllegalAnswer or forfeits to the lowest legal one.
    """
    allowed = legal(table)
    copy_until(own, table, "hands")
    own.seat = seat
    own.hand = table.hands[seat]
    own.unseen = unseen(own.hand, table.played)
    own.legal = allowed
    answer = call(table.functions[CALL if table.phase == AUCTION else CARD, seat], own)
    own.hand = 0
    own.unseen = 0
    own.legal = 0
    table.decisions += 1
    return seats.legal_answer(table, seat, allowed, answer)


@jit
def deal_cards(table, deal):
    """Deal the hands from the unit's stream, which then draws the stock."""
    table.deal = deal
    streams.start(table.words, deal, streams.DEAL, table.stream)
    table.pile = WHOLE_DECK
    for seat in range(SEATS):
        table.hands[seat] = streams.take_hand(table, table.pile, HAND_SIZE)
        table.pile ^= table.hands[seat]


@jit
def set_vulnerable(table, deal):
    """Who is vulnerable in a deal, by the option; a random one comes from a stream of its own."""
    mask = 3 if table.vulnerability == BOTH else 0
    if table.vulnerability == CYCLE:
        mask = deal % 4
    elif table.vulnerability == RANDOM:
        streams.start(table.words, deal, streams.VULNERABILITY, table.stream)
        mask = streams.draw_below(table.stream, 4)
    table.vulnerable[0], table.vulnerable[1] = mask & 1, mask >> 1


@jit
def play_deal(table, shown, judge, deal, seating):
    """Deal and play a deal; where it is wanted, the judge sees every call, and every card of the play."""
    set_vulnerable(table, deal)
    deal_cards(table, deal)
    seats.start_deal(GENERAL, table, shown.views, SEATS, deal, seating % table.lineup_turns)
    open_deal(table, dealer_of(deal))
    while table.turn >= 0:
        seat, phase = table.turn, table.phase
        answer = ask(table, shown.views[seat], seat)
        if table.par and phase == AUCTION:
            if table.n_calls == 0:
                judging.open_auction(judge, table)
            judging.judge_call(judge, table, answer)
        apply(table, answer)
        if table.par and table.phase == PLAY:
            if phase == AUCTION:
                judging.open_play(judge, table)
            else:
                judging.judge_card(judge, table, seat)


@jit
def score_deal(table):
    """Give the points of a deal to who gains them; returns the declarer's tricks."""
    tricks = table.taken[table.declarer] if table.contract > 0 else 0
    gain(table, tricks)
    for seat in range(SEATS):
        table.scores[seat] += table.gained[seat]
    return tricks


@jit
def count_losses(counters, lost, seating):
    """Count what the seats had by par and have lost in a match, and forget it."""
    for seat in range(SEATS):
        for part in range(lost.shape[1]):
            number = len(contract_sums.QUANTITIES) + part
            contract_sums.count_quantity(counters, seating, seat, number, lost[seat, part])
            lost[seat, part] = 0


@jit
def play_units(
    functions, params, cheats, seatings, seed, tag, first, stop, deals, tables, showns, judges,
    counters, rows, control,
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records."""
    table, shown = tables[0], showns[0]
    filled, written, judge = borrowed(counters), borrowed(rows), borrowed(judges)
    row = 0
    table.deals = deals
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        for seating in range(seatings.shape[0]):
            table.decisions = 0
            table.scores[:] = 0
            seats.start_game(GENERAL, table, shown.views, SEATS, functions, params, cheats, seatings[seating])
            for deal in range(deals):
                play_deal(table, shown, judge, deal, seating)
                tricks = score_deal(table)
                contract_sums.count_deal(filled.each, table, tricks)
                if written.shape[0] > 0:
                    vulnerable = contract_sums.vulnerable_mask(table)
                    row = contract_sums.write_rows(table, written, row, unit, seating, vulnerable, tricks)
            contract_sums.count_game(filled, seating, table.scores[0] - table.scores[1])
            if table.par:
                count_losses(filled, judge.lost, seating)
            filled.decisions[0] += table.decisions
            seats.count_faults(table, SEATS, filled.faults)
        contract_sums.close_unit(filled, unit)
        control[1] += 1


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    alone = match.simulate([0] * SEATS)
    counts = tally.zeros(GAME.tallies(("a",), alone))
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        two, types.float64[:, ::1], one, two, whole, types.uint64, whole, whole, whole,
        tables, showns, numba.typeof(new_judge(False)),
        numba.typeof(contract_sums.counters(counts, alone, contract_sums.MATCH)), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, ``NoRoom`` when the rows of a unit do
    not fit, and whatever a strategy raises; the counts then hold part of a unit and must be thrown away.
    """
    options = chunk.options
    table = seats.new_table(chunk, TABLE)
    table["calls"] = -1
    table["vulnerability"] = VULNERABILITIES.index(options["vulnerability"])
    table["par"] = options["par"] == "on"
    tag = np.uint64(streams.stream_tag("honeymoon", RULES_VERSION))
    play_units(
        seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, chunk.seed, tag, chunk.first, chunk.stop, options["deals"],
        table, view.empty(SHOWN), new_judge(options["par"] == "on"),
        contract_sums.counters(chunk.counts, chunk.match, contract_sums.MATCH), chunk.rows, chunk.control,
    )  # fmt: skip


def count_record(counters: contract_sums.Counters, record: Any, seating: int, entrants_at: Counts) -> Counts:
    """Count a match of the reference engine and return its rows (see ``ROW_COLUMNS``; unit 0)."""
    lost = np.zeros((SEATS, len(JUDGED)), np.int64)
    for deal in record.deals:
        lost += np.array([(deal.par, -deal.par), deal.auction_lost, deal.play_lost]).T
    if record.judged:
        count_losses(counters, lost, seating)
    return contract_sums.count_record(counters, record, seating, entrants_at)


def count_units(counts: dict[str, Counts], played: match.Match) -> tuple[Any, Any]:
    """Counting games of a reference engine; see ``unit_sums.counting``."""
    counters = contract_sums.counters(counts, played, contract_sums.MATCH)
    return unit_sums.counting(counters, played, count_record, contract_sums.close_unit)
