"""The same seed gives the same bytes in games for tables of several sizes, however a run is cut and shared out."""

import pytest

from bridzik_sim import api

RUNS = {
    "wizard": {
        "seats": "heuristic,random*3,b=random",
        "options": {"hidden_bids": "on", "wizard_trump": "dealer", "hand_sizes": "1,5,12"},
    },
    "fool": {
        "seats": "server,random,b=random",
        "options": {"deck": "36", "draw": "forced", "max_turns": "200"},
    },
}
ROTATIONS = {"wizard": 5, "fool": 3}
UNITS, PARTS = 50, {"one": (0, 20), "two": (20, 50)}


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    """A function that plays units of a run of each game in all rotations: ``run(out, first, stop, …)``."""
    playing = {"rows": "csv", **RUNS[request.param], "game": request.param, "seating": "rotate"}
    rotations = ROTATIONS[request.param]

    def play(out, first=0, stop=UNITS, **more):
        games = (stop - first) * rotations
        return api.simulate(
            **{**playing, "games": games, "seed": 11, "first_unit": first, "out": out, **more}
        )

    return play


@pytest.fixture(scope="module")
def uncut(run, tmp_path_factory, tables):
    """The tables of a run that was played at once."""
    out = tmp_path_factory.mktemp("uncut")
    assert run(out, jobs=1).units == UNITS
    return tables(out)


@pytest.mark.parametrize(
    "playing",
    [{"jobs": 2, "chunk_units": 1}, {"jobs": 3, "chunk_units": 7}, {"jobs": 2, "executor": "processes"}],
)
def test_for_any_jobs_chunks_and_executor(run, uncut, tmp_path, tables, playing):
    run(tmp_path, **playing)
    assert tables(tmp_path) == uncut


def test_after_an_interruption(run, uncut, tmp_path, tables):
    ticks = []

    def stop(results, units, seconds):
        ticks.append(units)
        if len(ticks) == 4:
            raise KeyboardInterrupt

    with pytest.raises(api.runner.Interrupted):
        run(tmp_path, jobs=1, chunk_units=3, tick=stop)
    assert 0 < api.load_run(tmp_path).units < UNITS
    api.resume(tmp_path, jobs=2, chunk_units=4)
    assert tables(tmp_path) == uncut


def test_from_two_machines(run, uncut, tmp_path, tables):
    for name, part in PARTS.items():
        run(tmp_path / name, *part, rows="none")
    api.merge([tmp_path / "two", tmp_path / "one"], tmp_path / "both")
    assert tables(tmp_path / "both") == {name: uncut[name] for name in uncut if name != "rows.csv"}
