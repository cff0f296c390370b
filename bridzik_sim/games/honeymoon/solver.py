"""Exact values of the play: two hands, all cards known, so that nothing is left to chance.

Whoever is to play takes ``tricks`` of those left against the best play of both; ``answer_values`` tells it of
every card that may be played. A hand is an int64 mask of the 52 cards, the trump suit 0 … 3 or -1, ``led``
the card that the other seat has led, which is in neither hand any more, or -1. ``table`` remembers what has
been found (``new_table``); it serves any deals and trumps, and no result depends on it. ``solve`` is the door
for everybody else: it makes a table and checks what it is given.

The search asks for one bit, whether the leader can take ``goal`` tricks, and looks only at what matters:

* Of the cards of a suit just the order counts in which they are spread over the hands. A suit is a *code*,
  the binary number 1 b b b … with a bit for every card that is left, the highest first: 1 for a card of the
  leader, 0 for one of the other. A *state* is four codes of 14 bits: the trump suit in the lowest, then the
  others, the longest first; at no trump, and when trumps are gone, all are sorted. Bit 56 tells that there
  are trumps.
* Neighbours in a code are equal, so a run of them is one choice.
* Top cards take tricks whatever happens (``bounds``).

The table is a plain hash table: int64 rows of a state and of what is known of it, that the leader takes at
least (4 bits) and at most (4 bits) so many tricks, and 1 + the place of the card that it led with success, or
0. A newer state takes the row of an older one. The last row counts the states that have been looked at.

Sources: Pearl, "SCOUT: a simple game-searching algorithm with proven optimal properties" (1980); Plaat,
Schaeffer, Pijls, de Bruin, "Best-first fixed-depth minimax algorithms" (1996).
"""

from __future__ import annotations

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.contract import HAND_SIZE
from bridzik_sim.games.french_cards import CARDS, RANKS, SUIT_CARDS, SUITS, WHOLE_DECK
from bridzik_sim.jit import jit
from bridzik_sim.tricks import follow

TABLE_ROWS = 1 << 14

_WIDTH = RANKS + 1
_CODE = (1 << _WIDTH) - 1
_TRUMPS = 1 << _WIDTH * SUITS
_MIX, _MIX_SHIFT = 0x1E3779B97F4A7C15, 30


def solve(first: int, second: int, trump: int = -1, leader: int = 0, led: int = -1) -> int:
    """Tricks that seat 0 takes of those left when both play their best.

    first, second  masks of the cards that seats 0 and 1 hold, equally many of them, at most 13
    trump          trump suit 0 … 3, or -1
    leader         seat that leads, or has led, to the trick
    led            the card it has led, -1 for none; its hand then is without it

    ValueError for anything else.
    """
    hands = [first, second]
    if trump not in range(-1, SUITS) or leader not in (0, 1):
        raise ValueError(f"trump must be -1 … 3 and leader 0 or 1, not {trump} and {leader}")
    if first & second or (first | second) & ~WHOLE_DECK:
        raise ValueError("hands must be masks of different cards of 52")
    if led not in range(-1, CARDS) or (led >= 0 and (first | second) >> led & 1):
        raise ValueError(f"led must be -1 or a card that is in no hand, not {led}")
    sizes = [hand.bit_count() for hand in hands]
    sizes[leader] += int(led >= 0)
    if sizes[0] != sizes[1] or sizes[0] > HAND_SIZE:
        raise ValueError(f"hands must be equally large, at most {HAND_SIZE} cards, not {sizes}")
    turn = 1 - leader if led >= 0 else leader
    taken = int(tricks(hands[turn], hands[1 - turn], trump, led, new_table()))
    return taken if turn == 0 else sizes[0] - taken


@jit
def new_table(rows=TABLE_ROWS):
    """Room for what has been found: 16 bytes a row; ``rows`` is a power of two."""
    return np.zeros((rows + 1, 2), np.int64)


@jit
def tricks(own, other, trump, led, table):
    """Tricks, of the 0 … 13 left, that the seat to play takes; it holds ``own``."""
    low, high = 0, popcount(own)
    if led < 0:
        low, high = bounds(state_of(own, other, trump), high)
    while low < high:
        goal = (low + high + 1) // 2
        if reaches(own, other, trump, led, goal, table):
            low = goal
        else:
            high = goal - 1
    return low


