"""Bridžik, compiled: plays chunks of units and counts.

``table`` is a record with the whole truth of a deal, hidden cards included. Before each decision everything
public is written from it into the seat's view, then the seat's own hand; after it the hand is taken back.
So a strategy can neither change the table nor find another hand in what it was given.

What takes time is the number of stores and the mispredicted branches: numbers by seat are packed into lanes
(see ``lanes.py``), and what depends on random cards is chosen, not branched on.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from bridzik_sim import match, streams, tally
from bridzik_sim.calls import call
from bridzik_sim.games import exact_bids, seats, view
from bridzik_sim.games.bridzik.rules import (
    DEALS,
    GAME,
    HEARTS,
    MAX_SIZE,
    POINTS,
    RANKS,
    RULES_VERSION,
    SEATS,
    TRUMP,
    VIEW,
    WHOLE_DECK,
    deal_size,
    deal_starter,
    forbidden_bid,
    led_cards,
    legal_cards,
    round_points,
)
from bridzik_sim.games.game import Chunk
from bridzik_sim.jit import jit
from bridzik_sim.lanes import ALL_ABSENT, add_bits, add_to_lane, fill_lane, lane, pack, set_lane, spread
from bridzik_sim.match import Match
from bridzik_sim.tally import Counts
from bridzik_sim.tricks import best_card, shown_void

LANES_OF_A_TABLE = ("about", "scores", "bids", "has_bid", "taken", "seen_void")
TABLE = np.dtype(
    [(name, "int64") for name in ("deal", "size", "starter", "played", *LANES_OF_A_TABLE)]
    + [("hands", "int64", (SEATS,)), *seats.fields(SEATS, 2)]
)
SHOWN = np.dtype([("views", VIEW, (SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)

BID, PLAY = 0, 1
# Fields of the view that are neighbours and written at once.
ABOUT = "deal size starter forbidden"
TRICK = "trick_length leader best lead"
FORBIDDEN = 3
NO_TRICK = pack.py_func(0, -1, -1, -1)


@jit
def start_deal(table, deal):
    """Set the table for a deal and deal its cards from the unit's stream; the match scores stay."""
    size = deal_size(deal)
    table.deal = deal
    table.size = size
    table.starter = deal_starter(deal)
    table.about = pack(deal, size, table.starter, -1)
    table.played = 0
    table.bids = ALL_ABSENT
    table.has_bid = 0
    table.taken = 0
    table.seen_void = 0
    streams.start(table.words, deal, streams.DEAL, table.stream)
    deck = WHOLE_DECK
    for seat in range(SEATS - 1):
        hand = streams.take(table, deck, size)
        table.hands[seat] = hand
        deck ^= hand
    table.hands[SEATS - 1] = deck if size == MAX_SIZE else streams.take(table, deck, size)


@jit(inline=True)
def ask(function, table, own, seat, hand, legal):
    """Show the seat the rest of its view and return its answer.

    The caller has written what the decision is about. An illegal answer raises IllegalAnswer or forfeits to
    the lowest legal one.
    """
    spread(own, "scores", table.scores)
    spread(own, "bids", table.bids)
    spread(own, "has_bid", table.has_bid)
    spread(own, "taken", table.taken)
    spread(own, "seen_void", table.seen_void)
    own.played = table.played
    own.seat = seat
    own.position = (seat - table.starter) & (SEATS - 1)
    own.hand = hand
    own.legal = legal
    answer = call(function, own)
    own.hand = 0
    own.legal = 0
    return seats.legal_answer(table, seat, legal, answer)


@jit
def auction(table, shown):
    """Let the seats bid in turn; returns the seat that leads: the highest bid, the earliest among equals."""
    total, highest_bid, leader = 0, -1, 0
    for position in range(SEATS):
        seat = (table.starter + position) & (SEATS - 1)
        forbidden = forbidden_bid(table.size, position, total)
        own = shown.views[seat]
        spread(own, ABOUT, set_lane(table.about, FORBIDDEN, forbidden))
        spread(own, TRICK, NO_TRICK)
        spread(own, "trick", ALL_ABSENT)
        legal = exact_bids.legal_bids(table.size, forbidden)
        bid = ask(table.functions[BID, seat], table, own, seat, table.hands[seat], legal)
        table.bids = fill_lane(table.bids, seat, bid)
        table.has_bid = add_to_lane(table.has_bid, seat, 1)
        total += bid
        leader = seat if bid > highest_bid else leader
        highest_bid = max(highest_bid, bid)
    return leader


