"""The same seed gives the same bytes in every other game than Bridžik, however a run is cut and shared out."""

from functools import partial

import pytest

from bridzik_sim import api


def simulate(line, **settings):
    """A function that plays a line-up in all its rotations."""
    return partial(api.simulate, line, seating="rotate", **settings)


RUNS = {
    "wizard": simulate(
        "heuristic,random*3,b=random",
        game="wizard",
        options={"hidden_bids": "on", "wizard_trump": "dealer", "hand_sizes": "1,5,12"},
    ),
    "fool": simulate(
        "server,random,b=random",
        game="fool",
        options={"deck": "36", "draw": "forced", "max_turns": "200"},
    ),
    "rubbers": simulate("random,b=random", game="bridge", options={"honours": "on", "max_deals": "12"}),
    "boards": partial(
        api.compare,
        "random",
        "b=random",
        game="bridge",
        options={"scoring": "duplicate", "declarer": "last_bid"},
    ),
    "honeymoon": simulate(
        "random,b=random", game="honeymoon", options={"deals": "3", "vulnerability": "random"}
    ),
}
SEATINGS = {"wizard": 5, "fool": 3, "rubbers": 2, "boards": 2, "honeymoon": 2}
UNITS, PARTS = 50, {"one": (0, 20), "two": (20, 50)}


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    """A function that plays units of a run of each kind in all its seatings: ``run(out, first, stop, …)``."""

    def play(out, first=0, stop=UNITS, **more):
        games = (stop - first) * SEATINGS[request.param]
        settings = {"rows": "csv", "seed": 11, "first_unit": first, "out": out, **more}
        return RUNS[request.param](games=games, **settings)

    return play


@pytest.fixture(scope="module")
def uncut(run, tmp_path_factory, tables):
    """The tables of a run that was played at once."""
    out = tmp_path_factory.mktemp("uncut")
    assert run(out, jobs=1).units == UNITS
    return tables(out)


@pytest.mark.parametrize("playing", [{"jobs": 2, "chunk_units": 1}, {"jobs": 3, "chunk_units": 7}])
def test_for_any_jobs_and_chunks(run, uncut, tmp_path, tables, playing):
    run(tmp_path, **playing)
    assert tables(tmp_path) == uncut


# Starting processes takes seconds; rubbers and honeymoon send them nothing that these do not.
@pytest.mark.parametrize("run", ["wizard", "fool", "boards"], indirect=True)
def test_in_processes(run, uncut, tmp_path, tables):
    run(tmp_path, jobs=2, executor="processes")
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
