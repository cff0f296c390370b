"""Writing files so that a reader never sees half of one, and a crash leaves none."""

import contextlib
import errno
import os
import re
import shlex
import subprocess
import time
from collections.abc import Collection, Iterator
from io import FileIO
from pathlib import Path
from typing import IO

_TEMPORARY = re.compile(r"\.(.+)\.\d+\.tmp")


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`: after a crash it is the old file or the new one, and once this returns the new.

    The folder must exist. The bytes go to a hidden temporary file beside `path`, which then replaces it.
    Raises OSError with the name of `path` when it cannot be written; the temporary file is removed then.
    """
    with replacing(path) as file:
        write_all(file, data)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[FileIO]:
    """A file to fill with `write_all` or `copy_into`, which then becomes `path` as in `write_atomically`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with FileIO(temporary, "w") as file:
            yield file
            os.fsync(file)
        _replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of `data` to a raw file, which may take only a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def copy_into(file: FileIO, source: IO[bytes]) -> None:
    """Write what is left to read in `source`."""
    while data := source.read(1 << 20):
        write_all(file, data)


def remove_strays(folder: Path, names: Collection[str]) -> None:
    """Remove the temporary files that killed processes have left of files with these names."""
    for path in list(folder.glob(".*.tmp")):
        match = _TEMPORARY.fullmatch(path.name)
        if match and match[1] in names:
            path.unlink(missing_ok=True)


def quoted(argument: str | Path) -> str:
    """An argument as it is typed into this system's shell, quoted where that is needed."""
    text = str(argument)
    if isinstance(argument, Path) and text.startswith("-"):
        text = os.path.join(os.curdir, text)  # or it would be taken for an option
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


def _replace(source: Path, target: Path) -> None:
    for wait in (0.01, 0.03, 0.1, 0.3, 1.0):
        try:
            return os.replace(source, target)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(wait)  # Windows refuses while a reader or a virus scanner has the target open
    return os.replace(source, target)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable; Windows and some file systems have no such call."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
