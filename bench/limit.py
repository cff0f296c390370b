"""How far the compiled kernel is from the limit: whole games against hand-written C, on one core.

    python bench/limit.py [--rounds N] [--check]

``limit.c`` plays the same games with nothing around them: no views, no strategies as functions, no checks
of answers, no counts. Each round runs the baseline and the kernel in turn, several short runs each, and takes
the fastest of either, so that other work on the machine disturbs both alike; what counts is the median ratio
of the rounds. Times are processor time. Needs an x86-64 processor with BMI2 and gcc; elsewhere it says so.

Exit code 1 with ``--check`` when a ratio is worse than required.
"""

from __future__ import annotations

import argparse
import functools
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bridzik_sim import cards, lineup, match, strategy, tally  # noqa: E402  (found beside bench/)
from bridzik_sim.games.bridzik.rules import GAME  # noqa: E402
from bridzik_sim.games.game import Chunk, Game  # noqa: E402

# Mode of limit.c, the strategy that plays by the same rule, and how many times its time the kernel may take.
MODES = (("random", "random", 7.0), ("heur", str(HERE / "strategies" / "limit_rule.py"), 3.5))
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


def table_of(source: str, game: Game = GAME, seats: int = GAME.usual_seats) -> Callable[[int, int], None]:
    """Play units ``first`` to ``stop`` with one strategy in every seat."""
    seat = strategy.load(lineup.Spec(source, source, ()), game)
    functions = {name: (function,) for name, function in seat.compiled(game).items()}
    alone = match.simulate([0] * seats)
    counts = tally.zeros(game.tallies([source], alone))
    rows = np.zeros((0, len(game.row_columns)), np.int64)

    def play(first: int, stop: int) -> None:
        options = game.parse_options({})
        params = seat.params[np.newaxis]
        game.kernel.play_chunk(Chunk(functions, params, alone, 7, options, first, stop, False, counts, rows))

    return play


def kernel_time(play: Callable[[int, int], None], decisions: int = DECISIONS) -> float:
    """Nanoseconds a decision of the kernel, the fastest of several runs over different units."""
    fastest = float("inf")
    for run in range(RUNS):
        began = time.thread_time()
        play(run * KERNEL_GAMES, (run + 1) * KERNEL_GAMES)
        fastest = min(fastest, time.thread_time() - began)
    return fastest / KERNEL_GAMES / decisions * 1e9


def compare(program: Path, rounds: int) -> bool:
    """Measure every mode, print the table, and tell whether every ratio is as required."""
    print(f"{'mode':8}{'C, ns':>8}{'kernel, ns':>12}{'ratio':>8}{'min..max':>14}{'required':>10}")
    kept = True
    for mode, source, required in MODES:
        play = table_of(source)
        measure = (functools.partial(baseline_time, program, mode), functools.partial(kernel_time, play))
        play(0, 100)
        times = [(measure[0](), measure[1]()) for _ in range(rounds)]
        ratios = [kernel / baseline for baseline, kernel in times]
        ratio = statistics.median(ratios)
        baseline, kernel = (statistics.median(column) for column in zip(*times, strict=True))
        kept &= ratio <= required
        spread = f"{min(ratios):.2f}..{max(ratios):.2f}"
        print(f"{mode:8}{baseline:8.2f}{kernel:12.2f}{ratio:8.2f}{spread:>14}{required:10.1f}")
    return kept


def main() -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="rounds to measure (default 9)")
    parser.add_argument("--check", action="store_true", help="end with 1 when a ratio is worse than required")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    reason = missing()
    if reason:
        print(f"nothing measured: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        kept = compare(build(folder), arguments.rounds)
    return 1 if arguments.check and not kept else 0


if __name__ == "__main__":
    sys.exit(main())
