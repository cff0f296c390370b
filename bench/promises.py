"""Measures what README promises and prints it beside what is required.

    python bench/promises.py [--games N]

Times and memory are of whole processes of the installed program; game figures come from its own JSON. The
million-game run fills a temporary folder. Exit code 1 when a promise is not kept.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RULE = HERE / "strategies" / "limit_rule.py"
PROGRAM = [sys.executable, "-m", "cli"]
SEED = "2026"
ONE_CARD = (0.55489, 0.53660, 0.51830, 0.42835)


def run(*arguments: str) -> tuple[float, float, str]:
    """Seconds, peak memory in MB (0 where the system does not tell) and output of one call of the program."""
    began = time.perf_counter()
    process = subprocess.Popen([*PROGRAM, *arguments], cwd=HERE.parent, stdout=subprocess.PIPE)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        megabytes = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
    else:
        code, megabytes = process.wait(), 0.0
    if code != 0:
        sys.exit(f"bridzik {' '.join(arguments)} ended with exit code {code}")
    return time.perf_counter() - began, megabytes, output


def tables(game: str, seats: str, count: int, *more: str) -> dict[str, list[dict[str, str]]]:
    """The CSV tables of a run by name."""
    with tempfile.TemporaryDirectory() as folder:
        line = ("simulate", "--game", game, "--seats", seats, "--games", str(count), "--seed", SEED)
        run(*line, "--out", folder, "--quiet", *more)
        return {
            path.stem: list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
            for path in Path(folder).glob("*.csv")
        }


def compared(game: str, a: str, b: str, count: int, players: int, *more: str) -> dict[str, Any]:
    """What ``compare`` found; 0 players where a game leaves no choice."""
    seats = ("--players", str(players)) if players else ()
    line = ("compare", a, b, "--game", game, "--games", str(count), *seats, *more)
    found: dict[str, Any] = json.loads(run(*line, "--seed", SEED, "--format", "json", "--quiet")[2])
    return found


def standings(seats: str, games: int, *more: str) -> dict[str, dict[str, float]]:
    """Rows of the standings by strategy."""
    arguments = (
        "--seats",
        seats,
        "--games",
        str(games),
        "--seed",
        SEED,
        "--format",
        "json",
        "--quiet",
        *more,
    )
    return {row["strategy"]: row for row in json.loads(run("simulate", *arguments)[2])["standings"]}


class Promises:
    """Prints each promise with its measure; remembers whether all were kept."""

    kept = True

    def tell(self, what: str, measured: str, required: str, good: bool) -> None:
        """One line of the table."""
        self.kept &= good
        print(f"{what:66} {measured:>22}   {required:24} {'ok' if good else 'NOT KEPT'}", flush=True)

    def times(self, games: int) -> None:
        """Start-up, a warm small run, the million games with tables and pictures, memory at a tenth of it."""
        helps = [run("--help")[0] for _ in range(9)]
        self.tell(
            "bridzik --help",
            f"{statistics.median(helps):.2f} s",
            "at most 0.15 s",
            statistics.median(helps) <= 0.15,
        )
        small = ("simulate", "--seats", "heuristic,simple,random*2", "--games", "1000", "--seed", "7")
        run(*small)
        warm = statistics.median(run(*small)[0] for _ in range(5))
        self.tell("a warm simulate of 1,000 games", f"{warm:.2f} s", "at most 1.5 s", warm <= 1.5)
        peaks = []
        for number in (games // 10, games):
            with tempfile.TemporaryDirectory() as folder:
                line = (
                    "simulate",
                    "--seats",
                    "heuristic,simple,random*2",
                    "--games",
                    str(number),
                    "--seed",
                    "7",
                )
                seconds, peak, _ = run(*line, "--out", folder, "--quiet")
            peaks.append(peak)
        self.tell(
            f"{games:,} games of heuristic,simple,random*2 with --out",
            f"{seconds:.1f} s",
            "under 60 s",
            seconds < 60,
        )
        text = f"{peaks[0]:.0f} and {peaks[1]:.0f} MB"
        self.tell(
            "peak memory at a tenth of the games and at all",
            text,
            "under 600 MB, no growth",
            peaks[1] < 600 and peaks[1] < 1.1 * peaks[0],
        )

    def tournament(self, games: int) -> None:
        """Peak memory of everyone against everyone."""
        bold = [f"c{n}=heuristic:courage={n / 10}" for n in range(1, 6)]
        entrants = ["heuristic", "simple", "random", *bold]
        with tempfile.TemporaryDirectory() as folder:
            line = ("tournament", *entrants, "--games", str(games), "--seed", "7", "--out", folder, "--quiet")
            seconds, peak, _ = run(*line)
        self.tell(
            f"a tournament of {len(entrants)}, {games:,} games each: peak memory",
            f"{peak:.0f} MB ({seconds:.0f} s)",
            "under 800 MB",
            peak < 800,
        )

    def averages(self, games: int) -> None:
        """Average points of the two line-ups whose values are known."""
        for seats, known in (("random*4", 79.69), (f"rule={RULE}*4", 179.92)):
            (row,) = standings(seats, games).values()
            text = f"{row['points']:.2f} ± {row['points_se']:.2f}"
            self.tell(
                f"{seats.split('=')[0]}: points a game and seat",
                text,
                f"{known} within 4 errors",
                abs(row["points"] - known) < 4 * row["points_se"],
            )

    def one_card(self, games: int) -> None:
        """Hit rates of one-card rounds by position."""
        with tempfile.TemporaryDirectory() as folder:
            run(
                "simulate",
                "--seats",
                "random*4",
                "--games",
                str(games),
                "--seed",
                "2026",
                "--option",
                "hand_sizes=1",
                "--out",
                folder,
                "--quiet",
            )
            lines = (Path(folder) / "accuracy.csv").read_text().splitlines()[1:]
        for exact, line in zip(ONE_CARD, lines, strict=True):
            _, _, position, bids, _, rate, *_ = line.split(",")
            error = math.sqrt(exact * (1 - exact) / int(bids))
            self.tell(
                f"one-card rounds, position {position}: exact bids",
                f"{float(rate):.5f}",
                f"{exact} within 4 errors",
                abs(float(rate) - exact) < 4 * error,
            )

    def heuristic(self, games: int) -> None:
        """The built-in player against the simple one, and among its like."""
        rows = standings("heuristic,simple*3", games)
        lead = rows["heuristic"]["points"] - rows["simple"]["points"]
        self.tell(
            "heuristic against three simple: lead in points a game", f"{lead:.1f}", "at least 12", lead >= 12
        )
        exact = standings("heuristic*4", games)["heuristic"]["exact"]
        self.tell("heuristic*4: exact bids", f"{100 * exact:.1f} %", "at least 57 %", exact >= 0.57)


def main() -> int:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="games of the large runs")
    games = parser.parse_args().games
    run("warmup", "--quiet")
    promises = Promises()
    promises.times(games)
    promises.tournament(games // 10)
    promises.averages(games)
    promises.one_card(games)
    promises.heuristic(games // 10)
    return 0 if promises.kept else 1


if __name__ == "__main__":
    sys.exit(main())
