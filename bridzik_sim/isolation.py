"""Chunks in processes that can be ended, so that no strategy can hold up or bring down a run.

A child plays a chunk as fast as any other executor would. Its memory of marks is shared with the parent, see
``watch``: units that are done, and who is deciding while the reference engine plays. When a child died, or
finishes no unit for longer than our patience, only the unit under way is suspect. A fresh child plays it
again by the reference engine, where the marks tell whose decision it is that takes too long or kills: that
seat is charged. If nothing happens this time the unit counts, for both engines give the same bytes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

import numpy as np

from bridzik_sim import watch
from bridzik_sim.errors import StrategyFaultError, UsageError
from bridzik_sim.executors import Executor
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.plain import Fault
from bridzik_sim.memory import limit_memory
from bridzik_sim.play import Played, Player, explained
from bridzik_sim.tally import Counts
from bridzik_sim.watch import Silence, Watch

LEAST_PATIENCE = 1.0
"""Seconds without a finished unit before a unit is suspect; to begin a process anew takes longer."""
SLOWER = 4
"""After a unit that was only slow: patience as a multiple of the time it took the reference engine."""
LOOK_SECONDS = 0.02
"""How often a child is looked at."""
WORKER_DIED = (
    "a worker process died while it started (memory ran out, or a script calls simulate outside of "
    "if __name__ == '__main__':); try --executor threads"
)
DEATHS = 3
"""A child that died so often in one unit, while nobody was deciding, ends the run."""


class Request(NamedTuple):
    """What a child is asked for: units, or one game if there is a ``seating``."""

    first: int
    stop: int
    plain: bool = False
    """By the reference engine."""
    silences: tuple[Silence, ...] = ()
    seating: int | None = None


class Lost(NamedTuple):
    """A child that had to be ended or died: ``done`` units were finished before."""

    done: int
    silence: Silence | None
    """Whose decision it was, if the reference engine was playing and waited for one."""
    died: bool


def serve(
    pipe: Connection, memory: Any, experiment: Experiment, limit: int | None, streams: int | None
) -> None:
    """What a child does: play what it is asked for until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = sys.stderr  # results alone go to stdout
    try:
        player = Player(experiment.reloaded())
        limit_memory(limit)
    except Exception as error:
        pipe.send(error)
        return
    if streams is not None:
        player.as_seated(streams)
    marks = _marks(memory)
    pipe.send(None)
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            os._exit(0)  # at once: a strategy may have threads that never end
        _answer(pipe, player, marks, request)


def _answer(pipe: Connection, player: Player, marks: Counts, request: Request) -> None:
    try:
        pipe.send(_carried_out(player, marks, request))
    except (MemoryError, BrokenPipeError):  # the latter: the parent is gone
        os._exit(1)
    except Exception as error:  # the parent's to tell
        pipe.send(error)


def _carried_out(player: Player, marks: Counts, request: Request) -> Played | None:
    player.watch = Watch(marks, request.silences)
    if request.seating is not None:
        player.record(request.first, request.seating)
        return None
    if request.plain:
        return player.play(request.first, request.stop, marks, plain=True)
    return player.play(request.first, request.stop, marks)


