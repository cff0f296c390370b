"""Pictures of games with contracts: what was bid and made, who gained by it, and where points come from."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from reports import canvas
from reports.bid_pictures import Panels
from reports.match_pictures import NAMES, NUMBERS, interval_rows
from reports.place_pictures import CROWD, draw_line, rule_at_zero, spread_of
from reports.point_pictures import AWAY, LEFT, RIGHT, ROUND, SHEET, key, key_height

if TYPE_CHECKING:
    from bridzik_sim.results import Results

STRAINS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "NT": "NT"}
BOOK, LEVELS, TRICKS = 6, 7, 13
FEW = 10
"""Deals below which a row of a heat map is marked as uncertain."""
SHOWN = 4
"""The most entrants that have pictures of their own: the first of the leaderboard."""
ROW = 0.15
"""Inches of a row of the heat maps of contracts."""
FULL = 0.7
"""The share of a row that is as dark as any."""


@dataclass(frozen=True)
class Maps:
    """Where the two heat maps of each entrant lie: contracts that were not doubled, and others. In inches."""

    columns: int
    cell: float
    names = 0.42
    counts = 0.53

    @property
    def width(self) -> float:
        """Of a map."""
        return self.cell * (TRICKS + 1)

    @property
    def block(self) -> float:
        """Of both maps of an entrant with all that is beside them."""
        return self.names + 2 * (self.width + self.counts)


@canvas.plain
def contracts(results: "Results") -> Figure:
    """Contracts against the tricks they ended with (`contracts`): a row a contract, a column tricks.

    A pair of heat maps for each of the first `SHOWN` entrants, doubled contracts apart. Shares are those of
    the row, whose deals are counted beside it; right of the line contracts were made.
    """
    table = results.contracts
    declarers = [name for name in results.leaderboard["strategy"] if (table["strategy"] == name).any()]
    names = declarers[:SHOWN]
    table = table[table["strategy"].isin(names)]
    rows = [(level, strain) for level in range(1, LEVELS + 1) for strain in STRAINS]
    there = set(zip(table["level"], table["strain"], strict=True))
    rows = [row for row in rows if row in there]
    maps = Maps(1, 0.26) if len(names) == 1 else Maps(2, 0.12)
    high = ROW * len(rows)
    grid = Panels(maps.columns, maps.block, high, left=0.12, top=canvas.HEADER + 0.55, gap=0.0, row=1.05)
    figure = canvas.paper(SHEET, grid.bottom(len(names)) + 0.78)
    first = f" (the first {SHOWN})" if len(declarers) > SHOWN else ""
    canvas.header(figure, f"Contracts and the tricks they ended with{first}", results)
    short = canvas.fit_labels(names, maps.block - 0.6)
    for number, (name, label) in enumerate(zip(names, short, strict=True)):
        left, top = grid.at(number)
        canvas.write(figure, left + 0.1, top - 0.3, label, color=canvas.INK, fontsize=canvas.BODY)
        own = table[table["strategy"] == name]
        kinds = ("not doubled", own[own["doubled"] == 0]), ("doubled", own[own["doubled"] > 0])
        for place, (kind, deals) in enumerate(kinds):
            across = left + maps.names + place * (maps.width + maps.counts)
            axes = canvas.place(figure, across, top, maps.width, high)
            _contract_map(axes, kind, deals, rows, maps.cell)
            axes.tick_params(labelleft=place == 0)
    note = "share of the row's deals, darker is more   right of the line: made   doubled: redoubled, too"
    note += f"   paler, with grey numbers: fewer than {FEW} deals"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.14, note)
    return figure


def _contract_map(
    axes: Axes, kind: str, deals: pd.DataFrame, rows: list[tuple[int, str]], cell: float
) -> None:
    """One heat map: shares of the tricks in the deals of each contract, and a line where it is made."""
    counts = np.zeros((len(rows), TRICKS + 1))
    places = np.array([rows.index(row) for row in zip(deals["level"], deals["strain"], strict=True)], int)
    np.add.at(counts, (places, deals["tricks"].to_numpy(int)), deals["deals"].to_numpy(float))
    number, levels = counts.sum(axis=1), np.array([level for level, _ in rows])
    shares = np.where(number[:, None] > 0, counts / np.maximum(number, FEW)[:, None], np.nan)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=FULL, aspect="auto", interpolation="nearest")
    edges = np.repeat(BOOK + levels - 0.5, 2)
    heights = np.stack([np.arange(len(rows)) - 0.5, np.arange(len(rows)) + 0.5], axis=1).ravel()
    for colour, width in (("white", 3.0), (canvas.INK, 1.3)):
        axes.plot(edges, heights, color=colour, linewidth=width, gid="made", solid_capstyle="butt")
    starts = np.flatnonzero(np.diff(levels)) + 0.5
    axes.hlines(starts, -0.5, TRICKS + 0.5, color=canvas.RULE, linewidth=0.6)
    axes.set_xlim(-0.5, TRICKS + 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(0, TRICKS + 1, 1 if cell > 0.2 else 2))
    labels = [f"{level}{STRAINS[strain]}" for level, strain in rows]
    axes.set_yticks(range(len(rows)), labels, fontsize=canvas.SMALL - 1)
    axes.tick_params(axis="y", length=0)
    canvas.name_axes(axes, "tricks of the declarer's side" if cell > 0.2 else "declarer's tricks")
    made = np.sum(counts, where=np.arange(TRICKS + 1) >= BOOK + levels[:, None])
    canvas.name_panel(axes, f"{kind}: {100 * made / number.sum():.0f} % made" if number.any() else kind)
    style: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "center"}
    beside = 1 + 0.4 / canvas.inches(axes)[0]
    for row in np.flatnonzero(number).tolist():
        colour = canvas.INK if number[row] >= FEW else "#9a9a9a"
        text = f"{number[row]:,.0f}" if number[row] < 1e5 else f"{number[row] / 1000:,.0f}k"
        axes.text(beside, row, text, color=colour, fontsize=canvas.SMALL - 1, **style)


@canvas.plain
def levels(results: "Results") -> Figure:
    """Contracts made and mean tricks above them by level, with 95 % intervals (`levels`); first all together.

    The intervals are left out where there are more than `CROWD` entrants.
    """
    labels, table, top, high, gap = results.labels, results.levels, canvas.HEADER + 0.4, 3.2, 0.95
    figure = canvas.paper(SHEET, top + high + 0.62 + key_height(len(labels)))
    bars = "; bars: 95 % intervals" if len(labels) <= CROWD else ""
    canvas.header(figure, "Contracts made, by level", results, bars)
    width = (SHEET - LEFT - RIGHT - gap) / 2
    panels = (
        ("made", "contracts made", "share of the contracts"),
        ("over", "tricks above the contract, below 0 when down", "mean tricks"),
    )
    for panel, (column, name, up) in enumerate(panels):
        axes = canvas.place(figure, LEFT + panel * (width + gap), top, width, high)
        axes.grid(axis="y")
        canvas.name_panel(axes, name)
        for number, label in enumerate(labels):
            own = table[table["strategy"] == label]
            means = own[[column, f"{column}_low", f"{column}_high"]]
            if not bars:
                means = means.assign(**dict.fromkeys(means.columns[1:], math.nan))
            whole = (own["level"] == "all").to_numpy()
            for some, places in ((whole, [0] * int(whole.sum())), (~whole, own["level"][~whole].astype(int))):
                draw_line(axes, number, len(labels), places, means[some], spread_of(len(labels)))
        axes.set_xlim(-0.5, LEVELS + 0.5)
        axes.set_xticks(range(LEVELS + 1), ["all", *(str(level) for level in range(1, LEVELS + 1))])
        axes.axvline(0.5, color=canvas.PALE, linewidth=0.8)
        axes.yaxis.set_major_locator(MaxNLocator(7, steps=ROUND))
        canvas.name_axes(axes, "level of the contract", up, AWAY)
        if column == "made":
            axes.set_ylim(-0.04, 1.04)
            canvas.percent_axis(axes.yaxis, (0, 0.25, 0.5, 0.75, 1))
        else:
            rule_at_zero(axes)
    key(figure, top + high + 0.62, labels, [_of_all(table, label) for label in labels])
    return figure


def _of_all(table: pd.DataFrame, label: str) -> str:
    """How many contracts of an entrant were made, for a key."""
    own = table[(table["strategy"] == label) & (table["level"] == "all")]
    if not len(own):
        return ": no contracts"
    return f": {100 * float(own['made'].iloc[0]):.1f} % of {int(own['deals'].iloc[0]):,}"


@canvas.plain
def gains(results: "Results") -> Figure:
    """Net points a deal of an entrant's side as declarer and as defender, with 95 % intervals (`gains`)."""
    parts = [(role, f"as {role}") for role in ("declarer", "defender")]
    table = results.gains.rename(columns={"role": "part", "points_low": "low", "points_high": "high"})
    return _rows(results, "Gains of declarers and defenders", table, parts, "net points a deal")


