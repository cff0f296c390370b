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
import importlib.util
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import platformdirs

PACKAGE = Path(__file__).resolve().parent
STALE_DAYS = 30
MARKER = "bridzik-compiled-code.txt"
"""Lies in every directory that we made and may delete."""
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

import numba  # noqa: E402  (the directory must be set before numba reads it)
import numpy as np  # noqa: E402
from numba.core import caching, config  # noqa: E402
from numba.core import dispatcher as dispatchers  # noqa: E402

if CACHE_DIRECTORY is not None:
    config.CACHE_DIR = str(CACHE_DIRECTORY)  # numba may have been imported before us


def _defer_blas() -> None:
    """Keep numba from importing all of scipy.linalg, a fifth of a short run, to learn whether BLAS is there.

    Compiled code that does use linear algebra is checked again when it is compiled, by the real function.
    """
    with contextlib.suppress(ImportError, AttributeError):
        linalg: Any = importlib.import_module("numba.np.linalg")
        if importlib.util.find_spec("scipy") is not None:
            check, linalg.ensure_blas = linalg.ensure_blas, lambda: None
            try:
                importlib.import_module("numba.np.arraymath")
            finally:
                linalg.ensure_blas = check


_defer_blas()

compiled = 0
"""Functions compiled in this process and offered to the cache, rather than found in it."""


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's disk cache in the directory of a function, keyed by the constants that are compiled in, too.

    A file that cannot be read or written only costs a compilation.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        before, config.CACHE_DIR = config.CACHE_DIR, str(_directory_of(function))
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), constants(self._py_func))

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
        with contextlib.suppress(RuntimeError):  # a function without a source file cannot be cached
            dispatcher._cache = _Cache(dispatcher.py_func)
    return dispatcher


_strategy_key = ""
"""The key of the ``cached_under`` block we are in; empty outside of one."""


def _directory_of(function: Callable[..., Any]) -> Path:
    """Where a function's code is kept: the package's own at the root, also when a strategy imports it."""
    assert CACHE_DIRECTORY is not None
    at_root = not _strategy_key or _is_ours(function)
    return CACHE_DIRECTORY if at_root else CACHE_DIRECTORY / "strategies" / _strategy_key


def _is_ours(function: Callable[..., Any]) -> bool:
    return Path(function.__code__.co_filename).resolve().is_relative_to(PACKAGE)


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


def constants(function: Callable[..., Any]) -> str:
    """Hash (16 hex digits) of the global values that a function and all that it calls would be compiled with.

    Numbers, strings, arrays, and tuples of them. The package's own come from its sources and are left out.
    """
    digest = hashlib.blake2b(digest_size=8)
    for text in _constants(function, set()):
        digest.update(len(text).to_bytes(8, "little") + text)
    return digest.hexdigest()


def _constants(function: Any, seen: set[int]) -> Iterator[bytes]:
    function = getattr(function, "py_func", function)
    code = getattr(function, "__code__", None)
    if code is None or id(function) in seen or _is_foreign(function.__module__) or _is_ours(function):
        return
    seen.add(id(function))
    names, values = sorted(_names(code)), function.__globals__
    for name in names:
        if name in values:
            yield from _values(name, values[name], names, seen)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell
            yield from _values(name, cell.cell_contents, names, seen)


def _values(name: str, value: Any, names: list[str], seen: set[int]) -> Iterator[bytes]:
    """What a value contributes; of a module, those of its attributes that are named in the function."""
    if isinstance(value, ModuleType):
        if not _is_foreign(value.__name__):
            inside = [other for other in names if other != name and other in vars(value)]
            for other in inside:
                rest = [more for more in names if more != name]
                yield from _values(other, vars(value)[other], rest, seen)
    elif isinstance(value, tuple | list):
        yield f"{name} {len(value)}".encode()
        for one in value:
            yield from _values(name, one, names, seen)
    elif isinstance(value, np.ndarray | np.generic):
        yield f"{name} {value.dtype.descr} {value.shape}".encode() + value.tobytes()
    elif isinstance(value, bool | int | float | complex | str | bytes | np.dtype):
        yield f"{name} {value!r}".encode()
    else:
        yield from _constants(value, seen)


def _names(code: CodeType) -> set[str]:
    """Global names and attributes that a function's code uses, with those of the functions inside it."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _is_foreign(module: str | None) -> bool:
    top = (module or "").partition(".")[0]
    return top in {"numpy", "numba", "bridzik_sim"} or top in sys.stdlib_module_names
