"""Chunks in processes that can be ended: who is charged for silence and death, and that nobody else is."""

import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from bridzik_sim import experiment as experiments
from bridzik_sim import isolation, memory, simulate, watch
from bridzik_sim.errors import StrategyFaultError, UsageError
from bridzik_sim.isolation import Lost
from bridzik_sim.play import Player
from bridzik_sim.results import csv_bytes, csv_tables
from bridzik_sim.watch import Silence, Watch

ONE_CARD = {"hand_sizes": "1"}
# Answers the lowest legal code, until it is the chosen deal of a chosen unit's first game.
BAD = '''"""Fails in one deal."""
{head}
PARAMS = {{"how": 0, "deal": 31}}


def answer(view):
    if view.deal == view.params[1]:
        fail(view.params[0])
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


bid = play = answer
'''
PLAIN = """
import ctypes
import os

PYTHON = True


def fail(how):
    if how == 1:
        while True:
            pass
    if how == 2:
        os._exit(5)
    if how == 3:
        ctypes.string_at(0)
"""
LOOP = '''"""Never answers in the last deal."""
from bridzik_sim.streams import choose


def bid(view):
    while view.deal == 31 and view.legal > 0:
        view.memory[0] += 1.0
    return choose(view)


def play(view):
    return choose(view)
'''


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "bad.py"
    path.write_text(BAD.format(head=PLAIN), encoding="utf-8")
    return path


def tables(results):
    """The bytes of all tables, without the columns of faults."""
    frames = {name: getattr(results, name) for name in csv_tables(results.experiment.game)}
    faults = ["illegal", "raised", "timeout"]
    return {name: csv_bytes(frame.drop(columns=faults, errors="ignore")) for name, frame in frames.items()}


def test_honest_strategies_give_the_same_bytes():
    settings = {"options": ONE_CARD, "seating": "rotate"}
    alone = simulate("simple,random*3", 40, 5, **settings)
    isolated = simulate("simple,random*3", 40, 5, **settings, timeout=30, jobs=2, chunk_units=3)
    assert tables(isolated) == tables(alone)


def test_silence_and_death_are_charged_once_a_game_and_replaced(bad):
    line = "a={0}:how={1},b={0}:how={2},random*2"
    settings = {"options": ONE_CARD, "on_error": "forfeit", "jobs": 1}
    results = simulate(line.format(bad, 1, 2), 1, 5, **settings, timeout=1.0)
    sound = simulate(line.format(bad, 0, 0), 1, 5, **settings)
    assert tables(results) == tables(sound)
    faults = results.summary.set_index("strategy")[["illegal", "raised", "timeout"]].to_dict("index")
    assert faults["a"] == {"illegal": 0, "raised": 0, "timeout": 1}
    assert faults["b"] == {"illegal": 0, "raised": 1, "timeout": 0}
    assert faults["random"] == {"illegal": 0, "raised": 0, "timeout": 0}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals that end a process")
def test_a_crash_is_told_with_its_place(bad):
    with pytest.raises(StrategyFaultError) as error:
        simulate(f"random*3,x={bad}:how=3", 2, 5, options=ONE_CARD, isolate=True, jobs=1)
    assert str(error.value).startswith(
        "the strategy x raised SIGSEGV, which ended its process: unit 0, seating 0, deal 31, seat 3, decision bid"
    )
    assert str(error.value).endswith(" --unit 0 --isolate")


def test_a_compiled_loop_is_found_and_told(tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP, encoding="utf-8")
    with pytest.raises(StrategyFaultError) as error:
        simulate(f"random,x={path},random*2", 5, 5, options=ONE_CARD, timeout=0.5, jobs=1)
    assert str(error.value).startswith(
        "the strategy x did not answer within 0.5 s: unit 0, seating 0, deal 31, seat 1, decision bid"
    )
    assert str(error.value).endswith(" --unit 0 --timeout 0.5")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of a process")
def test_who_wants_too_much_memory_is_charged(tmp_path):
    path = tmp_path / "hog.py"
    path.write_text(
        "PYTHON = True\n\n\ndef bid(view):\n    return len(bytearray(3 << 30))\n\n\nplay = bid\n",
        encoding="utf-8",
    )
    with pytest.raises(StrategyFaultError, match="the strategy x raised MemoryError"):
        simulate(f"x={path},random*3", 1, 5, options=ONE_CARD, memory=2000, jobs=1)