@canvas.plain
def sheet(results: "Results") -> Figure:
    """Points a rubber below and above the line, with 95 % intervals (`sheet`)."""
    parts = [(line, f"{line} the line") for line in ("below", "above")]
    table = results.sheet.rename(columns={"line": "part"})
    return _rows(results, "The score sheet: points of an entrant's side", table, parts, "points a rubber")


def _rows(
    results: "Results", what: str, table: pd.DataFrame, parts: list[tuple[str, str]], across: str
) -> Figure:
    """A panel a part: a row an entrant, with the columns points, low and high of the table."""
    names = results.leaderboard["strategy"].tolist()
    top, high = canvas.HEADER + 0.4, 0.34 * len(names) + 0.2
    figure = canvas.paper(SHEET, top + high + 0.62)
    canvas.header(figure, what, results, "; bars: 95 % intervals")
    width = (SHEET - NAMES - NUMBERS * len(parts)) / len(parts)
    for number, (part, name) in enumerate(parts):
        axes = canvas.place(figure, NAMES + number * (width + NUMBERS), top, width, high)
        own = table[table["part"] == part].set_index("strategy").reindex(names)
        rows = own[["points", "low", "high"]].to_numpy(float)
        interval_rows(axes, rows, [] if number else names, 0 if np.nanmax(np.abs(rows)) >= 1000 else 1)
        if axes.get_xlim()[0] < 0 < axes.get_xlim()[1]:
            axes.axvline(0, color=canvas.PALE, linewidth=1, zorder=1, gid="zero")
        canvas.name_panel(axes, name)
        canvas.name_axes(axes, across)
    return figure