@jit
def play_trick(table, shown, leader):
    """Play one trick; returns its winner."""
    cards, lead, best, winner, contest = ALL_ABSENT, -1, -1, leader, 0
    for place in range(SEATS):
        seat = (leader + place) & (SEATS - 1)
        hand = table.hands[seat]
        own = shown.views[seat]
        spread(own, ABOUT, table.about)
        own.trick_length = place
        own.leader = leader
        own.best = best
        own.lead = lead
        spread(own, "trick", cards)
        card = ask(table.functions[PLAY, seat], table, own, seat, hand, legal_cards(hand, lead))
        laid, suit = 1 << card, card // RANKS
        lead = suit if place == 0 else lead
        contest |= laid & (led_cards(lead) | HEARTS)
        best = best_card(contest, HEARTS)
        winner = seat if best == card else winner
        cards = fill_lane(cards, place, card)
        table.hands[seat] = hand ^ laid
        table.played |= laid
        table.seen_void = add_bits(table.seen_void, seat, shown_void(suit, lead, TRUMP))
    table.taken = add_to_lane(table.taken, winner, 1)
    return winner


@jit
def play_deal(table, shown):
    """Play a deal that has been set up: the auction, then every trick."""
    leader = auction(table, shown)
    for _ in range(table.size):
        leader = play_trick(table, shown, leader)


@jit
def score_deal(table, counters):
    """Score and count a deal that has been played."""
    bid_sum = 0
    for seat in range(SEATS):
        bid, taken = lane(table.bids, seat), lane(table.taken, seat)
        position = (seat - table.starter) & (SEATS - 1)
        points = round_points(bid, taken)
        table.scores = add_to_lane(table.scores, seat, points)
        bid_sum += bid
        who = table.entrants[seat]
        exact_bids.count_round(counters, SEATS, MAX_SIZE, who, table.size, position, bid, taken, points)
    counters.table[table.size - 1, bid_sum] += 1


@jit
def write_rows(table, rows, row, unit, seating):
    """Write the rows of a deal that has been scored; returns the next free row."""
    for seat in range(SEATS):
        bid, taken = lane(table.bids, seat), lane(table.taken, seat)
        position, points = (seat - table.starter) & (SEATS - 1), round_points(bid, taken)
        brought = bid, taken, points, lane(table.scores, seat)
        exact_bids.write_row(rows, row + seat, table, unit, seating, seat, position, brought)
    return row + SEATS


@jit
def close_game(table, counters, seating):
    """Count the scores, wins and faults of a game that has been played."""
    scores = (lane(table.scores, 0), lane(table.scores, 1), lane(table.scores, 2), lane(table.scores, 3))
    exact_bids.count_game(counters, seating, table.entrants, scores)
    seats.count_faults(table, SEATS, counters.faults)


@jit
def play_units(
    functions, params, cheats, seatings, sizes, seed, tag, first, stop, tables, showns, counters, rows,
    control,
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records."""
    table, shown = tables[0], showns[0]
    row = 0
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        for seating in range(seatings.shape[0]):
            table.scores = 0
            seats.start_game(table, shown.views, SEATS, functions, params, cheats, seatings[seating])
            for deal in range(DEALS):
                if sizes[deal_size(deal)]:
                    start_deal(table, deal)
                    seats.start_deal(table, shown.views, SEATS, deal, seating % table.lineup_turns)
                    play_deal(table, shown)
                    score_deal(table, counters)
                    if rows.shape[0] > 0:
                        row = write_rows(table, rows, row, unit, seating)
            close_game(table, counters, seating)
        exact_bids.close_unit(counters, unit)
        control[1] += 1


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    alone = match.simulate([0] * SEATS)
    counts = tally.zeros(exact_bids.layouts(("a",), alone, MAX_SIZE, POINTS))
    example = exact_bids.counters(counts, alone, POINTS)
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        two, types.float64[:, ::1], one, two, types.boolean[::1], whole, types.uint64, whole, whole,
        tables, showns, numba.typeof(example), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, and whatever a strategy raises; the
    counts then hold part of a unit and must be thrown away.
    """
    sizes = np.isin(np.arange(MAX_SIZE + 1), chunk.options["hand_sizes"])
    tag = np.uint64(streams.stream_tag("bridzik", RULES_VERSION))
    play_units(
        seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, sizes, chunk.seed, tag, chunk.first, chunk.stop, seats.new_table(chunk, TABLE),
        view.empty(SHOWN), exact_bids.counters(chunk.counts, chunk.match, POINTS), chunk.rows, chunk.control,
    )  # fmt: skip


def count_units(counts: dict[str, Counts], played: Match) -> tuple[Any, Any]:
    """Counting games of the reference engine; see ``exact_bids.count_units``."""
    return exact_bids.count_units(counts, played, POINTS)
