"""Pictures of points and of the table: scores, over- and underbidding, convergence."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from reports import canvas
from reports.tables import capital, measure_digits

if TYPE_CHECKING:
    from bridzik_sim.results import Results

SHEET, LEFT, RIGHT, AWAY = 10.0, 0.9, 0.25, 0.66
ROUND = (1, 2, 5, 10)
"""Steps between ticks: these times powers of ten."""
LINE = 0.22
"""Inches that a line of a legend takes."""


def line_style(number: int, joined: bool = True) -> dict[str, Any]:
    """Colour and dashes of entrant `number`; no line where its markers are not joined."""
    return {
        "color": canvas.COLOURS[number % len(canvas.COLOURS)],
        "linestyle": canvas.DASHES[number % len(canvas.DASHES)] if joined else "none",
        "linewidth": 1.5,
    }


def marker_style(number: int) -> dict[str, Any]:
    """Marker of entrant `number`, filled or not."""
    colour = canvas.COLOURS[number % len(canvas.COLOURS)]
    marker = canvas.MARKERS[number % len(canvas.MARKERS)]
    return {
        "marker": marker,
        "color": colour,
        "markerfacecolor": "white" if number % 2 else colour,
        "markersize": 6,
    }


def sheet(
    what: str, results: "Results", entries: int, high: float, strip: float = 0.0, note: str = ""
) -> tuple[Figure, Axes, float]:
    """A sheet with one plot `high` inches high, a free strip above it, and the top of the legend below it."""
    top = canvas.HEADER + 0.1 + strip
    below = top + high + 0.62
    figure = canvas.paper(SHEET, below + key_height(entries))
    canvas.header(figure, what, results, note)
    axes = canvas.place(figure, LEFT, top, SHEET - LEFT - RIGHT, high)
    axes.grid()
    return figure, axes, below


def key_height(entries: int) -> float:
    """Inches that `key` takes at the bottom of a picture."""
    return (math.ceil(entries / 2) if entries > 2 else entries) * LINE + 0.12


def key(
    figure: Figure, top: float, labels: list[str], endings: list[str], joined: bool = True, most: int = 2
) -> None:
    """The legend of lines with markers, one entry a label, each ending with what was measured.

    More than two entries are set in `most` columns.
    """
    columns = most if len(labels) > 2 else 1
    room = (SHEET - LEFT - RIGHT) / columns - 0.75
    longest = max(endings, key=len)
    short = canvas.fit_labels(labels, room, ending=longest)
    handles = [Line2D([], [], **(line_style(n, joined) | marker_style(n))) for n in range(len(labels))]
    texts = [name + ending.replace("-", "−") for name, ending in zip(short, endings, strict=True)]
    canvas.place_legend(figure, handles, texts, LEFT, top, ncols=columns, handlelength=3.6, columnspacing=1.5)


def bin_width(low: int, high: int, step: int = 1, most: int = 48) -> int:
    """The smallest width (1, 2 or 5 times a power of ten times `step`) that needs at most `most` bins."""
    power = step
    while True:
        for width in (power, 2 * power, 5 * power):
            if (high // width) - (low // width) + 1 <= most:
                return width
        power *= 10


@canvas.plain
def scores(results: "Results") -> Figure:
    """The distribution of points in a game, a step line an entrant, means marked above (`results.scores`)."""
    rows = results.scores[results.scores["games"] > 0]
    points = rows["points"].to_numpy(int)
    low, high = (int(points.min()), int(points.max())) if len(points) else (0, 0)
    step = results.points_step
    width = bin_width(low, high, step)
    # The bins end half way between two values, one of them at the limit; an empty bin closes each end.
    limit = results.experiment.game.limit
    origin = 0 if limit is None else limit + step
    bins = np.arange((low - origin) // width - 1, (high - origin) // width + 3)
    edges = origin + bins * width - step / 2
    strip = 0.16 * len(results.labels) + 0.06
    what = points_of(results)
    figure, axes, below = sheet(capital(what), results, len(results.labels), 3.3, strip)
    endings = []
    for number, label in enumerate(results.labels):
        own = rows[rows["strategy"] == label]
        endings.append(_draw_scores(axes, number, own, edges, _mean_of(results, label, own)))
    axes.set_xlim(float(edges[0]), float(edges[-1]))
    axes.set_ylim(bottom=0)
    binned = f"bins of {width}" if width > step or results.measure.net else "each value"
    across = f"{what} ({binned}{told_ends(results)})" + shade_beyond(axes, results)
    canvas.name_axes(axes, across, "share of games", AWAY)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=ROUND))
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=ROUND))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.3g} %"))
    canvas.write(figure, LEFT - 0.1, canvas.HEADER + 0.1 + strip - 0.1, "means", ha="right")
    key(figure, below, results.labels, endings)
    return figure


def shade_beyond(axes: Axes, results: "Results") -> str:
    """Shade points above the limit of the game, if there is one; returns what the axis is told of it."""
    limit, (low, high) = results.experiment.game.limit, axes.get_xlim()
    if limit is None:
        return ""
    start = limit + results.points_step / 2
    axes.axvspan(start, max(high, start), color="#f0f0f0", linewidth=0, zorder=0, gid="out")
    axes.set_xlim(low, high)
    return f", fewer are better; shaded: above {limit}, out of the game"


def told_ends(results: "Results") -> str:
    """What the axis is told of the ends of the histogram that stand for more, if games came that far."""
    found = set(results.scores["points"])
    ends = [f"{end:,}".replace("-", "−") for end in _open_ends(results) if end in found]
    return f"; at {' and '.join(ends)} also what lies beyond" if ends else ""


def or_beyond(results: "Results", points: float) -> str:
    """Points in words, ``8,000 or more`` where the histogram ends with a number that stands for more, too."""
    low, high = _open_ends(results)
    return f"{points:,.0f}" + " or less" * (points <= low) + " or more" * (points >= high)


def _open_ends(results: "Results") -> tuple[float, float]:
    """The ends of the histogram of points that stand for what lies beyond, too: those of net points."""
    return results.points_ends if results.measure.net else (-math.inf, math.inf)


def points_of(results: "Results") -> str:
    """What the points in a game are called."""
    game = results.experiment.game.tables.game_name(results.experiment)
    return f"{'net points' if results.measure.net else 'points'} in a {game}"


def _mean_of(results: "Results", label: str, rows: pd.DataFrame) -> float:
    """An entrant's mean points in a game; of net points the histogram has only steps, the standings all."""
    if results.measure.net:
        own = results.summary.loc[results.summary["strategy"] == label, "points"]
        return float(own.iloc[0]) * results.measure.worth
    points, games = rows["points"].to_numpy(float), rows["games"].to_numpy(float)
    return float(points @ games / games.sum()) if games.sum() else math.nan


