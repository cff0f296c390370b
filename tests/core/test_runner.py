"""What the runner and the threads do when chunks end late, or with errors."""

import threading
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np

from bridzik_sim import executors, experiment, runner
from bridzik_sim.errors import UsageError
from bridzik_sim.play import Played


def test_a_chunk_that_runs_is_stopped_however_many_came_after_it(monkeypatch):
    begun, seen = threading.Event(), []

    def play(first, stop, control):
        if first == 0:
            begun.set()
            while not control[0]:
                threading.Event().wait(0.001)
            seen.append(first)

    monkeypatch.setattr(executors.long_runs, "player", lambda _: SimpleNamespace(play=play))
    with executors.Threads(experiment.make("random*4", 1, 1), 2) as threads:
        threads.submit(0, 1)
        assert begun.wait(60)
        for later in [threads.submit(at, at + 1) for at in range(1, 400)]:
            later.result(60)
        assert len(threads._controls) <= 2
        assert not seen
    assert seen == [0]


def test_after_an_interrupt_an_error_does_not_cost_what_arrives():
    workers = SimpleNamespace(stop=lambda: None, abandon=lambda: None)
    kept, sizer = [], SimpleNamespace(learn=lambda *_: None)
    running = runner._Run(workers, kept.append, None, sizer)
    failed, arrived = Future(), Future()
    failed.set_exception(UsageError("a worker died"))
    played = Played(1, 2, {}, np.zeros((0, 0), np.int64))
    arrived.set_result(played)
    running.busy = {failed: (0.0, 1), arrived: (1.0, 2)}
    running._leave()
    assert kept == [played]
