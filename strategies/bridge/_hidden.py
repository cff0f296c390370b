"""What a seat knows of the hands it cannot see: where cards may be, and how well a deal explains the calls.

``note_seen`` and ``note_play`` keep in ``view.memory`` who has played what, so each sample can be looked at
as it was dealt. ``start`` sets up the piles from which ``strategies.parts.hidden`` deals: a hand has its
number of cards, and none of a suit it has shown to lack. ``likelihood`` compares points and lengths with what
the calls have shown (``_auction``).
"""

import numpy as np

from bridzik_sim.games.bridge.rules import SEATS
from bridzik_sim.games.french_cards import SUITS, WHOLE_DECK
from bridzik_sim.jit import jit
from bridzik_sim.tricks import best_card
from strategies.bridge._hand import length, strength
from strategies.bridge._holdings import cards_of
from strategies.parts.hidden import begin

# Places in view.memory: by seat the cards it has played; the seats that had not yet played to the trick when
# this seat last did, the suit led there, and what dummy held.
PLAYED, AFTER, LED, DUMMY = 0, SEATS, SEATS + 1, SEATS + 2
# How much less likely a hand is for every point it is off, and for every card.
A_POINT, A_CARD = 0.6, 0.3


@jit
def played_by(view, seat):
    """Mask of the cards that a seat is noted to have played."""
    return np.int64(view.memory[PLAYED + seat])


@jit
def note(view, seat, cards):
    """That ``seat`` has played ``cards``."""
    view.memory[PLAYED + seat] = played_by(view, seat) | cards


@jit
def note_seen(view):
    """At a decision of the play, before anything else: keep which seat has played which card."""
    for place in range(view.trick_length):
        note(view, (view.leader + place) & 3, 1 << view.trick[place])
    rest = view.played
    for seat in range(SEATS):
        rest &= ~played_by(view, seat)
    if rest:
        attribute(view, rest)


@jit
def note_play(view, card):
    """After a card has been chosen: keep it, and who plays after it."""
    note(view, view.playing_for, 1 << card)
    after = 0
    for step in range(1, SEATS - view.trick_length):
        after |= 1 << ((view.playing_for + step) & 3)
    view.memory[AFTER] = after
    view.memory[DUMMY] = view.dummy
    view.memory[LED] = view.lead if view.lead >= 0 else card // 13


@jit
def attribute(view, cards):
    """Give ``cards``, which ended the last trick, to the seats that played after this one.

    Who won it and who did not follow mostly tells whose they are.
    """
    seats, lead = np.int64(view.memory[AFTER]), np.int64(view.memory[LED])
    from_dummy = cards & np.int64(view.memory[DUMMY])
    if from_dummy and seats >> view.dummy_seat & 1:
        note(view, view.dummy_seat, from_dummy)
        cards, seats = cards ^ from_dummy, seats ^ 1 << view.dummy_seat
    if seats >> view.leader & 1:
        trumps = cards_of(view.trump) if view.trump >= 0 else 0
        contest = cards & (cards_of(lead) | trumps)
        if contest:
            best = best_card(contest, trumps)
            note(view, view.leader, 1 << best)
            cards, seats = cards ^ 1 << best, seats ^ 1 << view.leader
    for seat in range(SEATS):
        if seats >> seat & 1 and cards:
            followed = cards & cards_of(lead)
            others = cards ^ followed
            chosen = (
                others if view.seen_void[seat] >> lead & 1 and others else followed if followed else others
            )
            note(view, seat, chosen & -chosen)
            cards ^= chosen & -chosen


@jit
def hidden_seats(view):
    """Mask of the seats whose hands are not seen."""
    seats = 0b1111 ^ 1 << view.seat
    return seats & ~(1 << view.dummy_seat) if view.dummy or view.played else seats


@jit
def start(view, piles):
    """Set up ``piles`` (a record of PILES) from a seat's view: a pile for each hidden hand, by seat."""
    piles.unseen = WHOLE_DECK & ~(view.hand | view.dummy | view.played)
    piles.count = 0
    left = 13
    for seat in range(SEATS):
        left -= view.taken[seat]
    for seat in range(SEATS):
        if hidden_seats(view) >> seat & 1:
            may = -1
            for suit in range(SUITS):
                if view.seen_void[seat] >> suit & 1:
                    may &= ~cards_of(suit)
            has_played = (seat - view.leader) & 3 < view.trick_length
            piles.may[piles.count], piles.holds[piles.count] = may, left - has_played
            piles.count += 1
    begin(view, piles)


@jit
def lay_out(view, piles, hands):
    """Write the last deal of the piles, the own hand and dummy into ``hands`` by seat."""
    pile = 0
    hands[view.dummy_seat] = view.dummy
    hands[view.seat] = view.hand
    for seat in range(SEATS):
        if hidden_seats(view) >> seat & 1:
            hands[seat] = piles.cards[pile]
            pile += 1


@jit
def likelihood(view, reading, hands):
    """How likely the calls of the hidden seats are, if these are the hands now; a number up to 1."""
    chance = 1.0
    for seat in range(SEATS):
        if hidden_seats(view) >> seat & 1:
            hand = hands[seat] | played_by(view, seat)
            value = strength(hand)
            off = max(reading.low[seat] - value, value - reading.high[seat], 0)
            short = 0
            for suit in range(SUITS):
                short += max(reading.least[seat, suit] - length(hand, suit), 0)
            chance *= A_POINT**off * A_CARD**short
    return chance
