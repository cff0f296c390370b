"""Contract bridge, compiled: plays chunks of units and counts.

``table`` is a position (see ``playout.py``) with a score sheet (``sheet.py``) and what the kernel keeps of
seats besides. Before each decision one copy of its public fields shows them all (``blocks.py``); the seat's
own fields follow, and its hand is taken back after the answer. So a strategy can neither change the table
nor find another hand in what it was given. The declarer is asked for dummy's cards, with its own memory and
stream.
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
from bridzik_sim.errors import UsageError
from bridzik_sim.games import contract_sums, seats, unit_sums, view
from bridzik_sim.games.bridge import pbn, sheet
from bridzik_sim.games.bridge.playout import FIELDS as POSITION_FIELDS
from bridzik_sim.games.bridge.playout import apply, decider, declarer_tricks, legal, open_deal
from bridzik_sim.games.bridge.rules import GAME, RULES_VERSION, SEATS, SIDES, VIEW, side_of
from bridzik_sim.games.contract import HAND_SIZE, board_dealer, board_vulnerable
from bridzik_sim.games.french_cards import WHOLE_DECK
from bridzik_sim.games.game import Chunk
from bridzik_sim.jit import jit
from bridzik_sim.plans import GENERAL
from bridzik_sim.tally import Counts

TABLE = np.dtype(
    [
        *POSITION_FIELDS,
        ("dealt", "int64", (SEATS,)),
        *((name, "int64", (SIDES,)) for name in ("written", "above", "gained")),
        *((name, "int64") for name in ("decisions", "honours", "max_deals", "first_dealer")),
        *seats.fields(SEATS, len(GAME.decisions)),
    ]
)
"""``dealt``: hands as dealt; the arrays by side belong to the sheet (``sheet.py``); ``decisions``: asked so
far; then the options.
"""
SHOWN = np.dtype([("views", VIEW, (SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)
CALL, PLAY = range(len(GAME.decisions))


@jit(inline=True)
def ask(table, own, seat):
    """Show the seat its view and return its answer; ``own`` is its view.

    An illegal answer raises IllegalAnswer or forfeits to the lowest legal one.
    """
    allowed = legal(table)
    copy_until(own, table, "hands")
    own.seat = seat
    own.hand = table.hands[seat]
    own.legal = allowed
    answer = call(table.functions[CALL if table.declarer < 0 else PLAY, seat], own)
    own.hand = 0
    own.legal = 0
    table.decisions += 1
    return seats.legal_answer(table, seat, allowed, answer)


@jit
def deal_cards(table, deal):
    """Deal the hands from the unit's stream: the last seat gets what is left."""
    streams.start(table.words, deal, streams.DEAL, table.stream)
    deck = WHOLE_DECK
    for seat in range(SEATS):
        hand = streams.take_hand(table, deck, HAND_SIZE)
        table.dealt[seat] = hand
        deck ^= hand


@jit
def set_hands(table, deal):
    """Give the seats the cards of a deal."""
    table.deal = deal
    for seat in range(SEATS):
        table.hands[seat] = table.dealt[seat]


@jit
def play_deal(table, shown, dealer, seating):
    """Play a deal whose hands are there; returns the tricks of the declarer's side."""
    seats.start_deal(GENERAL, table, shown.views, SEATS, table.deal, seating % table.lineup_turns)
    open_deal(table, dealer)
    while table.turn >= 0:
        seat = decider(table)
        apply(table, ask(table, shown.views[seat], seat))
    return declarer_tricks(table) if table.contract > 0 else 0


@jit
def play_rubber(table, shown, each, rows, row, unit, seating):
    """Play deals until a side has two games, or as many as are allowed; returns the ending, the next row."""
    sheet.clear(table)
    deal, ended = 0, -1
    while ended < 0:
        deal_cards(table, deal)
        set_hands(table, deal)
        vulnerable = contract_sums.vulnerable_mask(table)
        tricks = play_deal(table, shown, (table.first_dealer + deal) % SEATS, seating)
        sheet.write_deal(table, tricks, table.honours)
        ended = sheet.ending(table, deal + 1 == table.max_deals)
        sheet.show_scores(table)
        contract_sums.count_deal(each, table, tricks)
        if rows.shape[0] > 0:
            row = contract_sums.write_rows(table, rows, row, unit, seating, vulnerable, tricks)
        deal += 1
    for seat in range(SEATS):
        side = side_of(seat)
        contract_sums.count_sheet(each, table.entrants[seat], table.written[side], table.above[side])
    return ended, row


