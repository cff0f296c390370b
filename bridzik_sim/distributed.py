"""Chunks on the workers of a dask cluster (``distributed``, the extra ``bridzik[dask]``).

The scheduler keeps the packed experiment as a task of its own, on which every chunk depends: a worker gets it
once, from whoever has it. When a worker dies, dask plays its chunks elsewhere; the runner takes one result of
each, whatever was played twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from distributed import Client, KilledWorker, Security, get_worker
from distributed.core import rpc

from bridzik_sim import long_runs, shipping
from bridzik_sim.errors import BridzikError, UsageError
from bridzik_sim.executors import Executor
from bridzik_sim.experiment import Experiment
from bridzik_sim.play import Played, Player
from bridzik_sim.shipping import Shipment

CONNECT_SECONDS = 5
WORKER_SECONDS = 10
"""How long to wait for the scheduler, and for the first worker."""
CHUNKS_A_THREAD = 2
"""Chunks under way by thread of a worker: one is played while another waits."""
LIVES = 3
"""So many times a chunk is submitted anew that dask has given up because several workers died with it."""
CHUNK_SECONDS, CHUNKS_A_SECOND = 4, 20
"""From submitting a chunk to its result, so about half is play; longer where results would come faster."""
REFRESH_SECONDS = 2
"""How often the number of threads in the cluster is asked for."""
PLAYERS = 4
"""Experiments that a worker keeps ready."""
LOGGERS = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application", "asyncio")

_players: OrderedDict[str, Player] = OrderedDict()
_players_lock = threading.Lock()


def _hold(shipment: Shipment) -> Shipment:
    """The task whose result is the packed experiment."""
    return shipment


def _play(shipment: Shipment, first: int, stop: int) -> Played:
    """Play units on a worker."""
    return _player(shipment).play(first, stop, np.zeros(2, np.int64))


def _player(shipment: Shipment) -> Player:
    """A worker's player of an experiment, unpacked and compiled once."""
    with _players_lock:  # loading a strategy changes what Python may import, for all threads
        if shipment.key not in _players:
            try:
                _players[shipment.key] = long_runs.player(shipping.unpack(shipment))
            except BridzikError as error:
                raise UsageError(f"worker {get_worker().address}: {error}") from None
            while len(_players) > PLAYERS:
                _players.popitem(last=False)
        _players.move_to_end(shipment.key)
        return _players[shipment.key]


@dataclass(frozen=True)
class _Chunk:
    first: int
    stop: int
    future: Future[Played]


