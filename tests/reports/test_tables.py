"""Numbers as text."""

import numpy as np
import pandas as pd
import pytest
from fake_cases import MATCHES
from fake_results import make_results

from reports.tables import (
    accuracy_table,
    chance,
    compare_runs,
    format_interval,
    format_value,
    pairs_table,
    readable,
    standings_frame,
)


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("points", 179.96, "180.0"),
        ("points", np.float64(-0.04), "0.0"),
        ("points_low", -1234.56, "-1,234.6"),
        ("points_se", 0.0421, "0.04"),
        ("points", np.int64(464), "464"),
        ("exact", 0.52345, "52.3 %"),
        ("wins", 1, "100.0 %"),
        ("rating", -0.4, "0"),
        ("ceiling", 0.75, "75.0 %"),
        ("seat_games", 1234567, "1,234,567"),
        ("count", np.int64(1000), "1,000"),
        ("bid", 1.2345, "1.23"),
        ("seed", 12345, "12345"),
        ("strategy", "a,b", "a,b"),
        ("points", np.nan, "–"),
        ("points", None, "–"),
        ("rate", float("nan"), "–"),
        ("bids", pd.NA, "–"),
    ],
)
def test_values(column, value, text):
    assert format_value(column, value) == text


def test_intervals():
    assert format_interval("exact", 0.5, 0.55) == "50.0 to 55.0 %"
    assert format_interval("points", 1.0, 2.0) == "1.0 to 2.0"
    assert format_interval("points", np.nan, 2.0) == "–"


def test_intervals_become_one_column(results):
    table = readable(results.summary)
    assert table.headings[:5] == ["strategy", "seat-games", "points", "95 % interval", "std. error"]
    assert table.numeric[:2] == [False, True]
    assert all(len(row) == len(table.headings) == len(table.numeric) for row in table.rows)
    first = results.summary.iloc[0]
    assert table.rows[0][3] == f"{first['points_low']:.1f} to {first['points_high']:.1f}"


def test_standings_are_in_the_order_of_the_leaderboard():
    match = make_results(labels=["x", "y", "z"], games=40, sizes=(5,), kind="tournament")
    match.leaderboard = match.leaderboard.iloc[::-1].reset_index(drop=True)
    table = standings_frame(match)
    assert list(table["strategy"]) == list(match.leaderboard["strategy"])
    for row, board in zip(table.to_dict("records"), match.leaderboard.to_dict("records"), strict=True):
        assert (row["points"], row["rating"]) == (board["points"], board["rating"])
    assert readable(table).headings[5:8] == ["wins", "rating", "95 % interval"]
    assert "rating" not in standings_frame(make_results(games=2, sizes=(1,)))


def test_pairs_table():
    match = make_results(**MATCHES["trio"])
    table, frame = pairs_table(match), match.crosstable
    assert all(len(row) == len(table.headings) == len(table.numeric) for row in table.rows)
    assert [row[:2] for row in table.rows] == frame[["strategy", "opponent"]].to_numpy().tolist()
    first = frame.iloc[0]
    assert table.rows[0][2:6] == [
        f"{first['difference']:.2f}",
        f"{first['low']:.2f} to {first['high']:.2f}",
        f"{100 * first['superiority']:.1f} %",
        f"{first['wins']} / {first['ties']} / {first['losses']}",
    ]
    tiny = pairs_table(make_results(**MATCHES["one_unit"])).rows[0]
    assert tiny[3] == tiny[6] == tiny[7] == "–"
    assert [chance(p) for p in (0.0, 0.0009, 0.0499, 1.0)] == ["< 0.001", "< 0.001", "0.050", "1.000"]


def test_runs_side_by_side(results):
    other = make_results(labels=["x", "y"], games=3)
    other.summary["extra"] = 1.0
    table = compare_runs([results, other], ["old", "new"])
    assert list(table.columns[:3]) == ["run", "games", "strategy"]
    assert list(table["run"]) == ["old"] * 3 + ["new"] * 2
    assert list(table["games"]) == [200] * 3 + [3] * 2
    assert list(table["strategy"]) == ["heuristic", "random", "cautious", "x", "y"]
    assert readable(table).rows[0][-1] == "–"
    assert list(compare_runs([other])["run"]) == ["1", "1"]
    assert "run" not in results.summary
    with pytest.raises(ValueError, match="2 runs"):
        compare_runs([results, other], ["one"])


def test_accuracy_table(results):
    table = accuracy_table(results)
    assert len(table.rows) == 3 * 8 + 8
    assert all(len(row) == len(table.headings) for row in table.rows)
    cell = results.accuracy.query("strategy == 'random' and hand_size == 1 and position == 2").iloc[0]
    row = next(row for row in table.rows if row[:2] == ["random", "1"])
    assert row[4].startswith(f"{100 * cell['rate']:.1f} % (")
    assert table.rows[-1][0] == "whole table, at most 75.0 %"
    assert not any("%" in row[0] for row in table.rows[:24])


def test_accuracy_table_of_one_game():
    table = accuracy_table(make_results(games=1, sizes=(1,)))
    assert not any("nan" in cell for row in table.rows for cell in row)
