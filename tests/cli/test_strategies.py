"""bridzik strategies: what there is, read without running anything."""

import json

import pytest

SOURCE = '''"""Never bids.

More about it, over
two lines.
"""
PARAMS = {"courage": 0.5, "fear": 2}
PYTHON = True
raise SystemExit("this file must not be run")

def bid(view):
    """Nothing."""
    return 0

def play(view):
    """The lowest.

    Always.
    """
    return 0
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_the_list(bridzik):
    result = bridzik("strategies", "--format", "json")
    assert result.code == 0
    entries = {entry["name"]: entry for entry in json.loads(result.out)}
    assert {"random", "simple"} <= set(entries)
    assert entries["random"]["summary"] == "Bids and plays any legal answer, each equally likely."
    assert entries["random"]["python"] is False
    assert entries["random"]["file"].endswith("random.py")
    text = bridzik("strategies").out
    assert all(entry["name"] in text and entry["summary"] in text for entry in entries.values())
    table = bridzik("strategies", "--format", "csv").out.splitlines()
    assert table[0] == "name,parameters,kind,summary"
    assert len(table) == len(entries) + 1
    assert bridzik("strategies", "--format", "markdown").out.startswith("| name |")


def test_a_strategy_that_cannot_be_read_does_not_spoil_the_list(bridzik, monkeypatch, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("def bid(view:", encoding="utf-8")
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: {"broken": broken})
    result = bridzik("strategies", "--format", "csv")
    assert result.code == 0
    assert "cannot be read: " in result.out


def test_one_is_described_from_its_file(bridzik, mine):
    result = bridzik("strategies", mine)
    assert result.code == 0
    assert result.out.startswith(
        "mine  (Bridžik, plain Python)\n\nNever bids.\n\nMore about it, over\ntwo lines.\n"
    )
    assert "parameters   courage=0.5, fear=2\n" in result.out
    assert f"file         {mine}\n" in result.out
    assert "  bid        Nothing.\n  play       The lowest.\n\n             Always.\n" in result.out
    entry = json.loads(bridzik("strategies", mine, "--format", "json").out)
    assert entry["params"] == {"courage": 0.5, "fear": 2}
    assert entry["decisions"]["bid"] == "Nothing."
    assert "| name | mine |" in bridzik("strategies", mine, "--format", "markdown").out


def test_one_is_described_by_name(bridzik):
    result = bridzik("strategies", "random")
    assert "Bids and plays any legal answer" in result.out
    assert "  play       Any legal card." in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rnadom"], "there is no bridzik strategy 'rnadom'; did you mean random?"),
        (["no/such.py"], "there is no strategy file no/such.py"),
        (["--game", "whist"], "there is no game 'whist'"),
    ],
)
def test_what_is_not_there(bridzik, arguments, said):
    result = bridzik("strategies", *arguments)
    assert result.code == 2
    assert said in result.err
