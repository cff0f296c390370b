"""Pictures of bids: how often they are exact, and what tricks they end with."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from reports import canvas

if TYPE_CHECKING:
    from bridzik_sim.results import Results

FEW_BIDS = 30
"""Rows of a heat map with fewer bids than this are marked as uncertain."""
MANY_POINTS = 32
"""Points in a panel of exact bids above which it must be wide."""
CELL = 0.262
"""Inches of a cell of a heat map that holds a number."""


@dataclass(frozen=True)
class Panels:
    """A grid of equal panels on one sheet; all lengths in inches, places from the top left."""

    columns: int
    width: float
    height: float
    left: float = 0.72
    top: float = 0.0
    gap: float = 0.45
    row: float = 0.72

    def at(self, number: int) -> tuple[float, float]:
        """Left and top of panel `number`, filled row by row."""
        down, across = divmod(number, self.columns)
        return self.left + across * (self.width + self.gap), self.top + down * (self.height + self.row)

    def bottom(self, count: int) -> float:
        """Where the last of `count` rows of panels ends."""
        return self.at(count - 1)[1] + self.height


def _accuracy_panels(count: int, points: int) -> Panels:
    """Panels for so many points each; many are given wide panels."""
    columns = {1: 1, 2: 2, 3: 3, 4: 2, 7: 4, 8: 4}.get(count, 3)
    if points > MANY_POINTS:
        columns = min(columns, 2 if count <= 8 else 3)
    sheet = 11.0 if columns == 4 else 10.0
    gap = 0.3
    width = (sheet - 0.72 - 0.2 - gap * (columns - 1)) / columns
    return Panels(columns, width, 2.3, top=canvas.HEADER + 0.55, gap=gap, row=0.62)


@canvas.plain
def accuracy(results: "Results") -> Figure:
    """Shares of exact bids by hand size and place in the bidding, with 95 % intervals.

    A panel an entrant (from `results.accuracy`), and one of the whole table's mean with its ceiling (from
    `results.table_accuracy`). An interval that is not a number is left out.
    """
    labels = results.labels
    sizes = sorted(int(size) for size in results.table_accuracy["hand_size"])
    places = int(results.accuracy["position"].max()) + 1
    grid = _accuracy_panels(len(labels) + 1, places * len(sizes))
    last = grid.bottom(len(labels) + 1)
    figure = canvas.paper(grid.at(grid.columns - 1)[0] + grid.width + 0.2, last + 0.62)
    canvas.header(
        figure, "Exact bids by hand size and place in the bidding", results, "; upright bars: 95 % intervals"
    )
    names = [*canvas.fit_labels(labels, grid.width), "whole table, all places together"]
    for number, name in enumerate(names):
        left, top = grid.at(number)
        axes = canvas.place(figure, left, top, grid.width, grid.height)
        _accuracy_axes(axes, name, sizes, grid.width)
        first, lowest = number % grid.columns == 0, number + grid.columns > len(labels)
        axes.tick_params(labelleft=first, labelbottom=lowest)
        canvas.name_axes(axes, "hand size (cards)" * lowest, "exact bids (share)" * first)
        if number < len(labels):
            _draw_places(axes, results.accuracy[results.accuracy["strategy"] == labels[number]], places)
        else:
            _draw_table(axes, results.table_accuracy, sizes)
    _place_key(figure, places, grid.left)
    return figure


def _accuracy_axes(axes: Axes, name: str, sizes: list[int], width: float) -> None:
    canvas.name_panel(axes, name)
    axes.set_xlim(sizes[0] - 0.6, sizes[-1] + 0.6)
    axes.set_xticks(canvas.whole_ticks(sizes, int(width / 0.22)))
    axes.set_ylim(-0.04, 1.04)
    canvas.percent_axis(axes.yaxis, (0, 0.25, 0.5, 0.75, 1))
    axes.grid(axis="y")


def _place_style(position: int) -> dict[str, Any]:
    kind = position % len(canvas.MARKERS)
    return {
        "color": canvas.COLOURS[kind],
        "linestyle": canvas.DASHES[position % len(canvas.DASHES)],
        "marker": canvas.MARKERS[kind],
        "markerfacecolor": "white" if position % 2 else canvas.COLOURS[kind],
        "markersize": 4.2,
        "linewidth": 1.1,
    }


def _draw_places(axes: Axes, rows: pd.DataFrame, places: int) -> None:
    spread = 0.5 if places <= 4 else 0.68
    for position in range(places):
        cells = rows[rows["position"] == position].sort_values("hand_size")
        style = _place_style(position)
        across = cells["hand_size"].to_numpy(float) + spread * (position - (places - 1) / 2) / places
        axes.vlines(across, cells["low"], cells["high"], color=style["color"], linewidth=0.9)
        axes.plot(across, cells["rate"].to_numpy(float), **style)


def _draw_table(axes: Axes, table: pd.DataFrame, sizes: list[int]) -> None:
    table = table.sort_values("hand_size")
    across = table["hand_size"].to_numpy(float)
    axes.vlines(across, table["low"], table["high"], color=canvas.INK, linewidth=0.9)
    axes.plot(
        across, table["rate"].to_numpy(float), color=canvas.INK, marker="h", markersize=5, linewidth=1.3
    )
    ceiling = table["ceiling"].to_numpy(float)
    if not (ceiling < 1).any():
        return
    ends = [sizes[0] - 0.6, *across, sizes[-1] + 0.6]
    heights = [ceiling[0], *ceiling, ceiling[-1]]
    axes.plot(ends, heights, color=canvas.INK, linestyle=(0, (7, 3)), linewidth=1.2, gid="ceiling")
    axes.text(
        sizes[-1] + 0.55,
        float(np.nanmax(ceiling)) + 0.02,
        f"ceiling {100 * float(np.nanmax(ceiling)):.3g} %",
        fontsize=canvas.SMALL,
        color=canvas.INK,
        ha="right",
    )


def _place_key(figure: Figure, places: int, left: float) -> None:
    handles = [Line2D([], [], **_place_style(position)) for position in range(places)]
    texts = [canvas.ordinal(position, places) for position in range(places)]
    canvas.place_legend(
        figure,
        handles,
        texts,
        left,
        canvas.HEADER + 0.06,
        ncols=places,
        handlelength=3.2,
        columnspacing=1.6,
    )


@canvas.plain
def bids_tricks(results: "Results") -> Figure:
    """Heat maps of bid against tricks taken, a panel an entrant, all hand sizes together (`results.bids`).

    A row is a bid; its cells are the shares of the tricks that followed it, so a row adds up to 1. Exact
    bids are boxed, rows without a bid hatched, rows with fewer than `FEW_BIDS` bids marked by a star.
    """
    labels, bids = results.labels, results.bids
    used = bids[bids["count"] > 0]
    side = int(max(used["bid"].max(), used["tricks"].max(), 1)) + 1 if len(used) else 2
    columns, length = _heat_map_panels(len(labels), side)
    grid = Panels(columns, length, length, left=0.62, top=canvas.HEADER + 0.36, gap=0.98, row=0.82)
    right = grid.at(columns - 1)[0] + length
    figure = canvas.paper(right + 1.65, grid.bottom(len(labels)) + 0.85)
    canvas.header(figure, "Bids and the tricks that followed", results)
    image = None
    for number, (label, name) in enumerate(zip(labels, canvas.fit_labels(labels, length), strict=True)):
        left, top = grid.at(number)
        axes = canvas.place(figure, left, top, length, length)
        canvas.name_panel(axes, name)
        first, lowest = number % columns == 0, number + columns >= len(labels)
        canvas.name_axes(axes, "tricks taken" * lowest, "bid (tricks)" * first, 0.36)
        image = _heat_map(axes, _square(bids[bids["strategy"] == label], side), length)
    if image is not None:
        _colour_bar(figure, image, right + 0.72, grid.top, length)
    bottom = figure.get_size_inches()[1] - 0.12
    key = f"boxed: exact   hatched: never bid   on the right: bids in the row, * fewer than {FEW_BIDS}"
    canvas.write(figure, 0.15, bottom, key, fontsize=canvas.SMALL)
    return figure


def _heat_map_panels(count: int, side: int) -> tuple[int, float]:
    """Columns, and inches of a side: large enough for numbers, where the sheet is then not too wide."""
    needed = side * CELL
    columns = {1: 1, 2: 2, 4: 2}.get(count, 2 if 3.0 < needed <= 4.3 else 3)
    usual, most = {1: (3.9, 5.6), 2: (3.3, 4.3), 3: (2.75, 3.0)}[columns]
    return columns, max(usual, needed) if needed <= most else usual


def _square(rows: pd.DataFrame, side: int) -> NDArray[np.float64]:
    counts = np.zeros((side, side))
    rows = rows[rows["count"] > 0]
    np.add.at(
        counts, (rows["bid"].to_numpy(int), rows["tricks"].to_numpy(int)), rows["count"].to_numpy(float)
    )
    return counts


def _heat_map(axes: Axes, counts: NDArray[np.float64], length: float) -> Any:
    side = len(counts)
    totals = counts.sum(axis=1)
    shares = np.divide(counts, totals[:, None], out=np.zeros_like(counts), where=totals[:, None] > 0)
    image = axes.imshow(
        shares, cmap="Blues", vmin=0, vmax=1, origin="lower", aspect="auto", interpolation="nearest"
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    size = min(canvas.BODY, length / side * 72 / 3.1)
    for bid, total in enumerate(totals):
        axes.add_patch(
            Rectangle((bid - 0.5, bid - 0.5), 1, 1, fill=False, edgecolor="black", linewidth=1.3, zorder=3)
        )
        if total == 0:
            row = Rectangle(
                (-0.5, bid - 0.5), side, 1, facecolor="#f0f0f0", hatch="////", edgecolor="#8a8a8a"
            )
            axes.add_patch(row).set(linewidth=0, gid="never bid")
        count = compact(total) + ("*" if 0 < total < FEW_BIDS else "")
        axes.text(side - 0.4, bid, count, fontsize=canvas.SMALL - 1, color=canvas.PALE, va="center")
    if size >= 6:
        _cell_texts(axes, shares, size)
    ticks = canvas.whole_ticks(range(side), 11)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    return image


def _cell_texts(axes: Axes, shares: NDArray[np.float64], size: float) -> None:
    """Whole per cents in the cells that are not almost empty."""
    for bid, tricks in np.argwhere(shares >= 0.005):
        share = shares[bid, tricks]
        colour = "white" if share > 0.55 else "black"
        style: dict[str, Any] = {"color": colour, "fontsize": size, "ha": "center", "va": "center_baseline"}
        axes.text(tricks, bid, f"{100 * share:.0f}", **style)


def compact(count: float) -> str:
    """A count in at most five characters: 999, 1.2k, 45k, 3.1M."""
    for unit, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= 0.9995 * unit:
            value = count / unit
            return f"{value:.1f}{name}" if value < 9.95 else f"{math.floor(value + 0.5)}{name}"
    return f"{count:.0f}"


def _colour_bar(figure: Figure, image: Any, left: float, top: float, length: float) -> None:
    axes = canvas.place(figure, left, top, 0.14, length)
    bar = figure.colorbar(image, cax=axes)
    canvas.percent_axis(axes.yaxis, (0, 0.25, 0.5, 0.75, 1))
    bar.outline.set_linewidth(0.5)
    axes.yaxis.set_label_coords(4.6, 0.5)
    bar.set_label("share of the bids in the row")
