"""Tables of runs of Czech Fool against the same figures worked out from rows and games, one by one."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from bridzik_sim import api, stats, tally
from bridzik_sim.games.fool import tables
from bridzik_sim.games.fool.counting import LAST_CARDS, MAX_TURNS, OPENINGS
from bridzik_sim.games.fool.rules import GAME
from bridzik_sim.match import simulate
from bridzik_sim.play import Player

UNITS, FEW, SEATS, CAP = 60, 20, 3, 60


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Three players, two of them one entrant, in all rotations."""
    return play(tmp_path_factory.mktemp("run"), SEATS * UNITS, seating="rotate")


def play(out, games, **more):
    played = {"game": "fool", "rows": "csv", "options": {"max_turns": CAP}, **more}
    results = api.simulate("random*2,server", games, 5, out=out, **played)
    rows = pd.read_csv(out / "rows.csv")
    in_round = rows.groupby(["unit", "seating", "deal"])
    rows["lost"] = (in_round.won.transform("sum") == 1) & (rows.won == 0)
    return results, rows


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Few games, seated as given, with the records of the reference engine."""
    results, rows = play(tmp_path_factory.mktemp("told"), FEW)
    player = Player(results.experiment)
    return results, rows, [player.record(unit, 0) for unit in range(FEW)]


def ends_of(rows):
    """The last row of every seat in a game, with its share of the win: last one in, else lowest total."""
    ends = rows.groupby(["unit", "seating", "seat"]).last().reset_index()
    rounds = rows.groupby(["unit", "seating"]).deal.max().rename("last")
    ends = ends.join(rounds, on=["unit", "seating"])
    there = ends.deal == ends["last"]
    lowest = ends.total.where(there).groupby([ends.unit, ends.seating]).transform("min")
    won = (there & ((ends.total <= 101) | ((lowest > 101) & (ends.total == lowest)))).astype(float)
    return ends.assign(share=won / won.groupby([ends.unit, ends.seating]).transform("sum"))


def wilson(value, error, units=UNITS):
    return stats.wilson(value, value * (1 - value) / error**2, scipy_stats.t.ppf(0.975, units - 1))


def ratio(mine, x, y, units=UNITS):
    """Value and error of a ratio of sums of columns: Cochran's linearised variance, unit by unit."""
    x, y = (mine.groupby("unit")[name].sum().reindex(range(units), fill_value=0) for name in (x, y))
    value = y.sum() / x.sum()
    return value, np.sqrt(units / (units - 1) * ((y - value * x) ** 2).sum()) / x.sum()


def around(value, error, units=UNITS):
    reach = scipy_stats.t.ppf(0.975, units - 1) * error
    return value, value - reach, value + reach


def found(row, name):
    return tuple(row[key] for key in (name, f"{name}_low", f"{name}_high"))


def test_standings_are_means_and_shares_over_units(run):
    results, rows = run
    ends, rows = ends_of(rows), rows.assign(one=1, lost_points=rows.points.where(rows.lost, 0))
    for row in results.summary.to_dict("records"):
        mine, last = (table[table.strategy == row["strategy"]] for table in (rows, ends))
        assert row["seat_games"] == len(last) == UNITS * SEATS * (2 if row["strategy"] == "random" else 1)
        share, total = last.groupby("unit").share.mean(), last.groupby("unit").total.mean()
        value, error = share.mean(), scipy_stats.sem(share)
        assert row["wins_se"] == pytest.approx(error)
        assert found(row, "wins") == pytest.approx((value, *wilson(value, error)))
        assert row["points_se"] == pytest.approx(scipy_stats.sem(total))
        assert found(row, "points") == pytest.approx(around(total.mean(), scipy_stats.sem(total)))
        value, error = ratio(mine, "one", "won")
        assert found(row, "rounds_won") == pytest.approx((value, *wilson(value, error)))
        assert found(row, "lost_points") == pytest.approx(around(*ratio(mine, "lost", "lost_points")))
        assert row["exits"] == pytest.approx((mine.total > 101).sum() / len(last))
        before = mine.groupby(["unit", "seating", "seat"]).total.shift(fill_value=0)
        assert row["resets"] == pytest.approx((before + mine.points == 101).sum() / len(last))
    assert (results.summary.wins * results.summary.seat_games).sum() == pytest.approx(UNITS * SEATS)
    assert results.summary.resets.min() > 0