def _draw_scores(
    axes: Axes, number: int, rows: pd.DataFrame, edges: NDArray[np.floating[Any]], mean: float
) -> str:
    """One entrant's line, and its mean as a marker in the strip above; returns the text of the mean."""
    points, games = rows["points"].to_numpy(float), rows["games"].to_numpy(float)
    if not games.sum():
        return ": no games"
    shares = np.histogram(points, bins=edges, weights=games)[0] / games.sum()
    axes.stairs(shares, edges, baseline=None, **line_style(number))
    height = 1 + (0.12 + 0.16 * number) / canvas.inches(axes)[1]
    upright = {"transform": axes.get_xaxis_transform(), "clip_on": False}
    place = np.clip(mean, edges[0], edges[-1])
    axes.plot([place, place], [0, height], **line_style(number) | upright | {"linewidth": 0.8})
    axes.plot([place], [height], **marker_style(number) | upright)
    return f": mean {mean:,.1f}"


@canvas.plain
def over_under(results: "Results") -> Figure:
    """How far the bids of a round add up over or under its tricks, by hand size (`results.table`).

    On the left a row of bars a hand size, on the right the mean excess and the share of rounds that are
    overbid. Where the sum rule is on (the ceiling of `results.table_accuracy` is below 1) no round can
    have an excess of 0: that place is hatched.
    """
    table = results.table[results.table["count"] > 0]
    sizes = sorted({int(size) for size in results.table["hand_size"]}) or [1]
    high = max(1.4, (0.5 if len(sizes) <= 10 else 0.4) * len(sizes) + 0.2)
    top = canvas.HEADER + 0.42
    figure = canvas.paper(SHEET, top + high + 0.6)
    canvas.header(figure, "Over- and underbidding of the whole table", results)
    bars = canvas.place(figure, 0.75, top, 5.9, high)
    means = canvas.place(figure, 6.95, top, 1.95, high)
    excess = (table["sum_of_bids"] - table["hand_size"]).to_numpy(int)
    ends = (min(-2, int(excess.min())), max(2, int(excess.max()))) if len(excess) else (-2, 2)
    ruled = bool((results.table_accuracy["ceiling"] < 1).any())
    _excess_axes(bars, ends, sizes, ruled)
    means.set_yticks(range(len(sizes)), [])
    means.set_ylim(bars.get_ylim())
    found = []
    for row, size in enumerate(sizes):
        cells = table[table["hand_size"] == size]
        counts = np.zeros(ends[1] - ends[0] + 1)
        np.add.at(
            counts, (cells["sum_of_bids"] - size - ends[0]).to_numpy(int), cells["count"].to_numpy(float)
        )
        if counts.sum():
            found.append((row, *_excess_row(bars, row, counts / counts.sum(), ends[0])))
    _mean_axes(means, found)
    return figure


