"""The compiled kernel of Wizard against the plain reference, move by move, over some hundred whole games.

All options and numbers of players are played; see ``kernel_checks`` for how views are compared.
"""

from itertools import product

import kernel_checks
import numpy as np
import pytest
from kernel_checks import (
    LABELS,
    SEED,
    counts_of,
    last_hashes,
    match_of,
    rows_of,
    strategies,
)

from bridzik_sim import tally
from bridzik_sim.cards import lowest
from bridzik_sim.games.plain import stream_tag, unit_words
from bridzik_sim.games.seats import IllegalAnswer
from bridzik_sim.games.wizard import kernel, reference
from bridzik_sim.games.wizard.rules import GAME, VIEW
from bridzik_sim.jit import jit

SEATINGS = {
    3: np.array([[0, 1, 2], [3, 1, 0], [1, 1, 1]]),
    4: np.array([[0, 1, 2, 3], [1, 1, 0, 0], [0, 0, 0, 3]]),
    5: np.array([[0, 1, 2, 3, 0], [3, 1, 0, 1, 1], [2, 0, 1, 3, 3]]),
    6: np.array([[0, 1, 2, 3, 0, 1], [3, 2, 1, 1, 0, 0], [1, 0, 0, 0, 0, 0]]),
}
SEAT_COUNTS = tuple(SEATINGS)
CHOICES = {"wizard_trump": ("none", "dealer"), "sum_rule": ("on", "off"), "hidden_bids": ("off", "on")}
DEFAULTS = GAME.parse_options({})


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


def chunk_of(functions, first, stop, seatings, options=DEFAULTS, forfeit=False):
    seats, sizes = seatings.shape[1], options["hand_sizes"]
    deals = 60 // seats if sizes == "all" else len(sizes)
    rows = (stop - first) * len(seatings) * deals * seats
    return kernel_checks.chunk_of(GAME, functions, first, stop, seatings, options, rows, forfeit)


def play_by_reference(functions, unit, seatings, seating, options=DEFAULTS, **more):
    """The record of a game and the players' hashes."""
    how = options | more
    record, players = kernel_checks.play_by_reference(
        GAME, functions, seatings[seating], unit, seating, **how
    )
    return record, [player.hash for player in players]


