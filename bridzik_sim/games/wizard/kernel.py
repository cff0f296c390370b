"""Wizard, compiled: plays chunks of units and counts.

``table`` is a record with the whole truth of a deal. It begins with the public fields in the order of the
view, so that before each decision one copy shows them all (``blocks.py``); the seat's own fields follow, and
its hand is taken back after the answer. So a strategy can neither change the table nor find another hand in
what it was given. Bids that are still hidden are not among the public fields.
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
from bridzik_sim.cards import lowest
from bridzik_sim.games import exact_bids, seats, view
from bridzik_sim.games.game import Chunk
from bridzik_sim.games.wizard.rules import (
    ALL_SUITS,
    DEAL_KINDS,
    DEALER_CHOSE,
    GAME,
    MAX_SEATS,
    MAX_SIZE,
    PUBLIC_FIELDS,
    RULES_VERSION,
    VIEW,
    WHOLE_DECK,
    beats,
    deal_kind,
    deal_size,
    dealer_of,
    is_wizard,
    legal_cards,
    next_lead,
    next_seat,
    place_of,
    points_range,
    round_points,
    rounds,
    shown_void,
    turned_suit,
)
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.plans import GENERAL
from bridzik_sim.tally import Counts

RULES = ("first_dealer", "dealer_chooses", "hidden_bids")
TABLE = np.dtype(
    view.packed(PUBLIC_FIELDS)
    + [(name, "int64", (MAX_SEATS,)) for name in ("hands", "made")]
    + [(name, "int64") for name in ("kind", *RULES)]
    + seats.fields(MAX_SEATS, len(GAME.decisions))
)
"""``hands`` comes first after the public fields. ``made``: bids, also those that are still hidden.
``kind``: of the deal. RULES: options, 0 or 1; the first dealer -1 for a random one.
"""
SHOWN = np.dtype([("views", VIEW, (MAX_SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)
BID, PLAY, TRUMP = range(len(GAME.decisions))


@jit
def start_deal(table, deal, dealer):
    """Set the table for a deal and deal its cards from the unit's stream; the match scores stay."""
    table.deal, table.size = deal, deal_size(deal)
    table.starter = next_seat(dealer, table.seats)
    table.forbidden, table.played = -1, 0
    for seat in range(table.seats):
        table.bids[seat] = table.made[seat] = -1
        table.has_bid[seat] = table.taken[seat] = table.seen_void[seat] = 0
    start_trick(table, -1)
    streams.start(table.words, deal, streams.DEAL, table.stream)
    deck, seat = WHOLE_DECK, table.starter
    for _ in range(table.seats):
        table.hands[seat] = streams.take_hand(table, deck, table.size)
        deck ^= table.hands[seat]
        seat = next_seat(seat, table.seats)
    table.trump_card = lowest(streams.take(table, deck, 1)) if deck != 0 else -1
    table.trump = turned_suit(table.trump_card)
    table.kind = deal_kind(table.trump_card, False)


@jit(inline=True)
def ask(decision, table, own, seat, hand, legal):
    """Show the seat its view and return its answer; ``own`` is its view.

    An illegal answer raises IllegalAnswer or forfeits to the lowest legal one.
    """
    copy_until(own, table, "hands")
    own.seat = seat
    own.position = place_of(seat, table.starter, table.seats)
    own.hand = hand
    own.legal = legal
    answer = call(table.functions[decision, seat], own)
    own.hand = 0
    own.legal = 0
    return seats.legal_answer(table, seat, legal, answer)


@jit
def choose_trump(table, shown):
    """Where the rules say so, let the dealer name the suit after a wizard was turned up."""
    if table.dealer_chooses and is_wizard(table.trump_card):
        dealer = dealer_of(table.starter, table.seats)
        table.trump = ask(TRUMP, table, shown.views[dealer], dealer, table.hands[dealer], ALL_SUITS)
        table.kind = DEALER_CHOSE


@jit
def auction(table, shown):
    """Let the seats bid in turn, the dealer last; hidden bids are opened at the end."""
    total, seat = 0, table.starter
    for position in range(table.seats):
        bound = table.sum_rule and position == table.seats - 1
        table.forbidden = exact_bids.forbidden_bid(table.size, bound, total)
        legal = exact_bids.legal_bids(table.size, table.forbidden)
        bid = ask(BID, table, shown.views[seat], seat, table.hands[seat], legal)
        table.made[seat] = bid
        table.has_bid[seat] = 1
        if not table.hidden_bids:
            table.bids[seat] = bid
        total += bid
        seat = next_seat(seat, table.seats)
    table.forbidden = -1
    for seat in range(table.seats):
        table.bids[seat] = table.made[seat]


@jit
def start_trick(table, leader):
    """Clear the trick for its leader, -1 before the first one."""
    table.trick_length, table.leader = 0, leader
    table.best = table.lead = -1
    for place in range(MAX_SEATS):
        table.trick[place] = -1


