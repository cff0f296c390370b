"""Properties that hold in every game of Czech Fool, whoever plays, move by move and in the rows of the kernel."""

from functools import partial
from itertools import groupby

import numpy as np
import pandas as pd
import played_rows
import pytest
from fool_rounds import play_a_copy_on, set_up
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridzik_sim import experiment, sources
from bridzik_sim.games.fool import playout
from bridzik_sim.games.fool.plain_round import deal_table
from bridzik_sim.games.fool.rules import VIEW
from bridzik_sim.games.plain import SeatView, stream_tag, unit_words
from bridzik_sim.play import Player

QUICK = sorted({"random", "server", "heuristic"} & {*sources.named("fool")})
SEEDS = st.integers(0, 2**63 - 1)
SEATS = st.integers(2, 4)
RULES = st.fixed_dictionaries(
    {
        "deck": st.sampled_from((52, 36)),
        "draw": st.sampled_from(("voluntary", "forced")),
        "max_turns": st.one_of(st.integers(1, 60), st.just(1000)),
    }
)


@settings(max_examples=150, deadline=None)
@given(SEATS, st.sets(st.integers(0, 3)), SEEDS, st.integers(0, 10), RULES)
def test_after_every_move_each_card_is_in_one_place_and_there_is_an_answer(seats, out, seed, deal, rules):
    scores = [150 if seat in out else seat for seat in range(seats)]
    sitting = [seat for seat in range(seats) if seat not in out]
    if len(sitting) < 2:
        return
    words = unit_words(seed, stream_tag("fool", 1), 0)
    positions, view = np.zeros(2, playout.POSITION), SeatView(VIEW).record
    view.stream = words
    set_up(positions.view(np.recarray)[0], deal_table(words, deal, sitting[0], scores, rules), words, rules)
    for _ in range(5):
        answers = play_a_copy_on(positions, view)
        end = positions[1]
        assert 0 < answers <= 3 * end["turns"]
        assert end["turns"] <= rules["max_turns"]
        assert (end["ended"] == playout.CAPPED) <= (end["turns"] == rules["max_turns"])


def test_the_check_of_cards_finds_one_that_is_lost_or_doubled():
    words, rules = [1, 2, 3, 4], {"deck": 52, "draw": "voluntary", "max_turns": 100}
    for name, value in (("left", 0), ("gone", (1 << 52) - 1), ("stock", 1)):
        positions, view = np.zeros(2, playout.POSITION), SeatView(VIEW).record
        view.stream = (1, 2, 3, 4)
        set_up(positions.view(np.recarray)[0], deal_table(words, 0, 0, [0, 0], rules), words, rules)
        assert play_a_copy_on(positions, view) > 0
        positions[0][name] = value
        assert play_a_copy_on(positions, view) == -1


def lineup_of(seats):
    return ",".join(QUICK[seat % len(QUICK)] for seat in range(seats))


rows_of = partial(played_rows.rows_of, "fool")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEATS, SEEDS, st.integers(0, 10**10), RULES)
def test_every_game_obeys_the_rules_and_ends(seats, seed, first_unit, rules):
    rows = list(rows_of(lineup_of(seats), seed, 2, first_unit, **rules).itertuples())
    for _, game in groupby(rows, lambda row: row.unit):
        totals = dict.fromkeys(range(seats), 0)
        for _, one in groupby(game, lambda row: row.deal):
            check_round(list(one), totals, rules)
        assert sum(total <= 101 for total in totals.values()) < 2


def check_round(rows, totals, rules):
    """Who is in plays, at most one wins, totals add up, and 101 becomes 0; ``totals`` by seat are brought up to date."""
    sitting = [seat for seat, total in totals.items() if total <= 101]
    assert [row.seat for row in rows] == sitting
    assert sorted(row.position for row in rows) == list(range(len(sitting)))
    assert len({(row.players, row.turns) for row in rows} | {(len(sitting), rows[0].turns)}) == 1
    assert 1 <= rows[0].turns <= rules["max_turns"]
    assert sum(row.won for row in rows) <= 1
    assert sum(row.cards for row in rows) < rules["deck"]
    for row in rows:
        if row.won:
            assert row.cards == 0
            assert row.points in (0, -20, -40)
        else:
            assert row.cards > 0
            assert row.points >= 2 * row.cards
        totals[row.seat] = 0 if totals[row.seat] + row.points == 101 else totals[row.seat] + row.points
        assert row.total == totals[row.seat]


@settings(max_examples=10, deadline=None)
@given(SEATS, SEEDS)
def test_with_players_that_never_draw_by_choice_forced_drawing_changes_nothing(seats, seed):
    free, forced = (rows_of(f"random*{seats}", seed, 2, draw=draw) for draw in ("voluntary", "forced"))
    pd.testing.assert_frame_equal(free, forced)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("deck", [52, 36])
def test_games_of_random_players_end_and_all_their_rounds_are_won(seats, deck):
    played = Player(experiment.make(f"random*{seats}", 1, 5, game="fool", options={"deck": deck}))
    counts = played.play(0, 1000, np.zeros(2, np.int64)).counts
    won, blocked, capped = counts["endings"].sum(axis=0)
    assert counts["rounds"].sum() == counts["places"].sum() / seats == 1000
    assert (blocked, capped) == (0, 0)
    assert won == counts["finishes"].sum() == counts["round_moments"][0, 1]
