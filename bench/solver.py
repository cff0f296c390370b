"""How long honeymoon bridge's solver takes for the play of random deals, and how many positions it looks at.

    python bench/solver.py [--deals N]

Each deal gives two hands of 13 to be solved in five strains, one after the other with one table, as the
kernel does with ``--option par=on``. Then the same without memory of what was solved before: a new table for
every strain. Times are processor time, of one strain, without compiling.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridzik_sim.games.honeymoon import par, solver

SEED = 7


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


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=2000, help="random deals, each in five strains")
    deals = parser.parse_args().deals
    measure(1, True)
    print(f"{deals} deals, {5 * deals} strains")
    for name, keep in (("one table", True), ("a new table each", False)):
        for unit, found in zip(("ms", "positions"), measure(deals, keep), strict=True):
            mean, high, worst = np.mean(found), np.percentile(found, 99), np.max(found)
            print(f"{name:16}  {unit:9}  mean {mean:9.2f}  99 % below {high:9.2f}  worst {worst:9.2f}")


if __name__ == "__main__":
    main()
