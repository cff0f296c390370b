"""Whole rows as CSV: UTF-8 with one line of headings, lines end in LF. Formatted by numpy alone.

See ``rows.Format`` for the functions.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bridzik_sim.files import copy_into, write_all
from bridzik_sim.tally import Counts

LABEL = "strategy"
BLOCK = 1 << 14
"""Rows that are formatted at once: few enough for the processor's cache."""
FILLER = 255
"""No byte of UTF-8."""
Characters = npt.NDArray[np.uint8]


def check() -> None:
    """CSV can always be written."""


def part(columns: Sequence[str], labels: Sequence[str], rows: Counts) -> bytes:
    """See ``rows.Format``."""
    texts, at = _as_characters(labels), columns.index(LABEL)
    blocks = (_lines(rows[first : first + BLOCK], texts, at) for first in range(0, len(rows), BLOCK))
    return b"".join((_heading(columns), *blocks))


def join(columns: Sequence[str], labels: Sequence[str], sources: Sequence[Path], out: FileIO) -> None:
    """See ``rows.Format``."""
    write_all(out, _heading(columns))
    for source in sources:
        with source.open("rb") as file:
            file.readline()
            copy_into(out, file)


def span(path: Path) -> tuple[int, int] | None:
    """See ``rows.Format``."""
    with path.open("rb") as file:
        file.readline()
        first = file.readline()
        file.seek(0, io.SEEK_END)
        file.seek(max(0, file.tell() - 4096))
        tail = file.read()
    units = [line.split(b",")[0] for line in (first, *tail.splitlines()[-1:])]
    if not tail.endswith(b"\n") or not all(unit.isdigit() for unit in units):
        return None
    return int(units[0]), int(units[-1]) + 1


def _heading(columns: Sequence[str]) -> bytes:
    return (",".join(columns) + "\n").encode()


def _as_characters(labels: Sequence[str]) -> Characters:
    """The labels as CSV has them, uint8[longest, labels], filled up with ``FILLER``."""
    texts = []
    for label in labels:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([label, ""])
        texts.append(line.getvalue().removesuffix(",\n").encode())
    characters = np.full((len(texts), max(map(len, texts))), FILLER, np.uint8)
    for row, text in zip(characters, texts, strict=True):
        row[: len(text)] = np.frombuffer(text, np.uint8)
    return characters.T


def _lines(rows: Counts, texts: Characters, at: int) -> bytes:
    """Lines of CSV; column ``at`` holds indices into ``texts``.

    Every column is formatted as wide as its widest number; then what only fills up is left out.
    """
    characters: list[Characters] = []
    for number, column in enumerate(np.ascontiguousarray(rows.T)):
        characters += list(texts[:, column]) if number == at else _digits(column)
        end = "," if number < rows.shape[1] - 1 else "\n"
        characters.append(np.full(len(column), ord(end), np.uint8))
    filled = np.stack(characters, axis=1).ravel()
    written: bytes = filled[filled != FILLER].tobytes()
    return written


def _digits(numbers: Counts) -> list[Characters]:
    """Integers in decimal, from the left: the sign, if any has one, then the digits."""
    signs = [np.where(numbers < 0, ord("-"), FILLER).astype(np.uint8)] if numbers.min() < 0 else []
    left = np.abs(numbers).view(np.uint64)
    most = int(left.max())
    if most < 1 << 32:
        left = left.astype(np.uint32)  # which divides faster
    digits: list[Characters] = []
    for place in range(len(str(most))):
        digit = (left % 10).astype(np.uint8) + np.uint8(ord("0"))
        if place:
            digit[left == 0] = FILLER
        digits.append(digit)
        left = left // 10
    return [*signs, *reversed(digits)]
