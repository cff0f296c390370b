"""``bench/strength.py`` shows what the tables of its runs say."""

import importlib.util
from pathlib import Path

import pytest

from bridzik_sim import api, experiment_file

BENCH = Path(__file__).resolve().parents[2] / "bench" / "strength.py"
ONE_CARD = {"options": {"hand_sizes": [1]}, "tables": "one", "references": ["heuristic"]}


@pytest.fixture(scope="module")
def strength():
    spec = importlib.util.spec_from_file_location("strength", BENCH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    api.tournament("heuristic,simple", 200, 5, out=out / "long", **ONE_CARD)
    api.tournament("random,heuristic", 50, 5, out=out / "short", **ONE_CARD)
    api.tournament("random,heuristic", 8, 5, out=out / "pairs")
    api.tournament("random,heuristic", 50, 6, out=out / "other", **ONE_CARD)
    return out


def cells_of(page):
    """The cells of every table of a page, by the first cell of a row."""
    tables, rows = [], {}
    for line in [*page.splitlines(), ""]:
        if line.startswith("|"):
            first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
            rows[first] = rest
        elif rows:
            tables.append(rows)
            rows = {}
    return tables


def test_the_page_holds_the_numbers_of_the_runs(strength, runs, tmp_path, monkeypatch):
    monkeypatch.setattr(
        strength.speed, "time_a_decision", lambda made, label: {"simple": 4.6e-8}.get(label, 2e-7)
    )
    page = tmp_path / "page.md"
    page.write_text(f"before\n{strength.BEGIN}\nold\n{strength.END}\nafter\n", encoding="utf-8")
    assert strength.main([str(runs / "long"), str(runs / "short"), "--page", str(page)]) == 0
    written = page.read_text(encoding="utf-8")
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "old" not in written
    points, differences, own = cells_of(written)
    homes = {"heuristic": "long", "simple": "long", "random": "short"}
    for label, home in homes.items():
        table = api.load_run(runs / home).crosstable.set_index(["strategy", "opponent"])
        row, alone = table.loc[label, "heuristic"], table.loc[label, label]
        half = (row["points_high"] - row["points_low"]) / 2
        assert points[f"`{label}`"][0] == f"{row['points']:.1f} ± {half:.1f} ({100 * row['exact']:.1f} %)"
        shown = differences[f"`{label}`"][0].replace("−", "-").split(" ± ")[0]
        assert shown == ("–" if label == "heuristic" else f"{row['difference']:+.1f}")
        assert own[f"`{label}`"][0].split(" ± ")[0] == f"{alone['points']:.1f}"
    # One card: two decisions a round. Times: 46 ns and 200 ns.
    assert own["`simple`"][2:] == ["46 ns", "0.23", "92 ns", "40"]
    assert own["`heuristic`"][2:] == ["200 ns", "1", "400 ns", "40"]
    assert own["`random`"][5] == "10"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["pairs"], "no tournament with tables"),
        (["long", "other"], "differ in seed: 5 and 6"),
        (["missing"], "is not a run folder"),
    ],
)
def test_runs_that_cannot_be_shown(strength, runs, tmp_path, given, said):
    page = tmp_path / "page.md"
    page.write_text(f"{strength.BEGIN}\n{strength.END}\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=said):
        strength.main([*(str(runs / name) for name in given), "--page", str(page)])
    assert page.read_text(encoding="utf-8") == f"{strength.BEGIN}\n{strength.END}\n"


def test_the_experiments_fit_together_and_the_page_has_its_marks(strength):
    folder = BENCH.parents[1] / "experiments"
    files = [experiment_file.read(folder / f"{name}.toml") for name in ("strength", "strength_search")]
    fast, search = (experiment_file.resolve(file) for file in files)
    assert (fast.references, fast.seed) == (search.references, search.seed)
    assert fast.match.alone
    assert search.match.alone
    assert "measured here" in strength.put(strength.PAGE.read_text(encoding="utf-8"), "measured here")
