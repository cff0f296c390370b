"""The pictures of a run: their registry, and drawing them as PNG.

Importing this module imports matplotlib; a program that draws nothing should not import it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from reports.bid_pictures import accuracy, bids_tricks
from reports.canvas import png
from reports.contract_pictures import contracts, gains, imps, levels, par, sheet
from reports.match_pictures import crosstable, difference, evidence, ladder, leaderboard, wins
from reports.place_pictures import calibration, deal_kinds, ecdf, effects, points_by_size
from reports.point_pictures import convergence, over_under, scores
from reports.round_pictures import finishes, lengths, openings, places, rubbers, seats, turns
from reports.tables import capital, told

if TYPE_CHECKING:
    from bridzik_sim.results import Results

__all__ = [
    "CHARTS",
    "Chart",
    "accuracy",
    "bids_tricks",
    "calibration",
    "charts_of",
    "contracts",
    "convergence",
    "crosstable",
    "deal_kinds",
    "difference",
    "draw",
    "ecdf",
    "effects",
    "evidence",
    "finishes",
    "gains",
    "imps",
    "leaderboard",
    "lengths",
    "levels",
    "openings",
    "over_under",
    "par",
    "places",
    "points_by_size",
    "rubbers",
    "scores",
    "seats",
    "sheet",
    "turns",
    "wins",
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
    fewest: int = 1
    """Rows of its first table without which it shows nothing."""
    column: str = ""
    """A column that its first table must have, where not all tables of that name are alike."""
    of_shares: str = ""
    """The caption where the measure of the game is a share, if it is another one."""
    of_net: str = ""
    """The caption where it is a net measure, if it is another one; {measure}, {Measure}: its name."""

    def caption_for(self, results: "Results") -> str:
        """The caption under the picture of these results."""
        measure = results.measure
        caption = (measure.share and self.of_shares) or (measure.net and self.of_net) or self.caption
        name = told(results)
        return caption.replace("{measure}", name).replace("{Measure}", capital(name))


CHARTS: dict[str, Chart] = {
    "leaderboard": Chart(
        leaderboard,
        "Leaderboard",
        "Points a game and seat from best to worst with 95 % intervals; in tournaments also ratings on Elo's "
        "scale, with intervals from leaving out blocks of units.",
        "leaderboard.csv",
        ("leaderboard",),
        of_net="{Measure} from best to worst with 95 % intervals; beside IMPs the net points; in tournaments "
        "instead ratings on Elo's scale, with intervals from leaving out blocks of units.",
        of_shares="Share of games won from best to worst with 95 % intervals; beside it the points at the "
        "end of a game, or where there are such, ratings on Elo's scale, with intervals from leaving out "
        "blocks of units.",
    ),
    "wins": Chart(
        wins,
        "Games won",
        "Share of games won a seat, ties shared, with 95 % intervals; the dashed line is the share of each "
        "seat at a table where all are alike.",
        "wins.csv",
        ("wins",),
        fewest=2,
        of_net="Share of games in which a strategy's side had more than the other, ties half, with 95 % "
        "intervals; the dashed line is the share where both are alike.",
    ),
    "crosstable": Chart(
        crosstable,
        "Cross-table",
        "Row against column on the same deals: the difference in points a game and seat, and the share of "
        "common tables at which the row was ahead; stars where Holm's p is below 0.05.",
        "crosstable.csv",
        ("crosstable",),
        fewest=3,
        column="superiority",
        of_net="Row against column on the same deals: what the row had more in {measure}, and the share of "
        "common tables at which it was ahead; stars where Holm's p is below 0.05.",
        of_shares="Row against column on the same deals: the difference in the share of games won, in "
        "percentage points, and the share of common tables at which the row won more; stars where Holm's p "
        "is below 0.05.",
    ),
    "ladder": Chart(
        ladder,
        "One seat against the others",
        "Points a game of the row's entrant in one seat, in all of them in turn, with the column's in all "
        "others on the same deals, and its share of exact bids; last, the entrant among its own. Darker is "
        "more points.",
        "crosstable.csv",
        ("crosstable",),
        column="others",
        of_net="{Measure} of the row's entrant on one side, both in turn, with the column's on the other on "
        "the same deals, and its share of games won, ties half; last, the entrant against itself. Darker is "
        "more.",
        of_shares="Share of games won by the row's entrant in one seat, in all of them in turn, with the "
        "column's in all others on the same deals, and its points a game; last, the entrant among its own. "
        "Darker is more games won.",
    ),
    "difference": Chart(
        difference,
        "Difference",
        "Running difference of the two with the 95 % band for a number of units fixed beforehand and the "
        "wider one that holds at every look; the widest bands of the first units are cut off.",
        "running.csv",
        ("running",),
        fewest=2,
    ),
    "evidence": Chart(
        evidence,
        "Sequential test",
        "Path of the evidence against no difference at the looks of the fixed schedule; above the dashed "
        "line it suffices, however often one has looked, but for the grey part with too few units. A path "
        "far above the line is cut off.",
        "running.csv",
        ("running",),
        fewest=2,
    ),
    "accuracy": Chart(
        accuracy,
        "Exact bids",
        "Share of exact bids by hand size and place in the bidding with 95 % intervals; a ceiling "
        "bounds the mean of the whole table where the last bid may not make all bids of a round exact.",
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
    "calibration": Chart(
        calibration,
        "Calibration of bids",
        "Mean tricks that followed each bid with 95 % intervals; on the dotted line bids come true on "
        "average. Open dots: fewer than 30 bids.",
        "calibration.csv",
        ("calibration",),
    ),
    "scores": Chart(
        scores,
        "Points in a game",
        "Distribution of the points in a game for each strategy, with the means marked on the lines.",
        "scores.csv",
        ("scores",),
        of_net="Distribution of the net points of a game, what a side had more than the other, for each "
        "strategy, with the means marked on the lines; points beyond the ends of the scale count there.",
        of_shares="Distribution of the points at the end of a game for each strategy, with the means marked "
        "on the lines; fewer are better, and who has more than the limit is out.",
    ),
    "ecdf": Chart(
        ecdf,
        "Points in a game, cumulated",
        "Share of games with at most so many points for each strategy, with the medians marked.",
        "scores.csv",
        ("scores",),
    ),
    "effects": Chart(
        effects,
        "Seat and starter",
        "Mean points by seat and by place in the bidding (1 is the starter) with 95 % intervals over units.",
        "effects.csv",
        ("effects",),
        column="points",
    ),
    "seats": Chart(
        seats,
        "Seat and place after the dealer",
        "Share of games won by seat, and of rounds won by place after the dealer (1 begins, 0 in the table), "
        "all still in, with 95 % intervals; the dashed lines are the shares where all are alike.",
        "effects.csv",
        ("effects",),
        column="won",
    ),
    "openings": Chart(
        openings,
        "Opening cards",
        "What the card that is opened first does: share of rounds won and points a round by place after the "
        "dealer (1 begins, 0 in the table) in rounds in which all are still in, with 95 % intervals.",
        "openings.csv",
        ("openings",),
    ),
    "places": Chart(
        places,
        "Places",
        "Share of games that a strategy ended in each place; who goes out in the same round shares the "
        "better place.",
        "places.csv",
        ("places",),
        fewest=2,
    ),
    "finishes": Chart(
        finishes,
        "Finishing cards",
        "The cards with which rounds were won, as shares of the rounds a strategy won; queens, which take "
        "points off, stand last.",
        "finishes.csv",
        ("finishes",),
    ),
    "turns": Chart(
        turns,
        "Turns of a round",
        "How long rounds are by the number of players in them: on the left up to the 99th percentile, on "
        "the right the share of rounds that are longer, down to the rarest.",
        "turns.csv",
        ("turns", "rounds"),
    ),
    "lengths": Chart(
        lengths,
        "Rounds of a game",
        "How many rounds games have: on the left up to the 99th percentile, on the right the share of games "
        "that have more, down to the rarest.",
        "lengths.csv",
        ("lengths",),
        column="rounds",
    ),
    "contracts": Chart(
        contracts,
        "Contracts and tricks",
        "How many tricks a strategy's contracts ended with: a row a contract, its shares darker where they "
        "are more and its deals counted beside it; right of the line it was made. Doubled contracts apart.",
        "contracts.csv",
        ("contracts",),
    ),
    "levels": Chart(
        levels,
        "Contracts made",
        "Share of a strategy's contracts that were made, and mean tricks above them, by level with 95 % "
        "intervals over units (left out where there are more than six strategies).",
        "levels.csv",
        ("levels",),
    ),
    "gains": Chart(
        gains,
        "Gains of declarers and defenders",
        "Net points a deal of a strategy's side in the deals in which it declared, and in which it defended, "
        "all that the deal wrote included, with 95 % intervals over units.",
        "gains.csv",
        ("gains",),
    ),
    "sheet": Chart(
        sheet,
        "Below and above the line",
        "Points a rubber that a strategy's side wrote below and above the line, with 95 % intervals over "
        "units.",
        "sheet.csv",
        ("sheet",),
    ),
    "rubbers": Chart(
        rubbers,
        "Length of rubbers",
        "How many deals rubbers have, those that were passed out included: on the left up to the 99th "
        "percentile, on the right the share of rubbers that have more, down to the rarest.",
        "lengths.csv",
        ("lengths", "endings"),
        column="deals",
    ),
    "imps": Chart(
        imps,
        "IMPs of a board",
        "How far the two tables of a board were apart, in IMPs of the first of a pair; above each plot the "
        "mean with its 95 % interval over boards.",
        "imps.csv",
        ("imps",),
    ),
    "par": Chart(
        par,
        "Where points come from",
        "Net points a deal: the par of the cards after the draw phase, what a strategy's own calls and cards "
        "then lost, what its opponent lost, and their sum; 95 % intervals over units.",
        "par.csv",
        ("par",),
    ),
    "points_by_size": Chart(
        points_by_size,
        "Points by hand size",
        "Mean points a round by the number of cards dealt, with 95 % intervals over units.",
        "effects.csv",
        ("effects",),
        column="points",
    ),
    "deal_kinds": Chart(
        deal_kinds,
        "Kinds of deals",
        "What the turned-up card does: mean points a round and share of exact bids with 95 % intervals. The "
        "last round is also the one with most cards, so that its difference is not that of the trump alone.",
        "deal_kinds.csv",
        ("deal_kinds",),
        fewest=2,
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
        of_net="Running mean of {measure} with its 95 % band as the units add up; the widest bands of the "
        "first units are cut off.",
        of_shares="Running share of games won with its 95 % band as the units add up; the widest bands of "
        "the first units are cut off.",
    ),
}


def charts_of(results: "Results") -> dict[str, Chart]:
    """The charts that these results have the tables for; a table that is missing or empty has no picture."""

    def rows(name: str) -> int:
        frame = getattr(results, name, None)
        return 0 if frame is None else len(frame)

    return {
        name: chart
        for name, chart in CHARTS.items()
        if all(rows(frame) for frame in chart.frames)
        and rows(chart.frames[0]) >= chart.fewest
        and (not chart.column or chart.column in getattr(results, chart.frames[0]))
    }


def draw(results: "Results") -> dict[str, bytes]:
    """All pictures of a run as PNG bytes by chart name; the same results give the same bytes."""
    return {name: png(chart.draw(results)) for name, chart in charts_of(results).items()}
