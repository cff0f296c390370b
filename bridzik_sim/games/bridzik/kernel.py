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
from bridzik_sim.borrowed import borrowed
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
from bridzik_sim.jit import in_cache, jit
from bridzik_sim.lanes import ALL_ABSENT, add_bits, add_to_lane, fill_lane, lane, pack, set_lane, spread
from bridzik_sim.match import Match
from bridzik_sim.plans import GENERAL, Plan, PlanType, answer, shows
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
# Places in what ``make_bid`` and ``lay`` hand on.
LEADER, WINNER = 2, 3
NOTHING_SAID = 0, -1, 0
# Fields of the view that are neighbours and written at once.
ABOUT = "deal size starter forbidden"
TRICK = "trick_length leader best lead"
FORBIDDEN = 3
NO_TRICK = pack.py_func(0, -1, -1, -1)


@jit(merged=True)
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
def show_about(plan, own, about, forbidden):
    """Write what the deal is about, all at once or the forbidden bid alone."""
    if shows(plan, "deal size starter"):
        spread(own, ABOUT, about)
    elif shows(plan, "forbidden"):
        own.forbidden = forbidden


@jit(inline=True)
def show(plan, table, own, seat, hand, legal):
    """Write the rest of a seat's view; the caller has written what the decision is about."""
    if shows(plan, "scores"):
        spread(own, "scores", table.scores)
    if shows(plan, "bids"):
        spread(own, "bids", table.bids)
    if shows(plan, "has_bid"):
        spread(own, "has_bid", table.has_bid)
    if shows(plan, "taken"):
        spread(own, "taken", table.taken)
    if shows(plan, "seen_void"):
        spread(own, "seen_void", table.seen_void)
    if shows(plan, "played"):
        own.played = table.played
    if shows(plan, "seat"):
        own.seat = seat
    if shows(plan, "position"):
        own.position = (seat - table.starter) & (SEATS - 1)
    own.hand = hand
    own.legal = legal


@jit(inline=True)
def legal_answer(table, own, seat, legal, given):
    """Take the hand back and return the answer; an illegal one raises or forfeits (``seats``)."""
    own.hand = 0
    own.legal = 0
    return seats.legal_answer(table, seat, legal, given)


@jit(merged=True)
def make_bid(plan, table, shown, position, said):
    """Let the seat at a place in the order bid; ``said``: sum of the bids so far, the highest, its seat."""
    total, highest_bid, leader = said
    seat = (table.starter + position) & (SEATS - 1)
    forbidden = forbidden_bid(table.size, position, total)
    own = shown.views[seat]
    show_about(plan, own, set_lane(table.about, FORBIDDEN, forbidden), forbidden)
    if shows(plan, TRICK):
        spread(own, TRICK, NO_TRICK)
    if shows(plan, "trick"):
        spread(own, "trick", ALL_ABSENT)
    legal = exact_bids.legal_bids(table.size, forbidden)
    show(plan, table, own, seat, table.hands[seat], legal)
    given = answer(plan, "bid", table.entrants[seat], table.functions[BID, seat], own)
    bid = legal_answer(table, own, seat, legal, given)
    table.bids = fill_lane(table.bids, seat, bid)
    if shows(plan, "has_bid"):
        table.has_bid = add_to_lane(table.has_bid, seat, 1)
    return total + bid, max(highest_bid, bid), seat if bid > highest_bid else leader


