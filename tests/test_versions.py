"""The script that plays the suite on several Pythons: what it asks pip for and what it tells."""

import runpy
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / ".ci/versions.py"))


def test_every_dependency_has_a_lower_bound_and_is_held_at_it(script):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values())
    asked = {one.name: one for one in map(Requirement, chain(*groups)) if one.name != project["name"]}
    held = {one.name: one for one in map(Requirement, script["lowest"](project).splitlines())}
    assert held.keys() == asked.keys()
    for name, one in held.items():
        (exact,), (least, *_) = (
            one.specifier,
            sorted(asked[name].specifier, key=lambda bound: bound.operator != ">="),
        )
        assert (exact.operator, least.operator) == ("==", ">=")
        assert Version(exact.version) == Version(least.version)
        assert one.marker == asked[name].marker


def test_a_report_is_counted(script, tmp_path):
    report = tmp_path / "report.xml"
    report.write_text('<testsuites><testsuite tests="9" failures="1" errors="2" skipped="3"/></testsuites>')
    assert script["counts"](report) == {"passed": "3", "failed": "3", "skipped": "3"}
    assert script["counts"](tmp_path / "none.xml") == {}


def test_words_after_two_dashes_are_for_pytest(script):
    assert script["divided"](["python3", "--", "-n", "1"]) == (["python3"], ["-n", "1"])
    assert script["divided"](["--lowest"]) == (["--lowest"], [])


def test_what_does_not_start_is_no_interpreter(script, capsys):
    with pytest.raises(SystemExit, match="2"):
        script["main"]([str(ROOT / "no python")])
    assert "is no Python interpreter that starts" in capsys.readouterr().err
