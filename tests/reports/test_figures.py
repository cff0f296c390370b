"""Pictures: their bytes, their marks, and that no text lies on another."""

import hashlib
import itertools
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import pytest
from drawn_texts import overlaps, texts_are_apart, texts_of
from fake_cases import CASES, LONG, MATCHES, OF_OTHERS
from fake_results import make_results
from fake_rounds import make_rounds
from matplotlib.text import Text

from reports import canvas, figures
from reports.bid_pictures import compact
from reports.point_pictures import bin_width, log_ticks
from reports.write import write_pictures

OLD = ("accuracy", "bids_tricks", "scores", "over_under", "convergence")
ALIKE = ("three", "five", "some_sizes")
"""Cases whose layout others show as well."""
PLACES = ("leaderboard", "ecdf", "calibration", "effects")
WIZARD = ("wizard_one", "wizard_long", "wizard_six")
LAYOUTS = [
    *((case, chart) for case in CASES if case not in ALIKE for chart in OLD),
    *(("twelve", chart) for chart in OLD),
    *((case, chart) for case in ("one", "long_pair", "trio", "twelve", "one_unit") for chart in PLACES),
    *((case, "points_by_size") for case in ("one", "twelve", "one_unit", "wizard_long")),
    *((case, "wins") for case in ("long_pair", "twelve", "one_unit", "wizard_six")),
    *((case, "deal_kinds") for case in (*WIZARD, "wizard_match", "wizard_unit")),
    *(("wizard_match", chart) for chart in ("leaderboard", "calibration", "points_by_size")),
    *((case, "ladder") for case in ("three_seats", "twelve_seats")),
    *((case, "crosstable") for case in ("trio", "five_match", "twelve", "twelve_units")),
    *((case, chart) for case in ("pair", "long_pair", "sure_pair") for chart in ("difference", "evidence")),
]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(("case", "chart"), LAYOUTS)
def test_texts_are_apart_and_on_the_paper(results_of, case, chart):
    figure = figures.CHARTS[chart].draw(results_of(case))
    texts_are_apart(figure)


@pytest.mark.parametrize(
    ("case", "chart"),
    [
        *((case, chart) for case in ("six", "tiny_one") for chart in OLD),
        *(("twelve", chart) for chart in ("ecdf", "effects", "points_by_size")),
        ("wizard_match", "deal_kinds"),
        *(("long_pair", chart) for chart in ("difference", "evidence")),
    ],
)
def test_legends_do_not_cover_data(results_of, case, chart):
    figure = figures.CHARTS[chart].draw(results_of(case))
    figure.canvas.draw()
    for legend in figure.legends:
        box = legend.get_window_extent(figure.canvas.get_renderer())
        for axes in figure.axes:
            assert not overlaps(box, axes.get_window_extent())
    assert all(axes.get_legend() is None for axes in figure.axes)


def test_a_text_that_lies_on_another_is_found(results):
    figure = figures.scores(results)
    canvas.write(figure, 0.2, 0.3, "on the title")
    boxes = [box for _, box in texts_of(figure)]
    assert any(overlaps(one, other) for one, other in combinations(boxes, 2))


def test_cells_of_heat_maps_hold_their_numbers(results_of):
    for case in ("six", "one", "tiny", "wizard_one"):
        figure = figures.bids_tricks(results_of(case))
        figure.canvas.draw()
        for axes in figure.axes[:-1]:
            cell = axes.get_window_extent().width / axes.images[0].get_array().shape[1]
            inside = [text for text in axes.texts if text.get_ha() == "center"]
            assert all(text.get_window_extent().width < cell for text in inside)


def drawn():
    """All pictures of a small run and of a small match."""
    one, match = make_results(games=5, sizes=(3, 1)), make_results(games=5, sizes=(1,), kind="tournament")
    running = make_results(games=5, sizes=(1,), kind="compare", labels=["a", "b"])
    ladder = make_results(games=5, sizes=(1,), kind="ladder")
    wizard = make_results(games=5, sizes=(1, 20), positions=3, game="wizard")
    fool = make_rounds(games=5, labels=["a", "b"], players=2)
    pairs = [
        *((name, match) for name in ("leaderboard", "wins", "crosstable")),
        *((name, running) for name in ("difference", "evidence")),
        *(("deal_kinds", wizard), ("ladder", ladder), ("turns", fool), ("finishes", fool)),
    ]
    return figures.draw(one), {
        name: canvas.png(figures.CHARTS[name].draw(results)) for name, results in pairs
    }


@pytest.fixture(scope="module")
def drawn_once():
    return drawn()


def test_the_same_results_give_the_same_bytes(drawn_once):
    assert drawn() == drawn_once
    run, match = drawn_once
    others = {*match} - {"leaderboard", "wins"} | {"deal_kinds"} | OF_OTHERS
    assert list(run) == [name for name in figures.CHARTS if name not in others]
    chunks = (b"tEXt", b"iTXt", b"zTXt", b"tIME")
    for picture in (*run.values(), *match.values()):
        assert picture.startswith(PNG)
        assert not any(chunk in picture for chunk in chunks)


