"""The cache policy: separate directories for sources, versions and flags; broken files cost only a compilation."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from bridzik_sim import jit
from bridzik_sim.streams import below, draw_below
import numpy as np
state = np.arange(1, 5).astype(np.uint64)
print([draw_below(state, 6) for _ in range(8)], sum(draw_below.stats.cache_hits.values()), jit.CACHE_DIRECTORY)
"""


def program(cache, code=PROGRAM, **flags):
    environment = {**os.environ, "BRIDZIK_CACHE_DIR": str(cache), "NUMBA_BOUNDSCHECK": "", **flags}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    drawn, rest = done.stdout.strip().split("] ")
    hits, directory = rest.split(" ", 1)
    return drawn, int(hits), Path(directory)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    return cache, *program(cache)


def test_the_next_process_loads_what_was_compiled(warm):
    cache, drawn, hits, directory = warm
    assert hits == 0
    assert program(cache) == (drawn, 1, directory)


def empty(data):
    return b""


def cut(data):
    return data[: len(data) // 2]


def flip(data):
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


@pytest.mark.parametrize(
    ("suffix", "damage"), [(".nbi", empty), (".nbc", cut), (".nbi", flip), (".nbc", flip)]
)
def test_damaged_files_are_compiled_again(warm, suffix, damage):
    cache, drawn, _, directory = warm
    for path in directory.rglob(f"*{suffix}"):
        path.write_bytes(damage(path.read_bytes()))
    assert program(cache)[:2] == (drawn, 0)
    assert program(cache)[:2] == (drawn, 1)


def test_python_can_call_what_other_functions_call():
    from bridzik_sim.jit import jit

    @jit
    def double(number):
        return 2 * number

    @jit
    def odd(number):
        return double(number) + 1

    assert odd(3) == 7
    assert not double.overloads
    assert double(3) == 6


def test_long_compiling_is_told_once(monkeypatch):
    from bridzik_sim import notices

    heard = []
    monkeypatch.setattr(notices, "listener", heard.append)
    monkeypatch.setattr(notices, "SLOW", 3600)
    notices.compiling()
    assert not heard
    monkeypatch.setattr(notices, "SLOW", -1)
    notices.compiling()
    notices.compiling()
    assert heard == [notices.COMPILING]


def test_bounds_checks_have_a_directory_of_their_own(warm):
    cache, drawn, _, directory = warm
    checked = program(cache, NUMBA_BOUNDSCHECK="1")
    assert checked[0] == drawn
    assert checked[2] != directory
    assert checked[2].parent == directory.parent


def test_without_a_writable_cache_everything_works(warm, tmp_path):
    _, drawn, _, _ = warm
    (tmp_path / "file").write_text("")
    code = PROGRAM.replace("jit.CACHE_DIRECTORY", "'none'")
    assert program(tmp_path / "file" / "below", code)[:2] == (drawn, 0)


def test_the_directory_changes_with_the_sources(tmp_path):
    from bridzik_sim.jit import sources_hash

    one, two = tmp_path / "a.py", tmp_path / "b.py"
    one.write_text("1")
    two.write_text("2")
    before = sources_hash([one, two])
    two.write_text("3")
    assert sources_hash([one, two]) != before


def test_code_of_old_versions_is_dropped_after_a_month_and_nothing_else(warm):
    from bridzik_sim.jit import MARKER

    cache, *_, directory = warm
    base = directory.parents[1]
    assert (base / MARKER).is_file()
    old, recent, not_ours = (cache / (digit * 16) for digit in "0a1")
    pictures = cache / "holiday-pictures"
    for other in (old, recent, not_ours, pictures):
        other.mkdir()
        (other / "x").write_text("")
    for other in (old, recent, pictures):
        (other / MARKER).write_text("")
    month = 31 * 86400
    for other in (old, not_ours, pictures):
        os.utime(other, (old.stat().st_mtime - month,) * 2)
    program(cache)
    assert not old.exists()
    assert all(other.exists() for other in (recent, not_ours, pictures, base))


def test_constants_are_what_a_function_and_its_helpers_read(tmp_path):
    import importlib.util

    from bridzik_sim.reach import constants

    helper = tmp_path / "constants_helper.py"
    helper.write_text("import numba\nA, UNUSED = 1, 1\n@numba.njit\ndef f():\n    return A\n")
    spec = importlib.util.spec_from_file_location("constants_helper", helper)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table = np.zeros(5000)

    def through(inner):
        return lambda: inner.f() + table[0]

    def digest():
        return constants(through(module))

    first = digest()
    module.UNUSED = 2
    assert digest() == first
    module.A = 2
    second = digest()
    table[2500] = 1
    assert len({first, second, digest()}) == 3


RECURSIVE = """
from bridzik_sim.jit import jit


@jit
def below(n):
    return 1 if n < 2 else below(n - 1) + below(n - 2)


@jit
def twice(n):
    return 2 * below(n)
"""


def test_functions_that_call_themselves_work_in_the_next_process_too(tmp_path):
    (tmp_path / "recursive.py").write_text(RECURSIVE)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import recursive; print([recursive.twice(10)], 0, '-')"
    assert program(tmp_path / "cache", code) == program(tmp_path / "cache", code) == ("[178", 0, Path("-"))


def test_only_functions_that_call_themselves_are_found():
    from bridzik_sim.reach import calls_itself
    from strategies.bridzik import heuristic

    def alone(n):
        return alone(n - 1) if n else 0

    def first(n):
        return second(n)

    def second(n):
        return first(n)

    def above(n):
        return first(n)

    assert all(map(calls_itself, (alone, first, second, above)))
    assert not calls_itself(heuristic.play)


SAME_NAME = """
import importlib.util
from pathlib import Path
from numba.core import types
from bridzik_sim import jit
from bridzik_sim.calls import address, call

@jit.jit
def ask(at, number):
    return call(at, number)

kept, answers = [], []
for path in {paths}:
    spec = importlib.util.spec_from_file_location("bots.bot", path)
    kept.append(importlib.util.module_from_spec(spec))
    with jit.cached_under(jit.sources_hash([Path(path)])):
        spec.loader.exec_module(kept[-1])
        kept[-1].answer.compile((types.int64,))
    answers.append(int(ask(address(kept[-1].answer, types.int64), 1)))
print(answers, 0, "-")
"""


def test_functions_of_one_name_from_two_processes_are_not_taken_for_each_other(tmp_path):
    paths = [str(tmp_path / name / "bot.py") for name in "ab"]
    for path, number in zip(paths, (10, 20), strict=True):
        Path(path).parent.mkdir()
        text = f"from bridzik_sim.jit import jit\n\n\n@jit\ndef answer(n):\n    return n + {number}\n"
        Path(path).write_text(text)
        assert program(tmp_path / "cache", SAME_NAME.format(paths=[path]))[0] == f"[{number + 1}"
    assert program(tmp_path / "cache", SAME_NAME.format(paths=paths))[0] == "[11, 21"
