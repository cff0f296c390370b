"""Pictures of who is better: the leaderboard, the cross-table, and a comparison as its units add up."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from reports import canvas
from reports.point_pictures import AWAY, LEFT, LINE, RIGHT, ROUND, SHEET, log_ticks
from reports.tables import DASH, beside, format_value, measure_digits, set_apart, told

if TYPE_CHECKING:
    from bridzik_sim.results import Results

NAMES = 2.4
"""Inches for the names of entrants beside a picture."""
NUMBERS = 1.9
"""Inches for a mean and its interval beside a plot."""
SIGNIFICANT = 0.05
BANDS = ["low", "high", "anytime_low", "anytime_high"]
"""Ends of the intervals of a running comparison."""


def _signed(value: float, digits: int = 1) -> str:
    text = f"{value:+.{digits}f}"
    return text[1:] if not text.strip("+-0.") else text.replace("-", "−")


@canvas.plain
def leaderboard(results: "Results") -> Figure:
    """Entrants from best to worst: the measure with 95 % intervals (`leaderboard`).

    Beside it in tournaments the ratings; else the points, where they are not the measure themselves.
    """
    board, measure = results.leaderboard, results.measure
    panels = [(measure.column, measure.axis, measure.scale, measure_digits(results))]
    if "rating" in board:
        panels.append(("rating", "rating (Elo points, mean 0)", 1, 0))
    elif measure.share:
        panels.append(("points", "points a game, fewer are better", 1, 1))
    elif measure.column != "points":
        panels.append(("points", "net points a board", 1, 1))
    count = len(panels)
    high = 0.34 * len(board) + 0.2
    figure = canvas.paper(SHEET, canvas.HEADER + 0.2 + high + 0.62)
    canvas.header(figure, "Leaderboard", results, "; bars: 95 % intervals")
    width = (SHEET - NAMES - NUMBERS * count) / count
    ranked = zip(board["rank"], board["strategy"], strict=True)
    names = [f"{rank}  {name}" for rank, name in ranked]
    for number, (column, title, scale, digits) in enumerate(panels):
        left = NAMES + number * (width + NUMBERS)
        axes = canvas.place(figure, left, canvas.HEADER + 0.2, width, high)
        rows = scale * board[[column, f"{column}_low", f"{column}_high"]].to_numpy(float)
        interval_rows(axes, rows, names if number == 0 else [], digits)
        canvas.name_axes(axes, title)
    return figure


@canvas.plain
def wins(results: "Results") -> Figure:
    """Shares of games won with 95 % intervals, the largest first, and the even share (`wins`)."""
    table = results.wins.sort_values("wins", ascending=False, kind="stable")
    top, high = canvas.HEADER + 0.4, 0.34 * len(table) + 0.2
    figure = canvas.paper(SHEET, top + high + 0.62)
    canvas.header(figure, "Games won", results, "; bars: 95 % intervals")
    axes = canvas.place(figure, NAMES, top, SHEET - NAMES - NUMBERS, high)
    even = 100 * float(table["even"].iloc[0])
    axes.axvline(even, color=canvas.INK, linestyle=(0, (5, 2)), linewidth=1.1, zorder=1, gid="even")
    rows = 100 * table[["wins", "low", "high"]].to_numpy(float)
    interval_rows(axes, rows, table["strategy"].tolist(), 1)
    style: dict[str, Any] = {
        "transform": axes.get_xaxis_transform(),
        "fontsize": canvas.SMALL,
        "ha": "center",
    }
    axes.text(even, 1 + 0.06 / high, f"even share {even:.3g} %", color=canvas.INK, **style)
    canvas.name_axes(axes, "share of games won, ties shared (%)")
    return figure


def interval_rows(axes: Axes, board: NDArray[np.float64], names: list[str], digits: int) -> None:
    """A dot and a bar an entrant, beside them its name (if there are any) and the same in numbers.

    `board` holds the value, the lower and the upper end, a row an entrant; NaN is a dash.
    """
    rows = np.arange(len(board))
    values, low, high = board.T
    axes.hlines(rows, low, high, color=canvas.COLOURS[1], linewidth=3)
    axes.plot(values, rows, color=canvas.INK, marker="o", markersize=5, linestyle="none")
    axes.set_ylim(len(board) - 0.4, -0.6)
    axes.grid(axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=ROUND))
    axes.set_yticks(range(len(board)), canvas.fit_labels(names, NAMES - 0.3, canvas.SMALL))
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    if digits == 1 and 0 < np.nanmax(high - low, initial=0) < 1:
        digits += 1
    style: dict[str, Any] = {
        "transform": axes.get_yaxis_transform(),
        "fontsize": canvas.SMALL,
        "va": "center",
    }
    beside = 1 + 0.09 / canvas.inches(axes)[0]
    for row, (value, *ends) in enumerate(board.tolist()):
        value, *ends = (f"{number:,.{digits}f}".replace("-", "−") for number in (value, *ends))
        interval = "" if "nan" in ends else f" ({ends[0]} to {ends[1]})"
        text = DASH if value == "nan" else value + interval
        axes.text(beside, row, text, color=canvas.INK, **style)


@canvas.plain
def crosstable(results: "Results") -> Figure:
    """Every pair of a tournament, row against column (`crosstable`): difference and share of tables ahead.

    Colours are the differences, blue where the row is better; a star marks Holm's p below 0.05.
    """
    names, measure = results.leaderboard["strategy"].tolist(), results.measure
    lead, ahead, sure = _square(results.crosstable, names, measure.scale)
    side = max(0.62, min(1.0, 7.2 / len(names)))
    top, left = canvas.HEADER + 0.45, NAMES
    figure = canvas.paper(max(7.0, left + side * len(names) + 0.3), top + side * len(names) + 0.5)
    canvas.header(figure, "Cross-table: row against column", results)
    axes = canvas.place(figure, left, top, side * len(names), side * len(names))
    reach = max(float(np.nanmax(np.abs(lead))), 1e-9)
    axes.imshow(
        lead, cmap="RdBu", vmin=-1.6 * reach, vmax=1.6 * reach, aspect="auto", interpolation="nearest"
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    short = canvas.fit_labels([f"{rank}  {name}" for rank, name in enumerate(names, start=1)], left - 0.3)
    axes.set_yticks(range(len(names)), short)
    axes.set_xticks(range(len(names)), [str(rank) for rank in range(1, len(names) + 1)])
    axes.tick_params(labeltop=True, labelbottom=False)
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    decimals = 1 if reach >= 10 else 2  # so that a small difference that is sure is not written as 0
    for row, column in np.argwhere(np.isfinite(lead)).tolist():
        mark = "*" if sure[row, column] else ""
        style: dict[str, Any] = {"ha": "center", "color": "black"}
        axes.text(
            column,
            row - 0.17,
            f"{_signed(lead[row, column], decimals)}{mark}",
            va="center",
            fontsize=canvas.SMALL,
            **style,
        )
        share = f"{100 * ahead[row, column]:.0f} %"
        axes.text(column, row + 0.2, share, va="center", fontsize=canvas.SMALL - 1, **style)
    bottom = figure.get_size_inches()[1] - 0.14
    note = f"above: difference in {measure.difference}, * Holm's p < 0.05   below: tables ahead, ties half"
    canvas.write(figure, 0.15, bottom, note)
    return figure


@canvas.plain
def ladder(results: "Results") -> Figure:
    """Everyone in one seat, row, with a reference in all others, column (`crosstable`).

    Colours and the upper numbers are the measure, the lower ones what is told `beside` it. The last column is
    the entrant among its own.
    """
    names, table, measure = (
        results.leaderboard["strategy"].tolist(),
        results.crosstable,
        results.measure,
    )
    second, what = beside(results)
    mixed = set(table.loc[table["strategy"] != table["opponent"], "opponent"])
    across = [number for number, name in enumerate(names) if name in mixed]
    values, others = (_one_seat(table, names, across, column) for column in (measure.column, second))
    side, top, left = max(0.62, min(1.0, 7.2 / (len(across) + 1))), canvas.HEADER + 0.45, NAMES
    wide, high = side * (len(across) + 1), 0.62 * len(names)
    figure = canvas.paper(max(7.0, left + wide + 0.3), top + high + 0.5)
    at, place, rest = set_apart(results)
    canvas.header(figure, f"The row's entrant {at} one {place}, the column's {at} {rest}", results)
    axes = canvas.place(figure, left, top, wide, high)
    low, reach = float(values.min()), max(float(np.ptp(values)), 1e-9)
    axes.imshow(
        values, cmap="Blues", vmin=low, vmax=low + 1.8 * reach, aspect="auto", interpolation="nearest"
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    ranked = [f"{rank}  {name}" for rank, name in enumerate(names, start=1)]
    axes.set_yticks(range(len(names)), canvas.fit_labels(ranked, left - 0.3))
    axes.set_xticks(range(len(across) + 1), [*(str(number + 1) for number in across), "own"])
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": "black"}
    for row, column in np.ndindex(*values.shape):
        above, below = (
            format_value(name, cells[row, column]).replace("-", "−")
            for name, cells in ((measure.column, values), (second, others))
        )
        axes.text(column, row - 0.17, above, fontsize=canvas.SMALL, **style)
        axes.text(column, row + 0.2, below, fontsize=canvas.SMALL - 1, **style)
    above = "games won by" if measure.share else f"{told(results)} of"
    note = f"above: {above} the one {place}   below: its {what}   own: the entrant in all seats"
    canvas.write(figure, 0.15, figure.get_size_inches()[1] - 0.14, note)
    return figure


def _one_seat(table: pd.DataFrame, names: list[str], across: list[int], column: str) -> NDArray[Any]:
    """A column of the cross-table: rows as named, by reference, and last by the entrant itself."""
    cells = {(row["strategy"], row["opponent"]): row[column] for row in table.to_dict("records")}
    others = [names[number] for number in across]
    return np.array([[cells[name, other] for other in [*others, name]] for name in names], float)


def _square(
    table: pd.DataFrame, names: list[str], scale: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Differences times `scale`, shares ahead (NaN on the diagonal), significance: row against column."""
    place = {name: number for number, name in enumerate(names)}
    lead, ahead = np.full((2, len(names), len(names)), np.nan)
    sure = np.zeros((len(names), len(names)), bool)
    for row in table.to_dict("records"):
        i, j = place[row["strategy"]], place[row["opponent"]]
        lead[i, j], lead[j, i] = scale * row["difference"], -scale * row["difference"]
        ahead[i, j], ahead[j, i] = row["superiority"], 1 - row["superiority"]
        sure[i, j] = sure[j, i] = row["p_holm"] < SIGNIFICANT
    return lead, ahead, sure


