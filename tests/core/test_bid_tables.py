"""Tables of a run of Wizard against the same figures worked out from its rows and games, one by one."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import api, stats
from bridzik_sim.games.wizard.rules import DEAL_KINDS
from bridzik_sim.play import Player

UNITS = 40


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Three random players, two of them one entrant, in all rotations; the rows with the kind of their deal."""
    out = tmp_path_factory.mktemp("run")
    played = {"game": "wizard", "seating": "rotate", "rows": "csv", "options": {"wizard_trump": "dealer"}}
    results = api.simulate("random*2,other=random", 3 * UNITS, 5, out=out, **played)
    rows, player = pd.read_csv(out / "rows.csv"), Player(results.experiment)
    kinds = {(unit, deal.deal): deal.kind for unit in range(UNITS) for deal in player.record(unit, 0).deals}
    rows["kind"] = [DEAL_KINDS[kinds[at]] for at in zip(rows.unit, rows.deal, strict=True)]
    return results, rows


def test_kinds_of_deals_are_ratios_over_units(run):
    results, rows = run
    rows["exact"] = rows.bid == rows.tricks
    seen = set()
    for row in results.deal_kinds.to_dict("records"):
        mine = rows[(rows.strategy == row["strategy"]) & (rows.kind == row["kind"])]
        assert row["rounds"] == len(mine)
        for name in ("points", "exact"):
            value, error = ratio(mine, name)
            quantile = scipy_stats.t.ppf(0.975, UNITS - 1)
            ends = value - quantile * error, value + quantile * error
            if name == "exact":
                ends = stats.wilson(value, value * (1 - value) / error**2, quantile)
            found = tuple(row[key] for key in (name, f"{name}_low", f"{name}_high"))
            assert found == pytest.approx((value, *ends))
        seen.add(row["kind"])
    assert seen == {"trump", "jester turned up", "last round", "dealer chose"}


def ratio(mine, name):
    """Value and standard error of a ratio: Cochran's linearised variance, unit by unit, units without rounds too."""
    x, y = (
        sums.reindex(range(UNITS), fill_value=0).to_numpy(float)
        for sums in (mine.groupby("unit").size(), mine.groupby("unit")[name].sum())
    )
    value = y.sum() / x.sum()
    return value, np.sqrt(UNITS / (UNITS - 1) * ((y - value * x) ** 2).sum()) / x.sum()


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Seated as given, so that who bids at which place with how many cards differs from unit to unit."""
    out = tmp_path_factory.mktemp("given")
    results = api.simulate("random*2,other=random*3", UNITS, 6, game="wizard", rows="csv", out=out)
    rows = pd.read_csv(out / "rows.csv")
    rows["exact"] = rows.bid == rows.tricks
    return results, rows


def test_exact_bids_by_place_are_ratios_over_units(given):
    results, rows = given
    by_cell = rows.groupby(["strategy", "hand_size", "position"])
    assert len(results.accuracy) == len(by_cell) == 2 * 12 * 5
    for row in results.accuracy.to_dict("records"):
        mine = by_cell.get_group((row["strategy"], row["hand_size"], row["position"]))
        value, error = ratio(mine, "exact")
        assert (row["bids"], row["hits"]) == (len(mine), mine.exact.sum())
        assert row["rate"] == pytest.approx(value)
        if error > 0:
            quantile = scipy_stats.t.ppf(0.975, UNITS - 1)
            low, high = stats.wilson(value, value * (1 - value) / error**2, quantile)
            assert (row["low"], row["high"]) == pytest.approx((low, high))
        assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1


def test_points_by_place_are_ratios_over_units(given):
    results, rows = given
    found = results.effects[results.effects.effect == "position"]
    assert len(found) == 10
    for row in found.to_dict("records"):
        mine = rows[(rows.strategy == row["strategy"]) & (rows.position == row["place"])]
        value, error = ratio(mine, "points")
        reach = scipy_stats.t.ppf(0.975, UNITS - 1) * error
        assert row["number"] == len(mine)
        assert (row["points"], row["low"], row["high"]) == pytest.approx(
            (value, value - reach, value + reach)
        )


def test_shares_of_wins_are_means_over_units(run):
    results, rows = run
    ends = rows[rows.deal == rows.deal.max()]
    best = ends.groupby(["unit", "seating"]).total.transform("max")
    won = (ends.total == best).astype(float)
    ends = ends.assign(share=won / won.groupby([ends.unit, ends.seating]).transform("sum"))
    for row in results.wins.to_dict("records"):
        share = ends[ends.strategy == row["strategy"]].groupby("unit").share.mean()
        won, error = share.mean(), scipy_stats.sem(share)
        bounds = stats.wilson(won, won * (1 - won) / error**2, scipy_stats.t.ppf(0.975, UNITS - 1))
        assert (row["wins"], row["low"], row["high"]) == pytest.approx((won, *bounds))
        assert row["even"] == pytest.approx(1 / 3)
    assert results.wins.seat_games.tolist() == [6 * UNITS, 3 * UNITS]
    assert (results.wins.wins * results.wins.seat_games).sum() == pytest.approx(3 * UNITS)


def test_who_fills_every_seat_wins_its_share_for_certain():
    (row,) = api.simulate("random*6", 3, 5, game="wizard").wins.to_dict("records")
    assert row["wins"] == row["low"] == row["high"] == pytest.approx(1 / 6)


def test_points_are_multiples_of_the_step(run):
    assert run[0].points_step == 10
    assert not (run[0].scores.points % 10).any()
    assert api.simulate("random*4", 1, 5).points_step == 1


def test_the_ceiling_of_a_table_is_that_of_its_players_and_rules(run):
    assert run[0].table_accuracy.ceiling.tolist() == [pytest.approx(2 / 3)] * 20
    free = api.simulate("random*5", 1, 5, game="wizard", options={"sum_rule": "off"})
    assert free.table_accuracy.ceiling.tolist() == [1.0] * 12
    assert api.simulate("random*4", 1, 5).table_accuracy.ceiling.tolist() == [0.75] * 8


def test_shares_never_leave_0_to_1_and_one_unit_has_no_interval():
    options = {"hand_sizes": "20", "first_dealer": 1}
    few = api.simulate("random*3", 20, 2, game="wizard", options=options).deal_kinds
    assert ((few.exact_low >= 0) & (few.exact_high <= 1)).all()
    alone = api.simulate("random,b=random*2", 1, 2, game="wizard", options=options)
    for table, ends in (
        (alone.wins, "low high"),
        (alone.accuracy, "low high"),
        (alone.table_accuracy, "low high"),
    ):
        assert table[ends.split()].isna().all(axis=None)


def test_games_without_kinds_of_deals_have_no_table_of_them():
    assert api.simulate("random*4", 1, 5).deal_kinds.empty
