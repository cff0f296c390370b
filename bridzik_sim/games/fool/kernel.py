"""Czech Fool, compiled: plays chunks of units and counts.

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
from bridzik_sim.cards import lowest, nth, popcount
from bridzik_sim.games import seats, view
from bridzik_sim.games.fool import counting
from bridzik_sim.games.fool.counting import EXITS, RESETS, Round, count_round, count_seat
from bridzik_sim.games.fool.playout import FIELDS as POSITION_FIELDS
from bridzik_sim.games.fool.playout import (
    WON,
    apply,
    first_stock,
    legal,
    next_in,
    open_round,
    points,
    score,
    set_scores,
)
from bridzik_sim.games.fool.rules import (
    DECKS,
    GAME,
    HAND_SIZE,
    LIMIT,
    MAX_SEATS,
    QUEENS,
    RULES_VERSION,
    VIEW,
    last_card_kind,
    opening_kind,
    total_after,
)
from bridzik_sim.games.french_cards import SUITS
from bridzik_sim.games.game import Chunk
from bridzik_sim.games.seats import NoRoom
from bridzik_sim.jit import jit
from bridzik_sim.plans import GENERAL

TABLE = np.dtype(
    [
        *POSITION_FIELDS,
        *((name, "int64", (MAX_SEATS,)) for name in ("got", "position", "place")),
        *((name, "int64") for name in ("open_card", "decisions")),
        *seats.fields(MAX_SEATS, len(GAME.decisions)),
    ]
)
"""By seat: ``got``, points of the round; ``position`` after the dealer; ``place`` in the game, 0 while it is
still in. ``decisions``: asked so far.
"""
SHOWN = np.dtype([("views", VIEW, (MAX_SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)
MOVE, SUIT = range(len(GAME.decisions))


@jit(inline=True)
def ask(decision, table, own, seat):
    """Show the seat its view and return its answer; ``own`` is its view.

    An illegal answer raises IllegalAnswer or forfeits to the lowest legal one.
    """
    allowed = legal(table)
    copy_until(own, table, "hands")
    own.seat = seat
    own.hand = table.hands[seat]
    own.legal = allowed
    answer = call(table.functions[decision, seat], own)
    own.hand = 0
    own.legal = 0
    table.decisions += 1
    return seats.legal_answer(table, seat, allowed, answer)


@jit
def first_dealer(table, deal):
    """One of those still in, drawn for the deal."""
    streams.start(table.words, deal, streams.FIRST_DEALER, table.stream)
    among = 0
    for seat in range(table.seats):
        among |= table.still_in[seat] << seat
    return nth(among, streams.draw_below(table.stream, table.players))


@jit
def deal_cards(table, deal):
    """Deal hands, opening card and stock from the unit's streams; returns the suit of a queen, -1 for none.

    Cards are taken for every seat, so that who is out changes no other hand; its cards come last in the
    stock.
    """
    table.deal = deal
    streams.start(table.words, deal, streams.DEAL, table.stream)
    deck, last = table.deck, 0
    for seat in range(table.seats):
        hand = streams.take(table, deck, HAND_SIZE)
        deck ^= hand
        last |= 0 if table.still_in[seat] else hand
        table.hands[seat] = hand if table.still_in[seat] else 0
        table.counts[seat] = HAND_SIZE if table.still_in[seat] else 0
    opened, suit = streams.take(table, deck, 1), -1
    table.open_card = lowest(opened)
    if opened & QUEENS:
        streams.start(table.words, deal, streams.QUEEN_SUIT, table.stream)
        suit = streams.draw_below(table.stream, SUITS)
    first_stock(table, deck ^ opened, last)
    return suit


@jit
def play_round(table, shown):
    """Play a round that has been set up."""
    while table.turn >= 0:
        seat = table.turn
        if table.choosing:
            apply(table, ask(SUIT, table, shown.views[seat], seat))
        else:
            apply(table, ask(MOVE, table, shown.views[seat], seat))


@jit
def count_seats(table, each, entrants):
    """Count a round that is over, seat by seat from the left of the dealer, and note everyone's points."""
    opening = opening_kind(table.open_card, table.eights)
    seat, losers, losses, full = table.dealer, 0, 0, 1 if table.players == table.seats else 0
    for position in range(table.players):
        seat = next_in(table, seat)
        got, won = points(table, seat), 1 if seat == table.winner else 0
        lost = 1 if table.ended == WON and not won else 0
        part = Round(table.entrants[seat], position, won, lost, got, full)
        count_seat(each.unit, part, entrants, table.seats, opening)
        table.got[seat], table.position[seat] = got, position
        losers += lost
        losses += got if lost else 0
    count_round(each, table.players, table.turns, table.ended, losers, losses)
    if table.ended == WON:
        each.finishes[table.entrants[table.winner], last_card_kind(table.top)] += 1


