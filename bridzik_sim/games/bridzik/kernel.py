"""Bridžik, compiled: plays chunks of units and counts.

``table`` is a record whose public block is the truth of the deal; ``secret`` holds the hidden cards and the streams
of the dealer. Before each decision the public block is copied into the seat's view, then the seat's own fields are
set, so a strategy can neither change the table nor find another hand in what it was given.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from bridzik_sim import streams
from bridzik_sim.calls import address, call
from bridzik_sim.cards import lowest
from bridzik_sim.games import exact_bids, view
from bridzik_sim.games.bridzik.rules import (
    DEALS,
    MAX_SIZE,
    PUBLIC,
    RANKS,
    RULES_VERSION,
    SEATS,
    TRUMP,
    VIEW,
    WHOLE_DECK,
    deal_size,
    deal_starter,
    forbidden_bid,
    legal_bids,
    legal_cards,
    round_points,
)
from bridzik_sim.games.game import Chunk
from bridzik_sim.jit import jit
from bridzik_sim.tally import Counts
from bridzik_sim.tricks import strength

STATE = np.dtype(
    [
        ("table", view.dtype(PUBLIC, [])),
        ("hands", "int64", (SEATS,)),
        ("bidders", "int64", (SEATS,)),
        ("players", "int64", (SEATS,)),
        ("entrants", "int64", (SEATS,)),
        ("illegal", "int64", (SEATS,)),
        ("forfeit", "int64"),
        ("words", "uint64", (4,)),
        ("stream", "uint64", (4,)),
    ]
)
SHOWN = np.dtype([("views", VIEW, (SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)

show_public = view.copier(PUBLIC)


class IllegalAnswer(Exception):  # noqa: N818  (raised inside compiled code, translated by the runner)
    """A strategy's answer was not legal; the reference engine finds out which."""


@jit
def deal_hands(state, deal):
    """Deal the cards to the seats from the unit's stream of this deal."""
    streams.start(state.words, deal, streams.DEAL, state.stream)
    size = deal_size(deal)
    deck = WHOLE_DECK
    for seat in range(SEATS - 1):
        hand = streams.take(state.stream, deck, size)
        state.hands[seat] = hand
        deck ^= hand
    state.hands[SEATS - 1] = deck if size == MAX_SIZE else streams.take(state.stream, deck, size)


@jit(inline=True)
def ask(function, state, shown, seat, legal):
    """Show the seat its view and return its answer; an illegal one raises IllegalAnswer or forfeits to the lowest."""
    own = shown.views[seat]
    show_public(own, state.table)
    own.seat = seat
    own.position = (seat - state.table.starter) & (SEATS - 1)
    own.hand = state.hands[seat]
    own.legal = legal
    answer = call(function, own)
    own.hand = 0
    if answer < 0 or answer > 62 or (legal >> answer) & 1 == 0:
        if not state.forfeit:
            raise IllegalAnswer
        state.illegal[seat] += 1
        return lowest(legal)
    return answer


@jit
def auction(state, shown):
    """Let the seats bid in turn; returns the seat that leads: the highest bid, the earliest among equals."""
    table = state.table
    total, highest_bid, leader = 0, -1, 0
    for position in range(SEATS):
        seat = (table.starter + position) & (SEATS - 1)
        table.forbidden = forbidden_bid(table.size, position, total)
        bid = ask(state.bidders[seat], state, shown, seat, legal_bids(table.size, table.forbidden))
        table.bids[seat] = bid
        table.has_bid[seat] = 1
        total += bid
        if bid > highest_bid:
            highest_bid, leader = bid, seat
    table.forbidden = -1
    return leader


@jit(inline=True)
def put_card(table, seat, place, card):
    """Lay a card on the table: who wins now, and what a seat that did not follow has shown. Without branches."""
    suit = card // RANKS
    lead = suit if place == 0 else table.lead
    best = card if place == 0 else table.best
    wins = strength(card, lead, TRUMP, RANKS) > strength(best, lead, TRUMP, RANKS)
    void = (suit != lead) << lead | ((suit != lead) & (suit != TRUMP)) << TRUMP
    table.lead = lead
    table.best = card if wins else best
    table.seen_void[seat] |= void
    table.trick[place] = card
    table.trick_length = place + 1
    table.played |= 1 << card


@jit
def play_trick(state, shown):
    """Play one trick from ``table.leader``; returns its winner."""
    table = state.table
    winner = table.leader
    for place in range(SEATS):
        seat = (table.leader + place) & (SEATS - 1)
        card = ask(state.players[seat], state, shown, seat, legal_cards(state.hands[seat], table.lead))
        state.hands[seat] ^= 1 << card
        put_card(table, seat, place, card)
        if table.best == card:
            winner = seat
    return winner


@jit
def clear_deal(table, deal):
    """Set the public block for the beginning of a deal; the match scores stay."""
    table.deal = deal
    table.size = deal_size(deal)
    table.starter = deal_starter(deal)
    table.forbidden = -1
    table.leader = -1
    table.played = 0
    for seat in range(SEATS):
        table.bids[seat] = -1
        table.has_bid[seat] = 0
        table.taken[seat] = 0
        table.seen_void[seat] = 0
    clear_trick(table)


