"""Comparisons and tournaments on real games, against what their rows say."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import api, comparison, sequential, stats
from bridzik_sim.results import Results

SHORT = {"options": {"hand_sizes": "2,1"}}


def rows_of(results, folder):
    """Points of every seat at the end of a game, with the entrant's label."""
    rows = pd.read_csv(folder / "rows.csv")
    return rows.groupby(["unit", "seating", "seat", "strategy"], as_index=False)["points"].sum()


def mean_points(rows):
    """Mean points of an entrant at a table: a column an entrant, a row a unit and seating."""
    return rows.groupby(["unit", "seating", "strategy"])["points"].mean().unstack()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    out = tmp_path_factory.mktemp("pair")
    return api.compare("heuristic", "simple", 120, 3, rows="csv", out=out, **SHORT), out


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    out = tmp_path_factory.mktemp("three")
    return api.tournament("heuristic,simple,random", 160, 3, rows="csv", out=out, **SHORT), out


def test_the_difference_is_a_paired_t_interval_over_units(pair):
    results, out = pair
    table = mean_points(rows_of(results, out))
    lead = (table["heuristic"] - table["simple"]).groupby("unit").mean()
    expected = scipy_stats.ttest_1samp(lead, 0)
    low, high = expected.confidence_interval(0.95)
    found = results.comparison
    assert (found["units"], found["games"]) == (60, 120)
    assert (found["difference"], found["low"], found["high"]) == pytest.approx((lead.mean(), low, high))
    assert results.crosstable["p"][0] == pytest.approx(expected.pvalue)


def test_the_gain_is_variance_on_fresh_cards_by_variance_here(pair):
    results, out = pair
    table = mean_points(rows_of(results, out))
    lead = (table["heuristic"] - table["simple"]).unstack()
    assert results.comparison["gain"] == pytest.approx(lead.var().sum() / lead.sum(axis=1).var())


def test_a_cross_table_row_counts_tables(three):
    results, out = three
    table = mean_points(rows_of(results, out))
    odds_of = {}
    for row in results.crosstable.to_dict("records"):
        met = table[[row["strategy"], row["opponent"]]].dropna()
        lead = met[row["strategy"]] - met[row["opponent"]]
        expected = (len(lead), (lead > 0).sum(), (lead == 0).sum(), (lead < 0).sum())
        assert (row["games"], row["wins"], row["ties"], row["losses"]) == expected
        odds_of[row["strategy"], row["opponent"]] = odds = (lead > 0).mean() + (lead == 0).mean() / 2
        assert row["superiority"] == pytest.approx(odds)
        assert row["superiority_low"] < odds < row["superiority_high"]
        assert row["difference"] == pytest.approx(lead.mean())
    assert list(odds_of) == list(combinations(results.labels, 2))


def test_the_leaderboard_is_sorted_and_rated(three):
    board = three[0].leaderboard
    assert board["strategy"].tolist() == ["heuristic", "simple", "random"]
    assert board["rank"].tolist() == [1, 2, 3]
    assert board["rating"].is_monotonic_decreasing
    assert board["rating"].sum() == pytest.approx(0, abs=0.01)
    assert (board["rating_low"] < board["rating"]).all()


def test_effects_and_calibration_follow_from_the_rows(pair):
    results, out = pair
    rows = pd.read_csv(out / "rows.csv")
    for row in results.calibration.to_dict("records"):
        mine = rows[(rows["strategy"] == row["strategy"]) & (rows["bid"] == row["bid"])]
        assert (row["bids"], row["tricks"]) == (len(mine), pytest.approx(mine["tricks"].mean()))
    for row in results.effects.to_dict("records"):
        mine = rows[(rows["strategy"] == row["strategy"]) & (rows[row["effect"]] == row["place"])]
        if row["effect"] == "seat":
            games = mine.groupby(["unit", "seating"])["points"].sum()
            per_unit = games.groupby("unit").mean()
        else:
            games, per_unit = mine["points"], mine.groupby("unit")["points"].mean()
        low, high = scipy_stats.t.interval(
            0.95, len(per_unit) - 1, per_unit.mean(), scipy_stats.sem(per_unit)
        )
        assert row["number"] == len(games)
        assert (row["points"], row["low"], row["high"]) == pytest.approx((games.mean(), low, high))


def test_against_a_field_seats_are_matched(tmp_path):
    results = api.compare("heuristic", "simple", 80, 5, field="random", rows="csv", out=tmp_path, **SHORT)
    rows = rows_of(results, tmp_path)
    own = rows[rows["strategy"] != "random"].set_index(["unit", "seat", "strategy"])["points"].unstack()
    lead = (own["heuristic"] - own["simple"]).unstack()
    found = results.comparison
    assert found["difference"] == pytest.approx(lead.to_numpy().mean())
    assert found["difference_se"] == pytest.approx(scipy_stats.sem(lead.mean(axis=1)))
    fresh = own["heuristic"].unstack().var().sum() + own["simple"].unstack().var().sum()
    assert found["gain"] == pytest.approx(fresh / lead.sum(axis=1).var())


