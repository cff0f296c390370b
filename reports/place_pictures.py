"""Pictures of where points come from: cumulative scores, calibration of bids, seats, places and deals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import canvas
from reports.bid_pictures import FEW_BIDS, Panels
from reports.point_pictures import (
    AWAY,
    LEFT,
    RIGHT,
    ROUND,
    SHEET,
    key,
    key_height,
    line_style,
    marker_style,
    or_beyond,
    points_of,
    shade_beyond,
    sheet,
    told_ends,
)
from reports.tables import capital

if TYPE_CHECKING:
    from bridzik_sim.results import Results


@canvas.plain
def ecdf(results: "Results") -> Figure:
    """The share of games with at most so many points, a step line an entrant, medians marked (`scores`)."""
    what = points_of(results)
    figure, axes, top = sheet(f"{capital(what)}, cumulated", results, len(results.labels), 3.3)
    endings = []
    for number, label in enumerate(results.labels):
        rows = results.scores[results.scores["strategy"] == label].sort_values("points")
        points, games = rows["points"].to_numpy(float), rows["games"].to_numpy(float)
        if not games.sum():
            endings.append(": no games")
            continue
        shares = np.cumsum(games) / games.sum()
        axes.step([points[0], *points], [0, *shares], where="post", **line_style(number))
        median = float(points[int(np.searchsorted(shares, 0.5))])
        axes.plot([median], [0.5], **marker_style(number))
        endings.append(f": median {or_beyond(results, median)}")
    axes.set_ylim(-0.02, 1.02)
    canvas.percent_axis(axes.yaxis, (0, 0.25, 0.5, 0.75, 1))
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=ROUND))
    nearest = f" (to the nearest {results.points_step}{told_ends(results)})" if results.measure.net else ""
    across = what + nearest + shade_beyond(axes, results)
    canvas.name_axes(axes, across, "games with at most these points", AWAY)
    key(figure, top, results.labels, endings)
    return figure


@canvas.plain
def calibration(results: "Results") -> Figure:
    """Mean tricks that followed each bid with 95 % intervals, a panel an entrant (`calibration`).

    The diagonal is exact. Bids made fewer than `FEW_BIDS` times are open dots.
    """
    table, labels = results.calibration, results.labels
    last = max(1, int(table["bid"].max()))
    columns = {1: 1, 2: 2, 3: 3, 4: 2}.get(len(labels), 4)
    width, high = (SHEET - LEFT - RIGHT - 0.3 * (columns - 1)) / columns, 1.9 if columns > 2 else 2.6
    grid = Panels(columns, width, high, left=LEFT, top=canvas.HEADER + 0.36, gap=0.3, row=0.62)
    figure = canvas.paper(SHEET, grid.bottom(len(labels)) + 0.85)
    canvas.header(
        figure, "Calibration: bids and the tricks that followed", results, "; upright bars: 95 % intervals"
    )
    for number, (label, name) in enumerate(zip(labels, canvas.fit_labels(labels, width), strict=True)):
        axes = canvas.place(figure, *grid.at(number), width, high)
        canvas.name_panel(axes, name)
        axes.set_xlim(-0.5, last + 0.5)
        axes.set_ylim(-0.4, last + 0.4)
        axes.set_xticks(canvas.whole_ticks(range(last + 1), min(11, int(width / 0.22))))
        axes.set_yticks(canvas.whole_ticks(range(last + 1), 6))
        axes.grid(axis="y")
        first, lowest = number % columns == 0, number + columns >= len(labels)
        axes.tick_params(labelleft=first, labelbottom=lowest)
        canvas.name_axes(axes, "bid (tricks)" * lowest, "mean tricks taken" * first)
        axes.plot([0, last], [0, last], color=canvas.PALE, linestyle=(0, (2, 2)), linewidth=1.2, gid="exact")
        _calibration_panel(axes, table[table["strategy"] == label].sort_values("bid"))
    note = f"dotted line: exact on average   open dots: fewer than {FEW_BIDS} bids"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.12, note)
    return figure


def _calibration_panel(axes: Axes, rows: pd.DataFrame) -> None:
    """One entrant's means, their intervals, and how far the tricks are from the bids on average."""
    bids, tricks = rows["bid"].to_numpy(float), rows["tricks"].to_numpy(float)
    many = rows["bids"].to_numpy() >= FEW_BIDS
    axes.vlines(bids, rows["low"], rows["high"], color=canvas.COLOURS[1], linewidth=1.2)
    axes.plot(bids, tricks, color=canvas.COLOURS[1], linewidth=1.1)
    style: dict[str, Any] = {
        "color": canvas.COLOURS[1],
        "marker": "o",
        "markersize": 4.5,
        "linestyle": "none",
    }
    axes.plot(bids[many], tricks[many], **style)
    axes.plot(bids[~many], tricks[~many], **style, markerfacecolor="white")
    total = float(rows["bids"].sum())
    if total:
        off = float(((rows["tricks"] - rows["bid"]) * rows["bids"]).sum()) / total
        text = f"{off:+.2f} tricks a bid".replace("-", "−")
        # In this corner bids would be far too low, so it is mostly empty.
        style = {"transform": axes.transAxes, "fontsize": canvas.SMALL, "va": "top"}
        axes.text(0.03, 0.97, text, bbox={"facecolor": "white", "linewidth": 0, "pad": 1.0}, **style)


def draw_line(
    axes: Axes,
    number: int,
    count: int,
    places: Any,
    means: pd.DataFrame,
    spread: float,
    joined: bool = True,
) -> None:
    """One entrant's means with their intervals, moved a little aside from the others'.

    The three columns of `means` are the mean, the lower and the upper end.
    """
    across = np.asarray(places, float) + spread * (number - (count - 1) / 2) / count
    style, values = line_style(number, joined), means.to_numpy(float)
    axes.vlines(across, values[:, 1], values[:, 2], color=style["color"], linewidth=1.2)
    axes.plot(across, values[:, 0], **style | marker_style(number) | {"markersize": 4.5})


