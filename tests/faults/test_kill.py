"""Runs that are killed at random moments, also while they are resumed, end in the bytes of an undisturbed run."""

import random

import pytest
from fault_runs import moments, units

SEED = 8
KILLED = -9


def test_the_moments_are_everywhere(undisturbed):
    told = " ".join(undisturbed.operations)
    for what in (
        *(".experiment.toml", ".snapshot", ".journal", "write journal", "sync journal", "cut journal"),
        *("mkdir rows", "-000000000001-", "rename .summary.csv", "write .rows.csv", "rmdir rows"),
        *("write .wins.png", "rename .report.html"),
    ):
        assert what in told
    assert len(moments(undisturbed.operations, 36, SEED)) == 36


@pytest.mark.parametrize("part", range(4))
def test_a_kill_before_any_operation_loses_nothing(program, undisturbed, files, tmp_path, part):
    for moment in moments(undisturbed.operations, 36, SEED)[part::4]:
        folder = tmp_path / str(moment) / "run"
        killed = program.simulate(folder, kind="kill", at=moment)
        about = f"seed {SEED}, killed before operation {moment}: {undisturbed.operations[moment]}"
        assert killed.code == KILLED, about
        assert not killed.kept or units(folder) >= killed.kept, about
        program.finish(folder)
        assert files(folder) == undisturbed.files, about


def test_a_run_that_is_killed_again_and_again(program, undisturbed, files, tmp_path):
    draw, folder, kept = random.Random(SEED), tmp_path / "run", 0
    for _ in range(12):
        begun = (folder / "experiment.toml").exists()
        go_on = program.resume if begun else program.simulate
        killed = go_on(folder, kind="kill", at=draw.randrange(10, 90))
        kept += killed.kept
        assert not kept or units(folder) >= kept, f"seed {SEED}"
    assert kept > 2
    program.finish(folder)
    assert files(folder) == undisturbed.files, f"seed {SEED}"


def test_a_run_that_is_killed_from_outside_at_random_times(program, undisturbed, files, tmp_path):
    draw, folder, times = random.Random(SEED), tmp_path / "run", []
    while len(times) < 12:
        times.append(draw.uniform(0.05, 0.4))
        begun = (folder / "experiment.toml").exists()
        go_on = program.resume if begun else program.simulate
        assert go_on(folder, kill_after=times[-1]).code in (KILLED, 0), f"seed {SEED}, after {times} s"
    program.finish(folder)
    assert files(folder) == undisturbed.files, f"seed {SEED}, killed after {times} s"
