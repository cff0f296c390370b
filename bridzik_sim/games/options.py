"""Parsers of rule options that several games have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def one_of(*words: str) -> Callable[[Any], str]:
    """A parser of words, the first of them also for False and the second for True where they are off, on."""

    def parse(value: Any) -> str:
        if isinstance(value, bool) and set(words) == {"off", "on"}:
            return "on" if value else "off"
        if value not in words:
            raise ValueError(f"give {', '.join(words[:-1])} or {words[-1]}")
        return str(value)

    return parse


def whole_number(fewest: int, most: int, what: str) -> Callable[[Any], int]:
    """A parser of whole numbers from ``fewest`` to ``most``; ``what`` they are is for the message."""

    def parse(value: Any) -> int:
        text = str(value)
        if isinstance(value, bool) or not text.isdecimal() or not fewest <= int(text) <= most:
            raise ValueError(f"give {what} from {fewest} to {most}")
        return int(text)

    return parse