CROWD = 6
"""Entrants above which intervals would only hide one another."""


def spread_of(entrants: int) -> float:
    """How far apart the first and the last of so many entrants are drawn, of the way to the next place."""
    return min(0.1 * entrants, 0.7)


@canvas.plain
def effects(results: "Results") -> Figure:
    """Points by seat (a game) and by place in the bidding (a round), with 95 % intervals (`effects`)."""
    panels = [
        ("seat", "by seat", "seat", "points a game"),
        ("position", "by place in the bidding, 1 is the starter", "place in the bidding", "points a round"),
    ]
    return effect_panels(results, "Effects of the seat and of the place in the bidding", "points", panels)


def effect_panels(
    results: "Results", what: str, column: str, panels: Sequence[tuple[str, str, str, str]]
) -> Figure:
    """Two panels side by side from a column of `effects`: a line an entrant, with 95 % intervals.

    A panel is given by its effect, its own name and those of its axes.
    """
    labels, top, high, gap = results.labels, canvas.HEADER + 0.4, 3.2, 0.95
    figure = canvas.paper(SHEET, top + high + 0.62 + key_height(len(labels)))
    canvas.header(figure, what, results, "; bars: 95 % intervals")
    width = (SHEET - LEFT - RIGHT - gap) / 2
    for panel, (effect, name, across, up) in enumerate(panels):
        axes = canvas.place(figure, LEFT + panel * (width + gap), top, width, high)
        axes.grid(axis="y")
        canvas.name_panel(axes, name)
        table = results.effects[results.effects["effect"] == effect]
        for number, label in enumerate(labels):
            own = table[table["strategy"] == label].sort_values("place")
            means = own[[column, "low", "high"]]
            draw_line(axes, number, len(labels), own["place"], means, spread_of(len(labels)))
        places = sorted(set(table["place"]))
        shown = [str(place + (effect == "position")) for place in places]
        axes.set_xticks(places, shown)
        if places:
            axes.set_xlim(places[0] - 0.5, places[-1] + 0.5)
        axes.yaxis.set_major_locator(MaxNLocator(7, steps=ROUND))
        canvas.name_axes(axes, across, up, AWAY)
    key(figure, top + high + 0.62, labels, [""] * len(labels))
    return figure


@canvas.plain
def points_by_size(results: "Results") -> Figure:
    """Points a round by hand size, a line an entrant, with 95 % intervals (`effects`)."""
    labels, table = results.labels, results.effects[results.effects["effect"] == "hand_size"]
    what, note = "Points a round by hand size", "; bars: 95 % intervals"
    figure, axes, below = sheet(what, results, len(labels), 3.4, note=note)
    for number, label in enumerate(labels):
        own = table[table["strategy"] == label].sort_values("place")
        draw_line(axes, number, len(labels), own["place"], own[["points", "low", "high"]], 0.5)
    sizes = sorted({int(size) for size in table["place"]})
    axes.set_xlim(sizes[0] - 0.6, sizes[-1] + 0.6)
    axes.set_xticks(canvas.whole_ticks(sizes, 21))
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(8, steps=ROUND))
    rule_at_zero(axes)
    canvas.name_axes(axes, "hand size (cards)", "points a round", AWAY)
    key(figure, below, labels, [""] * len(labels))
    return figure


def rule_at_zero(axes: Axes) -> None:
    """A line at 0 where there is less."""
    if axes.get_ylim()[0] < 0:
        axes.axhline(0, color=canvas.PALE, linewidth=1, zorder=1, gid="zero")


@canvas.plain
def deal_kinds(results: "Results") -> Figure:
    """Points a round and share of exact bids by kind of deal, with 95 % intervals (`deal_kinds`)."""
    labels, table = results.labels, results.deal_kinds
    grid = Panels(1, SHEET - LEFT - RIGHT, 2.2, left=LEFT, top=canvas.HEADER + 0.15, row=0.3)
    below = grid.bottom(2) + 0.82
    figure = canvas.paper(SHEET, below + key_height(len(labels)))
    kind = f"kind of deal ({results.experiment.game.deal_kind})"
    canvas.header(figure, f"Points and exact bids by {kind}", results, "; bars: 95 % intervals")
    rounds = table.groupby("kind", sort=False)["rounds"].sum() // results.experiment.at_table
    counted = [f"{name}\n{count:,} {'round' if count == 1 else 'rounds'}" for name, count in rounds.items()]
    panels = (("points", "points a round", ""), ("exact", "exact bids (share)", kind))
    for panel, (column, up, across) in enumerate(panels):
        axes = canvas.place(figure, *grid.at(panel), grid.width, grid.height)
        axes.grid(axis="y")
        for number, label in enumerate(labels):
            own = table[table["strategy"] == label]
            means = own[[column, f"{column}_low", f"{column}_high"]]
            places = rounds.index.get_indexer(pd.Index(own["kind"]))
            draw_line(axes, number, len(labels), places, means, 0.6, joined=False)
        axes.set_xlim(-0.5, len(rounds) - 0.5)
        axes.set_xticks(range(len(rounds)), counted if panel else [""] * len(rounds))
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=ROUND))
        canvas.name_axes(axes, across, up, AWAY)
        axes.xaxis.set_label_coords(0.5, -0.44 / grid.height)
        if panel:
            axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.3g} %"))
        else:
            rule_at_zero(axes)
    key(figure, below, labels, [""] * len(labels), joined=False)
    return figure