@jit
def answer_values(own, other, trump, led, table, values):
    """Mask of the best cards of the seat to play, which holds ``own``; it has at least one card.

    ``values`` (int64[52]) is filled with the tricks that it takes, this one included, after each card, and
    with -1 for cards that may not be played.
    """
    values[:] = -1
    legal = follow(own, suit_of(led) if led >= 0 else -1, 0)
    left = own | other | (1 << led if led >= 0 else 0)
    best, most, before = 0, -1, -1
    while legal != 0:
        card = lowest(legal)
        legal ^= 1 << card
        if before >= 0 and before // RANKS == card // RANKS and left & (1 << card) - (2 << before) == 0:
            values[card] = values[before]
        else:
            values[card] = value_of(own, other, trump, led, card, table)
        if values[card] > most:
            best, most = 0, values[card]
        best |= (values[card] == most) << card
        before = card
    return best


@jit
def value_of(own, other, trump, led, card, table):
    """Tricks, this one included, that the seat to play takes after ``card``."""
    size, rest = popcount(own), own ^ 1 << card
    if led < 0:
        return size - tricks(other, rest, trump, card, table)
    if wins(card, led, trump):
        return 1 + tricks(rest, other, trump, -1, table)
    return size - 1 - tricks(other, rest, trump, -1, table)


@jit
def reaches(own, other, trump, led, goal, table):
    """Whether the seat to play can take at least ``goal`` tricks; it holds ``own``."""
    size = popcount(own)
    if led < 0:
        return leader_takes(state_of(own, other, trump), size, goal, table)
    cards = follow(own, suit_of(led), 0)
    while cards != 0:
        card = highest(cards)
        cards ^= 1 << card
        rest = own ^ 1 << card
        if wins(card, led, trump):
            reached = leader_takes(state_of(rest, other, trump), size - 1, goal - 1, table)
        else:
            reached = not leader_takes(state_of(other, rest, trump), size - 1, size - goal, table)
        if reached:
            return True
    return False


@jit
def suit_of(card):
    """Mask of all cards of the suit of a card."""
    return SUIT_CARDS << card // RANKS * RANKS


@jit
def wins(card, led, trump):
    """Whether a legal answer takes the trick from the card led."""
    suit = card // RANKS
    return card > led if suit == led // RANKS else suit == trump


# -------------------------------------------------------------------------------------------------- states


@jit
def state_of(leading, other, trump):
    """The state of two hands, the first of which is to lead."""
    first = max(trump, 0)
    one, two, three = (first + 1) % SUITS, (first + 2) % SUITS, (first + 3) % SUITS
    return state_with(
        code_of(leading, other, first), code_of(leading, other, one), code_of(leading, other, two),
        code_of(leading, other, three), trump >= 0,
    )  # fmt: skip


@jit
def code_of(leading, other, suit):
    """The code of a suit."""
    own, left = leading >> RANKS * suit & SUIT_CARDS, (leading | other) >> RANKS * suit & SUIT_CARDS
    code = 1
    while left != 0:
        card = highest(left)
        left ^= 1 << card
        code = 2 * code + (own >> card & 1)
    return code


@jit
def state_with(first, a, b, c, trumps):
    """The state of four codes; with ``trumps`` the first is that of the trump suit."""
    a, b = max(a, b), min(a, b)
    b, c = max(b, c), min(b, c)
    a, b = max(a, b), min(a, b)
    if trumps and first != 1:
        return first | a << _WIDTH | b << 2 * _WIDTH | c << 3 * _WIDTH | _TRUMPS
    first, a = max(first, a), min(first, a)
    a, b = max(a, b), min(a, b)
    b, c = max(b, c), min(b, c)
    return first | a << _WIDTH | b << 2 * _WIDTH | c << 3 * _WIDTH


@jit
def code(state, suit):
    """The code at a place in a state."""
    return state >> _WIDTH * suit & _CODE


@jit
def without(state, place):
    """The state without the card at a place, not in order."""
    base = place // _WIDTH * _WIDTH
    before, card = state >> base & _CODE, place - base
    after = before >> card + 1 << card | before & (1 << card) - 1
    return state ^ (before ^ after) << base


@jit
def turned(code):
    """A code with the hands exchanged."""
    return code ^ (1 << highest(code)) - 1


