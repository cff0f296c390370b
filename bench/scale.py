"""A long run costs what it has to: report time and folder size beside those of a run of 10,000 games.

    python bench/scale.py [--games N] [--jobs N] [--seats LINE-UP] [--keep FOLDER] [--check]

Plays both runs with ``--out``, tells the size of every file, then has ``bridzik report`` make both reports in
turn and tells the seconds and the peak memory (where the system tells it). Exit code 1 with ``--check`` when
the long run's report takes more than half as long again, or its folder 50 MB.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from promises import run

SHORT, ROUNDS, MOST_BYTES, MOST_RATIO = 10_000, 3, 50_000_000, 1.5


def play(folder: Path, games: int, asked: argparse.Namespace) -> None:
    """Play a run into a folder, unless it is there, and tell what it cost."""
    if not (folder / "experiment.toml").exists():
        command = ["simulate", "--seats", asked.seats, "--games", str(games), "--seed", "1", "--quiet"]
        jobs = ["--jobs", str(asked.jobs)] if asked.jobs else []
        seconds, megabytes, _ = run(*command, *jobs, "--out", str(folder))
        print(
            f"{games:,} games: played in {seconds:.1f} s, {games / seconds:,.0f} a second, {megabytes:.0f} MB"
        )


def sizes(folders: tuple[Path, Path]) -> int:
    """Print the bytes of each file of both folders side by side; returns those of the second."""
    names = sorted({path.name for folder in folders for path in folder.iterdir() if path.is_file()})
    total = [0, 0]
    for name in names:
        found = [(folder / name).stat().st_size if (folder / name).exists() else 0 for folder in folders]
        total = [a + b for a, b in zip(total, found, strict=True)]
        print(f"  {name:24} {found[0]:12,} {found[1]:12,}")
    print(f"  {'all':24} {total[0]:12,} {total[1]:12,}")
    return total[1]


def main() -> int:
    """Measure and print; 1 when a figure that is required is not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=lambda text: int(float(text)), default=10**8)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seats", default="random*4")
    parser.add_argument("--keep", type=Path, help="play into this folder, or take the runs that it has")
    parser.add_argument("--check", action="store_true", help="end with 1 when a figure is not reached")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = (asked.keep or Path(temporary)).resolve()
        place.mkdir(parents=True, exist_ok=True)
        folders = (place / str(SHORT), place / str(asked.games))
        for folder, games in zip(folders, (SHORT, asked.games), strict=True):
            play(folder, games, asked)
        found: list[list[float]] = [[], []]
        peak = [0.0, 0.0]
        for _ in range(ROUNDS):
            for at, folder in enumerate(folders):
                seconds, megabytes, _ = run("report", str(folder), "--quiet")
                found[at].append(seconds)
                peak[at] = max(peak[at], megabytes)
        size = sizes(folders)
    times = [statistics.median(times) for times in found]
    for games, seconds, megabytes in zip((SHORT, asked.games), times, peak, strict=True):
        print(f"report of {games:,} games: {seconds:.2f} s, {megabytes:.0f} MB")
    ratio = times[1] / times[0]
    print(f"ratio of the reports {ratio:.2f}, folder {size / 1e6:.1f} MB")
    return 1 if asked.check and (ratio > MOST_RATIO or size > MOST_BYTES) else 0


if __name__ == "__main__":
    sys.exit(main())
