"""Why a strategy does not compile, in one line: numba's pages boiled down to a place and a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bridzik_sim.errors import unknown_name

ADVICE = "see 'bridzik new' for a working start, or set PYTHON = True to run it as plain Python"
_NOISE = ("Failed in", "During:", "File ", "There are", "Overload", "With argument", "Rejected", "Enable")
_TELLING = re.compile(
    "Unknown attribute|Untyped global|NameError|Invalid use|Cannot unify|No implementation|Use of unsupported"
    "|.*not (?:supported|defined)"
)


def not_compiled(error: Exception, function: Any, name: str, path: Path, fields: Iterable[str]) -> str:
    """One line: file, line, what is wrong. ``fields`` are the view's, to suggest the nearest of them."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, KeyError) or "KeyError: '" in text:
        field = (re.findall(r"'(\w+)'", text) or [text])[-1]
        return (
            f"{path}{_line_of_field(path, field)}: {unknown_name('field of the view called', field, fields)}"
        )
    file, where = _place(error, text, path)
    reason = _reason(text) if type(error).__module__.startswith("numba") else first_line(error)
    return f"{file}{where or start(function)}: numba cannot compile {name}: {reason}; {ADVICE}"


def _place(error: Exception, text: str, path: Path) -> tuple[Path, str]:
    """The deepest place that the error names in the strategy's own folder: file and ``, line N``."""
    places = [(Path(file), int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    location = getattr(error, "loc", None)
    if location is not None:
        places.insert(0, (Path(location.filename), location.line))
    for file, line in reversed(places):
        if file.name == path.name or file.parent == path.parent:
            return path.with_name(file.name), f", line {line}"
    return path, ""


def _reason(text: str) -> str:
    """The line of a numba error that says what is wrong, with the view's long type shortened."""
    text = re.sub(r"Record\((?:[^()]|\([^()]*\))*\)", "view", text)
    lines = [line.strip(" *->") for line in text.splitlines()]
    useful = [line for line in lines if line and not line.startswith(_NOISE)]
    telling = [line for line in useful if _TELLING.match(line)]
    return (telling or useful or ["unknown reason"])[0].rstrip(":.")[:240]


def _line_of_field(path: Path, field: str) -> str:
    """``, line N`` where a file uses an attribute of that name."""
    tree = ast.parse(path.read_bytes())
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == field]
    return f", line {lines[0]}" if lines else ""


def start(function: Any) -> str:
    """``, line N`` of a function's beginning."""
    code = getattr(function, "__code__", None)
    return f", line {code.co_firstlineno}" if code else ""


def first_line(error: BaseException) -> str:
    """The first line of an exception's text."""
    return (str(error).strip().splitlines() or ["no message"])[0]
