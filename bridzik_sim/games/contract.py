"""Calls, contracts and scores of contract bridge, as its games share them: arithmetic on small integers.

Calls are codes: 0 pass, 1 … 35 the bids from 1C to 7NT in rising order, 36 double, 37 redouble. Strains are
0 … 3 for the suits C D H S and 4 for no trump. ``bid`` is the code of the last bid, in the end that of the
contract; ``doubled`` is 0, 1 (doubled) or 2 (redoubled); ``vulnerable`` is 0 or 1, of the side that scores or
pays; cards have the ids of ``games/french_cards.py``. Nothing here checks its arguments: kernels call it.

Sources:
  World Bridge Federation, "Laws of Duplicate Bridge 2017": laws 18 to 22 (calls and the end of the auction),
  77 (the table of scores), 78 B (international match points); law 2 (dealer and vulnerability of a board).
  American Contract Bridge League, "Laws of Rubber Bridge", 2014: honours, the rubber and an unfinished one.
"""

from __future__ import annotations

from bridzik_sim.jit import jit

PASS, DOUBLE, REDOUBLE = 0, 36, 37
HAND_SIZE = 13
BOOK = 6
"""Tricks that do not count: a contract of one needs one more."""
GAME_LINE = 100
"""Trick points that make a game."""
BIDS = 35
NO_TRUMP = 4
STRAINS = ("C", "D", "H", "S", "NT")
CALL_NAMES = ("P", *(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS), "X", "XX")
"""Call codes 0 … 37, spelled out."""
MAX_CALLS = 320
"""Room for any auction of four; the longest has 319 calls, that of two 107."""
UNFINISHED_GAME, UNFINISHED_PART = 300, 100
"""For the only side with a game, and with a part-score, in a rubber that was not finished."""
IMP_LIMITS = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)
"""The largest difference in points that is worth 0, 1 … 23 IMPs; more is worth 24."""

_BID_CODES = (1 << BIDS + 1) - 2
_SUIT = 13
_HONOURS = 0b11111 << 8
_ACES = 1 << 12 | 1 << 25 | 1 << 38 | 1 << 51


def contract_name(bid: int, doubled: int) -> str:
    """A contract of 1 … 35, such as ``4SX``."""
    return CALL_NAMES[bid] + "X" * doubled


@jit
def level(bid):
    """Level of a bid, 1 … 7."""
    return (bid + 4) // 5


@jit
def strain(bid):
    """Strain of a bid, 0 … 4."""
    return (bid + 4) % 5


@jit
def trump_suit(bid):
    """Trump suit of a bid, 0 … 3; -1 at no trump."""
    denomination = (bid + 4) % 5
    return denomination if denomination < NO_TRUMP else -1


@jit
def bid_of(level, strain):
    """Code of the bid with that level, 1 … 7, and strain, 0 … 4."""
    return 5 * level - 4 + strain


@jit
def legal_calls(bid, doubled, ours):
    """Mask over the call codes; ``bid``: 0 before the first; ``ours``: 1 when the caller's side made it."""
    may_double = (bid > 0) & (doubled == 0) & (ours == 0)
    may_redouble = (doubled == 1) & (ours == 1)
    return _BID_CODES & (-2 << bid) | 1 << PASS | int(may_double) << DOUBLE | int(may_redouble) << REDOUBLE


@jit
def auction_over(seats, calls, passes, bid):
    """Whether an auction has ended after ``calls`` calls, the last ``passes`` of them passes.

    Of four: three passes after a bid, or four without one. Of two: two passes without a bid; after one, the
    first pass once both have called.
    """
    needed = seats - 1 + int(bid == 0)
    return (passes >= needed) & (calls >= seats)


@jit
def trick_points(bid, doubled):
    """Points below the line for making a contract: 20 … 920."""
    denomination = (bid + 4) % 5
    each = 20 if denomination < 2 else 30
    return level(bid) * each + 10 * int(denomination == NO_TRUMP) << doubled


@jit
def overtrick_points(bid, doubled, vulnerable):
    """Points of every trick beyond the contract: 20 … 400."""
    plain = 20 if (bid + 4) % 5 < 2 else 30
    return 100 * doubled * (1 + vulnerable) if doubled else plain


@jit
def slam_points(bid, vulnerable):
    """Bonus for making a contract of six (500 or 750) or seven (1000 or 1500); else 0."""
    return max(level(bid) - 5, 0) * (500 + 250 * vulnerable)


@jit
def insult_points(doubled):
    """Bonus for making a doubled (50) or redoubled (100) contract; else 0."""
    return 50 * doubled


@jit
def undertrick_points(doubled, vulnerable, undertricks):
    """Points of the defenders for all ``undertricks`` (0 … 13) together: 0 … 7600."""
    if doubled == 0:
        return 50 * (1 + vulnerable) * undertricks
    beyond = max(undertricks - (1 if vulnerable else 3), 0)
    first = 100 * (1 + vulnerable) * int(undertricks > 0)
    between = 200 * (max(undertricks - 1, 0) - beyond)
    return (first + between + 300 * beyond) * doubled


@jit
def above_points(bid, doubled, vulnerable, tricks):
    """Points above the line for a contract made with ``tricks`` of 13: overtricks, slam, insult."""
    overtricks = tricks - BOOK - level(bid)
    extra = overtricks * overtrick_points(bid, doubled, vulnerable)
    return extra + slam_points(bid, vulnerable) + insult_points(doubled)


@jit
def game_points(below, vulnerable):
    """Duplicate's bonus for a contract worth ``below`` points: 300 or 500 for a game, 50 for a part-score."""
    return 300 + 200 * vulnerable if below >= GAME_LINE else 50


@jit
def duplicate_points(bid, doubled, vulnerable, tricks):
    """Points of the declaring side for ``tricks`` of 13, as duplicate scores a deal; negative when down."""
    undertricks = BOOK + level(bid) - tricks
    if undertricks > 0:
        return -undertrick_points(doubled, vulnerable, undertricks)
    below = trick_points(bid, doubled)
    return below + above_points(bid, doubled, vulnerable, tricks) + game_points(below, vulnerable)


@jit
def imps(difference):
    """International match points of a difference in points: -24 … 24, with its sign."""
    size = abs(difference)
    worth = 0
    for limit in IMP_LIMITS:
        worth += int(size > limit)
    return worth if difference >= 0 else -worth


@jit
def honour_points(hand, bid):
    """Points of one hand of 13, as dealt: four trump honours 100, five 150; at no trump all four aces 150."""
    denomination = (bid + 4) % 5
    if denomination == NO_TRUMP:
        return 150 if hand & _ACES == _ACES else 0
    held = hand >> _SUIT * denomination & _HONOURS
    missing = held ^ _HONOURS
    if missing == 0:
        return 150
    return 100 if missing & (missing - 1) == 0 else 0


@jit
def rubber_points(other_side_games):
    """Bonus for winning a rubber when the other side has won 0 or 1 games: 700 or 500."""
    return 700 - 200 * other_side_games


@jit
def board_dealer(unit):
    """Dealer of board number ``unit + 1``."""
    return unit % 4


@jit
def board_vulnerable(unit):
    """Who is vulnerable on board number ``unit + 1``: mask with bit 0 for N-S and bit 1 for E-W."""
    return (unit + unit // 4) % 4
