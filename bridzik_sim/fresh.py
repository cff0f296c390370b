"""The fresh process of ``bridzik check``: another folder, another order of hashes, a clock that leaps.

``run`` starts it; as a program (``python -m bridzik_sim.fresh``) it is that process. It gets what to play as
JSON in its argument and says what it found in marked lines of JSON on stderr. Its stdout is left to the
strategy, so that what this prints is noticed. What loops, dies or eats memory does so there and not here.
"""

from __future__ import annotations

import contextlib
import datetime
import faulthandler
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic  # the true one, before clocks leap
from typing import IO, Any

from bridzik_sim import trials
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.lineup import Spec
from bridzik_sim.play import Player

COMPILING_SECONDS, ENDS_SECONDS = 900, 5.0
"""The process may compile so long; games at the ends of RANGES are played about so long."""
MOST_MEMORY = 2 << 30
"""Bytes by which the process may grow while it plays."""
MARK = "bridzik check found "
KEPT = 1 << 16
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
LEAP = 98_765.4321
"""Seconds, more than a day, by which the clock leaps whenever it is read."""


@dataclass
class Ended:
    """How the process ended: its code (None when it was ended for being too slow), output, what it found."""

    code: int | None
    printed: int
    """Bytes on stdout."""
    err: str
    """The end of stderr."""
    found: dict[str, Any]


def run(task: dict[str, Any], seconds: float, flags: dict[str, str]) -> Ended:
    """Carry out a task in a fresh process, with ``flags`` in its environment."""
    own, cache = os.environ.get("PYTHONHASHSEED"), os.environ.get("BRIDZIK_CACHE_DIR")
    environment = {
        **os.environ, **flags, "PYTHONHASHSEED": "2" if own == "1" else "1",
        **({"BRIDZIK_CACHE_DIR": os.path.abspath(cache)} if cache else {}),
        "PYTHONPATH": os.pathsep.join(os.path.abspath(place) for place in sys.path),
    }  # fmt: skip
    command = [sys.executable, "-m", "bridzik_sim.fresh", json.dumps(task)]
    # Not even Windows minds that the folder goes after the process.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        with process:
            return _ended(process, COMPILING_SECONDS + seconds)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> Ended:
    """Wait for the process, reading all it prints and keeping little of it."""
    found: dict[str, Any] = {}
    said, printed = [b""], [0]

    def listen(pipe: IO[bytes]) -> None:
        for line in iter(lambda: pipe.readline(KEPT), b""):
            if line.startswith(MARK.encode()):
                found.update(json.loads(line.removeprefix(MARK.encode())))
            else:
                said[0] = (said[0] + line)[-KEPT:]

    def count(pipe: IO[bytes]) -> None:
        for part in iter(lambda: pipe.read(KEPT), b""):
            printed[0] += len(part)

    pipes = ((listen, process.stderr), (count, process.stdout))
    readers = [threading.Thread(target=read, args=(pipe,), daemon=True) for read, pipe in pipes]
    for reader in readers:
        reader.start()
    code: int | None
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        process.kill()
    for reader in readers:
        reader.join(5)  # what the process started itself may hold its output
    err = said[0].decode("utf-8", "replace")
    too_slow = re.search(r"^Timeout \(", err, re.MULTILINE)
    return Ended(None if too_slow else code, printed[0], err, found)


class _Clock:
    """Takes the place of the standard library's clocks; while it leaps, no two readings agree on anything."""

    def __init__(self) -> None:
        self._leaping = False
        self._readings = itertools.count(1)

    @contextlib.contextmanager
    def leaping(self) -> Iterator[None]:
        """Let it leap inside the block."""
        self._leaping = True
        try:
            yield
        finally:
            self._leaping = False

    def install(self) -> None:
        """From now on who asks for the time asks this clock."""
        for name in CLOCKS:
            setattr(time, name, self._moved(getattr(time, name), 1))
            setattr(time, f"{name}_ns", self._moved(getattr(time, f"{name}_ns"), 10**9))

        class Moved(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                return cls.fromtimestamp(time.time(), tz)

            @classmethod
            def utcnow(cls) -> Any:
                return cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)

            @classmethod
            def today(cls) -> Any:
                return cls.now()

        class MovedDate(datetime.date):
            @classmethod
            def today(cls) -> Any:
                return cls.fromtimestamp(time.time())

        vars(datetime).update(datetime=Moved, date=MovedDate)

    def _moved(self, read: Callable[[], Any], second: int) -> Callable[[], Any]:
        def moved() -> Any:
            leap = next(self._readings) * LEAP * second if self._leaping else 0
            return read() + type(read())(leap)

        return moved


