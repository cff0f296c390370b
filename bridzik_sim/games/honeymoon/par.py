"""Par of a deal: what the auction and the play are worth when both sides know all cards and do their best.

The dealer's opponent leads whoever declares, so the play of a deal is told by five numbers: ``tricks``
(int64[5]), those of seat 0 of the 13 in every strain, C D H S NT (``fill_tricks``). ``vulnerable`` is by
seat, 0 or 1. All values are net points of seat 0; seat 1 has the same with the other sign.

A state of the auction is (``bid``, ``doubled``, ``bidder``) as in a view, which tells who is to call: after a
double the bidder, else the other seat. Before the first bid ``bid`` is 0, ``doubled`` the number of passes,
0 or 1, and ``bidder`` the dealer's opponent, so that the same holds. A pass ends the auction, but for the
very first. ``fill_values`` writes the value of every state into ``values`` (int64[36, 3, 2]), from the
highest bid down. All arrays are the caller's.

A deal is counted like this; ``table`` is made by ``solver.new_table``::

    fill_tricks(north, south, 1 - dealer, table, tricks)                after the draw phase
    fill_values(tricks, vulnerable, values)
    values[0, 0, 1 - dealer]                                            par, for seat 0
    call_loss(values, tricks, vulnerable, bid, doubled, bidder, call)   of each call, for the seat that calls
    before = tricks[strain(bid)]                                        when the play begins
    after = won + play_tricks(north, south, trump, turn, led, table)    after each card; won: by seat 0 so far
    play_loss(bid, doubled, declarer, vulnerable, seat, before, after)  of it, for the seat that plays
"""

from __future__ import annotations

from bridzik_sim.cards import popcount
from bridzik_sim.games.contract import (
    BIDS,
    DOUBLE,
    NO_TRUMP,
    PASS,
    REDOUBLE,
    duplicate_points,
    legal_calls,
    strain,
)
from bridzik_sim.games.honeymoon import solver
from bridzik_sim.jit import jit

SEATS, STRAIN_COUNT = 2, NO_TRUMP + 1
VALUES = (BIDS + 1, 3, SEATS)
"""Shape of ``values``."""
_BEYOND = 1_000_000


@jit
def fill_tricks(north, south, leader, table, tricks):
    """Solve the play of two hands in every strain, see ``solver``; ``leader`` leads to the first trick."""
    for denomination in range(STRAIN_COUNT):
        trump = denomination if denomination < NO_TRUMP else -1
        tricks[denomination] = play_tricks(north, south, trump, leader, -1, table)


@jit
def play_tricks(north, south, trump, turn, led, table):
    """Tricks that seat 0 takes of those left when ``turn`` is to play, to the card ``led`` or -1."""
    if turn == 0:
        return solver.tricks(north, south, trump, led, table)
    return popcount(south) - solver.tricks(south, north, trump, led, table)


@jit
def contract_points(bid, doubled, declarer, north_tricks, vulnerable):
    """Net points of seat 0 for a contract in which it takes ``north_tricks`` of 13, whoever declares."""
    if declarer == 0:
        return duplicate_points(bid, doubled, vulnerable[0], north_tricks)
    return -duplicate_points(bid, doubled, vulnerable[1], 13 - north_tricks)


@jit
def play_loss(bid, doubled, declarer, vulnerable, seat, before, after):
    """Points that a card has lost its player, ``seat``; never negative.

    ``before`` and ``after`` are the tricks of seat 0 in the whole deal under best play, before and after it.
    """
    lost = contract_points(bid, doubled, declarer, before, vulnerable)
    lost -= contract_points(bid, doubled, declarer, after, vulnerable)
    return lost if seat == 0 else -lost


@jit
def caller(doubled, bidder):
    """The seat to call in a state."""
    return bidder if doubled == 1 else 1 - bidder


@jit
def calls_of(bid, doubled, bidder):
    """Mask over the legal calls in a state."""
    if bid == 0:
        return legal_calls(0, 0, 0)
    return legal_calls(bid, doubled, int(caller(doubled, bidder) == bidder))


@jit
def value_after(values, tricks, vulnerable, bid, doubled, bidder, call):
    """Net points of seat 0 after a legal call in a state; the values of the states behind it are known."""
    if call == PASS and bid == 0:
        return values[0, 1, bidder] if doubled == 0 else 0
    if call == PASS:
        return contract_points(bid, doubled, bidder, tricks[strain(bid)], vulnerable)
    if call >= DOUBLE:
        return values[bid, call - DOUBLE + 1, bidder]
    return values[call, 0, caller(doubled, bidder)]


@jit
def call_loss(values, tricks, vulnerable, bid, doubled, bidder, call):
    """Points that a call loses the seat that makes it; never negative."""
    lost = values[bid, doubled, bidder] - value_after(values, tricks, vulnerable, bid, doubled, bidder, call)
    return lost if caller(doubled, bidder) == 0 else -lost


@jit
def best_calls(values, tricks, vulnerable, bid, doubled, bidder):
    """Mask over the calls that lose nothing."""
    best = 0
    for call in range(REDOUBLE + 1):
        if calls_of(bid, doubled, bidder) >> call & 1:
            best |= (call_loss(values, tricks, vulnerable, bid, doubled, bidder, call) == 0) << call
    return best


@jit
def fill_values(tricks, vulnerable, values):
    """Write the value of every state of the auction into ``values``."""
    # The best bid above, of either seat.
    north, south = -_BEYOND, _BEYOND
    for bid in range(BIDS, -1, -1):
        for doubled in range(2 if bid > 0 else 1, -1, -1):
            for bidder in range(SEATS):
                passed = value_after(values, tricks, vulnerable, bid, doubled, bidder, PASS)
                raised = values[bid, doubled + 1, bidder] if bid > 0 and doubled < 2 else passed
                if caller(doubled, bidder) == 0:
                    values[bid, doubled, bidder] = max(passed, raised, north)
                else:
                    values[bid, doubled, bidder] = min(passed, raised, south)
        north, south = max(north, values[bid, 0, 0]), min(south, values[bid, 0, 1])
