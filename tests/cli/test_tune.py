"""``bridzik tune``: what it prints, what it says when it is interrupted, and what it refuses."""

import csv
import io
import json
import signal
import sys
from pathlib import Path

import pytest

from bridzik_sim import tuning

BOT = str(Path(__file__).parents[1] / "support" / "known_best.py")
SMALL = ("--games", 40, "--generations", 2, "--confirm-games", 80, "--option", "hand_sizes=1")


def tune(bridzik, *arguments, bot=BOT, params="x=-1:1", seed=("--seed", 4)):
    return bridzik("tune", bot, "--params", params, *SMALL, *seed, *arguments)


def test_people_get_parameters_evidence_and_advice(bridzik):
    tuned = tuning.tune(BOT, "x=-1:1", 40, 2, 4, confirm_games=80, options={"hand_sizes": "1"})
    result = tune(bridzik)
    assert result.code == 0
    told = result.err.splitlines()
    assert [line.split(":")[0] for line in told] == ["generation 1 of 2", "generation 2 of 2"]
    assert told[0].split(": ")[1].startswith("x 0.")
    lines = [line for line in result.out.splitlines() if line.strip()]
    assert lines[0].split() == ["parameter", "low", "high", "present", "found"]
    assert lines[2].split() == ["x", "-1", "1", "0", f"{tuned.found['x']:g}"]
    assert "searched with 640 games in 2 generations, seed 4" in lines
    assert tuned.confirmation.verdict in lines
    assert lines[-1] in (
        f"the confirmation supports the change; use {tuned.use}",
        f"the confirmation does not support the change; keep {BOT}",
        f"the confirmation finds the change worse; keep {BOT}",
    )
    assert tune(bridzik, "--quiet").err == ""


def test_programs_get_the_same_in_json_and_csv(bridzik, tmp_path):
    out = tmp_path / "tuning"
    found = json.loads(tune(bridzik, "--out", out, "--format", "json").out)
    assert found == json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert (found["seed"], found["games"], found["strategy"]) == (4, 640, BOT)
    (parameter,) = found["parameters"]
    assert found["found"] == f"{BOT}:x={parameter['found']}"
    assert found["confirmation"]["strategy"] == found["found"]
    (row,) = csv.DictReader(io.StringIO(tune(bridzik, "--format", "csv").out))
    assert (row["parameter"], row["found"]) == ("x", str(parameter["found"]))
    assert row["supported"] == str(found["supported"]).lower()


@pytest.mark.parametrize(
    ("start", "said"),
    [("x=-0.9", "the confirmation supports the change; use "), ("unused=1", "the confirmation does not ")],
)
def test_the_advice_follows_the_confirmation(bridzik, start, said):
    name = start.split("=")[0]
    result = tune(bridzik, "--format", "markdown", bot=f"{BOT}:{start}", params=f"{name}=-1:1")
    assert result.out.splitlines()[-1].startswith(said)


def test_a_bound_that_was_reached_is_told(bridzik):
    result = bridzik("tune", BOT, "--params", "x=0:1:int", *SMALL, "--seed", 4)
    assert "x was found at its bound 0; wider bounds may hold a better value" in result.out
    assert result.out.splitlines()[-1] == f"the search found the present parameters again; keep {BOT}"


def test_a_drawn_seed_is_told_and_kept(bridzik, tmp_path):
    first = tune(bridzik, "--out", tmp_path, "--quiet", seed=())
    assert first.err.startswith("seed ")
    again = tune(bridzik, "--out", tmp_path, seed=())
    assert (again.code, again.out, again.err) == (0, first.out, "")


def test_an_interrupted_tuning_says_how_to_go_on(bridzik, monkeypatch, tmp_path):
    from cli.tune import _Watch

    step = _Watch.step

    def interrupted(self, number, *rest):
        step(self, number, *rest)
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(_Watch, "step", interrupted)
        result = tune(bridzik, "--quiet")
        assert result.code == 130
        assert "interrupted after 1 of 2 generations; without --out nothing is kept" in result.err
        result = tune(bridzik, "--quiet", "--out", tmp_path)
        assert "interrupted after 1 of 2 generations; go on with the same command" in result.err
    assert tune(bridzik, "--out", tmp_path).out == tune(bridzik).out


def test_without_the_library_one_line_says_what_to_install(bridzik, monkeypatch):
    monkeypatch.setitem(sys.modules, "cmaes", None)
    result = tune(bridzik)
    assert result.code == 2
    assert (
        result.err == "Error: tuning needs the library cmaes; install it with: pip install 'bridzik[tune]'\n"
    )


@pytest.mark.parametrize(
    ("settings", "arguments", "said"),
    [
        ({"params": "z"}, (), "there is no parameter of"),
        ({"params": "x=1:0"}, (), "the bounds of x=1:0 must be the lower one first"),
        ({"params": "x=1:2"}, (), "the present value of x, 0, must lie within its bounds 1 and 2"),
        ({"bot": "random"}, (), "random has no PARAMS"),
        ({"bot": "randm"}, (), "did you mean random?"),
        ({}, ("--population", 2), "'--population': 2 is not in the range x>=4"),
    ],
)
def test_wrong_input_gets_one_line(bridzik, settings, arguments, said):
    result = tune(bridzik, *arguments, **settings)
    assert result.code == 2
    assert said in result.err
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert not result.out
