"""Czech Fool one decision at a time, from any position: for the kernel, and for strategies that search.

A position is a record: what is public, as in a view, and what is not. It is set up by a deal (``open_round``)
or from what a seat sees (``set_public``), copied, and played on::

    while position.turn >= 0:
        show(position, view)
        answer = suit(view) if position.choosing else move(view)
        apply(position, answer)

The caller sees to it that answers are legal and that hands agree with what is public.

The stock has an order that is made while it is drawn: cards are taken at random from ``order``, and those
that are not in the stock are passed over. A stock that is made of the pile begins with the whole deck as
``order``, from a stream of its own; so where two games of a unit have come to different piles, the cards
that are in both still come in the same order.
"""

from __future__ import annotations

import numpy as np

from bridzik_sim import streams
from bridzik_sim.blocks import copy_until
from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.fool.rules import (
    ALL_SUITS,
    DRAW,
    EIGHT,
    LIMIT,
    MAX_SEATS,
    PASS,
    PUBLIC_FIELDS,
    QUEEN,
    answers_eight,
    cards_to_draw,
    fitting,
    hand_points,
    legal_moves,
    skips,
    total_after,
    winner_points,
)
from bridzik_sim.games.french_cards import RANKS
from bridzik_sim.games.view import packed
from bridzik_sim.jit import jit

WON, BLOCKED, CAPPED = range(3)
HIDDEN = ("turn", "choosing", "must", "ended", "winner", "left", "order", "renewals", "eights", "cap")
FIELDS = [
    *packed(PUBLIC_FIELDS),
    ("hands", "int64", (MAX_SEATS,)),
    *((name, "int64") for name in HIDDEN),
]
POSITION = np.dtype([*FIELDS, *streams.UNIT_FIELDS])
"""The public fields as in a view; then ``hands``: masks of the cards held; ``turn``: seat to decide, -1 once
the round is over; ``choosing``: 1 while a suit has to be chosen; ``must``: the card drawn on an open eight,
-1 none; ``ended``: WON, BLOCKED or CAPPED, and the ``winner``, -1 none; ``left``: mask of the cards in the
stock; ``order``: see above; ``renewals``: reshuffles so far; ``eights``: 1 where eights have to be answered;
``cap``: most turns of a round; ``words``: of the unit, which give the streams of later stocks; ``stream``: of
the stock.
"""


@jit(inline=True)
def next_in(position, seat):
    """The next seat to the left that is still in the game."""
    while True:
        seat = seat + 1 if seat + 1 < position.seats else 0
        if position.still_in[seat]:
            return seat


@jit
def open_round(position, dealer, open_card, queen_suit):
    """Begin a round: the card that was opened acts as if the dealer had played it.

    The hands have been dealt and the stock made (``new_stock``); ``queen_suit`` is that of a queen.
    """
    for seat in range(position.seats):
        position.last_move[seat] = -1
    position.dealer = dealer
    position.turns = position.has_drawn = position.passes = position.choosing = position.open_eight = 0
    position.must = position.chosen_suit = position.winner = -1
    position.top, position.gone = open_card, 1 << open_card
    position.turn = after_card(position, dealer, open_card)
    if open_card % RANKS == QUEEN:
        position.chosen_suit = queen_suit


@jit
def first_stock(position, deck, last):
    """Make the first stock of a round: the cards of ``deck``, then those of ``last``."""
    position.renewals = position.returned = 0
    for seat in range(position.seats):
        position.fresh[seat] = 0
    new_stock(position, deck | last, deck)


@jit
def new_stock(position, cards, order):
    """Make a stock of ``cards``; ``order`` is what they are drawn from first (see above)."""
    position.left, position.order, position.stock = cards, order, popcount(cards)
    streams.start(position.words, position.deal, streams.RESHUFFLE + position.renewals, position.stream)


@jit
def renew(position):
    """Make a stock of the pile without its top card."""
    position.renewals += 1
    position.returned = position.gone ^ 1 << position.top
    position.gone = 1 << position.top
    for seat in range(position.seats):
        position.fresh[seat] = 0
    new_stock(position, position.returned, position.deck)


@jit(inline=True)
def can_draw(position):
    """Whether there is a card to draw: in the stock, or on the pile below its top card."""
    return position.stock > 0 or position.gone & (position.gone - 1) != 0


@jit(inline=True)
def draw_card(position, seat):
    """Give a seat a card from the stock, which is renewed if it is empty; returns the card, -1 for none."""
    if position.stock == 0:
        if not can_draw(position):
            return -1
        renew(position)
    card = 0
    while card == 0:
        if position.order == 0:
            position.order = position.left
        card = streams.take(position, position.order, 1)
        position.order ^= card
        card &= position.left
    position.left ^= card
    position.stock -= 1
    position.hands[seat] |= card
    position.counts[seat] += 1
    if position.renewals > 0:
        position.fresh[seat] += 1
    return lowest(card)


