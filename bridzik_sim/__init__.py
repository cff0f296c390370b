"""Bridžik: a simulator of card games with pluggable strategies.

``simulate``, ``compare``, ``tournament``, ``resume``, ``merge`` and ``load_run`` are what the commands use;
they return ``Results`` with pandas frames. ``tune`` searches parameters, ``train`` remakes data. Strategies
import their helpers from ``bridzik_sim.cards``, ``bridzik_sim.streams`` and ``bridzik_sim.jit``.
"""

from __future__ import annotations

import importlib
from typing import Any

_PUBLIC = {
    "simulate": "api",
    "compare": "api",
    "tournament": "api",
    "resume": "api",
    "merge": "api",
    "load_run": "api",
    "tune": "tuning",
    "train": "training",
    "Results": "results",
    "BridzikError": "errors",
}
__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    """Import a public name on first use: importing the package itself stays cheap."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
