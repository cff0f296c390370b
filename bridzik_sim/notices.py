"""What takes long without a word, for whoever wants to tell it; nobody has to listen."""

from __future__ import annotations

import time
from collections.abc import Callable

SLOW = 1.0
"""Seconds of compiling after which it is told."""
COMPILING = "compiling, once for all later runs; the first time on a machine takes half a minute"

listener: Callable[[str], None] | None = None
"""Gets each notice once. The program prints it."""
_since: float | None = None


def compiling() -> None:
    """A function is about to be compiled; tells so once, when the first one was a second ago."""
    global _since, listener
    now = time.monotonic()
    _since = now if _since is None else _since
    if listener is not None and now - _since > SLOW:
        tell, listener = listener, None
        tell(COMPILING)
