"""Tables of the bridges against the same figures worked out from rows and records, one by one."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import api, experiment, stats, tally, thresholds
from bridzik_sim.errors import UsageError
from bridzik_sim.games.contract import imps
from bridzik_sim.play import Played, Player
from bridzik_sim.results import Results
from bridzik_sim.runner import by_segment
from cli import standings

EAGER = '''"""Opens and overcalls at the level of one; plays its lowest legal card."""
from bridzik_sim.cards import lowest
from bridzik_sim.games.contract import PASS


def call(view):
    bids = view.legal & 0b111110
    return lowest(bids) if bids else PASS


def play(view):
    return lowest(view.legal)
'''
UNITS, SEED = 40, 3
NO_ROWS = np.zeros((0, 0), np.int64)
BOARDS = {"game": "bridge", "options": {"scoring": "duplicate"}}
MATCHES = {"game": "honeymoon", "options": {"deals": 3}}


@pytest.fixture(scope="module")
def eager(tmp_path_factory):
    path = tmp_path_factory.mktemp("eager") / "eager.py"
    path.write_text(EAGER)
    return f"eager={path}"


@pytest.fixture(scope="module")
def rubber(eager, tmp_path_factory):
    """Rubbers that end after six deals at the latest; the sides change places."""
    out, options = tmp_path_factory.mktemp("rubber"), {"max_deals": 6, "honours": "on"}
    given = {"game": "bridge", "options": options, "seating": "rotate", "rows": "csv", "out": out}
    results = api.simulate(f"random,{eager}", 2 * UNITS, SEED, **given)
    return results, rows_of(out)


@pytest.fixture(scope="module")
def duel(eager, tmp_path_factory):
    out = tmp_path_factory.mktemp("duel")
    return api.compare("random", eager, 2 * UNITS, SEED, rows="csv", out=out, **BOARDS), rows_of(out)


@pytest.fixture(scope="module")
def match(eager, tmp_path_factory):
    out = tmp_path_factory.mktemp("match")
    return api.compare("random", eager, 2 * UNITS, SEED, rows="csv", out=out, **MATCHES), rows_of(out)


def rows_of(folder):
    """The rows with what else tables are about, each of one seat and deal."""
    rows = pd.read_csv(folder / "rows.csv")
    side, bid = rows.seat % 2, rows.contract
    deal = rows.groupby(["unit", "seating", "deal"])
    both = deal.points.transform("sum") / (deal.points.transform("size") / 2)
    over = (rows.tricks - 6 - (bid + 4) // 5).where(bid > 0)
    return rows.assign(
        one=1, passed=(bid == 0) * 1, declares=((bid > 0) & (rows.declarer % 2 == side)) * 1,
        defends=((bid > 0) & (rows.declarer % 2 != side)) * 1, own=(bid > 0) & (rows.declarer == rows.seat),
        level=(bid + 4) // 5, over=over, made=(over >= 0) * 1, net=2 * rows.points - both,
    )  # fmt: skip


def ratio(rows, x, y):
    """Value and error of a ratio of sums of columns: Cochran's linearised variance, unit by unit."""
    x, y = (rows.groupby("unit")[name].sum().reindex(range(UNITS), fill_value=0) for name in (x, y))
    value = y.sum() / x.sum()
    return value, np.sqrt(UNITS / (UNITS - 1) * ((y - value * x) ** 2).sum()) / x.sum()


def around(value, error):
    reach = scipy_stats.t.ppf(0.975, UNITS - 1) * error
    return value, value - reach, value + reach


def of_units(values):
    """Mean of a value a unit with Student's interval."""
    return around(values.mean(), scipy_stats.sem(values))


def wilson(value, error, number):
    """A share with the interval that clusters leave it."""
    effective = value * (1 - value) / error**2 if error and 0 < value < 1 else number
    return value, *stats.wilson(value, effective, scipy_stats.t.ppf(0.975, UNITS - 1))


def found(row, name):
    return tuple(row[key] for key in (name, f"{name}_low", f"{name}_high"))


def net_of(rows, of="net"):
    """By unit and seating: what N-S (or N) had more."""
    return rows[rows.seat == 0].groupby(["unit", "seating"])[of].sum()


