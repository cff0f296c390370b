"""Strategies that are broken or mean harm: one clear line and the right exit code, and no effect on others."""

import json
import os
import signal
import sys

import numpy as np
import pytest

from bridzik_sim import api, isolation
from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.results import csv_bytes, csv_tables
from bridzik_sim.watch import Silence

ONE_CARD = ["--option", "hand_sizes=1", "--seed", 5, "--jobs", 1]
PLAIN = '''"""Answers the lowest legal code, and whatever else."""
{head}
PYTHON = True


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def bid(view):
    {bid}
    return lowest(view)


def play(view):
    {play}
    return lowest(view)
'''
ANSWERS = """
PARAMS = {"answer": 0}


def bid(view):
    return int(view.params[0])


def play(view):
    return int(view.params[0])
"""
SCRIBBLES = """
    legal = int(view.legal)
    for name in view.dtype.names:
        view[name] = 3
    return int(legal & -legal).bit_length() - 1
"""


@pytest.fixture
def write(tmp_path):
    def writer(*, head="", bid="pass", play="pass", name="x.py"):
        path = tmp_path / name
        path.write_text(PLAIN.format(head=head, bid=bid, play=play), encoding="utf-8")
        return path

    return writer


def tables(line, **settings):
    results = api.simulate(line, 20, 5, options={"hand_sizes": "1,2"}, jobs=1, **settings)
    return {name: csv_bytes(getattr(results, name)) for name in csv_tables(results.experiment.game)}


def test_compiled_answers_that_are_out_of_range_are_told_as_they_were(bridzik, tmp_path):
    path = tmp_path / "far.py"
    path.write_text(ANSWERS, encoding="utf-8")
    for answer in (-1, 63, 64, 2**62, -(2**63)):
        done = bridzik("simulate", "--seats", f"x={path}:answer={answer},random*3", "--games", 3, *ONE_CARD)
        assert done.code == 3, done.err
        assert (
            f"Error: the strategy x answered {answer} (legal: 0, 1): unit 0, seating 0, deal 7," in done.err
        )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise SystemExit(0)", "raised SystemExit(0)"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt()"),
        ("raise GeneratorExit", "raised GeneratorExit()"),
        ("raise MemoryError", "raised MemoryError()"),
        ("return bid(view)", "raised RecursionError('maximum recursion depth exceeded"),
        ("raise Odd", "raised <Odd>"),
        ("return Sly(1)", "raised ValueError('no')"),
        ("return True", "answered True"),
        ("return 1.0", "answered 1.0"),
        ("return None", "answered None"),
        ("return 10**30", "answered 1000000000000000000000000000000"),
        ("return np.timedelta64(1, 's')", "answered np.timedelta64(1,'s')"),
    ],
)
def test_whatever_plain_python_answers_or_raises_is_charged(bridzik, write, line, said):
    odd = "class Odd(BaseException):\n    def __repr__(self):\n        raise KeyboardInterrupt\n\n\n"
    sly = "class Sly(int):\n    def __int__(self):\n        raise ValueError('no')\n"
    path = write(bid=line, head=f"import numpy as np\n\n\n{odd}{sly}")
    done = bridzik("simulate", "--seats", f"x={path},random*3", "--games", 1, *ONE_CARD)
    assert done.code == 3, done.err
    assert f"Error: the strategy x {said}" in done.err
    assert "decision bid" in done.err
    assert "Traceback" not in done.err


def test_numpy_integers_are_answers(write):
    path = write(
        head="import numpy as np", bid="return np.int64(lowest(view))", play="return np.uint8(lowest(view))"
    )
    assert tables(f"x={path},random*3") == tables(f"x={write(name='y.py')},random*3")


def test_what_is_written_into_the_view_changes_no_game(write, tmp_path):
    compiled = tmp_path / "compiled.py"
    fields = [f"{name}[:]" if VIEW[name].shape else name for name in VIEW.names]
    lines = "".join(f"    view.{field} = 3\n" for field in fields)
    body = f"(view):\n    legal = view.legal\n{lines}    return lowest(legal)\n\n\n"
    compiled.write_text(
        f"from bridzik_sim.cards import lowest\n\n\ndef bid{body}def play{body}", encoding="utf-8"
    )
    plain = write(bid=SCRIBBLES.strip(), play=SCRIBBLES.strip(), name="scribbles.py")
    sound = tables(f"x={write()},random*3")
    assert tables(f"x={plain},random*3") == sound
    assert tables(f"x={compiled},random*3") == sound


def test_settings_of_the_process_are_as_before(bridzik, write, tmp_path):
    head = (
        "import os, signal\nimport numpy as np\nnp.seterr(all='raise')\nnp.random.seed(1)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nos.chdir('/')\n"
    )
    before = np.geterr(), signal.getsignal(signal.SIGINT), os.getcwd()
    path = write(head=head, bid="np.random.seed(1)")
    assert tables(f"x={path},random*3") == tables(f"x={write(name='y.py')},random*3")
    assert (np.geterr(), signal.getsignal(signal.SIGINT), os.getcwd()) == before


def test_what_strategies_print_does_not_get_between_the_results(bridzik, write):
    path = write(head="print('loaded')", bid="print('bidding')")
    done = bridzik("simulate", "--seats", f"x={path},random*3", "--games", 1, *ONE_CARD, "--format", "json")
    assert done.code == 0
    assert len(json.loads(done.out)["standings"]) == 2
    assert "bidding" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="files in use cannot be deleted there")
def test_a_strategy_that_deletes_the_run_it_is_played_for_is_told_by_one_line(bridzik, write, tmp_path):
    out = tmp_path / "run"
    path = write(head="import shutil", bid=f"shutil.rmtree({str(out)!r}, ignore_errors=True)")
    done = bridzik(
        "simulate", "--seats", f"x={path},random*3", "--games", 2, *ONE_CARD, "--out", out, "--quiet"
    )
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert str(out) in done.err


def test_a_thread_that_a_strategy_began_does_not_keep_the_program(start, write):
    head = "import threading\nimport time\n\nthreading.Thread(target=time.sleep, args=(1000,)).start()"
    path = write(head=head)
    process = start(
        "simulate", "--seats", f"x={path},random*3", "--games", 1, *ONE_CARD, "--format", "json", "--quiet"
    )
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "standings" in json.loads(out)


def test_a_replay_ends_where_a_strategy_does_not_answer(bridzik, monkeypatch):
    def found(experiment, unit, seating, streams, timeout):
        assert (unit, seating, streams, timeout) == (3, 1, None, 2.0)
        return [Silence(1, 12, 15, seat, 1, "timeout", "2 s") for seat in range(4)]

    monkeypatch.setattr(isolation, "silences", found)
    where = ["--seats", "random*2,simple*2", *ONE_CARD[:4], "--unit", 3, "--seating", 1]
    whole = bridzik("replay", *where)
    done = bridzik("replay", *where, "--timeout", 2)
    assert (whole.code, done.code) == (0, 3)
    assert " did not answer within 2 s: unit 3, seating 1, deal 15, seat " in done.err
    shown = done.out.splitlines()
    assert len(shown) > 10
    assert shown == whole.out.splitlines()[: len(shown)]