@canvas.plain
def imps(results: "Results") -> Figure:
    """Boards by IMPs, a panel a pair of the first `SHOWN` entrants, means with 95 % intervals (`imps`).

    The mean and its interval are those of the cross-table.
    """
    order, table = results.leaderboard["strategy"].tolist(), results.imps
    played = set(zip(table["strategy"], table["opponent"], strict=True))
    pairs = [pair for pair in combinations(order[:SHOWN], 2) if pair in played or pair[::-1] in played]
    columns = min(len(pairs), 2)
    width = (SHEET - LEFT - RIGHT - 0.75 * (columns - 1)) / columns
    high = 3.0 if columns == 1 else 2.0
    grid = Panels(columns, width, high, left=LEFT, top=canvas.HEADER + 0.65, gap=0.75, row=1.25)
    figure = canvas.paper(SHEET, grid.bottom(len(pairs)) + 0.82)
    first = f" (the first {SHOWN})" if len(order) > SHOWN else ""
    canvas.header(figure, f"IMPs of the two tables of a board{first}", results)
    for number, pair in enumerate(pairs):
        left, top = grid.at(number)
        axes = canvas.place(figure, left, top, width, high)
        names = " against ".join(canvas.fit_labels(pair, (width - 0.7) / 2))
        canvas.write(figure, left, top - 0.45, names, fontsize=canvas.BODY, color=canvas.INK)
        _imps_panel(axes, pair, results)
        canvas.name_axes(axes, "IMPs of the first", "share of boards" * (number % columns == 0), AWAY)
    note = "above each plot: the mean with its 95 % interval   grey bar: boards without a swing"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.14, note)
    return figure


def _imps_panel(axes: Axes, pair: tuple[str, str], results: "Results") -> None:
    """Shares of boards by IMPs of the first of a pair; above them the mean with its interval."""
    rows, sign = _meeting(results.imps, pair)
    values, boards = sign * rows["imps"].to_numpy(int), rows["boards"].to_numpy(float)
    shares = boards / boards.sum()
    reach = max(6, int(np.abs(values).max())) + 1
    for some, colour in ((values < 0, "#a9cbe5"), (values == 0, "#777777"), (values > 0, "#0a3f66")):
        axes.bar(values[some], shares[some], width=0.8, color=colour, edgecolor=canvas.INK, linewidth=0.4)
    axes.set_xlim(-reach, reach)
    axes.axvline(0, color=canvas.PALE, linewidth=0.8, zorder=1)
    axes.grid(axis="y")
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, steps=ROUND))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=ROUND))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.3g} %"))
    rows, sign = _meeting(results.crosstable, pair)
    mean, *ends = (sign * float(rows[name].iloc[0]) for name in ("difference", "low", "high"))
    low, high = sorted(ends)
    above: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False, "color": canvas.INK}
    height = 1 + 0.12 / canvas.inches(axes)[1]
    axes.plot([low, high], [height] * 2, linewidth=1.2, marker="|", markersize=7, gid="interval", **above)
    axes.plot([mean], [height], marker="o", markersize=5, gid="mean", **above)
    flat = 100 * float(shares[values == 0].sum())
    interval = f" ({low:.2f} to {high:.2f})" if math.isfinite(low + high) else ""
    canvas.name_panel(axes, f"mean {mean:+.2f}{interval}, {flat:.0f} % flat".replace("-", "−"), pad=17)


