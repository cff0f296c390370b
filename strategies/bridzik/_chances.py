"""The chance of each card to win a trick, as log-odds added up from tables.

A table is one float32 row a hand size. ``ENTRIES`` lays out its parts: each is indexed by what a card and
its surroundings look like, and a card's log-odds are the sum of one entry of each part of its kind:

* ``B``  a card in the hand to be bid on;
* ``L``  a card kept for later tricks;
* ``N``  a card for the current trick which beats what lies there;
* ``S``  a card when the own bid is lost: log-odds that another fails.

``M`` corrects the log-odds of a bid for what the play can still do about it, ``C`` those of a card by what it
does to the trick.
"""

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.rules import HEARTS, RANKS, SEATS, SUIT_CARDS, WHOLE_DECK, beats
from bridzik_sim.jit import jit
from strategies.bridzik._features import NEEDS, SIZES, need_code
from strategies.parts.tricks import winning_place

LEVELS = 2 * SIZES
"""Greed: tricks the table still wants, beyond those there are, from -9 to 8."""
STATES = 3
"""Of a seat: its bid is lost, met so far, or needs tricks."""
ENTRIES = {
    "B_ranks": 2 * RANKS * SIZES,
    "B_trumps": 2 * RANKS * SIZES,
    "B_voids": 2 * SIZES * SEATS,
    "B_asked": 2 * SEATS * LEVELS,
    "B_suit": SIZES * SIZES,
    "M_scale": 1,
    "M_asked": SEATS * SIZES * LEVELS,
    "M_trumps": SIZES * SIZES,
    "L_ranks": 2 * RANKS * RANKS,
    "L_cards": 2 * SIZES * 4 * 3,
    "L_trumps": 2 * SIZES * 4,
    "L_suit": SIZES * SIZES,
    "L_hearts": 2 * SIZES * 4,
    "L_need": 2 * SIZES * NEEDS * 4,
    "L_greed": 2 * LEVELS,
    "L_others": 2 * SEATS * SEATS,
    "C_need": 3 * SEATS * SIZES * NEEDS,
    "N_above": 3 * SEATS * RANKS,
    "N_suit": 3 * SEATS * SIZES,
    "N_behind": 3 * STATES**3 * 4,
    "N_cards": 3 * SEATS * SIZES,
    "N_hearts": 3 * SEATS * SIZES,
    "N_greed": 3 * LEVELS,
    "S_owner": 2 * SEATS * 4 * LEVELS,
    "S_above": 4 * SEATS * RANKS,
    "S_rank": 2 * 4 * RANKS,
    "S_alive": 2 * 4 * SEATS,
    "S_behind": 2 * STATES**3 * 4,
    "S_suit": 2 * SEATS * SIZES,
    "S_cards": 2 * 4 * SIZES,
}
_first = dict(zip(ENTRIES, np.cumsum([0, *ENTRIES.values()]).tolist(), strict=False))
WIDTH = sum(ENTRIES.values())
B_RANKS, B_TRUMPS, B_VOIDS, B_ASKED, B_SUIT = (
    _first[f"B_{name}"] for name in ("ranks", "trumps", "voids", "asked", "suit")
)
M_SCALE, M_ASKED, M_TRUMPS, C_NEED = (_first[name] for name in ("M_scale", "M_asked", "M_trumps", "C_need"))
L_RANKS, L_CARDS, L_TRUMPS, L_SUIT, L_HEARTS, L_NEED, L_GREED, L_OTHERS = (
    _first[f"L_{name}"] for name in ("ranks", "cards", "trumps", "suit", "hearts", "need", "greed", "others")
)
N_ABOVE, N_SUIT, N_BEHIND, N_CARDS, N_HEARTS, N_GREED = (
    _first[f"N_{name}"] for name in ("above", "suit", "behind", "cards", "hearts", "greed")
)
S_OWNER, S_ABOVE, S_RANK, S_ALIVE, S_BEHIND, S_SUIT, S_CARDS = (
    _first[f"S_{name}"] for name in ("owner", "above", "rank", "alive", "behind", "suit", "cards")
)
OF_BID, OF_LATER, OF_NOW, OF_SPOILING = 5, 8, 6, 7
"""Entries a card has of each kind."""


@jit
def bid_entries(view, entries):
    """Fill the entries of every card of the hand, lowest id first, OF_BID each."""
    hand, count, asked, voids = view.hand, 0, 0, 0
    hearts = popcount(hand & HEARTS)
    for seat in range(SEATS):
        asked += max(view.bids[seat], 0)
    for suit in range(1, SEATS):
        voids += hand >> RANKS * suit & SUIT_CARDS == 0
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        plain, suit = card >= RANKS, hand >> (card & -RANKS) & SUIT_CARDS
        length, above = popcount(suit), RANKS - 1 - card % RANKS - (popcount(suit >> card % RANKS) - 1)
        entries[count] = B_RANKS + (plain * RANKS + above) * SIZES + length
        entries[count + 1] = B_TRUMPS + (plain * RANKS + card % RANKS) * SIZES + hearts
        entries[count + 2] = B_VOIDS + (plain * SIZES + hearts) * SEATS + voids
        entries[count + 3] = B_ASKED + (plain * SEATS + view.position) * LEVELS + min(asked, LEVELS - 1)
        entries[count + 4] = B_SUIT + (length * SIZES + hearts) * plain
        count += OF_BID