def _running_sheet(
    results: "Results", what: str, entries: int, note: str = ""
) -> tuple[Figure, Axes, pd.DataFrame]:
    """A sheet with the running comparison's units on a logarithmic axis."""
    rows = results.running
    figure = canvas.paper(SHEET, canvas.HEADER + 0.1 + 3.5 + 0.8 + entries * LINE + 0.25)
    canvas.header(figure, what, results, note)
    axes = canvas.place(figure, LEFT, canvas.HEADER + 0.1, SHEET - LEFT - RIGHT, 3.5)
    axes.grid()
    units = rows["units"].to_numpy(float)
    canvas.units_axis(axes, log_ticks(int(units[0]), int(units[-1])))
    axes.set_xlim(units[0] / 1.04, max(units[-1], units[0] + 1) * 1.04)
    return figure, axes, rows


@canvas.plain
def difference(results: "Results") -> Figure:
    """The running difference of a comparison, its fixed 95 % band and the band of all looks (`running`)."""
    measure = results.measure
    figure, axes, rows = _running_sheet(results, "The difference as the units add up", 3)
    rows = rows.assign(**{name: measure.scale * rows[name] for name in ("difference", *BANDS)})
    units, values = rows["units"].to_numpy(float), rows["difference"].to_numpy(float)
    bands = [
        ("low", "high", canvas.COLOURS[1], "-"),
        ("anytime_low", "anytime_high", canvas.COLOURS[2], (0, (5, 2))),
    ]
    for low, high, colour, dash in bands:
        for edge in (low, high):
            axes.plot(units, rows[edge].to_numpy(float), color=colour, linestyle=dash, linewidth=1.2)
        axes.fill_between(
            units, rows[low].to_numpy(float), rows[high].to_numpy(float), color=colour, alpha=0.1, linewidth=0
        )
    axes.plot(units, values, color=canvas.INK, linewidth=1.6)
    axes.plot(units[-1:], values[-1:], color=canvas.INK, marker="o", markersize=5)
    axes.axhline(0, color=canvas.PALE, linewidth=1)
    axes.set_ylim(*_late_limits(rows))
    axes.yaxis.set_major_locator(MaxNLocator(7))
    unit = f"in {measure.difference}" if measure.share else f"({measure.difference})"
    canvas.name_axes(axes, "units played (logarithmic)", f"difference {unit}", AWAY)
    last = rows.iloc[-1]
    turned = "first against second" if measure.net and len(results.labels) == 2 else "first minus second"
    texts = [
        f"{turned}: {_signed(last['difference'], 2)}",
        f"fixed number of units, 95 %: {_ends(last['low'], last['high'])}",
        f"valid at every look, {100 * (1 - results.alpha):g} %: "
        + _ends(last["anytime_low"], last["anytime_high"]),
    ]
    lines = [(canvas.INK, "-"), *((colour, dash) for _, _, colour, dash in bands)]
    _running_key(figure, lines, texts, rows)
    return figure


