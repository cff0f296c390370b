"""Experiment -> chunks -> executor -> journal -> results.

Chunks are cut at the schedule of unit counts, so that each belongs to one segment of the running figures, and
are sized to the seconds that the executor likes. Neither shows in the result: counts are integers and add in
any order.
"""

from __future__ import annotations

import contextlib
import itertools
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from types import FrameType

import numpy as np

from bridzik_sim import tally
from bridzik_sim.errors import Interrupted, StrategyFaultError, UsageError
from bridzik_sim.executors import Executor
from bridzik_sim.experiment import Experiment
from bridzik_sim.play import Played
from bridzik_sim.tally import SCHEDULE, Counts

MAX_CHUNK = 1 << 20
MAX_CHUNK_ROWS = 1 << 17
RUNNING = ("total", "product", "leads")
"""Sums that are kept by segment of the schedule, for running means and tests."""
LOOK_SECONDS = 0.2
"""The longest wait at a time: on some systems Ctrl-C cannot end one."""
GRACE_SECONDS = 0.4
"""After Ctrl-C: how long we wait for chunks to end."""
Range = tuple[int, int]


@dataclass
class Sums:
    """Sums over finished units, in memory. A run folder offers the same, kept on disk."""

    ranges: list[Range] = field(default_factory=list)
    sums: dict[str, Counts] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Add a chunk."""
        for name, counts in by_segment(played).items():
            if name in self.sums:
                tally.add(self.sums[name], counts)
            else:
                self.sums[name] = counts
        self.ranges = merge_ranges([*self.ranges, (played.first, played.stop)])


def by_segment(played: Played) -> dict[str, Counts]:
    """A chunk's counts with the sums over units put into the row of their segment of the schedule."""
    counts = dict(played.counts)
    segment = int(np.searchsorted(SCHEDULE, played.first, side="right"))
    for name in RUNNING:
        rows = np.zeros((len(SCHEDULE), *counts[name].shape), np.int64)
        rows[segment] = counts[name]
        counts[name] = rows
    return counts


def merge_ranges(ranges: list[Range]) -> list[Range]:
    """Sorted half-open ranges, adjacent ones joined."""
    joined: list[Range] = []
    for first, stop in sorted(ranges):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((first, stop))
    return joined


def missing(wanted: Range, finished: list[Range]) -> list[Range]:
    """The parts of ``wanted`` that are not finished."""
    holes, at = [], wanted[0]
    for first, stop in sorted(finished):
        if first > at:
            holes.append((at, min(first, wanted[1])))
        at = max(at, stop)
    return [hole for hole in [*holes, (at, wanted[1])] if hole[0] < hole[1]]


