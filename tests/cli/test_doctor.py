"""bridzik doctor: what there is, and whether it works."""

import json
import platform

import numba

from bridzik_sim import jit, trials
from bridzik_sim.games import plain


def test_all_is_well_here(bridzik):
    result = bridzik("doctor", "--format", "json")
    assert result.code == 0
    found = json.loads(result.out)
    assert found["ok"] is True
    assert [one["check"] for one in found["checks"]] == ["streams", "engines"]
    assert found["versions"]["numba"] == numba.__version__
    assert found["versions"]["python"].startswith(platform.python_version())
    assert found["cores"]["usable"] >= 1
    assert found["cache"]["path"] == (str(jit.CACHE_DIRECTORY) if jit.CACHE_DIRECTORY else None)
    assert "random" in found["strategies"][0]["strategies"]
    text = bridzik("doctor").out
    assert "ok: random streams equal numpy's Philox" in text
    assert found["versions"]["bridzik"] in text
    assert "| numba |" in bridzik("doctor", "--format", "markdown").out


def test_a_test_that_fails_or_breaks_gives_code_4(bridzik, monkeypatch):
    monkeypatch.setattr(plain, "unit_words", lambda *_: [0, 0, 0, 0])
    monkeypatch.setattr(trials, "engines_agree", lambda *_: 1 / 0)
    result = bridzik("doctor")
    assert result.code == 4
    assert "FAILED: the random stream of seed 0, unit 0 differs" in result.out
    assert "FAILED: ZeroDivisionError" in result.out


def test_engines_that_differ_are_told(bridzik, monkeypatch):
    monkeypatch.setattr(trials, "engines_agree", lambda *_: False)
    result = bridzik("doctor", "--format", "json")
    assert result.code == 4
    assert json.loads(result.out)["ok"] is False


def test_a_cache_that_cannot_be_written_is_told(bridzik, monkeypatch):
    monkeypatch.setattr(jit, "CACHE_DIRECTORY", None)
    assert "set BRIDZIK_CACHE_DIR" in bridzik("doctor").out
