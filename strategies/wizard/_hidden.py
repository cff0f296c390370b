"""What a seat knows of the cards it cannot see: where they may be, and how well a deal explains the bids.

``start`` sets up the piles from which ``strategies.parts.hidden`` deals: a hand has its number of cards, and
no number card of a suit it has shown to lack; the card turned up for trump is in none.

``note_seen`` and ``note_play`` keep in ``view.memory`` who has played what. So each sample is a deal from its
beginning, and ``likelihood`` says how well it explains the bids of the others, if these are about as the
policy's. Every bidder is taken to have seen the bids before: a view does not tell that they were hidden.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.cards import nth, popcount
from bridzik_sim.games.wizard.playout import apply, bidding, set_deal, show
from bridzik_sim.games.wizard.rules import (
    FIRST_WIZARD,
    MAX_SEATS,
    NUMBERS,
    RANKS,
    SUITS,
    beats,
    led_cards,
    next_lead,
    shown_void,
)
from bridzik_sim.jit import jit
from strategies.parts.hidden import begin
from strategies.wizard._fast import policy_bid
from strategies.wizard._outlook import unseen_cards

# Places in view.memory: by seat the number cards and the special cards played (a float64 holds up to 53
# bits), and the suits it had shown to lack when this seat last played; how the trick stood then, and what was
# gone.
NUMBERS_OF, SPECIALS_OF, LACKED = 0, MAX_SEATS, 2 * MAX_SEATS
LEAD, BEST, WINNER, GONE_NUMBERS, GONE_SPECIALS, HAS_PLAYED = range(3 * MAX_SEATS, 3 * MAX_SEATS + 6)
# Orders that are tried in search of one in which others may have played the cards that came after the own.
ORDERS = 40
# How likely a bid is, by its distance from what the policy would bid.
BELIEF = np.array([1.0, 0.4, 0.12, 0.04, 0.02])


@jit
def start(view, piles):
    """Set up ``piles`` (a record of PILES) from a seat's view: first the next seat's hand, last the rest."""
    piles.unseen, piles.count = unseen_cards(view), view.seats
    left = popcount(piles.unseen)
    for step in range(1, view.seats):
        seat = (view.seat + step) % view.seats
        piles.may[step - 1] = -1
        for suit in range(SUITS):
            if view.seen_void[seat] >> suit & 1:
                piles.may[step - 1] &= ~led_cards(suit)
        has_played = view.trick_length > (seat - view.leader) % view.seats
        piles.holds[step - 1] = popcount(view.hand) - has_played
        left -= piles.holds[step - 1]
    piles.may[view.seats - 1], piles.holds[view.seats - 1] = -1, left
    begin(view, piles)


@jit
def lay_out(view, piles, hands):
    """Write the last deal of the piles, and the own hand, into ``hands`` by seat."""
    hands[view.seat] = view.hand
    for step in range(1, view.seats):
        hands[(view.seat + step) % view.seats] = piles.cards[step - 1]


# ------------------------------------------------------------------------------------------------ evidence


@jit
def note_seen(view):
    """At a decision of the play, before anything else: keep which seat has played which card."""
    here = 0
    for step in range(view.trick_length):
        here |= 1 << view.trick[step]
        note(view, (view.leader + step) % view.seats, view.trick[step])
    if view.memory[HAS_PLAYED] != 0:
        gone = mask_at(view, GONE_NUMBERS, GONE_SPECIALS)
        attribute(view, view.played & ~gone & ~here)


@jit
def note_play(view, card):
    """After the own card has been chosen."""
    note(view, view.seat, card)
    lead = next_lead(view.lead, view.best, card)
    takes = beats(card, view.best, lead, view.trump)
    winner = view.seat
    for step in range(view.trick_length):
        if not takes and view.trick[step] == view.best:
            winner = (view.leader + step) % view.seats
    view.memory[LEAD], view.memory[BEST] = lead, card if takes else view.best
    view.memory[WINNER], view.memory[HAS_PLAYED] = winner, 1
    gone = view.played | 1 << card
    view.memory[GONE_NUMBERS], view.memory[GONE_SPECIALS] = gone & NUMBERS, gone >> FIRST_WIZARD
    for seat in range(view.seats):
        view.memory[LACKED + seat] = view.seen_void[seat]


@jit
def mask_at(view, numbers, specials):
    """The mask kept at two places of the memory."""
    return np.int64(view.memory[numbers]) | np.int64(view.memory[specials]) << FIRST_WIZARD


@jit
def played_by(view, seat):
    """Mask of the cards that a seat is noted to have played."""
    return mask_at(view, NUMBERS_OF + seat, SPECIALS_OF + seat)


@jit
def note(view, seat, card):
    """That ``seat`` has played ``card``."""
    cards = played_by(view, seat) | 1 << card
    view.memory[NUMBERS_OF + seat] = cards & NUMBERS
    view.memory[SPECIALS_OF + seat] = cards >> FIRST_WIZARD


@jit
def attribute(view, cards):
    """Give ``cards``, which the seats after this one played to the last trick, to these seats.

    Who won and who did not follow mostly tells whose they are; else an order that could be is drawn.
    """
    count = popcount(cards)
    order = np.empty(count, np.int64)
    for _ in range(ORDERS):
        left = cards
        for i in range(count):
            order[i] = nth(left, streams.below(view, count - i))
            left ^= 1 << order[i]
        if could_be(view, order):
            break
    for i in range(count):
        note(view, (view.seat + 1 + i) % view.seats, order[i])


@jit
def could_be(view, order):
    """Whether the seats after this one could have played these cards in that order."""
    lead, best = np.int64(view.memory[LEAD]), np.int64(view.memory[BEST])
    winner = np.int64(view.memory[WINNER])
    for i in range(len(order)):
        card, seat = order[i], (view.seat + 1 + i) % view.seats
        lead = next_lead(lead, best, card)
        if beats(card, best, lead, view.trump):
            best, winner = card, seat
        before, now, shown = (
            np.int64(view.memory[LACKED + seat]),
            view.seen_void[seat],
            shown_void(card, lead),
        )
        has_played = view.trick_length > (seat - view.leader) % view.seats
        if (card < FIRST_WIZARD and before >> card // RANKS & 1) or shown & ~now:
            return False
        if not has_played and now & ~(before | shown):
            return False
    return winner == view.leader


@jit(inline=True)
def likelihood(view, position, shown, hands):
    """How likely it is that the others bid what they did, if these are the hands now.

    Bids that are hidden are made up as the policy bids, and left in ``position`` with all others.
    ``position`` and ``shown`` are room to work in.
    """
    set_deal(position, view.seats, view.deal, view.starter, view.trump_card, view.sum_rule, 0)
    position.trump = view.trump
    for seat in range(view.seats):
        position.scores[seat] = view.scores[seat]
        position.hands[seat] = hands[seat] | played_by(view, seat)
    chance = 1.0
    while bidding(position) and view.has_bid[position.turn]:
        seat = position.turn
        number = view.bids[seat]
        if seat != view.seat:
            show(position, shown)
            expected = policy_bid(shown)
            number = number if number >= 0 else expected
            chance *= BELIEF[min(abs(expected - number), len(BELIEF) - 1)]
        apply(position, number)
    if view.forbidden >= 0:
        # What may not be bid tells the sum of the others' bids, also of hidden ones.
        chance *= BELIEF[min(abs(position.bid_sum + view.forbidden - view.size), len(BELIEF) - 1)]
    return chance
