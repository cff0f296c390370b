"""Where chunks are played.

In threads of this process (kernels release the GIL), in processes of their own, or on a cluster.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from bridzik_sim import long_runs
from bridzik_sim.entrants import whole
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.play import Played
from bridzik_sim.tally import Counts

KINDS = ("threads", "processes", "dask")
CHUNK_SECONDS = 0.25


@dataclass(frozen=True)
class Means:
    """How a run is played. Nothing of it shows in the bytes of a result, but what ``timeout`` ends."""

    jobs: int | None = None
    """Chunks played at the same time; None: one a core."""
    executor: str | None = None
    """One of ``KINDS``; None: threads, or processes when isolated or when a strategy runs as plain Python."""
    scheduler: str | None = None
    """Address of the scheduler of a cluster, with the executor dask."""
    timeout: float | None = None
    """Seconds that a decision may take; isolates."""
    isolate: bool = False
    """Whether chunks are played in processes with a limit to their memory."""
    memory: int | None = None
    """Megabytes that such a process may have; isolates. None: its share of most of what the machine has."""
    chunk_units: int | None = None
    """Units of a chunk; None: as many as take the executor's ``chunk_seconds``."""

    def __post_init__(self) -> None:
        """Check everything; ``UsageError`` says what is wrong."""
        for name in ("jobs", "chunk_units", "memory"):
            value = getattr(self, name)
            if value is not None and whole(name, value) < 1:
                raise UsageError(f"{name} must be at least 1, not {value}")
        if self.executor is not None and self.executor not in KINDS:
            raise UsageError(f"the executor must be {' or '.join(KINDS)}, not {self.executor!r}")
        if self.executor == "dask" and not self.scheduler:
            raise UsageError("the executor dask needs the address of a scheduler; add --scheduler ADDRESS")
        if self.executor == "dask" and self.jobs is not None:
            raise UsageError("the executor dask plays on as many threads as the cluster has; leave out jobs")
        if self.scheduler is not None and self.executor != "dask":
            raise UsageError("a scheduler is for the executor dask only; add --executor dask")
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            raise UsageError(f"the timeout must be a number of seconds above 0, not {self.timeout}")
        if self.isolated and self.executor in ("threads", "dask"):
            raise UsageError(
                "time-outs and isolation need processes of this machine; leave out the executor "
                f"{self.executor}"
            )

    @property
    def isolated(self) -> bool:
        """Whether strategies are kept from doing harm to the run."""
        return self.isolate or self.timeout is not None or self.memory is not None

    def as_arguments(self) -> str:
        """Command-line arguments that isolate a replay in the same way."""
        if self.timeout is not None:
            return f" --timeout {self.timeout:g}"
        return " --isolate" if self.isolated else ""

    def executor_for(self, experiment: Experiment) -> str:
        """Which executor that is, one of ``KINDS``."""
        if self.executor is not None:
            return self.executor
        needed = self.isolated or (experiment.python and (self.jobs or cores()) > 1)
        return "processes" if needed else "threads"


class Executor(ABC):
    """Plays chunks somewhere. Use as a context manager, which ends what runs.

    Faults reach the caller through the futures: ``StrategyFaultError`` and ``UsageError``.
    """

    window: int
    """Chunks to keep in flight."""
    chunk_seconds: float = CHUNK_SECONDS
    """How long a chunk should take."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.close()

    @abstractmethod
    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop`` some time soon."""

    @abstractmethod
    def stop(self) -> None:
        """Ask every chunk to end early, after its current unit; the units done still arrive."""

    def abandon(self) -> None:
        """Give up what runs, as far as that is possible: ``close`` shall not wait for long."""
        self.stop()

    @abstractmethod
    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped."""


class Threads(Executor):
    """Chunks in threads; ``stop`` lets running chunks end after their current unit."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self.window = jobs + 1
        self._player = long_runs.player(experiment)
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="bridzik")
        self._controls: dict[Future[Played], Counts] = {}
        self._stopped = self._abandoned = False

    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop`` some time soon."""
        control = np.zeros(2, np.int64)
        control[0] = self._stopped
        future = self._pool.submit(self._player.play, first, stop, control)
        self._controls[future] = control
        future.add_done_callback(self._controls.pop)
        return future

    def stop(self) -> None:
        """Ask every chunk to end early."""
        self._stopped = True
        for control in list(self._controls.values()):
            control[0] = 1

    def abandon(self) -> None:
        """Let threads that do not end go on behind our back: threads cannot be ended."""
        self._abandoned = True

    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped."""
        self._pool.shutdown(wait=not self._abandoned, cancel_futures=True)


def make(experiment: Experiment, means: Means) -> Executor:
    """The executor that ``means`` ask for."""
    jobs = int(means.jobs or cores())
    kind = means.executor_for(experiment)
    if kind == "dask":
        try:
            from bridzik_sim.distributed import Dask
        except ImportError:
            raise UsageError(
                "a cluster needs the library distributed; install it with: pip install 'bridzik[dask]'"
            ) from None
        assert means.scheduler is not None
        return Dask(experiment, means.scheduler)
    if kind == "threads":
        return Threads(experiment, jobs)
    from bridzik_sim.isolation import Processes
    from bridzik_sim.memory import share

    limit = None if means.memory is None else int(means.memory) << 20
    return Processes(experiment, jobs, means.timeout, limit or (share(jobs) if means.isolated else None))


def cores() -> int:
    """Processor cores this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return count or 1