@jit(merged=True)
def lay(plan, table, shown, leader, place, trick):
    """Let the seat at a place of the trick play a card; ``trick``: its cards and how it stands."""
    cards, lead, best, winner, contest = trick
    seat = (leader + place) & (SEATS - 1)
    hand = table.hands[seat]
    own = shown.views[seat]
    show_about(plan, own, table.about, -1)
    if shows(plan, "trick_length"):
        own.trick_length = place
    if shows(plan, "leader"):
        own.leader = leader
    if shows(plan, "best"):
        own.best = best
    if shows(plan, "lead"):
        own.lead = lead
    if shows(plan, "trick"):
        spread(own, "trick", cards)
    legal = legal_cards(hand, lead)
    show(plan, table, own, seat, hand, legal)
    given = answer(plan, "play", table.entrants[seat], table.functions[PLAY, seat], own)
    card = legal_answer(table, own, seat, legal, given)
    laid, suit = 1 << card, card // RANKS
    lead = suit if place == 0 else lead
    contest |= laid & (led_cards(lead) | HEARTS)
    best = best_card(contest, HEARTS)
    table.hands[seat] = hand ^ laid
    if shows(plan, "trick"):
        cards = fill_lane(cards, place, card)
    if shows(plan, "played"):
        table.played |= laid
    if shows(plan, "seen_void"):
        table.seen_void = add_bits(table.seen_void, seat, shown_void(suit, lead, TRUMP))
    return cards, lead, best, seat if best == card else winner, contest


@jit(merged=True)
def take_trick(table, trick):
    """Give a finished trick to its winner, who leads the next one; returns that seat."""
    winner = trick[WINNER]
    table.taken = add_to_lane(table.taken, winner, 1)
    return winner


@jit(merged=True)
def new_trick(leader):
    """An empty trick: its cards, the suit led, the best card, its seat, and the cards that can win."""
    return ALL_ABSENT, -1, -1, leader, 0


@jit(merged=True)
def play_deal(plan, table, shown):
    """Play a deal that has been set up: the auction, then every trick."""
    said = NOTHING_SAID
    for position in range(SEATS):
        said = make_bid(plan, table, shown, position, said)
    leader = said[LEADER]
    for _ in range(table.size):
        trick = new_trick(leader)
        for place in range(SEATS):
            trick = lay(plan, table, shown, leader, place, trick)
        leader = take_trick(table, trick)


@jit(merged=True)
def play_two_deals(plan, table, shown, table2, shown2):
    """Play two deals of the same size in turns, decision by decision.

    While a processor waits for what the one needs next it works on the other.
    """
    said, said2 = NOTHING_SAID, NOTHING_SAID
    for position in range(SEATS):
        said = make_bid(plan, table, shown, position, said)
        said2 = make_bid(plan, table2, shown2, position, said2)
    leader, leader2 = said[LEADER], said2[LEADER]
    for _ in range(table.size):
        trick, trick2 = new_trick(leader), new_trick(leader2)
        for place in range(SEATS):
            trick = lay(plan, table, shown, leader, place, trick)
            trick2 = lay(plan, table2, shown2, leader2, place, trick2)
        leader, leader2 = take_trick(table, trick), take_trick(table2, trick2)


@jit(merged=True)
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


@jit(merged=True)
def close_game(table, counters, seating):
    """Count the scores, wins and faults of a game that has been played."""
    scores = (lane(table.scores, 0), lane(table.scores, 1), lane(table.scores, 2), lane(table.scores, 3))
    exact_bids.count_game(counters, seating, table.entrants, scores)
    seats.count_faults(table, SEATS, counters.faults)


@jit(merged=True)
def open_game(plan, table, shown, functions, params, cheats, entrants_at):
    """Begin a game in a seating."""
    table.scores = 0
    seats.start_game(plan, table, shown.views, SEATS, functions, params, cheats, entrants_at)


@jit(merged=True)
def open_deal(plan, table, shown, deal, seating):
    """Set up a deal and the seats for it."""
    start_deal(table, deal)
    seats.start_deal(plan, table, shown.views, SEATS, deal, seating % table.lineup_turns)


@jit
def play_units(
    plan, functions, params, cheats, seatings, sizes, seed, tag, first, stop, tables, showns, counters, rows,
    control,
):  # fmt: skip
    """Play units ``first`` to ``stop``; the arguments are the fields of ``Chunk`` and empty records.

    ``tables``, ``showns`` and ``counters`` are pairs; the second of each is not used here.
    """
    table, shown, filled, row = tables[0], showns[0], borrowed(counters[0]), 0
    for unit in range(first, stop):
        if control[0] != 0:
            break
        streams.philox(seed, tag, unit, table.words)
        for seating in range(seatings.shape[0]):
            open_game(plan, table, shown, functions, params, cheats, seatings[seating])
            for deal in range(DEALS):
                if sizes[deal_size(deal)]:
                    open_deal(plan, table, shown, deal, seating)
                    play_deal(plan, table, shown)
                    score_deal(table, filled)
                    if rows.shape[0] > 0:
                        row = write_rows(table, rows, row, unit, seating)
            close_game(table, filled, seating)
        exact_bids.close_unit(filled, unit)
        control[1] += 1


