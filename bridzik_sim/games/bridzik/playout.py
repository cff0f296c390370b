"""Bridžik one decision at a time, from any position: for strategies that search, and for learning.

The kernel plays whole deals and keeps a trick in registers. Here a position is a record that can be set up
from what a seat sees, copied and played on by any compiled functions::

    while position.turn >= 0:
        show(position, view)
        answer = play(view) if position.bidders == SEATS else bid(view)
        apply(position, answer)

The caller sees to it that answers are legal and that hands agree with what is public.
"""

from __future__ import annotations

import numpy as np

from bridzik_sim.cards import popcount
from bridzik_sim.games.bridzik.rules import (
    HEARTS,
    RANKS,
    SEATS,
    TRUMP,
    forbidden_bid,
    led_cards,
    legal_cards,
)
from bridzik_sim.games.exact_bids import legal_bids
from bridzik_sim.jit import jit
from bridzik_sim.tricks import best_card, shown_void

PUBLIC = ("deal", "size", "starter", "played", "trick_length", "leader", "best", "lead")
PUBLIC_BY_SEAT = ("bids", "has_bid", "taken", "seen_void", "trick", "scores")
POSITION = np.dtype(
    [(name, "int64") for name in ("turn", "bidders", "bid_sum", "winner", *PUBLIC)]
    + [(name, "int64", (SEATS,)) for name in ("hands", *PUBLIC_BY_SEAT)]
)
"""``turn``: seat to decide, -1 once the deal is over. ``bidders``: bids made. ``bid_sum``: their sum.
``winner``: seat that wins the current trick so far. ``hands``: masks of the cards held. The rest as in a
view.
"""


@jit
def set_deal(position, deal, size, starter):
    """Begin a deal; ``hands`` are the caller's, ``scores`` stay."""
    position.deal, position.size, position.starter = deal, size, starter
    position.turn, position.bidders, position.bid_sum, position.played = starter, 0, 0, 0
    for seat in range(SEATS):
        position.bids[seat] = -1
        position.has_bid[seat] = position.taken[seat] = position.seen_void[seat] = 0
    _set_trick(position, -1)


@jit
def set_public(position, view):
    """Take everything public from a seat's view, which is the seat to decide; ``hands`` are the caller's."""
    position.deal, position.size, position.starter = view.deal, view.size, view.starter
    position.played = view.played
    position.trick_length, position.leader = view.trick_length, view.leader
    position.best, position.lead, position.turn = view.best, view.lead, view.seat
    position.bidders = position.bid_sum = 0
    position.winner = view.leader
    for seat in range(SEATS):
        position.bids[seat], position.has_bid[seat] = view.bids[seat], view.has_bid[seat]
        position.taken[seat], position.seen_void[seat] = view.taken[seat], view.seen_void[seat]
        position.trick[seat], position.scores[seat] = view.trick[seat], view.scores[seat]
        position.bidders += view.has_bid[seat]
        position.bid_sum += max(view.bids[seat], 0)
    for place in range(view.trick_length):
        if view.trick[place] == view.best:
            position.winner = (view.leader + place) % SEATS


@jit
def show(position, view):
    """Write the view of the seat to decide; its parameters, memories and stream stay."""
    seat = position.turn
    view.deal, view.size, view.starter = position.deal, position.size, position.starter
    view.played = position.played
    view.trick_length, view.leader = position.trick_length, position.leader
    view.best, view.lead = position.best, position.lead
    for other in range(SEATS):
        view.bids[other], view.has_bid[other] = position.bids[other], position.has_bid[other]
        view.taken[other], view.seen_void[other] = position.taken[other], position.seen_void[other]
        view.trick[other], view.scores[other] = position.trick[other], position.scores[other]
    view.seat, view.hand = seat, position.hands[seat]
    view.position = (seat - position.starter) % SEATS
    view.forbidden = -1
    if position.bidders < SEATS:
        view.forbidden = forbidden_bid(position.size, view.position, position.bid_sum)
    view.legal = legal(position)


@jit
def legal(position):
    """Mask over the answers of the seat to decide."""
    if position.bidders == SEATS:
        return legal_cards(position.hands[position.turn], position.lead)
    return legal_bids(position.size, forbidden_bid(position.size, position.bidders, position.bid_sum))


@jit
def apply(position, answer):
    """Carry out a legal answer of the seat to decide and pass the turn on."""
    if position.bidders < SEATS:
        _place_bid(position, answer)
    else:
        _play_card(position, answer)


@jit
def _place_bid(position, bid):
    seat = position.turn
    position.bids[seat], position.has_bid[seat] = bid, 1
    position.bid_sum += bid
    position.bidders += 1
    position.turn = (seat + 1) % SEATS
    if position.bidders == SEATS:
        leader = position.starter
        for place in range(1, SEATS):
            seat = (position.starter + place) % SEATS
            leader = seat if position.bids[seat] > position.bids[leader] else leader
        position.turn = leader
        _set_trick(position, leader)


@jit
def _play_card(position, card):
    seat, laid, suit = position.turn, 1 << card, card // RANKS
    position.hands[seat] ^= laid
    position.played |= laid
    position.trick[position.trick_length] = card
    if position.trick_length == 0:
        position.lead = suit
    contest = laid if position.best < 0 else laid | 1 << position.best
    best = best_card(contest & (led_cards(position.lead) | HEARTS), HEARTS)
    position.winner = seat if best == card else position.winner
    position.best = best
    position.seen_void[seat] |= shown_void(suit, position.lead, TRUMP)
    position.trick_length += 1
    position.turn = (seat + 1) % SEATS
    if position.trick_length == SEATS:
        position.taken[position.winner] += 1
        position.turn = position.winner if popcount(position.played) < SEATS * position.size else -1
        _set_trick(position, position.winner)


@jit
def _set_trick(position, leader):
    position.trick_length, position.leader, position.winner = 0, leader, leader
    position.best = position.lead = -1
    for place in range(SEATS):
        position.trick[place] = -1
