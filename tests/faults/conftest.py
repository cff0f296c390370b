"""Command lines in a process of their own in which the system fails as asked (see `fault_server`)."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "tests" / "support" / "fault_server.py"
RUN = ["simulate", "--seats", "simple,random*3", "--games", "9", "--seed", "5", "--rows", "csv"]
PLAYING = ["--jobs", "1", "--quiet", "--format", "csv"]


class Program:
    """`simulate` and `resume` give code, out, err, the operations on files and the units promised to be kept."""

    def __init__(self, process):
        self._process = process

    def __call__(self, *arguments, folder, **fault):
        request = {"arguments": [str(argument) for argument in arguments], "folder": str(folder), **fault}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return SimpleNamespace(**json.loads(self._process.stdout.readline()))

    def simulate(self, folder, *more, **fault):
        return self(*RUN, *PLAYING, "--out", folder, *more, folder=folder, **fault)

    def resume(self, folder, *more, **fault):
        return self("resume", folder, *PLAYING, *more, folder=folder, **fault)

    def finish(self, folder):
        """Go on after a fault as a person would: begin where nothing was begun, else resume."""
        begun = (folder / "experiment.toml").exists()
        done = self.resume(folder) if begun else self.simulate(folder)
        assert (done.code, done.err) == (0, "")


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    if sys.platform == "win32":
        pytest.skip("this system has no fork")
    warm_up = [*RUN, *PLAYING, "--out", str(tmp_path_factory.mktemp("faults") / "warm")]
    command = [sys.executable, str(SERVER), *warm_up]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout.readline() == "ready\n"
        yield Program(process)
        process.stdin.close()


@pytest.fixture(scope="session")
def files():
    """A function from a run's folder to the bytes of all files below it by name, without the lock."""

    def read(folder):
        paths = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}

    return read


@pytest.fixture(scope="session")
def undisturbed(program, files, tmp_path_factory):
    """The run without a fault: `files`, and the `operations` that made them."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    done = program.simulate(folder, count=True)
    assert (done.code, done.err) == (0, "")
    return SimpleNamespace(files=files(folder), operations=done.operations)
