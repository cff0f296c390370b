"""``bridzik run``: experiments from files, what overrides them, thresholds, and runs that are repeated to the byte."""

import json
import re
import shutil
from pathlib import Path

import pytest

from bridzik_sim import api

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("no_timing", "no_pictures")
MINE = '''"""Bids nothing and plays its lowest legal card."""
from bridzik_sim.cards import lowest


def bid(view):
    return 0 if view.forbidden != 0 else 1


def play(view):
    return lowest(view.legal)
'''


@pytest.fixture
def write(tmp_path):
    """Write an experiment file and return its path."""

    def call(text, name="duel.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return call


def duel(more="", games=40, seed="seed = 5"):
    return f'command = "compare"\nentrants = ["simple", "random"]\ngames = {games}\n{seed}\n{more}'


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (duel(), ["compare", "simple", "random"]),
        ('seats = "simple,random*3"\ngames = 40\nseed = 5\n', ["simulate", "--seats", "simple,random*3"]),
        (
            'command = "tournament"\nentrants = ["simple", "random*2"]\ngames = 40\nseed = 5\n',
            ["tournament", "simple", "random*2"],
        ),
    ],
)
def test_a_file_prints_as_its_command(bridzik, write, text, arguments):
    for form in ("table", "json", "csv"):
        expected = bridzik(*arguments, "--games", 40, "--seed", 5, "--format", form)
        result = bridzik("run", write(text), "--format", form)
        assert (result.code, result.err) == (0, "")
        assert result.out == expected.out


def test_options_override_the_file(bridzik, write):
    path = write(duel("[options]\nhand_sizes = [8, 7]\n"))
    given = ["--games", 20, "--seed", 6, "--first-unit", 3, "--option", "hand_sizes=2"]
    assert bridzik("run", path, *given).out == bridzik("compare", "simple", "random", *given).out
    result = bridzik("run", path, "--option", "hand_size=2")
    assert result.code == 2
    assert result.err.startswith(
        "Error: there is no option of bridzik called 'hand_size'; did you mean hand_sizes?"
    )


def test_a_seed_is_drawn_and_told(bridzik, write):
    result = bridzik("run", write(duel(seed="")), "--quiet")
    told = re.fullmatch(r"seed (\d+) \(drawn\)\n", result.err)[1]
    assert f"seed {told};" in result.out
    assert f"seed {told};" in bridzik("run", write(duel(seed="")), "--seed", told).out


def test_paths_are_seen_from_the_file(bridzik, write, tmp_path, monkeypatch):
    (tmp_path / "files" / "bots").mkdir(parents=True)
    (tmp_path / "files" / "bots" / "mine.py").write_text(MINE)
    text = 'command = "compare"\nentrants = ["me", "bots/mine.py"]\nfield = "random"\ngames = 8\nseed = 1\nout = "runs/one"\n'
    write(text + '[strategies.me]\nspec = "bots/mine.py"\n', "files/duel.toml")
    monkeypatch.chdir(tmp_path)
    result = bridzik("run", "files/duel.toml")
    assert result.code == 0
    assert (tmp_path / "files" / "runs" / "one" / "crosstable.csv").exists()
    assert "me minus bots/mine.py" in result.out
    assert bridzik("run", "files/duel.toml", "--out", "two").code == 0
    assert (tmp_path / "two" / "crosstable.csv").exists()


