"""bridzik bench: one row a table, figures that belong together."""

import json

import pytest

from bridzik_sim import sources

QUICK = ("--seconds", "0.01", "--quiet")


def test_by_default_every_strategy_and_a_mixed_table(bridzik, monkeypatch):
    named = sources.named("bridzik")
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: {n: named[n] for n in ("random", "simple")})
    rows = json.loads(bridzik("bench", *QUICK, "--format", "json").out)
    assert [row["seats"] for row in rows] == ["random*4", "simple*4", "random,simple,random,simple"]
    for row in rows:
        assert list(row) == ["game", "seats", "ns_per_decision", "games_per_second", "decisions_per_second"]
        assert row["decisions_per_second"] == pytest.approx(704 * row["games_per_second"], rel=0.01)
        assert row["ns_per_decision"] * row["decisions_per_second"] == pytest.approx(1e9, rel=0.01)


def test_asked_tables(bridzik):
    result = bridzik("bench", "--seats", "simple*3,random", "--seats", "random", "--seconds", "0.01")
    assert result.code == 0
    assert "[1/2] simple*3,random\n[2/2] random*4\n" in result.err
    assert "games/s" in result.out
    csv = bridzik("bench", *QUICK, "--seats", "random", "--format", "csv").out.splitlines()
    assert csv[0] == "game,seats,ns_per_decision,games_per_second,decisions_per_second"
    assert csv[1].startswith("bridzik,random*4,")


def test_a_table_that_is_too_long(bridzik):
    result = bridzik("bench", *QUICK, "--seats", "random*5")
    assert result.code == 2
    assert "bridzik has 4 seats, but the line-up fills 5" in result.err