@jit
def write_rows(table, rows, row, unit, seating):
    """Write the rows of a round whose points are not in the match scores yet; returns the next free row."""
    for seat in range(table.seats):
        if table.still_in[seat]:
            if row == rows.shape[0]:
                raise NoRoom
            one, got = rows[row], table.got[seat]
            one[0], one[1], one[2], one[3], one[4] = unit, seating, table.deal, seat, table.entrants[seat]
            one[5], one[6], one[7] = table.players, table.position[seat], table.turns
            one[8], one[9] = popcount(table.hands[seat]), 1 if seat == table.winner else 0
            one[10], one[11] = got, total_after(table.scores[seat], got)
            row += 1
    return row


@jit
def close_round(table, events):
    """Add the points to the match scores; returns the next dealer, -1 when it has to be drawn."""
    dealer = -1
    for seat in range(table.seats):
        if table.still_in[seat]:
            dealer = seat if dealer < 0 or table.got[seat] > table.got[dealer] else dealer
            resets = table.scores[seat] + table.got[seat] == LIMIT
            events[table.entrants[seat], RESETS] += 1 if resets else 0
            table.place[seat] = 0
    score(table)
    for seat in range(table.seats):
        if table.place[seat] == 0 and not table.still_in[seat]:
            table.place[seat] = table.players + 1
            events[table.entrants[seat], EXITS] += 1
        elif table.still_in[seat] and table.players == 1:
            table.place[seat] = 1
    if table.players == 0:
        share_places(table)
    return dealer if table.still_in[dealer] else -1


@jit
def share_places(table):
    """Places when all that were in go out together: the lowest total wins, ties share."""
    best, winners = 0, 0
    for seat in range(table.seats):
        if table.place[seat] == 1 and (winners == 0 or table.scores[seat] <= best):
            winners = winners + 1 if winners > 0 and table.scores[seat] == best else 1
            best = table.scores[seat]
    for seat in range(table.seats):
        if table.place[seat] == 1 and table.scores[seat] != best:
            table.place[seat] = 1 + winners


@jit
def play_game(table, shown, each, entrants, rows, row, unit, seating):
    """Play rounds until at most one is left in the game; returns the next free row."""
    deal, dealer = 0, -1
    set_scores(table)
    while table.players > 1:
        dealer = dealer if dealer >= 0 else first_dealer(table, deal)
        queen_suit = deal_cards(table, deal)
        seats.start_deal(GENERAL, table, shown.views, table.seats, deal, seating % table.lineup_turns)
        open_round(table, dealer, table.open_card, queen_suit)
        play_round(table, shown)
        count_seats(table, each, entrants)
        if rows.shape[0] > 0:
            row = write_rows(table, rows, row, unit, seating)
        dealer = close_round(table, each.events)
        deal += 1
    return row


@jit
def play_units(
    functions, params, cheats, seatings, seed, tag, first, stop, tables, showns, counters, rows, control
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records."""
    table, shown = tables[0], showns[0]
    filled, written = borrowed(counters), borrowed(rows)
    players, row = seatings.shape[1], 0
    table.seats = players
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        for seating in range(seatings.shape[0]):
            table.scores[:] = 0
            table.place[:] = 0
            table.decisions = 0
            seats.start_game(
                GENERAL, table, shown.views, players, functions, params, cheats, seatings[seating]
            )
            row = play_game(table, shown, filled.each, len(params), written, row, unit, seating)
            counting.count_game(filled, seating, seatings[seating], table.scores, table.place, table.deal + 1)
            filled.decisions[0] += table.decisions
            seats.count_faults(table, players, filled.faults)
        counting.close_unit(filled, unit)
        control[1] += 1


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    alone = match.simulate([0] * MAX_SEATS)
    counts = tally.zeros(counting.layouts(("a",), alone))
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        two, types.float64[:, ::1], one, two, whole, types.uint64, whole, whole,
        tables, showns, numba.typeof(counting.counters(counts, alone)), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, ``NoRoom`` when the rows of a unit do
    not fit, and whatever a strategy raises; the counts then hold part of a unit and must be thrown away.
    """
    options = chunk.options
    table = seats.new_table(chunk, TABLE)
    table["deck"], table["eights"] = DECKS[options["deck"]], options["deck"] == 52
    table["forced"], table["cap"] = options["draw"] == "forced", options["max_turns"]
    table["last_move"] = -1
    tag = np.uint64(streams.stream_tag("fool", RULES_VERSION))
    play_units(
        seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, chunk.seed, tag, chunk.first, chunk.stop, table, view.empty(SHOWN),
        counting.counters(chunk.counts, chunk.match), chunk.rows, chunk.control,
    )  # fmt: skip


count_units = counting.count_units