@jit
def play_trick(table, shown, leader):
    """Play one trick; returns its winner."""
    start_trick(table, leader)
    seat, winner = leader, leader
    for place in range(table.seats):
        hand = table.hands[seat]
        card = ask(PLAY, table, shown.views[seat], seat, hand, legal_cards(hand, table.lead))
        lead = next_lead(table.lead, table.best, card)
        wins = beats(card, table.best, lead, table.trump)
        winner = seat if wins else winner
        table.best = card if wins else table.best
        table.lead = lead
        table.trick[place] = card
        table.trick_length = place + 1
        table.hands[seat] = hand ^ 1 << card
        table.played |= 1 << card
        table.seen_void[seat] |= shown_void(card, lead)
        seat = next_seat(seat, table.seats)
    table.taken[winner] += 1
    return winner


@jit
def play_deal(table, shown):
    """Play a deal that has been set up: trump, auction, then every trick."""
    choose_trump(table, shown)
    auction(table, shown)
    leader = table.starter
    for _ in range(table.size):
        leader = play_trick(table, shown, leader)


@jit
def score_deal(table, counters):
    """Score and count a deal that has been played."""
    bid_sum, sizes = 0, rounds(table.seats)
    for seat in range(table.seats):
        bid, taken, who = table.bids[seat], table.taken[seat], table.entrants[seat]
        points = round_points(bid, taken)
        table.scores[seat] += points
        bid_sum += bid
        position = place_of(seat, table.starter, table.seats)
        exact_bids.count_round(counters, table.seats, sizes, who, table.size, position, bid, taken, points)
        exact_bids.count_kind(counters, len(DEAL_KINDS), who, table.kind, bid == taken, points)
    counters.table[table.size - 1, bid_sum] += 1


@jit
def write_rows(table, rows, row, unit, seating):
    """Write the rows of a deal that has been scored; returns the next free row."""
    for seat in range(table.seats):
        bid, taken = table.bids[seat], table.taken[seat]
        position, points = place_of(seat, table.starter, table.seats), round_points(bid, taken)
        brought = bid, taken, points, table.scores[seat]
        exact_bids.write_row(rows, row + seat, table, unit, seating, seat, position, brought)
    return row + table.seats


@jit
def first_dealer(table):
    """The dealer of the first round: fixed, or drawn for the unit."""
    if table.first_dealer >= 0:
        return table.first_dealer
    streams.start(table.words, 0, streams.FIRST_DEALER, table.stream)
    return streams.draw_below(table.stream, table.seats)


@jit
def play_units(
    functions, params, cheats, seatings, sizes, seed, tag, first, stop, tables, showns, counters, rows,
    control,
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records."""
    table, shown = tables[0], showns[0]
    filled = borrowed(counters)
    players, row = seatings.shape[1], 0
    table.seats = players
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        dealer = first_dealer(table)
        for seating in range(seatings.shape[0]):
            table.scores[:] = 0
            seats.start_game(
                GENERAL, table, shown.views, players, functions, params, cheats, seatings[seating]
            )
            for deal in range(rounds(players)):
                if sizes[deal_size(deal)]:
                    start_deal(table, deal, (dealer + deal) % players)
                    seats.start_deal(GENERAL, table, shown.views, players, deal, seating % table.lineup_turns)
                    play_deal(table, shown)
                    score_deal(table, filled)
                    if rows.shape[0] > 0:
                        row = write_rows(table, rows, row, unit, seating)
            exact_bids.count_game(filled, seating, seatings[seating], table.scores)
            seats.count_faults(table, players, filled.faults)
        exact_bids.close_unit(filled, unit)
        control[1] += 1


def _signature() -> Any:
    one, two = types.int64[::1], types.int64[:, ::1]
    alone, points = match.simulate([0] * MAX_SEATS), points_range(MAX_SEATS)
    counts = tally.zeros(exact_bids.layouts(("a",), alone, MAX_SIZE, points, DEAL_KINDS))
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        two, types.float64[:, ::1], one, two, types.boolean[::1], whole, types.uint64, whole, whole,
        tables, showns, numba.typeof(exact_bids.counters(counts, alone, points)), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, and whatever a strategy raises; the
    counts then hold part of a unit and must be thrown away.
    """
    options, sizes = chunk.options, np.arange(MAX_SIZE + 1)
    wanted = np.isin(sizes, sizes if options["hand_sizes"] == "all" else options["hand_sizes"])
    tag = np.uint64(streams.stream_tag("wizard", RULES_VERSION))
    table = seats.new_table(chunk, TABLE)
    dealer = options["first_dealer"]
    table["first_dealer"] = -1 if dealer == "random" else dealer
    table["dealer_chooses"] = options["wizard_trump"] == "dealer"
    table["sum_rule"], table["hidden_bids"] = options["sum_rule"] == "on", options["hidden_bids"] == "on"
    for absent in ("bids", "made", "trick"):
        table[absent] = -1
    points = points_range(chunk.match.seatings.shape[1])
    play_units(
        seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, wanted, chunk.seed, tag, chunk.first, chunk.stop, table, view.empty(SHOWN),
        exact_bids.counters(chunk.counts, chunk.match, points), chunk.rows, chunk.control,
    )  # fmt: skip


def count_units(counts: dict[str, Counts], played: Match) -> tuple[Any, Any]:
    """Counting games of the reference engine; see ``exact_bids.count_units``."""
    return exact_bids.count_units(counts, played, points_range(played.seatings.shape[1]))
