"""Disks that are full, broken or read-only from a random moment on: one line, code 2, and nothing finished lost."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from fault_runs import moments, refused, units

import cli

SEED = 88
TEXTS = {
    "full": os.strerror(errno.ENOSPC),
    "once": os.strerror(errno.EIO),
    "read_only": os.strerror(errno.EROFS),
    "forbid": os.strerror(errno.EACCES),
}


@pytest.mark.parametrize("kind", ["full", "once", "read_only"])
def test_a_disk_that_fails_from_some_moment_on(program, undisturbed, files, tmp_path, kind):
    told = 0
    for moment in moments(undisturbed.operations, 8, f"{SEED} {kind}"):
        folder = tmp_path / str(moment) / "run"
        failed = program.simulate(folder, kind=kind, at=moment)
        about = f"seed {SEED}, {kind} from operation {moment}: {undisturbed.operations[moment]}"
        if failed.code:  # what only tidies up may fail in silence
            refused(failed, TEXTS[kind], about)
            told += 1
        assert not failed.kept or units(folder) >= failed.kept, about
        program.finish(folder)
        assert files(folder) == undisturbed.files, about
    assert told > 4


@pytest.fixture
def open_to_all():
    """A folder in which another user may write: the superuser is forbidden nothing, so runs lay him down."""
    path = Path(tempfile.mkdtemp(prefix="bridzik-"))
    path.chmod(0o777)
    yield path
    for below in path.rglob("*"):
        if below.is_dir():
            below.chmod(0o777)
    shutil.rmtree(path)


def test_a_folder_that_becomes_read_only(program, undisturbed, files, open_to_all):
    if os.geteuid() == 0 and not all(
        above.stat().st_mode & 0o005 == 0o005 for above in Path(cli.__file__).parents
    ):
        pytest.skip("another user, whom the superuser has to become here, may not read this checkout")
    for moment in moments(undisturbed.operations, 4, SEED):
        folder = open_to_all / str(moment)
        failed = program.simulate(folder, kind="forbid", at=moment)
        about = f"seed {SEED}, {moment}: {undisturbed.operations[moment]}"
        refused(failed, TEXTS["forbid"], about)
        for path in (folder, folder / "rows"):
            if path.exists():
                path.chmod(0o777)
        assert not failed.kept or units(folder) >= failed.kept, about
        program.finish(folder)
        assert files(folder) == undisturbed.files, about


@pytest.mark.parametrize("limit", [300, 2_000, 9_000])
def test_files_that_may_not_grow(program, undisturbed, files, tmp_path, limit):
    assert limit < max(map(len, undisturbed.files.values()))
    folder = tmp_path / "run"
    refused(program.simulate(folder, limit=limit), os.strerror(errno.EFBIG), f"at most {limit} bytes")
    program.finish(folder)
    assert files(folder) == undisturbed.files


def test_a_folder_that_is_deleted_meanwhile(program, undisturbed, files, tmp_path):
    for moment in moments(undisturbed.operations, 6, SEED):
        folder = tmp_path / str(moment)
        failed = program.simulate(folder, kind="vanish", at=moment)
        about = f"seed {SEED}, {moment}: {undisturbed.operations[moment]}"
        if failed.code:
            refused(failed, str(folder), about)
        shutil.rmtree(folder, ignore_errors=True)
        program.finish(folder)
        assert files(folder) == undisturbed.files, about
