"""Pictures of matches, calibration, places and cumulative points show the numbers of their tables."""

import math

import numpy as np
import pytest
from fake_cases import MATCHES
from fake_results import make_results

from bridzik_sim import api
from reports import figures
from reports.html import page
from reports.tables import format_value


def ended(axes, gid):
    return [line for line in [*axes.lines, *axes.patches] if line.get_gid() == gid]


def test_leaderboard_shows_points_and_ratings(results_of):
    results = results_of("trio")
    board = results.leaderboard
    low, high = figures.leaderboard(results).axes[0].get_ylim()
    assert low > high  # the first row, the best, is at the top
    for axes, column in zip(figures.leaderboard(results).axes, ("points", "rating"), strict=True):
        assert list(axes.lines[0].get_xdata()) == list(board[column])
        bars = [path.vertices[:, 0].tolist() for path in axes.collections[0].get_paths()]
        assert bars == board[[f"{column}_low", f"{column}_high"]].to_numpy().tolist()
    assert len(figures.leaderboard(results_of("long_pair")).axes) == 1


def test_wins_are_shown_from_the_most_with_the_even_share(results_of):
    results = results_of("wizard_match")
    table = results.wins.sort_values("wins", ascending=False, kind="stable")
    axes = figures.wins(results).axes[0]
    (even,) = ended(axes, "even")
    assert even.get_xdata() == [pytest.approx(100 / 3)] * 2
    assert axes.get_xlim()[0] < even.get_xdata()[0] < axes.get_xlim()[1]
    dots = next(line for line in axes.lines if line is not even)
    assert list(dots.get_xdata()) == pytest.approx(list(100 * table["wins"]))
    bars = [path.vertices[:, 0] for path in axes.collections[0].get_paths()]
    assert np.allclose(bars, 100 * table[["low", "high"]])
    low, high = axes.get_ylim()
    assert low > high  # the first row is at the top
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert [name[:4] for name in names] == [name[:4] for name in table["strategy"]]


def test_cross_table_mirrors_every_pair(results_of):
    results = results_of("five_match")
    order = results.leaderboard["strategy"].tolist()
    cells = figures.crosstable(results).axes[0].images[0].get_array()
    texts = {}
    for text in figures.crosstable(results).axes[0].texts:
        texts.setdefault((round(text.get_position()[1]), round(text.get_position()[0])), []).append(
            text.get_text()
        )
    assert np.ma.getmaskarray(cells).tolist() == np.eye(5, dtype=bool).tolist()
    assert len(texts) == 20
    for row in results.crosstable.to_dict("records"):
        i, j = order.index(row["strategy"]), order.index(row["opponent"])
        assert cells[i, j] == -cells[j, i] == row["difference"]
        there, back = texts[i, j], texts[j, i]
        assert {there[0][0], back[0][0]} == {"+", "−"}
        assert there[0].endswith("*") == back[0].endswith("*") == (row["p_holm"] < 0.05)
        assert there[1] == f"{100 * row['superiority']:.0f} %"
        assert back[1] == f"{100 * (1 - row['superiority']):.0f} %"


def test_differences_that_are_not_sure_have_no_star():
    results = make_results(**MATCHES["trio"])
    results.crosstable["p_holm"] = [0.049, 0.051, math.nan]
    stars = [text for text in figures.crosstable(results).axes[0].texts if text.get_text().endswith("*")]
    assert len(stars) == 2


@pytest.fixture(scope="module")
def ladder():
    entrants, options = "simple,random,heuristic", {"hand_sizes": [2]}
    return api.tournament(entrants, 50, 5, tables="one", references="heuristic", options=options)


def test_the_one_seat_is_drawn_by_who_fills_the_others(ladder):
    charts = figures.charts_of(ladder)
    assert {"ladder", "leaderboard"} <= set(charts)
    assert "crosstable" not in charts
    axes = charts["ladder"].draw(ladder).axes[0]
    cells = {(row["strategy"], row["opponent"]): row for row in ladder.crosstable.to_dict("records")}
    texts = [text.get_text() for text in axes.texts]
    shown = []
    for number, name in enumerate(ladder.leaderboard["strategy"]):
        assert axes.get_yticklabels()[number].get_text() == f"{number + 1}  {name}"
        for column, other in enumerate(("heuristic", name)):
            row = cells[name, other]
            assert axes.images[0].get_array()[number, column] == row["points"]
            shown += [format_value("points", row["points"]), format_value("exact", row["exact"])]
    assert texts == shown


