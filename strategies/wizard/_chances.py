"""The chance of each card to win a trick, as log-odds added up from tables.

A table is one float32 row for all rounds of a number of players. ``ENTRIES`` lays out its parts: each is
indexed by what a card and its surroundings look like, and a card's log-odds are the sum of one entry of each
part of its kind:

* ``B``  a card in the hand to be bid on;
* ``L``  a card kept for later tricks;
* ``N``  a card for the current trick which beats what lies there.

From these follow log-odds to make the bid exactly, scaled by the cards held. ``M`` corrects those of a bid
for what the play can still do about it, ``C`` those of a card by what it does to the trick and who follows.
"""

from math import prod

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.rules import (
    FIRST_JESTER,
    FIRST_WIZARD,
    JESTERS,
    MAX_SEATS,
    MAX_SIZE,
    RANKS,
    SUIT_CARDS,
    SUITS,
    WHOLE_DECK,
    WIZARDS,
    led_cards,
    next_lead,
)
from bridzik_sim.jit import jit

SIZES = MAX_SIZE + 1
KINDS = 5
PLAIN, TRUMP, FREE, WIZARD, JESTER = range(KINDS)
"""Kinds of cards; a FREE one is a number card of a round without trump."""
RUFF = WIZARD
"""Kind of a trump in a trick of another suit. A wizard that wins so far stays the winner."""
DOES = 3
LOSES, WINS, MAY_WIN = range(DOES)
"""What a card does to the trick."""
ABOVE, SUITED = RANKS, RANKS + 1
HELD, FEW = 8, 4
"""Cards of a suit in hand, the last: that many or more; cards above, or tricks, likewise."""
SPECIALS = 5
EXPECTED = 16
LEVELS, EVEN = 20, 8
"""Greed: tricks the table still wants, beyond those there are; it is EVEN when they are as many."""
NEEDS, TOO_MANY = 9, 8
"""Codes of what a seat needs: 0 less than nothing, 1 + tricks up to TOO_MANY, for more than can be taken."""
ENTRIES = {
    "B_rank": (KINDS, ABOVE, SIZES),
    "B_length": (KINDS, HELD, ABOVE),
    "B_trumps": (KINDS, HELD, ABOVE),
    "B_long": (KINDS, HELD, SIZES),
    "B_wizards": (KINDS, SPECIALS, SIZES),
    "B_jesters": (KINDS, SPECIALS, SIZES),
    "B_asked": (KINDS, MAX_SEATS, LEVELS),
    "B_greed": (KINDS, LEVELS, SIZES),
    "B_voids": (KINDS, SUITS + 1, HELD),
    "M_scale": (SIZES,),
    "M_size": (SIZES, SIZES),
    "M_greed": (MAX_SEATS, LEVELS, HELD),
    "M_level": (SIZES, LEVELS),
    "M_trumps": (HELD, HELD),
    "L_rank": (KINDS, EXPECTED, SIZES),
    "L_above": (KINDS, ABOVE, ABOVE),
    "L_wizards": (KINDS, EXPECTED, SIZES),
    "L_trumps": (KINDS, SUITED, FEW),
    "L_own": (KINDS, HELD, FEW),
    "L_suit": (KINDS, HELD, SUITED),
    "L_need": (KINDS, NEEDS, SIZES, FEW),
    "L_greed": (KINDS, LEVELS, SIZES),
    "L_others": (KINDS, MAX_SEATS, MAX_SEATS),
    "L_special": (KINDS, SPECIALS, SPECIALS),
    "N_above": (KINDS, MAX_SEATS, ABOVE),
    "N_expected": (KINDS, MAX_SEATS, EXPECTED),
    "N_suit": (KINDS, MAX_SEATS, SUITED),
    "N_states": (KINDS, MAX_SEATS, MAX_SEATS, FEW),
    "N_cards": (KINDS, MAX_SEATS, SIZES),
    "N_trumps": (KINDS, MAX_SEATS, SUITED),
    "N_wizards": (KINDS, EXPECTED, SIZES),
    "N_greed": (KINDS, LEVELS, SIZES),
    "C_scale": (SIZES,),
    "C_need": (DOES, MAX_SEATS, SIZES, SIZES),
    "C_greed": (DOES, MAX_SEATS, LEVELS, FEW),
    "C_others": (DOES, MAX_SEATS, MAX_SEATS, FEW),
    "C_special": (SPECIALS, SPECIALS, FEW),
}
_first = dict(zip(ENTRIES, np.cumsum([0, *map(prod, ENTRIES.values())]).tolist(), strict=False))
WIDTH = sum(map(prod, ENTRIES.values()))
B_RANK, B_LENGTH, B_TRUMPS, B_LONG, B_WIZARDS, B_JESTERS, B_ASKED, B_GREED, B_VOIDS = (
    _first[name] for name in ENTRIES if name[0] == "B"
)
M_SCALE, M_SIZE, M_GREED, M_LEVEL, M_TRUMPS = (_first[name] for name in ENTRIES if name[0] == "M")
L_RANK, L_ABOVE, L_WIZARDS, L_TRUMPS, L_OWN, L_SUIT, L_NEED, L_GREED, L_OTHERS, L_SPECIAL = (
    _first[name] for name in ENTRIES if name[0] == "L"
)
N_ABOVE, N_EXPECTED, N_SUIT, N_STATES, N_CARDS, N_TRUMPS, N_WIZARDS, N_GREED = (
    _first[name] for name in ENTRIES if name[0] == "N"
)
C_SCALE, C_NEED, C_GREED, C_OTHERS, C_SPECIAL = (_first[name] for name in ENTRIES if name[0] == "C")
OF_BID, OF_LATER, OF_NOW = 9, 10, 8
"""Entries a card has of each kind."""
CORRECTIONS = 4
"""Entries that correct a bid, besides the scale, and as many a card."""


