"""Comparisons and tournaments of Czech Fool, whose measure is a share of games: against what their rows say."""

import io
import math

import pandas as pd
import pytest
from rich.console import Console
from scipy import stats as scipy_stats

from bridzik_sim import api, experiment_file
from bridzik_sim.errors import UsageError
from cli import progress, standings

UNITS = 40


def shares_of(folder):
    """The share of its game that each seat won, by unit, seating, seat and entrant; of games with one left."""
    rows = pd.read_csv(folder / "rows.csv")
    ends = rows.groupby(["unit", "seating", "seat", "strategy"], as_index=False).last()
    last = rows.groupby(["unit", "seating"]).deal.max().rename("last")
    ends = ends.join(last, on=["unit", "seating"])
    share = ((ends.deal == ends["last"]) & (ends.total <= 101)).astype(float)
    assert (share.groupby([ends.unit, ends.seating]).sum() == 1).all()
    return ends.assign(share=share)


def by_table(ends):
    """Mean share of an entrant at a table: a row a unit and seating, a column an entrant."""
    return ends.groupby(["unit", "seating", "strategy"]).share.mean().unstack()


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    out = tmp_path_factory.mktemp("duel")
    return api.compare("server", "random", 2 * UNITS, 3, game="fool", rows="csv", out=out), out


def test_the_difference_is_a_paired_interval_of_shares(duel):
    results, out = duel
    table = by_table(shares_of(out))
    lead = table["server"] - table["random"]
    expected = scipy_stats.ttest_1samp(lead.groupby("unit").mean(), 0)
    low, high = expected.confidence_interval(0.95)
    found = results.comparison
    assert found["difference"] == pytest.approx(lead.mean())
    assert (found["low"], found["high"]) == pytest.approx((low, high))
    assert results.crosstable["p"][0] == pytest.approx(expected.pvalue)
    ends = results.running.iloc[-1]
    assert (ends["difference"], ends["low"], ends["high"]) == pytest.approx((lead.mean(), low, high))
    fresh, paired = lead.unstack().var().sum(), lead.unstack().sum(axis=1).var()
    assert found["gain"] == pytest.approx(fresh / paired)
    assert (found["wins"], found["ties"]) == ((lead > 0).sum(), (lead == 0).sum())


def test_differences_are_told_in_percentage_points(duel, capsys):
    results, _ = duel
    found = results.comparison
    told = f"{100 * found['difference']:.1f} percentage points (share of games won), between "
    assert results.verdict.startswith(f"server is better by {told}")
    standings.show(results, "table")
    printed = capsys.readouterr().out
    reach = 50 * (found["high"] - found["low"])
    assert f"{100 * found['difference']:.1f} ± {reach:.1f} percentage points (share of games won)" in printed
    assert "times as many tables" in printed
    assert f"server minus random {100 * found['difference']:.1f} ± {reach:.1f}" in progress.line(results, 1)


def test_it_stops_within_a_margin_that_is_a_share():
    settings = {"game": "fool", "until_sure": True, "margin": 0.3}
    results = api.compare("random", "random", 100_000, 3, **settings)
    assert results.stopped
    assert results.comparison["verdict"] == "no difference above 30 percentage points"
    assert -0.3 < results.comparison["anytime_low"] < results.comparison["anytime_high"] < 0.3


def test_simulate_prints_the_figures_of_the_game(capsys):
    results = api.simulate("server,random*3", 40, 5, game="fool", seating="rotate")
    standings.show(results, "table", times=dict.fromkeys(results.labels, 1e-7))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    own = results.as_json()["game"]
    said = f"{own['turns_per_round']:.1f} turns a round (median {own['turns_median']}, 99th percentile "
    assert sum(line.startswith(said) for line in lines) == 1
    assert f"{own['blocked']} rounds ended blocked, {own['capped']} capped" in lines
    assert any(f", {results.rounds_played:,} rounds, seed 5" in line for line in lines)
    server = 100 * results.standings[0]["wins"]
    assert progress.line(results, 1).endswith(f"{100 * results.standings[1]['wins']:,.1f} %")
    assert any(line.split()[:2] == ["server", f"{server:.1f}"] for line in lines)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(progress._display(console, results, 12.0))
    live = console.export_text().splitlines()
    assert live[1].split() == ["strategy", "share", "of", "games", "won"]
    assert live[2].split()[:2] == ["server", f"{server:.1f}"]
    standings.show(results, "markdown")
    printed = capsys.readouterr().out
    assert printed.startswith(
        "| strategy | wins | points a game | rounds won | points a lost round | exits |"
    )
    assert f"\n\n{said}" in printed


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    out = tmp_path_factory.mktemp("ladder")
    return play(UNITS, out), out


