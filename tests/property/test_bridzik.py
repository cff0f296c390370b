"""Properties that hold in every game of Bridžik, whoever plays, seen in the rows of the kernel."""

from functools import partial

import numpy as np
import pandas as pd
import played_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LINEUPS = ("random*4", "heuristic,simple,random*2", "simple*2,heuristic*2", "heuristic*4")
SIZES = st.sets(st.integers(1, 8), min_size=1).map(sorted)


rows_of = partial(played_rows.rows_of, "bridzik")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(LINEUPS), st.integers(0, 2**63 - 1), st.integers(0, 10**10), SIZES)
def test_every_round_obeys_the_rules(lineup, seed, first_unit, sizes):
    rows = rows_of(lineup, seed, 3, first_unit, hand_sizes=sizes)
    deals = rows.groupby(["unit", "deal"])
    assert (deals.size() == 4).all()
    size = deals.hand_size.first()
    assert (deals.hand_size.nunique() == 1).all()
    assert (deals.tricks.sum() == size).all()
    assert (deals.bid.sum() != size).all()
    assert rows.bid.between(0, rows.hand_size).all()
    exact = rows.bid == rows.tricks
    assert (exact.groupby([rows.unit, rows.deal]).sum() <= 3).all()
    assert (rows.points == np.where(exact, 10 + rows.bid, 0)).all()
    assert (rows.groupby(["unit", "seat"]).points.cumsum() == rows.total).all()
    assert set(rows.hand_size) == set(sizes)
    assert (rows.hand_size == 8 - rows.deal % 8).all()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(LINEUPS), st.integers(0, 2**63 - 1))
def test_every_seat_bids_once_in_each_position_for_every_hand_size(lineup, seed):
    rows = rows_of(lineup, seed, 1)
    places = rows.groupby(["seat", "hand_size", "position"]).size()
    assert (places == 1).all()
    assert len(places) == 4 * 8 * 4
    series, round_ = rows.deal // 8, rows.deal % 8
    assert (rows.position == (rows.seat - series - round_) % 4).all()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(("random*4", "heuristic*4")), st.integers(0, 2**63 - 1), SIZES)
def test_a_shorter_game_plays_the_very_deals_of_the_full_one(lineup, seed, sizes):
    # Strategies that do not look at the match score then bid and play the same.
    short = rows_of(lineup, seed, 2, hand_sizes=sizes).drop(columns="total")
    whole = rows_of(lineup, seed, 2).drop(columns="total")
    kept = whole[whole.hand_size.isin(sizes)].reset_index(drop=True)
    pd.testing.assert_frame_equal(short, kept)


def test_a_seating_changes_seats_but_not_cards():
    rows = rows_of("heuristic,simple,random*2", 11, 5, seating="rotate")
    assert sorted(rows.seating.unique()) == [0, 1, 2, 3]
    seats = rows.groupby(["seating", "seat"]).strategy.first().unstack()
    assert seats.to_numpy().tolist() == [[0, 1, 2, 2], [2, 0, 1, 2], [2, 2, 0, 1], [1, 2, 2, 0]]
