"""A strategy: load its file, compile its decision functions, explain what is wrong with them.

``load`` runs the file; ``Strategy.compiled`` compiles each decision function alone against ``int64(view)``.
Both keep numba's cache under the strategy's fingerprint, so an edit of its file, helpers or data is never
missed.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import math
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bridzik_sim import explain, sources
from bridzik_sim.errors import StrategyError, UsageError, unknown_name
from bridzik_sim.games.game import Game
from bridzik_sim.games.view import PARAMS
from bridzik_sim.lineup import Spec


@dataclass
class Strategy:
    """A loaded strategy with the parameters of one spec."""

    spec: Spec
    listing: sources.Listing
    fingerprint: str
    functions: dict[str, Callable[[Any], Any]]
    """By decision: the functions as the file defines them, compiled ones unwrapped."""
    params: npt.NDArray[np.float64]
    """float64[16], in the order of PARAMS."""
    modules: dict[str, ModuleType] = field(default_factory=dict)
    """The modules of its own files by name; numba looks for them when it saves and loads compiled code."""
    _compiled: dict[str, Any] = field(default_factory=dict)

    @property
    def python(self) -> bool:
        """Whether it runs as plain Python (``PYTHON = True``)."""
        return self.listing.python

    @property
    def cheats(self) -> bool:
        """Whether its view holds all hands (``CHEATS = True``)."""
        return self.listing.cheats

    def compiled(self, game: Game) -> dict[str, Any]:
        """Numba dispatchers by decision, ``int64(view)``; ``StrategyError`` names file, line and reason."""
        from bridzik_sim.jit import cached_under

        if not self._compiled:
            with loaded(self.modules), cached_under(self.fingerprint):
                self._compiled = {name: _compile(self, name, game) for name in game.decisions}
        return self._compiled

    def callables(self, game: Game) -> dict[str, Any]:
        """What the reference engine calls.

        The plain functions of a PYTHON strategy, else the compiled ones.
        """
        return dict(self.functions) if self.python else self.compiled(game)


def load(spec: Spec, game: Game) -> Strategy:
    """Find and run the file of a spec; ``UsageError`` or ``StrategyError`` says what is wrong with it."""
    path = sources.locate(spec, game.name)
    listing = sources.read(path)
    fingerprint = sources.fingerprint(path)
    module, modules = run_file(path, fingerprint)
    functions = {name: _function(module, name, path) for name in game.decisions}
    return Strategy(spec, listing, fingerprint, functions, parameters(spec, listing), modules)


def parameters(spec: Spec, listing: sources.Listing) -> npt.NDArray[np.float64]:
    """float64[16]: the strategy's PARAMS with the spec's; ``UsageError`` names a wrong one."""
    values, given = dict(listing.params), set()
    for key, text in spec.params:
        if key in given:
            raise UsageError(f"{spec.text}: the parameter {key} is given twice")
        given.add(key)
        if key not in values:
            raise UsageError(unknown_name(f"parameter of {spec.source} called", key, values))
        try:
            values[key] = float(text)
        except ValueError:
            raise UsageError(f"{spec.text}: the parameter {key} must be a number, not {text!r}") from None
        if not math.isfinite(values[key]):
            raise UsageError(f"{spec.text}: the parameter {key} must be finite, not {text!r}")
        low, high = listing.ranges.get(key, (-math.inf, math.inf))
        if not low <= values[key] <= high:
            raise UsageError(f"{spec.text}: the parameter {key} must lie from {low:g} to {high:g}")
    params = np.zeros(PARAMS)
    params[: len(values)] = list(values.values())
    return params


def run_file(path: Path, fingerprint: str) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Execute a strategy file as a fresh module; returns it, and by name with the local ones it imports."""
    from bridzik_sim.jit import cached_under

    root = sources.import_root(path)
    parts = path.relative_to(root).with_suffix("").parts
    # A file in a package needs its true name for relative imports.
    name = ".".join(parts) if len(parts) > 1 else f"bridzik_strategy_{path.stem}_{fingerprint}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        with importable(path, root) as modules, cached_under(fingerprint), _settings_kept():
            sys.modules[name] = module
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = line_in(error, path)
        raise StrategyError(f"{path}{line}: {type(error).__name__}: {explain.first_line(error)}") from error
    sys.modules.setdefault(name, module)  # for those who look up a class or function by its module
    return module, {**modules, name: module}


