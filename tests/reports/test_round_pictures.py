"""Pictures of games like Czech Fool show the numbers of their tables: wins, rounds, cards and places."""

from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts_are_apart
from fake_cases import OF_ROUNDS
from fake_rounds import FOOL, make_rounds
from matplotlib.text import Text

from bridzik_sim import api
from bridzik_sim.games.fool import counting
from reports import figures, round_pictures
from reports.html import page
from reports.tables import format_value, ladder_table, pairs_table, readable, standings_frame

LAYOUTS = [
    *(("fool_six", chart) for chart in ("seats", "scores")),
    *(("fool_twelve", chart) for chart in ("finishes", "places")),
    *(("fool_unit", chart) for chart in ("turns", "lengths", "seats", "places", "convergence")),
    *(("fool_one", chart) for chart in ("finishes", "places", "leaderboard")),
    *(("fool_trio", "crosstable"), ("fool_pair", "difference"), ("fool_seats", "ladder")),
]


@pytest.fixture(scope="module")
def fool():
    """A function from the name of a case to its results, made once."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = make_rounds(**FOOL[name])
        return made[name]

    return get


@pytest.mark.parametrize(("case", "chart"), LAYOUTS)
def test_texts_are_apart_and_on_the_paper(fool, case, chart):
    texts_are_apart(figures.CHARTS[chart].draw(fool(case)))


def test_results_of_real_games_have_these_tables(fool):
    real, fake = api.simulate("random*4", 12, 5, game="fool"), fool("fool_one")
    charts = figures.charts_of(real)
    assert set(charts) == set(figures.charts_of(fake))
    frames = {name for chart in charts.values() for name in chart.frames}
    for name in ["summary", "wins", "rounds", *sorted(frames)]:
        assert list(getattr(real, name).columns) == list(getattr(fake, name).columns), name


def test_nothing_of_bids_is_shown_and_nothing_of_rounds_in_games_of_bids(fool, results_of):
    bids = {"accuracy", "bids_tricks", "calibration", "effects", "points_by_size", "deal_kinds", "over_under"}
    common = {"leaderboard", "wins", "scores", "ecdf", "convergence"}
    assert set(figures.charts_of(fool("fool_three"))) == OF_ROUNDS | common
    assert set(figures.charts_of(fool("fool_one"))) == (OF_ROUNDS | common) - {"wins"}
    assert not OF_ROUNDS & set(figures.charts_of(results_of("three")))
    assert set(figures.CHARTS) >= OF_ROUNDS | bids
    words = [text.get_text() for chart in ("leaderboard", "seats") for text in drawn_texts(fool, chart)]
    assert not [text for text in words if "bid" in text]


def drawn_texts(fool, chart):
    return figures.CHARTS[chart].draw(fool("fool_three")).findobj(Text)


def test_captions_tell_of_shares_where_the_measure_is_one(fool, results_of):
    for chart in figures.CHARTS.values():
        assert chart.caption_for(results_of("three")) == chart.caption
        told = chart.caption_for(fool("fool_three"))
        assert told == (chart.of_shares or chart.caption)
        assert not chart.of_shares or "points a game and seat" not in told.lower()


def test_leaderboard_shows_games_won_and_beside_it_points_or_ratings(fool):
    for case, beside in (("fool_three", "points"), ("fool_trio", "rating")):
        board = fool(case).leaderboard
        won, other = figures.leaderboard(fool(case)).axes
        assert list(won.lines[0].get_xdata()) == pytest.approx(list(100 * board["wins"]))
        bars = [path.vertices[:, 0] for path in won.collections[0].get_paths()]
        assert np.allclose(bars, 100 * board[["wins_low", "wins_high"]])
        assert list(other.lines[0].get_xdata()) == pytest.approx(list(board[beside]))
        assert (won.get_xlabel(), beside in other.get_xlabel()) == ("share of games won (%)", True)


def test_differences_are_in_percentage_points(fool):
    results = fool("fool_pair")
    figure, last = figures.difference(results), results.running.iloc[-1]
    ends = {round(float(line.get_ydata()[-1]), 9) for line in figure.axes[0].lines}
    assert {round(100 * last[name], 9) for name in ("difference", "low", "high")} <= ends
    assert "percentage points" in figure.axes[0].get_ylabel()
    match = fool("fool_trio")
    square = figures.crosstable(match).axes[0].images[0].get_array()
    order, row = match.leaderboard["strategy"].tolist(), match.crosstable.iloc[2]
    place = order.index(row["strategy"]), order.index(row["opponent"])
    assert square[place] == pytest.approx(100 * row["difference"])


def test_one_seat_shows_games_won_and_points(fool):
    results = fool("fool_seats")
    cells = {(row["strategy"], row["opponent"]): row for row in results.crosstable.to_dict("records")}
    names = results.leaderboard["strategy"].tolist()
    shown = []
    for name in names:
        for other in [*names, name]:
            row = cells[name, other]
            shown += [format_value("wins", row["wins"]), format_value("points", row["points"])]
    assert [text.get_text() for text in figures.ladder(results).axes[0].texts] == shown


def test_convergence_ends_at_the_shares(fool):
    results = fool("fool_three")
    last = results.convergence.groupby("strategy")["wins"].last()
    axes = figures.convergence(results).axes[0]
    ends = [float(line.get_ydata()[-1]) for line in axes.lines]
    assert all(any(end == pytest.approx(100 * last[label]) for end in ends) for label in results.labels)
    assert axes.get_ylabel() == "share of games won (%)"


def test_points_above_the_limit_are_shaded(fool, results_of):
    for chart in (figures.scores, figures.ecdf):
        axes = chart(fool("fool_three")).axes[0]
        (shade,) = [patch for patch in axes.patches if patch.get_gid() == "out"]
        assert shade.get_x() == 101.5
        assert "fewer are better" in axes.get_xlabel()
        assert not [patch for patch in chart(results_of("three")).axes[0].patches if patch.get_gid() == "out"]


def test_a_bin_of_points_ends_at_the_limit(fool):
    results = fool("fool_six")
    edges = figures.scores(results).axes[0].patches[0].get_data().edges
    assert edges[1] - edges[0] > 1
    assert 101.5 in edges
    assert edges[0] < results.scores["points"].min()
    assert edges[-1] > results.scores["points"].max()


def test_turns_show_bulk_tail_and_marks(fool):
    results = fool("fool_six")
    figure = figures.turns(results)
    texts_are_apart(figure)
    bulk, tail = figure.axes
    marks = [line for line in bulk.lines if len(line.get_xdata()) == 2]
    means = [line for line in bulk.lines if len(line.get_xdata()) == 1]
    steps = [line for line in tail.lines if line.get_gid() is None and len(line.get_xdata()) > 2]
    for number, row in enumerate(results.rounds.to_dict("records")):
        own = results.turns[results.turns["players"] == row["players"]]
        every = np.repeat(own["turns"], own["rounds"])
        assert list(marks[number].get_xdata()) == [row["median"], row["p99"]]
        assert means[number].get_xdata() == [pytest.approx(row["turns"])]
        edges, shares = bulk.patches[number].get_data().edges, bulk.patches[number].get_data().values
        inside = [np.mean((every > low) & (every < high)) for low, high in pairwise(edges)]
        assert np.allclose(shares, inside)
        x, y = steps[number].get_data()
        assert np.allclose(y[:-1], [np.mean(every > at) for at in x[:-1]])
        assert x[-1] == every.max()
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(words) == len(results.rounds) == 3
    assert f"mean {results.rounds['turns'][0]:.1f} (" in words[0]
    assert "1,000 stands for more" in tail.get_xlabel()


def test_lengths_that_reach_the_last_number_are_or_more(fool):
    line = round_pictures.Lengths("all", 100, np.array([10, 100]), np.array([98, 2]), 11.8)
    assert line.text == ": mean 11.8, median 10, 99th percentile 100 or more"
    even = round_pictures.Lengths("all", 100, np.array([10, 20]), np.array([99, 1]), 10.1, 10.0, 10.2)
    assert even.text == ": mean 10.1 (10.0 to 10.2), median 10, 99th percentile 10"
    results = fool("fool_three")
    lengths = np.repeat(results.lengths["rounds"], results.lengths["games"])
    (key,) = [text.get_text() for text in figures.lengths(results).legends[0].get_texts()]
    assert f"mean {lengths.mean():.1f}, median {np.median(lengths):.0f}" in key


@pytest.mark.parametrize(("case", "cards"), [("fool_three", 14), ("fool_two", 10)])
def test_finishes_are_shares_of_the_rounds_won_with_the_queens_last(fool, case, cards):
    results = fool(case)
    figure = figures.finishes(results)
    texts_are_apart(figure)
    axes = figure.axes[0]
    shares = axes.images[0].get_array()
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert len(names) == cards
    assert names[-2:] == ["Q, not ♠", "♠Q"]
    back = {"10": "T", "Q, not ♠": "Q", "♠Q": "SQ"}
    assert {back.get(name, name) for name in names} <= set(counting.LAST_CARDS)
    table = results.finishes.set_index(["strategy", "last_card"])["share"]
    for row, label in enumerate(results.leaderboard["strategy"]):
        for column, name in enumerate(names):
            assert shares[row, column] == pytest.approx(table[label, back.get(name, name)])
    won = [text.get_text() for text in axes.texts if text.get_ha() == "right"]
    counts = results.finishes.groupby("strategy")["rounds"].sum()
    assert won == [f"{counts[label]:,}" for label in results.leaderboard["strategy"]]


def test_places_fill_each_bar(fool):
    results = fool("fool_six")
    axes = figures.places(results).axes[0]
    table = results.places.set_index(["strategy", "place"])["share"]
    names = results.leaderboard["strategy"].tolist()
    widths = np.array([bar.get_width() for bar in axes.patches]).reshape(-1, len(names))
    assert np.allclose(widths.sum(axis=0), 1)
    for place, own in enumerate(widths, start=1):
        assert list(own) == pytest.approx([table[name, place] for name in names])
    assert {patch.get_facecolor() for patch in axes.patches} != {axes.patches[0].get_facecolor()}


def test_seats_show_wins_and_the_even_share(fool):
    results = fool("fool_three")
    for axes, effect in zip(figures.seats(results).axes, ("seat", "position"), strict=True):
        lines = [line for line in axes.lines if line.get_gid() != "even"]
        (even,) = [line for line in axes.lines if line.get_gid() == "even"]
        assert even.get_ydata() == [pytest.approx(1 / 3)] * 2
        table = results.effects[results.effects["effect"] == effect]
        for label, line in zip(results.labels, lines, strict=True):
            own = table[table["strategy"] == label].sort_values("place")
            assert list(line.get_ydata()) == list(own["won"])
        assert len(axes.get_xticks()) == 3


@pytest.mark.parametrize(("case", "bars"), [("fool_three", True), ("fool_crowd", False)])
def test_openings_have_a_panel_a_kind_for_wins_and_points(fool, case, bars):
    results = fool(case)
    figure = figures.openings(results)
    texts_are_apart(figure)
    kinds = [kind for kind in counting.OPENINGS if (results.openings["opening"] == kind).any()]
    assert list(round_pictures.OPENED) == list(counting.OPENINGS)
    assert len(figure.axes) == 2 * len(kinds)
    for number, axes in enumerate(figure.axes):
        kind, column = kinds[number // 2], ("won", "points")[number % 2]
        lines = [line for line in axes.lines if line.get_gid() != "even"]
        table = results.openings[results.openings["opening"] == kind]
        for label, line, ends in zip(results.labels, lines, axes.collections, strict=True):
            own = table[table["strategy"] == label].sort_values("position")
            assert list(line.get_ydata()) == list(own[column])
            drawn = np.array([path.vertices[:, 1] for path in ends.get_paths()])
            wanted = own[[f"{column}_low", f"{column}_high"]].to_numpy()
            assert np.allclose(drawn, wanted) if bars else np.isnan(drawn).all()
    assert any("bars" in text.get_text() for text in figure.texts) == bars


def test_openings_of_the_small_deck_have_no_eight(fool):
    figure = figures.openings(fool("fool_two"))
    texts_are_apart(figure)
    titles = [axes.get_title("left") for axes in figure.axes if axes.get_title("left")]
    assert len(figure.axes) == 10
    assert titles == [f"opened: {round_pictures.OPENED[kind]}" for kind in ("plain", "6", "7", "Q", "A")]


def test_tables_tell_shares_in_per_cent(fool):
    match, alone = fool("fool_trio"), fool("fool_seats")
    first = match.crosstable.iloc[0]
    cells = pairs_table(match).rows[0]
    assert cells[2] == f"{100 * first['difference']:.2f}"
    assert cells[3] == f"{100 * first['low']:.2f} to {100 * first['high']:.2f}"
    row = next(row for row in ladder_table(alone).rows if row[0] != row[1])
    own = alone.crosstable[alone.crosstable["strategy"] == row[0]].set_index("opponent").loc[row[1]]
    assert row[3:] == [
        f"{100 * own['wins']:.1f} %",
        f"{100 * own['wins_low']:.1f} to {100 * own['wins_high']:.1f} %",
        f"{own['points']:.1f}",
        f"{100 * own['others']:.1f} %",
        "1.50",
        "1.50 to 1.50",
    ]
    standings = readable(standings_frame(match))
    wins, error, rating = (standings.headings.index(name) for name in ("wins", "std. error", "rating"))
    assert wins < error < rating < standings.headings.index("points")
    best = match.summary.set_index("strategy").loc[match.leaderboard["strategy"][0]]
    assert standings.rows[0][error] == f"{100 * best['wins_se']:.2f} %"
    assert "wins_se" not in standings_frame(alone)


def test_a_page_tells_rounds_and_no_bids(fool):
    results = fool("fool_six")
    drawn = {"turns": figures.png(figures.turns(results))}
    text = page([results], pictures=[drawn])
    assert "Rounds by the number of players" in text
    for row in results.rounds.to_dict("records"):
        for cell in (f"{row['rounds']:,}", f"{row['turns']:.2f}", f"{row['points_per_loser']:.1f}"):
            assert f">{cell}</td>" in text
    assert "fewer are better" in text
    assert "exits are shares of the seat-games" in text
    assert "<code>rounds.csv</code>: the rounds" in text
    assert not [word for word in ("exact bids", "mean tricks", "hand size") if word in text]
    pairs = page([fool("fool_trio")], pictures=[{}])
    assert "percentage points (share of games won) on the same cards" in pairs
    alone = page([fool("fool_seats")], pictures=[{}])
    assert "Share of games won by the strategy in one seat" in alone
    assert "exits" not in alone
