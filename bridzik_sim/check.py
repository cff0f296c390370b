"""Is a strategy fit to play? Each check answers with one line; ``bridzik check`` prints them.

What could hold up or end a process is played in a fresh one first (``fresh.py``).
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bridzik_sim import fresh, honesty, speed
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.fresh import Ended
from bridzik_sim.play import Player
from bridzik_sim.trials import (
    constants,
    control,
    digest,
    digest_at_once,
    engines_agree,
    replay,
    table_sizes,
    tables,
)

AGAIN_UNITS, REFERENCE_UNITS, THREAD_UNITS = 50, 5, 2
HONEST_UNITS, HONEST_TRIES, HONEST_SECONDS = 8, 24, 5.0
UNIT_SECONDS = 60.0
"""The games of one unit at one table may take so long in the fresh process."""
MOST_GROWTH = 1 << 30
"""Bytes by which it may grow while it plays."""
NOT_MADE = ("legal", "deterministic", "reference", "honest", "tidy", "speed")


@dataclass(frozen=True)
class Check:
    """The outcome of one check; ``ok`` is None when it was not made."""

    name: str
    ok: bool | None
    detail: str


def examine(
    text: str, game: str = "bridzik", games_wanted: int = 200, unit_seconds: float = UNIT_SECONDS
) -> Iterator[Check]:
    """Check the strategy that ``text`` specifies, check by check.

    ``unit_seconds``: how long the games of one unit may take. ``UsageError`` or ``StrategyError`` when the
    strategy cannot be loaded or compiled.
    """
    with _hushed():
        subject = _Subject(text, game, games_wanted, unit_seconds)
    yield subject.loads()
    bounds = subject.bounds()
    yield bounds
    if not bounds.ok:
        # What killed or held up a process of its own would do the same to this one.
        garbage = "what is read outside of an array is garbage"
        why = garbage if "indexes outside" in bounds.detail else "it cannot be played safely"
        yield from [Check(name, None, f"not made: {why}") for name in NOT_MADE]
        return
    deterministic = False
    for name in NOT_MADE:
        if name == "honest" and not deterministic:
            yield Check("honest", None, "not made: needs a deterministic one")
            continue
        with _hushed():
            made: Check = getattr(subject, name)()
        deterministic |= name == "deterministic" and made.ok is True
        yield made


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Nothing that the strategy prints inside the block is seen."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


class _Subject:
    """A strategy under examination."""

    def __init__(self, text: str, game: str, games_wanted: int, unit_seconds: float = UNIT_SECONDS) -> None:
        began = time.perf_counter()
        self.game, self.unit_seconds = game, unit_seconds
        self.experiments = tables(text, game)
        self.sizes = table_sizes(self.experiments[0].game)
        self.games = self._share(games_wanted)
        self.players = [Player(experiment) for experiment in self.experiments]
        self.label = self.experiments[0].labels[0]
        self.strategy = self.experiments[0].strategies[self.label]
        self.python = self.strategy.python
        self.seconds = time.perf_counter() - began
        self.child = Ended(0, 0, "", {})

    def _share(self, wanted: int) -> int:
        """How many of the games or units wanted fall to tables of one size."""
        return -(-wanted // len(self.sizes))

    def loads(self) -> Check:
        verb = (
            "runs as plain Python"
            if self.python
            else f"compiled or found in the cache in {self.seconds:.1f} s"
        )
        return Check("loads", True, f"{self.strategy.listing.path}: {verb}")

    def bounds(self) -> Check:
        """Play in a fresh process, a compiled strategy with numba's bounds checks."""
        self.child = child = self._fresh_process()
        if "grown" not in child.found or (child.code and "ends" in child.found):
            return Check("bounds", False, self._how_it_ended())
        outside = child.found["outside"]
        if outside and outside["kind"] == "MemoryError":
            return Check("bounds", False, f"it takes too much memory: {outside['what']}; {outside['where']}")
        if outside:
            where = f"see it by {outside['where']} where NUMBA_BOUNDSCHECK=1 is set"
            return Check("bounds", False, f"indexes outside of an array: {outside['what']}; {where}")
        if child.found["grown"] > MOST_GROWTH:
            games = f"in {self._child_games()} games; let it forget what it no longer needs"
            return Check("bounds", False, f"a fresh process that played it grew by {self._grown()} {games}")
        if self.python:
            return Check("bounds", True, "plain Python checks every index itself")
        return Check("bounds", True, f"no index outside of an array in {self._child_games()} games")

    def _fresh_process(self) -> Ended:
        spec = self.experiments[0].spec(self.label)
        units = self._child_units()
        task = {
            "spec": [spec.label, spec.source, spec.params], "game": self.game, "units": units,
            "seconds": self.unit_seconds,
        }  # fmt: skip
        seconds = self.unit_seconds * (2 * units * len(self.players) + 3)
        return fresh.run(task, seconds, {} if self.python else {"NUMBA_BOUNDSCHECK": "1"})

    def _how_it_ended(self) -> str:
        child = self.child
        if child.code is not None:
            last = (child.err.strip().splitlines() or ["no message"])[-1]
            return f"a fresh process that played it died with code {child.code}: {last}{self._last_place()}"
        line = re.search(rf'File "{re.escape(str(self.strategy.listing.path))}", line (\d+)', child.err)
        where = f" (it was in line {line[1]})" if line else ""
        return (
            f"a fresh process did not come to an end in {self.unit_seconds:g} s, the limit"
            f"{self._last_place()}: does it loop for ever?{where} "
            "If it is only slow, give it more time by --limit"
        )

    def _last_place(self) -> str:
        """Which games were played when the fresh process ended."""
        if "at" not in self.child.found:
            return ""
        table, unit = self.child.found["at"]
        seats = ", ".join(spec.label for spec in self.experiments[table].players)
        return f" (in unit {unit} of {seats})"

    def _child_games(self) -> int:
        return sum(self._child_units() * len(player.seatings) for player in self.players)

    def _child_units(self) -> int:
        return min(self._share(AGAIN_UNITS), self.games)

    def legal(self) -> Check:
        """Play and let no fault pass."""
        alone = others = 0
        for experiment in self.experiments:
            strict = replace(experiment.longer(self.games), on_error="stop")
            try:
                Player(strict).play(0, strict.units, control())
            except StrategyFaultError as fault:
                return Check("legal", False, f"{fault.what}; {replay(strict, fault.unit, fault.seating)}")
            if len(strict.labels) == 1:
                alone += strict.games
            else:
                others += strict.games
        ends = self.child.found.get("ends")
        if ends:
            return Check("legal", False, f"at an end of RANGES: {ends['what']}; {ends['where']}")
        told = f"{alone} games against itself" + (
            f" and {others} games against random players" if others else ""
        )
        ranges = self.strategy.listing.ranges and (", and at the ends of RANGES" if ends == {} else "")
        slow = (
            ", not at the ends of RANGES: too slow there"
            if self.strategy.listing.ranges and not ranges
            else ""
        )
        return Check("legal", True, f"only legal answers in {told}{self._where()}{ranges or slow}")

    def _where(self) -> str:
        """The sizes of the tables, in games that have several, and the other options tried."""
        sizes = [f"tables of {', '.join(map(str, sorted(self.sizes)))}"] if len(self.sizes) > 1 else []
        options = [f"{name}={value}" for name, value in self.experiments[0].game.check_options.items()]
        return f" ({', '.join([*sizes, *options])})" if sizes or options else ""

    def deterministic(self) -> Check:
        """The same games in one go, one by one backwards, and in a fresh process give the same counts.

        There the clock leaps, hashes have another order, and the folder is another. Plain Python is played in
        two threads at once, too.
        """
        first, units = digest_at_once(self.players, self._child_units()), range(self._child_units())
        told = "keep nothing between games but in view.game_memory, and draw chance from the view's stream"
        if digest(self.players, units[::-1]) != first:
            what = f"the same games played again, in another order, ended otherwise; {told}"
            return Check("deterministic", False, f"{what}; {self._shown()}")
        if self.python and not self._in_threads():
            return Check(
                "deterministic", False, f"the same games ended otherwise in two threads at once; {told}"
            )
        if self.child.found.get("digest") not in (None, first):
            others = "another folder, order of sets and time of day"
            what = f"the same games ended otherwise in a fresh process, with {others}; {told}"
            return Check("deterministic", False, f"{what}; {self._shown()}")
        if others := self._other_constants():
            what = f"its {others} had another value in a fresh process"
            why = "compiled code keeps the one of the day on which it was compiled; write it out"
            return Check("deterministic", False, f"{what}: {why}")
        return Check(
            "deterministic", True, "the same seed gives the same games, in any order, process and hour"
        )

    def _shown(self) -> str:
        """The command that shows a game in which it may be seen."""
        return f"compare two calls of: {replay(self.experiments[0], 0, 0)} --as json"

    def _in_threads(self) -> bool:
        """Whether games come out alike when two threads play at the same time."""
        units = range(min(THREAD_UNITS, self._child_units()))
        alone, found = digest(self.players[:1], units), list[str]()
        threads = [
            threading.Thread(target=lambda: found.append(digest(self.players[:1], units))) for _ in range(2)
        ]
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(before)
        return found == [alone, alone]

    def _other_constants(self) -> str:
        """Names of compiled-in values that the fresh process found otherwise."""
        there, here = self.child.found.get("constants", {}), constants(self.strategy)
        return ", ".join(sorted(name for name in there if there[name] != here.get(name)))

    def reference(self) -> Check:
        """The compiled kernel and the reference engine play the same games alike."""
        if self.python:
            return Check("reference", True, "plain Python is played by the reference engine")
        units = self._share(REFERENCE_UNITS)
        if not all(engines_agree(player, units) for player in self.players):
            return Check(
                "reference", False, "the kernel and the reference engine play other games with it; "
                "if it is deterministic, please report it",
            )  # fmt: skip
        games_played = units * sum(len(player.seatings) for player in self.players)
        return Check("reference", True, f"kernel and reference engine agree on {games_played} games")

    def honest(self) -> Check:
        """Cards it cannot see do not matter."""
        if self.strategy.cheats:
            return Check("honest", None, "not made: it says that it cheats, and plays only with --cheats")
        asked, played = 0, [(self.players[0], 1)]
        if self.players[0].game.check_options:
            played.append((self.players[-1], HONEST_UNITS))
        for player, units in played:
            tries, seconds = HONEST_TRIES // len(played), HONEST_SECONDS / len(played)
            found = honesty.examine(player, units, tries, seconds)
            asked += found.asked
            if found.problem:
                shown = f"{replay(player.experiment, found.unit, 0)} --view {found.seat}"
                return Check("honest", False, f"{found.problem}; use nothing but the view: {shown}")
        return Check("honest", True, f"other cards where it cannot see changed none of {asked} decisions")

    def tidy(self) -> Check:
        """It prints nothing; how much memory it takes."""
        if self.child.printed:
            what = f"it printed {self.child.printed:,} bytes on standard output in the fresh process"
            return Check("tidy", False, f"{what}, which would spoil --format json; take out print")
        grown = self._grown()
        return Check("tidy", True, f"prints nothing; a fresh process that played it grew by {grown}")

    def _grown(self) -> str:
        return f"{math.ceil(self.child.found.get('grown', 0) / (1 << 20)):,} MB"

    def speed(self) -> Check:
        """Time a decision takes."""
        seconds = speed.time_a_decision(self.experiments[0], self.label)
        rate = 1 / (seconds * speed.decisions_a_game(self.players[0]))
        return Check("speed", True, f"{seconds * 1e9:,.1f} ns a decision, {rate:,.0f} games/s on one core")