class _Trial:
    """What is done in the process."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.task, self.clock = task, _Clock()
        self.clock.install()
        self.units = range(task["units"])
        label, source, params = task["spec"]
        spec = Spec(label, source, tuple((key, value) for key, value in params))
        with self.clock.leaping():
            self.experiments = trials.tables(spec, task["game"])
        self.players = [Player(experiment) for experiment in self.experiments]
        self.compiled = not self.experiments[0].python
        _ = self.players[0].game.kernel  # importing it compiles or loads it

    def carry_out(self) -> None:
        """Tell constants, an index outside of an array, the sums of all games, memory, faults at ends."""
        first = next(iter(self.experiments[0].strategies.values()))
        _tell(constants=trials.constants(first) if self.compiled else {})
        before = _peak()
        _limit()
        with self.clock.leaping():
            _tell(outside=self._outside())
            _tell(digest=trials.digest(self.players, self.units, self._at))
            faulthandler.cancel_dump_traceback_later()
            _tell(grown=_peak() - before)
            _tell(ends=self._ends())

    def _at(self, table: int, unit: int) -> None:
        """Tell what is played next, for so long at most: not even compiled code can hold this process up."""
        _tell(at=[table, unit])
        faulthandler.dump_traceback_later(self.task["seconds"], exit=True)

    def _outside(self) -> dict[str, str]:
        """The first index outside of an array, or want of memory. Other faults are not looked at."""
        kinds = (IndexError, MemoryError) if self.compiled else (MemoryError,)
        strict = (Player(replace(one.experiment, on_error="stop")) for one in self.players)
        for number, player in enumerate(strict):
            for unit in self.units:
                self._at(number, unit)
                try:
                    player.play(unit, unit + 1, trials.control())
                except StrategyFaultError as fault:
                    if isinstance(fault.__cause__, kinds):
                        return {"kind": type(fault.__cause__).__name__, **_told(player, fault)}
        return {}

    def _ends(self) -> dict[str, str]:
        """The first fault with parameters at the ends of their RANGES, played for some seconds."""
        for experiment in trials.at_the_ends(self.experiments[0]):
            player = Player(experiment)
            faulthandler.dump_traceback_later(self.task["seconds"], exit=True)
            try:
                player.record(0, 0, _for_some_time())
            except _EnoughError:
                pass
            except StrategyFaultError as fault:
                return _told(player, fault)
        faulthandler.cancel_dump_traceback_later()
        return {}


class _EnoughError(Exception):
    """Leaves a game that takes too long."""


def _for_some_time() -> Callable[[Any], None]:
    """An observer that leaves its game after a while."""
    end = monotonic() + ENDS_SECONDS

    def watch(event: Any) -> None:
        if monotonic() > end:
            raise _EnoughError

    return watch


def _told(player: Player, fault: StrategyFaultError) -> dict[str, str]:
    return {"what": fault.what, "where": trials.replay(player.experiment, fault.unit, fault.seating)}


def _tell(**found: Any) -> None:
    os.write(2, (MARK + json.dumps(found) + "\n").encode())


def _peak() -> int:
    """Most bytes of memory that this process ever asked for, or where only that is told (macOS) ever used.

    0 where neither is (Windows).
    """
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmPeak:")[2].split()[0]) << 10
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


def _limit() -> None:
    """Let this process not grow without end, so that it spares the machine, where the system can (Linux)."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    _Trial(json.loads(sys.argv[1])).carry_out()
