"""Tuning: finds a known best, plays the tables that ``compare`` plays, repeats itself, goes on after a kill."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from bridzik_sim import api, experiment, lineup, sources, tuning, tuning_space
from bridzik_sim.errors import UsageError
from bridzik_sim.tuning_play import Table

BOT = str(Path(__file__).parents[1] / "support" / "known_best.py")
ONE_CARD = {"hand_sizes": "1"}
SMALL = {"games": 80, "generations": 4, "seed": 5, "confirm_games": 200, "options": ONE_CARD}


def files(folder):
    found = {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    return {name: path.read_bytes() for name, path in found.items() if path.name != ".lock"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tuning folder that was made without interruption, on one thread."""
    folder = tmp_path_factory.mktemp("tuning") / "whole"
    tuning.tune(BOT, "x", **SMALL, out=folder, jobs=1)
    return folder


def test_finds_the_known_best_of_two_parameters_and_confirms_it():
    tuned = tuning.tune(
        f"{BOT}:x=-0.4:y=0.2", "x=-1:1,y=-1:1", 600, 16, 3, confirm_games=4000, options=ONE_CARD
    )
    assert tuned.found == pytest.approx({"x": 0.3, "y": -0.5}, abs=0.12)
    assert tuned.supported
    assert tuned.use == f"{BOT}:x={tuned.found['x']}:y={tuned.found['y']}"
    searched, seen = 16 * 600 // 4, tuned.confirmation.ranges
    assert seen == [(searched, searched + 4000 // 8)]
    # Of four rounds each spoiled one costs about 6 points: 24 * (0.7**2 + 0.7**2) = 24 at the start.
    assert 10 < tuned.comparison["difference"] < 30


def test_a_change_that_does_not_help_is_not_recommended():
    tuned = tuning.tune(BOT, "unused", 40, 2, 1, confirm_games=80, options=ONE_CARD)
    assert tuned.changed.text != BOT
    assert (tuned.comparison["verdict"], tuned.supported) == ("no difference", False)
    assert tuned.use == BOT


def test_candidates_play_the_tables_of_a_comparison_against_a_field():
    spec, _ = lineup.parse_spec(BOT)
    candidates = [{"x": 0.9}, {"x": -0.5}, {"x": 0.9}]
    base = experiment.make([spec, spec], 1, 8, command="compare", field="random", options=ONE_CARD)
    table = Table(base)
    totals = table.play([tuning_space.with_values(spec, one) for one in candidates], 30, 25)
    found = api.compare(
        f"{BOT}:x=0.9", f"{BOT}:x=-0.5", 200, 8, field="random", options=ONE_CARD, first_unit=30
    )
    points = [round(row["points"] * row["seat_games"]) for row in found.standings[:2]]
    assert totals == [*points, points[0]]
    assert table.play([tuning_space.with_values(spec, {"x": 0.9})], 55, 25) != totals[:1]


def test_generations_and_confirmation_play_units_of_their_own(monkeypatch):
    played = []

    def note(one, *_, **settings):
        played.append((one.first_unit, one.last_unit))
        return play(one, *_, **settings)

    play = api.play
    monkeypatch.setattr(api, "play", note)
    tuning.tune(BOT, "x", **SMALL)
    assert played == [(0, 20), (20, 40), (40, 60), (60, 80), (80, 105)]


def test_the_same_bytes_for_any_jobs(whole, tmp_path):
    tuning.tune(BOT, "x", **SMALL, out=tmp_path / "two", jobs=2)
    assert files(tmp_path / "two") == files(whole)


class Killed(BaseException):
    """Stands for a kill: nothing catches it."""


def kill(*_):
    raise Killed


@pytest.mark.parametrize("cut", ["after a line", "within a line", "all", "a strange line"])
def test_a_cut_journal_is_gone_on_with(whole, tmp_path, cut):
    lines = (whole / "generations.jsonl").read_bytes().splitlines(keepends=True)
    left = {
        "after a line": lines[:2],
        "within a line": [*lines[:2], lines[2][:30]],
        "all": [],
        "a strange line": [lines[0], lines[2], lines[3]],
    }[cut]
    (tmp_path / "tuning.json").write_bytes((whole / "tuning.json").read_bytes())
    (tmp_path / "generations.jsonl").write_bytes(b"".join(left))
    (tmp_path / ".generations.jsonl.999.tmp").write_bytes(b"half")
    tuning.tune(BOT, "x", **SMALL, out=tmp_path)
    assert files(tmp_path) == files(whole)


def test_a_confirmation_that_was_made_longer_does_not_count(whole, tmp_path):
    out = tmp_path / "tuning"
    shutil.copytree(whole, out)
    api.resume(out / "confirmation", games=400)
    with pytest.raises(UsageError, match="units, the confirmation of this tuning has"):
        tuning.tune(BOT, "x", **SMALL, out=out)


def test_killed_in_the_search_and_in_the_confirmation(whole, tmp_path):
    def in_confirmation(results, units, seconds):
        if results is not None and results.experiment.first_unit >= 80:
            raise Killed

    out = tmp_path / "tuning"
    with pytest.raises(Killed):
        tuning.tune(BOT, "x", **SMALL, out=out, step=kill)
    assert len((out / "generations.jsonl").read_text().splitlines()) == 1
    for _ in range(2):
        with pytest.raises(Killed):
            tuning.tune(BOT, "x", **SMALL, out=out, tick=in_confirmation, chunk_units=5)
        assert (out / "confirmation" / "experiment.toml").exists()
        assert not (out / "result.json").exists()
    told = []
    tuning.tune(BOT, "x", **SMALL, out=out, step=lambda *one: told.append((one[0], one[3])))
    assert told == [(1, False), (2, False), (3, False), (4, False)]
    assert files(out) == files(whole)


def test_a_finished_tuning_plays_nothing_again(whole, monkeypatch):
    before = files(whole)
    monkeypatch.setattr(Table, "play", kill)
    assert tuning.tune(BOT, "x", **SMALL, out=whole).as_json() == json.loads(before["result.json"])
    assert files(whole) == before


@pytest.mark.parametrize(
    ("strategy", "params", "changes", "said"),
    [
        (BOT, "x", {"seed": 6}, "belongs to another tuning: its seed is 5, not 6"),
        (BOT, "x", {"games": 84}, "belongs to another tuning: its games is 80, not 84"),
        (BOT, "y", {}, "belongs to another tuning: its parameters is"),
        (f"{BOT}:y=-0.4", "x", {}, "belongs to another tuning: its params is {}, not {'y': '-0.4'}"),
        ("heuristic", "courage", {}, "belongs to another tuning: its strategy is 'known_best.py'"),
    ],
)
def test_the_folder_of_another_tuning_is_refused(whole, strategy, params, changes, said):
    before = files(whole)
    with pytest.raises(UsageError) as caught:
        tuning.tune(strategy, params, **{**SMALL, **changes}, out=whole)
    assert said in str(caught.value)
    assert files(whole) == before


def test_folders_of_others_and_changed_journals_are_refused(whole, tmp_path):
    (tmp_path / "result.json").write_text("mine")
    with pytest.raises(UsageError, match=r"would overwrite the result\.json"):
        tuning.tune(BOT, "x", **SMALL, out=tmp_path)
    (tmp_path / "tuning.json").write_text("[]")
    with pytest.raises(UsageError, match="is not that of a tuning"):
        tuning.tune(BOT, "x", **SMALL, out=tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "tuning.json").write_bytes((whole / "tuning.json").read_bytes())
    line = {"generation": 1, "candidates": [[0.5]] * 8, "totals": [1] * 8}
    (other / "generations.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(UsageError, match="generation 1 has other candidates"):
        tuning.tune(BOT, "x", **SMALL, out=other)


SPEC, _ = lineup.parse_spec(f"{BOT}:x=0.25")
LISTING = sources.read(Path(BOT))


def test_bounds_as_given_and_by_default():
    whole, fine, wide = tuning_space.read(["unused=-2:8:int", "x=-.5:1e1", "y"], LISTING, SPEC)
    assert (whole.low, whole.high, whole.present, whole.whole) == (-2, 8, 3, True)
    assert (fine.low, fine.high, fine.present, fine.whole) == (-0.5, 10, 0.25, False)
    assert (wide.low, wide.high, wide.present) == (-1.5, 0.5, -0.5)
    assert tuning_space.read(["unused"], LISTING, SPEC)[0].high == 6
    assert [whole.at(share) for share in (0, 0.449, 0.451, 1, 2)] == [-2, 2, 3, 8, 8]
    assert [fine.at(share) for share in (-1, 0, 0.5, 1)] == [-0.5, -0.5, 4.75, 10]
    assert fine.told(1 / 3) == 3.0
    assert wide.told(0.12345678) == -1.253
    assert str(tuning_space.Parameter("z", -1, 1, 0).told(0.49999)) == "0.0"


@pytest.mark.parametrize("value", [0.1, -1 / 3, 12.0, 1e-7, -0.0, 123456.789, 1e22])
def test_values_survive_being_written_in_a_spec(value):
    spec = tuning_space.with_values(SPEC, {"x": value})
    assert lineup.parse_spec(spec.text)[0] == spec
    assert np.float64(dict(spec.params)["x"]) == value
    assert dict(spec.params).keys() == {"x"}


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("z", "there is no parameter of"),
        ("unusd", "did you mean unused?"),
        ("x,x", "the parameter x is given twice"),
        ("", "name at least one parameter to tune"),
        ("x=1", "'x=1' is not of the form NAME, NAME=LOW:HIGH or NAME=LOW:HIGH:int"),
        ("x=a:1", "the bound 'a' is not a number"),
        ("x=0:inf", "the bounds of x=0:inf must be finite"),
        ("x=1:0", "the bounds of x=1:0 must be the lower one first"),
        ("x=0:0", "the bounds of x=0:0 must be the lower one first"),
        ("x=0.5:1", "the present value of x, 0, must lie within its bounds 0.5 and 1"),
        ("y=-1:1:int", "bounds and present value of y=-1:1:int must be whole numbers"),
    ],
)
def test_wrong_parameters_get_one_line(params, said):
    with pytest.raises(UsageError) as caught:
        tuning.tune(BOT, params, 4, 1, 0, options=ONE_CARD)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("strategy", "settings", "said"),
    [
        ("random", {}, "random has no PARAMS, so there is nothing to tune"),
        (f"{BOT}*2", {}, "one strategy is tuned, not 2"),
        (BOT, {"population": 3}, "the population must be at least 4, not 3"),
        (BOT, {"generations": 0}, "the number of generations must be at least 1, not 0"),
        (BOT, {"games": 0}, "the number of games must be at least 1, not 0"),
        (BOT, {"confirm_games": 0}, "the number of games must be at least 1, not 0"),
        (BOT, {"seed": -1}, "the seed must lie between"),
        (BOT, {"field": "simple,random"}, "the field is one strategy"),
    ],
)
def test_wrong_settings_get_one_line(strategy, settings, said):
    with pytest.raises(UsageError) as caught:
        tuning.tune(strategy, "x", **{**SMALL, **settings})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
