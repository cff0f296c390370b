"""Contract bridge one decision at a time, from any position: for the kernel, and for strategies that search.

A position is a record: what is public, as in a view, and what is not. It is set up by a deal (``open_deal``)
or from what a seat sees (``set_public``), copied, and played on::

    while position.turn >= 0:
        show(position, view)
        answer = call(view) if position.declarer < 0 else play(view)
        apply(position, answer)

The caller sees to it that answers are legal and that hands agree with what is public.
"""

from __future__ import annotations

import numpy as np

from bridzik_sim.blocks import copy_until
from bridzik_sim.games.auction import (
    add_card,
    allowed_calls,
    allowed_cards,
    declare,
    make_call,
    start_auction,
    start_trick,
)
from bridzik_sim.games.bridge.rules import PUBLIC_FIELDS, SEATS, SIDES, next_seat, partner_of, side_of
from bridzik_sim.games.contract import DOUBLE, HAND_SIZE, PASS, STRAINS, strain
from bridzik_sim.games.view import packed
from bridzik_sim.jit import jit

FIELDS = [
    *packed(PUBLIC_FIELDS),
    ("hands", "int64", (SEATS,)),
    ("first", "int64", (SIDES * len(STRAINS),)),
    *((name, "int64") for name in ("turn", "passes", "winner", "left")),
]
POSITION = np.dtype(FIELDS)
"""The public fields as in a view; then ``hands``: masks of the cards held; ``first``: by side and strain, the
seat that first named it, -1 nobody; ``turn``: seat that calls or whose card is played, -1 once the deal is
over; the rest as in ``games/auction.py``. ``playing_for`` follows ``turn``.
"""


@jit(inline=True)
def open_deal(position, dealer):
    """Begin a deal; ``hands``, ``scores``, ``below``, ``games``, ``vulnerable`` are the caller's."""
    start_auction(position, dealer)
    for place in range(len(position.first)):
        position.first[place] = -1
    for seat in range(SEATS):
        position.taken[seat] = position.seen_void[seat] = 0
        position.trick[seat] = -1
    position.played = position.trick_length = position.dummy = 0
    position.best = position.lead = position.leader = position.winner = position.dummy_seat = -1
    position.playing_for, position.left = dealer, HAND_SIZE


@jit(inline=True)
def decider(position):
    """The seat that decides: the declarer for dummy, else the one in turn."""
    return position.declarer if position.turn == position.dummy_seat else position.turn


@jit(inline=True)
def legal(position):
    """Mask over the answers of the seat to decide."""
    if position.declarer < 0:
        return allowed_calls(position)
    return allowed_cards(position, position.hands[position.turn])


@jit(inline=True)
def apply(position, answer):
    """Carry out a legal answer of the seat to decide and pass the turn on."""
    if position.declarer < 0:
        call(position, answer)
    else:
        play(position, answer)
    position.playing_for = position.turn


@jit(inline=True)
def call(position, answer):
    """Make a call; the last one of an auction sets the play up."""
    seat = position.turn
    over = make_call(position, SEATS, answer)
    if PASS < answer < DOUBLE:
        place = len(STRAINS) * side_of(seat) + strain(answer)
        if position.first[place] < 0:
            position.first[place] = seat
    if over:
        if position.contract == 0:
            position.turn = -1
        else:
            place = len(STRAINS) * side_of(position.bidder) + strain(position.contract)
            begin_play(position, position.bidder if position.last_bid_declares else position.first[place])


@jit(inline=True)
def begin_play(position, declarer):
    """Set up the play: the seat to the left of the declarer leads, and the declarer's partner is dummy."""
    position.dummy_seat = partner_of(declarer)
    declare(position, declarer, next_seat(declarer), HAND_SIZE)


@jit(inline=True)
def play(position, card):
    """Play a card; the first one of a deal puts dummy on the table."""
    full = add_card(position, SEATS, card)
    position.dummy = position.hands[position.dummy_seat]
    if full:
        winner = position.winner
        position.taken[winner] += 1
        position.left -= 1
        start_trick(position, winner)
        if position.left == 0:
            position.turn = -1


@jit(inline=True)
def declarer_tricks(position):
    """Tricks that the declarer's side has taken."""
    return position.taken[position.declarer] + position.taken[position.dummy_seat]


@jit
def set_public(position, view):
    """Take everything public from a seat's view, which is to decide; ``hands`` are the caller's."""
    copy_until(position, view, "stream")
    position.turn = view.playing_for
    position.left = HAND_SIZE
    position.winner, position.passes = view.leader, 0
    for seat in range(SEATS):
        position.left -= view.taken[seat]
    for place in range(view.trick_length):
        if view.trick[place] == view.best:
            position.winner = (view.leader + place) % SEATS
    for place in range(len(position.first)):
        position.first[place] = -1
    for number in range(view.n_calls):
        made, seat = view.calls[number], (view.dealer + number) % SEATS
        position.passes = position.passes + 1 if made == PASS else 0
        if PASS < made < DOUBLE:
            place = len(STRAINS) * side_of(seat) + strain(made)
            if position.first[place] < 0:
                position.first[place] = seat


@jit
def show(position, view):
    """Write the view of the seat to decide; its parameters, memories and stream stay."""
    copy_until(view, position, "hands")
    view.seat = decider(position)
    view.hand = position.hands[view.seat]
    view.legal = legal(position)
