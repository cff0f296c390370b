"""Measures how long honeymoon bridge's solver takes for the play of random deals, beside what is required.

    python bench/solver.py [--deals N]

Each deal gives two hands of 13 to be solved in five strains, one after the other with one table, as the
kernel does with ``--option par=on``. Then the same without memory of what was solved before: a new table for
every strain. Times are processor time, of one strain, without compiling; below them stands how many positions
were looked at. Exit code 1 when a strain takes longer than it may.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from promises import Promises

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridzik_sim.games.honeymoon import par, solver

SEED = 7
MOST = 5.0
"""Milliseconds that a strain may take in the mean."""


def hands(random: np.random.Generator) -> list[int]:
    """Two hands of 13 cards."""
    cards = random.permutation(52)
    return [sum(1 << int(card) for card in cards[start : start + 13]) for start in (0, 13)]


def measure(deals: int, keep: bool) -> tuple[list[float], list[int]]:
    """Milliseconds and positions of every strain of so many deals; ``keep`` one table for all."""
    random, table = np.random.default_rng(SEED), solver.new_table()
    times, looked_at = [], []
    for _ in range(deals):
        north, south = hands(random)
        for trump in range(-1, 4):
            table = table if keep else solver.new_table()
            before, start = int(table[-1, 0]), time.thread_time()
            par.play_tricks(north, south, trump, 0, -1, table)
            times.append(1e3 * (time.thread_time() - start))
            looked_at.append(int(table[-1, 0]) - before)
    return times, looked_at


class SolverPromises(Promises):
    """The promise of the solver, of either way to use it."""

    def strains(self, deals: int, name: str, keep: bool) -> None:
        """Mean time of a strain; then, with nothing required, the slow ones and the positions."""
        times, looked_at = measure(deals, keep)
        mean, late, worst = np.mean(times), np.percentile(times, 99), np.max(times)
        what = f"{name}, {len(times):,} strains"
        self.tell(f"{what}: mean", f"{mean:.2f} ms", f"at most {MOST:g} ms", bool(mean <= MOST))
        self.tell(f"{what}: 99 % below, worst", f"{late:.2f}, {worst:.2f} ms", "-", True)
        mean, worst = np.mean(looked_at), np.max(looked_at)
        self.tell(f"{what}: positions, mean and worst", f"{mean:,.0f}, {worst:,}", "-", True)


def main() -> int:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=2000, help="random deals, each in five strains")
    deals = parser.parse_args().deals
    measure(1, True)
    promises = SolverPromises()
    promises.strains(deals, "one table", True)
    promises.strains(deals, "a new table each", False)
    return 0 if promises.kept else 1


if __name__ == "__main__":
    sys.exit(main())