@jit
def kind_of(card, trump):
    """Kind of a card."""
    if card >= FIRST_WIZARD:
        return JESTER if card >= FIRST_JESTER else WIZARD
    if trump < 0:
        return FREE
    return TRUMP if card // RANKS == trump else PLAIN


@jit
def unseen_cards(view):
    """Mask of the cards that are neither in the hand nor open."""
    turned = 1 << view.trump_card if view.trump_card >= 0 else 0
    return WHOLE_DECK & ~(view.hand | view.played | turned)


@jit
def need_code(need, cards):
    """Code of a need for so many tricks with so many cards left (see NEEDS)."""
    if need < 0:
        return 0
    return TOO_MANY if need > cards else 1 + min(need, TOO_MANY - 2)


@jit
def greed(wanted):
    """Level of tricks wanted beyond those there are."""
    return min(max(wanted + EVEN, 0), LEVELS - 1)


@jit
def asked_before(view):
    """Bids so far, beyond their share of the tricks; 0 when they are hidden, or a trump comes first.

    The last one to bid learns the sum from the bid that is forbidden.
    """
    asked, known, share = 0, 0, view.position * view.size // view.seats
    if view.forbidden >= 0:
        return view.size - view.forbidden - share
    for seat in range(view.seats):
        asked += max(view.bids[seat], 0)
        known += view.bids[seat] >= 0
    return asked - share if known == view.position else 0


