"""``bridzik merge``: the whole is what one run would have left; what does not belong together is refused."""

import zlib

import pytest

from bridzik_sim import api

SEATS = "simple,random*3"
pytestmark = pytest.mark.usefixtures("no_pictures")


def parts(folder, pieces, **settings):
    made = []
    for first, games in pieces:
        made.append(folder / f"from-{first}")
        api.simulate(SEATS, games, 5, out=made[-1], first_unit=first, **settings)
    return made


@pytest.mark.parametrize("settings", [{"rows": "csv"}, {"seating": "rotate"}])
def test_parts_add_up_to_the_single_run(bridzik, tmp_path, tables, reference, settings):
    turns = 4 if settings.get("seating") else 1
    pieces = [(50, 10 * turns), (0, 50 * turns), (60, 25 * turns)]
    folders = parts(tmp_path, pieces, **settings)
    result = bridzik("merge", *folders, "--out", tmp_path / "whole")
    assert result.code == 0
    assert f"{85 * turns:,} games (85 units" in result.out
    assert result.err == f"tables, pictures and report.html are in {tmp_path / 'whole'}\n"
    assert tables(tmp_path / "whole") == reference(SEATS, 85 * turns, 5, **settings)


def test_a_merged_run_can_be_made_longer(bridzik, tmp_path, tables, reference):
    folders = parts(tmp_path, [(0, 30), (30, 20)], rows="csv")
    assert bridzik("merge", *folders, "--out", tmp_path / "whole", "--quiet").err == ""
    assert bridzik("resume", tmp_path / "whole", "--games", 85, "--quiet").code == 0
    assert tables(tmp_path / "whole") == reference(SEATS, 85, 5, rows="csv")


def test_units_left_out_between_the_runs_can_be_played(bridzik, tmp_path, tables, reference):
    folders = parts(tmp_path, [(0, 30), (60, 25)], rows="csv")
    result = bridzik("merge", *folders, "--out", tmp_path / "whole")
    assert result.code == 0
    assert "55 of 85 games" in result.out
    assert f"leave units out between them; play those with: bridzik resume {tmp_path / 'whole'}" in result.err
    assert bridzik("resume", tmp_path / "whole").code == 0
    assert tables(tmp_path / "whole") == reference(SEATS, 85, 5, rows="csv")


def test_what_does_not_belong_together_is_refused(bridzik, tmp_path):
    one, two = parts(tmp_path, [(0, 10), (5, 10)])
    other = tmp_path / "other"
    api.simulate(SEATS, 10, 6, out=other, first_unit=10)
    unfinished = tmp_path / "unfinished"
    api.simulate(SEATS, 10, 5, out=unfinished, first_unit=20)
    toml = unfinished / "experiment.toml"
    toml.write_text(toml.read_text().partition("# checksum")[0].replace("games = 10", "games = 12"))
    whole = tmp_path / "whole"
    for arguments, said in (
        ([one, two], f"{one} and {two} share units from 5 on"),
        ([one, one], "share units from 0 on"),
        ([one, other], f"{other} differs from {one} in seed"),
        ([one, unfinished], f"{unfinished} is not finished; finish it with 'bridzik resume {unfinished}'"),
        ([one, tmp_path / "nowhere"], "is not a run folder"),
    ):
        result = bridzik("merge", *arguments, "--out", whole)
        assert result.code == 2
        assert said in result.err
        assert result.err.count("\n") == 1
        assert not whole.exists()


def unjoined(folder):
    """Put a complete run back to the moment between the last chunk and the joining of its rows."""
    lines = (folder / "rows.csv").read_text().splitlines(keepends=True)
    (folder / "rows").mkdir()
    for first in (0, 6):
        part = [
            line for line in lines[1:] if first <= int(line.split(",")[0]) < first + (6 if first == 0 else 4)
        ]
        stop = 6 if first == 0 else 10
        text = "".join([lines[0], *part])
        name = f"{first:012d}-{stop:012d}-{zlib.crc32(text.encode()):08x}.csv"
        (folder / "rows" / name).write_text(text, newline="")
    (folder / "rows.csv").unlink()


def test_rows_that_were_not_joined_are_not_lost(bridzik, tmp_path, tables, reference):
    one, two = parts(tmp_path, [(0, 10), (10, 10)], rows="csv")
    whole = tmp_path / "whole"
    unjoined(one)
    result = bridzik("merge", one, two, "--out", whole)
    assert result.code == 2
    assert result.err.startswith(f"Error: {one}/rows.csv lacks rows of finished games; ")
    assert f"finish it with 'bridzik resume {one}'" in result.err
    assert not whole.exists()
    assert bridzik("resume", one).code == 0
    assert not (one / "rows").exists()
    assert bridzik("merge", one, two, "--out", whole).code == 0
    assert tables(whole) == reference(SEATS, 20, 5, rows="csv")


@pytest.mark.parametrize("keep", [0, 1, 500, -1])
def test_short_rows_are_refused_and_replace_nothing(bridzik, tmp_path, tables, keep):
    one, two, old = parts(tmp_path, [(0, 10), (10, 10), (40, 7)], rows="csv")
    before = tables(old)
    text = (two / "rows.csv").read_text()
    short = text[:-1] if keep < 0 else "".join(text.splitlines(keepends=True)[:keep])
    (two / "rows.csv").write_text(short)
    assert "lacks rows of finished games" in bridzik("merge", one, two, "--out", old, "--force").err
    assert tables(old) == before
    result = bridzik("resume", two)
    assert result.code == 2
    assert "do not hold the rows of all finished games" in result.err
    assert result.err.count("\n") == 1
    assert (two / "rows.csv").read_text() == short
    assert not list(two.glob(".*.tmp"))


def test_runs_of_one_strategy_that_lies_elsewhere_add_up(bridzik, bad, tmp_path):
    folders = []
    for number in (0, 1):
        (tmp_path / f"home-{number}").mkdir()
        file = tmp_path / f"home-{number}" / "bad.py"
        file.write_bytes(bad.read_bytes())
        folders.append(tmp_path / f"part-{number}")
        seats = f"mine={file}:chance=98,random*3"
        api.simulate(seats, 10, 5, out=folders[-1], first_unit=10 * number)
    assert bridzik("merge", *folders, "--out", tmp_path / "whole").code == 0
    one, whole = (api.load_run(path).as_json()["experiment"] for path in (folders[0], tmp_path / "whole"))
    assert one["strategies"] == {
        "mine": {"params": {"chance": "98"}},
        "random": {"source": "random", "params": {}},
    }
    assert one["fingerprints"] == whole["fingerprints"]
    assert str(tmp_path) not in str(one)
    other = tmp_path / "other"
    api.simulate(f"mine={bad}:chance=97,random*3", 10, 5, out=other, first_unit=20)
    assert "in strategies; only equal" in bridzik("merge", folders[0], other, "--out", tmp_path / "no").err


def test_no_run_is_overwritten_unasked(bridzik, tmp_path, tables):
    one, two, three = parts(tmp_path, [(0, 10), (10, 10), (40, 7)])
    before = tables(one), tables(three)
    result = bridzik("merge", one, two, "--out", three)
    assert result.code == 2
    assert "already holds a run" in result.err
    result = bridzik("merge", one, two, "--out", one, "--force")
    assert result.code == 2
    assert f"{one} is one of the runs to be merged" in result.err
    assert (tables(one), tables(three)) == before
    assert bridzik("merge", one, two, "--out", three, "--force").code == 0
    assert api.load_run(three).units == 20