def _ends(low: float, high: float) -> str:
    if not math.isfinite(low + high):
        return "too few units"
    return f"{_signed(low, 2)} to {_signed(high, 2)}"


def _running_key(figure: Figure, lines: list[tuple[Any, Any]], texts: list[str], rows: pd.DataFrame) -> None:
    """Who is compared, and a legend, below the plot."""
    top = canvas.HEADER + 0.1 + 3.5 + 0.62
    handles = [Line2D([], [], color=colour, linestyle=dash, linewidth=1.5) for colour, dash in lines]
    canvas.place_legend(figure, handles, texts, LEFT, top, handlelength=3.2)
    half = (SHEET - LEFT - RIGHT) / 2
    pair = [str(rows[column].iloc[0]) for column in ("strategy", "opponent")]
    below = top + len(texts) * LINE + 0.22
    for number, (role, name) in enumerate(
        zip(("first", "second"), canvas.fit_labels(pair, half - 0.7), strict=True)
    ):
        style = {"color": canvas.INK, "fontsize": canvas.BODY}
        canvas.write(figure, LEFT + number * half, below, f"{role}: {name}", **style)


def _late_limits(rows: pd.DataFrame) -> tuple[float, float]:
    """Limits that show every difference and 0, and the bands but for those of the first part of the way."""
    units = rows["units"].to_numpy(float)
    late = rows[units >= np.quantile(units, 0.4)]
    bands = late[BANDS].to_numpy(float).ravel()
    values = np.concatenate([late["difference"].to_numpy(float), bands, [0.0]])
    values = values[np.isfinite(values)]
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


