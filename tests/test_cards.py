"""Masks of cards: the compiled helpers against Python integers; names of cards."""

import random

import pytest
from numba import types

from bridzik_sim import cards
from bridzik_sim.cards import Deck, highest, lowest, nth, nth_bit, popcount

DECK = Deck(("H", "L", "A", "B"), ("7", "8", "9", "10", "J", "Q", "K", "A"))


def masks():
    """Random masks of up to 62 cards, sparse and dense ones, and single cards."""
    source = random.Random(7)
    dense = [source.getrandbits(62) for _ in range(100)]
    sparse = [source.getrandbits(62) & source.getrandbits(62) & source.getrandbits(62) for _ in range(100)]
    narrow = [source.getrandbits(32) for _ in range(100)]
    return [mask for mask in dense + sparse + narrow if mask] + [1 << card for card in range(62)]


def ids(mask):
    return [card for card in range(64) if mask >> card & 1]


def selections():
    ways = [cards.nth_bit_portable]
    return [*ways, cards.nth_bit_pdep] if cards.has_pdep() else ways


def test_counting_and_ends_agree_with_python():
    for mask in masks():
        assert popcount(mask) == mask.bit_count()
        assert lowest(mask) == ids(mask)[0]
        assert highest(mask) == ids(mask)[-1]


def test_an_empty_mask_has_no_cards_and_ends_outside():
    assert (popcount(0), lowest(0), highest(0)) == (0, 64, -1)


@pytest.mark.parametrize("select", selections(), ids=lambda way: way.py_func.__name__)
def test_the_rth_card_agrees_with_python(select):
    for mask in masks():
        for r, card in enumerate(ids(mask)):
            assert select(mask, r) == 1 << card


def test_the_chosen_way_gives_ids():
    assert nth_bit in selections()
    for mask in masks():
        assert [nth(mask, r) for r in range(mask.bit_count())] == ids(mask)


def test_another_processor_is_not_given_this_ones_instruction(monkeypatch):
    monkeypatch.setattr(cards.config, "CPU_NAME", "generic")
    assert not cards.has_pdep()


def test_everything_stays_int64():
    for function in (popcount, lowest, highest):
        function(5)
        assert {result.signature.return_type for result in function.overloads.values()} == {types.int64}
    for function in (nth, *selections()):
        function(5, 1)
        assert {result.signature.return_type for result in function.overloads.values()} == {types.int64}


def test_names_and_ids_round_trip():
    names = DECK.names(2**32 - 1)
    assert (names[0], names[3], names[31]) == ("H7", "H10", "BA")
    assert [DECK.id(name) for name in names] == list(range(32))
    assert DECK.mask(names) == 2**32 - 1
    assert DECK.names(DECK.mask(["BA", "L10", "H7", "H7"])) == ["H7", "L10", "BA"]
    assert DECK.mask([]) == 0
    assert DECK.names(0) == []


@pytest.mark.parametrize("name", ["", "H", "7", "H11", "X7", "h7", "H7 ", "7H"])
def test_no_card_has_another_name(name):
    with pytest.raises(ValueError, match="no card is called"):
        DECK.id(name)
    with pytest.raises(ValueError, match="no card is called"):
        DECK.mask(["H7", name])
