"""The pictures of a run: their registry, and drawing them as PNG.

Importing this module imports matplotlib; a program that draws nothing should not import it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from reports.bid_pictures import accuracy, bids_tricks
from reports.canvas import png
from reports.point_pictures import convergence, over_under, scores

if TYPE_CHECKING:
    from bridzik_sim.results import Results

__all__ = [
    "CHARTS",
    "Chart",
    "accuracy",
    "bids_tricks",
    "charts_of",
    "convergence",
    "draw",
    "over_under",
    "scores",
]


@dataclass(frozen=True)
class Chart:
    """A picture of a run.

    `draw` makes it, `title` and the one sentence of `caption` explain it, `csv` is the file that holds the
    same numbers, `frames` names the tables of the results that it needs.
    """

    draw: Callable[["Results"], Figure]
    title: str
    caption: str
    csv: str
    frames: tuple[str, ...]


CHARTS: dict[str, Chart] = {
    "accuracy": Chart(
        accuracy,
        "Exact bids",
        "Share of exact bids by hand size and place in the bidding with 95 % intervals; the ceiling bounds "
        "the mean of the whole table, because the last bid may not make all bids of a round exact.",
        "accuracy.csv",
        ("accuracy", "table_accuracy"),
    ),
    "bids_tricks": Chart(
        bids_tricks,
        "Bids and tricks",
        "How many tricks followed each bid, all hand sizes together: the per cents of a row add up to 100, "
        "and the boxed diagonal holds the exact bids.",
        "bids.csv",
        ("bids",),
    ),
    "scores": Chart(
        scores,
        "Points in a game",
        "Distribution of the points in a game for each strategy, with the means marked on the lines.",
        "scores.csv",
        ("scores",),
    ),
    "over_under": Chart(
        over_under,
        "Over- and underbidding",
        "How far the bids of a round add up to more or less than its tricks, by hand size; each row of bars "
        "has its own scale, given by the share at its tallest bar.",
        "table.csv",
        ("table", "table_accuracy"),
    ),
    "convergence": Chart(
        convergence,
        "Convergence",
        "Running mean of points a game and seat with its 95 % band as the units add up; the widest bands "
        "of the first units are cut off.",
        "convergence.csv",
        ("convergence",),
    ),
}


def charts_of(results: "Results") -> dict[str, Chart]:
    """The charts that these results have the tables for; a table that is missing or empty has no picture."""

    def filled(name: str) -> bool:
        frame = getattr(results, name, None)
        return frame is not None and len(frame) > 0

    return {name: chart for name, chart in CHARTS.items() if all(filled(frame) for frame in chart.frames)}


def draw(results: "Results") -> dict[str, bytes]:
    """All pictures of a run as PNG bytes by chart name; the same results give the same bytes."""
    return {name: png(chart.draw(results)) for name, chart in charts_of(results).items()}
