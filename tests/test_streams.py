"""The compiled random streams: against numpy, published values and plain integers; exactly uniform draws; fair deals."""

import math
import random

import numpy as np
import pytest
from numba import types
from scipy.stats import chi2

from bridzik_sim import streams
from bridzik_sim.games.bridzik import kernel
from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import PlainStream, unit_words
from bridzik_sim.jit import jit

WORD = 2**64
HOLDER = np.dtype([("stream", "uint64", (4,))])
EXTREMES = [0, 1, 2**63 - 1]


def holder_of(state):
    """A record with a stream in this state."""
    rows = np.zeros(1, HOLDER)
    rows["stream"][0] = np.array(state, np.uint64)
    return rows.view(np.recarray)[0]


def state_for(word, rest=(3, 5)):
    """A state of xoshiro256++ whose next word is ``word``: rotl(s0 + s3, 23) + s0 with s0 = 0."""
    return [0, *rest, (word >> 23 | word << 41) % WORD]


def states(count=40):
    source = random.Random(11)
    return [[source.getrandbits(64) for _ in range(4)] for _ in range(count)]


def test_philox_equals_numpys_bit_for_bit():
    source = random.Random(3)
    keys = [(source.getrandbits(63), source.getrandbits(64), source.getrandbits(63)) for _ in range(200)]
    keys += [(seed, tag, unit) for seed in EXTREMES for tag in (0, WORD - 1) for unit in EXTREMES]
    for seed, tag, unit in keys:
        words = np.zeros(4, np.uint64)
        streams.philox(np.uint64(seed), np.uint64(tag), np.uint64(unit), words)
        generator = np.random.Philox(key=np.array([seed, tag], np.uint64), counter=(unit - 1) % 2**256)
        assert words.tolist() == generator.random_raw(4).tolist()


def test_xoshiro_gives_its_published_values():
    state = np.array([1, 2, 3, 4], np.uint64)
    words = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [int(streams.next_word(state)) for _ in words] == words


def test_sub_streams_start_and_run_as_defined():
    purposes = [
        0,
        1,
        2,
        streams.RESHUFFLE + 9,
        streams.strategy_purpose(0, 3),
        streams.strategy_purpose(23, 1),
    ]
    assert purposes[-1] == 2**24 + 16 * 23 + 1
    for words in states(5):
        for deal in (0, 1, 31, 2**20):
            for purpose in purposes:
                state = np.zeros(4, np.uint64)
                streams.start(np.array(words, np.uint64), deal, purpose, state)
                plain = PlainStream.of(words, deal, purpose)
                assert state.tolist() == plain.state
                assert [int(streams.next_word(state)) for _ in range(5)] == [plain.word() for _ in range(5)]
                assert state.tolist() == plain.state