def test_rounds_by_their_number_of_players(run):
    results, rows = run
    in_round = rows.groupby(["unit", "seating", "deal"])
    rounds = in_round.first().assign(one=1, over=in_round.won.sum() == 1).reset_index()
    lost = rows[rows.lost].assign(one=1)
    assert results.rounds.players.tolist() == [2, 3]
    for row in results.rounds.to_dict("records"):
        mine, losers = (table[table.players == row["players"]] for table in (rounds, lost))
        assert row["rounds"] == len(mine)
        nobody = mine[~mine["over"]]
        assert (row["blocked"], row["capped"]) == ((nobody.turns < CAP).sum(), (nobody.turns == CAP).sum())
        assert found(row, "turns") == pytest.approx(around(*ratio(mine, "one", "turns")))
        for name, share in (("median", 0.5), ("p99", 0.99)):
            assert row[name] == np.quantile(mine.turns, share, method="inverted_cdf")
        assert found(row, "points_per_loser") == pytest.approx(around(*ratio(losers, "one", "points")))
    assert results.rounds.capped.min() > 0
    histogram = results.turns.set_index(["players", "turns"])["rounds"]
    assert histogram.to_dict() == rounds.groupby(["players", "turns"]).size().to_dict()
    own = results.as_json()["game"]
    lengths = rounds.groupby(["unit", "seating"]).size()
    assert own["rounds"] == results.rounds.to_dict("records")
    assert own["turns_per_round"] == pytest.approx(rounds.turns.mean())
    assert own["points_per_loser"] == pytest.approx(lost.points.mean())
    assert own["turns_median"] == np.quantile(rounds.turns, 0.5, method="inverted_cdf")
    assert (own["capped"], results.rounds_played) == (results.rounds.capped.sum(), len(rounds))
    a_game = lengths.groupby("unit").mean()
    assert found(own, "rounds_a_game") == pytest.approx(around(a_game.mean(), scipy_stats.sem(a_game)))
    assert results.lengths.set_index("rounds").games.to_dict() == lengths.value_counts().to_dict()


def test_places_and_scores_are_counted(run):
    results, rows = run
    ends = ends_of(rows)
    for label, mine in ends.assign(place=pd.Series(dict(places_of(ends)))).groupby("strategy"):
        counted = results.places[results.places.strategy == label].set_index("place")
        assert counted.games.to_dict() == mine.place.value_counts().to_dict()
        assert counted.share.to_dict() == pytest.approx((counted.games / len(mine)).to_dict())
        scores = results.scores[results.scores.strategy == label].set_index("points").games
        assert scores.to_dict() == mine.total.value_counts().to_dict()


def places_of(ends):
    """1 for who shares the win; else one more than those who won or played on when one's last round ended."""
    games = {}
    for row in ends.itertuples():
        games.setdefault((row.unit, row.seating), []).append(row)
    for game in games.values():
        for own in game:
            above = [one.share > 0 or one.deal + (one.total <= 101) > own.deal for one in game]
            yield own.Index, 1 if own.share > 0 else 1 + sum(above)


def test_effects_are_shares_by_seat_and_place(run):
    results, rows = run
    ends, whole = ends_of(rows), rows[rows.players == SEATS].assign(one=1)
    for row in results.effects.to_dict("records"):
        place = (row["strategy"], row["place"])
        if row["effect"] == "seat":
            mine = ends.groupby(["strategy", "seat"]).get_group(place)
            share = mine.groupby("unit").share.mean()
            value, error = share.mean(), scipy_stats.sem(share)
        else:
            mine = whole.groupby(["strategy", "position"]).get_group(place)
            value, error = ratio(mine, "one", "won")
        assert row["number"] == len(mine)
        assert (row["won"], row["low"], row["high"]) == pytest.approx((value, *wilson(value, error)))


