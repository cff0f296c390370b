"""Random streams: pure functions of (seed, game, rules version, unit, deal, purpose).

* One Philox4x64-10 block (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) with key
  ``(seed, tag)`` and counter ``(unit, 0, 0, 0)`` gives the four *words* of a unit; ``tag`` hashes the stream
  version, the game and its rules version. The block equals numpy's ``Philox`` bit for bit.
* The state of the sub-stream ``(deal, purpose)`` is SplitMix64's finalizer over each word plus a multiple of
  the golden-ratio increment (Steele, Lea, Flood, 2014), so it costs four multiplications twice.
* Inside a stream runs xoshiro256++ (Blackman and Vigna, 2019).
* ``below`` is exactly uniform (Lemire, "Fast random integer generation in an interval", 2019); several digits
  come from one 64-bit word, still exactly uniform (Brackett-Rozinsky and Lemire, 2024).

uint64 appears in this module only: mixed with int64 numba would silently turn to floats. A change of any
number drawn here must raise ``STREAM_VERSION``.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from bridzik_sim.cards import nth, nth_bit, popcount
from bridzik_sim.jit import jit

STREAM_VERSION = 1

# Purposes of sub-streams; a reshuffle k is RESHUFFLE + k, a strategy's see strategy_purpose.
DEAL = 0
FIRST_DEALER = 1
QUEEN_SUIT = 2
VULNERABILITY = 3
RESHUFFLE = 1 << 16
STRATEGY = 1 << 24
MAX_SEED = (1 << 63) - 1
AT_ONCE = 8
"""Cards that ``take`` takes off a deck by one draw, at most."""

UNIT_FIELDS = [("words", "uint64", (4,)), ("stream", "uint64", (4,))]
"""Fields of a record that draws cards: the words of the unit, and the state of the stream drawn from."""

_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = _U(0xBF58476D1CE4E5B9), _U(0x94D049BB133111EB)
_PHILOX_M0, _PHILOX_M1 = _U(0xD2E7470EE14C6C93), _U(0xCA5A826395121157)
_PHILOX_W0, _PHILOX_W1 = _U(0x9E3779B97F4A7C15), _U(0xBB67AE8584CAA73B)
_S11, _S17, _S19, _S23, _S27, _S30, _S31, _S41, _S45 = (_U(n) for n in (11, 17, 19, 23, 27, 30, 31, 41, 45))
_0, _1, _32 = _U(0), _U(1), _U(32)

# By size of a deck and cards taken: 2**64 modulo the number of ordered hands; as many words draw some hand
# too often. The largest number of hands is a bound that spares looking it up.
_UNFAIR = np.array(
    [[2**64 % math.perm(size, min(count, size)) for count in range(9)] for size in range(63)], np.uint64
)
_ALWAYS_FAIR = _U(math.perm(62, 8))


def stream_tag(game: str, rules_version: int) -> int:
    """Second word of the Philox key: a 64-bit hash of stream version, game and rules version."""
    text = f"{STREAM_VERSION}/{game}/{rules_version}".encode("ascii")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


@intrinsic
def _multiply(typingctx: Any, a: Any, b: Any) -> Any:
    """(high, low) 64-bit halves of the 128-bit product of two uint64."""
    pair = types.UniTuple(types.uint64, 2)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return cgutils.pack_array(builder, [high, builder.trunc(product, word)])

    return pair(types.uint64, types.uint64), codegen


@jit
def philox(key0, key1, counter, words):
    """Set ``words`` (uint64[4]) to the Philox4x64-10 block, key (key0, key1), counter (counter, 0, 0, 0)."""
    c0, c1, c2, c3 = _U(counter), _0, _0, _0
    k0, k1 = _U(key0), _U(key1)
    for _ in range(10):
        high0, low0 = _multiply(_PHILOX_M0, c0)
        high1, low1 = _multiply(_PHILOX_M1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += _PHILOX_W0
        k1 += _PHILOX_W1
    words[0], words[1], words[2], words[3] = c0, c1, c2, c3


@jit
def _mix(z):
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@jit
def start(words, deal, purpose, state):
    """Set ``state`` (uint64[4]) to the beginning of the sub-stream (deal, purpose) of a unit's ``words``."""
    step = ((_U(deal) << _32) + _U(purpose) + _1) * _GOLDEN
    for i in range(4):
        state[i] = _mix(words[i] + step)


@jit
def strategy_purpose(seating, seat):
    """Purpose of the stream of the strategy at ``seat`` under ``seating``."""
    return STRATEGY + 16 * seating + seat


@jit
def next_word(state):
    """Draw 64 bits (uint64) from a stream state (uint64[4])."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    result = ((total << _S23) | (total >> _S41)) + s0
    t = s1 << _S17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << _S45) | (s3 >> _S19)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return result


@jit
def draw_below(state, n):
    """Draw an integer (int64) uniform in 0..n-1 from a stream state, ``n >= 1``."""
    bound = _U(n)
    high, low = _multiply(next_word(state), bound)
    if low < bound:
        threshold = (_0 - bound) % bound
        while low < threshold:
            high, low = _multiply(next_word(state), bound)
    return np.int64(high)


@jit(merged=True)
def take(holder, deck, count):
    """Take ``count`` (1 to 8) random cards off the mask ``deck``, all sets equally likely; return their mask.

    Draws from ``holder.stream`` (a record is cheaper to pass than an array). The digits of one word choose
    the cards one by one; what is left of the word tells whether it belongs to a hand drawn too often.
    """
    size = popcount(deck)
    while True:
        left, word = deck, next_word(holder.stream)
        for bound in range(size, size - count, -1):
            high, word = _multiply(word, _U(bound))
            left ^= nth_bit(left, np.int64(high))
        if word >= _ALWAYS_FAIR or word >= _UNFAIR[size, count]:
            return deck ^ left


@jit
def take_hand(holder, deck, size):
    """Take ``size`` random cards off the mask ``deck``, as ``take`` does, some at a time; return their mask.

    The whole deck costs no draw.
    """
    left, rest = size, deck
    if popcount(deck) == size:
        return deck
    while left > 0:
        some = min(left, AT_ONCE)
        rest ^= take(holder, rest, some)
        left -= some
    return deck ^ rest


@jit
def below(view, n):
    """Draw an integer uniform in 0..n-1 (``n >= 1``) from the seat's own stream."""
    return draw_below(view.stream, n)


@jit
def uniform(view):
    """Draw a float64 uniform in [0, 1), a multiple of 2**-53, from the seat's own stream."""
    return np.float64(next_word(view.stream) >> _S11) * 2.0**-53


@jit
def choose(view):
    """Draw one of the seat's legal answers, each equally likely."""
    return nth(view.legal, draw_below(view.stream, popcount(view.legal)))