@pytest.mark.parametrize(
    "play",
    [
        lambda out: api.simulate("simple,x=random,random*2", 20, 5, seating="rotate", first_unit=2, out=out),
        lambda out: api.compare("simple", "simple", 40, 5, field="simple", rows="csv", out=out),
        lambda out: api.compare("simple", "random", 9000, 5, until_sure=True, margin=3, out=out),
        lambda out: api.tournament("a=random,random,random,simple", 20, 5, tables="all", out=out),
    ],
)
def test_a_run_is_repeated_to_the_byte(bridzik, tmp_path, play):
    one, two = tmp_path / "one", tmp_path / "two"
    play(one)
    assert bridzik("run", one / "experiment.toml", "--out", two, "--quiet").code == 0
    names = {path.name for path in one.iterdir()} - {".lock", "journal"}
    assert {"experiment.toml", "snapshot", "summary.csv"} < names
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_a_changed_strategy_cannot_repeat_a_run(bridzik, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    api.compare(f"me={mine}", "random", 4, 5, out=tmp_path / "run")
    mine.write_text(MINE.replace("lowest(view.legal)", "lowest(view.legal & -1)"))
    path = tmp_path / "run" / "experiment.toml"
    result = bridzik("run", path)
    assert result.code == 2
    assert result.err.startswith(
        f"Error: {path}: strategies.me.fingerprint: the strategy me has changed since"
    )


def test_thresholds_decide_the_exit_code(bridzik, write, tmp_path):
    kept = '[[fail_if]]\nfigure = "difference"\nbelow = 50\n'
    missed = '[[fail_if]]\nfigure = "exact"\nof = "random"\nbelow = 0.9\n[[fail_if]]\nfigure = "games"\nabove = 39\n'
    assert bridzik("run", write(duel(kept))).code == 0
    out = tmp_path / "run"
    result = bridzik("run", write(duel(kept + missed)), "--format", "json", "--out", out, "--quiet")
    assert result.code == 1
    exact = next(row["exact"] for row in json.loads(result.out)["standings"] if row["strategy"] == "random")
    assert result.err.splitlines() == [
        f"Error: exact of random is {exact:.4g}, below 0.9",
        "Error: games is 40, above 39",
    ]
    assert (out / "report.html").exists()
    assert bridzik("resume", out).code == 1
    again = bridzik("run", out / "experiment.toml", "--out", tmp_path / "again")
    assert again.code == 1
    assert (tmp_path / "again" / "experiment.toml").read_bytes() == (out / "experiment.toml").read_bytes()


def test_a_run_never_overwrites_the_file_it_is_made_from(bridzik, write, tmp_path):
    path = write(duel('out = "."\n'), "experiment.toml")
    for force in ([], ["--force"]):
        result = bridzik("run", path, *force)
        assert result.code == 2
        assert f"would overwrite {path}; choose another folder with --out" in result.err
    assert path.read_text() == duel('out = "."\n')
    api.compare("simple", "random", 4, 5, out=tmp_path / "run")
    again = bridzik(
        "run", tmp_path / "run" / "experiment.toml", "--games", 8, "--out", tmp_path / "run", "--force"
    )
    assert again.code == 0
    assert "8 games" in again.out


@pytest.mark.parametrize("name", ["duel.toml", "ladder.toml"])
def test_the_examples_work(bridzik, tmp_path, name):
    shutil.copy(ROOT / "experiments" / name, tmp_path)
    result = bridzik("run", tmp_path / name, "--games", 40)
    assert result.code == 0, result.err
    assert "seed 7;" in result.out


def test_wrong_files_get_one_line(bridzik, tmp_path, write):
    api.compare("simple", "random", 4, 5, out=tmp_path / "run")
    cases = [
        (tmp_path / "run", f"{tmp_path / 'run'} is a folder, not an experiment file; did you mean "),
        (tmp_path, f"{tmp_path} is a folder, not an experiment file"),
        (tmp_path / "none.toml", f"{tmp_path / 'none.toml'}: cannot read the experiment file: No such file"),
        (write(duel('rows = "csv"\n')), "whole rows need a folder to go to; add --out"),
        (write(duel("gmaes = 1\n"), "x.toml"), f"{tmp_path / 'x.toml'}: gmaes: there is no key 'gmaes'"),
    ]
    for path, said in cases:
        result = bridzik("run", path)
        assert result.code == 2
        assert result.err.startswith(f"Error: {said}")
        assert result.err.count("\n") == 1
        assert not result.out