def test_last_cards_and_openings_are_those_of_the_games(told):
    results, rows, games = told
    seated = results.experiment.seatings[0]
    last_cards = [
        (results.labels[seated[deal.winner]], LAST_CARDS[deal.last_card])
        for game in games
        for deal in game.deals
        if deal.winner >= 0
    ]
    counted = pd.Series(last_cards).value_counts().to_dict()
    assert results.finishes.set_index(["strategy", "last_card"])["rounds"].to_dict() == counted
    assert results.finishes.groupby("strategy").share.sum().tolist() == pytest.approx([1, 1])
    opened = [
        OPENINGS[games[unit].deals[deal].opening] for unit, deal in zip(rows.unit, rows.deal, strict=True)
    ]
    whole = rows.assign(one=1, opening=opened)[rows.players == SEATS]
    by_opening = whole.groupby(["strategy", "opening", "position"])
    assert len(results.openings) == len(by_opening) > 30
    for row in results.openings.to_dict("records"):
        mine = by_opening.get_group((row["strategy"], row["opening"], row["position"]))
        value, error = ratio(mine, "one", "won", FEW)
        assert (row["rounds"], row["won"]) == (len(mine), pytest.approx(value))
        if error:
            assert found(row, "won") == pytest.approx((value, *wilson(value, error, FEW)))
        expected = around(*ratio(mine, "one", "points", FEW), FEW)
        assert found(row, "points") == pytest.approx(expected)


def test_the_measure_converges_to_the_standings(run):
    results = run[0]
    last = results.convergence.groupby("strategy").last()
    for row in results.standings:
        assert tuple(last.loc[row["strategy"], ["wins", "low", "high"]]) == found(row, "wins")
    assert results.leaderboard.strategy.tolist() == ["server", "random"]
    assert results.leaderboard.wins.is_monotonic_decreasing


def test_who_fills_every_seat_wins_its_share_for_certain():
    results = api.simulate("random*4", 20, 5, game="fool")
    (row,) = results.standings
    assert found(row, "wins") == (0.25, 0.25, 0.25)
    assert row["wins_se"] == 0
    assert (results.convergence.low == results.convergence.high).all()
    assert results.wins[["wins", "low", "high", "even"]].to_numpy().tolist() == [[0.25] * 4]


def test_a_game_has_its_own_tables_and_no_others(run):
    results = run[0]
    assert results.turns is results.turns
    for name in ("accuracy", "bids", "table_accuracy", "nonsense", "_hidden"):
        assert getattr(results, name, None) is None
    with pytest.raises(AttributeError, match="no calibration"):
        _ = results.calibration
    assert getattr(api.simulate("random*4", 1, 5), "openings", None) is None


def made(**counted):
    """Sums of a run of four players in which nothing was counted but this."""
    sums = tally.zeros(GAME.tallies(["a"], simulate([0] * 4)))
    for name, (place, values) in counted.items():
        sums[name][place] = values
    return SimpleNamespace(labels=["a"]), 2, sums


def test_quantiles_are_the_smallest_numbers_that_so_many_do_not_exceed():
    turns = np.zeros(MAX_TURNS + 1, np.int64)
    turns[[20, 30, 40]] = 50, 49, 1
    assert (tables.quantile(turns, 50), tables.quantile(turns, 99)) == (20, 30)
    turns[40] += 1
    assert (tables.quantile(turns, 50), tables.quantile(turns, 99)) == (30, 40)


def test_a_quantile_among_what_stands_for_more_is_not_known():
    turns = np.zeros(MAX_TURNS + 1, np.int64)
    assert np.isnan(tables.quantile(turns, 50))
    turns[[20, MAX_TURNS]] = 9, 1
    endings = {
        "turns": (0, turns),
        "endings": (0, [9, 0, 1]),
        "turn_moments": (0, [10, 1180, 50, 700_000, 5900]),
    }
    (row,) = tables.rounds(*made(**endings))
    assert (row["players"], row["rounds"], row["capped"], row["median"]) == (2, 10, 1, 20)
    assert np.isnan(row["p99"])
    assert "(median 20, 99th percentile 1,000 or more)" in tables.in_words(*made(**endings))[0]


def test_blocked_rounds_are_told():
    (row,) = tables.rounds(*made(endings=(2, [5, 3, 0])))
    assert (row["players"], row["blocked"], row["capped"]) == (4, 3, 0)
    assert tables.in_words(*made(endings=(2, [5, 3, 0])))[1] == "3 rounds ended blocked, 0 capped"


def test_rounds_that_nobody_has_won_have_no_losers():
    found = api.simulate("random*2", 40, 1, game="fool", options={"max_turns": 1})
    assert ", – points a loser, " in found.in_words[0]


def test_two_alike_win_half_of_the_rounds_for_certain():
    row = api.simulate("random*2", 20, 1, game="fool").standings[0]
    assert (row["rounds_won"], row["rounds_won_low"], row["rounds_won_high"]) == (0.5, 0.5, 0.5)
