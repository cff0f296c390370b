"""Estimates of runs of 10**10 games lose no digits, and nothing wraps: against exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from large_runs import repeated, write

from bridzik_sim import api, comparison, estimates, stats
from bridzik_sim.journal import Journal
from cli import standings

TIMES = 3_000_000
SHORT = {
    "simulate": lambda: api.simulate("heuristic,random*3", 10_000, 3, seating="rotate", jobs=1),
    "compare": lambda: api.compare("heuristic", "simple", 4000, 3, jobs=1),
    "tournament": lambda: api.tournament("heuristic,simple,random", 4000, 3, jobs=1),
}


@pytest.fixture(scope="module", params=SHORT)
def runs(request):
    """A run and one of millions of times its length."""
    run = SHORT[request.param]()
    return run, repeated(run, TIMES)


def root(square):
    """The square root of a fraction, to double precision and beyond."""
    scale = 10**60
    return Fraction(math.isqrt(square.numerator * scale**2 // square.denominator), scale)


def test_means_and_errors_are_those_of_exact_fractions(runs):
    for run in runs:
        units = run.units
        for entrant, row in enumerate(run.standings):
            total, squares = estimates.moments(run.experiment, run.sums, "points", entrant)
            parts = estimates.seats_of(run.experiment, entrant)
            variance = Fraction(units * squares - total * total, units * (units - 1))
            error = root(variance / units) / parts
            assert row["points"] == float(Fraction(total, units * parts))
            assert row["points_se"] == pytest.approx(float(error), rel=1e-14)
            reach = Fraction(row["points_high"]) - Fraction(row["points_low"])
            assert float(reach) == pytest.approx(float(2 * error) * stats.student(units), rel=1e-8)


def test_every_table_says_the_same_with_less_doubt(runs):
    short, long = runs
    for name in ("summary", "leaderboard", "crosstable", "wins", "bids", "table_accuracy", "calibration"):
        one, many = getattr(short, name), getattr(long, name)
        assert list(one) == list(many)
        assert len(one) == len(many)
        for column in one.select_dtypes("float"):
            if column.endswith("_se"):
                shrunk = one[column] * math.sqrt((short.units - 1) / (TIMES * short.units))
                assert np.allclose(many[column], shrunk, rtol=1e-6, equal_nan=True), (name, column)
            elif f"{column}_low" in one and column != "rating":
                low, high = many[f"{column}_low"], many[f"{column}_high"]
                assert np.allclose(one[column], many[column], rtol=1e-3, atol=1e-3, equal_nan=True)
                assert ((low <= many[column]) & (many[column] <= high) | low.isna()).all()


def test_running_figures_end_where_the_tables_do(runs):
    _, run = runs
    last = run.convergence.groupby("strategy", sort=False).last()
    assert last["units"].eq(run.units).all()
    assert last["points"].to_list() == run.summary.set_index("strategy").loc[last.index, "points"].to_list()


def test_sums_over_segments_may_leave_64_bits():
    run = repeated(SHORT["compare"](), 2)
    squares = run.sums["product"][:, 0, 0], run.sums["leads"][:, 0, 1]
    for counts in squares:
        counts[np.flatnonzero(counts)[-2:]] += 2**62 + 2**61
    wrapped, leads = (sum(counts.tolist()) for counts in squares)
    assert min(wrapped, leads) > 2**63
    assert estimates.moments(run.experiment, run.sums, "points", 0)[1] == wrapped
    assert comparison.running(run.experiment, run.ranges, run.sums, 0)[-1].squares == leads
    assert run.convergence["high"].iloc[-1] > run.convergence["points"].iloc[-1]


def test_the_folder_of_such_a_run_is_small(runs, tmp_path):
    for number, run in enumerate(runs):
        write(run, tmp_path / str(number))
    sizes = [(tmp_path / str(number) / "snapshot").stat().st_size for number in (0, 1)]
    assert sizes[1] < 4 * sizes[0] < 200_000
    assert api.load_run(tmp_path / "1").standings == runs[1].standings
    assert Journal.read(tmp_path / "1").ranges == runs[1].ranges


def test_no_interval_is_told_as_nothing(runs):
    _, run = runs
    for row in run.standings:
        told = standings.with_reach(row["points"], row["points_low"], row["points_high"])
        assert float(told.split(" ± ")[1]) > 0
    assert "between" not in run.verdict or len(set(run.verdict.split("between ")[1].split()[:3:2])) == 2
