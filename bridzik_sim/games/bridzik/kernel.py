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
from bridzik_sim.calls import address, call
from bridzik_sim.cards import lowest
from bridzik_sim.games import exact_bids, view
from bridzik_sim.games.bridzik.rules import (
    DEALS,
    HEARTS,
    MAX_SIZE,
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
    legal_bids,
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
    [(name, "int64") for name in ("deal", "size", "starter", "played", "forfeit", "turns", *LANES_OF_A_TABLE)]
    + [(name, "int64", (SEATS,)) for name in ("hands", "bidders", "players", "entrants", "cheats", "illegal")]
    + [("params", "float64", (SEATS, view.PARAMS)), ("words", "uint64", (4,)), ("stream", "uint64", (4,))]
)
SHOWN = np.dtype([("views", VIEW, (SEATS,))])
VIEW_TYPE = numba.from_dtype(VIEW)

# Fields of the view that are neighbours and written at once.
ABOUT = "deal size starter forbidden"
TRICK = "trick_length leader best lead"
FORBIDDEN = 3
NO_TRICK = pack.py_func(0, -1, -1, -1)


class IllegalAnswer(Exception):
    """A strategy's answer was not legal; the reference engine finds out which."""


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


@jit
def start_seats(table, shown, seating):
    """Give every seat its parameters, an empty memory and its stream for this deal (see ``Match.turns``).

    Who cheats is told all hands.
    """
    for seat in range(SEATS):
        own = shown.views[seat]
        for i in range(view.PARAMS):
            own.params[i] = table.params[seat, i]
        own.memory[:] = 0.0
        if table.cheats[seat]:
            for other in range(SEATS):
                own.dealt[other] = table.hands[other]
        streams.start(table.words, table.deal, streams.strategy_purpose(seating, seat), own.stream)


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
    if answer < 0 or answer > 62 or (legal >> answer) & 1 == 0:
        if not table.forfeit:
            raise IllegalAnswer
        table.illegal[seat] += 1
        return lowest(legal)
    return answer


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
        legal = legal_bids(table.size, forbidden)
        bid = ask(table.bidders[seat], table, own, seat, table.hands[seat], legal)
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
        card = ask(table.players[seat], table, own, seat, hand, legal_cards(hand, lead))
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
        rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3] = unit, seating, table.deal, seat
        rows[row, 4], rows[row, 5] = table.entrants[seat], table.size
        rows[row, 6], rows[row, 7], rows[row, 8] = (seat - table.starter) & (SEATS - 1), bid, taken
        rows[row, 9], rows[row, 10] = round_points(bid, taken), lane(table.scores, seat)
        row += 1
    return row


@jit
def start_game(table, shown, bidders, players, params, cheats, entrants_at):
    """Put the entrants of a seating on their seats for a new game."""
    table.scores = 0
    for seat in range(SEATS):
        entrant = entrants_at[seat]
        table.entrants[seat] = entrant
        table.bidders[seat] = bidders[entrant]
        table.players[seat] = players[entrant]
        table.cheats[seat] = cheats[entrant]
        for i in range(view.PARAMS):
            table.params[seat, i] = params[entrant, i]
        shown.views[seat].game_memory[:] = 0.0
        for other in range(SEATS):
            shown.views[seat].dealt[other] = 0


@jit
def close_game(table, counters, seating):
    """Count the scores, wins and faults of a game that has been played."""
    scores = (lane(table.scores, 0), lane(table.scores, 1), lane(table.scores, 2), lane(table.scores, 3))
    exact_bids.count_game(counters, seating, table.entrants, scores, 0)
    for seat in range(SEATS):
        counters.faults[table.entrants[seat], 0] += table.illegal[seat]
        table.illegal[seat] = 0


@jit
def play_units(
    bidders, players, params, cheats, seatings, sizes, seed, tag, first, stop, tables, showns, counters, rows,
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
            start_game(table, shown, bidders, players, params, cheats, seatings[seating])
            for deal in range(DEALS):
                if sizes[deal_size(deal)]:
                    start_deal(table, deal)
                    start_seats(table, shown, seating % table.turns)
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
    example = exact_bids.counters(tally.zeros(exact_bids.layouts(("a",), alone, MAX_SIZE, 0, 1)), alone)
    tables, showns = (types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TABLE, SHOWN))
    whole = types.int64
    return types.void(
        one, one, types.float64[:, ::1], one, two, types.boolean[::1], whole, types.uint64, whole, whole,
        tables, showns, numba.typeof(example), two, one,
    )  # fmt: skip


play_units.compile(_signature())


def play_chunk(chunk: Chunk) -> None:
    """Play units ``chunk.first`` to ``chunk.stop``, add to ``chunk.counts`` and count them in ``control[1]``.

    Raises ``IllegalAnswer`` for a bad answer unless ``chunk.forfeit``, and whatever a strategy raises; the
    counts then hold part of a unit and must be thrown away.
    """
    bidders, players = (
        np.array([address(function, VIEW_TYPE) for function in chunk.functions[decision]])
        for decision in ("bid", "play")
    )
    cheats = np.array(chunk.cheats or [False] * len(players), np.int64)
    sizes = np.isin(np.arange(MAX_SIZE + 1), chunk.options["hand_sizes"])
    tag = np.uint64(streams.stream_tag("bridzik", RULES_VERSION))
    table = view.empty(TABLE)
    table["forfeit"] = chunk.forfeit
    table["turns"] = chunk.match.turns
    play_units(
        bidders, players, chunk.params, cheats, chunk.match.seatings, sizes, chunk.seed, tag, chunk.first,
        chunk.stop, table, view.empty(SHOWN), exact_bids.counters(chunk.counts, chunk.match), chunk.rows,
        chunk.control,
    )  # fmt: skip


def count_units(counts: dict[str, Counts], played: Match) -> tuple[Any, Any]:
    """Counting games of the reference engine.

    ``count(record, seating) -> rows`` for every game of a unit, then ``close_unit(unit)``.
    """
    counters = exact_bids.counters(counts, played)

    def count(record: Any, seating: int) -> Counts:
        return exact_bids.count_record(counters, record, seating, played.seatings[seating], 0)

    return count, lambda unit: exact_bids.close_unit(counters, unit)