def play(units, out, **more):
    played = {"game": "fool", "players": 3, "tables": "one", "rows": "csv", "options": {"deck": 36}}
    return api.tournament("server,random", 7 * units, 3, out=out, **played, **more)


def test_the_one_seat_wins_its_share_of_games(ladder, capsys):
    results, out = ladder
    ends = shares_of(out)
    seated = ends.groupby(["unit", "seating"]).strategy.transform(lambda labels: "".join(sorted(labels)))
    table = results.crosstable.set_index(["strategy", "opponent"])
    for one, other in (("server", "random"), ("random", "server")):
        mine = ends[seated == "".join(sorted([one, other, other]))]
        lead = by_table(mine)[one] - by_table(mine)[other]
        unit = lead.groupby("unit").mean()
        low, high = scipy_stats.t.interval(0.95, UNITS - 1, unit.mean(), scipy_stats.sem(unit))
        row = table.loc[one, other]
        assert (row["difference"], row["low"], row["high"]) == pytest.approx((unit.mean(), low, high))
        won, total = (mine[mine.strategy == one][name].mean() for name in ("share", "total"))
        assert (row["wins"], row["points"]) == pytest.approx((won, total))
        assert row["others"] == pytest.approx(mine[mine.strategy == other].share.mean())
    own = table.loc["random", "random"]
    assert own["wins"] == own["wins_low"] == own["wins_high"] == pytest.approx(1 / 3)
    assert math.isnan(own["difference"])
    assert results.leaderboard.strategy.tolist() == ["server", "random"]
    standings.show(results, "table")
    printed = capsys.readouterr().out
    assert "Share of games won by the row's one seat, the column in all others" in printed
    assert printed.count("33.3 %") == 4  # each with itself as reference, and at its own table
    assert max(map(len, printed.splitlines())) <= 100


def files(folder):
    found = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    assert {"leaderboard.csv", "openings.csv", "places.csv", "rounds.csv", "rows.csv"} <= set(found)
    return found


def test_split_resumed_and_merged_it_is_the_same(ladder, tmp_path):
    play(15, tmp_path / "a", jobs=2, chunk_units=4)
    play(UNITS - 15, tmp_path / "b", first_unit=15)
    api.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "whole")
    assert files(tmp_path / "whole") == files(ladder[1])
    api.resume(tmp_path / "a", 7 * UNITS)
    assert files(tmp_path / "a") == files(ladder[1])


def test_tournaments_rank_by_games_won(capsys):
    results = api.tournament("random,server,other=random", 40, 3, game="fool", tables="all", players=3)
    assert results.leaderboard.strategy[0] == "server"
    assert results.leaderboard.wins.is_monotonic_decreasing
    standings.show(results, "table")
    printed = capsys.readouterr().out
    assert "Differences in percentage points (share of games won); * where Holm's p < 0.05" in printed
    row = results.crosstable.iloc[0]
    assert f"{100 * row['difference']:+,.1f}" in printed


def test_thresholds_are_of_the_figures_of_the_game(tmp_path, duel):
    path = tmp_path / "duel.toml"
    head = 'command = "compare"\ngame = "fool"\nentrants = ["server", "random"]\ngames = 4\nseed = 1\n'
    for figure, known in (("lost_points", True), ("exact", False)):
        path.write_text(f'{head}[[fail_if]]\nfigure = "{figure}"\nof = "server"\nbelow = 1\n')
        if known:
            experiment_file.resolve(experiment_file.read(path))
        else:
            with pytest.raises(UsageError, match="there is no figure 'exact'"):
                experiment_file.resolve(experiment_file.read(path))
