"""Progress of a run on stderr.

On a terminal a live display: a bar, speed, time left and the running standings. Elsewhere a plain line about
every ten seconds. Nothing when asked to be quiet.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cli import output

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

    from bridzik_sim.results import Results

LINE_SECONDS = 10.0
LIVE_SECONDS = 0.5
SHOWN = 10
"""The most entrants whose standing is shown meanwhile."""
SHARE = 0.01
"""Share of the time that forming the running standings may take."""
STARTING = "getting ready"


class Progress:
    """Shows how a run goes on; ``tick`` is what ``bridzik_sim.api`` calls. Use as a context manager."""

    def __init__(self, quiet: bool = False) -> None:
        self.games_here = 0
        """Games played in this call."""
        self.results: Results | None = None
        """What is finished so far."""
        self._quiet = quiet
        self._live: Live | None = None
        self._next: float | None = None

    def __enter__(self) -> Self:
        if not self._quiet and _is_live():
            self._live = _start_live()
            self._next = 0.0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def tick(self, results: Results | None, units: int, seconds: float) -> None:
        """Take in the results so far, the units done in this call and the seconds it took."""
        self.results = results
        if results is None or not units:
            return
        self.games_here = units * results.games // results.units
        began = time.monotonic()
        if self._next is None:
            self._next = began + LINE_SECONDS
        if self._quiet or began < self._next:
            return
        if self._live is None:
            output.note(line(results, self.games_here / seconds))
        else:
            self._live.update(_display(self._live.console, results, self.games_here / seconds))
        ended = time.monotonic()
        every = LINE_SECONDS if self._live is None else LIVE_SECONDS
        self._next = ended + max(every, (ended - began) / SHARE)


@contextlib.contextmanager
def stage(text: str, quiet: bool = False) -> Iterator[None]:
    """Say on a terminal what is going on inside the block."""
    if quiet or not _is_live():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield


def _is_live() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def line(results: Results, games_a_second: float) -> str:
    """One plain line: games done, speed, time left and how it stands."""
    stand = between(results) if results.kind == "compare" else _stands(results)
    return f"{_done(results)}, {_pace(results, games_a_second)}; {stand}"


def _stands(results: Results) -> str:
    from reports.tables import format_value

    name = results.measure.column
    return ", ".join(f"{row['strategy']} {format_value(name, row[name])}" for row in _leading(results))


def between(results: Results) -> str:
    """How a comparison stands: the difference, with the interval that holds at every look if one looks."""
    from bridzik_sim.comparison import in_words
    from cli.compare import interval
    from cli.standings import difference
    from reports.tables import measure_digits

    found, measure = results.comparison, results.measure
    pair = in_words(results.experiment)
    if results.until_sure:
        value = f"{measure.scale * found['difference']:,.{measure_digits(results)}f}"
        return f"{pair} {value}, {interval(results)}"
    return f"{pair} {difference(results, found)}"


def _leading(results: Results) -> list[dict[str, Any]]:
    """The standings; of a tournament the best ones, best first."""
    if results.kind != "tournament":
        return results.standings
    from cli.standings import best_first

    return best_first(results)[:SHOWN]


def _done(results: Results) -> str:
    most = "at most " if results.until_sure else ""
    return f"{results.games:,} of {most}{results.experiment.games:,} games"


def _pace(results: Results, games_a_second: float) -> str:
    left = (results.experiment.games - results.games) / games_a_second
    speed = f"{games_a_second:,.0f}" if games_a_second >= 10 else f"{games_a_second:.2g}"
    return f"{speed} games/s, {duration(left)} left"


def duration(seconds: float) -> str:
    """``19 s``, ``4 min 10 s`` or ``3 h 20 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"


def _start_live() -> Live:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from bridzik_sim import notices

    live = Live(
        Text(STARTING, style="dim"),
        console=Console(stderr=True, highlight=False),
        refresh_per_second=4,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    live.start()
    notices.listener = lambda text: live.update(Text(text, style="dim"))
    return live


def _display(console: Console, results: Results, games_a_second: float) -> RenderableType:
    """The bar with its figures, and the running standings below."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    from cli.standings import measure, share_with_reach
    from reports.tables import told

    total, done = results.experiment.games, results.games
    texts = [f"{100 * done // total} %", _done(results), _pace(results, games_a_second)]
    left = console.width - sum(len(text) + 2 for text in texts) - 1
    head = Table.grid(padding=(0, 2, 0, 0))
    head.add_row(ProgressBar(total, done, width=max(4, min(40, left))), *[Text(text) for text in texts])
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("strategy")
    table.add_column(told(results), justify="right")
    exact = "exact" in results.standings[0]
    if exact:
        table.add_column("exact bids", justify="right")
    for row in _leading(results):
        hits = [share_with_reach(row["exact"], row["exact_low"], row["exact_high"])] if exact else []
        table.add_row(*(Text(text) for text in (row["strategy"], measure(results, row), *hits)))
    if results.kind == "compare":
        return Group(head, table, Text(between(results)))
    return Group(head, table)
