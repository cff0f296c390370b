"""Honeymoon bridge one decision at a time, from any position: for the kernel, and for strategies that search.

A position is a record: what is public, as in a view, and what is not. It is set up by a deal (``open_deal``)
or from what a seat sees (``set_public``), copied, and played on::

    while position.turn >= 0:
        show(position, view)
        answer = call(view) if position.phase == AUCTION else play(view)
        apply(position, answer)

The caller sees to it that answers are legal and that hands agree with what is public. Cards are drawn from
``pile`` at random, by ``stream``.
"""

from __future__ import annotations

import numpy as np

from bridzik_sim import streams
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
from bridzik_sim.games.contract import HAND_SIZE, PASS
from bridzik_sim.games.honeymoon.rules import AUCTION, DRAWING, PLAY, PUBLIC_FIELDS, SEATS, STOCK, unseen
from bridzik_sim.games.view import packed
from bridzik_sim.jit import jit

FIELDS = [
    *packed(PUBLIC_FIELDS),
    ("hands", "int64", (SEATS,)),
    *((name, "int64") for name in ("turn", "passes", "winner", "left", "pile")),
]
POSITION = np.dtype([*FIELDS, *streams.UNIT_FIELDS])
"""The public fields as in a view; then ``hands``: masks of the cards held; ``turn``: seat to decide, -1 once
the deal is over; ``pile``: mask of the cards in the stock; ``stream`` draws them; the rest as in
``games/auction.py``.
"""


@jit(inline=True)
def open_deal(position, dealer):
    """Begin a deal; ``hands``, ``pile``, ``stream``, ``scores``, ``vulnerable`` are the caller's."""
    start_auction(position, dealer)
    for seat in range(SEATS):
        position.taken[seat] = position.seen_void[seat] = 0
    position.played, position.phase, position.stock = 0, DRAWING, STOCK
    position.left = HAND_SIZE
    start_trick(position, dealer)


@jit(inline=True)
def legal(position):
    """Mask over the answers of the seat to decide."""
    if position.phase == AUCTION:
        return allowed_calls(position)
    return allowed_cards(position, position.hands[position.turn])


@jit(inline=True)
def apply(position, answer):
    """Carry out a legal answer of the seat to decide and pass the turn on."""
    if position.phase == AUCTION:
        call(position, answer)
    elif add_card(position, SEATS, answer):
        if position.phase == DRAWING:
            draw(position)
        else:
            close_trick(position)


@jit(inline=True)
def call(position, answer):
    """Make a call; the last one of an auction sets the play up: the dealer's opponent leads."""
    if make_call(position, SEATS, answer):
        if position.contract == 0:
            position.turn = -1
        else:
            position.phase = PLAY
            declare(position, position.bidder, 1 - position.dealer, HAND_SIZE)


@jit(inline=True)
def draw(position):
    """After a trick of the first phase: who led it draws first; the last two cards begin the auction."""
    for seat in (position.leader, 1 - position.leader):
        card = streams.take(position, position.pile, 1)
        position.pile ^= card
        position.hands[seat] |= card
        position.seen_void[seat] = 0
    position.stock -= SEATS
    start_trick(position, position.winner)
    if position.stock == 0:
        position.phase, position.turn, position.leader = AUCTION, position.dealer, -1


@jit(inline=True)
def close_trick(position):
    """Give a trick of the play to its winner; the last one ends the deal."""
    winner = position.winner
    position.taken[winner] += 1
    position.left -= 1
    start_trick(position, winner)
    if position.left == 0:
        position.turn = -1


@jit
def set_public(position, view):
    """Take everything public from a seat's view, which is to decide.

    The caller adds ``hands``, in the first phase also ``pile`` and a ``stream`` to draw by.
    """
    copy_until(position, view, "stream")
    position.turn = view.seat
    position.left = HAND_SIZE - view.taken[0] - view.taken[1]
    position.winner = view.leader
    position.passes = 0
    for number in range(view.n_calls):
        position.passes = position.passes + 1 if view.calls[number] == PASS else 0


@jit
def show(position, view):
    """Write the view of the seat to decide; its parameters, memories and stream stay."""
    copy_until(view, position, "hands")
    view.seat = position.turn
    view.hand = position.hands[position.turn]
    view.unseen = unseen(view.hand, position.played)
    view.legal = legal(position)
