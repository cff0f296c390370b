"""The compiled kernel of bridge against the plain reference, decision by decision, over some hundred games.

All scorings, declarers and honours are played; see ``kernel_checks`` for how views are compared.
``bench/bridge_differential.py`` does the same for as many games as one likes.
"""

from itertools import product

import numpy as np
import pytest
from bridge_games import BOARDS, RUBBERS, chunk_of, compare, events_of, game_of, pick, play_by_reference
from contract_tallies import counts_of, rows_of
from kernel_checks import LABELS, last_hashes, match_of, strategies

from bridzik_sim import tally
from bridzik_sim.cards import lowest
from bridzik_sim.games.bridge import kernel
from bridzik_sim.games.bridge.rules import GAME, VIEW
from bridzik_sim.games.seats import IllegalAnswer, NoRoom
from bridzik_sim.jit import jit

DEFAULTS = GAME.parse_options({})
BOARD = DEFAULTS | {"scoring": "duplicate"}
CONTRACTS = {
    f"{result}{doubled}{vulnerable}"
    for result, doubled, vulnerable in product(
        ("made", "down"), ("", " doubled", " redoubled"), ("", " vulnerable")
    )
}
IN_RUBBERS = CONTRACTS | {
    *("passed out", "small slam", "grand slam", "overtricks", "won", "tied", "the last bidder declares"),
    *("two to none", "two to one", "game of several deals", "game in one deal", "part-score struck"),
    *("4 honours", "5 honours", "four aces", "unfinished, games 0:0", "unfinished, games 0:1"),
    *(
        "unfinished, games 1:1",
        "unfinished, one part-score",
        "unfinished, both to one",
        "unfinished, one each",
    ),
}
ON_BOARDS = {
    *("made", "made vulnerable", "made redoubled", "down", "down vulnerable", "overtricks"),
    *("passed out", "won", "tied", "the last bidder declares"),
}


@pytest.fixture(scope="module")
def watching():
    """``watch`` and the four strategies."""
    return strategies(VIEW, kernel.VIEW_TYPE, pick)


@pytest.fixture(scope="module")
def functions(watching):
    return watching[1]


@pytest.fixture
def hashes(monkeypatch):
    return last_hashes(monkeypatch, kernel)


def check_units(functions, hashes, units, seatings, options):
    """Compare games, rows and counts; returns the games."""
    games, counts = [], tally.zeros(game_of(options).tallies(LABELS, match_of(seatings)))
    for unit in units:
        played, counted = compare(functions, hashes, unit, seatings, options)
        games += played
        assert set(counted) == set(counts)
        for name in counts:
            counts[name] += counted[name]
    for name, expected in counts_of(game_of(options), seatings, games).items():
        assert np.array_equal(counts[name], expected), (name, options)
    return [record for *_, record in games]


def test_players_see_and_do_the_same_in_whole_rubbers(functions, hashes):
    met = set()
    for declarer, honours, max_deals, units in (
        ("laws", "on", 12, (4, 15, 22, 31)),
        ("last_bid", "off", 4, (34, 35)),
        ("last_bid", "on", 1, (1, 2)),
        ("laws", "off", 3, (3,)),
    ):
        options = {
            "declarer": declarer,
            "honours": honours,
            "max_deals": max_deals,
            "first_dealer": max_deals % 4,
        }
        for record in check_units(functions, hashes, units, RUBBERS, DEFAULTS | options):
            met |= {*events_of(record, honours == "on")}
    assert met >= IN_RUBBERS


def test_players_see_and_do_the_same_on_boards(functions, hashes):
    met = set()
    for declarer, units in (("laws", range(12)), ("last_bid", range(12, 18))):
        for record in check_units(functions, hashes, units, BOARDS, BOARD | {"declarer": declarer}):
            met |= {*events_of(record, False)}
    assert met >= ON_BOARDS


