"""What the code of a compiled function reaches: names, values that are compiled in, other functions.

Read off the Python functions, following global names, modules, tuples, closures and defaults.
"""

from __future__ import annotations

import contextlib
import dis
import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import extending
from numba.core import types

PACKAGE = Path(__file__).resolve().parent
PLAIN = (
    int, float, complex, bytes, type, type(None), type(Ellipsis), BuiltinFunctionType, np.ndarray, np.generic,
    np.dtype, np.ufunc, types.Type,
)  # fmt: skip
"""What holds no code that could look at a view."""


def names_in(function: Any) -> set[str] | None:
    """All names and texts in the code of a function and of all that it calls; None if that cannot be told."""
    found: set[str] = set()
    seen: list[Any] = []
    waiting = [function]
    while waiting:
        given = waiting.pop()
        value = getattr(given, "py_func", given)
        if any(value is other for other in seen):
            continue
        seen.append(value)
        if isinstance(value, FunctionType | BuiltinFunctionType) and _is_foreign(value.__module__):
            found.add(value.__name__)
        elif isinstance(value, FunctionType):
            if value is given:  # not compiled: it stands for other code, by numba's overload or the like
                return None
            names = set(_words(value.__code__))
            found |= names
            waiting += _reached(value, names)
        elif isinstance(value, extending._Intrinsic):
            if not value._defn.__module__.startswith(("bridzik_sim.", "strategies.")):
                return None
        elif isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, str):
            found.add(value)
        elif not isinstance(value, PLAIN) or hasattr(value, "class_type"):
            return None
    return found


def _words(code: CodeType) -> Iterator[str]:
    """Names and texts of a function's code and of the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)
        elif isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple):
            yield from (part for part in constant if isinstance(part, str))


def _reached(function: FunctionType, names: set[str]) -> Iterator[Any]:
    """What a function's code gets by its names: global values, what modules hold, defaults, closures."""
    spaces = [function.__globals__]
    wanted = _globals(function.__code__)
    for space in spaces:
        for name in wanted & space.keys():
            if not isinstance(space[name], ModuleType):
                yield space[name]
            elif not _is_foreign(space[name].__name__) and all(vars(space[name]) is not s for s in spaces):
                spaces.append(vars(space[name]))
        wanted = names
    yield from function.__defaults__ or ()
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # an empty cell
            yield cell.cell_contents


def _globals(code: CodeType) -> set[str]:
    """Global names that a function's code loads, with those of the functions inside it."""
    found = {
        step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found.union(*map(_globals, inner))


def calls_itself(function: Any) -> bool:
    """Whether a function calls itself, or one that does; the package's own do not."""
    under_way: list[Any] = []
    done: list[Any] = []

    def visit(value: Any) -> bool:
        value = getattr(value, "py_func", value)
        if any(value is other for other in under_way):
            return True
        if isinstance(value, tuple | list):
            return any(map(visit, value))
        if not isinstance(value, FunctionType) or any(value is other for other in done):
            return False
        if _is_foreign(value.__module__) or is_ours(value):
            return False
        under_way.append(value)
        found = any(map(visit, _reached(value, set(value.__code__.co_names))))
        done.append(under_way.pop())
        return found

    return visit(function)


def is_ours(function: Callable[..., Any]) -> bool:
    """Whether a function is one of this package's."""
    return _in_package(function.__code__.co_filename)


@cache
def _in_package(file: str) -> bool:
    return Path(file).resolve().is_relative_to(PACKAGE)


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
    if code is None or id(function) in seen or _is_foreign(function.__module__) or is_ours(function):
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
        if not _is_foreign(value.__name__) and value.__name__.partition(".")[0] != "bridzik_sim":
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
    return top in {"numpy", "numba"} or top in sys.stdlib_module_names