def test_another_process_gives_the_same_bytes(drawn_once):
    code = f"import hashlib, sys; sys.path.append({str(Path(__file__).parent)!r}); from test_figures import drawn;"
    code += "print(*(hashlib.sha256(p).hexdigest() for part in drawn() for p in part.values()))"
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": "1", "MPLBACKEND": "svg"}
    environment["PYTHONPATH"] = os.pathsep.join([str(root), str(root / "tests" / "support")])
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    here = [hashlib.sha256(picture).hexdigest() for part in drawn_once for picture in part.values()]
    assert done.stdout.split() == here


def test_style_of_the_user_changes_nothing_and_stays(results):
    plain = canvas.png(figures.scores(results))
    style = {
        "font.size": 20,
        "text.usetex": True,
        "axes.facecolor": "black",
        "axes.grid": True,
        "lines.linewidth": 9,
    }
    with matplotlib.rc_context(style):
        assert canvas.png(figures.scores(results)) == plain
        assert matplotlib.rcParams["font.size"] == 20
        assert matplotlib.rcParams["text.usetex"] is True


def test_nothing_loads_pyplot():
    code = "import sys, reports.figures; assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True)


@pytest.mark.parametrize("package", ["reports.html", "reports.tables"])
def test_only_drawing_loads_matplotlib(package):
    code = f"import sys, {package}; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True)


def test_ceiling_only_in_the_panel_of_the_table(results):
    for name, chart in figures.charts_of(results).items():
        figure = chart.draw(results)
        found = [axes for axes in figure.axes for line in axes.lines if line.get_gid() == "ceiling"]
        words = [axes for axes in figure.axes for text in axes.texts if "ceiling" in text.get_text()]
        expected = [figure.axes[-1]] if name == "accuracy" else []
        assert found == words == expected
    figure = figures.accuracy(results)
    assert figure.axes[-1].get_title("left").startswith("whole table")
    line = next(line for line in figure.axes[-1].lines if line.get_gid() == "ceiling")
    assert set(line.get_ydata()) == {0.75}
    flat = [line for axes in figure.axes[:-1] for line in axes.lines if set(line.get_ydata()) == {0.75}]
    assert not flat


def test_accuracy_shows_the_rates_of_the_table(results):
    figure = figures.accuracy(results)
    rows = results.accuracy
    for label, axes in zip(results.labels, figure.axes, strict=False):
        assert len(axes.lines) == 4
        for position, line in enumerate(axes.lines):
            cells = rows[(rows["strategy"] == label) & (rows["position"] == position)].sort_values(
                "hand_size"
            )
            assert list(line.get_ydata()) == list(cells["rate"])
        assert len({line.get_marker() for line in axes.lines}) == 4


def test_heat_map_rows_are_shares(results):
    figure = figures.bids_tricks(results)
    for label, axes in zip(results.labels, figure.axes, strict=False):
        shares = axes.images[0].get_array()
        own = results.bids[results.bids["strategy"] == label]
        for bid in range(len(shares)):
            rows = own[own["bid"] == bid]
            total = rows["count"].sum()
            exact = rows[rows["tricks"] == bid]["count"].sum()
            assert shares[bid].sum() == pytest.approx(1 if total else 0)
            assert shares[bid, bid] == pytest.approx(exact / total if total else 0)
        never = [patch for patch in axes.patches if patch.get_gid() == "never bid"]
        assert len(never) == len(shares) - own["bid"].nunique()


def test_rows_with_few_bids_have_a_star(results):
    own = results.bids[results.bids["strategy"] == "random"].groupby("bid")["count"].sum()
    stars = [text for text in figures.bids_tricks(results).axes[1].texts if text.get_text().endswith("*")]
    assert len(stars) == (own < 30).sum() > 0


def test_scores_add_up_and_mark_the_means(results):
    figure = figures.scores(results)
    axes = figure.axes[0]
    assert len(axes.patches) == 3
    assert all(stairs.get_data().values.sum() == pytest.approx(1) for stairs in axes.patches)
    means = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert means == pytest.approx(list(results.summary["points"]))


def test_no_bar_stands_in_the_forbidden_place(results):
    bars = figures.over_under(results).axes[0]
    band = [patch for patch in bars.patches if patch.get_gid() == "forbidden"]
    assert len(band) == 1
    assert band[0].get_hatch()
    others = [patch for patch in bars.patches if patch is not band[0]]
    assert others
    assert all(abs(bar.get_x() + bar.get_width() / 2) > 0.9 for bar in others)


@pytest.mark.parametrize("game", ["bridzik", "wizard"])
def test_without_the_sum_rule_nothing_is_forbidden(game):
    results = make_results(games=20, game=game)
    results.table_accuracy["ceiling"] = 1.0
    assert not [
        patch for patch in figures.over_under(results).axes[0].patches if patch.get_gid() == "forbidden"
    ]
    assert not [line for line in figures.accuracy(results).axes[-1].lines if line.get_gid() == "ceiling"]