@jit(inline=True)
def legal(position):
    """Mask over the answers of the seat to decide."""
    if position.choosing:
        return ALL_SUITS
    hand = position.hands[position.turn]
    fits = fitting(hand, position.top, position.chosen_suit, position.open_eight)
    if position.must >= 0:
        fits |= 1 << position.must
    return legal_moves(fits, position.open_eight, position.has_drawn, can_draw(position), position.forced)


@jit(inline=True)
def apply(position, answer):
    """Carry out a legal answer of the seat to decide and pass the turn on."""
    seat = position.turn
    if position.choosing:
        position.chosen_suit, position.choosing = answer, 0
        end_turn(position, seat, next_in(position, seat))
    elif answer == DRAW:
        draw(position, seat)
    elif answer == PASS:
        position.passes = 0 if position.has_drawn else position.passes + 1
        position.last_move[seat] = PASS
        end_turn(position, seat, next_in(position, seat))
        if position.passes == position.players:
            end_round(position, BLOCKED, -1)
    else:
        play_card(position, seat, answer)


@jit(inline=True)
def draw(position, seat):
    """Draw a card; on an open eight until one answers it. If none does, turn and eight are over."""
    position.has_drawn = 1
    card = draw_card(position, seat)
    if not position.open_eight:
        return
    while card >= 0 and not answers_eight(card, position.top):
        card = draw_card(position, seat)
    position.must = card
    if card < 0:
        position.open_eight = position.passes = 0
        position.last_move[seat] = DRAW
        end_turn(position, seat, next_in(position, seat))


@jit(inline=True)
def play_card(position, seat, card):
    """Play a card; the last one of a hand ends the round."""
    position.hands[seat] ^= 1 << card
    position.counts[seat] -= 1
    if position.returned & 1 << card:
        position.fresh[seat] -= 1
    position.top, position.last_move[seat] = card, card
    position.gone |= 1 << card
    position.chosen_suit = -1
    position.open_eight = position.passes = 0
    if position.counts[seat] == 0:
        give_cards(position, next_in(position, seat), cards_to_draw(card))
        position.turns += 1
        end_round(position, WON, seat)
    elif card % RANKS == QUEEN:
        position.choosing = 1
    else:
        end_turn(position, seat, after_card(position, seat, card))


@jit(inline=True)
def give_cards(position, seat, number):
    """Let a seat draw a number of cards, as far as there are any."""
    for _ in range(number):
        draw_card(position, seat)


@jit(inline=True)
def after_card(position, seat, card):
    """Do to the next player what ``card``, played by ``seat``, does; returns who has the next turn."""
    following = next_in(position, seat)
    if card % RANKS == EIGHT:
        position.open_eight = position.eights
    if not skips(card):
        return following
    give_cards(position, following, cards_to_draw(card))
    return next_in(position, following)


@jit(inline=True)
def end_turn(position, seat, following):
    """Close a turn and give the next one to ``following``, unless that was the last that may be played."""
    position.turns += 1
    position.has_drawn = 0
    position.must = -1
    position.turn = following
    if position.turns >= position.cap:
        end_round(position, CAPPED, -1)


@jit(inline=True)
def end_round(position, how, winner):
    """Close the round."""
    position.turn, position.ended, position.winner = -1, how, winner


@jit
def points(position, seat):
    """Points of a seat for a round that is over: of its hand; of the winner minus those of a last queen."""
    if position.winner == seat:
        return winner_points(position.top)
    return hand_points(position.hands[seat]) if position.still_in[seat] else 0


@jit
def set_scores(position):
    """Show the match scores: how far from 101 everyone is, and who is still in the game."""
    position.players = 0
    for seat in range(position.seats):
        position.distance[seat] = LIMIT - position.scores[seat]
        position.still_in[seat] = 1 if position.scores[seat] <= LIMIT else 0
        position.players += position.still_in[seat]


@jit
def score(position):
    """Add the points of a round that is over to the match scores, and see who is still in the game."""
    for seat in range(position.seats):
        position.scores[seat] = total_after(position.scores[seat], points(position, seat))
    set_scores(position)


@jit
def set_public(position, view, cap):
    """Take everything public from a seat's view, which is the seat to decide; ``cap``: most turns of a round.

    The caller adds ``hands``, ``left`` and ``order``, and ``words`` and ``stream`` to draw from.
    """
    copy_until(position, view, "stream")
    position.turn, position.cap = view.seat, cap
    position.eights = 1 if view.deck & 1 else 0
    position.choosing = 1 if view.chosen_suit < 0 and view.top % RANKS == QUEEN else 0
    position.must = position.winner = -1
    position.renewals = 1 if view.returned else 0
    if view.open_eight and view.has_drawn:
        drawn = view.legal & ~fitting(view.hand, view.top, -1, 1)
        position.must = lowest(drawn) if drawn != 0 else -1


@jit
def show(position, view):
    """Write the view of the seat to decide; its parameters, memories and stream stay."""
    copy_until(view, position, "hands")
    view.seat, view.hand = position.turn, position.hands[position.turn]
    view.legal = legal(position)
