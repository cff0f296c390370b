"""The compiled kernel of Czech Fool against the plain reference, move by move, over some hundred whole games.

All numbers of players, decks and other options are played; see ``kernel_checks`` for how views are compared.
``bench/fool_differential.py`` does the same for as many games as one likes.
"""

from itertools import product

import numpy as np
import pytest
from fool_games import DEFAULTS, DRAWS, SEATINGS, chunk_of, compare, events_of, play_by_reference
from fool_tallies import counts_of, rows_of
from kernel_checks import LABELS, last_hashes, match_of, strategies

from bridzik_sim import tally
from bridzik_sim.cards import lowest
from bridzik_sim.games.fool import kernel
from bridzik_sim.games.fool.rules import GAME, VIEW
from bridzik_sim.games.seats import IllegalAnswer, NoRoom
from bridzik_sim.jit import jit

RARE = {
    *("won", "blocked", "capped", "capped, a card drawn", "capped, a suit chosen", "won, a card drawn"),
    *("passed", "passed with nothing to draw", "renewed", "all out"),
}


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


@pytest.mark.parametrize("deck", [52, 36])
@pytest.mark.parametrize("seats", SEATINGS)
def test_players_see_and_do_the_same_in_whole_games(seats, deck, functions, hashes):
    seatings, units, met = SEATINGS[seats], range(100, 103), set()
    for draw, max_turns in product(DRAWS, (7, 120)):
        options = {"deck": deck, "draw": draw, "max_turns": max_turns}
        games = [game for unit in units for game in compare(functions, hashes, unit, seatings, options)]
        chunk = chunk_of(functions, units.start, units.stop, seatings, options)
        kernel.play_chunk(chunk)
        assert chunk.control.tolist() == [0, len(units)]
        expected = counts_of(seatings, games)
        assert set(expected) == set(chunk.counts)
        for name, counts in chunk.counts.items():
            assert np.array_equal(counts, expected[name]), (name, options)
        met |= {event for *_, record in games for event in events_of(record, deck)}
    # A draw on an eight cannot fail in a game: what lies under the eight answers it.
    assert met >= RARE | ({"drawn for an eight"} if deck == 52 else set())
    assert "eight failed" not in met


def test_counts_add_up_however_units_are_cut_and_the_reference_counts_alike(functions):
    seatings, options = SEATINGS[3], DEFAULTS | {"max_turns": 30}
    whole = chunk_of(functions, 0, 4, seatings, options)
    kernel.play_chunk(whole)
    pieces = [chunk_of(functions, first, stop, seatings, options) for first, stop in ((0, 1), (1, 3), (3, 4))]
    for piece in pieces:
        kernel.play_chunk(piece)
    plain = tally.zeros(GAME.tallies(LABELS, match_of(seatings)))
    count, close_unit = kernel.count_units(plain, match_of(seatings))
    rows = []
    for unit in range(4):
        for seating in range(len(seatings)):
            record, _ = play_by_reference(functions, unit, seatings, seating, options)
            made = count(record, seating)
            made[:, 0] = unit
            rows.append(made)
        close_unit(unit)
    for name, counts in whole.counts.items():
        assert np.array_equal(counts, sum(piece.counts[name] for piece in pieces)), name
        assert np.array_equal(counts, plain[name]), name
    filled = [chunk.rows[chunk.rows[:, 0] >= 0] for chunk in (whole, *pieces)]
    assert np.array_equal(filled[0], np.concatenate(filled[1:]))
    assert np.array_equal(filled[0], np.concatenate(rows))


@pytest.mark.parametrize("answer", [-1, 54, 64, 2**63 - 1])
def test_illegal_answers_forfeit_to_the_lowest_legal_one(answer, watching, hashes):
    watch, functions = watching
    bad = np.int64(answer)

    @jit
    def always(view):
        watch(view)
        return bad

    always.compile((kernel.VIEW_TYPE,))
    seatings, options = np.array([[0, 2, 0, 2]]), DEFAULTS | {"max_turns": 100}
    players = (always, *functions[1:])
    record, expected = play_by_reference(players, 5, seatings, 0, options, on_error="forfeit")
    chunk = chunk_of(players, 5, 6, seatings, options, forfeit=True)
    kernel.play_chunk(chunk)
    assert hashes(4) == expected
    filled = chunk.rows[chunk.rows[:, 0] >= 0]
    assert list(map(tuple, filled.tolist())) == rows_of(record, seatings[0], 5, 0)
    assert {fault.decision for fault in record.faults} == {"move", "suit"}
    faults = [record.fault_count(seat, "illegal") for seat in range(4)]
    assert chunk.counts["faults"][:, 0].tolist() == [faults[0] + faults[2], 0, faults[1] + faults[3], 0]
    with pytest.raises(IllegalAnswer):
        kernel.play_chunk(chunk_of(players, 5, 6, seatings, options))


def test_exceptions_of_strategies_come_out(functions):
    @jit
    def breaks(view):
        if view.deal == 1:
            raise ValueError("the second round")
        return lowest(view.legal)

    breaks.compile((kernel.VIEW_TYPE,))
    chunk = chunk_of((*functions[:3], breaks), 0, 5, SEATINGS[4], DEFAULTS)
    with pytest.raises(ValueError, match="the second round"):
        kernel.play_chunk(chunk)
    assert chunk.control[1] == 0


def test_rows_that_do_not_fit_stop_the_kernel(functions):
    chunk = chunk_of(functions, 0, 1, SEATINGS[4], DEFAULTS, rows=5)
    with pytest.raises(NoRoom):
        kernel.play_chunk(chunk)


def test_a_stop_is_obeyed_between_units(functions):
    chunk = chunk_of(functions, 0, 5, SEATINGS[3], DEFAULTS)
    chunk.control[0] = 1
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [1, 0]
    assert not any(counts.any() for counts in chunk.counts.values())
