"""bridzik new: the file plays at once, is checked and linted."""

import subprocess
import sys

import numpy as np
import pytest

from bridzik_sim import api, experiment
from bridzik_sim.play import Player


@pytest.fixture
def mine(bridzik, tmp_path):
    path = tmp_path / "bots" / "mine.py"
    result = bridzik("new", path)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"wrote {path}; next: bridzik check {path}\n"
    return path


def test_it_passes_its_check(bridzik, mine):
    result = bridzik("check", mine, "--games", "20", "--quiet")
    assert result.code == 0, result.out
    assert result.out.endswith("all checks passed\n")


def test_it_plays_sensibly(mine):
    run = api.simulate(f"mine={mine},random*3", 400, 1, seating="rotate", jobs=1)
    points = run.summary.set_index("strategy")["points"]
    assert points["mine"] > 2 * points["random"]


def test_it_plays_the_same_as_plain_python(mine):
    plain = mine.with_name("plain.py")
    plain.write_text(mine.read_text(encoding="utf-8") + "\n\nPYTHON = True\n", encoding="utf-8")
    counts = []
    for path in (mine, plain):
        player = Player(experiment.make(f"x={path},random*3", 1, 1, seating="rotate"))
        counts.append(player.play(0, 3, np.zeros(2, np.int64)).counts)
    assert all((counts[0][name] == counts[1][name]).all() for name in counts[0])


def test_it_is_linted_and_names_itself(mine):
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", mine], capture_output=True
        )
        assert done.returncode == 0, done.stdout
    text = mine.read_text(encoding="utf-8")
    assert f"bridzik check {mine.as_posix()}\n" in text
    assert "my_strategy" not in text


def test_nothing_is_overwritten_unasked(bridzik, mine):
    mine.write_text("precious", encoding="utf-8")
    result = bridzik("new", mine)
    assert result.code == 2
    assert "is there already" in result.err
    assert mine.read_text(encoding="utf-8") == "precious"
    assert bridzik("new", mine, "--force", "--quiet").err == ""
    assert mine.read_text(encoding="utf-8").startswith('"""Bids its aces')


@pytest.mark.parametrize("name", ["bot.txt", "my bot.py", "3bots.py", "bot"])
def test_a_name_that_is_no_module_is_refused(bridzik, tmp_path, name):
    result = bridzik("new", tmp_path / name)
    assert result.code == 2
    assert "must end in .py and be named like a Python module" in result.err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made(bridzik, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = bridzik("new", tmp_path / "file" / "bot.py")
    assert result.code == 2
    assert result.err.count("\n") == 1
