"""Two programs and one run folder: the second writer is refused, readers are not, and a killed one leaves no lock."""

import pytest
from fault_runs import moments, refused

from bridzik_sim import folder as run_folder


@pytest.fixture
def in_use(program, tmp_path):
    """A finished run that another process, this one, has locked."""
    folder = tmp_path / "run"
    assert program.simulate(folder).code == 0
    lock = run_folder.locked(folder)
    yield folder
    lock.release()


def test_a_folder_in_use_is_left_alone(program, files, in_use, tmp_path):
    parts = [tmp_path / "one", tmp_path / "two"]
    for number, part in enumerate(parts):
        assert program.simulate(part, "--first-unit", 9 * number).code == 0
    before = files(in_use)
    told = f"another bridzik is writing to {in_use}"
    refused(program.simulate(in_use, "--force"), told)
    refused(program.resume(in_use), told)
    refused(program.resume(in_use, "--games", "99"), told)
    refused(program("merge", *parts, "--out", in_use, "--force", folder=in_use), told)
    assert files(in_use) == before
    assert program("report", in_use, "--quiet", folder=in_use).code == 0
    assert files(in_use) == before


def test_a_killed_process_leaves_no_lock(program, undisturbed, files, tmp_path):
    for moment in moments(undisturbed.operations, 2, 1):
        folder = tmp_path / str(moment)
        assert program.simulate(folder, kind="kill", at=moment).code == -9
        assert (folder / ".lock").exists()
        assert program.simulate(folder, "--force").code == 0
        assert files(folder) == undisturbed.files
