"""Numbers as a person reads them, shared by pages and terminals."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from bridzik_sim.results import Results

DASH = "–"
SHARES = frozenset(
    {"rate", "low", "high", "exact", "wins", "ceiling", "rounds_won", "exits"}
    | {"declared", "made", "passed_out"}
)
"""Columns whose values are shares from 0 to 1; so are their ends, `_low` and `_high`."""
POINTS = frozenset({"below", "above", "par", "auction_lost", "play_lost"})
"""Columns of points, besides those whose names say so."""
PLAIN_WHOLE = frozenset({"seed", "run"})
"""Columns whose whole numbers are names, not quantities: no separators."""

HEADINGS = {
    "run": "run",
    "strategy": "strategy",
    "seat_games": "seat-games",
    "points_se": "std. error",
    "wins_se": "std. error",
    "wins": "wins",
    "exact": "exact bids",
    "bid": "mean bid",
    "tricks": "mean tricks",
    "illegal": "illegal answers",
    "raised": "exceptions",
    "timeout": "time-outs",
    "hand_size": "hand size",
    "kind": "kind of deal",
    "lost_points": "points a lost round",
    "exits": "exits",
    "resets": "resets a game",
    "turns": "turns a round",
    "median": "median turns",
    "p99": "99th percentile",
    "points_per_loser": "points a loser",
    "imps": "IMPs a board",
    "imps_se": "std. error",
    "declared": "declares",
    "made": "contracts made",
    "over": "tricks over",
    "below": "below the line",
    "above": "above the line",
    "auction_lost": "lost in the auction",
    "play_lost": "lost in the play",
}


def format_value(column_name: str, value: Any) -> str:
    """One value of a table as text.

    Whole numbers get thousands separators; shares (`SHARES`) are per cents with one decimal; points have one
    decimal, ratings none, other fractions two; a standard error has two. What is not a number is a dash,
    other text itself.
    """
    share = _is_share(column_name)
    if value is None or str(value) in ("NaT", "<NA>"):  # what pandas writes for a missing value
        return DASH
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return str(value)
    if isinstance(value, numbers.Integral) and not share:
        return str(int(value)) if column_name in PLAIN_WHOLE else f"{int(value):,}"
    number = float(value)
    if math.isnan(number):
        return DASH
    error = column_name.endswith("_se")
    if share:
        return f"{_rounded(100 * number, 2 if error else 1)} %"
    if column_name.startswith("rating"):
        return _rounded(number, 0)
    points = column_name.startswith("points") or column_name in POINTS
    return _rounded(number, 1 if points and not error else 2)


def measure_digits(results: Results) -> int:
    """Decimals of a value or a difference of the measure that is told without its interval."""
    measure = results.measure
    return 1 if measure.share or measure.column == "points" else 2


def told(results: Results) -> str:
    """What the measure is called at the head of a column of entrants."""
    return results.measure.name.removesuffix(" and seat")


def beside(results: Results) -> tuple[str, str]:
    """What is told of one seat besides the measure: a column of the cross-table, and its name."""
    if results.measure.share:
        return "points", "points a game"
    return ("exact", "exact bids") if "exact" in results.crosstable else ("wins", "share of games won")


def capital(text: str) -> str:
    """The text with its first letter large, and all others as they are."""
    return text[:1].upper() + text[1:]


def _is_share(column_name: str) -> bool:
    return column_name in SHARES or column_name.rpartition("_")[0] in SHARES


def _rounded(number: float, digits: int) -> str:
    """A fixed number of digits; never a minus sign before nothing but zeros."""
    text = f"{number:,.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def format_interval(column_name: str, low: Any, high: Any) -> str:
    """An interval of values of that column, one dash if either end is not a number."""
    ends = [format_value(column_name, end) for end in (low, high)]
    if DASH in ends:
        return DASH
    if _is_share(column_name):
        ends[0] = ends[0].removesuffix(" %")
    return f"{ends[0]} to {ends[1]}"


def heading(column_name: str) -> str:
    """The heading of a column: words instead of the name in the file."""
    return HEADINGS.get(column_name, column_name.replace("_", " "))


@dataclass(frozen=True)
class Readable:
    """A table as text: headings, rows of cells in the same order, and which columns hold numbers."""

    headings: list[str]
    rows: list[list[str]]
    numeric: list[bool]


def readable(frame: pd.DataFrame) -> Readable:
    """Format a table; `x_low` and `x_high` become one column, the 95 % interval of `x`, after `x`."""
    columns = [str(name) for name in frame.columns]
    whole = {f"{name}{end}" for name in columns for end in ("_low", "_high") if _has_interval(name, columns)}
    result = Readable([], [[] for _ in range(len(frame))], [])
    for name in columns:
        if name in whole:
            continue
        values = frame[name].tolist()
        _add(result, heading(name), [format_value(name, value) for value in values], _numeric(frame[name]))
        if _has_interval(name, columns):
            ends = zip(frame[f"{name}_low"].tolist(), frame[f"{name}_high"].tolist(), strict=True)
            _add(result, "95 % interval", [format_interval(name, low, high) for low, high in ends], True)
    return result


def _has_interval(name: str, columns: Sequence[str]) -> bool:
    return f"{name}_low" in columns and f"{name}_high" in columns


def _numeric(column: pd.Series[Any]) -> bool:
    return column.dtype.kind in "iufb" and column.name != "run"


def _add(table: Readable, name: str, cells: Sequence[str], numeric: bool) -> None:
    table.headings.append(name)
    table.numeric.append(numeric)
    for row, cell in zip(table.rows, cells, strict=True):
        row.append(cell)


def played_at(results: Results) -> str:
    """The game, and the number of players where it has tables of several sizes."""
    several = len(results.experiment.game.seat_counts) > 1
    return f"{results.title} for {results.experiment.at_table} players" if several else results.title


def run_names(results: Sequence[Results], names: Sequence[str] | None = None) -> list[str]:
    """One name a run: the given ones, or 1, 2, 3 …; raises ValueError when their number is wrong."""
    if names is None:
        return [str(number) for number in range(1, len(results) + 1)]
    if len(names) != len(results):
        raise ValueError(f"{len(results)} runs need as many names, not {len(names)}")
    return list(names)


def compare_runs(results: Sequence[Results], names: Sequence[str] | None = None) -> pd.DataFrame:
    """The standings of several runs in one table: `run`, `games`, then the columns of their summaries.

    Rows keep their order within a run. A column that only some runs have is empty (NaN) for the others.
    """
    parts = []
    for run, one in zip(run_names(results, names), results, strict=True):
        part = one.summary.copy()
        part.insert(0, "run", run)
        part.insert(1, "games", one.games)
        parts.append(part)
    import pandas as pd  # here: the terminal formats values without it

    if not parts:
        return pd.DataFrame(columns=["run", "games"])
    names = list(dict.fromkeys(str(name) for part in parts for name in part.columns))
    kept = sorted(names, key=lambda name: names.index(_whose(name, names)))  # an interval follows its value
    return pd.concat(parts, ignore_index=True)[kept]


def _whose(name: str, names: Sequence[str]) -> str:
    """The column that an error or an end of an interval belongs to; of others the column itself."""
    base, _, end = name.rpartition("_")
    return base if end in ("se", "low", "high") and base in names else name


def one_seat(results: Results) -> bool:
    """Whether everyone sat in one seat in turn, so that leaderboard and cross-table are of that seat."""
    return "others" in results.crosstable


def standings_frame(results: Results) -> pd.DataFrame:
    """The summary in the order of the leaderboard, in tournaments with the ratings after the wins.

    Where everyone sits in one seat, the leaderboard itself.
    """
    board = results.leaderboard
    if one_seat(results):  # the summary is of all seats
        return board.drop(columns=["rank", *(name for name in board.columns if name.endswith("_se"))])
    table = board[["strategy"]].merge(results.summary, on="strategy")
    after = max(number for number, name in enumerate(table.columns, start=1) if name.startswith("wins"))
    for name in ("rating_high", "rating_low", "rating"):
        if name in board:
            table.insert(after, name, board[name])
    return table


def pairs_table(results: Results) -> Readable:
    """The cross-table as a list: a row a pair, with intervals and in words that a reader knows."""
    headings = ["strategy", "opponent", "difference", "95 % interval", "ahead", "won, tied, lost"]
    table = Readable([*headings, "p (Holm)", "gain"], [], [False] * 2 + [True] * 6)
    scale = results.measure.scale
    for row in results.crosstable.to_dict("records"):
        lead, low, high = (scale * row[name] for name in ("difference", "low", "high"))
        table.rows.append(
            [
                str(row["strategy"]),
                str(row["opponent"]),
                format_value("difference", lead),
                format_interval("difference", low, high),
                format_value("rate", row["superiority"]),
                " / ".join(f"{int(row[name]):,}" for name in ("wins", "ties", "losses")),
                chance(row["p_holm"]),
                DASH if math.isnan(row["gain"]) else f"{row['gain']:.2f} ×",
            ]
        )
    return table


def set_apart(results: Results) -> tuple[str, str, str]:
    """``in``, ``seat``, ``all others``: words for where one sits apart, and for where the others do then."""
    experiment = results.experiment
    others = "the other" if (experiment.game.sides or experiment.at_table) == 2 else "all others"
    return ("on", "side", others) if experiment.game.sides else ("in", "seat", others)


def ladder_table(results: Results) -> Readable:
    """The cross-table where everyone sits in one seat: a row a pair, in words that a reader knows."""
    frame, measure = results.crosstable, results.measure
    name, (second, more) = measure.column, beside(results)
    what = "wins" if measure.share else measure.name if measure.net else "points"
    more = "points of the one" if measure.share else more
    _, place, others = set_apart(results)
    headings = [f"one {place}", others, "games", f"{what} of the one", "95 % interval", more]
    table = Readable(
        [*headings, f"{what} of the others", "difference", "95 % interval"], [], [False] * 2 + [True] * 7
    )
    for row in frame.to_dict("records"):
        table.rows.append(
            [
                str(row["strategy"]),
                str(row["opponent"]),
                format_value("games", row["games"]),
                format_value(name, row[name]),
                format_interval(name, row[f"{name}_low"], row[f"{name}_high"]),
                format_value(second, row[second]),
                format_value(name, row["others"]),
                *_told_difference(name, row, measure.scale),
            ]
        )
    return table


def _told_difference(name: str, row: dict[Any, Any], scale: int) -> tuple[str, str]:
    """A difference of the column `name` and its interval, shares in percentage points."""
    name = name if scale == 1 else "difference"
    value, low, high = (scale * row[column] for column in ("difference", "low", "high"))
    return format_value(name, value), format_interval(name, low, high)


def chance(p: float) -> str:
    """A p-value: three decimals, or that it is smaller than they can tell."""
    return DASH if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def accuracy_table(results: Results) -> Readable:
    """Rates of exact bids with their intervals: rows by entrant and hand size, columns by place.

    The last rows are the means of the whole table; where the rules set them a ceiling, it is in their names.
    """
    cells, whole = results.accuracy, results.table_accuracy
    places = sorted({int(position) for position in cells["position"]})
    columns = [_place(position) for position in places]
    headings = ["strategy", "hand size", *columns, "all places"]
    table = Readable(headings, [], [False] + [True] * (len(places) + 2))
    for label in results.labels:
        own = cells[cells["strategy"] == label]
        for size, group in own.sort_values("hand_size").groupby("hand_size"):
            by_place = {int(row["position"]): _rate(row) for row in group.to_dict("records")}
            total = (
                float(group["hits"].sum()) / float(group["bids"].sum()) if group["bids"].sum() else math.nan
            )
            rates = [by_place.get(position, DASH) for position in places]
            table.rows.append([label, f"{size}", *rates, format_value("rate", total)])
    for row in whole.sort_values("hand_size").to_dict("records"):
        bounded = row["ceiling"] < 1
        name = f"whole table, at most {format_value('ceiling', row['ceiling'])}" if bounded else "whole table"
        table.rows.append([name, f"{row['hand_size']}", *[""] * len(places), _rate(row)])
    return table


def _rate(row: Any) -> str:
    interval = format_interval("rate", row["low"], row["high"])
    return format_value("rate", row["rate"]) + (f" ({interval})" if interval != DASH else "")


def _place(position: int) -> str:
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    return f"bids {names[position] if position < len(names) else f'{position + 1}th'}"
