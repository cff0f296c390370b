"""Ctrl-C ends a command soon, whatever is going on: code 130, one line, nothing finished lost."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bridzik_sim.journal import Journal

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot send Ctrl-C to one other there"
)
LOOPS = '''"""Plays some units, then never answers again."""
from bridzik_sim.streams import choose

PARAMS = {"chance": 0.001}


def bid(view):
    while view.stream[0] % 1000 == 7:
        view.memory[0] += 1.0
    return choose(view)


def play(view):
    return choose(view)
'''
SLEEPS = '''"""Plays one unit, then sleeps."""
import os
import time
from pathlib import Path

PYTHON = True
games = 0


def bid(view):
    global games
    games += view.deal == 31
    if games > 1:
        Path(__file__).with_suffix(".pid").write_text(str(os.getpid()))
        time.sleep(1000)
    return 0 if view.forbidden != 0 else 1


def play(view):
    return int(view.legal).bit_length() - 1
'''


STARTS_SLOWLY = """
import pathlib
import sys
import time

if "--multiprocessing-fork" in sys.orig_argv:
    pathlib.Path({!r}).touch()
    time.sleep(10)
"""


def wait_until(found, process):
    """Wait for something that a process does, as long as it runs."""
    while not found() and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()


def interrupted(process, send=subprocess.Popen.send_signal):
    """Send Ctrl-C and give what was said; a process that does not end is a failure."""
    send(process, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    return err.splitlines()[-1]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_compiled_loop_that_never_ends_is_left(start, tmp_path):
    path = tmp_path / "loops.py"
    path.write_text(LOOPS, encoding="utf-8")
    out = tmp_path / "run"
    process = start(
        "simulate",
        "--seats",
        f"{path},random*3",
        "--games",
        "1M",
        "--seed",
        5,
        "--jobs",
        2,
        "--out",
        out,
        "--quiet",
    )
    wait_until(lambda: Journal.begun(out), process)
    assert interrupted(process).startswith("Error: interrupted ")
    assert Journal.begun(out)


def test_processes_are_ended_and_what_was_finished_is_kept(start, tmp_path):
    path = tmp_path / "sleeps.py"
    path.write_text(SLEEPS, encoding="utf-8")
    out, mark = tmp_path / "run", path.with_suffix(".pid")
    arguments = ["--seats", f"{path},random*3", "--games", "100", "--option", "hand_sizes=1", "--isolate"]
    process = start("simulate", *arguments, "--jobs", 1, "--out", out, "--quiet")
    wait_until(lambda: mark.exists() and mark.read_text(), process)
    said = interrupted(process)
    assert said == f"Error: interrupted after 1 of 100 games; go on with: bridzik resume {out}"
    assert Journal.read(out).ranges == [(0, 1)]


def test_processes_that_are_starting_do_not_notice(start, tmp_path):
    """A terminal sends Ctrl-C to all processes of a command; here while Python itself starts in the first."""
    path, mark = tmp_path / "sleeps.py", tmp_path / "mark"
    path.write_text(SLEEPS, encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(STARTS_SLOWLY.format(str(mark)), encoding="utf-8")
    arguments = ["--seats", f"{path},random*3", "--games", "100", "--isolate", "--jobs", 1, "--quiet"]
    environment = {"PYTHONPATH": str(tmp_path)}
    process = start("simulate", *arguments, environment=environment, start_new_session=True)
    wait_until(mark.exists, process)
    said = interrupted(process, lambda process, number: os.killpg(process.pid, number))
    assert said == "Error: interrupted before any game was finished; without --out nothing is kept"


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_processes_end_with_a_parent_that_was_killed(start, tmp_path):
    path = tmp_path / "sleeps.py"
    path.write_text(SLEEPS, encoding="utf-8")
    mark = path.with_suffix(".pid")
    process = start(
        "simulate", "--seats", f"{path},random*3", "--games", 100, "--isolate", "--jobs", 1, "--quiet"
    )
    wait_until(lambda: mark.exists() and mark.read_text(), process)
    pid = int(mark.read_text())
    assert alive(pid)
    process.kill()
    process.wait()
    for _ in range(1500):  # a guard against hanging
        if not alive(pid):
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} outlives its parent")


def test_compiling_is_left(start, tmp_path):
    cache = tmp_path / "cache"
    process = start(
        "simulate",
        "--seats",
        "random*4",
        "--games",
        5,
        "--quiet",
        environment={"BRIDZIK_CACHE_DIR": str(cache)},
    )
    wait_until(lambda: next(cache.rglob("*.nbi"), None), process)
    assert interrupted(process).startswith("Error: interrupted")


def test_drawing_pictures_is_left(start, tmp_path):
    out = tmp_path / "run"
    process = start("simulate", "--seats", "random*4", "--games", 5, "--out", out, "--quiet")
    wait_until(lambda: next(out.rglob("*.png"), None), process)
    assert interrupted(process) == f"Error: interrupted after 5 of 5 games; go on with: bridzik resume {out}"
