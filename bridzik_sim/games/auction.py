"""The auction and the tricks of games with contracts, on a position: for play-outs, and so for kernels.

A position is a record with the public fields of ``view.contracts`` and ``view.tricks`` and these besides:

``turn``    the seat that calls or whose card is played; -1 once the deal is over
``passes``  passes in a row at the end of the auction
``winner``  seat that wins the current trick so far
``left``    tricks not finished
``hands``   masks of the cards held, by seat
``gained``  points in the last deal, by side (only for ``gain``)

Functions are jitted and inlined where kernels call them; answers must be legal.
"""

from __future__ import annotations

from bridzik_sim.games.contract import (
    DOUBLE,
    PASS,
    REDOUBLE,
    auction_over,
    duplicate_points,
    legal_calls,
    trump_suit,
)
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS
from bridzik_sim.jit import jit
from bridzik_sim.tricks import follow

SIDES = 2


@jit(inline=True)
def start_auction(position, dealer):
    """Begin the auction; the calls of the last one are wiped."""
    for number in range(position.n_calls):
        position.calls[number] = -1
    position.dealer = position.turn = dealer
    position.n_calls = position.contract = position.doubled = position.passes = 0
    position.bidder = position.declarer = position.trump = -1


@jit(inline=True)
def allowed_calls(position):
    """Mask over the calls of the seat to call."""
    ours = 1 if position.bidder >= 0 and (position.bidder ^ position.turn) % SIDES == 0 else 0
    return legal_calls(position.contract, position.doubled, ours)


@jit(inline=True)
def make_call(position, seats, call):
    """Make a call; returns whether the auction is over. The turn goes on, also at its end."""
    seat = position.turn
    position.calls[position.n_calls] = call
    position.n_calls += 1
    position.turn = seat + 1 if seat + 1 < seats else 0
    if call == PASS:
        position.passes += 1
        return auction_over(seats, position.n_calls, position.passes, position.contract)
    position.passes = 0
    if call == DOUBLE:
        position.doubled = 1
    elif call == REDOUBLE:
        position.doubled = 2
    else:
        position.contract, position.doubled, position.bidder = call, 0, seat
    return False


@jit(inline=True)
def declare(position, declarer, leader, tricks):
    """Begin the play of the contract: who declares, who leads."""
    position.declarer, position.trump = declarer, trump_suit(position.contract)
    position.left = tricks
    start_trick(position, leader)


@jit(inline=True)
def start_trick(position, leader):
    """Begin a trick."""
    position.turn = position.leader = position.winner = leader
    position.trick_length = 0
    position.best = position.lead = -1
    for place in range(len(position.trick)):
        position.trick[place] = -1


@jit(inline=True)
def allowed_cards(position, hand):
    """Mask of the cards of a hand that may be played to the trick."""
    led = SUIT_CARDS << RANKS * position.lead if position.lead >= 0 else -1
    return follow(hand, led, 0)


@jit(inline=True)
def add_card(position, seats, card):
    """Play a card of the seat in turn; returns whether the trick is full. The turn goes on, also then."""
    seat, suit = position.turn, card // RANKS
    if position.trick_length == 0:
        position.lead, position.best = suit, card
    else:
        best_suit = position.best // RANKS
        over = (suit == best_suit) & (card > position.best)
        if over or (suit == position.trump and best_suit != suit):
            position.best, position.winner = card, seat
        position.seen_void[seat] |= (suit != position.lead) << position.lead
    position.hands[seat] ^= 1 << card
    position.played |= 1 << card
    position.trick[position.trick_length] = card
    position.trick_length += 1
    position.turn = seat + 1 if seat + 1 < seats else 0
    return position.trick_length == seats


@jit
def gain(position, tricks):
    """Score a deal by itself: one side gains what the contract makes, or the other the undertricks.

    ``tricks`` of the declarer's side; nobody gains where all have passed.
    """
    position.gained[0] = position.gained[1] = 0
    if position.contract > 0:
        side = position.declarer % SIDES
        points = duplicate_points(position.contract, position.doubled, position.vulnerable[side], tricks)
        position.gained[side if points > 0 else 1 - side] = abs(points)
