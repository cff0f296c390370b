"""Is a strategy fit to play? Each check answers with one line; ``bridzik check`` prints them.

Run as a program (``python -m bridzik_sim.check``) it is the fresh process that the checks of bounds and
determinism need: it gets what to play as JSON in its argument and prints what it found as JSON.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bridzik_sim import experiment as experiments
from bridzik_sim import games, honesty, lineup, sources, speed, tally
from bridzik_sim.errors import StrategyFaultError, UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.game import Game, Options
from bridzik_sim.lineup import Spec
from bridzik_sim.play import Player
from bridzik_sim.tally import Counts

SEED = 1
AGAIN_UNITS, REFERENCE_UNITS = 50, 5
HONEST_UNITS, HONEST_TRIES, HONEST_SECONDS = 8, 24, 5.0
CHILD_SECONDS, COMPILING_SECONDS = 120, 900
"""A fresh process may play so long, and before that compile so long."""
OPPONENT = "random"


@dataclass(frozen=True)
class Check:
    """The outcome of one check; ``ok`` is None when it was not made."""

    name: str
    ok: bool | None
    detail: str


def examine(text: str, game: str = "bridzik", games_wanted: int = 200) -> Iterator[Check]:
    """Check the strategy that ``text`` specifies, check by check.

    ``UsageError`` or ``StrategyError`` when it cannot be loaded or compiled.
    """
    subject = _Subject(text, game, games_wanted)
    yield subject.loads()
    bounds = subject.bounds()
    yield bounds
    if not bounds.ok:
        # What killed or held up a process of its own would do the same to this one.
        outside = "what is read outside of an array is garbage"
        why = outside if subject.child.get("outside") else "it cannot be played safely"
        rest = ("legal", "deterministic", "reference", "honest", "speed")
        yield from [Check(name, None, f"not made: {why}") for name in rest]
        return
    yield subject.legal()
    deterministic = subject.deterministic()
    yield deterministic
    yield subject.reference()
    yield (
        subject.honest() if deterministic.ok else Check("honest", None, "not made: needs a deterministic one")
    )
    yield subject.speed()


def table_sizes(game: Game) -> list[int]:
    """Sizes of a table at which strategies go wrong if at any: the usual, the smallest and the largest."""
    return list(dict.fromkeys((game.usual_seats, min(game.seat_counts), max(game.seat_counts))))


def tables(text: str, game: str) -> list[Experiment]:
    """What is played, at tables of several sizes: the strategy alone, and against random players.

    In games that name such, a table of its own with other rule options comes last.
    """
    specs = lineup.parse(text)
    if len(specs) != 1:
        raise UsageError(f"check takes one strategy at a time, not {text!r}")
    played, own = games.get(game), specs[0]
    sizes = table_sizes(played)
    found: list[tuple[list[Spec], Options]] = [([own] * seats, {}) for seats in sizes]
    if OPPONENT in sources.named(game) and own.source != OPPONENT:
        found += [([own, *[Spec(OPPONENT, OPPONENT, ())] * (seats - 1)], {}) for seats in sizes]
    if played.check_options:
        found.append(([own] * played.usual_seats, played.check_options))
    return [
        experiments.make(table, 1, SEED, game=game, options=options, seating="rotate", on_error="forfeit")
        for table, options in found
    ]


def digest(players: Iterable[Player], units: Iterable[int]) -> str:
    """Hash of all counts of these units, played one by one."""
    order, text = list(units), hashlib.blake2b(digest_size=8)
    for player in players:
        sums = tally.zeros(player.layouts)
        for unit in order:
            _add(sums, player.play(unit, unit + 1, _control()).counts)
        _update(text, sums)
    return text.hexdigest()


def digest_at_once(players: Iterable[Player], units: int) -> str:
    """The same hash for the first units, played in one go."""
    text = hashlib.blake2b(digest_size=8)
    for player in players:
        _update(text, player.play(0, units, _control()).counts)
    return text.hexdigest()


def engines_agree(player: Player, units: int) -> bool:
    """Whether kernel and reference engine count the same in the first units of a compiled line-up."""
    kernel = player.play(0, units, _control()).counts
    plain = tally.zeros(player.layouts)
    count, close_unit = player.game.kernel.count_units(plain, player.match)
    for unit in range(units):
        for seating in range(len(player.seatings)):
            count(player.record(unit, seating), seating)
        close_unit(unit)
    return all((kernel[name] == plain[name]).all() for name in plain)


def _add(sums: dict[str, Counts], counts: dict[str, Counts]) -> None:
    for name, values in counts.items():
        sums[name] += values


def _update(text: Any, counts: dict[str, Counts]) -> None:
    for name in sorted(counts):
        text.update(name.encode() + counts[name].tobytes())


def _control() -> Counts:
    return np.zeros(2, np.int64)


class _Subject:
    """A strategy under examination."""

    def __init__(self, text: str, game: str, games_wanted: int) -> None:
        began = time.perf_counter()
        self.text, self.game = text, game
        self.experiments = tables(text, game)
        self.sizes = table_sizes(self.experiments[0].game)
        self.games = self._share(games_wanted)
        self.players = [Player(experiment) for experiment in self.experiments]
        self.label = self.experiments[0].labels[0]
        self.python = self.experiments[0].strategies[self.label].python
        self.seconds = time.perf_counter() - began
        self.child: dict[str, Any] = {}

    def _share(self, wanted: int) -> int:
        """How many of the games or units wanted fall to tables of one size."""
        return -(-wanted // len(self.sizes))

    def loads(self) -> Check:
        strategy = self.experiments[0].strategies[self.label]
        verb = (
            "runs as plain Python"
            if self.python
            else f"compiled or found in the cache in {self.seconds:.1f} s"
        )
        return Check("loads", True, f"{strategy.listing.path}: {verb}")

    def bounds(self) -> Check:
        """Play in a fresh process, a compiled strategy with numba's bounds checks."""
        self.child = self._fresh_process()
        if failure := self.child.get("failure"):
            return Check("bounds", False, failure)
        if outside := self.child["outside"]:
            return Check("bounds", False, f"indexes outside of an array: {outside}")
        if self.python:
            return Check("bounds", True, "plain Python checks every index itself")
        return Check("bounds", True, f"no index outside of an array in {self._child_games()} games")

    def _child_games(self) -> int:
        return sum(self._child_units() * len(player.seatings) for player in self.players)

    def _child_units(self) -> int:
        return min(self._share(AGAIN_UNITS), self.games)

    def _fresh_process(self) -> dict[str, Any]:
        task = json.dumps(
            {"text": self.text, "game": self.game, "units": self._child_units(), "seconds": CHILD_SECONDS}
        )
        flags = {} if self.python else {"NUMBA_BOUNDSCHECK": "1"}
        command = [sys.executable, "-m", "bridzik_sim.check", task]
        try:
            done = subprocess.run(
                command, env={**os.environ, **flags}, capture_output=True, text=True,
                timeout=COMPILING_SECONDS + CHILD_SECONDS, encoding="utf-8", errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return self._too_slow()
        if re.search(r"^Timeout \(", done.stderr, re.MULTILINE):
            return self._too_slow()
        found = _last_line(done.stdout)
        if done.returncode or found is None:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            return {"failure": f"a fresh process that played it died with code {done.returncode}: {last}"}
        return found

    def _too_slow(self) -> dict[str, Any]:
        slow = "does it loop for ever? If it is only slow, take fewer games"
        what = f"a fresh process did not play {self._child_games()} games in {CHILD_SECONDS} s"
        return {"failure": f"{what}, the limit: {slow}"}

    def legal(self) -> Check:
        """Play and let no fault pass."""
        alone = others = 0
        for experiment in self.experiments:
            strict = replace(experiment.longer(self.games), on_error="stop")
            try:
                Player(strict).play(0, strict.units, _control())
            except StrategyFaultError as fault:
                where = f"{strict.as_arguments(fault.seating)} --unit {fault.unit}"
                return Check("legal", False, f"{fault}; bridzik replay {where}")
            if len(strict.labels) == 1:
                alone += strict.games
            else:
                others += strict.games
        told = f"{alone} games against itself" + (
            f" and {others} games against random players" if others else ""
        )
        return Check("legal", True, f"only legal answers in {told}{self._where()}")

    def _where(self) -> str:
        """The sizes of the tables, in games that have several, and the other options tried."""
        sizes = [f"tables of {', '.join(map(str, sorted(self.sizes)))}"] if len(self.sizes) > 1 else []
        options = [f"{name}={value}" for name, value in self.experiments[0].game.check_options.items()]
        return f" ({', '.join([*sizes, *options])})" if sizes or options else ""

    def deterministic(self) -> Check:
        """The same games in one go, one by one backwards, and in a fresh process give the same counts."""
        first = digest_at_once(self.players, self._child_units())
        if digest(self.players, reversed(range(self._child_units()))) != first:
            return Check(
                "deterministic", False, "the same games played again, in another order, ended otherwise"
            )
        if self.child.get("digest") not in (None, first):
            return Check("deterministic", False, "the same games ended otherwise in a fresh process")
        return Check("deterministic", True, "the same seed gives the same games, in any order and process")

    def reference(self) -> Check:
        """The compiled kernel and the reference engine play the same games alike."""
        if self.python:
            return Check("reference", True, "plain Python is played by the reference engine")
        units = self._share(REFERENCE_UNITS)
        if not all(engines_agree(player, units) for player in self.players):
            return Check("reference", False, "the kernel and the reference engine play other games with it")
        games_played = units * sum(len(player.seatings) for player in self.players)
        return Check("reference", True, f"kernel and reference engine agree on {games_played} games")

    def honest(self) -> Check:
        """Cards it cannot see do not matter."""
        asked, played = 0, [(self.players[0], 1)]
        if self.players[0].game.check_options:
            played.append((self.players[-1], HONEST_UNITS))
        for player, units in played:
            tries, seconds = HONEST_TRIES // len(played), HONEST_SECONDS / len(played)
            found = honesty.examine(player, units, tries, seconds)
            asked += found.asked
            if found.problem:
                return Check("honest", False, found.problem)
        return Check("honest", True, f"other cards where it cannot see changed none of {asked} decisions")

    def speed(self) -> Check:
        """Time a decision takes."""
        seconds = speed.time_a_decision(self.experiments[0], self.label)
        rate = 1 / (seconds * speed.decisions_a_game(self.players[0]))
        return Check("speed", True, f"{seconds * 1e9:,.1f} ns a decision, {rate:,.0f} games/s on one core")


def _last_line(output: str) -> dict[str, Any] | None:
    """What a fresh process found; None when it did not come to the end."""
    try:
        found = json.loads(output.splitlines()[-1])
    except (IndexError, ValueError):
        return None
    return found if isinstance(found, dict) and {"outside", "digest"} <= found.keys() else None


def _outside(players: Iterable[Player], units: int) -> str:
    """The first index outside of an array, empty when there is none. Other faults are not looked at."""
    for player in (Player(replace(forgiving.experiment, on_error="stop")) for forgiving in players):
        for unit in range(units):
            try:
                player.play(unit, unit + 1, _control())
            except StrategyFaultError as fault:
                if isinstance(fault.__cause__, IndexError):
                    return str(fault)
    return ""


def _as_program() -> None:
    task = json.loads(sys.argv[1])
    players = [Player(experiment) for experiment in tables(task["text"], task["game"])]
    compiled = bool(os.environ.get("NUMBA_BOUNDSCHECK"))
    if compiled:
        _ = players[0].game.kernel  # importing it compiles or loads it
    # Ends this process even where compiled code does not come back.
    faulthandler.dump_traceback_later(task["seconds"], exit=True)
    outside = _outside(players, task["units"]) if compiled else ""
    found = {"outside": outside, "digest": digest_at_once(players, task["units"])}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    _as_program()