def test_mean_excess_is_the_mean_of_the_table(results):
    dots = figures.over_under(results).axes[1].lines[-1]
    for row, mean in zip(dots.get_ydata(), dots.get_xdata(), strict=True):
        cells = results.table[results.table["hand_size"] == row + 1]
        excess = ((cells["sum_of_bids"] - cells["hand_size"]) * cells["count"]).sum() / cells["count"].sum()
        assert mean == pytest.approx(excess)


def test_convergence_ends_at_the_means(results):
    axes = figures.convergence(results).axes[0]
    assert axes.get_xscale() == "log"
    last = results.convergence.groupby("strategy")["points"].last()
    ends = {float(line.get_ydata()[-1]) for line in axes.lines}
    assert {float(last[label]) for label in results.labels} <= ends


def test_titles_name_the_game_and_the_number_of_games():
    for games, played in ((2, "2 games"), (1, "1 game")):
        results = make_results(games=games, sizes=(1,))
        for chart in figures.charts_of(results).values():
            words = [text.get_text() for text in chart.draw(results).texts]
            assert any(text.split(";")[0] == f"Bridžik, {played}" for text in words)


def test_charts_need_their_tables(results):
    part = make_results(games=3)
    part.bids, part.table = None, part.table.iloc[:0]
    part.calibration = part.effects = None
    assert set(figures.charts_of(part)) == {
        "leaderboard",
        "wins",
        "accuracy",
        "scores",
        "ecdf",
        "convergence",
    }
    assert "wins" not in figures.charts_of(make_results(games=3, labels=["alone"]))
    matches = {
        case: {"crosstable", "difference", "evidence"} & set(figures.charts_of(make_results(**MATCHES[case])))
        for case in ("pair", "one_unit", "trio")
    }
    assert matches == {"pair": {"difference", "evidence"}, "one_unit": set(), "trio": {"crosstable"}}


def test_files_are_whole_and_nothing_else_is_left(tmp_path):
    none = dict.fromkeys(("bids", "table", "accuracy", "leaderboard", "wins", "calibration", "effects"))
    results = make_results(games=3, **none)
    pictures = figures.draw(results)
    paths = write_pictures(pictures, tmp_path)
    assert [path.name for path in paths] == ["scores.png", "ecdf.png", "convergence.png"]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write_pictures(pictures, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert set(before) == {path.name for path in paths}
    with pytest.raises(OSError, match="missing"):
        write_pictures(pictures, tmp_path / "missing")


def test_labels_are_shortened_in_the_middle_and_stay_different():
    short = canvas.fit_labels(LONG, 1.9)
    assert len(set(short)) == len(LONG)
    assert all("…" in label for label in short[:5])
    assert short[0].startswith("mine=")
    assert short[0].endswith(":x=1")
    assert short[5].endswith("?")
    twins = [f"{'a' * 40}{middle}{'b' * 40}" for middle in "xyz"]
    assert len(set(canvas.fit_labels(twins, 1.5))) == 3
    assert canvas.fit_labels(["heuristic"], 2) == ["heuristic"]


def test_labels_are_never_read_as_mathematics():
    results = make_results(labels=["$x^2$", "a_b$", "\n\t$\\frac{"], games=3)
    words = [text.get_text() for text in figures.accuracy(results).findobj(Text)]
    assert "$x^2$" in words
    for chart in figures.charts_of(results).values():
        chart.draw(results).draw_without_rendering()
    match = make_results(labels=["$x^2$", "a_b$", "$\\frac{"], games=3, sizes=(2,), kind="tournament")
    match.running = make_results(labels=["$x^2$", "$\\frac{"], games=3, sizes=(2,), kind="compare").running
    for name in ("leaderboard", "crosstable", "difference"):
        drawn = figures.CHARTS[name].draw(match)
        drawn.draw_without_rendering()
        assert any("$x^2$" in text.get_text() for text in drawn.findobj(Text))


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (9940, "9.9k"),
        (9950, "10k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (31e8, "3.1G"),
    ],
)
def test_compact_counts(count, text):
    assert compact(count) == text


def test_bins_and_ticks():
    assert bin_width(0, 40) == 1
    assert bin_width(0, 464) == 10
    assert bin_width(-3000, 7600) == 500
    assert bin_width(0, 300, step=10) == 10
    assert bin_width(-400, 480, step=10) == 20
    assert log_ticks(1, 1) == [1]
    assert log_ticks(1, 200) == [1, 2, 5, 10, 20, 50, 100, 200]
    assert log_ticks(1, 10**6) == [10**power for power in range(7)]
    assert log_ticks(30, 40) == [30, 40]


def test_ticks_of_the_longest_runs_do_not_touch():
    figure = canvas.paper(9.0, 4.0)
    axes = canvas.place(figure, 0.8, 0.5, 8.0, 3.0)
    canvas.units_axis(axes, [10**n for n in range(12)])
    axes.set_xlim(1, 1e11)
    figure.canvas.draw()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert [label.get_text() for label in axes.get_xticklabels()][5:8] == ["100,000", "1 M", "10 M"]
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))