@jit
def bid_entries(view, asked, entries):
    """Fill the entries of every card of the hand, lowest id first, OF_BID each.

    ``asked`` is as ``asked_before`` says.
    """
    hand, size, count, voids = view.hand, view.size, 0, 0
    unseen = unseen_cards(view)
    trumps = min(popcount(hand & led_cards(view.trump)), HELD - 1)
    wizards, jesters = popcount(hand & WIZARDS), popcount(hand & JESTERS)
    for suit in range(SUITS):
        voids += suit != view.trump and hand & SUIT_CARDS << RANKS * suit == 0
    level = greed(asked)
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        kind, above, length = kind_of(card, view.trump), 0, 0
        if card < FIRST_WIZARD:
            suit = card // RANKS
            length = min(popcount(hand >> RANKS * suit & SUIT_CARDS), HELD - 1)
            above = popcount((unseen >> RANKS * suit & SUIT_CARDS) >> card % RANKS)
        entries[count] = B_RANK + (kind * ABOVE + above) * SIZES + size
        entries[count + 1] = B_LENGTH + (kind * HELD + length) * ABOVE + above
        entries[count + 2] = B_TRUMPS + (kind * HELD + trumps) * ABOVE + above
        entries[count + 3] = B_LONG + (kind * HELD + length) * SIZES + size
        entries[count + 4] = B_WIZARDS + (kind * SPECIALS + wizards) * SIZES + size
        entries[count + 5] = B_JESTERS + (kind * SPECIALS + jesters) * SIZES + size
        entries[count + 6] = B_ASKED + (kind * MAX_SEATS + view.position) * LEVELS + level
        entries[count + 7] = B_GREED + (kind * LEVELS + level) * SIZES + size
        entries[count + 8] = B_VOIDS + (kind * (SUITS + 1) + voids) * HELD + trumps
        count += OF_BID


@jit
def bid_corrections(view, asked, bid, entries, first):
    """Fill from ``first`` the CORRECTIONS of a bid."""
    few, trumps = min(bid, HELD - 1), min(popcount(view.hand & led_cards(view.trump)), HELD - 1)
    share = (view.position + 1) * view.size // view.seats - view.position * view.size // view.seats
    level = greed(asked + bid - share)
    entries[first] = M_SIZE + view.size * SIZES + bid
    entries[first + 1] = M_GREED + (view.position * LEVELS + level) * HELD + few
    entries[first + 2] = M_LEVEL + view.size * LEVELS + level
    entries[first + 3] = M_TRUMPS + trumps * HELD + few


@jit
def table_needs(view, cards):
    """What the table needs: (greed level, own code, others who need tricks)."""
    wanted, needing = -cards, 0
    for seat in range(view.seats):
        need = view.bids[seat] - view.taken[seat]
        wanted += max(need, 0)
        needing += seat != view.seat and 0 < need <= cards
    own = need_code(view.bids[view.seat] - view.taken[view.seat], cards)
    return greed(wanted), own, needing