def test_equal_deterministic_strategies_differ_by_nothing():
    for more in ({}, {"seating": "all"}, {"field": "random"}):
        found = api.compare("simple", "simple", 40, 3, **SHORT, **more).comparison
        assert (found["difference"], found["low"], found["high"], found["verdict"]) == (
            0,
            0,
            0,
            "no difference",
        )


def test_random_players_are_told_apart_by_chance_only():
    found = api.compare("random", "random", 400, 3, **SHORT).comparison
    assert found["difference"] != 0
    assert (found["verdict"], found["winner"]) == ("undecided", None)


def test_one_unit_tells_nothing():
    found = api.compare("heuristic", "random", 1, 3).comparison
    assert (found["units"], found["verdict"]) == (1, "undecided")
    assert math.isnan(found["low"])


@pytest.mark.parametrize(("a", "b", "sign"), [("heuristic", "random", 1), ("random", "heuristic", -1)])
def test_it_stops_when_it_is_sure(a, b, sign):
    results = api.compare(a, b, 100_000, 3, until_sure=True, **SHORT)
    found = results.comparison
    assert results.complete
    assert results.stopped
    assert found["winner"] == "heuristic"
    assert sign * found["difference"] > 0
    assert results.units == next(look for look in comparison.looks(results.experiment))
    assert "stopped after" in results.verdict


def test_it_stops_when_no_margin_is_left():
    found = api.compare("simple", "simple", 100_000, 3, until_sure=True, margin=1, **SHORT).comparison
    assert found["verdict"] == "no difference above 1"


def test_it_ends_at_the_cap():
    results = api.compare("random", "random", 800, 3, until_sure=True, **SHORT)
    assert (results.units, results.comparison["verdict"]) == (400, "undecided")
    assert "undecided at the cap of 400 units" in results.verdict


ONE_CARD = {"options": {"hand_sizes": "1"}}


@pytest.fixture(scope="module")
def stop():
    """Where a comparison should stop: at the first look of the whole run whose sequence excludes 0."""
    whole = api.compare("simple", "random", 4000, 11, jobs=1, **ONE_CARD)
    sums = comparison.running(whole.experiment, whole.ranges, whole.sums, 0)
    limits = [(leads.units, leads.anytime(0.05)) for leads in sums if leads.units >= sequential.MIN_UNITS]
    return next(units for units, found in limits if not found.low <= 0 <= found.high)


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("chunk_units", [None, 1, 7, 1000])
def test_where_it_stops_depends_on_nothing_but_the_seed(stop, jobs, chunk_units):
    settings = {"until_sure": True, "jobs": jobs, "chunk_units": chunk_units}
    results = api.compare("simple", "random", 4000, 11, **settings, **ONE_CARD)
    assert results.ranges == [(0, stop)]


def test_where_the_evidence_decides_the_interval_is_the_sequences():
    results = api.compare("heuristic", "simple", 4000, 3, until_sure=True, **SHORT)
    found, row = results.comparison, results.crosstable.iloc[0]
    assert (
        (found["low"], found["high"])
        == (found["anytime_low"], found["anytime_high"])
        == (row["low"], row["high"])
    )
    assert math.isnan(row["p"])
    fixed = api.compare("heuristic", "simple", results.games, 3, **SHORT).comparison
    assert found["low"] < fixed["low"] < fixed["high"] < found["high"]


def test_an_unfinished_comparison_says_so():
    results = api.compare("random", "random", 800, 3, until_sure=True, **SHORT)
    cut = Results(results.experiment.longer(10**6), results.ranges, results.sums)
    assert "undecided so far, after 400 units" in cut.verdict
    assert cut.verdict.endswith("not finished")
    assert not cut.complete


def test_a_pair_that_always_ends_alike_is_as_many_trials_as_duels():
    found = api.compare("simple", "simple", 40, 3, **SHORT).comparison
    assert (found["superiority_low"], found["superiority_high"]) == pytest.approx(
        stats.wilson(0.5, 40, stats.student(20))
    )


def test_blocks_hold_the_units_they_should():
    ranges = [(3, 200), (1000, 1001), (5000, 5130)]
    expected = np.bincount([unit % 64 for first, stop in ranges for unit in range(first, stop)], minlength=64)
    assert comparison._units_by_block(ranges).tolist() == expected.tolist()