def test_every_process_has_its_share_of_the_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "CGROUP", tmp_path / "max")
    whole = memory.share(1)
    assert whole >= memory.LEAST
    assert memory.share(10**6) == memory.LEAST
    (tmp_path / "max").write_text(f"{3 << 30}\n", "ascii")
    assert memory.share(1) == min(whole, int(0.8 * (3 << 30)))
    (tmp_path / "max").write_text("max\n", "ascii")
    assert memory.share(1) == whole


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of a process")
def test_less_memory_than_a_process_has_already_is_refused(monkeypatch, tmp_path):
    (tmp_path / "status").write_text("Name:\tx\nVmData:\t    2049 kB\n", "utf-8")
    monkeypatch.setattr(memory, "STATUS", tmp_path / "status")
    with pytest.raises(UsageError) as error:
        memory.limit_memory(2 << 20)
    assert str(error.value) == "--memory 2 is less than a process of bridzik itself needs (3 MB)"
    monkeypatch.setattr(memory, "sys", SimpleNamespace(platform="darwin"))
    memory.limit_memory(2 << 20)


def test_whatever_goes_wrong_in_a_child_is_the_parents_to_tell(monkeypatch):
    wrong, said = ValueError("no such thing"), []

    def play(*request):
        raise wrong

    pipe, player = SimpleNamespace(send=said.append), SimpleNamespace(play=play)
    isolation._answer(pipe, player, np.zeros(watch.WORDS, np.int64), isolation.Request(0, 1))
    assert said == [wrong]
    child = isolation.Child(experiments.make("random*4", 1, 5), None, None)
    child._process = SimpleNamespace(sentinel=None)
    child._pipe = SimpleNamespace(send=bool, poll=lambda: True, recv=said.pop)
    monkeypatch.setattr(isolation, "wait", lambda *what: None)
    with pytest.raises(ValueError, match="no such thing"):
        child.ask(isolation.Request(0, 1))


def test_a_pipe_whose_other_end_is_gone_tells_of_a_death(monkeypatch):
    """On Windows poll raises that, and not recv."""

    def poll():
        raise BrokenPipeError

    child = isolation.Child(experiments.make("random*4", 1, 5), None, None)
    child._process = SimpleNamespace(sentinel=None, join=bool, exitcode=5)
    child._pipe = SimpleNamespace(send=bool, poll=poll, close=bool)
    monkeypatch.setattr(isolation, "wait", lambda *what: None)
    assert child.ask(isolation.Request(0, 1)) == Lost(0, None, True)


class Scripted:
    """Stands for a child: plays in this process, but is lost as often as ``script`` says, by units asked for."""

    def __init__(self, experiment, timeout, limit, streams=None):
        self.player, self.marks, self.given_up = Player(experiment), np.zeros(watch.WORDS, np.int64), False

    def ask(self, request, patience=np.inf):
        asked.append((request.first - FIRST, request.stop - FIRST, request.plain))
        assert request.plain == (patience == np.inf)
        marked[:] = request.silences
        if script and (lost := script.pop(0)) is not None:
            return lost
        return self.player.play(request.first, request.stop, self.marks, request.plain)

    def close(self):
        pass


FIRST = 1000
EIGHT = {"seats": "random*4", "games": 8, "seed": 5, "options": ONE_CARD, "first_unit": FIRST}
script: list = []
asked: list = []
marked: list = []
SLOW, DEAD = Lost(0, None, False), Lost(0, None, True)


@pytest.fixture
def losing(monkeypatch):
    """Play 8 units in one chunk and lose children on the way; gives the results and what was asked for."""
    monkeypatch.setattr(isolation, "Child", Scripted)

    def call(*lost):
        script[:], asked[:] = lost, []
        results = simulate(**EIGHT, timeout=2.0, jobs=1, chunk_units=8)
        return results, list(asked)

    return call


def test_only_the_suspect_unit_is_played_again_slowly(losing):
    results, requests = losing(Lost(3, None, True))
    assert requests == [(0, 8, False), (0, 3, False), (3, 4, True), (4, 8, False)]
    assert tables(results) == tables(simulate(**EIGHT))


def test_who_is_slow_but_answers_is_not_charged_and_gets_more_patience(losing, monkeypatch):
    now, patience = [0.0], []
    monkeypatch.setattr(isolation, "time", SimpleNamespace(monotonic=lambda: now[0]))
    ask = Scripted.ask

    def slowly(self, request, patient=np.inf):
        now[0] += 3.0 if request.plain else 0.0
        patience.append(patient)
        return ask(self, request, patient)

    monkeypatch.setattr(Scripted, "ask", slowly)
    results, requests = losing(SLOW, None, SLOW)
    assert requests == [(0, 8, False), (0, 1, True), (1, 8, False), (1, 2, True), (2, 8, False)]
    assert patience == [2.0, np.inf, 12.0, np.inf, 12.0]
    assert results.summary["timeout"].sum() == 0


