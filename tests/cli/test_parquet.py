"""``--rows parquet``: the same bytes however a run was played, and one line where pyarrow is missing."""

import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest

from bridzik_sim import api, parquet_rows

SEATS, GAMES, GROUP = "random*2,a=random,simple", 60, 1000


@pytest.fixture(autouse=True)
def small_groups(monkeypatch):
    monkeypatch.setattr(parquet_rows, "ROW_GROUP", GROUP)


def play(out, games=GAMES, **settings):
    """The bytes of the rows of a run."""
    api.simulate(SEATS, games, 5, out=out, **{"rows": "parquet", "jobs": 1, **settings})
    return rows_in(out)


def rows_in(out):
    assert not (out / "rows").exists()
    return (out / "rows.parquet").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The rows of a run that was played at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_rows, "ROW_GROUP", GROUP)
        return play(tmp_path_factory.mktemp("whole"))


def test_the_rows_are_those_of_csv(tmp_path, whole):
    api.simulate(SEATS, GAMES, 5, out=tmp_path, rows="csv", jobs=1)
    (tmp_path / "rows.parquet").write_bytes(whole)
    found, text = pd.read_parquet(tmp_path / "rows.parquet"), pd.read_csv(tmp_path / "rows.csv")
    assert len(found) == GAMES * 128
    assert found.astype(str).equals(text.astype(str))
    about = pq.ParquetFile(tmp_path / "rows.parquet").metadata
    assert {about.row_group(at).num_rows for at in range(about.num_row_groups - 1)} == {GROUP}


@pytest.mark.parametrize("playing", [{"jobs": 2, "chunk_units": 1}, {"jobs": 2, "executor": "processes"}])
def test_for_any_jobs_chunks_and_processes(tmp_path, whole, playing):
    assert play(tmp_path, **playing) == whole


def test_after_an_interruption(tmp_path, whole):
    ticks = []

    def stop(results, units, seconds):
        ticks.append(units)
        if len(ticks) == 3:
            raise KeyboardInterrupt

    with pytest.raises(api.runner.Interrupted):
        play(tmp_path, chunk_units=7, tick=stop)
    assert 0 < api.load_run(tmp_path).units < GAMES
    stray = tmp_path / "rows" / f"{GAMES - 2:012d}-{GAMES:012d}-00000000.parquet"
    stray.write_bytes(b"of a chunk that the journal never had")
    api.resume(tmp_path, jobs=2, chunk_units=11)
    assert rows_in(tmp_path) == whole


def test_of_a_run_made_longer(tmp_path, whole):
    assert play(tmp_path, GAMES // 3) != whole
    api.resume(tmp_path, GAMES, jobs=1)
    assert rows_in(tmp_path) == whole


def test_of_runs_that_were_merged(bridzik, tmp_path, whole, no_pictures):
    play(tmp_path / "one", 17)
    play(tmp_path / "two", GAMES - 17, first_unit=17)
    torn = tmp_path / "two" / "rows.parquet"
    data = torn.read_bytes()
    torn.write_bytes(data[:-9])
    merge = ("merge", tmp_path / "two", tmp_path / "one", "--out", tmp_path / "both")
    assert bridzik(*merge).err.startswith(f"Error: {torn} lacks rows of finished games; ")
    torn.write_bytes(data)
    assert bridzik(*merge).code == 0
    assert rows_in(tmp_path / "both") == whole


def test_replacing_a_run_takes_its_rows_along(tmp_path):
    play(tmp_path, 2)
    api.simulate(SEATS, 2, 5, out=tmp_path, force=True)
    assert not (tmp_path / "rows.parquet").exists()


def test_without_pyarrow_nothing_is_played_or_replaced(bridzik, tmp_path, monkeypatch):
    api.simulate(SEATS, 2, 5, out=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    how = ("simulate", "--seats", SEATS, "--games", 3, "--seed", 1, "--rows", "parquet", "--out")
    for out in (tmp_path / "new", tmp_path):
        result = bridzik(*how, out, "--force")
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "Error: --rows parquet needs the library pyarrow; install it with: pip install 'bridzik[parquet]'\n"
        )
    assert not (tmp_path / "new").exists()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
