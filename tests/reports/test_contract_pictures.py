"""Pictures of the bridges show the numbers of their tables: contracts, gains, the sheet, IMPs and par."""

import re

import numpy as np
import pytest
from drawn_texts import texts_are_apart
from fake_cases import OF_CONTRACTS, OF_ROUNDS, TWELVE
from fake_contracts import CONTRACTS, make_contracts

from bridzik_sim.folder import PICTURES
from reports import contract_pictures, figures
from reports.html import page
from reports.tables import ladder_table, pairs_table, readable, standings_frame

LAYOUTS = [
    *(("rubber_alone", chart) for chart in ("levels", "gains", "rubbers")),
    *(("rubber_four", chart) for chart in ("contracts", "leaderboard", "scores")),
    *(("rubber_twelve", "sheet"), ("boards_twelve", "imps"), ("boards_twelve", "gains")),
    *(("boards_unit", chart) for chart in ("imps", "gains", "levels", "contracts")),
    *(("boards_pair", chart) for chart in ("imps", "difference", "leaderboard")),
    *(("matches_twelve", chart) for chart in ("par", "ladder")),
    *(("boards_seats", "ladder"), ("boards_three", "crosstable"), ("matches_three", "ecdf")),
]
COMMON = {"leaderboard", "wins", "scores", "ecdf", "convergence", "contracts", "levels", "gains"}


