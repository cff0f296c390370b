"""Writing a line-up: ``spec[,spec...]``, each ``[label=]name-or-file-or-module[:key=value...][*times]``.

Parameters are split off from the right, so ``C:\\bots\\b.py:x=1`` works. What ends in ``.py`` or holds a path
separator is a file, else what holds a dot is a module, else a name. Without a label the spec itself is the
label; equal specs share one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bridzik_sim.errors import UsageError

_TIMES = re.compile(r"\*([0-9]{1,9})$")
_PARAM = re.compile(r":([A-Za-z_]\w*)=([^:=]+)$")
_LABEL = re.compile(r"([^=:/\\]+)=(.+)$")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What no table, file name or line of a file can hold: control characters, broken Unicode."""


@dataclass(frozen=True)
class Spec:
    """One strategy as it was written: where it is, its parameters as text, and the label of its row."""

    label: str
    source: str
    params: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The spec without its label."""
        return self.source + "".join(f":{key}={value}" for key, value in self.params)

    @property
    def written(self) -> str:
        """As it may be written in a line-up; the label is left out where it could not be read back."""
        labelled = f"{self.label}={self.text}"
        readable = self.label != self.text and parse_spec(labelled)[0] == self
        return labelled if readable else self.text

    @property
    def kind(self) -> str:
        """``file``, ``module`` or ``name``."""
        if self.source.endswith(".py") or "/" in self.source or "\\" in self.source:
            return "file"
        return "module" if "." in self.source else "name"


def parse_spec(text: str) -> tuple[Spec, int]:
    """Read one spec and how many times it stands there; ``UsageError`` says what is wrong."""
    rest, times = text.strip(), 1
    if _UNWRITABLE.search(rest):
        raise UsageError(f"cannot read the strategy {rest!r}: it holds control characters or broken Unicode")
    if match := _TIMES.search(rest):
        rest, times = rest[: match.start()], int(match[1])
    params: list[tuple[str, str]] = []
    while match := _PARAM.search(rest):
        rest = rest[: match.start()]
        params.insert(0, (match[1], match[2].strip()))
    label = ""
    if match := _LABEL.match(rest):
        label, rest = match[1].strip(), match[2].strip()
    if not rest or times < 1 or re.search(r"\*[0-9]*$", rest):
        raise UsageError(
            f"cannot read the strategy {text.strip()!r}: write it as name, label=name:key=value or name*3"
        )
    spec = Spec(label, rest, tuple(params))
    return Spec(label or spec.text, rest, tuple(params)), times


def parse(texts: str | Iterable[str | Spec]) -> list[Spec]:
    """Read a line-up, one ``Spec`` a seat. Two different strategies under one label are a ``UsageError``."""
    seats: list[Spec] = []
    for text in [texts] if isinstance(texts, str) else texts:
        if isinstance(text, Spec):
            seats.append(text)
            continue
        for part in text.split(","):
            spec, times = parse_spec(part)
            if times > 64:
                raise UsageError(f"{part.strip()!r} fills {times} seats; no game has so many")
            seats += [spec] * times
    by_label: dict[str, Spec] = {}
    for spec in seats:
        other = by_label.setdefault(spec.label, spec)
        if other != spec:
            raise UsageError(
                f"the label {spec.label!r} stands for both {other.text} and {spec.text}; give one another"
            )
    return seats
