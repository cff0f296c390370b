"""What a hand is worth in the auction: points, lengths, shape, stoppers, tricks in defence."""

from bridzik_sim.cards import popcount
from bridzik_sim.games.french_cards import RANKS, SUIT_CARDS, SUITS
from bridzik_sim.jit import jit

EACH_SUIT = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS
JACKS, QUEENS, KINGS, ACES = (EACH_SUIT << rank for rank in (9, 10, 11, 12))
HONOURS = 0b11111 << 8
"""T to A of a suit whose cards have been shifted to the lowest bits."""
SHORT = 3
"""Support points of a void; one less for every card."""


@jit
def suit_of(hand, suit):
    """The cards of a suit, shifted to the lowest 13 bits."""
    return hand >> RANKS * suit & SUIT_CARDS


@jit
def length(hand, suit):
    """Number of cards of a suit."""
    return popcount(hand >> RANKS * suit & SUIT_CARDS)


@jit
def high_cards(hand):
    """High card points: ace 4, king 3, queen 2, jack 1."""
    return (
        4 * popcount(hand & ACES)
        + 3 * popcount(hand & KINGS)
        + 2 * popcount(hand & QUEENS)
        + popcount(hand & JACKS)
    )


@jit
def points(hand):
    """High card points and the cards of the two longest suits beyond eight: what an opening is judged by."""
    first, second = 0, 0
    for suit in range(SUITS):
        count = length(hand, suit)
        if count > first:
            first, second = count, first
        elif count > second:
            second = count
    return high_cards(hand) + first + second - 8


@jit
def support(hand, suit):
    """Points in support of partner's suit: high cards, short other suits, trumps beyond three."""
    total, trumps = high_cards(hand), length(hand, suit)
    for other in range(SUITS):
        if other != suit:
            total += max(min(SHORT, trumps) - length(hand, other), 0)
    return total + max(trumps - 4, 0)


@jit
def balanced(hand):
    """Whether no suit is shorter than two cards and at most one has two."""
    doubletons = 0
    for suit in range(SUITS):
        count = length(hand, suit)
        if count < 2:
            return False
        doubletons += count == 2
    return doubletons <= 1


@jit
def strength(hand):
    """What a hand that may play in any strain is worth: points, of a balanced hand high card points."""
    return high_cards(hand) if balanced(hand) else points(hand)


@jit
def stops(hand, suit):
    """Whether the opponents' suit is stopped: A, Kx, Qxx or Jxxx."""
    cards = suit_of(hand, suit)
    count = popcount(cards)
    return count > 0 and cards >> max(RANKS - count, 9) != 0


@jit
def tricks_in_defence(hand, trump):
    """Tricks that a hand may expect against a contract, in quarters; ``trump`` is -1 at no trump."""
    total = 0
    for suit in range(SUITS):
        cards = suit_of(hand, suit)
        count = popcount(cards)
        total += 4 * (cards >> 12 & 1)
        total += (3 if count < 6 else 1) * (cards >> 11 & 1) if count > 1 else 0
        total += cards >> 10 & 1 if 2 < count < 6 else 0
        if suit == trump:
            total += (cards >> 10 & 1) + (cards >> 9 & 1) + 3 * max(count - 3, 0)
    return total
