"""The compiled kernel against the plain reference, move by move, over 2,000 whole games.

See ``kernel_checks`` for how views are compared.
"""

import kernel_checks
import numpy as np
import pytest
from kernel_checks import (
    SEED,
    counts_of,
    last_hashes,
    rows_of,
    strategies,
)

from bridzik_sim import jit
from bridzik_sim.cards import lowest
from bridzik_sim.games.bridzik import kernel, reference
from bridzik_sim.games.bridzik.rules import DEALS, GAME, POINTS, VIEW
from bridzik_sim.games.plain import stream_tag, unit_words
from bridzik_sim.games.seats import IllegalAnswer
from bridzik_sim.streams import choose

PARTS, UNITS = 8, 63  # in 4 seatings each: 2,016 games
SEATINGS = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])
ALL_SIZES = [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.fixture(scope="module")
def watching():
    """``watch`` and the four strategies."""
    return strategies(VIEW, kernel.VIEW_TYPE)


@pytest.fixture(scope="module")
def functions(watching):
    return watching[1]


@pytest.fixture
def hashes(monkeypatch):
    return last_hashes(monkeypatch, kernel)


def chunk_of(functions, first, stop, seatings=SEATINGS, sizes=ALL_SIZES, forfeit=False, seed=SEED):
    rows = (stop - first) * len(seatings) * sum(4 for deal in range(DEALS) if 8 - deal % 8 in sizes)
    options = {"hand_sizes": sizes}
    return kernel_checks.chunk_of(GAME, functions, first, stop, seatings, options, rows, forfeit, seed)


def play_by_reference(functions, unit, seating, sizes=ALL_SIZES, **options):
    """The record of a game and the players' hashes."""
    how = {"hand_sizes": sizes, **options}
    record, players = kernel_checks.play_by_reference(
        GAME, functions, SEATINGS[seating], unit, seating, **how
    )
    return record, [player.hash for player in players]


@pytest.mark.parametrize("part", range(PARTS))
def test_players_see_and_do_the_same_in_whole_games(part, functions, hashes):
    for unit in range(part * UNITS, (part + 1) * UNITS):
        rows = []
        for seating in range(len(SEATINGS)):
            record, expected = play_by_reference(functions, unit, seating)
            rows += rows_of(record, SEATINGS[seating], unit, seating)
            chunk = chunk_of(functions, unit, unit + 1, SEATINGS[: seating + 1])
            kernel.play_chunk(chunk)
            assert hashes(4) == expected, (unit, seating)
            assert list(map(tuple, chunk.rows.tolist())) == rows, (unit, seating)


@pytest.mark.parametrize("sizes", [[1], [8], [3, 7], [1, 2, 4, 5, 6, 8]])
def test_shortened_games_are_the_same_too(sizes, functions, hashes):
    for unit in range(1000, 1010):
        record, expected = play_by_reference(functions, unit, 0, sizes)
        chunk = chunk_of(functions, unit, unit + 1, SEATINGS[:1], sizes)
        kernel.play_chunk(chunk)
        assert hashes(4) == expected
        assert list(map(tuple, chunk.rows.tolist())) == rows_of(record, SEATINGS[0], unit, 0)


def test_hands_are_dealt_as_by_the_reference():
    table = kernel.view.empty(kernel.TABLE).view(np.recarray)[0]
    for unit in [*range(100), 2**40, 2**63 - 1]:
        words = unit_words(SEED, stream_tag("bridzik", 1), unit)
        table.words[:] = np.array(words, np.uint64)
        for deal in range(DEALS):
            kernel.start_deal(table, deal)
            expected = [sum(1 << card for card in hand) for hand in reference.deal_hands(words, deal)]
            assert table.hands.tolist() == expected


def test_counts_follow_from_the_rows(functions):
    chunk = chunk_of(functions, 50, 70)
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [0, 20]
    expected = counts_of(GAME, SEATINGS, chunk.rows)
    assert set(expected) == set(chunk.counts)
    for name, counts in chunk.counts.items():
        assert np.array_equal(counts, expected[name]), name


def test_counts_add_up_however_units_are_cut(functions):
    whole = chunk_of(functions, 0, 30)
    kernel.play_chunk(whole)
    pieces = [chunk_of(functions, first, stop) for first, stop in ((0, 1), (1, 17), (17, 30))]
    for piece in pieces:
        kernel.play_chunk(piece)
    for name, counts in whole.counts.items():
        assert np.array_equal(counts, sum(piece.counts[name] for piece in pieces)), name
    assert np.array_equal(whole.rows, np.concatenate([piece.rows for piece in pieces]))


@pytest.mark.parametrize("unit", [0, 1, 2])
@pytest.mark.parametrize("answer", [-(2**63), -1, 9, 31, 62, 63, 64, 2**40, 2**63 - 1])
def test_illegal_answers_forfeit_to_the_lowest_legal_one(answer, unit, watching, hashes):
    watch, functions = watching
    bad = np.int64(answer)

    def sometimes(view):
        watch(view)
        return bad if view.deal % 3 == 0 and view.seat != 2 else choose(view)

    function = jit.jit(sometimes)
    function.compile((kernel.VIEW_TYPE,))
    bad_ones = (function, *functions[1:])
    record, expected = play_by_reference(bad_ones, unit, 3, [1, 3, 8], on_error="forfeit")
    chunk = chunk_of(bad_ones, unit, unit + 1, SEATINGS, [1, 3, 8], forfeit=True)
    kernel.play_chunk(chunk)
    assert hashes(4) == expected
    assert list(map(tuple, chunk.rows.tolist()))[-4 * len(record.deals) :] == rows_of(
        record, SEATINGS[3], unit, 3
    )
    alone = chunk_of(bad_ones, unit, unit + 1, SEATINGS[3:], [1, 3, 8], forfeit=True)
    kernel.play_chunk(alone)
    faults = [record.fault_count(seat, "illegal") for seat in range(4)]
    if answer in (9, 31):  # a card that may happen to be legal; with this seating the streams differ
        return
    assert sum(faults) > 0
    assert alone.counts["faults"][0, 0] == sum(faults)
    stopping = chunk_of(bad_ones, unit, unit + 1)
    with pytest.raises(IllegalAnswer):
        kernel.play_chunk(stopping)


def test_exceptions_of_strategies_come_out(functions):
    def breaks(view):
        if view.deal == 5:
            raise ValueError("the fifth deal")
        return lowest(view.legal)

    function = jit.jit(breaks)
    function.compile((kernel.VIEW_TYPE,))
    chunk = chunk_of((*functions[:3], function), 0, 5)
    with pytest.raises(ValueError, match="the fifth deal"):
        kernel.play_chunk(chunk)
    assert chunk.control[1] == 0


def test_a_stop_is_obeyed_between_units(functions):
    chunk = chunk_of(functions, 0, 5)
    chunk.control[0] = 1
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [1, 0]
    assert not any(counts.any() for counts in chunk.counts.values())


def test_the_highest_possible_score_fits(functions):
    # A lane holds 15 bits; a game has at most this many points.
    assert POINTS.highest < 2**15