@jit
def bid_corrections(view):
    """Where the corrections of the view's bids begin: (by position and bids so far, by trumps held)."""
    asked = 0
    for seat in range(SEATS):
        asked += max(view.bids[seat], 0)
    asked = min(asked, LEVELS - 1)
    trumps = popcount(view.hand & HEARTS)
    return M_ASKED + (view.position * LEVELS + asked) * SIZES, M_TRUMPS + trumps * SIZES


@jit
def table_needs(view, cards):
    """What the table needs: (greed level, own need code, others who need tricks, others not lost)."""
    wanted, needing, alive = -cards, 0, 0
    for seat in range(SEATS):
        need = view.bids[seat] - view.taken[seat]
        wanted += max(need, 0)
        needing += seat != view.seat and 0 < need <= cards
        alive += seat != view.seat and 0 <= need <= cards
    own = need_code(view.bids[view.seat], view.taken[view.seat], cards)
    return min(max(wanted + SIZES, 0), LEVELS - 1), own, needing, alive


@jit
def later_entries(view, needs, entries):
    """Fill the entries of every card of the hand for later tricks, lowest id first, OF_LATER each."""
    greed, own, needing, _ = needs
    hand, count = view.hand, 0
    unseen = WHOLE_DECK & ~(hand | view.played)
    cards, trumps, hearts = popcount(hand), popcount(hand & HEARTS), popcount(unseen & HEARTS)
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        suit, rank = card // RANKS, card % RANKS
        plain, others = suit > 0, unseen >> RANKS * suit & SUIT_CARDS
        above, length = popcount(others >> rank), popcount(hand >> RANKS * suit & SUIT_CARDS)
        below, voids = popcount(others) - above, 0
        for step in range(1, SEATS):
            voids += view.seen_void[(view.seat + step) % SEATS] >> suit & 1
        few = min(above, 3)
        entries[count] = L_RANKS + (plain * RANKS + above) * RANKS + below
        entries[count + 1] = L_CARDS + ((plain * SIZES + cards) * 4 + few) * 3 + min(below, 2)
        entries[count + 2] = L_TRUMPS + (plain * SIZES + trumps) * 4 + few
        entries[count + 3] = L_SUIT + (length * SIZES + above + below) * plain
        entries[count + 4] = L_HEARTS + (plain * SIZES + hearts) * 4 + few
        entries[count + 5] = L_NEED + ((plain * SIZES + cards) * NEEDS + own) * 4 + few
        entries[count + 6] = L_GREED + plain * LEVELS + greed
        entries[count + 7] = L_OTHERS + (plain * SEATS + needing) * SEATS + voids
        count += OF_LATER


@jit
def states_behind(view):
    """The states of those who still play to this trick, as digits."""
    behind, cards = 0, popcount(view.hand)
    for step in range(1, SEATS - view.trick_length):
        seat = (view.seat + step) % SEATS
        behind = STATES * behind + min(need_code(view.bids[seat], view.taken[seat], cards), STATES - 1)
    return behind


@jit
def now_entries(view, needs, card, entries, first):
    """Fill from ``first`` the OF_NOW entries of a card that wins the trick so far."""
    lead = view.lead if view.trick_length > 0 else card // RANKS
    suit, place = card // RANKS, view.trick_length
    kind = 0 if lead == 0 else 1 if suit == lead else 2
    unseen = WHOLE_DECK & ~(view.hand | view.played)
    above = popcount((unseen >> RANKS * suit & SUIT_CARDS) >> card % RANKS)
    behind, voids, cards = states_behind(view), 0, popcount(view.hand)
    for step in range(1, SEATS - place):
        voids += view.seen_void[(view.seat + step) % SEATS] >> lead & 1
    entries[first] = N_ABOVE + (kind * SEATS + place) * RANKS + above
    entries[first + 1] = (
        N_SUIT + (kind * SEATS + place) * SIZES + popcount(unseen >> RANKS * lead & SUIT_CARDS)
    )
    entries[first + 2] = N_BEHIND + (kind * STATES**3 + behind) * 4 + min(above, 3)
    entries[first + 3] = N_CARDS + (kind * SEATS + place) * SIZES + cards
    entries[first + 4] = N_HEARTS + (kind * SEATS + voids) * SIZES + popcount(unseen & HEARTS)
    entries[first + 5] = N_GREED + kind * LEVELS + needs[0]


@jit
def spoil_entries(view, needs, card, entries, first):
    """Fill from ``first`` the OF_SPOILING entries of a card when the own bid is lost."""
    unseen = WHOLE_DECK & ~(view.hand | view.played)
    others, cards = unseen >> (card & -RANKS) & SUIT_CARDS, popcount(view.hand)
    above, takes = popcount(others >> card % RANKS), beats(card, view.best)
    place, owner = winning_place(view), 0
    if place >= 0:
        seat = (view.leader + place) % SEATS
        owner = 1 + min(need_code(view.bids[seat], view.taken[seat], cards), 2)
    entries[first] = S_OWNER + ((takes * SEATS + view.trick_length) * 4 + owner) * LEVELS + needs[0]
    entries[first + 1] = S_ABOVE + ((takes * 2 + (card < RANKS)) * SEATS + view.trick_length) * RANKS + above
    entries[first + 2] = S_RANK + (takes * 4 + owner) * RANKS + card % RANKS
    entries[first + 3] = S_ALIVE + (takes * 4 + owner) * SEATS + needs[3]
    entries[first + 4] = S_BEHIND + (takes * STATES**3 + states_behind(view)) * 4 + min(above, 3)
    entries[first + 5] = S_SUIT + (takes * SEATS + view.trick_length) * SIZES + popcount(others)
    entries[first + 6] = S_CARDS + (takes * 4 + owner) * SIZES + cards
