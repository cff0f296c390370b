"""The one jit decorator, and where compiled code is kept.

Flags: ``nogil`` because chunks run in threads; ``cache`` because compiling takes seconds and loading takes
milliseconds; never ``parallel`` or ``fastmath``, whose results depend on the machine.

Numba's own disk cache keeps serving old code when a helper in another file changes, ignores the bounds-check
flag and fails for ever on a truncated file. So compiled code lives in ``<user cache>/bridzik/<hash of the
sources>/<versions>/<flags>``, and a file that cannot be read is thrown away and compiled again.
``BRIDZIK_CACHE_DIR`` moves the first part. Where nothing can be written, everything works, compiled anew in
every process.

Numba compiles the values of global names in as constants and does not look at them again. A strategy's may
come from anywhere (the environment, a file), so they are part of the key under which its code is found.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from importlib import metadata
from pathlib import Path
from typing import Any

import platformdirs

from bridzik_sim import notices
from bridzik_sim.reach import calls_itself, constants, is_ours

PACKAGE = Path(__file__).resolve().parent
STALE_DAYS = 30
MARKER = "bridzik-compiled-code.txt"
"""Lies in every directory that we made and may delete."""
CHECKSUM = 16
"""Bytes."""
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
        (base / MARKER).write_text("Compiled code of bridzik. It may be deleted at any time.\n", "ascii")
        os.utime(base)
        if not os.access(directory, os.W_OK):
            return None
    except OSError:
        return None
    with contextlib.suppress(OSError):  # another process may be at it, too
        _drop_stale(Path(root), keep=base)
    return directory


def _drop_stale(root: Path, keep: Path) -> None:
    """Delete compiled code of other versions that nobody has used for a month, and nothing else."""
    for other in root.iterdir():
        is_ours = re.fullmatch("[0-9a-f]{16}", other.name) and (other / MARKER).is_file()
        if is_ours and other != keep and time.time() - other.stat().st_mtime > STALE_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)


CACHE_DIRECTORY = _choose_directory()
if CACHE_DIRECTORY is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_DIRECTORY)

import llvmlite.binding as llvm  # noqa: E402
from numba.core import bytecode, caching, config, registry  # noqa: E402  (the directory must be set before numba reads it)
from numba.core import dispatcher as dispatchers  # noqa: E402
from numba.core.runtime import rtsys  # noqa: E402

if CACHE_DIRECTORY is not None:
    config.CACHE_DIR = str(CACHE_DIRECTORY)  # numba may have been imported before us


if platform.machine().lower() in ("x86_64", "amd64"):
    # Choices stay choices. LLVM makes jumps of those it takes for predictable; on random cards they are not.
    llvm.set_option("bridzik", "--x86-cmov-converter=false")

# Numba numbers functions from 1 on in every process, and tells them apart by module, name and number. So two
# files of one name, cached by two processes, could be taken for each other.
bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))

UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
compiled = 0
"""Functions compiled in this process and offered to the cache, rather than found in it."""


class _File(caching.IndexDataCacheFile):
    """Numba's index and code files of a function, with a checksum at the end: damaged code could crash."""

    def save(self, key: Any, data: Any) -> None:
        """Save code under a name of its own, so that processes which start together never mix theirs up."""
        name = self._data_name(int.from_bytes(_checksum(repr(key).encode())[:8], "big"))
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[Any]:
        with super()._open_for_write(filepath) as file:
            yield file
            file.flush()
            file.write(_checksum(Path(file.name).read_bytes()))

    def _load_index(self) -> Any:
        with contextlib.suppress(FileNotFoundError):
            _verify(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _verify(self._data_path(name))
        return super()._load_data(name)


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def _verify(path: str) -> None:
    data = Path(path).read_bytes()
    if _checksum(data[:-CHECKSUM]) != data[-CHECKSUM:]:
        raise ValueError(f"{path} is damaged")


class _FunctionCache(caching.FunctionCache):
    """Numba's disk cache of a function, keyed by its form and the constants that are compiled in, too."""

    def __init__(self, function: Callable[..., Any], form: str, directory: Path) -> None:
        self._form = form
        before, config.CACHE_DIR = config.CACHE_DIR, str(directory)
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: Any = _File(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), self._form, constants(self._py_func))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load compiled code without all that compiling needs, which is three times the work."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