@pytest.fixture(scope="module")
def run():
    """A function from the name of a case to its results, made once."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = make_contracts(**CONTRACTS[name])
        return made[name]

    return get


@pytest.mark.parametrize(("case", "chart"), LAYOUTS)
def test_texts_are_apart_and_on_the_paper(run, case, chart):
    texts_are_apart(figures.CHARTS[chart].draw(run(case)))


@pytest.mark.parametrize(
    ("case", "own"),
    [
        ("rubber", {"sheet", "rubbers"}),
        ("boards", set()),
        ("boards_pair", {"imps", "difference", "evidence"}),
        ("boards_three", {"imps", "crosstable"}),
        ("boards_seats", {"imps", "ladder"}),
        ("matches", set()),
        ("matches_par", {"par", "difference", "evidence"}),
    ],
)
def test_a_run_has_the_pictures_of_its_options(run, case, own):
    assert set(figures.charts_of(run(case))) == COMMON | own
    assert not OF_ROUNDS & own
    assert set(PICTURES) >= OF_CONTRACTS | own


def test_contracts_are_shares_of_a_row_and_made_right_of_the_line(run):
    results = run("rubber_alone")
    figure = figures.contracts(results)
    texts_are_apart(figure)
    assert len(figure.axes) == 2
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    for axes, kind in zip(
        figure.axes, (lambda doubled: doubled == 0, lambda doubled: doubled > 0), strict=True
    ):
        deals = results.contracts[kind(results.contracts["doubled"])]
        shares = axes.images[0].get_array().filled(np.nan)
        back = {sign: strain for strain, sign in contract_pictures.STRAINS.items()}
        counted = {text.get_position()[1]: int(text.get_text().replace(",", "")) for text in axes.texts}
        made = 0
        for row, name in enumerate(names):
            level = int(name[0])
            own = deals[(deals["level"] == level) & (deals["strain"] == back[name[1:]])]
            number = own["deals"].sum()
            assert counted.get(row, 0) == number
            if number:
                expected = np.zeros(14)
                np.add.at(expected, own["tricks"], own["deals"])
                # A row with few deals is as much paler as it has fewer.
                assert np.allclose(shares[row], expected / max(number, contract_pictures.FEW))
                line = axes.lines[-1].get_xdata()[2 * row : 2 * row + 2]
                assert list(line) == [5.5 + level] * 2
                assert axes.lines[-1].get_ydata()[2 * row] == row - 0.5
                made += expected[6 + level :].sum()
            else:
                assert np.isnan(shares[row]).all()
        assert axes.get_title("left").endswith(f": {100 * made / deals['deals'].sum():.0f} % made")
    assert axes.get_title("left").startswith("doubled")


def test_only_the_first_entrants_have_a_map(run):
    results = run("boards_twelve")
    figure = figures.contracts(results)
    texts_are_apart(figure)
    best = results.leaderboard["strategy"][: contract_pictures.SHOWN]
    assert len(figure.axes) == 2 * len(best)
    texts = [text.get_text() for text in figure.texts]
    assert any(text.endswith("(the first 4)") for text in texts)
    for name in best:
        assert any(text.startswith(name[:8]) and text.endswith(name[-3:]) for text in texts)


def test_levels_show_shares_and_tricks_with_their_intervals(run):
    results = run("boards_three")
    made, over = figures.levels(results).axes
    for axes, column in ((made, "made"), (over, "over")):
        lines = [line for line in axes.lines if line.get_marker() not in ("None", "")]
        for number, label in enumerate(results.labels):
            own = results.levels[results.levels["strategy"] == label]
            first, others = lines[2 * number : 2 * number + 2]
            assert first.get_ydata() == own[column][own["level"] == "all"].to_numpy()
            assert list(others.get_ydata()) == own[column][own["level"] != "all"].tolist()
            assert np.allclose(np.round(others.get_xdata()), own["level"][own["level"] != "all"].astype(int))
            ends = axes.collections[2 * number + 1].get_paths()
            drawn = np.array([path.vertices[:, 1] for path in ends])
            wanted = own[own["level"] != "all"][[f"{column}_low", f"{column}_high"]].to_numpy()
            assert np.allclose(drawn, wanted)
    keys = [text.get_text() for text in made.figure.legends[0].get_texts()]
    whole = results.levels[results.levels["level"] == "all"].iloc[0]
    assert keys[0] == f"{whole['strategy']}: {100 * whole['made']:.1f} % of {whole['deals']:,}"


@pytest.mark.parametrize(
    ("chart", "frame", "column", "parts"),
    [("gains", "gains", "role", ("declarer", "defender")), ("sheet", "sheet", "line", ("below", "above"))],
)
def test_gains_and_sheet_have_a_row_an_entrant(run, chart, frame, column, parts):
    results = run("rubber_twelve")
    figure = figures.CHARTS[chart].draw(results)
    table = getattr(results, frame).set_index([column, "strategy"])["points"]
    for axes, part in zip(figure.axes, parts, strict=True):
        shown = next(line.get_xdata() for line in axes.lines if line.get_gid() != "zero")
        assert list(shown) == [table[part, name] for name in results.leaderboard["strategy"]]
        assert part in axes.get_title("left")
        assert len(axes.texts) == 12
    assert "95 % intervals" in "".join(text.get_text() for text in figure.texts)


def test_rubbers_tell_how_they_ended(run):
    results = run("rubber")
    figure = figures.rubbers(results)
    texts_are_apart(figure)
    lengths = np.repeat(results.lengths["deals"], results.lengths["rubbers"])
    (key,) = [text.get_text() for text in figure.legends[0].get_texts()]
    assert f"mean {lengths.mean():.1f}, median {np.quantile(lengths, 0.5, method='inverted_cdf')}" in key
    header = " ".join(text.get_text() for text in figure.texts)
    for row in results.endings.to_dict("records"):
        assert f"{row['ending']} {100 * row['share']:.1f} %" in header
    assert figure.axes[0].get_xlabel() == "deals"


def test_imps_are_seen_from_the_better_one(run):
    results = run("boards_three")
    figure = figures.imps(results)
    order = results.leaderboard["strategy"].tolist()
    pairs = [(order[0], order[1]), (order[0], order[2]), (order[1], order[2])]
    assert len(figure.axes) == 3
    for axes, (one, other) in zip(figure.axes, pairs, strict=True):
        boards = {}
        for row in results.imps.to_dict("records"):
            if {row["strategy"], row["opponent"]} == {one, other}:
                boards[row["imps"] if row["strategy"] == one else -row["imps"]] = row["boards"]
        number = sum(boards.values())
        assert number == results.units
        bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
        assert bars == pytest.approx({imps: count / number for imps, count in boards.items()})
        mean = sum(imps * count for imps, count in boards.items()) / number
        (shown,) = [line for line in axes.lines if line.get_gid() == "mean"]
        assert shown.get_xdata() == [pytest.approx(mean)]
        (ends,) = [line.get_xdata() for line in axes.lines if line.get_gid() == "interval"]
        assert ends[0] < mean < ends[1]
        assert axes.get_title("left").startswith(f"mean {mean:+.2f} (".replace("-", "−"))
        assert f"{one} against {other}" in [text.get_text() for text in figure.texts]


def test_par_and_losses_add_up_to_the_points(run):
    results = run("matches_three")
    axes = figures.par(results).axes[0]
    bars = np.array([bar.get_width() for bar in axes.patches]).reshape(-1, len(contract_pictures.PARTS))
    table = results.par.set_index(["strategy", "part"])["points"]
    for name, (par, auction, play, others, points) in zip(results.leaderboard["strategy"], bars, strict=True):
        assert (par, points) == (table[name, "par"], table[name, "points"])
        assert (auction, play) == (-table[name, "auction lost"], -table[name, "play lost"])
        assert par + auction + play + others == pytest.approx(points)
        assert others > 0
    whole = bars[:, 1:3].sum() + bars[:, 3].sum()
    assert whole == pytest.approx(0)  # what one has lost the other has got
    assert "net points a deal" in axes.get_xlabel()


@pytest.mark.parametrize(
    ("case", "name", "scores"),
    [
        ("rubber", "net points a rubber", "net points in a rubber"),
        ("boards", "net points a board", "net points in a board"),
        ("boards_pair", "IMPs a board", "net points in a board"),
        ("matches_par", "net points a deal", "net points in a match"),
    ],
)
def test_pictures_tell_the_measure(run, case, name, scores):
    results = run(case)
    assert results.measure.name == name
    assert figures.leaderboard(results).axes[0].get_xlabel() == name
    assert figures.convergence(results).axes[0].get_ylabel() == f"mean {name}"
    axes = figures.scores(results).axes[0]
    assert axes.get_xlabel().startswith(f"{scores} (bins of ")
    first = results.summary.iloc[0]
    mean = first["points"] * (8 if case == "matches_par" else 1)
    texts = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert texts[0] == f"{first['strategy']}: mean {mean:,.1f}".replace("-", "−")
    if results.kind == "compare":
        axes = figures.difference(results).axes[0]
        assert axes.get_ylabel() == f"difference ({name})"
        assert axes.figure.legends[0].get_texts()[0].get_text().startswith("first against second: +")
    for chart in ("leaderboard", "convergence"):
        caption = figures.CHARTS[chart].caption_for(results)
        assert name[1:] in caption
        assert "{" not in caption


def test_one_side_shows_the_measure_and_wins(run):
    results = run("boards_seats")
    figure = figures.ladder(results)
    cells = {(row["strategy"], row["opponent"]): row for row in results.crosstable.to_dict("records")}
    names, shown = results.leaderboard["strategy"].tolist(), []
    for name in names:
        for other in [*names, name]:
            row = cells[name, other]
            shown += [f"{row['imps']:.2f}".replace("-", "−"), f"{100 * row['wins']:.1f} %"]
    assert [text.get_text() for text in figure.axes[0].texts] == shown
    table = ladder_table(results)
    assert table.headings[:2] == ["one side", "the other"]
    assert "IMPs a board of the others" in table.headings
    row = next(row for row in table.rows if row[0] != row[1])
    own = cells[row[0], row[1]]
    assert row[3] == f"{own['imps']:.2f}"
    assert row[6] == f"{-own['imps']:.2f}"


@pytest.mark.parametrize("case", ["rubber", "matches"])
def test_ends_of_the_scores_stand_for_more(run, case):
    plain = run(case)
    none = [figures.CHARTS[name].draw(plain) for name in ("scores", "ecdf")]
    assert not [figure for figure in none if "beyond" in figure.axes[0].get_xlabel()]
    results = make_contracts(**CONTRACTS[case])
    low, high = results.points_ends
    counted = results.sums["scores"]
    counted[:] = 0
    counted[0, [0, -1]], counted[1, [0, -1]] = (1, 3), (3, 1)
    told = f"at {low:,} and {high:,} also what lies beyond)".replace("-", "−")
    for name in ("scores", "ecdf"):
        figure = figures.CHARTS[name].draw(results)
        texts_are_apart(figure)
        assert figure.axes[0].get_xlabel().endswith(f"; {told}")
    words = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert words[0].endswith(f": median {high:,} or more")
    assert words[1].endswith(f": median −{high:,} or less")


def test_means_beyond_the_scores_are_marked_at_their_end(run):
    results = make_contracts(**CONTRACTS["rubber"])
    results.summary["points"] *= 1000
    axes = figures.scores(results).axes[0]
    means = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert sorted(means) == list(axes.get_xlim())


def test_pages_tell_contracts_and_the_measure(run):
    drawn = {name: figures.png(figures.CHARTS[name].draw(run("rubber"))) for name in ("levels", "rubbers")}
    text = page([run("rubber"), run("boards_pair"), run("matches_three")], pictures=[drawn, {}, {}])
    assert "Run 1: contracts by level" in text
    for row in run("rubber").levels.to_dict("records"):
        assert f">{100 * row['made']:.1f} %</td>" in text
    assert "Contract bridge: Net points a rubber are means of what a seat's side has more" in text
    assert "Contract bridge: IMPs a board are means" in text
    assert text.count("Below and above the line: what") == 1
    assert "what the strategy has more, IMPs a board on the same cards" in text
    assert "<code>endings.csv</code>: how rubbers ended" in text
    assert not re.search(r"exact bids|rounds won|Points are means", text)
    headings = readable(standings_frame(run("boards_pair"))).headings
    assert headings[2:5] == ["IMPs a board", "95 % interval", "std. error"]
    (cells,) = pairs_table(run("boards_pair")).rows
    assert cells[-1] == "–"  # no gain of IMPs on fresh cards


def test_many_entrants_have_no_intervals_by_level(run):
    figure = figures.levels(run("rubber_twelve"))
    texts_are_apart(figure)
    assert len(run("rubber_twelve").labels) == len(TWELVE) > contract_pictures.CROWD
    drawn = [path.vertices for axes in figure.axes for ends in axes.collections for path in ends.get_paths()]
    assert np.isnan(np.array(drawn)[:, :, 1]).all()
    assert "bars" not in "".join(text.get_text() for text in figure.texts)