def test_given_boards_are_played_with_their_number_dealer_vulnerability_and_cards(functions, hashes):
    given = [
        "12 W EW AKQ2.J3.T98.5432 JT98.AKQ2.J3.T98 7654.T98.AKQ2.J7 3.7654.7654.AKQ6",
        "401 S both .AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432",
        "3 E none 3.7654.7654.AKQ6 AKQ2.J3.T98.5432 JT98.AKQ2.J3.T98 7654.T98.AKQ2.J7",
    ]
    options = GAME.parse_options({"scoring": "duplicate", "boards": given})
    records = check_units(functions, hashes, range(3), BOARDS, options)
    played = [record.deals[0] for record in records[:: len(BOARDS)]]
    assert [(deal.board, deal.dealer, deal.vulnerable) for deal in played] == [
        (12, 3, 2),
        (401, 2, 3),
        (3, 1, 0),
    ]
    assert played[1].hands == [[*range(13 * suit, 13 * suit + 13)] for suit in (2, 3, 1, 0)]


def test_counts_add_up_however_units_are_cut_and_the_reference_counts_alike(functions):
    for options, seatings in ((DEFAULTS | {"max_deals": 6}, RUBBERS), (BOARD, BOARDS)):
        whole = chunk_of(functions, 0, 4, seatings, options)
        kernel.play_chunk(whole)
        pieces = [chunk_of(functions, *cut, seatings, options) for cut in ((0, 1), (1, 3), (3, 4))]
        for piece in pieces:
            kernel.play_chunk(piece)
        plain = tally.zeros(game_of(options).tallies(LABELS, match_of(seatings)))
        count, close_unit = kernel.count_units(plain, match_of(seatings))
        rows = []
        for unit in range(4):
            for seating in range(len(seatings)):
                made = count(play_by_reference(functions, unit, seatings, seating, options)[0], seating)
                made[:, 0] = unit
                rows.append(made)
            close_unit(unit)
        for name, counts in whole.counts.items():
            assert np.array_equal(counts, sum(piece.counts[name] for piece in pieces)), name
            assert np.array_equal(counts, plain[name]), name
        filled = [chunk.rows[chunk.rows[:, 0] >= 0] for chunk in (whole, *pieces)]
        assert np.array_equal(filled[0], np.concatenate(filled[1:]))
        assert np.array_equal(filled[0], np.concatenate(rows))


@pytest.mark.parametrize("answer", [-1, 52, 2**63 - 1])
def test_illegal_answers_forfeit_to_the_lowest_legal_one(answer, watching, hashes):
    watch, functions = watching
    bad = np.int64(answer)

    @jit
    def always(view):
        watch(view)
        return bad

    always.compile((kernel.VIEW_TYPE,))
    seatings, options = np.array([[0, 1, 0, 1]]), DEFAULTS | {"max_deals": 4}
    players = (always, *functions[1:])
    record, expected = play_by_reference(players, 5, seatings, 0, options, on_error="forfeit")
    chunk = chunk_of(players, 5, 6, seatings, options, forfeit=True)
    kernel.play_chunk(chunk)
    assert hashes(4) == expected
    filled = chunk.rows[chunk.rows[:, 0] >= 0]
    assert list(map(tuple, filled.tolist())) == rows_of(record, seatings[0], 5, 0)
    assert {fault.decision for fault in record.faults} == {"call", "play"}
    faults = [record.fault_count(seat, "illegal") for seat in range(4)]
    assert chunk.counts["faults"][:, 0].tolist() == [faults[0] + faults[2], faults[1] + faults[3], 0, 0]
    assert faults[1] == faults[3] == 0
    with pytest.raises(IllegalAnswer):
        kernel.play_chunk(chunk_of(players, 5, 6, seatings, options))


def test_exceptions_of_strategies_come_out(functions):
    @jit
    def breaks(view):
        if view.deal == 1:
            raise ValueError("the second deal")
        return lowest(view.legal)

    breaks.compile((kernel.VIEW_TYPE,))
    chunk = chunk_of((*functions[:3], breaks), 0, 5, RUBBERS, DEFAULTS)
    with pytest.raises(ValueError, match="the second deal"):
        kernel.play_chunk(chunk)
    assert chunk.control[1] == 0


def test_rows_that_do_not_fit_stop_the_kernel(functions):
    chunk = chunk_of(functions, 0, 1, RUBBERS, DEFAULTS, rows=5)
    with pytest.raises(NoRoom):
        kernel.play_chunk(chunk)


def test_a_stop_is_obeyed_between_units(functions):
    chunk = chunk_of(functions, 0, 5, BOARDS, BOARD)
    chunk.control[0] = 1
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [1, 0]
    assert not any(counts.any() for counts in chunk.counts.values())