@jit
def clear_trick(table):
    """Clear the cards on the table."""
    table.trick_length = 0
    table.best = -1
    table.lead = -1
    for place in range(SEATS):
        table.trick[place] = -1


@jit
def play_deal(state, shown):
    """Play a deal that has been set up: the auction, then every trick."""
    table = state.table
    leader = auction(state, shown)
    for _ in range(table.size):
        clear_trick(table)
        table.leader = leader
        leader = play_trick(state, shown)
        table.taken[leader] += 1


@jit
def prepare_seat(own, params, words, deal, purpose):
    """Give a seat its parameters, an empty memory and its stream for this deal."""
    for i in range(params.size):
        own.params[i] = params[i]
    for i in range(own.memory.size):
        own.memory[i] = 0.0
    streams.start(words, deal, purpose, own.stream)


@jit
def score_deal(table, entrants_at, counters, rows, row, unit, seating):
    """Score and count a deal that has been played; returns the next free row."""
    bid_sum = 0
    for seat in range(SEATS):
        bid, taken = table.bids[seat], table.taken[seat]
        position = (seat - table.starter) & (SEATS - 1)
        points = round_points(bid, taken)
        table.scores[seat] += points
        bid_sum += bid
        exact_bids.count_round(counters, entrants_at[seat], table.size, position, bid, taken, points)
        if row < rows.shape[0]:
            rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3] = unit, seating, table.deal, seat
            rows[row, 4], rows[row, 5], rows[row, 6] = entrants_at[seat], table.size, position
            rows[row, 7], rows[row, 8], rows[row, 9], rows[row, 10] = bid, taken, points, table.scores[seat]
            row += 1
    counters.table[table.size - 1, bid_sum] += 1
    return row


@jit
def seat_entrants(state, bidders, players, entrants_at):
    """Put the entrants of a seating on their seats for a new game."""
    for seat in range(SEATS):
        entrant = entrants_at[seat]
        state.entrants[seat] = entrant
        state.bidders[seat] = bidders[entrant]
        state.players[seat] = players[entrant]
        state.table.scores[seat] = 0


@jit
def play_units(
    bidders, players, params, seatings, sizes, seed, tag, first, stop, states, showns, counters, rows, control
):
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records."""
    state, shown = states[0], showns[0]
    row = 0
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, state.words)
        for seating in range(seatings.shape[0]):
            seat_entrants(state, bidders, players, seatings[seating])
            for seat in range(SEATS):
                shown.views[seat].game_memory[:] = 0.0
            for deal in range(DEALS):
                if sizes[deal_size(deal)]:
                    clear_deal(state.table, deal)
                    deal_hands(state, deal)
                    for seat in range(SEATS):
                        purpose = streams.strategy_purpose(seating, seat)
                        prepare_seat(shown.views[seat], params[state.entrants[seat]], state.words, deal, purpose)
                    play_deal(state, shown)
                    row = score_deal(state.table, state.entrants, counters, rows, row, unit, seating)
            exact_bids.count_game(counters, state.entrants, state.table.scores, 0)
            for seat in range(SEATS):
                counters.faults[state.entrants[seat], 0] += state.illegal[seat]
                state.illegal[seat] = 0
        exact_bids.close_unit(counters)
        control[1] += 1


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    example = exact_bids.counters({t.name: t.zeros() for t in exact_bids.layouts(("a",), SEATS, MAX_SIZE, 0, 1)})
    states, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (STATE, SHOWN))
    whole = types.int64
    return types.void(
        one, one, types.float64[:, ::1], two, types.boolean[::1], whole, types.uint64, whole, whole, states, showns,
        numba.typeof(example), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop`` and add to ``chunk.counts``; ``chunk.control[1]`` tells how many.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, and whatever a strategy raises; the counts
    then hold part of a unit and must be thrown away.
    """
    bidders, players = (
        np.array([address(function, VIEW_TYPE) for function in chunk.functions[decision]]) for decision in ("bid", "play")
    )
    sizes = np.isin(np.arange(MAX_SIZE + 1), chunk.options["hand_sizes"])
    tag = np.uint64(streams.stream_tag("bridzik", RULES_VERSION))
    state = np.zeros(1, STATE)
    state["forfeit"] = chunk.forfeit
    play_units(
        bidders, players, chunk.params, chunk.seatings, sizes, chunk.seed, tag, chunk.first, chunk.stop, state,
        np.zeros(1, SHOWN), exact_bids.counters(chunk.counts), chunk.rows, chunk.control,
    )  # fmt: skip


def count_units(counts: dict[str, Counts]) -> tuple[Any, Any]:
    """Counting for games of the reference engine: ``count(record, entrants_at) -> rows`` and ``close_unit()``."""
    counters = exact_bids.counters(counts)
    return (
        lambda record, entrants_at: exact_bids.count_record(counters, record, entrants_at, 0),
        lambda: exact_bids.close_unit(counters),
    )
