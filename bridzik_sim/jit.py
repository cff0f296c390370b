"""The one jit decorator, and where compiled code is kept.

Flags: ``nogil`` because chunks run in threads; ``cache`` because compiling takes seconds and loading takes
milliseconds; never ``parallel`` or ``fastmath``, whose results depend on the machine.

Numba's own disk cache keeps serving old code when a helper in another file changes, ignores the bounds-check
flag and fails for ever on a truncated file. So compiled code lives in ``<user cache>/bridzik/<hash of the
sources>/<versions>/<flags>``, and a file that cannot be read is thrown away and compiled again.
``BRIDZIK_CACHE_DIR`` moves the first part. Where nothing can be written, everything works, compiled anew in
every process.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import platformdirs

PACKAGE = Path(__file__).resolve().parent
STALE_DAYS = 30
# These change what numba emits; the cache directory must not mix them.
FLAGS = {
    "BOUNDSCHECK": "0",
    "OPT": "3",
    "CPU_NAME": "",
    "CPU_FEATURES": "",
    "ENABLE_AVX": "",
    "DEBUG": "0",
    "DISABLE_JIT": "0",
}


def sources_hash(files: Iterator[Path] | list[Path]) -> str:
    """Hash file names and contents: 16 hex digits, the same for the same sources on every machine."""
    digest = hashlib.blake2b(digest_size=8)
    for path in files:
        data = path.read_bytes()
        digest.update(f"{path.name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _flags() -> str:
    set_flags = {name: os.environ.get(f"NUMBA_{name}", "") for name in FLAGS}
    changed = [
        f"{name.lower()}={value}" for name, value in set_flags.items() if value not in ("", FLAGS[name])
    ]
    return "-".join(changed) or "plain"


def _choose_directory() -> Path | None:
    """Make this version's cache directory; ``None`` when nothing can be written there."""
    root = os.environ.get("BRIDZIK_CACHE_DIR") or platformdirs.user_cache_dir("bridzik", appauthor=False)
    base = Path(root) / sources_hash(sorted(PACKAGE.rglob("*.py")))
    versions = f"python{platform.python_version()}-numba{metadata.version('numba')}"
    directory = base / versions / _flags()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(base)
        if not os.access(directory, os.W_OK):
            return None
        _drop_stale(Path(root), keep=base)
    except OSError:
        return None
    return directory


def _drop_stale(root: Path, keep: Path) -> None:
    """Delete compiled code of other versions that nobody has used for a month."""
    for other in root.iterdir():
        is_ours = len(other.name) == len(keep.name) and other != keep and other.is_dir()
        if is_ours and time.time() - other.stat().st_mtime > STALE_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)


CACHE_DIRECTORY = _choose_directory()
if CACHE_DIRECTORY is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_DIRECTORY)

import numba  # noqa: E402  (the directory must be set before numba reads it)
from numba.core import caching, config  # noqa: E402

if CACHE_DIRECTORY is not None:
    config.CACHE_DIR = str(CACHE_DIRECTORY)  # numba may have been imported before us


compiled = 0
"""Functions compiled in this process and offered to the cache, rather than found in it."""


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's disk cache, but a file that cannot be read or written only costs a compilation."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load compiled code, or drop whatever is broken and return ``None``."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self._drop()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code; a broken index is replaced, a full disk ignored."""
        global compiled
        compiled += 1
        try:
            super().save_overload(sig, data)
        except OSError:
            return
        except Exception:
            self._drop()
            with contextlib.suppress(OSError):
                super().save_overload(sig, data)

    def _drop(self) -> None:
        with contextlib.suppress(OSError):
            self.flush()


def jit(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """Compile a function with the project's flags (see the module), on first use or from the disk cache.

    Strategies use the same decorator for their helpers. ``inline`` is for the few places where a call costs a
    measurable share of a decision.
    """
    if function is None:
        return partial(jit, inline=inline)
    dispatcher = numba.njit(nogil=True, inline="always" if inline else "never")(function)
    if CACHE_DIRECTORY is not None and not config.DISABLE_JIT:
        config.CACHE_DIR = str(_directory_of(dispatcher.py_func))
        with contextlib.suppress(RuntimeError):  # a function without a source file cannot be cached
            dispatcher._cache = _Cache(dispatcher.py_func)
    return dispatcher


_strategy_key = ""
"""The key of the ``cached_under`` block we are in; empty outside of one."""


def _directory_of(function: Callable[..., Any]) -> Path:
    """Where a function's code is kept: the package's own at the root, also when a strategy imports it."""
    assert CACHE_DIRECTORY is not None
    ours = Path(function.__code__.co_filename).resolve().is_relative_to(PACKAGE)
    return CACHE_DIRECTORY if ours or not _strategy_key else CACHE_DIRECTORY / "strategies" / _strategy_key


@contextlib.contextmanager
def cached_under(key: str) -> Iterator[None]:
    """Keep what is decorated inside the block in a sub-directory of its own.

    A strategy's ``key`` is the hash of all its sources, so an edit of any of them is never served old code.
    """
    global _strategy_key
    before, _strategy_key = _strategy_key, key
    try:
        yield
    finally:
        _strategy_key = before
