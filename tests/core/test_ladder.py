"""Everyone in one seat with a reference in all others: against simulations of the same tables and the rows."""

import math

import pandas as pd
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import api, experiment, stored
from bridzik_sim.errors import UsageError

SHORT = {"options": {"hand_sizes": "2,1"}}
ENTRANTS = ["random", "simple", "heuristic"]
REFERENCES = ["heuristic", "simple"]
UNITS = 30


def play(out=None, units=UNITS, **more):
    given = {"tables": "one", "references": REFERENCES, **SHORT, **more}
    # Who is no reference sits at four tables with each of the two and at one of its own.
    return api.tournament(ENTRANTS, 9 * units, 3, out=out, **given)


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    out = tmp_path_factory.mktemp("ladder")
    return play(out, rows="csv"), out


def files(folder):
    found = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    assert {"crosstable.csv", "leaderboard.csv", "rows.csv"} <= set(found)
    return found


@pytest.mark.parametrize("other", REFERENCES)
@pytest.mark.parametrize("one", ENTRANTS)
def test_a_pair_is_what_simulate_finds_at_these_tables(ladder, one, other):
    table = ladder[0].crosstable.set_index(["strategy", "opponent"])
    row = table.loc[one, other]
    if one == other:
        same = api.simulate(f"{one}*4", UNITS, 3, **SHORT)
        assert math.isnan(row["difference"])
        assert (row["games"], row["others"]) == (UNITS, row["points"])
    else:
        same = api.simulate(f"{one},{other}*3", 4 * UNITS, 3, seating="rotate", **SHORT)
        others = same.standings[1]["points"]
        assert row["others"] == pytest.approx(others)
        assert row["difference"] == pytest.approx(row["points"] - others)
        assert row["games"] == 4 * UNITS
    expected = same.standings[0]
    names = ("points", "points_se", "points_low", "points_high", "wins", "exact", "exact_low", "exact_high")
    assert [row[name] for name in names] == pytest.approx([expected[name] for name in names])


def test_the_difference_has_an_interval_over_units(ladder):
    results, out = ladder
    rows = pd.read_csv(out / "rows.csv")
    points = rows.groupby(["unit", "seating", "strategy"], as_index=False)["points"].sum()
    seated = rows.groupby(["unit", "seating", "strategy"])["seat"].nunique().reset_index(name="seats")
    means = points["points"] / seated["seats"]
    table = means.groupby([points["unit"], points["seating"], points["strategy"]]).first().unstack()
    ones = seated[seated["seats"] == 1].set_index(["unit", "seating"])["strategy"]
    pairs = results.crosstable.set_index(["strategy", "opponent"])
    for one, other in (("random", "simple"), ("simple", "heuristic"), ("heuristic", "simple")):
        here = table.loc[ones.index[ones == one]][[one, other]].dropna()
        lead = (here[one] - here[other]).groupby("unit").mean()
        low, high = scipy_stats.t.interval(0.95, UNITS - 1, lead.mean(), scipy_stats.sem(lead))
        row = pairs.loc[one, other]
        assert (row["difference"], row["low"], row["high"]) == pytest.approx((lead.mean(), low, high))


def test_the_leaderboard_is_the_mean_over_all_references(ladder):
    results = ladder[0]
    board, table = results.leaderboard, results.crosstable
    assert board["strategy"].tolist() == ["heuristic", "simple", "random"]
    assert "rating" not in board
    cells = table[table["opponent"].isin(REFERENCES)].groupby("strategy")
    for name in ("points", "exact", "wins"):
        assert board.set_index("strategy")[name].to_dict() == pytest.approx(cells[name].mean().to_dict())
    assert board["seat_games"].tolist() == [8 * UNITS] * 3
    assert (board["points_low"] < board["points"]).all()


def test_every_ordered_pair_has_a_row(ladder):
    pairs = list(zip(ladder[0].crosstable["strategy"], ladder[0].crosstable["opponent"], strict=True))
    assert pairs == [(a, b) for a in ENTRANTS for b in ENTRANTS if b in REFERENCES or a == b]
    whole = play(references=None, units=1)
    assert len(whole.crosstable) == 9
    assert whole.experiment.references == tuple(ENTRANTS)


@pytest.mark.parametrize("settings", [{"jobs": 1, "chunk_units": 7}, {"jobs": 2, "chunk_units": 1}])
def test_the_split_changes_no_byte(ladder, tmp_path, settings):
    play(tmp_path, rows="csv", **settings)
    assert files(tmp_path) == files(ladder[1])


def test_resumed_and_merged_it_is_the_same(ladder, tmp_path):
    play(tmp_path / "a", units=10, rows="csv")
    play(tmp_path / "b", units=20, rows="csv", first_unit=10)
    api.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "whole")
    assert files(tmp_path / "whole") == files(ladder[1])
    api.resume(tmp_path / "a", 9 * UNITS)
    assert files(tmp_path / "a") == files(ladder[1])


def test_it_goes_to_a_file_and_back(tmp_path):
    made = experiment.make(ENTRANTS, 9, 1, command="tournament", tables="one", references="heuristic, simple")
    assert made.references == ("simple", "heuristic")
    (tmp_path / "experiment.toml").write_text(stored.write(made), encoding="utf-8")
    read = stored.read(tmp_path / "experiment.toml").reloaded()
    assert read == made
    assert read.identity() == made.identity()


def test_a_table_of_its_own_is_named():
    made = experiment.make("random,simple", 1, 1, command="tournament", tables="one", references="simple")
    # One line-up of four seatings, then one table of each entrant alone.
    assert made.games == 6
    assert made.place(5) == "line-up 1, seating 1 (simple, simple, simple, simple)"
    assert made.as_arguments(5) == "--seats simple,simple,simple,simple --seed 1 --streams 1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"references": ["simpel"]}, "references: there is no entrant 'simpel'; did you mean simple?"),
        ({"references": []}, "references: name at least one entrant"),
        ({"references": ["simple"], "tables": "pairs"}, "references: only with tables one"),
        ({"seating": "all"}, "in all their rotations; leave out the seating"),
    ],
)
def test_what_cannot_be_played(given, message):
    with pytest.raises(UsageError, match=message):
        play(**given)
