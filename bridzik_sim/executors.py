"""Where chunks are played.

In threads of this process (kernels release the GIL) or in processes of their own.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.synchronize import Event

import numpy as np

from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.play import Played, Player
from bridzik_sim.tally import Counts

KINDS = ("threads", "processes")


class Threads:
    """Chunks in threads; ``stop`` lets running chunks end after their current unit."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self._player = Player(experiment)
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="bridzik")
        self._controls: list[Counts] = []
        self._stopped = False

    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop`` some time soon."""
        control = np.zeros(2, np.int64)
        control[0] = self._stopped
        self._controls = [*self._controls[-256:], control]
        return self._pool.submit(self._player.play, first, stop, control)

    def stop(self) -> None:
        """Ask every chunk to end early."""
        self._stopped = True
        for control in self._controls:
            control[0] = 1

    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes begun inside never see Ctrl-C, not even while they start; the parent decides about it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_player: Player | None = None


_control = np.zeros(2, np.int64)


def _begin(experiment: Experiment, stop: Event) -> None:
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_obey, args=(stop,), daemon=True).start()
    _player = Player(experiment.reloaded())


def _end_with_parent() -> None:
    """A parent that was killed cannot close the pool: without this its workers would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _obey(stop: Event) -> None:
    """Let the running chunk end after its current unit once the parent asks for it."""
    stop.wait()
    _control[0] = 1


def _play(first: int, stop: int) -> Played:
    assert _player is not None
    return _player.play(first, stop, _control)


class Processes:
    """Chunks in processes, which plain Python strategies need to use more than one core."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        Player(experiment)  # a strategy that does not compile is reported here, not by every child
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        most = jobs if os.name != "nt" else min(jobs, 61)  # Windows cannot wait for more
        self._pool = ProcessPoolExecutor(
            most, context, initializer=_begin, initargs=(experiment.without_code(), self._stop)
        )

    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop`` some time soon."""
        with _interrupts_held():
            return self._pool.submit(_play, first, stop)

    def stop(self) -> None:
        """Ask every chunk to end early."""
        self._stop.set()

    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def make(kind: str | None, experiment: Experiment, jobs: int) -> Threads | Processes:
    """An executor; without a ``kind`` threads, or processes when a strategy runs as plain Python."""
    chosen = kind or ("processes" if experiment.python and jobs > 1 else "threads")
    makers: dict[str, Callable[[Experiment, int], Threads | Processes]] = {
        "threads": Threads,
        "processes": Processes,
    }
    if chosen not in makers:
        raise UsageError(f"the executor must be {' or '.join(KINDS)}, not {chosen!r}")
    return makers[chosen](experiment, jobs)


def cores() -> int:
    """Processor cores this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return count or 1
