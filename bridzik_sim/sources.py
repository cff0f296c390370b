"""Finding a strategy's files without running them.

Where a spec points, what belongs to it, what it says of itself.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import math
import sys
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import metadata
from os.path import isfile
from pathlib import Path
from typing import Any

from bridzik_sim.errors import StrategyError, UsageError, one_line, unknown_name
from bridzik_sim.lineup import Spec

ENTRY_POINTS = "bridzik.strategies"


@dataclass(frozen=True)
class Listing:
    """What a strategy file says of itself, read without importing it."""

    path: Path
    summary: str
    params: dict[str, float]
    python: bool
    data: tuple[str, ...]
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By parameter: the lowest and highest value, where it has such."""
    cheats: bool = False
    """Whether it asks to be told all hands; see ``Experiment.cheats``."""


def named(game: str) -> dict[str, Path]:
    """Files of all strategies of a game that go by name, from the entry-point group ``bridzik.strategies``.

    An entry point's value is a package with one sub-package a game. Names that start with an underscore are
    left out.
    """
    found: dict[str, Path] = {}
    for package in _packages(tuple(sys.path)):
        spec = _find(f"{package}.{game}")
        for folder in (spec.submodule_search_locations if spec else None) or []:
            for path in sorted(Path(folder).glob("*.py")):
                if path.stem in found and found[path.stem] != path:
                    raise UsageError(
                        f"two installed strategies are called {path.stem!r}: {found[path.stem]} and {path}"
                    )
                if not path.stem.startswith("_"):
                    found[path.stem] = path
    return found


@lru_cache(maxsize=8)
def _packages(path: tuple[str, ...]) -> list[str]:
    """The values of all entry points of the group, sorted, as found on this ``sys.path``."""
    return sorted({point.value for point in metadata.entry_points(group=ENTRY_POINTS)})


def locate(spec: Spec, game: str) -> Path:
    """Path of the file a spec points to; ``UsageError`` when there is none."""
    if spec.kind == "file":
        path = Path(spec.source)
        if not isfile(path):
            near = f"; did you mean the name {path.stem!r}?" if path.stem in named(game) else ""
            raise UsageError(f"there is no strategy file {spec.source}{near}")
        return path.resolve()
    if spec.kind == "module":
        module = _find(spec.source)
        if module is None or not module.origin or not module.origin.endswith(".py"):
            raise UsageError(f"there is no Python module {spec.source} to take a strategy from")
        return Path(module.origin).resolve()
    names = named(game)
    if spec.source not in names:
        raise UsageError(unknown_name(f"{game} strategy", spec.source, names))
    return names[spec.source].resolve()


def _find(module: str) -> Any:
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None


