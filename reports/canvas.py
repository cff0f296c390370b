"""What all pictures share: paper, type, colours, labels that fit, and the way to PNG bytes.

Positions and sizes are inches from the top left corner of the paper, set by hand: matplotlib's layout
engines draw a picture several times over to find the same margins.
"""

import functools
import io
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import matplotlib
import matplotlib.font_manager as font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from reports.tables import played_at

if TYPE_CHECKING:
    from bridzik_sim.results import Results

P = ParamSpec("P")
R = TypeVar("R")

DPI = 110
TITLE, BODY, SMALL = 12.0, 9.0, 8.0
HEADER = 0.62
"""Inches that `header` takes at the top of a picture."""

FONT = "DejaVu Sans"
INK, PALE, RULE = "#222222", "#5f5f5f", "#dddddd"
# The palette of Okabe and Ito (2008), dark colours first; shapes and dashes tell the lines apart in grey.
COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#a0478a", "#56b4e9", "#b07d00")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.3)),
    (0, (6, 2, 1, 2)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (9, 3)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_FAMILIES = (
    *("agg.", "axes.", "figure.", "font.", "grid.", "hatch.", "image.", "legend.", "lines.", "markers."),
    *("mathtext.", "patch.", "path.", "savefig.", "text.", "xtick.", "ytick."),
)


@functools.cache
def _settings() -> Any:
    """Matplotlib's own defaults of all settings that a picture depends on."""
    defaults = matplotlib.rcParamsDefault
    chosen = {key: defaults[key] for key in defaults if key.startswith(_FAMILIES)}
    ticks = {"labelsize": SMALL, "color": PALE, "labelcolor": INK, "major.size": 3.0}
    return (
        chosen
        | {"font.family": [FONT], "font.size": BODY, "hatch.linewidth": 0.6, "hatch.color": "#8a8a8a"}
        | {"axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": PALE}
        | {"axes.labelsize": BODY, "axes.axisbelow": True, "grid.color": RULE, "grid.linewidth": 0.7}
        | {f"{axis}tick.{name}": value for axis in "xy" for name, value in ticks.items()}
    )


def plain(function: Callable[P, R]) -> Callable[P, R]:
    """Run `function` under matplotlib's defaults, whatever the user's own style; that style is put back."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        with matplotlib.rc_context(_settings()):
            return function(*args, **kwargs)

    return wrapped


@plain
def png(figure: Figure) -> bytes:
    """The picture as PNG bytes: the same picture gives the same bytes (no dates, no versions inside)."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def paper(width: float, height: float) -> Figure:
    """An empty white picture of `width` x `height` inches that belongs to no window and no list."""
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes at that place, in inches from the top left corner, in the style of all pictures."""
    wide, high = figure.get_size_inches()
    return figure.add_axes((left / wide, 1 - (top + height) / high, width / wide, height / high))


def write(figure: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Plain text (never mathematics) whose base line starts at that place, in inches from the top left."""
    wide, high = figure.get_size_inches()
    usual: dict[str, Any] = {"fontsize": SMALL, "color": PALE, "va": "baseline"}
    figure.text(left / wide, 1 - top / high, text, parse_math=False, **usual | style)


def header(figure: Figure, what: str, results: "Results", note: str = "") -> None:
    """The title of a picture: what it shows, and below it what was played, how often, and a note."""
    wide = figure.get_size_inches()[0]
    write(figure, 0.15, 0.28, fit(what, wide - 0.3, TITLE), fontsize=TITLE, color=INK)
    played = f"{played_at(results)}, {results.games:,} {'game' if results.games == 1 else 'games'}"
    write(figure, 0.15, 0.5, fit(played + note, wide - 0.3, BODY), fontsize=BODY)


def inches(axes: Axes) -> tuple[float, float]:
    """Width and height of the plot on paper."""
    return float(axes.bbox.width) / DPI, float(axes.bbox.height) / DPI


def name_axes(axes: Axes, across: str = "", upward: str = "", away: float = 0.5) -> None:
    """Names of the axes, the upright one `away` inches left of the plot.

    At set places: to find them from the ticks, matplotlib would lay out every tick label twice.
    """
    wide, high = inches(axes)
    axes.set_xlabel(across)
    axes.xaxis.set_label_coords(0.5, -0.27 / high)
    axes.set_ylabel(upward)
    axes.yaxis.set_label_coords(-away / wide, 0.5)


def name_panel(axes: Axes, text: str, pad: float = 5) -> None:
    """The name of a panel, `pad` points above its left end; plain text."""
    axes.set_title(text, fontsize=BODY, loc="left", color=INK, pad=pad, parse_math=False)


def place_legend(
    figure: Figure, handles: Sequence[Any], labels: Sequence[str], left: float, top: float, **style: Any
) -> Legend:
    """A legend on free paper, its top left corner in inches; the labels are plain text."""
    wide, high = figure.get_size_inches()
    legend = figure.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(left / wide, 1 - top / high),
        frameon=False,
        fontsize=BODY,
        borderaxespad=0.0,
        borderpad=0.0,
        **style,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    return legend


@functools.cache
def _glyphs() -> frozenset[int]:
    path = font_manager.findfont(font_manager.FontProperties(family=[FONT]))
    return frozenset(font_manager.get_font(path).get_charmap())


def _width(text: str, size: float) -> float:
    """The width of `text` in inches at `size` points."""
    properties = font_manager.FontProperties(family=[FONT], size=size)
    drawn = 1.04  # hinting moves the letters of small text apart
    return drawn * float(text_to_path.get_text_width_height_descent(text, properties, False)[0]) / 72


def fit(text: str, inches: float, size: float = BODY) -> str:
    """`text` as it can be drawn within that width: shortened in the middle, unknown characters as "?"."""
    text = "".join(c if c.isprintable() and ord(c) in _glyphs() else "?" for c in text)
    if _width(text, size) <= inches:
        return text
    low, high = 0, len(text) - 1
    while low < high:
        kept = (low + high + 1) // 2
        low, high = (kept, high) if _width(_middle(text, kept), size) <= inches else (low, kept - 1)
    return _middle(text, low)


def _middle(text: str, kept: int) -> str:
    tail = kept // 2
    return text[: kept - tail] + "…" + text[len(text) - tail :]


def fit_labels(labels: Iterable[str], inches: float, size: float = BODY, ending: str = "") -> list[str]:
    """The labels shortened to that width, with room for `ending`, and still all different."""
    room = inches - _width(ending, size)
    shortened: list[str] = []
    for label in labels:
        short, number = fit(label, room, size), 1
        while short in shortened:
            number += 1
            mark = f" ({number})"
            short = fit(label, room - _width(mark, size), size) + mark
        shortened.append(short)
    return shortened


def whole_ticks(values: Sequence[int], most: int) -> list[int]:
    """At most about `most` of the whole numbers from the smallest to the largest value, evenly spaced."""
    first, last = min(values), max(values)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if (last - first) // s < most or s == 100)
    return [v for v in range(first, last + 1) if v % step == 0 or step == 1]


def units_axis(axes: Axes, ticks: Sequence[float]) -> None:
    """A logarithmic axis across of numbers of units, with ticks at these; millions are written short."""
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda units, _: _short(units)))


def _short(number: float) -> str:
    return f"{number / 1e6:,.0f} M" if number >= 1e6 else f"{number:,.0f}"


def percent_axis(axis: Any, ticks: Sequence[float]) -> None:
    """Ticks at these shares, written as whole per cents."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))


def ordinal(position: int, positions: int) -> str:
    """The name of a place in the bidding order, counted from 0."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    last = ", last" if position == positions - 1 and positions > 1 else ""
    return f"{position + 1}{endings.get(position + 1, 'th')} bidder{last}"
