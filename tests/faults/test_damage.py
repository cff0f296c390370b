"""Truncated, bit-flipped and foreign files of a run: refused by name or told, and never a wrong result."""

import random
import shutil
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from fault_runs import refused, units

from bridzik_sim import folder as run_folder
from bridzik_sim.errors import BridzikError, DamageWarning
from bridzik_sim.journal import Journal, JournalError

SEED = 888
HEADER = 34
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)) * 9


@pytest.fixture(scope="module")
def killed(program, undisturbed, tmp_path_factory):
    """A run killed when 7 of 9 games were finished: 4 in the snapshot, 3 in frames of the journal.

    `sums` holds those of the snapshot and of every frame, `ends` where the header and the frames end.
    """
    folder = tmp_path_factory.mktemp("killed") / "run"
    at = next(
        k
        for k, what in enumerate(undisturbed.operations)
        if what.startswith("open .000000000007-000000000008")
    )
    program.simulate(folder, kind="kill", at=at)
    journal, sums, ends = (folder / "journal").read_bytes(), [], [HEADER]
    for size in range(HEADER, len(journal) + 1):
        (folder / "journal").write_bytes(journal[:size])
        contents = Journal.read(folder)
        if not sums or units(folder) > 4 + len(sums) - 1:
            before = {name: sum(one[name] for one in sums) for name in contents.sums}
            sums.append({name: contents.sums[name] - before[name] for name in before})
            ends.append(size)
    assert len(journal) == ends[-1]
    assert len(sums) == 4
    return SimpleNamespace(folder=folder, journal=journal, sums=sums, ends=ends[1:])


def test_a_flipped_bit_costs_its_frame_and_no_other(killed, tmp_path):
    folder, draw = shutil.copytree(killed.folder, tmp_path / "run"), random.Random(SEED)
    for place in sorted({*range(HEADER, HEADER + 20), *draw.sample(range(HEADER, len(killed.journal)), 300)}):
        data = bytearray(killed.journal)
        data[place] ^= 1 << draw.randrange(8)
        (folder / "journal").write_bytes(data)
        hit = next(k for k, end in enumerate(killed.ends) if place < end)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            contents = Journal.read(folder)
        kept = [one for k, one in enumerate(killed.sums) if k != hit]
        about = f"seed {SEED}, byte {place}"
        assert sum(b - a for a, b in contents.ranges) == 6, about
        for name, counts in contents.sums.items():
            np.testing.assert_array_equal(counts, sum(one[name] for one in kept), about)
        assert len(told) == (hit < 3), about  # a damaged end looks as a kill leaves it
        for warning in told:
            assert warning.category is DamageWarning
            assert f"journal is damaged at byte {killed.ends[hit - 1]:,}" in str(warning.message)
    (folder / "journal").write_bytes(killed.journal)
    assert units(folder) == 7


def test_a_flipped_bit_in_the_middle_is_told_and_mended(program, undisturbed, files, killed, tmp_path):
    folder = shutil.copytree(killed.folder, tmp_path / "run")
    data = bytearray(killed.journal)
    data[killed.ends[0] + 99] ^= 1
    (folder / "journal").write_bytes(data)
    report = program("report", folder, "--quiet", folder=folder)
    resumed = program.resume(folder)
    for done in (report, resumed):
        assert done.code == 0
        assert done.err == (
            f"Warning: {folder / 'journal'} is damaged at byte {killed.ends[0]:,}: what was recorded there "
            "counts as not played, all else is kept\n"
        )
    assert resumed.kept == 3
    assert files(folder) == undisturbed.files
    assert program.resume(folder).err == ""


def put(path, kind, other):
    """Put something else in the place of a file."""
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "foreign":
        shutil.copy(other / path.name, path)
    else:
        path.write_bytes({"empty": b"", "picture": JPEG}[kind])


@pytest.mark.parametrize("kind", ["empty", "picture", "folder", "foreign"])
@pytest.mark.parametrize("name", ["experiment.toml", "journal", "snapshot"])
def test_another_file_in_the_place_of_one(program, undisturbed, files, killed, tmp_path, name, kind):
    folder, other = shutil.copytree(killed.folder, tmp_path / "run"), tmp_path / "other"
    assert program.simulate(other, "--seed", "6").code == 0
    put(folder / name, kind, other)
    before = files(folder)
    done = program.resume(folder)
    if (name, kind) == ("journal", "empty"):  # as a kill leaves it that came before the first frame
        assert done.code == 0
    else:
        told = "seed = " if name == "experiment.toml" and kind == "foreign" else name
        refused(done, told, name)
        assert files(folder) == before
        (shutil.rmtree if kind == "folder" else type(folder).unlink)(folder / name)
        shutil.copy(killed.folder / name, folder / name)
        program.finish(folder)
    assert files(folder) == undisturbed.files


def test_a_flipped_bit_of_the_experiment_never_gives_another_run(killed, tmp_path):
    folder, draw = shutil.copytree(killed.folder, tmp_path / "run"), random.Random(SEED)
    path, whole = folder / "experiment.toml", (folder / "experiment.toml").read_bytes()
    real = run_folder.read(folder).experiment
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
        about = f"seed {SEED}, byte {place} of {bytes(data)}"
        found, told = real, str(folder)
        try:
            found = run_folder.read(folder).experiment
        except BridzikError as error:
            told = str(error)
        assert str(folder) in told, about
        assert "\n" not in told, about
        assert found.identity() == real.identity(), about
        assert (found.games, found.first_unit, found.fail_if) == (9, 0, ()), about


def test_a_damaged_snapshot_is_named(killed, tmp_path):
    folder, draw = shutil.copytree(killed.folder, tmp_path / "run"), random.Random(SEED)
    whole = (folder / "snapshot").read_bytes()
    for place in draw.sample(range(len(whole)), 100):
        data = bytearray(whole)
        data[place] ^= 1 << draw.randrange(8)
        for damaged in (bytes(data), whole[:place]):
            (folder / "snapshot").write_bytes(damaged)
            with pytest.raises(JournalError, match=r"snapshot is damaged .* put back a copy of it"):
                Journal.open(folder)