@contextlib.contextmanager
def _settings_kept() -> Iterator[None]:
    """Whatever a file does to them: how numpy takes errors, what Ctrl-C does, the working folder."""
    folder, handler = Path.cwd(), signal.getsignal(signal.SIGINT)
    try:
        with np.errstate():
            yield
    finally:
        os.chdir(folder)
        if signal.getsignal(signal.SIGINT) is not handler:
            signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def importable(path: Path, root: Path) -> Iterator[dict[str, ModuleType]]:
    """Let a strategy import its own files, always afresh; afterwards they are only in what this yields."""
    files = [file.relative_to(root) for file in sources.local_files(path) if file.is_relative_to(root)]
    tops = {file.with_suffix("").parts[0] for file in files} - sys.stdlib_module_names - {"bridzik_sim"}
    before, finder, writes = _take(tops), _StandardFirst(root), sys.dont_write_bytecode
    own: dict[str, ModuleType] = {}
    # Python trusts its own cache of a file that was edited within a second.
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    sys.path.insert(0, str(root))
    sys.meta_path.insert(0, finder)
    try:
        yield own
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(str(root))
        sys.dont_write_bytecode = writes
        own.update(_take(tops))
        sys.modules.update(before)


@contextlib.contextmanager
def loaded(modules: dict[str, ModuleType]) -> Iterator[None]:
    """Have these in ``sys.modules`` for a while, in the place of others of the same names."""
    before = {name: sys.modules[name] for name in modules if name in sys.modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def _take(tops: set[str]) -> dict[str, ModuleType]:
    """Remove these modules and packages, with all below them, from the loaded ones."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in tops}


class _StandardFirst:
    """Import hook: a name of the standard library never means a file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find modules of the standard library; leave all others to Python."""
        if path is not None or name not in sys.stdlib_module_names:
            return None
        for finder in (BuiltinImporter, FrozenImporter):
            if found := finder.find_spec(name):
                return found
        places = [place for place in sys.path if Path(place or ".").resolve() != self.folder]
        if found := PathFinder.find_spec(name, places):
            return found
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _function(module: ModuleType, name: str, path: Path) -> Callable[[Any], Any]:
    function = getattr(module, name, None)
    function = getattr(function, "py_func", function)
    if not callable(function):
        raise StrategyError(f"{path} has no function {name}(view); {explain.ADVICE}")
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        raise StrategyError(
            f"{path}{explain.start(function)}: {name} must take one argument, the view: def {name}(view)"
        ) from None
    return function  # type: ignore[no-any-return]


def _compile(strategy: Strategy, name: str, game: Game) -> Any:
    from numba.core import types

    from bridzik_sim.jit import jit

    view_type = game.kernel.VIEW_TYPE
    function, path = strategy.functions[name], strategy.listing.path
    dispatcher = jit(function)
    try:
        dispatcher.compile((view_type,))
        returned = dispatcher.overloads[(view_type,)].signature.return_type
        if isinstance(returned, types.Integer) and returned != types.int64:
            dispatcher = jit(function)
            dispatcher.compile(types.int64(view_type))
            returned = types.int64
    except Exception as error:
        names = game.view.names or ()
        raise StrategyError(explain.not_compiled(error, function, name, path, names)) from error
    if returned != types.int64:
        nothing = isinstance(returned, types.Optional | types.NoneType)
        kind = "nothing on some way through" if nothing else f"a {returned}"
        where = f"{path}{explain.start(function)}"
        raise StrategyError(f"{where}: {name} must return an integer, not {kind}; wrap it in int(...)")
    return dispatcher


def line_in(error: BaseException, path: Path) -> str:
    """``, line N`` of the last frame of a traceback that lies in a file."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path
    ]
    return f", line {lines[-1]}" if lines else ""
