"""Measures how long the program takes to start, beside Python and numba, and what it may take.

    python bench/startup.py [--repeats N] [--cold N] [--check]

Whole processes, one after the other and in turns, so that a busy moment hits all alike. The table shows the
median and the fastest, and the median of the processor time, which other work disturbs least. Code that
Python and numba compile is kept in a directory that is thrown away at the end: Python's is there from the
first run on, numba's is removed before every cold run. With ``--check`` the exit code is 1 when a median is
above its limit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE_UP = ("simulate", "--seats", "heuristic,simple,random*2", "--games", "1000", "--seed", "7")
COMPLETE = {
    "_BRIDZIK_COMPLETE": "bash_complete", "COMP_WORDS": "bridzik simulate --ga", "COMP_CWORD": "2"
}  # fmt: skip
NOTICE = "compiling"


@dataclass
class Start:
    """A command line, the seconds it may take (None: it is only shown) and those it took."""

    what: str
    arguments: tuple[str, ...]
    most: float | None = None
    more: dict[str, str] = field(default_factory=dict)
    cold: bool = False
    took: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    """Processor seconds of the same runs; 0 on Windows, which does not tell them."""

    def once(self, caches: Path) -> None:
        """Run it in a process of its own; ends this program when it fails or says nothing of compiling."""
        code = caches / "numba"
        if self.cold:
            shutil.rmtree(code, ignore_errors=True)
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        } | {"BRIDZIK_CACHE_DIR": str(code), "PYTHONPYCACHEPREFIX": str(caches / "python"), **self.more}
        began, before = time.perf_counter(), os.times()
        done = subprocess.run(
            [sys.executable, *self.arguments], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        self.took.append(time.perf_counter() - began)
        after = os.times()
        self.busy.append(sum(after[2:4]) - sum(before[2:4]))
        if done.returncode or (NOTICE in done.stderr) != self.cold:
            sys.exit(f"{self.what}: exit code {done.returncode}\n{done.stderr}")

    @property
    def kept(self) -> bool:
        """Whether the median is within the limit."""
        return self.most is None or statistics.median(self.took) <= self.most


def starts() -> tuple[Start, list[Start]]:
    """The cold run, which leaves compiled code behind, and those that follow it."""
    program = ("-m", "cli")
    cold = Start("simulate, cold", (*program, *LINE_UP), 15.0, cold=True)
    return cold, [
        Start("python -c pass", ("-c", "pass")),
        Start("python -c 'import numba'", ("-c", "import numba")),
        Start("bridzik --help", (*program, "--help"), 0.12),
        Start("completion", program, 0.15, COMPLETE),
        Start("bridzik games", (*program, "games"), None),
        Start("simulate, warm", (*program, *LINE_UP), 1.0),
    ]


def show(measured: list[Start]) -> None:
    """Print a row a command."""
    print(f"{'whole process':<26}{'median':>10}{'fastest':>10}{'processor':>11}{'limit':>9}")
    for start in measured:
        limit = "-" if start.most is None else f"{start.most:.2f} s"
        mark = "" if start.kept else "  too slow"
        middle, busy = statistics.median(start.took), statistics.median(start.busy)
        print(f"{start.what:<26}{middle:>8.3f} s{min(start.took):>8.3f} s{busy:>9.3f} s{limit:>9}{mark}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9, help="warm runs of everything (default 9)")
    parser.add_argument("--cold", type=int, default=1, help="runs without compiled code (default 1)")
    parser.add_argument("--check", action="store_true", help="exit code 1 when something is too slow")
    given = parser.parse_args()
    cold, warm = starts()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(max(1, given.cold)):
            cold.once(Path(folder))
        for start in warm:
            start.once(Path(folder))  # compiles Python's own code
            start.took.clear()
            start.busy.clear()
        for _ in range(given.repeats):
            for start in warm:
                start.once(Path(folder))
    show([*warm, cold])
    return int(given.check and not all(start.kept for start in [*warm, cold]))


if __name__ == "__main__":
    sys.exit(main())
