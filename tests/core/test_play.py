"""Playing units: faults of strategies, plain Python strategies, the same counts by every way."""

from dataclasses import replace

import numpy as np
import pytest

from bridzik_sim import experiment as experiments
from bridzik_sim import lineup, simulate
from bridzik_sim.errors import StrategyFaultError, UsageError
from bridzik_sim.games.fool import rules as fool
from bridzik_sim.play import Player
from bridzik_sim.results import csv_bytes, csv_tables

HEAD = "from bridzik_sim.streams import choose\n"
# Goes wrong in about one deal of 2,000: only when it holds both hearts A and K and is to bid fourth.
RARE = """
def bid(view):
    if view.position == 3 and view.hand & 0xC0 == 0xC0 and view.size == 3:
        {what}
    return choose(view)
def play(view):
    return choose(view)
"""
SOME = "random*3,bad={}"


def tables(results):
    return {name: csv_bytes(getattr(results, name)) for name in csv_tables(results.experiment.game)}


@pytest.fixture
def write(tmp_path):
    def writer(what, name="bad.py", head=HEAD):
        path = tmp_path / name
        path.write_text(head + RARE.format(what=what))
        return path

    return writer


@pytest.mark.parametrize(
    ("what", "shown"), [("return 99", "answered 99"), ("raise ValueError('boo')", "raised ValueError")]
)
def test_a_fault_stops_the_run_and_names_the_decision(write, what, shown):
    with pytest.raises(StrategyFaultError) as caught:
        simulate(SOME.format(write(what)), 3000, 5)
    text = str(caught.value)
    assert f"the strategy bad {shown}" in text
    for part in (
        "unit ",
        "seating 0",
        "deal ",
        "seat 3",
        "decision bid",
        "bridzik replay --seats",
        "--seed 5 --seating 0 --unit",
    ):
        assert part in text


@pytest.mark.parametrize(
    "what", ["return 99", "return -1", "return 1 << 40", "raise ValueError('boo')", "return 3 - 10**12"]
)
def test_a_forfeit_plays_the_lowest_legal_answer(write, what):
    # The same strategy, once wrong and once playing by itself what a forfeit plays.
    bad = simulate(SOME.format(write(what)), 3000, 5, on_error="forfeit")
    honest = write("return 0 if view.legal & 1 else 1", "good.py")
    good = simulate(SOME.format(honest), 3000, 5, on_error="forfeit")
    kind = "raised" if "raise" in what else "illegal"
    faults = bad.summary.set_index("strategy").loc["bad"]
    assert faults[kind] > 5
    assert faults[["illegal", "raised", "timeout"]].sum() == faults[kind]
    assert good.summary[["illegal", "raised", "timeout"]].sum().sum() == 0
    assert {**tables(bad), "summary": b""} == {**tables(good), "summary": b""}


def test_an_exit_inside_a_strategy_is_a_fault(write):
    path = write("raise SystemExit('bye')", head="PYTHON = True\n" + HEAD)
    with pytest.raises(StrategyFaultError, match="the strategy bad raised SystemExit"):
        simulate(SOME.format(path), 400, 5, options={"hand_sizes": "3"}, jobs=1)


def test_a_strategy_that_fails_only_sometimes_is_named_as_such(write, monkeypatch):
    # What the kernel saw cannot be found again: the reference engine meets a strategy that behaves.
    from bridzik_sim.play import Player

    class Behaving(Player):
        def record(self, unit, seating, observer=None):
            self.callables = [self.callables[0]] * len(self.callables)
            return super().record(unit, seating, observer)

    monkeypatch.setattr("bridzik_sim.long_runs.Player", Behaving)
    with pytest.raises(StrategyFaultError, match="does not play the same every time"):
        simulate(SOME.format(write("return 99")), 3000, 5)


def test_a_python_strategy_plays_the_same_games(write):
    compiled = simulate(SOME.format(write("return 0 if view.legal & 1 else 1")), 12, 3, seating="rotate")
    plain = write("return 0 if view.legal & 1 else 1", head="PYTHON = True\n" + HEAD)
    slow = simulate(SOME.format(plain), 12, 3, seating="rotate", jobs=1)
    assert tables(slow) == tables(compiled)


@pytest.mark.parametrize(
    "ways", [{"jobs": 1}, {"jobs": 3}, {"chunk_units": 7}, {"jobs": 2, "chunk_units": 1000}]
)
def test_the_same_bytes_however_it_is_split(ways):
    assert tables(simulate("random*4", 1500, 9, **ways)) == tables(
        simulate("random*4", 1500, 9, chunk_units=1500)
    )


def test_processes_give_the_same_bytes():
    slow = simulate("random*4", 300, 9, executor="processes", jobs=2)
    assert tables(slow) == tables(simulate("random*4", 300, 9))


def test_rows_need_a_folder():
    with pytest.raises(UsageError, match="add --out"):
        simulate("random*4", 1, 1, rows="csv")


def test_units_beyond_32_bits():
    far = simulate("random*4", 3, 1, first_unit=2**33)
    near = simulate("random*4", 3, 1)
    assert far.units == near.units == 3
    assert tables(far)["scores"] != tables(near)["scores"]


def test_results_add_up():
    results = simulate("random,r2=random,random*2", 500, 4, seating="rotate")
    summary = results.summary.set_index("strategy")
    assert results.games == 500
    assert summary.seat_games.to_dict() == {"random": 1500, "r2": 500}
    assert (summary.wins * summary.seat_games).sum() == pytest.approx(500)
    assert results.bids["count"].sum() == 500 * 128
    assert results.table["count"].sum() == 500 * 32
    scores = results.scores
    mean = (scores.points * scores.games).groupby(scores.strategy).sum() / scores.groupby(
        "strategy"
    ).games.sum()
    assert np.allclose(mean[summary.index], summary.points)
    exact = results.bids.query("bid == tricks").groupby("strategy")["count"].sum()
    assert np.allclose(exact[summary.index] / (32 * summary.seat_games), summary.exact)
    assert results.table_accuracy.hits.sum() == exact.sum() == results.accuracy.hits.sum()
    last = results.convergence.groupby("strategy").last()
    assert np.allclose(last.points[summary.index], summary.points)
    assert (results.table.sum_of_bids != results.table.hand_size).all()


def test_games_with_more_rows_than_expected_are_played_again_with_more_room(monkeypatch):
    def player():
        line = lineup.parse("heuristic,random*3")
        return Player(experiments.make(line, 6, 3, game="fool", options={"max_turns": 30}, rows="csv"))

    whole = player().units(0, 6, np.zeros(2, np.int64))
    plain = player()._plain(0, 6, np.zeros(2, np.int64))
    assert np.array_equal(whole.rows, plain.rows)
    monkeypatch.setattr(fool, "GAME", replace(fool.GAME, rows_a_game=1))
    monkeypatch.setattr(Player, "_plain", None)
    tight = player().units(0, 6, np.zeros(2, np.int64))
    assert np.array_equal(tight.rows, whole.rows)
    assert all(np.array_equal(tight.counts[name], whole.counts[name]) for name in whole.counts)