def test_standings_of_rubbers(rubber):
    results, rows = rubber
    ends = rows.groupby(["unit", "seating", "seat"]).last()
    for row in results.standings:
        mine = rows[rows.strategy == row["strategy"]]
        net = net_of(rows)
        seated = rows[(rows.seat == 0) & (rows.deal == 0)].set_index(["unit", "seating"]).strategy
        own = net.where(seated == row["strategy"], -net)
        assert row["seat_games"] == 4 * UNITS
        assert found(row, "points") == pytest.approx(of_units(own.groupby("unit").mean()))
        won = (np.sign(own) + 1) / 2
        share = won.groupby("unit").mean()
        expected = wilson(share.mean(), scipy_stats.sem(share), 4 * UNITS)
        assert found(row, "wins") == pytest.approx(expected)
        contracts = mine[mine.own]
        assert found(row, "made") == pytest.approx(wilson(*ratio(contracts, "one", "made"), len(contracts)))
        assert row["over"] == pytest.approx(contracts.over.mean())
        assert row["declared"] == pytest.approx(mine.declares.mean())
        assert row["passed_out"] == pytest.approx(mine.passed.mean())
        last = ends[ends.strategy == row["strategy"]]
        assert row["below"] + row["above"] == pytest.approx(last.total.mean())
        below, above = results.sheet[results.sheet.strategy == row["strategy"]].to_dict("records")
        assert (below["points"], above["points"]) == (row["below"], row["above"])
        assert below["line"] == "below"
        assert below["low"] < below["points"] < below["high"]
    assert sum(row["points"] for row in results.standings) == pytest.approx(0)
    assert results.wins["even"].tolist() == [0.5, 0.5]
    assert "imps" not in results.summary


def test_below_the_line_are_the_tricks_of_contracts_made(rubber):
    results, rows = rubber
    each = np.where((rows.contract + 4) % 5 < 2, 20, 30) * rows.level + 10 * ((rows.contract + 4) % 5 == 4)
    below = each * 2**rows.doubled * rows.made * rows.declares
    for row in results.standings:
        mine = rows.strategy == row["strategy"]
        assert row["below"] == pytest.approx(below[mine].sum() / row["seat_games"])
        assert row["above"] == pytest.approx((rows.points - below)[mine].sum() / row["seat_games"])
        assert min(row["below"], row["above"]) > 50


def test_contracts_by_level_and_gains_by_role(rubber):
    results, rows = rubber
    counted = results.contracts.groupby(["strategy", "level", "doubled", "tricks"]).deals.sum()
    contracts = rows[rows.own]
    expected = contracts.groupby(["strategy", "level", "doubled", "tricks"]).size()
    assert counted.to_dict() == expected.to_dict()
    strains = results.contracts.groupby("strain").deals.sum().to_dict()
    named = np.array(["C", "D", "H", "S", "NT"])[(contracts.contract + 4) % 5]
    assert strains == pd.Series(named).value_counts().to_dict()
    for label in results.labels:
        levels = results.levels[results.levels.strategy == label]
        own = contracts[contracts.strategy == label]
        assert set(levels.level) == {"all", *(str(level) for level in own.level)}
        for row in levels.to_dict("records"):
            mine = own if row["level"] == "all" else own[own.level == int(row["level"])]
            assert row["deals"] == len(mine)
            assert found(row, "over") == pytest.approx(around(*ratio(mine, "one", "over")))
            assert found(row, "made") == pytest.approx(wilson(*ratio(mine, "one", "made"), len(mine)))
        gains = results.gains[results.gains.strategy == label].set_index("role")
        for role, where in (("declarer", "declares"), ("defender", "defends")):
            mine = rows[(rows.strategy == label) & (rows[where] == 1)]
            assert gains.seat_deals[role] == len(mine)
            assert found(gains.loc[role], "points") == pytest.approx(around(*ratio(mine, "one", "net")))
        assert gains.seat_deals["passed out"] == rows[rows.strategy == label].passed.sum()


def test_how_rubbers_went(rubber):
    results, rows = rubber
    lengths = rows[rows.seat == 0].groupby(["unit", "seating"]).size()
    assert results.lengths.set_index("deals").rubbers.to_dict() == lengths.value_counts().to_dict()
    endings = results.endings.set_index("ending")
    assert endings.rubbers.sum() == 2 * UNITS
    assert endings.share.sum() == pytest.approx(1)
    assert 0 < endings.rubbers["unfinished"] < 2 * UNITS
    assert (lengths == 6).sum() >= endings.rubbers["unfinished"]
    own = results.as_json()["game"]
    assert own["deals"] == results.rounds_played == lengths.sum()
    assert own["deals_a_rubber"] == pytest.approx(lengths.mean())
    assert own["made"] == pytest.approx(rows[rows.own].made.mean())
    assert own["mean_level"] == pytest.approx(rows[rows.own].level.mean())
    assert own["passed_out"] == pytest.approx(rows.passed.mean())
    assert own["doubled"] == pytest.approx((rows[rows.own].doubled == 1).mean())
    contracts, ended = results.in_words
    assert f"{100 * own['made']:.1f} % of the contracts made" in contracts
    assert f"{own['deals_a_rubber']:.1f} deals a rubber; " in ended
    played = f"{2 * UNITS} games ({UNITS} units in 2 rotations), {lengths.sum():,} deals"
    assert standings.facts(results) == f"{played}, seed {SEED}; ± at 95 %"