def _meeting(table: pd.DataFrame, pair: tuple[str, str]) -> tuple[pd.DataFrame, int]:
    """The rows of a pair, and -1 where they are those of its second against its first."""
    first, second = (
        table[(table["strategy"] == one) & (table["opponent"] == other)] for one, other in (pair, pair[::-1])
    )
    return (first, 1) if len(first) else (second, -1)


PARTS = (
    ("par", "par", "#a9cbe5", ""),
    ("auction lost", "lost in the auction", "#e3e3e3", "////"),
    ("play lost", "lost in the play", "#8f8f8f", ""),
    ("others lost", "lost by the opponent", "white", "...."),
    ("points", "net points", "#0a3f66", ""),
)
"""Bars of an entrant from top to bottom, the last the sum of the others: part, name, colour, hatch."""
BAR = 0.19


@canvas.plain
def par(results: "Results") -> Figure:
    """Where net points a deal come from (`par`): par, what calls and cards then lost, with 95 % intervals."""
    names, top = results.leaderboard["strategy"].tolist(), canvas.HEADER + 0.2
    block, left = BAR * len(PARTS) + 0.14, NAMES + 1.35
    high = block * len(names)
    figure = canvas.paper(SHEET, top + high + 0.85)
    canvas.header(figure, "Where points come from, measured against par", results, "; bars: 95 % intervals")
    axes = canvas.place(figure, left, top, SHEET - left - NUMBERS, high)
    axes.set_ylim(high, 0)
    axes.grid(axis="x")
    axes.axvline(0, color=canvas.PALE, linewidth=1, gid="zero")
    ticks: list[float] = []
    found = {name: _parts_of(results.par, name) for name in names}
    digits = 0 if max(np.nanmax(np.abs(values)) for values in found.values()) >= 1000 else 1
    for number, (name, short) in enumerate(zip(names, canvas.fit_labels(names, NAMES - 0.3), strict=True)):
        places = block * number + 0.07 + BAR * (np.arange(len(PARTS)) + 0.5)
        ticks += places.tolist()
        for (_, _, colour, hatch), place, (value, low, upper) in zip(PARTS, places, found[name], strict=True):
            style: dict[str, Any] = {"facecolor": colour, "edgecolor": canvas.INK, "linewidth": 0.5}
            axes.barh(place, value, BAR * 0.86, hatch=hatch, **style)
            axes.hlines(place, low, upper, color=canvas.COLOURS[2], linewidth=2)
            _beside(axes, place, (value, low, upper), digits)
        style = {"color": canvas.INK, "fontsize": canvas.BODY, "va": "center"}
        canvas.write(figure, 0.15, top + block * (number + 0.5), short, **style)
        if number:
            axes.axhline(block * number, color=canvas.RULE, linewidth=0.8)
    axes.set_yticks(ticks, [part for _, part, _, _ in PARTS] * len(names))
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=ROUND))
    canvas.name_axes(axes, f"{results.measure.name}: what was lost counts as negative")
    note = "net points = par minus what was lost plus what the opponent lost"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.14, note)
    return figure


def _parts_of(table: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Value and ends of each bar of an entrant; what the opponent lost has no interval."""
    own = table[table["strategy"] == name].set_index("part")
    rows = {part: own.loc[part, ["points", "low", "high"]].to_numpy(float) for part in own.index}
    for part in ("auction lost", "play lost"):
        rows[part] = -rows[part][[0, 2, 1]]
    known = sum(rows[part][0] for part in ("par", "auction lost", "play lost"))
    rows["others lost"] = np.array([rows["points"][0] - known, math.nan, math.nan])
    return np.array([rows[part] for part, _, _, _ in PARTS])


def _beside(axes: Axes, place: float, found: tuple[float, float, float], digits: int) -> None:
    """A value with its interval in numbers, right of the plot."""
    value, low, high = (f"{number + 0.0:,.{digits}f}" for number in found)  # no minus sign before 0
    text = value + (f" ({low} to {high})" if math.isfinite(found[1] + found[2]) else "")
    style: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center", "color": canvas.INK}
    beside = 1 + 0.09 / canvas.inches(axes)[0]
    axes.text(beside, place, text.replace("-", "−"), fontsize=canvas.SMALL - 1, **style)