class Dask(Executor):
    """Chunks on a cluster; ``stop`` gives up those that have not arrived."""

    def __init__(self, experiment: Experiment, scheduler: str) -> None:
        """Connect to the cluster; ``UsageError`` when there is no scheduler or no worker."""
        self._scheduler = scheduler
        self._open: set[Future[Played]] = set()
        self._stopped = False
        self.window = CHUNKS_A_THREAD
        with contextlib.ExitStack() as opening:
            opening.enter_context(_silenced())
            self._client = _connect(scheduler)
            opening.callback(_disconnect, self._client)
            # A strategy that does not compile is reported here, not by every worker.
            self._nothing = Player(experiment).play(0, 0, np.zeros(2, np.int64))
            self._shipment = self._client.submit(_hold, shipping.ship(experiment), pure=False)
            self._executor = self._client.get_executor(pure=False)
            self._follow()
            self._cleanup = opening.pop_all()

    def submit(self, first: int, stop: int) -> Future[Played]:
        """Play units ``first`` to ``stop`` some time soon."""
        if time.monotonic() - self._asked > REFRESH_SECONDS:
            self._follow()
        chunk = _Chunk(first, stop, Future())
        if self._stopped:
            chunk.future.set_result(self._nothing)
        else:
            self._open.add(chunk.future)
            chunk.future.add_done_callback(self._open.discard)
            self._send(chunk, LIVES)
        return chunk.future

    def _follow(self) -> None:
        """Fit window and chunks to the threads that the cluster has just now."""
        with contextlib.suppress(Exception):  # a lost connection shows at the chunks
            self.window = CHUNKS_A_THREAD * max(1, sum(self._client.nthreads().values()))
        self.chunk_seconds = max(CHUNK_SECONDS, self.window / CHUNKS_A_SECOND)
        self._asked = time.monotonic()

    def _send(self, chunk: _Chunk, lives: int) -> None:
        try:
            if self._client.status != "running":
                raise ConnectionError
            sent = self._executor.submit(_play, self._shipment, chunk.first, chunk.stop)
        except Exception:  # whatever a client says that has lost its scheduler
            _settle(chunk.future, self._lost())
        else:
            sent.add_done_callback(partial(self._arrived, chunk, lives))

    def _arrived(self, chunk: _Chunk, lives: int, sent: Future[Played]) -> None:
        """Hand on what dask says of a chunk; runs in the client's thread."""
        if sent.cancelled():
            _settle(chunk.future, self._lost())
        elif (error := sent.exception()) is None:
            _settle(chunk.future, sent.result())
        elif isinstance(error, KilledWorker) and lives and not self._stopped:
            self._send(chunk, lives - 1)
        else:
            _settle(chunk.future, _explained(error, chunk))

    def _lost(self) -> UsageError:
        return UsageError(
            f"the connection to the scheduler {self._scheduler} was lost; what was finished is kept"
        )

    def stop(self) -> None:
        """Wait for no chunk any more: those that have not arrived end without a unit."""
        self._stopped = True
        for future in list(self._open):
            _settle(future, self._nothing)

    def close(self) -> None:
        """Leave the cluster, which then drops what it has of this run."""
        self._cleanup.close()


def _settle(future: Future[Played], outcome: Played | BaseException) -> None:
    """Give a future its outcome, unless it has one."""
    with contextlib.suppress(InvalidStateError):
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _explained(error: BaseException, chunk: _Chunk) -> BaseException:
    """What went wrong with a chunk, in one line where dask is meant."""
    if isinstance(error, KilledWorker):
        return UsageError(
            f"workers died {(LIVES + 1) * (error.allowed_failures + 1)} times while they had units "
            f"{chunk.first} to {chunk.stop - 1} (a strategy crashes them, or memory runs out?); "
            "what was finished is kept"
        )
    if "deserializ" in str(error):
        return UsageError(
            "the scheduler or a worker cannot read what is sent to it; "
            "install the same versions of bridzik and distributed on all machines"
        )
    return error


def _connect(scheduler: str) -> Any:
    """A client with at least one worker; ``UsageError`` when there is none."""
    # Asked first, outside of any running event loop: a client that cannot connect is hard to get rid of.
    with ThreadPoolExecutor(1) as thread:
        try:
            kind = thread.submit(asyncio.run, _who_is(scheduler)).result()
        except Exception as error:  # nobody there, or somebody who talks otherwise
            silent = f"no answer within {CONNECT_SECONDS} s"
            reason = silent if isinstance(error, TimeoutError) else " ".join(str(error).split())
            raise UsageError(f"cannot reach a dask scheduler at {scheduler!r}: {reason}") from None
    if kind != "Scheduler":
        raise UsageError(f"{scheduler} is not the address of a scheduler, but of a {kind}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions that differ; those that matter are compared later
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except (OSError, TimeoutError):
        _disconnect(client)
        raise UsageError(
            f"the scheduler {scheduler} has no worker; start one with: dask worker {scheduler}"
        ) from None
    return client


async def _who_is(address: str) -> str:
    """What answers at an address: ``Scheduler``, ``Worker`` …; ``TimeoutError`` when nothing does."""
    secrets = Security().get_connection_args("client")
    async with rpc(address, timeout=2 * CONNECT_SECONDS, connection_args=secrets) as other:
        identity = await asyncio.wait_for(other.identity(), CONNECT_SECONDS)
    return str(identity["type"])


def _disconnect(client: Any) -> None:
    with contextlib.suppress(Exception):  # a scheduler that has gone must not keep us
        client.close(timeout=CONNECT_SECONDS)


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """No log lines of the client: what matters is told in one line by whoever plays."""
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
