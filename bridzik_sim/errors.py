"""What can go wrong, as exceptions whose text is the one line a user reads, and the program's exit codes."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

EXIT_OK, EXIT_THRESHOLD, EXIT_USAGE, EXIT_STRATEGY, EXIT_INTERNAL, EXIT_INTERRUPTED = 0, 1, 2, 3, 4, 130


class BridzikError(Exception):
    """A failure that is explained to the user in its text; ``exit_code`` is the program's."""

    exit_code = EXIT_USAGE

    def __str__(self) -> str:
        return one_line(super().__str__())


class DamageWarning(UserWarning):
    """Something that was recorded is damaged and left out, which loses nothing else; the text is one line."""


class UsageError(BridzikError):
    """The request cannot be carried out as it was put: arguments, files, folders, configuration."""


class StrategyError(BridzikError):
    """A strategy could not be loaded or compiled."""

    exit_code = EXIT_USAGE


class StrategyFaultError(BridzikError):
    """A strategy failed while playing: a wrong answer, an exception, none. ``command`` shows the game."""

    exit_code = EXIT_STRATEGY

    def __init__(self, what: str, unit: int, seating: int, command: str = "") -> None:
        super().__init__(what, unit, seating, command)
        self.what, self.unit, self.seating, self.command = what, unit, seating, command

    def __str__(self) -> str:
        return one_line(self.what) + (f"\nsee it with: {self.command}" if self.command else "")


class Interrupted(BridzikError):
    """The user stopped the run; what was finished is kept."""

    exit_code = EXIT_INTERRUPTED


def one_line(text: str) -> str:
    """The text in one line that can be shown anywhere: what is not printable stands there as in ``repr``."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """One line: there is no such ``kind``; the nearest names, or all of them when none is near."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"there is no {kind} {name!r}; did you mean {' or '.join(near)}?"
    return f"there is no {kind} {name!r}; there are: {', '.join(known) or 'none'}"
