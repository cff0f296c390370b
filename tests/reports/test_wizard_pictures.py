"""Pictures of games in the shape of Wizard: many hand sizes and bids, 3 to 6 places, points in tens."""

import numpy as np
import pytest
from fake_cases import CASES
from fake_results import make_results

from bridzik_sim.games.wizard.rules import DEAL_KINDS
from reports import canvas, figures

WIZARD = ("wizard_one", "wizard_long", "wizard_six")


@pytest.mark.parametrize(("case", "bids", "numbers"), [("wizard_six", 11, True), ("wizard_long", 21, False)])
def test_cells_of_heat_maps_hold_numbers_where_there_is_room(results_of, case, bids, numbers):
    figure = figures.bids_tricks(results_of(case))
    axes = figure.axes[0]
    figure.canvas.draw()
    assert len(axes.images[0].get_array()) == bids
    texts = [text for text in axes.texts if text.get_ha() == "center"]
    assert bool(texts) == numbers
    assert all(text.get_window_extent().width < axes.get_window_extent().width / bids for text in texts)


@pytest.mark.parametrize("case", WIZARD)
def test_panels_of_many_places_and_sizes_are_wide(results_of, case):
    results = results_of(case)
    figure = figures.accuracy(results)
    columns = results.accuracy["position"].nunique() * results.accuracy["hand_size"].nunique()
    assert columns == 60
    for axes in figure.axes:
        assert canvas.inches(axes)[0] > 0.07 * columns


def test_points_in_tens_are_binned_in_tens(results_of):
    results = results_of("wizard_six")
    axes = figures.scores(results).axes[0]
    edges = axes.patches[0].get_data().edges
    width = int(edges[1] - edges[0])
    assert width % 10 == 0
    assert ((edges + 5) % width == 0).all()
    assert edges[0] < results.scores["points"].min() < 0
    own = results.scores[results.scores["strategy"] == results.labels[0]]
    for low, share in zip(edges[:-1], axes.patches[0].get_data().values, strict=True):
        inside = own[(own["points"] > low) & (own["points"] < low + width)]
        assert share == pytest.approx(inside["games"].sum() / own["games"].sum())


def test_minus_signs_in_keys(results_of):
    results = make_results(games=2, sizes=(20,), positions=3, game="wizard", wild=True)
    results.scores["points"] = -results.scores["points"].abs() - 10
    (first, *_) = figures.scores(results).legends[0].get_texts()
    assert ": mean −" in first.get_text()


def test_points_by_size_show_hand_sizes_and_nothing_else(results_of):
    results = results_of("wizard_long")
    axes = figures.points_by_size(results).axes[0]
    lines = [line for line in axes.lines if line.get_gid() != "zero"]
    sizes = results.effects[results.effects["effect"] == "hand_size"]
    for label, line in zip(results.labels, lines, strict=True):
        own = sizes[sizes["strategy"] == label]
        assert list(line.get_ydata()) == list(own["points"])
        assert np.abs(line.get_xdata() - np.arange(1, 21)).max() < 0.3
    assert (len(axes.lines) > len(lines)) == (sizes["low"].min() < 0)


def test_deal_kinds_show_points_exact_bids_and_rounds(results_of):
    results = results_of("wizard_six")
    table = results.deal_kinds
    figure = figures.deal_kinds(results)
    for axes, column in zip(figure.axes, ("points", "exact"), strict=True):
        lines = [line for line in axes.lines if line.get_gid() != "zero"]
        for label, line, bars in zip(results.labels, lines, axes.collections, strict=True):
            own = table[table["strategy"] == label]
            assert list(line.get_ydata()) == list(own[column])
            assert line.get_linestyle() == "None"
            ends = [path.vertices[:, 1] for path in bars.get_paths()]
            assert np.allclose(ends, own[[f"{column}_low", f"{column}_high"]])
    shown = [label.get_text().split("\n") for label in figure.axes[1].get_xticklabels()]
    assert [kind for kind, _ in shown] == list(DEAL_KINDS[:4])
    deals = results.table["count"].sum()
    assert sum(int(rounds.split()[0].replace(",", "")) for _, rounds in shown) == deals
    assert shown[3][1] == "120 rounds"


def test_a_kind_of_deal_that_an_entrant_never_had_stays_empty(results_of):
    results = make_results(**CASES["wizard_long"])
    table, first = results.deal_kinds, results.labels[0]
    results.deal_kinds = table[(table["strategy"] != first) | (table["kind"] != DEAL_KINDS[1])]
    results.deal_kinds = results.deal_kinds.reset_index(drop=True)
    upper, lower = figures.deal_kinds(results).axes
    names = [label.get_text().split("\n")[0] for label in lower.get_xticklabels()]
    shown = [names[round(at)] for at in upper.lines[0].get_xdata()]
    assert shown == [kind for kind in DEAL_KINDS[:4] if kind != DEAL_KINDS[1]]
    assert len(upper.lines[1].get_xdata()) == len(names) == 4
