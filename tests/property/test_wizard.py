"""Properties that hold in every game of Wizard, whoever plays, seen in the rows of the kernel."""

from functools import partial

import numpy as np
import pandas as pd
import played_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridzik_sim import sources

QUICK = sorted({"random", "simple", "heuristic"} & {*sources.named("wizard")})
SEEDS = st.integers(0, 2**63 - 1)
SEATS = st.integers(3, 6)
RULES = st.fixed_dictionaries(
    {
        "wizard_trump": st.sampled_from(("none", "dealer")),
        "sum_rule": st.sampled_from(("on", "off")),
        "hidden_bids": st.sampled_from(("off", "on")),
        "first_dealer": st.sampled_from(("random", 0, 1, 2)),
    }
)
SIZES = st.one_of(st.just("all"), st.sets(st.integers(1, 10), min_size=1).map(sorted))


def lineup_of(seats):
    return ",".join(QUICK[seat % len(QUICK)] for seat in range(seats))


rows_of = partial(played_rows.rows_of, "wizard")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEATS, SEEDS, st.integers(0, 10**10), SIZES, RULES)
def test_every_round_obeys_the_rules(seats, seed, first_unit, sizes, rules):
    rows = rows_of(lineup_of(seats), seed, 2, first_unit, hand_sizes=sizes, **rules)
    deals = rows.groupby(["unit", "deal"])
    assert (deals.size() == seats).all()
    size = deals.hand_size.first()
    assert (rows.hand_size == rows.deal + 1).all()
    assert set(rows.hand_size) == set(range(1, 60 // seats + 1) if sizes == "all" else sizes)
    assert (deals.tricks.sum() == size).all()
    assert rows.bid.between(0, rows.hand_size).all()
    exact = rows.bid == rows.tricks
    if rules["sum_rule"] == "on":
        assert (deals.bid.sum() != size).all()
        assert (exact.groupby([rows.unit, rows.deal]).sum() <= seats - 1).all()
    assert (rows.points == np.where(exact, 20 + 10 * rows.bid, -10 * (rows.bid - rows.tricks).abs())).all()
    assert (rows.groupby(["unit", "seat"]).points.cumsum() == rows.total).all()


@settings(max_examples=20, deadline=None)
@given(SEATS, SEEDS, SIZES, st.sampled_from(("random", 0, 1, 2)))
def test_the_dealer_bids_last_and_moves_left_every_round(seats, seed, sizes, first_dealer):
    rows = rows_of(lineup_of(seats), seed, 2, hand_sizes=sizes, first_dealer=first_dealer)
    assert (rows.groupby(["unit", "deal"]).position.nunique() == seats).all()
    first = (rows.seat - rows.position - 1 - rows.deal) % seats
    assert (first.groupby(rows.unit).nunique() == 1).all()
    if first_dealer != "random":
        assert (first == first_dealer).all()


@settings(max_examples=20, deadline=None)
@given(SEATS, SEEDS, st.sets(st.integers(1, 10), min_size=1).map(sorted), RULES)
def test_a_shorter_game_plays_the_very_deals_of_the_full_one(seats, seed, sizes, rules):
    # Random players do not look at the match score, so they bid and play the same.
    short = rows_of(f"random*{seats}", seed, 2, hand_sizes=sizes, **rules).drop(columns="total")
    whole = rows_of(f"random*{seats}", seed, 2, **rules).drop(columns="total")
    kept = whole[whole.hand_size.isin(sizes)].reset_index(drop=True)
    pd.testing.assert_frame_equal(short, kept)


@settings(max_examples=20, deadline=None)
@given(SEATS, SEEDS)
def test_hidden_bids_change_nothing_for_who_does_not_look(seats, seed):
    shown, hidden = (rows_of(f"random*{seats}", seed, 2, hidden_bids=one) for one in ("off", "on"))
    pd.testing.assert_frame_equal(shown, hidden)
