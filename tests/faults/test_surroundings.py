"""Surroundings that a run does not expect: names, languages, homes, and outputs that are closed or full."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fault_runs import refused

ROOT = Path(__file__).parents[2]
SIMPLE = ["simulate", "--seats", "simple,random*3", "--games", "3", "--seed", "5", "--jobs", "1"]


@pytest.mark.parametrize("name", ["my run", "Žofie's čeština", "-run", "a;b&c$d", "x" * 200])
def test_a_folder_of_any_name(program, undisturbed, files, tmp_path, name):
    folder = tmp_path / name
    assert program.simulate(folder).code == 0
    assert files(folder) == undisturbed.files


def test_the_advice_can_be_typed_as_it_stands(program, tmp_path):
    below = {"folder": tmp_path, "kind": "full", "at": 16, "directory": str(tmp_path)}
    failed = program("simulate", *SIMPLE[1:], "--quiet", "--out=-run", **below)
    refused(failed, "go on with 'bridzik resume ./-run'")
    assert program("resume", "./-run", "--quiet", folder=tmp_path, directory=str(tmp_path)).code == 0


def started(script, folder, **environment):
    """A shell script that runs the program as `$BRIDZIK` in a folder; variables that are None are not set."""
    values = {**os.environ, "PYTHONPATH": str(ROOT), "BRIDZIK": f"{sys.executable} -m cli", **environment}
    values = {name: value for name, value in values.items() if value is not None}
    return subprocess.run(["sh", "-c", script], cwd=folder, env=values, capture_output=True, check=False)


@pytest.mark.skipif(
    sys.platform == "win32", reason="its console has no such locale, its shell no such redirections"
)
class TestPosixShell:
    def test_a_locale_without_unicode_and_no_home(self, tmp_path):
        source = ROOT / "strategies" / "bridzik" / "random.py"
        (tmp_path / "hráč.py").write_bytes(source.read_bytes())
        plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "HOME": None}
        command = "$BRIDZIK simulate --seats 'hráč.py,random*3' --games 3 --seed 5 --jobs 1 --quiet"
        command += " --out 'příšerně žluťoučký'"
        done = started(command, tmp_path, **plain, PYTHONUTF8="0")
        assert done.returncode == 2
        assert b"cannot be read as text here; use names in UTF-8, and a locale with UTF-8" in done.stderr
        assert done.stderr.count(b"\n") == 1
        done = started(command, tmp_path, **plain, PYTHONUTF8="1")
        assert (done.returncode, done.stderr.decode()) == (0, "")
        assert "hráč" in done.stdout.decode()
        assert "hráč" in (tmp_path / "příšerně žluťoučký" / "report.html").read_text("utf-8")

    @pytest.mark.parametrize("output", [">&-", ">/dev/full", "2>&-", ">/dev/full 2>&1", "| head -c 1"])
    def test_an_output_that_is_closed_or_full(self, tmp_path, output):
        if "/dev/full" in output and not Path("/dev/full").exists():
            pytest.skip("this system has no /dev/full")
        done = started(f"$BRIDZIK strategies {output}", tmp_path)
        assert b"Traceback" not in done.stderr
        assert b"internal error" not in done.stderr
        assert b"Exception ignored" not in done.stderr
        if output == ">/dev/full":
            assert done.returncode == 2
            assert done.stderr.decode().startswith("Error: ")
            assert done.stderr.count(b"\n") == 1
