"""What plain engines share: the random stream against published values, the judgement of answers."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import (
    PlainStream,
    SeatView,
    checked_answer,
    mix64,
    stream_tag,
    unit_words,
)


def test_philox_splitmix_and_xoshiro_give_their_published_values():
    zero_block = [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert unit_words(0, 0, 0) == zero_block
    assert mix64(1234567 + 0x9E3779B97F4A7C15) == 6457827717110365317
    stream = PlainStream([1, 2, 3, 4])
    words = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [stream.word() for _ in words] == words


def test_sub_streams_follow_splitmix_of_deal_and_purpose():
    first, second = 6457827717110365317, 3203168211198807973
    assert PlainStream.of([1234567] * 4, 0, 0).state == [first] * 4
    assert PlainStream.of([1234567] * 4, 0, 1).state == [second] * 4
    assert PlainStream.of([5], 3, 7).state == [mix64((5 + (3 * 2**32 + 8) * 0x9E3779B97F4A7C15) % 2**64)]
    tag = hashlib.blake2b(b"1/bridzik/1", digest_size=8).digest()
    assert stream_tag("bridzik", 1) == int.from_bytes(tag, "little")


class GivenWords(PlainStream):
    def __init__(self, words):
        super().__init__([1, 2, 3, 4])
        self.given = list(words)

    def word(self):
        return self.given.pop(0)


def test_words_that_would_bias_are_drawn_again():
    # 2**64 = 1 modulo 3: of the products only the one with low half 0 is in excess.
    assert GivenWords([0, 2**63]).below(3) == 1
    # 2**64 = 16 modulo 90 = 10 * 9: the word 0 is in excess, the last word takes the tops of 10 and of 9.
    deck = list(range(10))
    assert GivenWords([0, 2**64 - 1]).take(deck, 2) == [8, 9]
    assert deck == list(range(8))


def test_below_uniform_and_take_stay_in_range():
    stream = PlainStream.of([1, 2, 3, 4], 0, 0)
    assert {stream.below(3) for _ in range(60)} == {0, 1, 2}
    assert all(stream.below(2**63 + 1) <= 2**63 and 0 <= stream.uniform() < 1 for _ in range(50))
    deck = list(range(10))
    taken = stream.take(deck, 4)
    assert (len(taken), deck, taken) == (4, sorted(deck), sorted(taken))
    assert sorted(taken + deck) == list(range(10))
    with pytest.raises(ValueError, match="cannot take 7 of 6"):
        stream.take(deck, 7)
    with pytest.raises(ValueError, match="one word is too short"):
        stream.take(list(range(52)), 13)


@pytest.mark.parametrize(
    "answer",
    [
        True,
        1.0,
        None,
        "1",
        -1,
        2,
        63,
        10**30,
        np.float64(1),
        np.bool_(True),
        np.array(1),
        np.timedelta64(1, "s"),
    ],
    ids=repr,
)
def test_only_legal_integers_are_answers(answer):
    assert checked_answer(answer, 0b1011) is None


@pytest.mark.parametrize("answer", [1, np.int8(1), np.uint64(1), np.int64(1)])
def test_python_and_numpy_integers_are_answers(answer):
    assert type(checked_answer(answer, 0b1011)) is int


def test_a_view_shows_its_fields_also_where_numpy_has_attributes_of_that_name():
    dtype = np.dtype([("size", "int64"), ("bids", "int64", (4,))])
    view = SeatView(dtype)
    view.write({"size": 8, "bids": [1, 2, 3, 4]})
    assert view.record.size == 8
    assert view.record.copy().size == 8
    assert list(view.record.bids) == [1, 2, 3, 4]
    view.record.size = 5
    assert view.record["size"] == 5
    assert set(dir(np.record)) & set(VIEW.names) <= {"size"}