class _Sizer:
    """Chooses chunk sizes: small first, then what takes about so many ``seconds``, or a fixed size."""

    def __init__(self, experiment: Experiment, fixed: int | None, seconds: float) -> None:
        most = MAX_CHUNK
        if experiment.rows != "none":
            most = max(1, MAX_CHUNK_ROWS // (experiment.game.rows_a_game * len(experiment.seatings)))
        self.most = min(most, fixed or most)
        self.size = self.most if fixed else min(8, most)
        self.fixed, self.seconds = fixed is not None, seconds

    def learn(self, units: int, seconds: float) -> None:
        """Take a finished chunk into account; grows at most fourfold at a time."""
        if not self.fixed and units > 0 and seconds > 0:
            aim = int(units * self.seconds / seconds)
            self.size = max(1, min(aim, 4 * self.size, self.most))


def _chunks(holes: list[Range], sizer: _Sizer) -> Iterator[Range]:
    for first, stop in holes:
        for _, at, end in tally.segments(first, stop):
            while at < end:
                until = min(at + sizer.size, end)  # the size may change while the chunk is out
                yield at, until
                at = until


def run(
    experiment: Experiment,
    finished: list[Range],
    keep: Callable[[Played], None],
    workers: Executor,
    *,
    chunk_units: int | None = None,
    tick: Callable[[int, float], None] | None = None,
    looks: Sequence[int] = (),
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play the units of ``experiment`` that are not ``finished``; hand each chunk to ``keep``, in any order.

    ``workers`` play; to close them is up to the caller. ``chunk_units``: see ``executors.Means``.
    ``looks`` are unit numbers, ascending: once all units before one are done, ``enough`` tells whether to
    stop.
    ``tick(units, seconds)`` is called on this thread a few times a second. Ctrl-C lets running chunks end if
    they do so at once, keeps them and raises ``Interrupted``; any other exception drops them. What ``keep``
    has taken stays.
    """
    stages = _stages((experiment.first_unit, experiment.last_unit), finished, looks)
    running = _Run(workers, keep, tick, _Sizer(experiment, chunk_units, workers.chunk_seconds))
    for holes in stages:
        if enough():
            break
        running.all(holes)


def _stages(wanted: Range, finished: list[Range], looks: Sequence[int]) -> list[list[Range]]:
    """What is to be played up to each look, and after the last one; without the stages that are done."""
    ends = [wanted[0], *(look for look in looks if wanted[0] < look < wanted[1]), wanted[1]]
    return [holes for stage in itertools.pairwise(ends) if (holes := missing(stage, finished))]


class _Run:
    """The loop that keeps every worker busy and takes in what is done."""

    def __init__(
        self,
        workers: Executor,
        keep: Callable[[Played], None],
        tick: Callable[[int, float], None] | None,
        sizer: _Sizer,
    ) -> None:
        self.workers, self.keep, self.tick, self.sizer = workers, keep, tick, sizer
        self.busy: dict[Future[Played], tuple[float, int]] = {}
        """When it was submitted, and up to which unit."""
        self.left: list[Range] = []
        self.faults: list[StrategyFaultError] = []
        self.units, self.began = 0, time.monotonic()

    def all(self, holes: list[Range]) -> None:
        """Play all chunks; when a strategy fails, no more than those that are under way."""
        chunks = _chunks(holes, self.sizer)
        try:
            while self._fill(iter(()) if self.faults else chunks) or self.busy:
                self._take(LOOK_SECONDS)
        except KeyboardInterrupt:
            self._leave()
            raise Interrupted("interrupted; what was finished is kept") from None
        if self.faults:
            # Every unit before was under way or done, so this one is the first, on any number of jobs.
            raise min(self.faults, key=lambda fault: fault.unit)

    def _leave(self) -> None:
        """Take what still arrives soon; give up what does not."""
        self.workers.stop()
        until = time.monotonic() + GRACE_SECONDS
        while self.busy and (left := until - time.monotonic()) > 0:
            with contextlib.suppress(UsageError):  # a worker that was just starting dies of the same Ctrl-C
                self._take(left)
        if self.busy:
            self.workers.abandon()
        self._tell()

    def _fill(self, chunks: Iterator[Range]) -> bool:
        """Keep as many chunks in flight as the executor wants; says whether any was added."""
        added = False
        self.sizer.seconds = self.workers.chunk_seconds  # both grow with a cluster
        while len(self.busy) < self.workers.window:
            chunk = self.left.pop() if self.left else next(chunks, None)
            if chunk is None:
                break
            self.busy[self.workers.submit(*chunk)] = time.monotonic(), chunk[1]
            added = True
        return added

    def _take(self, seconds: float) -> None:
        done, _ = wait(self.busy, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=self.busy.__getitem__):
            with _uninterrupted():
                self._take_in(future)
        self._tell()

    def _tell(self) -> None:
        if self.tick:
            self.tick(self.units, time.monotonic() - self.began)

    def _take_in(self, future: Future[Played]) -> None:
        submitted, stop = self.busy.pop(future)
        try:
            played = future.result()
        except StrategyFaultError as fault:
            self.faults.append(fault)
            return
        if played.stop < stop:
            self.left.append((played.stop, stop))
        if played.stop > played.first:
            self.keep(played)
            self.units += played.stop - played.first
            self.sizer.learn(played.stop - played.first, time.monotonic() - submitted)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C takes effect after the block: what has arrived is kept as a whole."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *signalled: came.append(signalled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(*came[0])
