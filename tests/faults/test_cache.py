"""The directory of compiled code: damaged, mixed up, unwritable, or shared by processes that start together."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bridzik_sim import jit

SEED = 8888
ROOT = Path(__file__).parents[2]
TOGETHER = """
import sys
import numpy as np
from bridzik_sim import jit
sys.path.insert(0, sys.argv[1])
from cached_together import twice
kinds = [np.int64, np.float64, np.uint8, np.float32]
kinds = kinds[int(sys.argv[2]) :] + kinds[: int(sys.argv[2])]
print("ready", flush=True)
sys.stdin.readline()
print(sorted(float(twice(kind(21))) for kind in kinds), jit.CACHE_DIRECTORY is not None)
"""
SOURCE = """from bridzik_sim.jit import jit


@jit
def twice(x):
    return x + x
"""


def thrice(x):
    return x + x + x


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache directory; `found(x)` plays `thrice` anew and tells the answer and whether it was there."""
    monkeypatch.setattr(jit, "CACHE_DIRECTORY", tmp_path / "cache")
    (tmp_path / "cache").mkdir()

    def found(x):
        compiled = jit.jit(thrice)
        return compiled(x), sum(compiled.stats.cache_hits.values())

    found.files = lambda suffix: sorted((tmp_path / "cache").rglob(f"*{suffix}"))
    found.folder = tmp_path / "cache"
    return found


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_no_flipped_bit_is_ever_run(cache, suffix):
    assert cache(7) == (21, 0)
    assert cache(7) == (21, 1)
    (path,), draw = cache.files(suffix), random.Random(SEED)
    for _ in range(12):
        data = bytearray(path.read_bytes())
        place = draw.randrange(len(data))
        data[place] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
        assert cache(7) == (21, 0), f"seed {SEED}, byte {place}"
    assert cache(7) == (21, 1)


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_folder_in_the_place_of_a_file(cache, suffix):
    cache(7)
    (path,) = cache.files(suffix)
    path.unlink()
    path.mkdir()
    assert cache(7) == (21, 0)


def test_a_directory_that_went_away_comes_back(cache):
    cache(7)
    shutil.rmtree(cache.folder)
    assert cache(7) == (21, 0)
    assert cache(7) == (21, 1)


def test_processes_that_start_together_agree(tmp_path):
    (tmp_path / "cached_together.py").write_text(SOURCE, encoding="utf-8")
    environment = {**os.environ, "BRIDZIK_CACHE_DIR": str(tmp_path / "cache")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER, str(tmp_path), str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
        )
        for number in range(3)
    ]  # fmt: skip
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert {process.communicate()[0] for process in processes} == {"[42.0, 42.0, 42.0, 42.0] True\n"}
    assert not list((tmp_path / "cache").rglob("*.tmp.*"))
