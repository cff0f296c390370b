"""bridzik warmup: everything is compiled, and found again."""

import json

from bridzik_sim import jit, sources


def test_kernel_and_strategies_are_compiled(bridzik):
    result = bridzik("warmup")
    assert result.code == 0
    assert "kernel of bridzik" in result.out
    assert f"compiled code is kept in {jit.CACHE_DIRECTORY}" in result.err
    again = json.loads(bridzik("warmup", "--format", "json", "--quiet").out)
    expected = ["kernel of bridzik", *[f"strategy {name}" for name in sorted(sources.named("bridzik"))]]
    assert [step["what"] for step in again["steps"]] == [*expected, "one game by each engine"]
    assert {step["how"] for step in again["steps"]} == {"from the cache"}
    assert again["cache"] == str(jit.CACHE_DIRECTORY)


def test_a_cache_that_cannot_be_written_is_told(bridzik, monkeypatch):
    monkeypatch.setattr(jit, "CACHE_DIRECTORY", None)
    random = {"random": sources.named("bridzik")["random"]}
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: random)
    result = bridzik("warmup")
    assert result.code == 0
    assert "nothing is kept" in result.err
