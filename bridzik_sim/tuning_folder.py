"""A tuning as a folder: ``tuning.json`` (what it is), ``generations.jsonl`` (what is done), ``result.json``.

The confirmation is a run of its own in ``confirmation/``. A generation counts once its line is on disk; who
is killed loses the one that was being played. The same command goes on.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec

from bridzik_sim import folder
from bridzik_sim.errors import UsageError
from bridzik_sim.files import remove_strays, write_atomically

SETTINGS, JOURNAL, RESULT, CONFIRMATION = "tuning.json", "generations.jsonl", "result.json", "confirmation"
OURS = (SETTINGS, JOURNAL, RESULT)


class Line(NamedTuple):
    """A finished generation: the values that were played and the points they made over all games."""

    candidates: list[list[float]]
    totals: list[int]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the journal."""

    generation: int
    candidates: list[list[float]]
    totals: list[int]


class TuningFolder:
    """The journal of a tuning, in a folder or (without a path) in memory only. Use as a context manager."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        """Begin a tuning in a folder or go on with it; ``UsageError`` when it belongs to something else."""
        self.path = path
        self.lines: list[Line] = []
        self._undo = contextlib.ExitStack()
        if path is None:
            return
        folder.make(path)
        lock = folder.locked(path)
        self._undo.callback(lock.release)
        try:
            remove_strays(path, OURS)
            if (path / SETTINGS).exists():
                _same(path, _settings(path), json.loads(json.dumps(settings)))
                self.lines = _read(path / JOURNAL)
            else:
                _refuse_foreign(path)
                write_atomically(path / SETTINGS, _text(settings))
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    @property
    def confirmation(self) -> Path | None:
        """Where the run of the confirmation lies."""
        return None if self.path is None else self.path / CONFIRMATION

    def append(self, line: Line) -> None:
        """Keep a finished generation; it is on disk once this returns."""
        self.lines.append(line)
        if self.path is not None:
            rows = [{"generation": number, **one._asdict()} for number, one in enumerate(self.lines, start=1)]
            text = "".join(json.dumps(row) + "\n" for row in rows)
            write_atomically(self.path / JOURNAL, text.encode())

    def finish(self, result: dict[str, Any]) -> None:
        """Keep what came out."""
        if self.path is not None:
            write_atomically(self.path / RESULT, _text(result))


def begun_seed(path: Path | None) -> int | None:
    """The seed of the tuning that a folder holds; None when it holds none."""
    if path is None or not (path / SETTINGS).exists():
        return None
    seed = _settings(path).get("seed")
    return seed if isinstance(seed, int) else None


def _text(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _settings(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads((path / SETTINGS).read_bytes())
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise UsageError(f"{path / SETTINGS} is not that of a tuning; choose another folder")
    return settings


def _read(path: Path) -> list[Line]:
    """The finished generations, up to the first line that is torn or not the next one."""
    lines: list[Line] = []
    for text in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
        try:
            row = msgspec.json.decode(text, type=_Row)
        except (msgspec.MsgspecError, ValueError):
            break
        if not text.endswith(b"\n") or row.generation != len(lines) + 1:
            break
        lines.append(Line(row.candidates, row.totals))
    return lines


def _same(path: Path, begun: dict[str, Any], now: dict[str, Any]) -> None:
    for key in (*now, *(begun.keys() - now.keys())):
        if begun.get(key) != now.get(key):
            raise UsageError(
                f"{path} belongs to another tuning: its {key} is {begun.get(key)!r}, not {now.get(key)!r}; "
                "give the same command or choose another folder"
            )


def _refuse_foreign(path: Path) -> None:
    folder.check_free(path)
    for name in (*OURS, CONFIRMATION):
        if (path / name).exists():
            raise UsageError(
                f"{path} holds no tuning, but one would overwrite the {name} in it; choose another folder"
            )