def test_scores_are_net_points_in_steps(rubber):
    results, rows = rubber
    net = net_of(rows)
    both = pd.concat([net, -net])
    nearest = np.sign(both) * np.floor(both.abs() / 100 + 0.5) * 100
    counted = results.scores.groupby("points").games.sum() / 2  # two seats a side
    assert counted.to_dict() == nearest.value_counts().to_dict()


def raw_scores(results):
    """Net points of N-S on each board at each table, by the reference engine; the first entrant's side is 0."""
    player = Player(results.experiment)
    games = [[player.record(unit, seating).totals for seating in (0, 1)] for unit in range(UNITS)]
    return np.array([[game[0] - game[1] for game in tables] for tables in games])


def test_imps_are_those_of_the_two_tables_of_a_board(duel):
    results, _ = duel
    raw = raw_scores(results)
    assert results.experiment.seatings.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    swings = np.array([imps(int(first - second)) for first, second in raw])
    plain = [sum(abs(first - second) > limit for limit in (10, 40, 80, 120)) for first, second in raw]
    assert [min(abs(swing), 4) for swing in swings] == plain
    found_ = results.comparison
    assert (found_["difference"], found_["low"], found_["high"]) == pytest.approx(of_units(swings))
    first, second = results.standings
    assert found(first, "imps") == pytest.approx(of_units(swings))
    assert second["imps"] == pytest.approx(-swings.mean())
    assert found(first, "points") == pytest.approx(of_units((raw[:, 0] - raw[:, 1]) / 2))
    share = pd.Series((np.sign(swings) + 1) / 2)
    assert first["wins"] == found_["superiority"] == pytest.approx(share.mean())
    assert (found_["wins"], found_["losses"]) == ((swings > 0).sum(), (swings < 0).sum())
    assert math.isnan(found_["gain"])
    boards = results.imps.set_index("imps").boards
    assert boards.to_dict() == pd.Series(swings).value_counts().to_dict()
    assert boards.sum() == UNITS
    (own,) = results.as_json()["game"]["imps"]
    sizes = np.abs(swings)
    assert (own["flat"], own["mean_swing"]) == pytest.approx(((sizes == 0).mean(), sizes.mean()))
    assert own["large_swings"] == pytest.approx((sizes >= 10).mean())
    assert not len(results.sheet) + len(results.lengths) + len(results.endings)


def test_a_comparison_tells_its_measure(duel, match, capsys):
    for (results, _), name in ((duel, "IMPs a board"), (match, "net points a deal")):
        assert f" {name}, between " in results.verdict
        assert results.as_json()["experiment"]["measure"] == name
        standings.show(results, "table")
        printed = capsys.readouterr().out
        assert f" {name}: random against eager" in printed
        assert name.split(" a ")[0] in printed.splitlines()[1]
    assert "gain " not in standings_of(duel[0], capsys)
    assert "gain " in standings_of(match[0], capsys)


def standings_of(results, capsys):
    standings.show(results, "table")
    return capsys.readouterr().out


def test_a_net_difference_is_what_the_first_has(match):
    results, rows = match
    net = net_of(rows)
    own = net.where(rows[rows.deal == 0].groupby(["unit", "seating"]).strategy.first() == "random", -net)
    a_deal = of_units(own.groupby("unit").mean() / 3)
    row = results.comparison
    assert (row["difference"], row["low"], row["high"]) == pytest.approx(a_deal)
    assert found(results.standings[0], "points") == pytest.approx(a_deal)
    assert results.running["difference"].iloc[-1] == row["difference"]
    assert results.convergence.groupby("strategy").points.last()["random"] == pytest.approx(a_deal[0])


def test_a_margin_is_of_what_the_first_has(eager):
    given = {"until_sure": True, "margin": 400, "alpha": 0.5}
    results = api.compare("random", eager, 1000, SEED, **given, **MATCHES)
    row = results.comparison
    assert abs(row["difference"]) < 400
    assert results.stopped
    half = (row["anytime_high"] - row["anytime_low"]) / 2
    net = results.sums["leads"].sum(axis=0)[0, 0] / results.units  # both tables, each ahead by twice its net
    assert row["difference"] == pytest.approx(net / (2 * 2 * 3))
    assert row["anytime_low"] == pytest.approx(row["difference"] - half)