def read(path: Path) -> Listing:
    """Read a strategy file's docstring, PARAMS, RANGES, PYTHON, DATA and CHEATS.

    ``StrategyError`` names file and line of an error.
    """
    tree = _tree(path)
    values: dict[str, Any] = {"PARAMS": {}, "RANGES": {}, "PYTHON": False, "DATA": (), "CHEATS": False}
    for name, value in _assigned(tree):
        if name in values:
            try:
                values[name] = ast.literal_eval(value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                raise StrategyError(
                    f"{path}, line {value.lineno}: {name} must be written out as plain values"
                ) from None
    doc = _docstring(tree).strip().splitlines()
    params = _params(path, values["PARAMS"])
    return Listing(
        path,
        one_line(doc[0]) if doc else "",
        params,
        bool(values["PYTHON"]),
        _data(path, values["DATA"]),
        _ranges(path, values["RANGES"], params),
        bool(values["CHEATS"]),
    )


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that the top level of a file assigns a value to, with the value."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                yield target.id, node.value


def docstrings(path: Path, functions: Container[str]) -> dict[str, str]:
    """Full docstrings of a strategy file, under "", and of the named functions that it defines itself."""
    tree = _tree(path)
    found = {"": _docstring(tree)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            found[node.name] = _docstring(node)
    return found


def _docstring(node: ast.Module | ast.FunctionDef) -> str:
    """A docstring that can be printed, also when there is broken Unicode in it."""
    return (ast.get_docstring(node) or "").encode("utf-8", "backslashreplace").decode()


def _params(path: Path, params: Any) -> dict[str, float]:
    good = isinstance(params, dict) and all(
        isinstance(key, str) and key.isidentifier() and isinstance(value, int | float)
        for key, value in params.items()
    )
    if not good or len(params) > 16:
        raise StrategyError(f"{path}: PARAMS must be a dict of at most 16 names and numbers")
    try:
        numbers = {key: float(value) for key, value in params.items()}
    except OverflowError:
        numbers = {"": math.inf}
    if not all(map(math.isfinite, numbers.values())):
        raise StrategyError(f"{path}: the numbers in PARAMS must be finite")
    return numbers


def _ranges(path: Path, ranges: Any, params: dict[str, float]) -> dict[str, tuple[float, float]]:
    good = isinstance(ranges, dict) and all(
        isinstance(ends, tuple)
        and len(ends) == 2
        and all(isinstance(end, int | float) for end in ends)
        and ends[0] <= params.get(key, math.nan) <= ends[1]
        for key, ends in ranges.items()
    )
    try:
        if good:
            return {key: (float(low), float(high)) for key, (low, high) in ranges.items()}
    except OverflowError:
        pass
    raise StrategyError(
        f"{path}: RANGES must give parameters of PARAMS a pair (lowest, highest) around their value"
    )


def _data(path: Path, data: Any) -> tuple[str, ...]:
    names = (data,) if isinstance(data, str) else data
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise StrategyError(f"{path}: DATA must be the name of a file or a tuple of such names")
    for name in names:
        if not isfile(path.parent / name):
            raise StrategyError(f"{path}: its data file {name} is not beside it")
    return tuple(names)


def _tree(path: Path) -> ast.Module:
    try:
        return _parsed(path.read_bytes(), str(path))
    except SyntaxError as error:
        raise StrategyError(f"{path}, line {error.lineno}: {error.msg}") from None
    except (OSError, ValueError) as error:
        raise StrategyError(f"cannot read the strategy {path}: {error}") from None
    except (RecursionError, MemoryError):  # Python's answers to too many brackets, signs or dots in a row
        raise StrategyError(f"cannot read the strategy {path}: something in it is nested too deep") from None


@lru_cache(maxsize=64)
def _parsed(content: bytes, name: str) -> ast.Module:
    """A file's syntax tree, which is asked for several times and never changed."""
    return ast.parse(content, name)


def import_root(path: Path) -> Path:
    """The folder that a strategy's absolute imports may name files in.

    That in which its outermost package lies, or its own for a file outside of any package. A package that is
    called as a module of the standard library, or with a dot, could not be imported and counts as none.
    """
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder and "." not in folder.name:
        folder = folder.parent
    top = path.relative_to(folder).parts[0]
    return path.parent if top in sys.stdlib_module_names else folder


def local_files(path: Path) -> list[Path]:
    """The strategy's file and what it imports from below its import root, sorted, itself first.

    As in ``strategy.load``, a name of the standard library never means a file of the strategy.
    """
    seen, root = {path: None}, import_root(path)
    waiting = [path]
    while waiting:
        current = waiting.pop()
        for imported in _imports(current, root):
            if imported not in seen:
                seen[imported] = None
                waiting.append(imported)
    return [path, *sorted(seen.keys() - {path})]


def _imports(path: Path, root: Path) -> Iterator[Path]:
    """Files that the import statements of ``path`` name: below ``root``, or beside it by relative imports."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom):
            if node.level > len(path.parents):
                continue
            base = path.parents[node.level - 1] if node.level else None
            module = node.module or ""
            dotted = [f"{module}.{alias.name}".strip(".") for alias in node.names] + [module]
        elif isinstance(node, ast.Import):
            base, dotted = None, [alias.name for alias in node.names]
        else:
            continue
        for name in dotted:
            if base:
                yield from _module_files(base, name)
            elif name.partition(".")[0] not in sys.stdlib_module_names | {"bridzik_sim"}:
                yield from _module_files(root, name)


def _module_files(folder: Path, dotted: str) -> Iterator[Path]:
    place = folder.joinpath(*dotted.split(".")) if dotted else folder
    if not place.is_relative_to(folder):
        return
    for candidate in (place.with_suffix(".py"), place / "__init__.py"):
        if isfile(candidate):
            yield candidate.resolve()


def fingerprint(path: Path) -> str:
    """Hash (16 hex digits) of everything a strategy is made of; see ``all_files``."""
    digest = hashlib.blake2b(digest_size=8)
    for file in all_files(path.resolve()):
        content = file.read_bytes()
        digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def all_files(path: Path) -> list[Path]:
    """A strategy's file and its local imports, then the data files that these name in DATA."""
    files = local_files(path)
    return [*files, *dict.fromkeys(name for file in files for name in _data_of(file))]


def _data_of(path: Path) -> Iterator[Path]:
    """Data files that a strategy's file, or one that it imports, names in DATA."""
    for name, value in _assigned(_tree(path)):
        if name == "DATA":
            with contextlib.suppress(
                ValueError, TypeError, RecursionError, MemoryError, StrategyError
            ):  # a helper's DATA may be anything
                yield from (path.parent / file for file in _data(path, ast.literal_eval(value)))
