"""``bridzik merge``: the whole is what one run would have left; what does not belong together is refused."""

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
    toml.write_text(toml.read_text().replace("games = 10", "games = 12"))
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
