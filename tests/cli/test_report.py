"""``bridzik report``: one run, several side by side, unfinished ones."""

import csv
import io
import json

import pytest
from fake_cases import OF_OTHERS

from bridzik_sim import api
from bridzik_sim.folder import PICTURES
from reports.write import sub_folder, write_report

SEATS = "simple,random*3"

# A run of simulate compares nothing.
NOT_DRAWN = ("crosstable", "difference", "evidence", "ladder", "deal_kinds", *OF_OTHERS)
DRAWN = [name for name in PICTURES if name not in NOT_DRAWN]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two finished runs and an unfinished one."""
    folder = tmp_path_factory.mktemp("runs")
    write_report(api.simulate(SEATS, 30, 5, out=folder / "one"), folder / "one")
    api.simulate("simple*2,random*2", 20, 5, out=folder / "two")
    api.simulate(SEATS, 30, 7, out=folder / "three")
    toml = folder / "three" / "experiment.toml"
    toml.write_text(toml.read_text().partition("# checksum")[0].replace("games = 30", "games = 1200"))
    return folder


def test_the_names_of_pictures_are_known_to_run_folders():
    from reports.figures import CHARTS

    assert set(CHARTS) == set(PICTURES)


def test_a_report_of_one_run_lies_in_its_folder_and_repeats_to_the_byte(bridzik, runs, tmp_path, monkeypatch):
    before = {path.name: path.read_bytes() for path in (runs / "one").iterdir()}
    (runs / "one" / "report.html").unlink()
    with monkeypatch.context() as patch:
        pictures = {name: before[f"{name}.png"] for name in DRAWN}
        patch.setattr("reports.figures.draw", lambda results: pictures)
        result = bridzik("report", runs / "one")
    assert result.code == 0
    assert "30 games (30 units seated as given), 960 rounds, seed 5" in result.out
    assert result.err == f"tables, pictures and report.html are in {runs / 'one'}\n"
    assert {path.name: path.read_bytes() for path in (runs / "one").iterdir()} == before
    assert bridzik("report", runs / "one", "--out", tmp_path / "new" / "er", "--quiet").err == ""
    made = {path.name: path.read_bytes() for path in (tmp_path / "new" / "er").iterdir()}
    assert {"report.html", "summary.csv", *(f"{name}.png" for name in DRAWN)} < made.keys()
    assert made == {name: (runs / "one" / name).read_bytes() for name in made}
    assert "µs" not in made["report.html"].decode()


def test_an_unfinished_run_is_reported_as_such(bridzik, runs, tmp_path, no_pictures):
    result = bridzik("report", runs / "three", "--out", tmp_path)
    assert result.code == 0
    assert f"{runs / 'three'} is not finished: the report is about 30 of 1,200 games" in result.err
    assert "30 of 1,200 games" in result.out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "not finished" in page
    assert "30 of 1,200 games" in page


def test_several_runs_are_laid_side_by_side(bridzik, runs, tmp_path, monkeypatch):
    pictures = {name: (runs / "one" / f"{name}.png").read_bytes() for name in DRAWN}
    monkeypatch.setattr("reports.figures.draw", lambda results: pictures)
    out = tmp_path / "out"
    result = bridzik("report", runs / "one", runs / "two", "--names", "be/fore,after", "--out", out)
    assert result.code == 0
    assert result.err == f"report.html, compare.csv and the pictures are in {out}\n"
    assert {path.name for path in out.iterdir()} == {"report.html", "compare.csv", "1-be_fore", "2-after"}
    for name in ("1-be_fore", "2-after"):
        assert {f"{picture}.png" for picture in DRAWN} < {path.name for path in (out / name).iterdir()}
    rows = list(csv.DictReader(io.StringIO((out / "compare.csv").read_text())))
    assert [(row["run"], row["games"], row["strategy"]) for row in rows] == [
        ("be/fore", "30", "simple"), ("be/fore", "30", "random"), ("after", "20", "simple"), ("after", "20", "random"),
    ]  # fmt: skip
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "be/fore" in page
    assert "2 runs side by side" in page


def test_several_runs_in_every_format(bridzik, runs, tmp_path, no_pictures, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ("report", runs / "one", runs / "two", "--quiet")
    assert "one" in bridzik(*arguments).out
    shown = bridzik(*arguments, "--format", "csv").out
    assert shown.encode() == (tmp_path / "report" / "compare.csv").read_bytes()
    data = json.loads(bridzik(*arguments, "--format", "json").out)
    assert [run["name"] for run in data["runs"]] == ["one", "two"]
    assert data["runs"][1]["experiment"]["games"] == 20
    assert bridzik(*arguments, "--format", "markdown").out.startswith("| run | games |")


def test_runs_of_one_name_are_told_apart(bridzik, runs, tmp_path, no_pictures):
    result = bridzik("report", runs / "one", runs / "one", "--format", "csv", "--out", tmp_path / "out")
    assert [line.split(",")[0] for line in result.out.splitlines()[1:]] == ["one (1)"] * 2 + ["one (2)"] * 2


def test_what_cannot_be_reported_is_told(bridzik, runs, tmp_path, no_pictures):
    (tmp_path / "file").write_text("")
    one, two = runs / "one", runs / "two"
    for arguments, said in (
        ([tmp_path], f"{tmp_path} is not a run folder"),
        ([one, two, "--names", "a"], "--names needs 2 different names, one a run, not 'a'"),
        ([one, two, "--names", "a,a"], "--names needs 2 different names"),
        ([one, two, "--names", "a,"], "--names needs 2 different names"),
        ([one, two, "--out", runs / "three"], "holds a run of its own; choose another folder"),
        ([one, "--out", two], f"{two} holds a run of its own; choose another folder"),
        ([one, two, "--out", tmp_path / "file" / "x"], "cannot write to the folder"),
        ([one, "--out", tmp_path / "file"], "cannot write to the folder"),
    ):
        result = bridzik("report", *arguments)
        assert result.code == 2
        assert said in result.err
        assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("plain", "3-plain"),
        ("../up", "3-.._up"),
        ("a b:c", "3-a_b_c"),
        ("Bridžik", "3-Brid_ik"),
        ("dot.", "3-dot"),
    ],
)
def test_folders_of_runs_have_harmless_names(name, folder):
    assert sub_folder(3, name) == folder