class _Cache(caching.NullCache):
    """The disk cache of a function, made when it is first asked: most are only compiled into others.

    A file that cannot be read or written only costs a compilation.
    """

    def __init__(self, function: Callable[..., Any], form: str = "") -> None:
        self._function, self._form, self._directory = function, form, _directory_of(function)

    @cached_property
    def _files(self) -> Any:
        # Numba does not find functions that call themselves when it loads code with them: it would abort.
        if calls_itself(self._function):
            return caching.NullCache()
        try:
            return _FunctionCache(self._function, self._form, self._directory)
        except RuntimeError:  # a function without a source file cannot be cached
            return caching.NullCache()

    @property
    def cache_path(self) -> Any:
        """The folder of its files, which numba's statistics tell."""
        return self._files.cache_path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load compiled code, or drop whatever is broken and return ``None``."""
        found = None
        try:
            found = self._files.load_overload(sig, target_context)
        except Exception:
            self.flush()
        if found is None:
            notices.compiling()
        return found

    def holds(self, sig: Any, codegen: Any) -> bool:
        """Whether the index names code for a signature."""
        return self._files._index_key(sig, codegen) in self._files._cache_file._load_index()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code; a broken index is replaced, a full disk ignored."""
        global compiled
        compiled += 1
        try:
            self._files.save_overload(sig, data)
        except OSError:
            return
        except Exception:
            self.flush()
            with contextlib.suppress(OSError):
                self._files.save_overload(sig, data)

    def flush(self) -> None:
        """Empty the index."""
        with contextlib.suppress(OSError):
            self._files.flush()


class _Function(registry.CPUDispatcher):
    """A compiled function. Other compiled functions get its ``inner`` form instead, which Python cannot call.

    To let Python call a function, its arguments are taken apart and its answer is put together. To compile
    that for all that only the kernel calls took as long again as everything else.
    """

    inner: Any

    @property
    def _numba_type_(self) -> Any:
        return self.inner._numba_type_


def jit(function: Callable[..., Any] | None = None, *, inline: bool = False, merged: bool = False) -> Any:
    """Compile a function with the project's flags (see the module), on first use or from the disk cache.

    Strategies use the same decorator for their helpers. ``inline`` is for the few places where a call costs a
    measurable share of a decision; its types are then found anew at every place. ``merged`` spares only the
    machine's call: for what is called at every decision, or with tuples of arrays, which a call would copy.
    """
    if function is None:
        return partial(jit, inline=inline, merged=merged)
    if config.DISABLE_JIT:
        return function
    inlined = {"inline": "always" if inline else "never", "forceinline": merged}
    options = {"nopython": True, "nogil": True, **inlined}
    inner = registry.CPUDispatcher(function, targetoptions={**options, **UNWRAPPED})
    dispatcher = _Function(function, targetoptions=options)
    dispatcher.inner = inner
    if CACHE_DIRECTORY is not None:
        dispatcher._cache, inner._cache = _Cache(function), _Cache(function, "inner")
    return dispatcher


def in_cache(dispatcher: Any, signature: Any) -> bool:
    """Whether a function's code for a signature lies in the disk cache, sound or not."""
    try:
        return bool(dispatcher._cache.holds(signature, dispatcher.targetctx.codegen()))
    except (AttributeError, OSError, ValueError):  # nothing is cached here, or the index is damaged
        return False


_strategy_key = ""
"""The key of the ``cached_under`` block we are in; empty outside of one."""


def _directory_of(function: Callable[..., Any]) -> Path:
    """Where a function's code is kept: the package's own at the root, also when a strategy imports it."""
    assert CACHE_DIRECTORY is not None
    at_root = not _strategy_key or is_ours(function)
    return CACHE_DIRECTORY if at_root else CACHE_DIRECTORY / "strategies" / _strategy_key


def _strategy_cache(function: Callable[..., Any]) -> Any:
    """What ``numba.njit(cache=True)`` keeps a strategy's code in; nothing where we cannot write."""
    return caching.NullCache() if CACHE_DIRECTORY is None else _Cache(function)


@contextlib.contextmanager
def cached_under(key: str) -> Iterator[None]:
    """Keep what is decorated inside the block in a sub-directory of its own.

    A strategy's ``key`` is the hash of all its sources, so an edit of any of them is never served old code.
    This holds for ``numba.njit(cache=True)``, too: numba's own cache would look at one file only.
    """
    global _strategy_key
    before = _strategy_key, config.CACHE_DIR, dispatchers.FunctionCache
    _strategy_key, dispatchers.FunctionCache = key, _strategy_cache
    if CACHE_DIRECTORY is not None:
        config.CACHE_DIR = str(CACHE_DIRECTORY / "strategies" / key)
    try:
        yield
    finally:
        _strategy_key, config.CACHE_DIR, dispatchers.FunctionCache = before
