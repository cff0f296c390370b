"""The compiled kernel of honeymoon bridge against the plain reference, decision by decision, over whole matches.

All vulnerabilities are played; see ``kernel_checks`` for how views are compared.
"""

from itertools import product

import numpy as np
import pytest
from contract_tallies import counts_of, rows_of
from honeymoon_games import SEATINGS, chunk_of, compare, events_of, game_of, pick, play_by_reference
from kernel_checks import ENTRANTS, LABELS, last_hashes, match_of, strategies

from bridzik_sim import tally
from bridzik_sim.cards import lowest
from bridzik_sim.games.honeymoon import kernel
from bridzik_sim.games.honeymoon.rules import GAME, VIEW
from bridzik_sim.games.seats import IllegalAnswer, NoRoom
from bridzik_sim.jit import jit

DEFAULTS = GAME.parse_options({})
RARE = {
    *("passed out", "won", "tied", "small slam", "grand slam", "overtricks", "more than 12 calls"),
    *("declarer leads", "declarer follows", "opened by the dealer's opponent"),
    *(
        f"{result}{doubled}{vulnerable}"
        for result, doubled, vulnerable in product(
            ("made", "down"), ("", " doubled", " redoubled"), ("", " vulnerable")
        )
    ),
    *(f"vulnerable {mask}, dealer {dealer}" for mask, dealer in product(range(4), range(2))),
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


def test_players_see_and_do_the_same_in_whole_matches(functions, hashes):
    met = set()
    for number, vulnerability in enumerate(("cycle", "random", "none", "both")):
        units, options = (
            range(3 * number, 3 * number + 3),
            DEFAULTS | {"vulnerability": vulnerability, "deals": 9},
        )
        games = [game for unit in units for game in compare(functions, hashes, unit, SEATINGS, options)]
        chunk = chunk_of(functions, units.start, units.stop, SEATINGS, options)
        kernel.play_chunk(chunk)
        assert chunk.control.tolist() == [0, len(units)]
        expected = counts_of(game_of(options), SEATINGS, games)
        assert set(expected) == set(chunk.counts)
        for name, counts in chunk.counts.items():
            assert np.array_equal(counts, expected[name]), (name, options)
        met |= {event for *_, record in games for event in events_of(record)}
    assert met >= RARE, RARE - met


def test_the_longest_auction_is_played_to_its_end(watching, hashes):
    watch, functions = watching

    @jit
    def linger(view):
        watch(view)
        if view.phase != 1 or view.n_calls == 0:
            return lowest(view.legal)
        doubles, bids = view.legal >> 36, view.legal & ~1
        return 35 + lowest(doubles) + 1 if doubles else lowest(bids) if bids else 0

    linger.compile((kernel.VIEW_TYPE,))
    players, options = (linger, *functions[1:]), DEFAULTS | {"deals": 2}
    seatings = np.array([[0, 0]])
    ((*_, record),) = compare(players, hashes, 3, seatings, options)
    assert [len(deal.calls) for deal in record.deals] == [107, 107]


def test_par_is_counted_besides_and_is_what_the_reference_finds(functions):
    seatings, options = SEATINGS[:2], DEFAULTS | {"deals": 3}
    without = chunk_of(functions, 0, 2, seatings, options)
    judged = chunk_of(functions, 0, 2, seatings, options | {"par": "on"})
    for chunk in (without, judged):
        kernel.play_chunk(chunk)
    assert np.array_equal(without.rows, judged.rows)
    for name in {*without.counts} - {"total", "product"}:
        assert np.array_equal(without.counts[name], judged.counts[name]), name
    vectors = np.zeros((2, 3, ENTRANTS), np.int64)
    for unit, (seating, entrants) in product(range(2), enumerate(seatings.tolist())):
        record, _ = play_by_reference(functions, unit, seatings, seating, options | {"par": "on"})
        for deal, (seat, who) in product(record.deals, enumerate(entrants)):
            own = ((deal.par, -deal.par)[seat], deal.auction_lost[seat], deal.play_lost[seat])
            vectors[unit, :, who] += own
    flat, size = vectors.reshape(2, -1), 2 * ENTRANTS
    assert vectors[:, 1:].min() == 0 < vectors[:, 1:].sum()
    assert np.array_equal(judged.counts["total"][:size], without.counts["total"])
    assert np.array_equal(judged.counts["total"][size:], flat.sum(0))
    assert np.array_equal(judged.counts["product"][:size, :size], without.counts["product"])
    assert np.array_equal(judged.counts["product"][size:, size:], flat.T @ flat)


def test_counts_add_up_however_units_are_cut_and_the_reference_counts_alike(functions):
    options = DEFAULTS | {"deals": 3}
    whole = chunk_of(functions, 0, 4, SEATINGS, options)
    kernel.play_chunk(whole)
    pieces = [chunk_of(functions, first, stop, SEATINGS, options) for first, stop in ((0, 1), (1, 3), (3, 4))]
    for piece in pieces:
        kernel.play_chunk(piece)
    plain = tally.zeros(game_of(options).tallies(LABELS, match_of(SEATINGS)))
    count, close_unit = kernel.count_units(plain, match_of(SEATINGS))
    rows = []
    for unit in range(4):
        for seating in range(len(SEATINGS)):
            record, _ = play_by_reference(functions, unit, SEATINGS, seating, options)
            made = count(record, seating)
            made[:, 0] = unit
            rows.append(made)
        close_unit(unit)
    for name, counts in whole.counts.items():
        assert np.array_equal(counts, sum(piece.counts[name] for piece in pieces)), name
        assert np.array_equal(counts, plain[name]), name
    assert np.array_equal(whole.rows, np.concatenate([piece.rows for piece in pieces]))
    assert np.array_equal(whole.rows, np.concatenate(rows))


@pytest.mark.parametrize("answer", [-1, 54, 64, 2**63 - 1])
def test_illegal_answers_forfeit_to_the_lowest_legal_one(answer, watching, hashes):
    watch, functions = watching
    bad = np.int64(answer)

    @jit
    def always(view):
        watch(view)
        return bad

    always.compile((kernel.VIEW_TYPE,))
    seatings, options = np.array([[0, 3]]), DEFAULTS | {"deals": 2}
    players = (always, *functions[1:])
    record, expected = play_by_reference(players, 5, seatings, 0, options, on_error="forfeit")
    chunk = chunk_of(players, 5, 6, seatings, options, forfeit=True)
    kernel.play_chunk(chunk)
    assert hashes(2) == expected
    assert list(map(tuple, chunk.rows.tolist())) == rows_of(record, seatings[0], 5, 0)
    assert {fault.decision for fault in record.faults} == {"call", "play"}
    assert chunk.counts["faults"][:, 0].tolist() == [record.fault_count(0, "illegal"), 0, 0, 0]
    with pytest.raises(IllegalAnswer):
        kernel.play_chunk(chunk_of(players, 5, 6, seatings, options))


def test_exceptions_of_strategies_come_out(functions):
    @jit
    def breaks(view):
        if view.deal == 1 and view.phase == 1:
            raise ValueError("the second auction")
        return lowest(view.legal)

    breaks.compile((kernel.VIEW_TYPE,))
    chunk = chunk_of((*functions[:3], breaks), 0, 5, SEATINGS, DEFAULTS)
    with pytest.raises(ValueError, match="the second auction"):
        kernel.play_chunk(chunk)
    assert chunk.control[1] == 0


def test_rows_that_do_not_fit_stop_the_kernel(functions):
    with pytest.raises(NoRoom):
        kernel.play_chunk(chunk_of(functions, 0, 1, SEATINGS, DEFAULTS, rows=5))


def test_a_stop_is_obeyed_between_units(functions):
    chunk = chunk_of(functions, 0, 5, SEATINGS, DEFAULTS)
    chunk.control[0] = 1
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [1, 0]
    assert not any(counts.any() for counts in chunk.counts.values())
