"""Set everything up and go: needs nothing but Python 3.11 or newer.

    python3 start.py simulate --seats "heuristic,simple,random*2" --games 1000000 --seed 7 --out run
    python3 start.py test

The first word is a command of ``bridzik`` (see ``python3 start.py --help``) or ``test``, which runs the whole
test suite, and what tests compiled code a second time with numba's bounds checks. A virtual environment is
made in ``.venv`` beside this file on first use, and brought up to date when ``pyproject.toml`` changes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".venv"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")


def prepare(extra: str) -> None:
    """Make the environment and install the project into it, unless that was done before."""
    place = f"{HERE}\n{sys.version}\n"
    wanted = place + hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest()
    stamp = ENVIRONMENT / f"installed{extra or '-program'}"
    if PYTHON.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    # A moved folder, another Python or an installation that was cut short: begin anew.
    stamps = [path.read_text(encoding="utf-8") for path in ENVIRONMENT.glob("installed*")]
    if not PYTHON.is_file() or not any(text.startswith(place) for text in stamps):
        make_environment()
    say("installing bridzik and what it needs (a few minutes at most, once)")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.call([*pip, "--editable", f".{extra}"], cwd=HERE) != 0:
        sys.exit("Error: the installation failed; its messages stand above")
    stamp.write_text(wanted, encoding="utf-8")


def make_environment() -> None:
    """Make an empty virtual environment."""
    say("making a virtual environment in .venv")
    try:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        hint = "on Debian and Ubuntu install the package python3-venv"
        sys.exit(f"Error: cannot make a virtual environment in {ENVIRONMENT}: {error}; {hint}")


def test(arguments: list[str]) -> int:
    """Run the test suite, then again under bounds checks; returns the first exit code that is not 0.

    The second time what only puts the same compiled code behind commands and pictures is left out.
    """
    prepare("[test]")
    outside = [f"--ignore=tests/{folder}" for folder in ("cli", "faults", "fuzz", "reports", "stats")]
    return suite(arguments) or suite(arguments or outside, bounds_checks=True)


def suite(arguments: list[str], bounds_checks: bool = False) -> int:
    """Run the test suite once; returns its exit code."""
    say("compiled code under bounds checks" if bounds_checks else "the test suite")
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": str(int(bounds_checks))}
    warm_up(environment)
    # A file is one process's, so that what its tests compile or set up is made once.
    pytest = [PYTHON, "-m", "pytest", "-n", "auto", "--dist", "loadfile", *arguments]
    return subprocess.call(pytest, cwd=HERE, env=environment)


def warm_up(environment: dict[str, str]) -> None:
    """Compile all games at the same time, before several test processes would each do it for themselves."""
    games = [path.parent.name for path in sorted(HERE.glob("bridzik_sim/games/*/rules.py"))]
    command = [PYTHON, "-m", "cli", "warmup", "--quiet", "--game"]
    for process in [subprocess.Popen([*command, game], cwd=HERE, env=environment) for game in games]:
        process.wait()


def say(message: str) -> None:
    """Tell what goes on, apart from the program's own output."""
    print(f"start.py: {message}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Run the tests, or the program with these arguments."""
    if sys.version_info < (3, 11):  # noqa: UP036  (nothing has checked it yet when this file runs)
        sys.exit(f"Error: bridzik needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    if arguments[:1] == ["test"]:
        return test(arguments[1:])
    prepare("[tune]")
    return subprocess.call([SCRIPTS / "bridzik", *arguments])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