def _excess_axes(axes: Axes, ends: tuple[int, int], sizes: list[int], ruled: bool) -> None:
    axes.set_xlim(ends[0] - 0.7, ends[1] + 0.7)
    axes.set_ylim(-0.15, len(sizes) - 0.02)
    axes.set_yticks(range(len(sizes)), [str(size) for size in sizes])
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, steps=ROUND))
    canvas.name_axes(axes, "sum of the bids minus the tricks of the round", "hand size (cards)")
    axes.hlines(range(len(sizes)), ends[0] - 0.7, ends[1] + 0.7, color=canvas.RULE, linewidth=0.8, zorder=1)
    style: dict[str, Any] = {"fontsize": canvas.SMALL, "color": canvas.INK, "va": "bottom"}
    style |= {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points", "annotation_clip": False}
    if ruled:
        axes.axvspan(
            -0.5, 0.5, facecolor="#f4f4f4", hatch="////", edgecolor="#b0b0b0", linewidth=0, gid="forbidden"
        )
        axes.annotate("0: forbidden", (0, 1), (0, 14), ha="center", **style | {"color": canvas.PALE})
    axes.annotate("under ◂", (-0.5, 1), (-2, 2), ha="right", **style)
    axes.annotate("▸ over", (0.5, 1), (2, 2), ha="left", **style)


def _excess_row(axes: Axes, row: int, shares: NDArray[np.float64], first: int) -> tuple[float, float]:
    """The bars of one hand size, the tallest with its share; returns the mean excess and the share over."""
    excess = first + np.arange(len(shares))
    tallest = int(shares.argmax())
    heights = shares / shares[tallest] * 0.62
    for side, colour in ((excess < 0, "#8fbfe0"), (excess == 0, "#777777"), (excess > 0, "#0a3f66")):
        some = side & (shares > 0)
        style: dict[str, Any] = {"color": colour, "edgecolor": canvas.INK, "linewidth": 0.4, "zorder": 2}
        axes.bar(excess[some], heights[some], width=0.8, bottom=row, **style)
    text = f"{100 * shares[tallest]:.0f} %"
    axes.text(excess[tallest], row + 0.65, text, fontsize=canvas.SMALL - 1, color=canvas.INK, ha="center")
    return float(excess @ shares), float(shares[excess > 0].sum())


def _mean_axes(axes: Axes, found: list[tuple[int, float, float]]) -> None:
    """Mean excess as dots on the rows of the bars, and beside them the shares of overbid rounds."""
    axes.axvline(0, color=canvas.PALE, linewidth=1, linestyle=(0, (4, 2)))
    axes.grid(axis="x")
    rows, means = [row for row, _, _ in found], [mean for _, mean, _ in found]
    axes.hlines(rows, 0, means, color=canvas.INK, linewidth=1)
    axes.plot(means, rows, color=canvas.INK, marker="o", markersize=4.5, linestyle="none")
    reach = max([0.5, *(abs(mean) for mean in means)])
    axes.set_xlim(min(-0.35 * reach, *means, 0) - 0.15 * reach, max(0.35 * reach, *means, 0) + 0.15 * reach)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    canvas.name_axes(axes, "mean excess (tricks)")
    beside = axes.get_yaxis_transform()
    style: dict[str, Any] = {
        "transform": beside,
        "ha": "right",
        "fontsize": canvas.SMALL,
        "color": canvas.INK,
    }
    for row, mean, over in found:
        axes.text(1.22, row, f"{mean:+.2f}".replace("-", "−"), va="center", **style)
        axes.text(1.48, row, f"{100 * over:.0f} %", va="center", **style)
    style |= {"transform": axes.transAxes, "va": "bottom", "color": canvas.PALE}
    axes.text(1.22, 1.01, "mean", **style)
    axes.text(1.48, 1.01, "over", **style)


@canvas.plain
def convergence(results: "Results") -> Figure:
    """Running means of the measure with 95 % bands against the number of units (`results.convergence`).

    The bands of the first few units may reach out of the picture; bands that are not a number are left out.
    """
    rows, measure = results.convergence.sort_values("units"), results.measure
    rows = rows.assign(**{name: measure.scale * rows[name] for name in (measure.column, "low", "high")})
    what = "Games won" if measure.share else f"Mean {measure.name if measure.net else 'points'}"
    figure, axes, below = sheet(f"{what} as the games add up", results, len(results.labels), 3.5)
    endings = []
    for number, label in enumerate(results.labels):
        endings.append(_draw_running(axes, number, rows[rows["strategy"] == label], results))
    units = rows["units"].to_numpy(int)
    first, last = (max(1, int(units.min())), int(units.max())) if len(units) else (1, 1)
    canvas.units_axis(axes, log_ticks(first, last))
    axes.set_xlim(first / 1.25, last * 1.25)
    axes.yaxis.set_major_locator(MaxNLocator(7, steps=ROUND))
    axes.set_ylim(*_limits(rows, measure.column))
    across = "units played (a unit: the cards of one game; logarithmic)"
    canvas.name_axes(axes, across, measure.axis if measure.share else f"mean {measure.axis}", AWAY)
    key(figure, below, results.labels, endings)
    return figure


def _draw_running(axes: Axes, number: int, rows: pd.DataFrame, results: "Results") -> str:
    """One entrant's running mean and band; returns the text of the last mean and its interval."""
    if not len(rows):
        return ": no games"
    units, values = rows["units"].to_numpy(float), rows[results.measure.column].to_numpy(float)
    low, high = rows["low"].to_numpy(float), rows["high"].to_numpy(float)
    style = line_style(number)
    axes.fill_between(units, low, high, color=style["color"], alpha=0.13, linewidth=0)
    for edge in (low, high):
        axes.plot(units, edge, **style | {"linewidth": 0.5})
    every = max(1, len(rows) // 8)
    places = slice(number % every if len(rows) > every else 0, None, every)
    axes.plot(units, values, **style)
    axes.plot(units[places], values[places], **marker_style(number) | {"linestyle": "none", "markersize": 5})
    decimals = measure_digits(results)
    value, *ends = (f"{number:,.{decimals}f}" for number in (values[-1], low[-1], high[-1]))
    interval = f" ({ends[0]} to {ends[1]})" if math.isfinite(low[-1] + high[-1]) else ""
    return f": {value}{results.measure.sign}{interval}"


def _limits(rows: pd.DataFrame, column: str) -> tuple[float, float]:
    """Limits that show every mean, and the bands but for those of the first tenth of the way."""
    units = rows["units"].to_numpy(float)
    late = rows[units >= np.quantile(units, 0.25)] if len(units) else rows
    values = np.concatenate([rows[column].to_numpy(float), late[["low", "high"]].to_numpy(float).ravel()])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def log_ticks(first: int, last: int) -> list[int]:
    """Powers of ten from `first` to `last`; 1, 2 and 5 times them where there would be few."""
    powers = [10**power for power in range(len(str(last)) + 1)]
    digits = (1,) if last / first >= 1000 else (1, 2, 5)
    ticks = [digit * power for power in powers for digit in digits if first <= digit * power <= last]
    return ticks if len(ticks) > 1 else sorted({first, last})
