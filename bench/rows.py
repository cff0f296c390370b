"""Rows a second: to Parquet and CSV from ``simulate`` as a whole, and of the encoders beside pandas.

    python bench/rows.py [--games N] [--jobs N] [--check]

The whole is a process of the program that plays `random*4`, keeps the rows and draws the report; it needs the
extra `[parquet]`. The encoders run on one core, on the rows of one chunk as it is played. Exit code 1 with
``--check`` when Parquet has less than a million rows a second or CSV is slower than pandas.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from bridzik_sim import csv_rows, experiment, parquet_rows
from bridzik_sim.executors import cores
from bridzik_sim.play import Player

LINE, ROWS_A_GAME, CHUNK, ROUNDS = "random*4", 128, 1024, 5
REQUIRED = 1e6


def whole(kind: str, games: int, jobs: int) -> float:
    """Rows a second of a run that keeps its rows."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["simulate", "--seats", LINE, "--games", str(games), "--seed", "1", "--rows", kind]
        command += ["--jobs", str(jobs), "--out", folder, "--quiet"]
        began = time.perf_counter()
        root = Path(__file__).resolve().parent.parent
        done = subprocess.run([sys.executable, "-m", "cli", *command], cwd=root, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        if done.returncode:
            sys.exit(f"bridzik {' '.join(command)} ended with exit code {done.returncode}")
        size = os.path.getsize(Path(folder) / f"rows.{kind}") / (games * ROWS_A_GAME)
    print(f"{kind + ', whole run':28} {games * ROWS_A_GAME / seconds / 1e6:8.2f} million rows a second"
          f"   {size:6.2f} bytes a row   {seconds:.1f} s")  # fmt: skip
    return games * ROWS_A_GAME / seconds


def encoders() -> float:
    """How many times as fast as pandas CSV is written; prints all encoders, measured in turn."""
    made = experiment.make(LINE, CHUNK, 1)
    player = Player(experiment.make(LINE, CHUNK, 1, rows="csv"))
    rows = player.units(0, CHUNK, np.zeros(2, np.int64)).rows
    columns, labels = list(made.game.row_columns), made.labels

    def by_pandas() -> bytes:
        frame = pd.DataFrame(rows, columns=columns)
        frame["strategy"] = np.array(labels, object)[rows[:, columns.index("strategy")]]
        return frame.to_csv(index=False, lineterminator="\n").encode()

    ways: dict[str, Callable[[], bytes]] = {
        "pandas.to_csv": by_pandas,
        "csv, encoder": lambda: csv_rows.part(columns, labels, rows),
        "parquet, encoder": lambda: parquet_rows.part(columns, labels, rows),
    }
    assert ways["csv, encoder"]() == by_pandas()
    best = dict.fromkeys(ways, np.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - began)
    for name, seconds in best.items():
        ratio = best["pandas.to_csv"] / seconds
        print(f"{name:28} {len(rows) / seconds / 1e6:8.2f} million rows a second   {ratio:6.1f} times pandas")
    return best["pandas.to_csv"] / best["csv, encoder"]


def main() -> int:
    """Measure and print; 1 when a figure that is required is not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--check", action="store_true", help="end with 1 when a figure is not reached")
    asked = parser.parse_args()
    ratio = encoders()
    whole("parquet", 1000, asked.jobs)  # which compiles
    parquet, _ = (whole(kind, asked.games, asked.jobs) for kind in ("parquet", "csv"))
    reached = parquet >= REQUIRED and ratio >= 1
    return 1 if asked.check and not reached else 0


if __name__ == "__main__":
    sys.exit(main())