@pytest.mark.parametrize("kind", [BOARDS, MATCHES])
def test_all_ways_of_meeting_agree(eager, kind, capsys):
    """Pairs, tables of all and one seat are the same tables here; a field is two comparisons."""
    entrants, games = ["random", eager, "other=random"], 4 * 12
    pairs, whole = (
        api.tournament(entrants, games, SEED, tables=tables, **kind).crosstable for tables in ("pairs", "all")
    )
    pd.testing.assert_frame_equal(pairs, whole)
    one = api.tournament(entrants, 60, SEED, tables="one", **kind)
    standings.show(one, "table")
    at, place = ("on", "side") if kind is BOARDS else ("in", "seat")
    assert f" of the row's one {place}, the column {at} the other\n" in capsys.readouterr().out
    name, cells = one.measure.column, one.crosstable.set_index(["strategy", "opponent"])
    for (first, second), row in cells.iterrows():
        if first == second:
            assert (row[name], row["others"], row["wins"]) == (0, 0, 0.5)
            assert math.isnan(row["difference"])
        else:
            assert row["difference"] == pytest.approx(row[name])
            assert row["others"] == pytest.approx(-row[name])
            assert (row["low"], row["high"]) == pytest.approx((row[f"{name}_low"], row[f"{name}_high"]))
    board = one.leaderboard.set_index("strategy")[name]
    assert board["eager"] == pytest.approx(cells.loc["eager", name].mean())
    duels = [api.compare(entrant, "other=random", 2 * UNITS, SEED, **kind) for entrant in ("random", eager)]
    field = api.compare("random", eager, 4 * UNITS, SEED, field="other=random", **kind).comparison
    apart = [duel.comparison["difference"] for duel in duels]
    assert field["difference"] == pytest.approx(apart[0] - apart[1])
    assert field["difference"] != 0


def test_thresholds_are_of_the_figures_of_the_run(rubber, duel):
    for results, known, unknown in ((rubber[0], "below", "imps"), (duel[0], "imps_low", "above")):
        given = results.experiment, thresholds.standing_figures(results.experiment)
        thresholds.check(thresholds.Threshold(known, "random", above=9), *given)
        with pytest.raises(UsageError, match=f"there is no figure '{unknown}'"):
            thresholds.check(thresholds.Threshold(unknown, "random", above=9), *given)
    with pytest.raises(UsageError, match="made is a share"):
        thresholds.check(thresholds.Threshold("made", "random", above=9), *given)


def test_points_against_par():
    """Two matches of two deals by hand: par 100 and -60 for the first, who lost 10 and 20 in the auction."""
    made = experiment.make("a=random,b=random", 2, 1, game="honeymoon", options={"deals": 2, "par": "on"})
    counts = tally.zeros(made.game.tallies(made.labels, made.match))
    units = {  # of both seats
        "points": [(95, -95), (-75, 75)], "wins": [(60, 0), (0, 60)], "par": [(100, -100), (-60, 60)],
        "auction": [(10, 0), (20, 0)], "play": [(0, 5), (5, 10)],
    }  # fmt: skip
    assert tuple(units) == made.game.quantities
    columns = np.array([np.ravel([units[name][unit] for name in units]) for unit in (0, 1)])
    counts["total"][:], counts["product"][:] = columns.sum(axis=0), columns.T @ columns
    results = Results(made, [(0, 2)], by_segment(Played(0, 2, counts, NO_ROWS)))
    table = results.par.set_index(["strategy", "part"])
    values = {"par": 10.0, "auction lost": 7.5, "play lost": 1.25, "points": 5.0}
    assert table.points["a"].to_dict() == values
    others = {"par": -10.0, "auction lost": 0.0, "play lost": 3.75, "points": -5.0}
    assert table.points["b"].to_dict() == others
    lost = [values[name] - others[name] for name in ("auction lost", "play lost")]
    assert values["points"] == values["par"] - sum(lost)
    half = scipy_stats.t.ppf(0.975, 1) * np.std([5, 10], ddof=1) / math.sqrt(2)
    assert table.high["a", "auction lost"] == pytest.approx(7.5 + half)
    assert [results.summary[name][0] for name in ("par", "auction_lost", "play_lost")] == [10.0, 7.5, 1.25]
    assert results.as_json()["game"]["par"] == results.par.to_dict("records")


def test_no_games_are_told_as_such(duel):
    counts = tally.zeros(duel[0].experiment.game.tallies(duel[0].labels, duel[0].experiment.match))
    results = Results(duel[0].experiment, [], by_segment(Played(0, 0, counts, NO_ROWS)))
    assert results.in_words == ["no deal had a contract"]
    assert math.isnan(results.standings[0]["made"])
    assert not sum(len(getattr(results, name)) for name in results.experiment.game.tables.FRAMES)