def test_a_page_tells_the_one_seat_apart_from_all_seats(ladder):
    alone, beside = page([ladder], pictures=[{}]), page([ladder, ladder], pictures=[{}, {}])
    assert "these are its results in the one seat." in alone
    assert "these are its results in all seats that it filled." in beside
    assert "points of the others" in alone
    assert not [word for word in ("p (Holm)", "rating") if word in alone]
    best, mixed = ladder.leaderboard.iloc[0], ladder.summary.set_index("strategy")
    assert format_value("points", best["points"]) in alone
    assert f"{mixed.loc[best['strategy'], 'seat_games']:,}" in beside


def test_difference_ends_at_the_last_row(results_of):
    results = results_of("pair")
    figure, last = figures.difference(results), results.running.iloc[-1]
    ends = {float(line.get_ydata()[-1]) for line in figure.axes[0].lines}
    assert {last[name] for name in ("difference", "low", "high", "anytime_low", "anytime_high")} <= ends
    low, high = figure.axes[0].get_ylim()
    assert low < 0 < high
    words = figure.legends[0].get_texts()[1].get_text()
    assert words.endswith(f"{last['low']:+.2f} to {last['high']:+.2f}")


def test_evidence_counts_from_the_first_anytime_interval_on(results_of):
    results = results_of("pair")
    axes = figures.evidence(results).axes[0]
    rows = results.running
    threshold = math.log10(20)
    early = rows[rows["anytime_low"].isna()]
    assert (early["evidence"] > threshold).any(), "the case shows nothing"
    (mark,) = ended(axes, "enough")
    assert mark.get_xdata()[0] == rows["units"][rows["anytime_low"].notna()].iloc[0]
    (grey,) = ended(axes, "too early")
    assert grey.get_x() + grey.get_width() == pytest.approx(mark.get_xdata()[0])
    assert axes.get_ylim()[1] < rows["evidence"].iloc[-1]
    assert not ended(figures.evidence(results_of("long_pair")).axes[0], "enough")


def test_evidence_tells_whether_it_decided(results_of):
    for case, said in (("pair", "shown only"), ("sure_pair", "the run ended when this sufficed")):
        assert any(said in text.get_text() for text in figures.evidence(results_of(case)).texts)


def test_ecdf_rises_to_one_and_marks_the_medians(results_of):
    results = results_of("trio")
    axes = figures.ecdf(results).axes[0]
    for number, label in enumerate(results.labels):
        own = results.scores[results.scores["strategy"] == label]
        all_points = np.sort(np.repeat(own["points"], own["games"]))
        line, median = axes.lines[2 * number : 2 * number + 2]
        x, y = line.get_data()
        assert np.allclose(y[1:], [np.mean(all_points <= at) for at in x[1:]])
        assert median.get_xdata()[0] == all_points[(len(all_points) - 1) // 2]


def test_calibration_shows_means_and_marks_few_bids(results_of):
    results = results_of("trio")
    for label, axes in zip(results.labels, figures.calibration(results).axes, strict=True):
        own = results.calibration[results.calibration["strategy"] == label]
        (exact,) = ended(axes, "exact")
        assert list(exact.get_xdata()) == list(exact.get_ydata())
        _, means, many, few = axes.lines
        assert list(means.get_ydata()) == list(own["tricks"])
        assert list(many.get_xdata()) == list(own["bid"][own["bids"] >= 30])
        assert list(few.get_xdata()) == list(own["bid"][own["bids"] < 30]) != []


def test_effects_show_seats_and_places(results_of):
    results = results_of("trio")
    figure = figures.effects(results)
    for axes, effect in zip(figure.axes, ("seat", "position"), strict=True):
        for label, line in zip(results.labels, axes.lines, strict=True):
            own = results.effects[
                (results.effects["strategy"] == label) & (results.effects["effect"] == effect)
            ]
            assert list(line.get_ydata()) == list(own["points"])