@canvas.plain
def evidence(results: "Results") -> Figure:
    """The path of the sequential test (`running`): evidence against no difference, and the threshold.

    A path far above the threshold is cut off, since it would press all else flat; its last value is in the
    key. Before the first look that has an anytime interval the test concludes nothing: that part is grey.
    """
    note = "shown only, the length was fixed beforehand"
    if results.until_sure:
        note = "the run ended when this sufficed, or at its most games"
    figure, axes, rows = _running_sheet(results, "The evidence that the two differ", 2, f"; {note}")
    threshold = math.log10(1 / results.alpha)
    values = rows["evidence"].to_numpy(float)
    known, units = np.isfinite(values), rows["units"].to_numpy(float)
    tested = known & np.isfinite(rows["anytime_low"].to_numpy(float))
    axes.axhline(threshold, color=canvas.COLOURS[2], linestyle=(0, (5, 2)), linewidth=1.3)
    axes.axhline(0, color=canvas.PALE, linewidth=0.8)
    axes.plot(units[known], values[known], color=canvas.INK, linewidth=1.5, marker="o", markersize=3.5)
    start = units[tested][0] if tested.any() else units[-1]
    axes.axvspan(axes.get_xlim()[0], start, color="#f0f0f0", linewidth=0, zorder=0, gid="too early")
    top, bottom = min(3 * threshold, max([threshold, *values[known]])), min([0.0, *values[known]])
    axes.set_ylim(bottom - 0.06 * (top - bottom), top + 0.06 * (top - bottom))
    axes.yaxis.set_major_locator(MaxNLocator(7))
    canvas.name_axes(axes, "units played (logarithmic)", "evidence (log10 of the e-value)", AWAY)
    enough = units[tested & (values >= threshold)]
    if len(enough):
        style: dict[str, Any] = {"marker": "D", "markersize": 8, "linestyle": "none", "gid": "enough"}
        axes.plot(enough[:1], [threshold], color=canvas.COLOURS[2], **style)
    when = f"first at the look of {enough[0]:,.0f} units (diamond)" if len(enough) else "not reached"
    last = f"at the end {_signed(values[-1], 2)}" if known[-1] else "too few units"
    texts = [
        f"evidence, {last}   (grey: too few units to conclude anything)",
        f"enough at error rate {results.alpha:g}: {_signed(threshold, 2)}, {when}",
    ]
    _running_key(figure, [(canvas.INK, "-"), (canvas.COLOURS[2], (0, (5, 2)))], texts, rows)
    return figure