def _end_with_parent() -> None:
    """A parent that was killed cannot end its children: without this they would play for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _marks(memory: Any) -> Counts:
    return np.frombuffer(memory, np.int64)


class Child:
    """A process that plays chunks: begun when it is first needed, and again after it was lost."""

    def __init__(
        self, experiment: Experiment, timeout: float | None, limit: int | None, streams: int | None = None
    ) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._memory = self._context.RawArray("q", watch.WORDS)
        self._arguments = experiment.without_code(), limit, streams
        self._process: Any = None
        self._pipe: Any = None
        self.marks, self.timeout = _marks(self._memory), timeout
        self.given_up = False

    def ask(self, request: Request, patience: float = np.inf) -> Played | Lost | None:
        """The answer to a request, or how the child was lost; ``patience`` in seconds a unit."""
        if self.given_up:
            return Lost(0, None, False)
        self.marks[watch.DONE] = self.marks[watch.DECIDING] = 0
        if self._process is None and (reply := self._begin()) is not None:
            return reply
        with contextlib.suppress(OSError):  # it has died meanwhile
            self._pipe.send(request)
        return self._reply(patience)

    def _begin(self) -> Lost | None:
        self._pipe, end = self._context.Pipe()
        self._process = self._context.Process(target=serve, args=(end, self._memory, *self._arguments))
        self._process.daemon = True
        with interrupts_held():
            self._process.start()
        end.close()
        reply = self._reply(np.inf)
        if isinstance(reply, Lost) and not self.given_up:
            raise UsageError(WORKER_DIED)
        return reply if isinstance(reply, Lost) else None

    def _reply(self, patience: float) -> Played | Lost | None:
        """Wait for what the child says; raises it if that is an exception."""
        reply: Played | BaseException | None
        looks = _Looks(self.marks, self.timeout, patience)
        while not self.given_up:
            wait([self._pipe, self._process.sentinel], LOOK_SECONDS)
            try:
                reply = self._pipe.recv() if (said := self._pipe.poll()) else None
            except (EOFError, OSError):  # on Windows it is poll that tells
                return self._lost(died=True)
            if isinstance(reply, BaseException):
                raise reply
            if said:
                return reply
            if not self._process.is_alive():
                return self._lost(died=True)
            if looks.too_long():
                return self._lost(died=False)
        return self._lost(died=False)

    def _lost(self, died: bool) -> Lost:
        if not died:
            self._process.kill()
        self._process.join()
        kind, answer = (
            ("raised", _death(self._process.exitcode)) if died else ("timeout", f"{self.timeout or 0:g} s")
        )
        self._pipe.close()
        self._process = None
        return Lost(int(self.marks[watch.DONE]), watch.under_way(self.marks, kind, answer), died)

    def give_up(self) -> None:
        """End the process; whoever waits for it is told that it was lost."""
        self.given_up = True

    def close(self) -> None:
        """Let an idle child end."""
        if self._process is not None:
            self._pipe.close()
            self._process.join(5)
            self._process.kill()
            self._process.join()


class _Looks:
    """Looks at a child's marks again and again, by the parent's clock."""

    def __init__(self, marks: Counts, timeout: float | None, patience: float) -> None:
        self.marks, self.timeout, self.patience = marks, timeout, patience
        self.seen: tuple[int, ...] = ()
        self.since = 0.0

    def too_long(self) -> bool:
        """Whether a decision takes longer than it may, or a unit longer than we have patience."""
        if self.timeout is None:
            return False
        now = time.monotonic()
        deciding, count, done = (int(self.marks[at]) for at in (watch.DECIDING, watch.COUNT, watch.DONE))
        seen = (deciding, count if deciding else done)
        if seen != self.seen:
            self.seen, self.since = seen, now
        return now - self.since > (self.timeout if deciding else self.patience)


def _death(code: int) -> str:
    """How a process ended, as what a strategy raised."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"{signal.Signals(-code).name}, which ended its process"
    return f"an exit with code {code}, which ended its process"


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Processes begun inside never see Ctrl-C, not even while they start; the parent decides about it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else the first start does that, and lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes(Executor):
    """Chunks in processes; what cannot be played there, or in time, is charged to the strategy it is due to.

    A chunk may come back with fewer units than asked for: those before a suspect unit.
    """

    def __init__(
        self, experiment: Experiment, jobs: int, timeout: float | None = None, limit: int | None = None
    ) -> None:
        """``timeout``: seconds a decision; ``limit``: bytes of memory a process."""
        Player(experiment)  # a strategy that does not compile is reported here, not by every child
        most = jobs if os.name != "nt" else min(jobs, 60)  # Windows cannot wait for more
        self.window = most + 1
        self._experiment, self._timeout = experiment, timeout
        self._patience = np.inf if timeout is None else max(timeout, LEAST_PATIENCE)
        self._children = [Child(experiment, timeout, limit) for _ in range(most)]
        self._idle: queue.SimpleQueue[Child] = queue.SimpleQueue()
        for child in self._children:
            self._idle.put(child)
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="bridzik")
        self._suspects: dict[int, Lost] = {}
        self._stopped = False

    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop``, or the first of them, some time soon."""
        return self._pool.submit(self._play, first, stop)

    def stop(self) -> None:
        """Ask every chunk to end early."""
        self._stopped = True
        for child in self._children:
            child.marks[watch.STOP] = 1

    def abandon(self) -> None:
        """End every process at once."""
        self.stop()
        for child in self._children:
            child.give_up()

    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.close()

    def _play(self, first: int, stop: int) -> Played:
        child = self._idle.get()
        try:
            while not self._stopped:
                if first in self._suspects:
                    return self._suspect(child, first, self._suspects.pop(first))
                reply = child.ask(Request(first, stop), self._patience)
                if isinstance(reply, Played):
                    return reply
                assert isinstance(reply, Lost)
                bad = first + reply.done
                self._suspects[bad] = reply
                stop = bad if bad > first else stop
            return _nothing(first)
        finally:
            self._idle.put(child)

    def _suspect(self, child: Child, unit: int, lost: Lost) -> Played:
        """Play a unit again by the reference engine, and find out who is to be charged, if anyone."""
        slow = not lost.died and lost.silence is None
        began = time.monotonic()
        played, silences = find(child, Request(unit, unit + 1), self._experiment, lost)
        if slow and not silences:
            # It was just slow. The next ones may be, too, and shall not be ended again and again. A kernel
            # may play two units at a time; if it was the other one, that is found next.
            self._patience = max(self._patience, SLOWER * (time.monotonic() - began))
        return played if isinstance(played, Played) else _nothing(unit)


def _nothing(unit: int) -> Played:
    return Played(unit, unit, {}, np.zeros((0, 0), np.int64))


def find(
    child: Child, request: Request, experiment: Experiment, lost: Lost | None = None
) -> tuple[Played | Lost | None, tuple[Silence, ...]]:
    """Play a unit or game by the reference engine until it is finished; the answer, and who was silent.

    Each seat that does not answer, or ends the process, costs a process; from there on it is not asked again
    in that game. ``StrategyFaultError`` instead, unless the experiment forfeits. ``lost``: how the last child
    ended.
    """
    silences: tuple[Silence, ...] = ()
    deaths = 0
    if lost is None or lost.died:  # who killed once may have been killed by others: once more
        lost = _asked(child, request, silences)
    while isinstance(lost, Lost) and not child.given_up:
        if lost.silence is not None:
            silences += (_charged(experiment, request.first, lost.silence),)
        elif lost.died:
            deaths += 1
            if deaths == DEATHS:
                what = f"the process that plays unit {request.first} died {DEATHS} times between decisions"
                raise UsageError(f"{what}: memory ran out, or a strategy damages it")
        lost = _asked(child, request, silences)
    return lost, silences


def _asked(child: Child, request: Request, silences: tuple[Silence, ...]) -> Any:
    return child.ask(request._replace(plain=True, silences=silences))


def _charged(experiment: Experiment, unit: int, silence: Silence) -> Silence:
    """The silence, to be counted; ``StrategyFaultError`` when the run is to stop."""
    if experiment.on_error == "forfeit":
        return silence
    decision = experiment.game.decisions[silence.decision]
    fault = Fault(silence.kind, silence.deal, silence.seat, decision, silence.answer)
    seating = silence.seating
    raise StrategyFaultError(
        explained(experiment, experiment.seatings[seating], fault, unit, seating), unit, seating
    )


def silences(
    experiment: Experiment, unit: int, seating: int, streams: int | None, timeout: float | None
) -> tuple[Silence, ...]:
    """Who does not answer in a game, found in processes that can be ended."""
    forfeiting = replace(experiment, on_error="forfeit")
    child = Child(forfeiting, timeout, None, streams)
    try:
        return find(child, Request(unit, unit + 1, seating=seating), forfeiting)[1]
    finally:
        child.close()
