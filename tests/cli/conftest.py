"""The program in this process or in one of its own, and strategies that misbehave."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridzik_sim import api
from cli.main import run as run_cli

ROOT = Path(__file__).resolve().parents[2]
# Misbehaves in one deal of a game: `how` 1 bids out of range, 2 plays a card it has not, 3 and 4 raise.
BAD = '''"""Plays at random until its chosen deal, then fails."""
from bridzik_sim.streams import choose

PARAMS = {"how": 0, "deal": 9, "chance": 99}


def bid(view):
    if view.deal == view.params[1]:
        if view.params[0] == 1:
            return 9
        if view.params[0] == 3 and choose(view) <= view.params[2]:
            raise ValueError("no idea what to bid")
    return choose(view)


def play(view):
    if view.deal == view.params[1]:
        if view.params[0] == 2:
            return 31 if not view.legal >> 31 & 1 else 30
        if view.params[0] == 4:
            raise ValueError("no idea what to play")
    return choose(view)
'''


@pytest.fixture(scope="session")
def bad(tmp_path_factory):
    """Path of a strategy file that fails as its parameters say."""
    path = tmp_path_factory.mktemp("strategies") / "bad.py"
    path.write_text(BAD, encoding="utf-8")
    return path


@pytest.fixture
def bridzik(capsys):
    """Run a command line in this process: `bridzik("simulate", ...)` gives code, out and err."""

    def call(*arguments):
        capsys.readouterr()
        code = run_cli([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call


@pytest.fixture
def start():
    """Start a command line in a process of its own, which is killed after the test."""
    started = []

    def call(*arguments, **settings):
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", *(str(argument) for argument in arguments)],
            stdout=subprocess.PIPE,
            stderr=settings.pop("stderr", subprocess.PIPE),
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, **settings.pop("environment", {})},
            **settings,
        )
        started.append(process)
        return process

    yield call
    for process in started:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def no_pictures(monkeypatch):
    """Reports without pictures, which take a second or two."""
    monkeypatch.setattr("reports.figures.draw", lambda results: {})


@pytest.fixture
def no_timing(monkeypatch):
    """Standings without the time a decision takes."""
    monkeypatch.setattr("cli.standings.times_a_decision", lambda experiment: None)


@pytest.fixture
def plain(no_timing, no_pictures):
    """Runs without what takes long."""


@pytest.fixture(scope="session")
def tables():
    """A function from a run folder to the bytes of its CSV files by name."""

    def read(folder):
        found = {path.name: path.read_bytes() for path in sorted(Path(folder).glob("*.csv"))}
        assert "summary.csv" in found
        return found

    return read


@pytest.fixture(scope="session")
def reference(tmp_path_factory, tables):
    """The CSV files of one uninterrupted run on one thread, by the arguments of `api.simulate`, made once."""
    made = {}

    def get(seats, games, seed, **settings):
        key = (seats, games, seed, *sorted(settings.items()))
        if key not in made:
            out = tmp_path_factory.mktemp("reference")
            plain = {**settings, "options": dict(settings.get("options", ()))}
            api.simulate(seats, games, seed, out=out, jobs=1, **plain)
            made[key] = tables(out)
        return made[key]

    return get
