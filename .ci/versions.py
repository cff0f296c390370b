"""Play the test suite on several Pythons, with the newest dependencies that are allowed or the oldest.

    python3 .ci/versions.py                                # the oldest and the newest Python on PATH
    python3 .ci/versions.py python3.11 /opt/python3.15/bin/python3.15
    python3 .ci/versions.py --lowest python3.11            # with each dependency at its lower bound
    python3 .ci/versions.py python3.13 -- -n 1 tests/core  # what follows -- goes to pytest

For each Python this copies the files that git knows or would add to a temporary folder, lets start.py there
make a virtual environment with the project and its extra "test", and runs the suite once, as "start.py test"
does first. In the end stands a table. The exit code is 0 if every suite passed, else 1.

Where a program that tests compare with has no build for a Python, pyproject.toml does not ask for it there,
and those tests are skipped and counted. Each Python needs the module venv (Debian: python3.N-venv).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

TOP = Path(__file__).resolve().parents[1]
SHOWN = ("numba", "llvmlite", "numpy", "pandas", "scipy", "matplotlib", "msgspec", "click")
SUITE = "import start, sys; start.prepare('[test]'); sys.exit(start.suite(sys.argv[1:], bounds_checks={}))"
"""What each interpreter runs in its copy."""


def release(python: str) -> str | None:
    """The version of an interpreter; None if it does not start."""
    script = "import platform; print(platform.python_version())"
    try:
        told = subprocess.run([python, "-c", script], capture_output=True, text=True)
    except OSError:
        return None
    return told.stdout.strip() if told.returncode == 0 else None


def found() -> list[str]:
    """The oldest and the newest interpreter on PATH, this one among them."""
    names = [sys.executable, *(shutil.which(f"python3.{minor}") for minor in range(11, 40))]
    here = {int(version.split(".")[1]): name for name in names if name and (version := release(name))}
    return [here[minor] for minor in sorted({min(here), max(here)})]


def lowest(project: dict[str, Any]) -> str:
    """Constraints that hold each dependency at the lower bound that pyproject.toml gives it."""
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    bounded = sorted({line for group in groups for line in group if ">=" in line})
    return "\n".join(re.sub(">=([^,;]+)[^;]*", r"==\1", line) for line in bounded)


def copy(place: Path) -> None:
    """Copy what git knows or would add, as it is in the work tree."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True, encoding="utf-8")
    for name in filter(None, listing.stdout.split("\0")):
        if (TOP / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, place / name)


def play(python: str, constraints: str, bounds_checks: bool, arguments: list[str]) -> dict[str, str]:
    """Run the suite on one interpreter; returns a row of the table."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bridzik-", ignore_cleanup_errors=True) as folder:
        place, cache, report = Path(folder, "bridzik"), Path(folder, "cache"), Path(folder, "report.xml")
        copy(place)
        environment = {**os.environ, "BRIDZIK_CACHE_DIR": str(cache), "PYTHONPATH": ""}
        if constraints:
            Path(folder, "lowest.txt").write_text(constraints, encoding="utf-8")
            environment["PIP_CONSTRAINT"] = str(Path(folder, "lowest.txt"))
        command = [python, "-c", SUITE.format(bounds_checks), f"--junit-xml={report}", *arguments]
        code = subprocess.call(command, cwd=place, env=environment)
        row = {"Python": release(python) or "-", **installed(place), **counts(report)}
    minutes = (time.monotonic() - start) / 60
    return {**row, "minutes": f"{minutes:.1f}", "suite": "failed" if code else "passed"}


def installed(place: Path) -> dict[str, str]:
    """What a copy's environment has, by name; all of it is also printed."""
    python = next(place.glob(".venv/[bS]*/python*"), None)
    if python is None:
        return {}
    told = subprocess.run([python, "-m", "pip", "list", "--format", "json"], capture_output=True, text=True)
    if told.returncode != 0:
        return {}
    versions = {one["name"].lower(): one["version"] for one in json.loads(told.stdout)}
    print("versions.py:", *map(" ".join, versions.items()), sep="\n  ", flush=True)
    return versions


def counts(report: Path) -> dict[str, str]:
    """How many tests passed, failed and were skipped."""
    if not report.is_file():
        return {}
    suite = next(ElementTree.parse(report).iter("testsuite")).attrib
    failed, skipped = int(suite["failures"]) + int(suite["errors"]), int(suite["skipped"])
    counted = {"passed": int(suite["tests"]) - failed - skipped, "failed": failed, "skipped": skipped}
    return {name: str(number) for name, number in counted.items()}


def table(rows: list[dict[str, str]]) -> str:
    """The rows under their headings, in columns."""
    columns = ("Python", *SHOWN, "passed", "failed", "skipped", "minutes", "suite")
    lines = [columns, *(tuple(row.get(column, "-") for column in columns) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def main(arguments: list[str]) -> int:
    """Run the suite on each interpreter and show the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="an interpreter, by name or path")
    parser.add_argument("--lowest", action="store_true", help="the oldest dependencies that are allowed")
    parser.add_argument("--bounds-checks", action="store_true", help="compiled code checks its indices")
    ours, pytests = divided(arguments)
    options = parser.parse_args(ours)
    pythons = [os.path.abspath(shutil.which(name) or name) for name in options.pythons] or found()
    for python in pythons:
        if release(python) is None:
            parser.error(f"{python} is no Python interpreter that starts; give a name on PATH or a path")
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    constraints = lowest(project) if options.lowest else ""
    rows = [play(python, constraints, options.bounds_checks, pytests) for python in pythons]
    print(table(rows), flush=True)
    return int(any(row["suite"] != "passed" for row in rows))


def divided(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The arguments before the first ``--`` and those after it."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end + 1 :]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
