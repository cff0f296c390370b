"""Runs on a cluster: a scheduler and workers as a user starts them, in a folder that has none of the strategies.

One worker after the other is killed in the middle, and the tables are those of a run on one thread.
"""

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
from distributed import Client

from bridzik_sim import api
from tests.cli.conftest import ROOT

DASK = {"executor": "dask", "jobs": None}
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # which on Windows ends a process as hard
HELPER = '''"""A table from a file beside it."""
from pathlib import Path

import numpy as np

from bridzik_sim.jit import jit

DATA = "table.npy"
TABLE = np.load(Path(__file__).parent / DATA)


@jit
def usual(size):
    return TABLE[size]
'''
BOT = '''"""Bids by its helper's table, after many throws of a die, and plays at random."""
from bridzik_sim.streams import below, choose
from helper_of_bot import usual


def bid(view):
    for _ in range(50_000):
        below(view, 6)
    wanted = usual(view.size)
    return wanted if view.legal >> wanted & 1 else choose(view)


def play(view):
    return choose(view)
'''


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    """Path of a strategy with a helper that has a data file."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "helper_of_bot.py").write_text(HELPER, encoding="utf-8")
    np.save(folder / "table.npy", np.array([0, 0, 1, 1, 1, 1, 2, 2, 2]))
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    return folder / "bot.py"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Address of a scheduler with three workers of one thread, and a client to look after them."""
    folder = tmp_path_factory.mktemp("cluster")
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    started = []

    def begin(module, *arguments):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments]
        started.append(subprocess.Popen(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, **quiet))

    found = folder / "scheduler.json"
    begin("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", found)
    for _ in range(3):
        begin("dask_worker", "--nthreads", "1", "--no-nanny", "--scheduler-file", found)
    for _ in range(600):
        time.sleep(0.1)
        if found.exists() and found.read_text(encoding="utf-8").endswith("}"):
            break
    address = json.loads(found.read_text(encoding="utf-8"))["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
        yield SimpleNamespace(address=address, client=client)
    for process in started:
        process.kill()
        process.wait()


def test_a_failing_strategy_is_told_as_in_a_local_run(cluster, bridzik, bad):
    line = ("simulate", "--seats", f"{bad}:how=2,random*3", "--games", 40, "--seed", 5)
    here, there = (
        bridzik(*line, *more) for more in ((), ("--executor", "dask", "--scheduler", cluster.address))
    )
    assert here.code == there.code == 3
    assert here.err == there.err
    assert "decision play" in here.err


@pytest.mark.parametrize(
    ("address", "why"),
    [("127.0.0.1:9", "no answer within 1 s"), ("127.0.0.1", "missing port"), ("x://y:1", "unknown")],
)
def test_a_wrong_address_is_one_line(bridzik, monkeypatch, address, why):
    monkeypatch.setattr("bridzik_sim.distributed.CONNECT_SECONDS", 1)
    ended = bridzik(
        "simulate", "--seats", "random*4", "--games", 9, "--executor", "dask", "--scheduler", address
    )
    assert ended.code == 2
    (line,) = [line for line in ended.err.splitlines() if not line.startswith("seed ")]
    assert line.startswith(f"Error: cannot reach a dask scheduler at {address!r}: ")
    assert why in line


def test_a_worker_is_no_scheduler(cluster, bridzik):
    worker = min(cluster.client.nthreads())
    ended = bridzik(
        *("simulate", "--seats", "random*4", "--games", 9, "--seed", 1),
        *("--executor", "dask", "--scheduler", worker),
    )
    assert (ended.code, ended.err) == (
        2,
        f"Error: {worker} is not the address of a scheduler, but of a Worker\n",
    )


def test_workers_are_killed_in_the_middle(cluster, bot, tmp_path, tables):
    """Dask plays the first one's chunks elsewhere. Then it is told to give up at once, and we submit anew."""
    run = {"seats": f"{bot},random*3", "games": 300, "seed": 11, "rows": "csv"}
    api.simulate(**run, out=tmp_path / "here", jobs=1)
    left, killed = [3, 0], []

    def kill(results, units, seconds):
        if not left or results is None or results.units < 60 * (1 + len(killed)):
            return
        busy = [worker for worker, chunks in cluster.client.processing().items() if chunks]
        if busy:
            assert results.units < 300  # there is work left
            cluster.client.run_on_scheduler(_allow, failures=left.pop(0))
            os.kill(cluster.client.run(os.getpid)[busy[0]], KILL)
            killed.append(busy[0])

    finished = api.simulate(
        **run, out=tmp_path / "there", **DASK, scheduler=cluster.address, chunk_units=15, tick=kill
    )
    assert finished.units == 300
    assert len(set(killed)) == 2
    assert len(cluster.client.nthreads()) == 1
    assert tables(tmp_path / "there") == tables(tmp_path / "here")


def _allow(dask_scheduler, failures):
    dask_scheduler.allowed_failures = failures