def test_a_process_that_dies_again_and_again_while_nobody_decides_ends_the_run(losing):
    _, requests = losing(DEAD, DEAD, DEAD)
    assert requests[-2:] == [(0, 1, True), (1, 8, False)]
    with pytest.raises(UsageError, match="the process that plays unit 1000 died 3 times between decisions"):
        losing(*[DEAD] * 4)


def test_a_decision_that_was_under_way_at_one_death_only_is_not_charged(losing):
    silence = Silence(0, 40, 30, 2, 1, "raised", "SIGKILL, which ended its process")
    results, requests = losing(Lost(2, silence, True), None)
    assert requests == [(0, 8, False), (0, 2, False), (2, 3, True), (3, 8, False)]
    assert results.summary["raised"].sum() == 0


def test_a_replay_asks_until_nobody_is_lost_any_more(losing):
    first = Silence(0, 40, 30, 2, 1, "raised", "SIGSEGV, which ended its process")
    second = Silence(0, 50, 31, 1, 0, "timeout", "2 s")
    script[:] = [Lost(0, first, True), DEAD, Lost(0, second, False)]
    game = experiments.make("random*4", 1, 5, options=ONE_CARD)
    assert isolation.silences(game, 0, 0, None, 2.0) == (first, second)
    assert tuple(marked) == (first, second)


def test_marks_tell_whose_decision_it_is_and_silent_seats_are_not_asked():
    game = experiments.make("random*4", 1, 5, options=ONE_CARD)
    marks, seen = np.zeros(watch.WORDS, np.int64), []
    player = Player(game)
    player.watch = Watch(marks)
    inner = player.callables[0].play

    def play(view):
        seen.append(watch.under_way(marks, "timeout", "1 s"))
        return inner(view)

    player.callables[0].play = play
    record = player.record(0, 0)
    assert watch.under_way(marks, "timeout", "1 s") is None
    assert len(seen) == 16  # four deals of one card, four seats
    assert {(one.seat, one.decision) for one in seen} == {(seat, 1) for seat in range(4)}
    assert sorted(one.number for one in seen) == [8 * deal + 4 + i for deal in range(4) for i in range(4)]
    assert {one.deal for one in seen} == {deal.deal for deal in record.deals}
    silence = next(one for one in seen if one.seat == 2)
    game = experiments.make("random*4", 1, 5, options=ONE_CARD, on_error="forfeit")
    player.experiment, player.watch = game, Watch(marks, [silence])
    before, seen[:] = list(seen), []
    again = player.record(0, 0)
    assert [one.seat for one in seen].count(2) == 0
    assert [fault.as_dict() for fault in again.faults] == [
        {"deal": silence.deal, "seat": 2, "decision": "play", "kind": "timeout", "answer": "1 s"}
    ]
    assert len(seen) == len(before) - 4


def test_looks_at_a_child_measure_by_the_parents_clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(isolation.time, "monotonic", lambda: now[0])
    marks = np.zeros(watch.WORDS, np.int64)
    looks = isolation._Looks(marks, 1.0, 5.0)
    moments = [
        (0, 0, 0, 0.0, False), (0, 0, 0, 4.9, False), (0, 0, 1, 5.1, False), (0, 0, 1, 10.0, False),
        (0, 0, 1, 10.2, True), (1, 1, 1, 11.0, False), (1, 2, 1, 11.9, False), (1, 2, 1, 12.8, False),
        (1, 2, 1, 13.0, True),
    ]  # fmt: skip
    for deciding, count, done, when, verdict in moments:
        marks[watch.DECIDING], marks[watch.COUNT], marks[watch.DONE], now[0] = deciding, count, done, when
        assert looks.too_long() is verdict, when
    assert isolation._Looks(marks, None, 0.0).too_long() is False


def test_means_that_do_not_go_together_are_refused():
    for settings, said in [
        ({"timeout": 0.0}, "above 0"),
        ({"timeout": float("nan")}, "above 0"),
        ({"timeout": 1.0, "executor": "threads"}, "leave out the executor threads"),
        ({"isolate": True, "executor": "dask", "scheduler": "x"}, "leave out the executor dask"),
        ({"memory": 0}, "memory must be at least 1"),
        ({"executor": "dask"}, "add --scheduler ADDRESS"),
        ({"executor": "dask", "scheduler": "x", "jobs": 2}, "leave out jobs"),
        ({"scheduler": "x"}, "add --executor dask"),
        ({"executor": "fibres"}, "threads or processes or dask"),
    ]:
        with pytest.raises(UsageError, match=said):
            simulate("random*4", 1, 5, **settings)


def test_a_process_that_dies_is_told_by_its_signal_or_code():
    assert isolation._death(5) == "an exit with code 5, which ended its process"
    if os.name == "posix":
        assert isolation._death(-9) == "SIGKILL, which ended its process"