@jit
def after_trick(state, lead, answer, lost):
    """The state after the cards at two places; with ``lost`` the other hand leads from now on."""
    rest = without(without(state, max(lead, answer)), min(lead, answer))
    first, a, b, c = code(rest, 0), code(rest, 1), code(rest, 2), code(rest, 3)
    if lost:
        first, a, b, c = turned(first), turned(a), turned(b), turned(c)
    return state_with(first, a, b, c, state >= _TRUMPS)


@jit
def hands_of(state):
    """The places of the leader's cards and those of the other's, as masks."""
    leading = other = 0
    for suit in range(SUITS):
        one = code(state, suit)
        top = 1 << highest(one)
        leading |= (one ^ top) << _WIDTH * suit
        other |= (one ^ 2 * top - 1) << _WIDTH * suit
    return leading, other


# -------------------------------------------------------------------------------------------------- search


@jit
def bounds(state, size):
    """Tricks that the leader takes at least and at most: what top cards alone decide.

    The leader wins with its top trumps, and cashes the top cards of a plain suit as often as the other has to
    follow. Once the other is out of trumps, top cards always win, and so do, with the suit run out, all the
    rest of the suit; so also where its top trumps draw all of the other's.

    The other wins with its top trumps. If it has more trumps than the leader, and top ones to draw those, it
    ruffs or wins at the first chance, draws, and takes all it would take as leader. Without trumps it throws
    other cards than these until it gets in, at the latest when the leader has run out of suits in which the
    other has not the top card.
    """
    cashed = drawn = kept = trumps_kept = away = 0
    draws, draws_back = True, state < _TRUMPS
    for suit in range(SUITS):
        one = code(state, suit)
        cards = highest(one)
        own = one ^ 1 << cards
        mine, missing = popcount(own), own ^ (1 << cards) - 1
        others, top, other_top = cards - mine, cards - 1 - highest(missing), cards - 1 - highest(own)
        winners, other_winners = mine if top >= others else top, others if other_top >= mine else other_top
        drawn += winners
        if suit == 0 and state >= _TRUMPS:
            cashed, trumps_kept = winners, other_winners
            draws, draws_back = top >= others, other_top >= mine and others > mine
        else:
            cashed += min(top, others)
            kept += other_winners
            away += mine if other_top == 0 else 0
    low = drawn if draws else cashed
    if state < _TRUMPS:
        return low, size - min(kept, size - away)
    return low, size - trumps_kept - (kept if draws_back else 0)


@jit
def leader_takes(state, size, goal, table):
    """Whether the leader can take at least ``goal`` of the ``size`` tricks left."""
    if goal <= 0 or goal > size:
        return goal <= 0
    table[len(table) - 1, 0] += 1
    low, high = bounds(state, size)
    row, hint = state * _MIX >> _MIX_SHIFT & len(table) - 2, -1
    if low < goal <= high and table[row, 0] == state:
        known = table[row, 1]
        low, high, hint = max(low, known & 15), min(high, known >> 4 & 15), (known >> 8) - 1
    if goal <= low or goal > high:
        return goal <= low
    leading, other = hands_of(state)
    leads, found = leading & ~(leading << 1), False
    while leads != 0 and not found:
        lead = hint if hint >= 0 and leads >> hint & 1 else highest(leads)
        leads ^= 1 << lead
        answers, winning = answers_to(state, lead, other)
        found = True
        while answers != 0 and found:
            answer = lowest(answers & winning if answers & winning != 0 else answers)
            answers ^= 1 << answer
            lost = winning >> answer & 1 == 1
            after = after_trick(state, lead, answer, lost)
            found = leader_takes(after, size - 1, size - goal if lost else goal - 1, table) != lost
        hint = lead if found else hint
    table[row, 0] = state
    table[row, 1] = (goal | high << 4 if found else low | goal - 1 << 4) | hint + 1 << 8
    return found


@jit
def answers_to(state, lead, other):
    """The places of the cards that may answer a lead, one of equal ones, and those of them that win."""
    answers = other & ~(other << 1)
    suit = _CODE << lead // _WIDTH * _WIDTH
    if other & suit != 0:
        return answers & suit, answers & suit & -1 << lead
    return answers, answers & _CODE if state >= _TRUMPS else 0