@jit
def play_units_in_pairs(
    plan, functions, params, cheats, seatings, sizes, seed, tag, first, stop, tables, showns, counters, rows,
    control,
):  # fmt: skip
    """The same two units at a time, for plans that know the strategies; writes no rows.

    An odd last unit is played beside itself and counted once.
    """
    table, shown, filled = tables[0], showns[0], borrowed(counters[0])
    table2, shown2, filled2 = tables[1], showns[1], borrowed(counters[1])
    for unit in range(first, stop, 2):
        if control[0] != 0:
            break
        unit2 = min(unit + 1, stop - 1)
        streams.philox(seed, tag, unit, table.words)
        streams.philox(seed, tag, unit2, table2.words)
        for seating in range(seatings.shape[0]):
            open_game(plan, table, shown, functions, params, cheats, seatings[seating])
            open_game(plan, table2, shown2, functions, params, cheats, seatings[seating])
            for deal in range(DEALS):
                if sizes[deal_size(deal)]:
                    open_deal(plan, table, shown, deal, seating)
                    open_deal(plan, table2, shown2, deal, seating)
                    play_two_deals(plan, table, shown, table2, shown2)
                    score_deal(table, filled)
                    if unit2 != unit:
                        score_deal(table2, filled2)
            close_game(table, filled, seating)
            if unit2 != unit:
                close_game(table2, filled2, seating)
        exact_bids.close_unit(filled, unit)
        if unit2 != unit:
            exact_bids.close_unit(filled2, unit2)
        control[1] += unit2 - unit + 1


def _signature(plan: Plan) -> Any:
    one, two, whole = types.int64[::1], types.int64[:, ::1], types.int64
    alone = match.simulate([0] * SEATS)
    counts = tally.zeros(exact_bids.layouts(("a",), alone, MAX_SIZE, POINTS))
    counters = numba.typeof((exact_bids.counters(counts, alone, POINTS),) * 2)
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    return types.void(
        PlanType(plan.key), two, types.float64[:, ::1], one, two, types.boolean[::1], whole, types.uint64,
        whole, whole, tables, showns, counters, two, one,
    )  # fmt: skip


def specialise(plan: Plan) -> None:
    """Compile the kernel for a plan, or load it from the cache."""
    play_units_in_pairs.compile(_signature(plan))


def specialised_before(plan: Plan) -> bool:
    """Whether the kernel for a plan lies in the cache."""
    return in_cache(play_units_in_pairs, _signature(plan))


play_units.compile(_signature(GENERAL))


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, and whatever a strategy raises; the
    counts then hold part of a unit and must be thrown away.
    """
    sizes = np.isin(np.arange(MAX_SIZE + 1), chunk.options["hand_sizes"])
    tag = np.uint64(streams.stream_tag("bridzik", RULES_VERSION))
    plan = chunk.plan or GENERAL
    play = play_units if plan is GENERAL else play_units_in_pairs
    counters = tuple(exact_bids.counters(chunk.counts, chunk.match, POINTS) for _ in range(2))
    play(
        plan, seats.addresses(chunk, GAME.decisions, VIEW_TYPE), chunk.params, seats.cheats(chunk),
        chunk.match.seatings, sizes, chunk.seed, tag, chunk.first, chunk.stop,
        seats.new_table(chunk, TABLE, 2), view.empty(SHOWN, 2), counters, chunk.rows, chunk.control,
    )  # fmt: skip


def count_units(counts: dict[str, Counts], played: Match) -> tuple[Any, Any]:
    """Counting games of the reference engine; see ``exact_bids.count_units``."""
    return exact_bids.count_units(counts, played, POINTS)
