"""How far the compiled kernel is from the limit: whole games against hand-written C, on one core.

    python bench/limit.py [--rounds N] [--parts] [--check]

``limit.c`` plays the same games with nothing around them: no views, no strategies as functions, no checks
of answers, no counts. It is measured against the kernel for any strategies and against the one that a long
run has made for its strategies (``plans.py``). Each round runs all in turn, several short runs each, and
takes the fastest of each, so that other work on the machine disturbs all alike; what counts is the median
ratio of the rounds. Times are processor time. Needs an x86-64 processor with BMI2 and gcc; elsewhere it says
so. ``--parts`` tells what each half of a plan brings. Two threads are measured against one at the end.

Exit code 1 with ``--check`` when a ratio is worse than required.
"""

from __future__ import annotations

import argparse
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bridzik_sim import cards, lineup, match, plans, strategy, tally
from bridzik_sim.executors import cores
from bridzik_sim.games.bridzik.rules import GAME
from bridzik_sim.games.game import Chunk, Game

HERE = Path(__file__).resolve().parent
# Mode of limit.c, the strategy that plays by the same rule, and how many times its time a kernel made for it
# may take.
MODES = (("random", "random", 3.5), ("heur", str(HERE / "strategies" / "limit_rule.py"), 2.0))
TWO_CORES = 1.85
"""How many times the games of one thread two should play in the same time."""
BASELINE_GAMES, KERNEL_GAMES, RUNS = 5000, 1000, 25
DECISIONS = GAME.decisions_a_game(GAME.usual_seats)


def missing() -> str:
    """What is needed and not there, or nothing."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return f"limit.c is written for x86-64 processors; this one is {platform.machine()}"
    if not cards.has_pdep():
        return "limit.c needs a processor with a fast pdep instruction (BMI2)"
    if shutil.which("gcc") is None:
        return "gcc is not installed; limit.c cannot be compiled"
    return ""


def build(folder: str) -> Path:
    """Compile limit.c and return the program."""
    program = Path(folder) / "limit"
    command = ["gcc", "-O3", "-march=native", "-o", str(program), str(HERE / "limit.c"), "-lm"]
    subprocess.run(command, check=True)
    return program


def baseline_time(program: Path, mode: str) -> float:
    """Nanoseconds a decision of limit.c, the fastest of several runs."""
    command = [str(program), "bench", mode, str(BASELINE_GAMES), str(RUNS)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fastest = re.search(r"max (\d+)", text)
    assert fastest is not None
    return 1e9 / (float(fastest[1]) * DECISIONS)


def table_of(
    source: str, plan: plans.Plan | None = None, game: Game = GAME, seats: int = GAME.usual_seats
) -> Callable[[int, int], None]:
    """Play units ``first`` to ``stop`` with one strategy in every seat."""
    seat = strategy.load(lineup.Spec(source, source, ()), game)
    functions = {name: (function,) for name, function in seat.compiled(game).items()}
    alone = match.simulate([0] * seats)
    layouts = game.tallies([source], alone)
    rows = np.zeros((0, len(game.row_columns)), np.int64)

    def play(first: int, stop: int) -> None:
        options, counts = game.parse_options({}), tally.zeros(layouts)
        params = seat.params[np.newaxis]
        chunk = Chunk(functions, params, alone, 7, options, first, stop, False, counts, rows, plan=plan)
        game.kernel.play_chunk(chunk)

    return play


def plan_of(source: str) -> plans.Plan:
    """The plan for a table of one strategy."""
    seat = strategy.load(lineup.Spec(source, source, ()), GAME)
    plan = plans.plan_for([seat.compiled(GAME)], [seat.fingerprint], GAME.view)
    assert plan is not None
    return plan


def variants(source: str, parts: bool) -> dict[str, Callable[[int, int], None]]:
    """The kernels that are measured, by what they are made for."""
    own = plan_of(source)
    made: dict[str, plans.Plan | None] = {"any strategies": None}
    if parts:
        made["its fields"] = plans.Plan(f"{own.key}-fields", own.fields, None)
        made["its code"] = plans.Plan(f"{own.key}-code", None, own.functions)
    made["this strategy"] = own
    for plan in made.values():
        if plan is not None:
            GAME.kernel.specialise(plan)
    return {name: table_of(source, plan) for name, plan in made.items()}


def kernel_time(play: Callable[[int, int], None], decisions: int = DECISIONS) -> float:
    """Nanoseconds a decision of the kernel, the fastest of several runs over different units."""
    fastest = float("inf")
    for run in range(RUNS):
        began = time.thread_time()
        play(run * KERNEL_GAMES, (run + 1) * KERNEL_GAMES)
        fastest = min(fastest, time.thread_time() - began)
    return fastest / KERNEL_GAMES / decisions * 1e9


def compare(program: Path, rounds: int, parts: bool) -> bool:
    """Measure every mode, print the table, and tell whether every ratio is as required."""
    print(
        f"{'mode':8}{'kernel for':16}{'C, ns':>8}{'kernel, ns':>12}{'ratio':>8}{'min..max':>14}{'wanted':>8}"
    )
    kept = True
    for mode, source, required in MODES:
        kernels = variants(source, parts)
        times: list[Any] = []
        for _ in range(rounds):
            times.append((baseline_time(program, mode), *map(kernel_time, kernels.values())))
        baseline = statistics.median(row[0] for row in times)
        for place, name in enumerate(kernels, 1):
            ratios = [row[place] / row[0] for row in times]
            ratio, kernel = statistics.median(ratios), statistics.median(row[place] for row in times)
            spread, last = f"{min(ratios):.2f}..{max(ratios):.2f}", name == "this strategy"
            kept &= not last or ratio <= required
            wanted = f"{required:8.1f}" if last else ""
            print(f"{mode:8}{name:16}{baseline:8.2f}{kernel:12.2f}{ratio:8.2f}{spread:>14}{wanted}")
    return kept


def two_cores(rounds: int) -> bool:
    """Games of two threads to those of one in the same time; says so where there is only one core."""
    if cores() < 2:
        print("two threads: not measured, this process may use one core")
        return True
    play = table_of("random", plan_of("random"))
    ratios = []
    for _ in range(rounds):
        alone = together(play, 1)
        ratios.append(2 * alone / together(play, 2))
    ratio = statistics.median(ratios)
    spread = f"{min(ratios):.2f}..{max(ratios):.2f}"
    print(f"two threads play {ratio:.2f} times the games of one ({spread}; required {TWO_CORES})")
    return ratio >= TWO_CORES


def together(play: Callable[[int, int], None], threads: int) -> float:
    """Seconds until so many threads have each played the same number of games."""
    workers = [threading.Thread(target=play, args=(0, RUNS * KERNEL_GAMES)) for _ in range(threads)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - began


def main() -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="rounds to measure (default 9)")
    parser.add_argument("--parts", action="store_true", help="measure the two halves of a plan, too")
    parser.add_argument("--check", action="store_true", help="end with 1 when a ratio is worse than required")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    reason = missing()
    if reason:
        print(f"nothing measured: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        kept = compare(build(folder), arguments.rounds, arguments.parts)
    kept &= two_cores(arguments.rounds)
    return 1 if arguments.check and not kept else 0


if __name__ == "__main__":
    sys.exit(main())
