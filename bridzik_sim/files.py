"""Writing files so that a reader never sees half of one."""

import os
import shlex
import subprocess
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`, which holds either its old bytes or all of the new ones at any moment.

    The folder must exist. The bytes go to a hidden temporary file beside `path`, which then replaces it.
    Raises OSError when the folder cannot be written to; the temporary file is removed then.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def quoted(argument: str | Path) -> str:
    """An argument as it is typed into this system's shell, quoted where that is needed."""
    text = str(argument)
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)