def compare(functions, hashes, unit, seatings, options):
    """Play a unit in all seatings by both, and return the rows and the kinds of their deals."""
    rows, kinds, seats = [], [], seatings.shape[1]
    for seating, entrants in enumerate(seatings):
        record, expected = play_by_reference(functions, unit, seatings, seating, options)
        rows += rows_of(record, entrants, unit, seating)
        kinds += [deal.kind for deal in record.deals for _ in entrants]
        chunk = chunk_of(functions, unit, unit + 1, seatings[: seating + 1], options)
        kernel.play_chunk(chunk)
        assert hashes(seats) == expected, (unit, seating, options)
        assert list(map(tuple, chunk.rows.tolist())) == rows, (unit, seating, options)
    return rows, kinds


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("values", [*product(*CHOICES.values())], ids="-".join)
def test_players_see_and_do_the_same_in_whole_games(values, seats, functions, hashes):
    options = DEFAULTS | dict(zip(CHOICES, values, strict=True))
    seatings, units = SEATINGS[seats], range(100, 103)
    made = [compare(functions, hashes, unit, seatings, options) for unit in units]
    rows, kinds = (np.concatenate(column) for column in zip(*made, strict=True))
    chunk = chunk_of(functions, units.start, units.stop, seatings, options)
    kernel.play_chunk(chunk)
    assert np.array_equal(chunk.rows, rows)
    assert chunk.control.tolist() == [0, len(units)]
    expected = counts_of(GAME, seatings, rows, kinds)
    assert set(expected) == set(chunk.counts)
    for name, counts in chunk.counts.items():
        assert np.array_equal(counts, expected[name]), name


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("sizes", [[1], [2, 7, 10], [1, 2, 3, 4, 5, 6, 8, 9]], ids=str)
@pytest.mark.parametrize("first_dealer", ["random", 0, 2])
def test_shortened_games_and_given_dealers_are_the_same_too(first_dealer, sizes, seats, functions, hashes):
    options = DEFAULTS | {"hand_sizes": sizes, "first_dealer": first_dealer, "wizard_trump": "dealer"}
    for unit in range(1000, 1003):
        compare(functions, hashes, unit, SEATINGS[seats][:1], options)


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_hands_are_dealt_as_by_the_reference(seats):
    table = kernel.view.empty(kernel.TABLE).view(np.recarray)[0]
    table.seats = seats
    for unit in [*range(10), 2**40, 2**63 - 1]:
        words = unit_words(SEED, stream_tag("wizard", 1), unit)
        table.words[:] = np.array(words, np.uint64)
        table.first_dealer = -1
        assert kernel.first_dealer(table) == reference.first_dealer_of(words, seats)
        for deal in range(60 // seats):
            dealer = (unit + deal) % seats
            kernel.start_deal(table, deal, dealer)
            hands, trump_card = reference.deal_cards(words, deal, seats, (dealer + 1) % seats)
            assert table.hands.tolist()[:seats] == [sum(1 << card for card in hand) for hand in hands]
            assert table.trump_card == trump_card


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_counts_add_up_however_units_are_cut_and_the_reference_counts_alike(seats, functions):
    seatings = SEATINGS[seats]
    options = DEFAULTS | {"hand_sizes": [1, 3, 4]}
    whole = chunk_of(functions, 0, 12, seatings, options)
    kernel.play_chunk(whole)
    pieces = [
        chunk_of(functions, first, stop, seatings, options) for first, stop in ((0, 1), (1, 7), (7, 12))
    ]
    for piece in pieces:
        kernel.play_chunk(piece)
    plain = tally.zeros(GAME.tallies(LABELS, match_of(seatings)))
    count, close_unit = kernel.count_units(plain, match_of(seatings))
    for unit in range(12):
        for seating in range(len(seatings)):
            count(play_by_reference(functions, unit, seatings, seating, options)[0], seating)
        close_unit(unit)
    for name, counts in whole.counts.items():
        assert np.array_equal(counts, sum(piece.counts[name] for piece in pieces)), name
        assert np.array_equal(counts, plain[name]), name
    assert np.array_equal(whole.rows, np.concatenate([piece.rows for piece in pieces]))


@pytest.mark.parametrize("answer", [-1, 60, 64, 2**63 - 1])
def test_illegal_answers_forfeit_to_the_lowest_legal_one(answer, watching, hashes):
    watch, functions = watching
    bad = np.int64(answer)

    @jit
    def always(view):
        watch(view)
        return bad

    always.compile((kernel.VIEW_TYPE,))
    seatings = np.array([[0, 2, 0, 2]])
    players = (always, *functions[1:])
    # In this unit a wizard is turned up, so that a trump is chosen.
    options = DEFAULTS | {"hand_sizes": [1, 2, 3, 4, 5], "wizard_trump": "dealer", "first_dealer": 0}
    unit = next(
        unit
        for unit in range(1000)
        if any(
            deal.trump_card in range(52, 56) and deal.dealer % 2 == 0
            for deal in play_by_reference(functions, unit, seatings, 0, options)[0].deals
        )
    )
    record, expected = play_by_reference(players, unit, seatings, 0, options, on_error="forfeit")
    chunk = chunk_of(players, unit, unit + 1, seatings, options, forfeit=True)
    kernel.play_chunk(chunk)
    assert hashes(4) == expected
    assert list(map(tuple, chunk.rows.tolist())) == rows_of(record, seatings[0], unit, 0)
    assert {fault.decision for fault in record.faults} >= {"trump", "bid"}
    faults = [record.fault_count(seat, "illegal") for seat in range(4)]
    assert chunk.counts["faults"][:, 0].tolist() == [faults[0] + faults[2], 0, faults[1] + faults[3], 0]
    with pytest.raises(IllegalAnswer):
        kernel.play_chunk(chunk_of(players, unit, unit + 1, seatings, options))


def test_exceptions_of_strategies_come_out(functions):
    @jit
    def breaks(view):
        if view.deal == 5:
            raise ValueError("the sixth deal")
        return lowest(view.legal)

    breaks.compile((kernel.VIEW_TYPE,))
    chunk = chunk_of((*functions[:3], breaks), 0, 5, SEATINGS[5])
    with pytest.raises(ValueError, match="the sixth deal"):
        kernel.play_chunk(chunk)
    assert chunk.control[1] == 0


def test_a_stop_is_obeyed_between_units(functions):
    chunk = chunk_of(functions, 0, 5, SEATINGS[3])
    chunk.control[0] = 1
    kernel.play_chunk(chunk)
    assert chunk.control.tolist() == [1, 0]
    assert not any(counts.any() for counts in chunk.counts.values())
