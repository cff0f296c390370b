"""Wizard one decision at a time, from any position: for strategies that search, and for learning.

The kernel plays whole deals. Here a position is a record that can be set up from what a seat sees, copied and
played on by any compiled functions::

    while position.turn >= 0:
        show(position, view)
        answer = trump(view) if position.choosing else bid(view) if bidding(position) else play(view)
        apply(position, answer)

Bids are open here. Where they are hidden from the seat that a position is set up from, they are -1 and count
as 0 until the caller puts numbers in their place. The caller sees to it that answers are legal and that hands
agree with what is public.
"""

from __future__ import annotations

import numpy as np

from bridzik_sim.blocks import copy_until
from bridzik_sim.games import exact_bids
from bridzik_sim.games.view import packed
from bridzik_sim.games.wizard.rules import (
    ALL_SUITS,
    MAX_SEATS,
    PUBLIC_FIELDS,
    beats,
    dealer_of,
    is_wizard,
    legal_cards,
    next_lead,
    next_seat,
    place_of,
    shown_void,
    turned_suit,
)
from bridzik_sim.jit import jit

POSITION = np.dtype(
    packed(PUBLIC_FIELDS)
    + [("hands", "int64", (MAX_SEATS,))]
    + [(name, "int64") for name in ("turn", "choosing", "bidders", "bid_sum", "winner", "left")]
)
"""The public fields as in a view; then ``hands``: masks of the cards held; ``turn``: seat to decide, -1 once
the deal is over; ``choosing``: 1 while the dealer has to name the trump; ``bidders``: bids made; ``bid_sum``:
their sum; ``winner``: seat that wins the current trick so far; ``left``: tricks not finished.
"""


@jit
def set_deal(position, seats, deal, starter, trump_card, sum_rule, dealer_chooses):
    """Begin a deal among ``seats``; ``hands`` are the caller's, ``scores`` stay.

    ``trump_card`` is -1 for none; ``sum_rule`` and ``dealer_chooses`` are the options, 0 or 1.
    """
    position.seats, position.deal, position.size, position.starter = seats, deal, deal + 1, starter
    position.trump_card, position.trump, position.sum_rule = trump_card, turned_suit(trump_card), sum_rule
    position.bidders = position.bid_sum = position.played = 0
    for seat in range(MAX_SEATS):
        position.bids[seat] = -1
        position.has_bid[seat] = position.taken[seat] = position.seen_void[seat] = 0
    position.left = position.size
    position.choosing = 1 if dealer_chooses and is_wizard(trump_card) else 0
    position.turn = dealer_of(starter, seats) if position.choosing else starter
    _set_trick(position, -1)
    _set_forbidden(position)


@jit
def set_public(position, view):
    """Take everything public from a seat's view, which is the seat to decide; ``hands`` are the caller's."""
    copy_until(position, view, "stream")
    position.turn, position.left = view.seat, view.size
    position.bidders = position.bid_sum = 0
    position.winner = view.leader
    for seat in range(view.seats):
        position.bidders += view.has_bid[seat]
        position.bid_sum += max(view.bids[seat], 0)
        position.left -= view.taken[seat]
    # The dealer bids last; asked before anybody has bid, it names the trump.
    position.choosing = 1 if position.bidders == 0 and view.position == view.seats - 1 else 0
    for place in range(view.trick_length):
        if view.trick[place] == view.best:
            position.winner = (view.leader + place) % view.seats


@jit
def bidding(position):
    """Whether bids are still to be made."""
    return position.bidders < position.seats


@jit
def show(position, view):
    """Write the view of the seat to decide; its parameters, memories and stream stay."""
    copy_until(view, position, "hands")
    seat = position.turn
    view.seat, view.hand = seat, position.hands[seat]
    view.position = place_of(seat, position.starter, position.seats)
    view.legal = legal(position)


@jit
def legal(position):
    """Mask over the answers of the seat to decide."""
    if position.choosing:
        return ALL_SUITS
    if bidding(position):
        return exact_bids.legal_bids(position.size, position.forbidden)
    return legal_cards(position.hands[position.turn], position.lead)


@jit
def apply(position, answer):
    """Carry out a legal answer of the seat to decide and pass the turn on."""
    if position.choosing:
        position.trump, position.choosing, position.turn = answer, 0, position.starter
    elif bidding(position):
        _place_bid(position, answer)
    else:
        _play_card(position, answer)


@jit
def _place_bid(position, bid):
    seat = position.turn
    position.bids[seat], position.has_bid[seat] = bid, 1
    position.bid_sum += bid
    position.bidders += 1
    position.turn = next_seat(seat, position.seats)
    _set_forbidden(position)
    if not bidding(position):
        _set_trick(position, position.starter)


@jit
def _set_forbidden(position):
    bound = position.sum_rule and position.bidders == position.seats - 1
    position.forbidden = exact_bids.forbidden_bid(position.size, bound, position.bid_sum)


@jit
def _play_card(position, card):
    seat = position.turn
    lead = next_lead(position.lead, position.best, card)
    if beats(card, position.best, lead, position.trump):
        position.best, position.winner = card, seat
    position.lead = lead
    position.hands[seat] ^= 1 << card
    position.played |= 1 << card
    position.seen_void[seat] |= shown_void(card, lead)
    position.trick[position.trick_length] = card
    position.trick_length += 1
    position.turn = next_seat(seat, position.seats)
    if position.trick_length == position.seats:
        position.taken[position.winner] += 1
        position.left -= 1
        position.turn = position.winner if position.left > 0 else -1
        _set_trick(position, position.winner)


@jit
def _set_trick(position, leader):
    position.trick_length, position.leader, position.winner = 0, leader, leader
    position.best = position.lead = -1
    for place in range(MAX_SEATS):
        position.trick[place] = -1