def test_the_sub_streams_of_a_unit_all_differ():
    words = np.array(unit_words(1, 2, 3), np.uint64)
    made = set()
    for deal in range(32):
        for purpose in [
            *range(3),
            *(streams.strategy_purpose(k, seat) for k in range(4) for seat in range(4)),
        ]:
            state = np.zeros(4, np.uint64)
            streams.start(words, deal, purpose, state)
            made.add(tuple(state.tolist()))
    assert len(made) == 32 * 19


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 9, 10, 52, 2**31 + 11, 2**62 - 1, 2**62 + 1])
def test_every_value_has_equally_many_words(n):
    # A word w becomes the value v = w n div 2**64 and is drawn again when w n mod 2**64 < 2**64 mod n. So each
    # value has one block of accepted words; the ends of every block are tried, and all blocks are equally long.
    excess = WORD % n
    some = range(n) if n < 100 else [0, 1, n // 2, n - 2, n - 1]
    for value in some:
        first = -(-(value * WORD + excess) // n)
        last = -(-(value + 1) * WORD // n) - 1
        assert last - first + 1 == WORD // n
        for word in (first, last):
            assert first_draw(word, n) == value
        if first > 0:
            assert first_draw(first - 1, n) in ("again", value - 1)
        if last < WORD - 1:
            assert first_draw(last + 1, n) in ("again", value + 1)


def first_draw(word, n):
    """What the first word gives: a value, or "again" when another word was drawn."""
    state = np.array(state_for(word), np.uint64)
    value = streams.draw_below(state, n)
    plain = PlainStream(state_for(word))
    assert value == plain.below(n)
    assert state.tolist() == plain.state
    once = PlainStream(state_for(word))
    once.word()
    return int(value) if state.tolist() == once.state else "again"


def test_a_rejected_word_is_drawn_again():
    assert first_draw(0, 3) == "again"
    assert first_draw(0, 4) == 0


@pytest.mark.parametrize(
    ("size", "count"), [(32, 8), (24, 7), (11, 7), (8, 8), (10, 3), (62, 8), (1, 1), (5, 1)]
)
def test_a_hand_is_taken_as_defined_also_at_the_edge_of_bias(size, count):
    source = random.Random(size * 100 + count)
    deck = sum(1 << card for card in source.sample(range(62), size))
    cards = [card for card in range(62) if deck >> card & 1]
    hands = math.perm(size, count)
    excess = WORD % hands
    twos = (hands & -hands).bit_length() - 1
    # Words whose digits leave a rest around the edge: rest = word * hands mod 2**64, a multiple of 2**twos.
    inverse = pow(hands >> twos, -1, WORD >> twos)
    rests = [excess - (2 << twos), excess - (1 << twos), excess, excess + (1 << twos), 0]
    words = [(rest >> twos) * inverse % (WORD >> twos) for rest in rests if 0 <= rest < WORD]
    words += [source.getrandbits(64) for _ in range(50)]
    again = 0
    for word in words:
        holder, plain = holder_of(state_for(word)), PlainStream(state_for(word))
        taken = streams.take(holder, deck, count)
        assert [card for card in range(62) if taken >> card & 1] == plain.take(list(cards), count)
        assert holder.stream.tolist() == plain.state
        once = PlainStream(state_for(word))
        once.word()
        again += plain.state != once.state
    assert (again > 0) == (excess > 0)


def test_draws_from_a_view_use_its_own_stream():
    for state in states():
        view = np.zeros(1, VIEW).view(np.recarray)[0]
        view.stream[:] = np.array(state, np.uint64)
        view.legal = 0b1011010
        plain = PlainStream(state)
        assert [streams.below(view, n) for n in (1, 6, 7, 10**6)] == [
            plain.below(n) for n in (1, 6, 7, 10**6)
        ]
        assert [streams.uniform(view) for _ in range(3)] == [plain.uniform() for _ in range(3)]
        assert [streams.choose(view) for _ in range(9)] == [(1, 3, 4, 6)[plain.below(4)] for _ in range(9)]
        assert view.stream.tolist() == plain.state


def test_types_are_as_declared():
    state, view = np.array([1, 2, 3, 4], np.uint64), np.zeros(1, VIEW).view(np.recarray)[0]
    view.stream[:], view.legal = state, 7
    calls = {
        streams.next_word: (types.uint64, (state,)),
        streams.draw_below: (types.int64, (state, 6)),
        streams.take: (types.int64, (holder_of(state), 255, 3)),
        streams.below: (types.int64, (view, 6)),
        streams.choose: (types.int64, (view,)),
        streams.uniform: (types.float64, (view,)),
        streams.strategy_purpose: (types.int64, (0, 3)),
    }
    for function, (expected, arguments) in calls.items():
        function(*arguments)
        assert {result.signature.return_type for result in function.overloads.values()} == {expected}, (
            function
        )


@jit
def deal_many(table, seed, tag, deal, units, together, held):
    """Deal one deal of many units: pairs of cards that seat 2 holds together, and who holds each card."""
    for unit in range(units):
        streams.philox(seed, tag, unit, table.words)
        kernel.start_deal(table, deal)
        for i in range(32):
            for seat in range(4):
                held[seat, i] += table.hands[seat] >> i & 1
            for j in range(32):
                together[i, j] += (table.hands[2] >> i) & (table.hands[2] >> j) & 1


@pytest.mark.parametrize("deal", [0, 1, 2, 3, 4, 5, 6, 7])
def test_deals_are_uniform(deal):
    # Over N deals the counts of a fixed-size hand are asymptotically normal. Their covariance is constant on the
    # deviations of single cards (31 dimensions) and on what is left of the pairs (464, the Johnson scheme).
    deals, size, p_least = 20_000, 8 - deal, 1e-4
    table = kernel.view.empty(kernel.TABLE).view(np.recarray)[0]
    together, held = np.zeros((32, 32), np.int64), np.zeros((4, 32), np.int64)
    deal_many(table, np.uint64(1), np.uint64(streams.stream_tag("bridzik", 1)), deal, deals, together, held)
    assert (held.sum(1) == deals * size).all()
    share = size / 32
    singles = ((held - deals * share) ** 2).sum(1) / (deals * share * (1 - share) * 32 / 31)
    assert chi2.sf(singles, 31).min() > p_least
    left_over = ((held.sum(0) - 4 * deals * share) ** 2).sum()
    if size < 8:
        assert chi2.sf(left_over / (deals * 4 * share * (1 - 4 * share) * 32 / 31), 31) > p_least
    if size < 2:
        return
    two, three, four = (math.perm(size, k) / math.perm(32, k) for k in (2, 3, 4))
    upper = np.triu_indices(32, 1)
    deviations = together - deals * two
    np.fill_diagonal(deviations, 0)
    of_singles = (deviations.sum(1) ** 2).sum() / 30
    of_pairs = (deviations[upper] ** 2).sum() - of_singles
    variance = (two - four) - 2 * (three - four)
    assert chi2.sf(of_pairs / (deals * variance), 464) > p_least
