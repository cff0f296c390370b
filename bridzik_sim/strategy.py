"""A strategy: load its file, compile its decision functions, explain what is wrong with them.

``load`` runs the file; ``Strategy.compiled`` compiles each decision function alone against ``int64(view)``.
Both keep numba's cache under the strategy's fingerprint, so an edit of its file, helpers or data is never
missed.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
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
    _compiled: dict[str, Any] = field(default_factory=dict)

    @property
    def python(self) -> bool:
        """Whether it runs as plain Python (``PYTHON = True``)."""
        return self.listing.python

    def compiled(self, game: Game) -> dict[str, Any]:
        """Numba dispatchers by decision, ``int64(view)``; ``StrategyError`` names file, line and reason."""
        from bridzik_sim.jit import cached_under

        if not self._compiled:
            with cached_under(self.fingerprint):
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
    fingerprint = sources.fingerprint(path, listing.data)
    module = _run(path, fingerprint)
    functions = {name: _function(module, name, path) for name in game.decisions}
    return Strategy(spec, listing, fingerprint, functions, _parameters(spec, listing))


def _parameters(spec: Spec, listing: sources.Listing) -> npt.NDArray[np.float64]:
    values = dict(listing.params)
    for key, text in spec.params:
        if key not in values:
            raise UsageError(unknown_name(f"parameter of {spec.source} called", key, values))
        try:
            values[key] = float(text)
        except ValueError:
            raise UsageError(f"{spec.text}: the parameter {key} must be a number, not {text!r}") from None
    params = np.zeros(PARAMS)
    params[: len(values)] = list(values.values())
    return params


def _run(path: Path, fingerprint: str) -> ModuleType:
    """Execute a strategy file as a fresh module.

    Its neighbours are importable while it runs and then forgotten.
    """
    from bridzik_sim.jit import cached_under

    name = _package_name(path) or f"bridzik_strategy_{path.stem}_{fingerprint}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    neighbours = {file.stem for file in sources.local_files(path)[1:] if file.parent == path.parent}
    before = {stem: sys.modules.pop(stem) for stem in neighbours if stem in sys.modules}
    sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    try:
        with cached_under(fingerprint):
            spec.loader.exec_module(module)
    except Exception as error:
        line = _line_in(error, path)
        raise StrategyError(f"{path}{line}: {type(error).__name__}: {explain.first_line(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
        for stem in neighbours:
            sys.modules.pop(stem, None)
        sys.modules.update(before)
    return module


def _package_name(path: Path) -> str:
    """Dotted name of a file inside a package, so that its relative imports work; empty for a loose file."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) if len(parts) > 1 else ""


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


def _line_in(error: BaseException, path: Path) -> str:
    """``, line N`` of the last frame of a traceback that lies in a file."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path
    ]
    return f", line {lines[-1]}" if lines else ""