@jit
def later_entries(view, needs, entries):
    """Fill the entries of every card of the hand for later tricks, lowest id first, OF_LATER each."""
    level, own, needing = needs
    hand, count, trump = view.hand, 0, led_cards(view.trump)
    unseen, cards = unseen_cards(view), popcount(view.hand)
    # Of the unseen cards the others hold so many, in 256ths.
    share = min(256 * (view.seats - 1) * cards // max(popcount(unseen), 1), 256)
    trumps, wizards, jesters = popcount(hand & trump), popcount(hand & WIZARDS), popcount(hand & JESTERS)
    own_trumps, other_trumps = min(trumps, HELD - 1), popcount(unseen & trump) * share + 128 >> 8
    other_wizards = min(popcount(unseen & WIZARDS) * share >> 6, EXPECTED - 1)
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        kind, above, below, length, voids = kind_of(card, view.trump), 0, 0, 0, 0
        if card < FIRST_WIZARD:
            suit = card // RANKS
            others = unseen >> RANKS * suit & SUIT_CARDS
            above = popcount(others >> card % RANKS)
            below, length = popcount(others) - above, min(popcount(hand & led_cards(suit)), HELD - 1)
            for seat in range(view.seats):
                voids += view.seen_void[seat] >> suit & 1 if seat != view.seat else 0
        few = min(above, FEW - 1)
        expected, suited = min(above * share >> 7, EXPECTED - 1), (above + below) * share + 128 >> 8
        entries[count] = L_RANK + (kind * EXPECTED + expected) * SIZES + cards
        entries[count + 1] = L_ABOVE + (kind * ABOVE + above) * ABOVE + below
        entries[count + 2] = L_WIZARDS + (kind * EXPECTED + other_wizards) * SIZES + cards
        entries[count + 3] = L_TRUMPS + (kind * SUITED + other_trumps) * FEW + few
        entries[count + 4] = L_OWN + (kind * HELD + own_trumps) * FEW + few
        entries[count + 5] = L_SUIT + (kind * HELD + length) * SUITED + suited
        entries[count + 6] = L_NEED + ((kind * NEEDS + own) * SIZES + cards) * FEW + few
        entries[count + 7] = L_GREED + (kind * LEVELS + level) * SIZES + cards
        entries[count + 8] = L_OTHERS + (kind * MAX_SEATS + needing) * MAX_SEATS + voids
        entries[count + 9] = L_SPECIAL + (kind * SPECIALS + wizards) * SPECIALS + jesters
        count += OF_LATER


@jit
def behind(view, lead, cards):
    """Of those who still play to this trick: (how many, who need tricks, who need none, without the lead)."""
    number, needing, content, voids = view.seats - 1 - view.trick_length, 0, 0, 0
    for step in range(1, number + 1):
        seat = view.seat + step
        seat -= view.seats if seat >= view.seats else 0
        need = view.bids[seat] - view.taken[seat]
        needing += 0 < need <= cards
        content += need == 0
        voids += view.seen_void[seat] >> lead & 1 if lead >= 0 else 0
    return number, needing, content, voids


@jit
def now_entries(view, needs, card, entries, first):
    """Fill from ``first`` the OF_NOW entries of a card, no wizard, that wins the trick so far."""
    lead, unseen, cards = next_lead(view.lead, view.best, card), unseen_cards(view), popcount(view.hand)
    kind, above = kind_of(card, view.trump), 0
    if kind == TRUMP and lead != view.trump:
        kind = RUFF
    if card < FIRST_WIZARD:
        above = popcount((unseen >> RANKS * (card // RANKS) & SUIT_CARDS) >> card % RANKS)
    number, needing, content, voids = behind(view, lead, cards)
    # Of the unseen cards these hold so many, in 256ths.
    share = 256 * number * cards // max(popcount(unseen), 1)
    expected, wizards = min(above * share >> 6, EXPECTED - 1), popcount(unseen & WIZARDS) * share >> 6
    suited = popcount(unseen & led_cards(lead)) * share + 128 >> 8
    trumps = popcount(unseen & led_cards(view.trump)) * share + 128 >> 8
    entries[first] = N_ABOVE + (kind * MAX_SEATS + number) * ABOVE + above
    entries[first + 1] = N_EXPECTED + (kind * MAX_SEATS + number) * EXPECTED + expected
    entries[first + 2] = N_SUIT + (kind * MAX_SEATS + number) * SUITED + suited
    entries[first + 3] = N_STATES + ((kind * MAX_SEATS + needing) * MAX_SEATS + content) * FEW + min(above, 3)
    entries[first + 4] = N_CARDS + (kind * MAX_SEATS + number) * SIZES + cards
    entries[first + 5] = N_TRUMPS + (kind * MAX_SEATS + voids) * SUITED + trumps
    entries[first + 6] = N_WIZARDS + (kind * EXPECTED + min(wizards, EXPECTED - 1)) * SIZES + cards
    entries[first + 7] = N_GREED + (kind * LEVELS + needs[0]) * SIZES + cards


@jit
def card_corrections(view, needs, need, does, entries, first):
    """Fill from ``first`` the CORRECTIONS of a card that ``does`` so to the trick, with ``need`` to take."""
    few, cards = min(need, FEW - 1), popcount(view.hand)
    number, needing, content, _ = behind(view, -1, cards)
    wizards, jesters = popcount(view.hand & WIZARDS), popcount(view.hand & JESTERS)
    where = does * MAX_SEATS + number
    entries[first] = C_NEED + (where * SIZES + cards) * SIZES + need
    entries[first + 1] = C_GREED + (where * LEVELS + needs[0]) * FEW + few
    entries[first + 2] = C_OTHERS + ((does * MAX_SEATS + needing) * MAX_SEATS + content) * FEW + few
    entries[first + 3] = C_SPECIAL + (wizards * SPECIALS + jesters) * FEW + few
