"""Pictures of games that are played for wins in rounds of any length: how long, who wins, and with what."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator
from numpy.typing import NDArray

from reports import canvas
from reports.bid_pictures import Panels
from reports.match_pictures import NAMES
from reports.place_pictures import CROWD, draw_line, effect_panels, spread_of
from reports.point_pictures import (
    AWAY,
    LEFT,
    LINE,
    RIGHT,
    ROUND,
    SHEET,
    bin_width,
    key,
    key_height,
    line_style,
    marker_style,
)

if TYPE_CHECKING:
    from bridzik_sim.results import Results

ROW = 0.34
"""Inches of a row of a picture with an entrant a row."""
CARD_NAMES = {"T": "10", "Q": "Q, not ♠", "SQ": "♠Q"}
QUEENS = ("Q", "SQ")
LAST_CARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "K", "A", *QUEENS)
"""Finishing cards from left to right: queens, which bring points, last."""
OPENED = {"plain": "any other", "6": "a six", "7": "a seven", "8": "an eight", "Q": "a queen", "A": "an ace"}
SHADES = ("#0a3f66", "#4f8fc0", "#a9cbe5", "#e4eef6")
"""Of the first place, the second and so on."""


@dataclass(frozen=True)
class Lengths:
    """How often something had each of some lengths, the last possible one or more, and their mean."""

    name: str
    most: int
    values: NDArray[np.int64]
    counts: NDArray[np.int64]
    mean: float
    low: float = math.nan
    high: float = math.nan

    def quantile(self, percent: int) -> int:
        """The least length that so many per cent do not exceed."""
        reached = 100 * np.cumsum(self.counts) >= percent * self.counts.sum()
        return int(self.values[np.argmax(reached)])

    @property
    def text(self) -> str:
        """Mean with its interval, median and 99th percentile, for a key."""
        interval = f" ({self.low:,.1f} to {self.high:,.1f})" if math.isfinite(self.low + self.high) else ""
        ends = (self.quantile(percent) for percent in (50, 99))
        middle, late = (f"{end:,}" + " or more" * (end == self.most) for end in ends)
        return f": mean {self.mean:,.1f}{interval}, median {middle}, 99th percentile {late}"


@canvas.plain
def turns(results: "Results") -> Figure:
    """Turns of a round by the number of players in it (`turns`, means from `rounds`): bulk and tail."""
    lines = []
    for row in results.rounds.sort_values("players").to_dict("records"):
        own = results.turns[results.turns["players"] == row["players"]].sort_values("turns")
        counted = (own[name].to_numpy(np.int64) for name in ("turns", "rounds"))
        mean = (row[name] for name in ("turns", "turns_low", "turns_high"))
        most = results.experiment.game.tables.MOST["turns"]
        lines.append(Lengths(f"{row['players']} players in the round", most, *counted, *mean))
    return _lengths(results, "Turns of a round", "turns", "rounds", lines)


@canvas.plain
def lengths(results: "Results") -> Figure:
    """Rounds of a game (`lengths`): bulk and tail."""
    table = results.lengths.sort_values("rounds")
    values, counts = (table[name].to_numpy(np.int64) for name in ("rounds", "games"))
    most, mean = results.experiment.game.tables.MOST["lengths"], float(values @ counts / counts.sum())
    lines = [Lengths("all games", most, values, counts, mean)]
    return _lengths(results, "Rounds of a game", "rounds", "games", lines)


@canvas.plain
def rubbers(results: "Results") -> Figure:
    """Deals of a rubber (`lengths`): bulk and tail; and how rubbers ended (`endings`)."""
    table = results.lengths.sort_values("deals")
    values, counts = (table[name].to_numpy(np.int64) for name in ("deals", "rubbers"))
    most, mean = results.experiment.game.tables.MOST["lengths"], float(values @ counts / counts.sum())
    lines = [Lengths("all rubbers", most, values, counts, mean)]
    ended = zip(results.endings["ending"], results.endings["share"], strict=True)
    note = ", ".join(f"{name} {100 * share:.1f} %" for name, share in ended)
    return _lengths(results, "Deals of a rubber", "deals", "rubbers", lines, f"; {note}")


def _lengths(
    results: "Results", what: str, parts: str, wholes: str, lines: list[Lengths], note: str = ""
) -> Figure:
    """On the left how often each length is, on the right how often more than that, which shows the tail."""
    strip, high, gap = 0.16 * len(lines) + 0.06, 3.2, 1.0
    top = canvas.HEADER + 0.36 + strip
    width, below = (SHEET - LEFT - RIGHT - gap) / 2, top + high + 0.62
    figure = canvas.paper(SHEET, below + len(lines) * LINE + 0.36)
    canvas.header(figure, what, results, note)
    bulk, tail = (canvas.place(figure, LEFT + n * (width + gap), top, width, high) for n in range(2))
    for number, line in enumerate(lines):
        height = 1 + (0.12 + 0.16 * (len(lines) - 1 - number)) / high
        _marks(bulk, number, line, height)
        _tail(tail, number, line)
    _bulk_axes(bulk, lines, parts, wholes)
    _tail_axes(tail, lines, parts, wholes)
    key(figure, below, [line.name for line in lines], [line.text for line in lines], most=1)
    note = "above the left plot: a line from the median to the 99th percentile, and the mean as a dot"
    canvas.write(figure, LEFT, figure.get_size_inches()[1] - 0.14, note)
    return figure


def _marks(axes: Axes, number: int, line: Lengths, height: float) -> None:
    """Median, mean and 99th percentile of a line on a level of their own above the plot."""
    upright: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False}
    ends = [line.quantile(50), line.quantile(99)]
    style = line_style(number) | upright
    axes.plot(
        ends, [height] * 2, **style | {"linestyle": "-", "linewidth": 1, "marker": "|", "markersize": 8}
    )
    axes.plot([line.mean], [height], **marker_style(number) | upright)


def _bulk_axes(axes: Axes, lines: list[Lengths], parts: str, wholes: str) -> None:
    """The lines up to a little more than the largest 99th percentile, in bins."""
    last = max(max(line.quantile(99), math.ceil(line.mean)) for line in lines)
    first = min(int(line.values[0]) for line in lines)
    width = bin_width(first, last, most=45)
    edges = np.arange(first // width - 1, last // width + 2) * width - 0.5
    for number, line in enumerate(lines):
        shares = np.histogram(line.values, edges, weights=line.counts)[0] / line.counts.sum()
        axes.stairs(shares, edges, baseline=None, **line_style(number))
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(bottom=0)
    axes.grid()
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=ROUND))
    _share_axis(axes)
    bins = f" (bins of {width})" if width > 1 else ""
    canvas.name_axes(axes, parts + bins, f"share of {wholes}", AWAY)


def _tail(axes: Axes, number: int, line: Lengths) -> None:
    """The share that is longer than so much, as long as there is any."""
    longer = 1 - np.cumsum(line.counts) / line.counts.sum()
    values, shares = np.array([0, *line.values]), np.array([1.0, *longer[:-1]])
    shares = np.append(shares, shares[-1])  # the line ends at the greatest length
    axes.step(values, shares, where="post", **line_style(number))
    axes.plot(values[-1:], shares[-1:], **marker_style(number) | {"markersize": 4.5})


def _tail_axes(axes: Axes, lines: list[Lengths], parts: str, wholes: str) -> None:
    """A logarithmic axis of shares, down to the rarest, and a line at one in a hundred."""
    rarest = min(float(line.counts[-1] / line.counts.sum()) for line in lines)
    axes.set_yscale("log")
    lowest = min(-2, math.floor(math.log10(rarest)))
    axes.set_ylim(10.0**lowest * 0.8, 1.4)
    axes.yaxis.set_major_locator(FixedLocator([10.0**power for power in range(lowest, 1)]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.10g} %"))
    axes.set_xlim(0, 1.03 * max(int(line.values[-1]) for line in lines))
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=ROUND))
    axes.grid()
    axes.axhline(0.01, color=canvas.PALE, linestyle=(0, (2, 2)), linewidth=1.1, gid="one in a hundred")
    cut = [line.most for line in lines if line.values[-1] == line.most]
    more = f" ({cut[0]:,} stands for more, too)" if cut else ""
    canvas.name_axes(axes, parts + more, f"{wholes} with more (share, logarithmic)", AWAY + 0.14)


def _share_axis(axes: Axes) -> None:
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=ROUND))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.3g} %"))


def _entrant_rows(figure: Figure, top: float, names: list[str], right: float) -> Axes:
    """Axes with a row an entrant, its name on the left."""
    axes = canvas.place(figure, NAMES, top, SHEET - NAMES - right, ROW * len(names))
    axes.set_yticks(range(len(names)), canvas.fit_labels(names, NAMES - 0.3, canvas.SMALL))
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    return axes


@canvas.plain
def finishes(results: "Results") -> Figure:
    """The cards that won rounds (`finishes`): a row an entrant, shares of its rounds won, darker is more."""
    table, names = results.finishes, results.leaderboard["strategy"].tolist()
    rounds = table.pivot_table("rounds", "strategy", "last_card", "sum", 0).reindex(names, fill_value=0)
    cards = [card for card in LAST_CARDS if card in rounds and rounds[card].any()]
    counts = rounds[cards].to_numpy(float)
    won = counts.sum(axis=1)
    shares = counts / np.maximum(won, 1)[:, None]
    top = canvas.HEADER + 0.45
    figure = canvas.paper(SHEET, top + ROW * len(names) + 0.5)
    canvas.header(figure, "The last card of the rounds won", results)
    axes = _entrant_rows(figure, top, names, 0.85)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1.8 * shares.max(), aspect="auto", interpolation="nearest")
    axes.set_xticks(range(len(cards)), [CARD_NAMES.get(card, card) for card in cards])
    axes.tick_params(labeltop=True, labelbottom=False)
    axes.axvline(sum(card not in QUEENS for card in cards) - 0.5, color="white", linewidth=4)
    style: dict[str, Any] = {"va": "center", "color": "black", "fontsize": canvas.SMALL}
    for row, column in np.ndindex(*shares.shape):
        axes.text(column, row, f"{100 * shares[row, column]:.1f}", ha="center", **style)
    beside: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "ha": "right", **style}
    for row, number in enumerate(won):
        axes.text(1 + 0.7 / canvas.inches(axes)[0], row, f"{number:,.0f}", **beside)
    note = "shares of the entrant's rounds won, per cent   on the right: rounds won"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.14, note)
    return figure


@canvas.plain
def places(results: "Results") -> Figure:
    """Shares of games that ended in each place (`places`): a bar an entrant, from the first place on."""
    table, names = results.places, results.leaderboard["strategy"].tolist()
    shares = table.pivot_table("share", "strategy", "place", "sum", 0.0).reindex(names, fill_value=0.0)
    top = canvas.HEADER + 0.4
    high = ROW * len(names)
    figure = canvas.paper(SHEET, top + high + 0.62)
    canvas.header(figure, "Places at the end of a game", results)
    axes = _entrant_rows(figure, top, names, 0.4)
    rows, left = np.arange(len(names)), np.zeros(len(names))
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": canvas.SMALL}
    for place in map(int, shares.columns):
        widths, shade = shares[place].to_numpy(float), (place - 1) % len(SHADES)
        axes.barh(rows, widths, 0.78, left, color=SHADES[shade], edgecolor=canvas.INK, linewidth=0.5)
        for row in np.flatnonzero(widths > 0.06):
            text, middle = f"{place}: {100 * widths[row]:.1f} %", float(left[row] + widths[row] / 2)
            axes.text(middle, float(row), text, color="black" if shade else "white", **style)
        left += widths
    axes.set_xlim(0, 1)
    axes.set_ylim(len(names) - 0.5, -0.5)
    canvas.percent_axis(axes.xaxis, (0, 0.25, 0.5, 0.75, 1))
    canvas.name_axes(axes, "share of games by place, the first on the left")
    return figure


@canvas.plain
def seats(results: "Results") -> Figure:
    """Games won by seat and rounds won by place after the dealer, with 95 % intervals (`effects`)."""
    panels = [
        ("seat", "by seat", "seat", "games won (share)"),
        (
            "position",
            "by place after the dealer, all still in",
            "place after the dealer",
            "rounds won (share)",
        ),
    ]
    figure = effect_panels(results, "Effects of the seat and of the place after the dealer", "won", panels)
    for axes in figure.axes:
        _even_line(axes, results)
        _share_axis(axes)
    return figure


def _even_line(axes: Axes, results: "Results") -> None:
    """A dashed line at the share of each where all are alike."""
    even = 1 / results.experiment.at_table
    axes.axhline(even, color=canvas.INK, linestyle=(0, (5, 2)), linewidth=1.1, zorder=1, gid="even")


@canvas.plain
def openings(results: "Results") -> Figure:
    """Rounds won and points a round by opening card and place after the dealer (`openings`).

    For each kind of opening card the share of rounds won, and below it the points. The 95 % intervals are
    left out where there are more than `CROWD` entrants.
    """
    labels, table = results.labels, results.openings
    kinds = [kind for kind in OPENED if (table["opening"] == kind).any()]
    columns, gap, high = min(3, len(kinds)), 0.55, 1.5
    width = (SHEET - LEFT - RIGHT - gap * 2) / 3
    pairs = Panels(columns, width, 2 * high + 0.2, left=LEFT, top=canvas.HEADER + 0.4, gap=gap, row=0.9)
    below = pairs.bottom(len(kinds)) + 0.62
    figure = canvas.paper(SHEET, below + key_height(len(labels)))
    bars = "; bars: 95 % intervals" * (len(labels) <= CROWD)
    what = "Rounds won and points by opening card and place after the dealer"
    canvas.header(figure, what, results, f"{bars}; dashed: even share")
    for number, kind in enumerate(kinds):
        left, top = pairs.at(number)
        own = table[table["opening"] == kind]
        won, points = (canvas.place(figure, left, top + n * (high + 0.2), width, high) for n in range(2))
        for axes, column in ((won, "won"), (points, "points")):
            _opening_panel(axes, labels, own, column, results.experiment.at_table)
        canvas.name_panel(won, f"opened: {OPENED[kind]}")
        _even_line(won, results)
        _share_axis(won)
        won.tick_params(labelbottom=False)
        first = number % columns == 0
        canvas.name_axes(won, "", "rounds won (share)" * first, AWAY)
        canvas.name_axes(points, "place after the dealer", "points a round" * first, AWAY)
    key(figure, below, labels, [""] * len(labels))
    return figure


def _opening_panel(axes: Axes, labels: list[str], table: pd.DataFrame, column: str, places: int) -> None:
    """A line an entrant over the places after the dealer."""
    axes.grid(axis="y")
    for number, label in enumerate(labels):
        own = table[table["strategy"] == label].sort_values("position")
        means = own[[column, f"{column}_low", f"{column}_high"]]
        if len(labels) > CROWD:
            means = means.assign(**dict.fromkeys(means.columns[1:], math.nan))
        draw_line(axes, number, len(labels), own["position"] + 1, means, spread_of(len(labels)))
    axes.set_xticks(range(1, places + 1))
    axes.set_xlim(0.5, places + 0.5)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=ROUND))