@jit
def play_board(table, shown, each, rows, row, unit, seating, boards, place):
    """Play the board of a unit, at this place of ``boards`` if there are any; returns the next row."""
    sheet.clear(table)
    if len(boards) > 0:
        given = boards[place]
        table.board, dealer, vulnerable = given[0], given[1], given[2]
        for seat in range(SEATS):
            table.dealt[seat] = given[3 + seat]
    else:
        table.board, dealer, vulnerable = unit + 1, board_dealer(unit), board_vulnerable(unit)
        deal_cards(table, 0)
    table.vulnerable[0], table.vulnerable[1] = vulnerable & 1, vulnerable >> 1
    set_hands(table, 0)
    tricks = play_deal(table, shown, dealer, seating)
    sheet.write_duplicate(table, tricks)
    contract_sums.count_deal(each, table, tricks)
    if rows.shape[0] > 0:
        row = contract_sums.write_rows(table, rows, row, unit, seating, vulnerable, tricks)
    return row


@jit
def play_units(
    functions, params, cheats, seatings, seed, tag, first, stop, boards, tables, showns, counters, rows,
    control,
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk``, boards, empty records."""
    table, shown = tables[0], showns[0]
    filled, written = borrowed(counters), borrowed(rows)
    row = 0
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        for seating in range(seatings.shape[0]):
            table.decisions = 0
            seats.start_game(GENERAL, table, shown.views, SEATS, functions, params, cheats, seatings[seating])
            if table.duplicate:
                place = unit - first
                row = play_board(table, shown, filled.each, written, row, unit, seating, boards, place)
            else:
                ended, row = play_rubber(table, shown, filled.each, written, row, unit, seating)
                contract_sums.count_rubber(filled, table.deal + 1, ended)
            contract_sums.count_game(filled, seating, table.scores[0] - table.scores[1])
            filled.decisions[0] += table.decisions
            seats.count_faults(table, SEATS, filled.faults)
        contract_sums.close_unit(filled, unit)
        control[1] += 1


def counters(counts: dict[str, Counts], played: match.Match) -> contract_sums.Counters:
    """The arrays of a chunk of rubbers or boards."""
    kind = contract_sums.RUBBER if "lengths" in counts else contract_sums.BOARD
    return contract_sums.counters(counts, played, kind)


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    alone = match.simulate([0] * SEATS)
    counts = tally.zeros(GAME.tallies(("a",), alone))
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        two, types.float64[:, ::1], one, two, whole, types.uint64, whole, whole, two,
        tables, showns, numba.typeof(counters(counts, alone)), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def given_boards(texts: list[str]) -> Counts:
    """int64[boards, 7]: number, dealer, who is vulnerable, and the hands of the given boards."""
    boards = [pbn.board_of(text) for text in texts]
    rows = [(board.number, board.dealer, board.vulnerable, *board.hands) for board in boards]
    return np.array(rows, np.int64).reshape(-1, 3 + SEATS)


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, ``NoRoom`` when the rows of a unit do
    not fit, and whatever a strategy raises; the counts then hold part of a unit and must be thrown away.
    """
    options = chunk.options
    if 0 < len(options["boards"]) < chunk.stop:
        raise UsageError(f"{len(options['boards'])} deals are given, none for unit {chunk.stop - 1}")
    table = seats.new_table(chunk, TABLE)
    table["calls"] = -1
    table["duplicate"] = options["scoring"] == "duplicate"
    table["last_bid_declares"] = options["declarer"] == "last_bid"
    table["honours"] = options["honours"] == "on"
    table["max_deals"], table["first_dealer"] = options["max_deals"], options["first_dealer"]
    tag = np.uint64(streams.stream_tag("bridge", RULES_VERSION))
    boards = given_boards(options["boards"][chunk.first : chunk.stop])
    play_units(
        seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, chunk.seed, tag, chunk.first, chunk.stop, boards,
        table, view.empty(SHOWN), counters(chunk.counts, chunk.match), chunk.rows, chunk.control,
    )  # fmt: skip


def count_record(counters: contract_sums.Counters, record: Any, seating: int, entrants_at: Counts) -> Counts:
    """Count a game of the reference engine and return its rows (see ``ROW_COLUMNS``; unit 0)."""
    last = record.deals[-1]
    if record.ending < len(contract_sums.ENDINGS):
        for seat, entrant in enumerate(entrants_at):
            side = seat % SIDES
            contract_sums.count_sheet(counters.each, int(entrant), last.written[side], last.above[side])
        contract_sums.count_rubber(counters, len(record.deals), record.ending)
    return contract_sums.count_record(counters, record, seating, entrants_at)


def count_units(counts: dict[str, Counts], played: match.Match) -> tuple[Any, Any]:
    """Counting games of a reference engine; see ``unit_sums.counting``."""
    return unit_sums.counting(counters(counts, played), played, count_record, contract_sums.close_unit)
