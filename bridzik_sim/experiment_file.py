"""Experiment files: reading and checking the TOML that a user writes or a run folder keeps.

Every complaint is one line that begins with the file and the path to the key, such as
``duel.toml: entrants[1]: there is no bridzik strategy 'heurstic'; did you mean heuristic?``.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
from msgspec import Meta

from bridzik_sim import experiment as experiments
from bridzik_sim import games, lineup
from bridzik_sim.entrants import table_size
from bridzik_sim.errors import BridzikError, UsageError, unknown_name
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.game import Game
from bridzik_sim.lineup import Spec
from bridzik_sim.match import PAIRS, SEATINGS, TABLES
from bridzik_sim.strategy import load
from bridzik_sim.streams import MAX_SEED
from bridzik_sim.thresholds import Threshold, check, standing_figures

T = TypeVar("T")
OWN_KEYS = {
    "simulate": {"seats"},
    "compare": {"entrants", "players", "field", "until_sure", "alpha", "margin"},
    "tournament": {"entrants", "players", "tables", "references"},
}
"""The keys that only some commands have."""
TYPES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
}
LIMITS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}


class Strategy(msgspec.Struct, forbid_unknown_fields=True):
    """What a label stands for; ``fingerprint`` demands that its code is the very one it was."""

    spec: str
    fingerprint: str | None = None


class Keys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The keys of an experiment file."""

    schema: int = experiments.SCHEMA
    command: str = ""
    game: str = "bridzik"
    seats: str | list[str] = []
    entrants: str | list[str] = []
    field: str | None = None
    players: int | None = None
    games: Annotated[int, Meta(ge=1)] | None = None
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    seating: str = ""
    tables: str = PAIRS
    references: str | list[str] | None = None
    until_sure: bool = False
    alpha: Annotated[float, Meta(gt=0, lt=1)] = 0.05
    margin: Annotated[float, Meta(gt=0)] | None = None
    first_unit: Annotated[int, Meta(ge=0)] = 0
    on_error: str = "stop"
    rows: str = "none"
    cheats: bool = False
    out: str | None = None
    options: dict[str, Any] = {}
    strategies: dict[str, Any] = {}
    fail_if: list[Threshold] = []
    versions: Any = None


class File(Keys, kw_only=True):
    """What an experiment file says, defaults filled in: ``seed`` and ``games`` are None when not given."""

    path: Path

    @property
    def folder(self) -> Path | None:
        """Where ``out`` points, seen from the file's own folder."""
        return None if self.out is None else self.path.parent / self.out

    @property
    def written_players(self) -> list[tuple[str, str]]:
        """Path of the key and text of every player as written, the field last."""
        key = "seats" if self.command == "simulate" else "entrants"
        given = getattr(self, key)
        players = (
            [(key, given)] if isinstance(given, str) else [(f"{key}[{i}]", t) for i, t in enumerate(given)]
        )
        return players if self.field is None else [*players, ("field", self.field)]


def read(path: str | Path) -> File:
    """Read an experiment file and check all that can be checked without running a strategy.

    ``UsageError`` is one line that names the file and the key.
    """
    path = Path(path)
    data = _toml(path)
    if data.get("schema", experiments.SCHEMA) != experiments.SCHEMA:
        _refuse(
            path,
            "schema",
            f"this version of bridzik reads {experiments.SCHEMA}, not {_shown(data['schema'])}",
        )
    keys = _convert(path, data, Keys)
    strategies = {
        label: _convert(path, entry, Strategy, f"strategies.{_quoted(label)}")
        for label, entry in keys.strategies.items()
    }
    given = {name: getattr(keys, name) for name in Keys.__struct_fields__}
    command = _command(path, data, keys.command)
    seating = keys.seating or SEATINGS[command][0]
    file = File(**{**given, "path": path, "command": command, "seating": seating, "strategies": strategies})
    _check(file, data)
    return file


def players(file: File) -> tuple[list[Spec], Spec | None]:
    """The players that a file names, and the field if there is one; files as seen from the file's folder.

    A player is a label of ``[strategies]``, or a strategy as in a line-up.
    """
    found, fields, used = list[Spec](), list[Spec](), set[str]()
    for place, text in file.written_players:
        try:
            specs = _specs(file, text)
            lineup.parse([*found, *specs])  # refuses a label that stands for two strategies
        except UsageError as error:
            _refuse(file.path, _key_of(file, place, text), str(error))
        (fields if place == "field" else found).extend(specs)
        used.update(spec.label for spec in specs)
    for label in file.strategies:
        if label not in used:
            _refuse(file.path, f"strategies.{_quoted(label)}", unknown_name("player", label, used))
    if len(fields) > 1:
        _refuse(file.path, "field", f"expected one strategy, which fills all other seats, not {len(fields)}")
    return found, fields[0] if fields else None


def resolve(file: File, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment of a file, in which ``overrides`` stand for its keys (``options`` one by one).

    Loads the strategies and checks everything. A seed must be in one of both, and the number of games unless
    an option gives the deals: then all of them are played. ``UsageError`` is one line.
    """
    given = dict(overrides or {})
    game = games.get(file.game)
    _check_options(file, game)
    game.parse_options(given.get("options") or {})  # an option of the caller is no fault of the file
    options = {**file.options, **(given.pop("options", None) or {})}
    file = msgspec.structs.replace(file, **given, options=options)
    if file.games is None and not game.parse_options(options).get(game.deals_option):
        _refuse(file.path, "games", "missing")
    if file.seed is None:
        _refuse(file.path, "seed", "missing")
    specs, against = players(file)
    experiment = _make(file, specs, against)
    for label, strategy in file.strategies.items():
        now = experiment.fingerprints.get(label)
        if strategy.fingerprint not in (None, now):
            key = f"strategies.{_quoted(label)}.fingerprint"
            _refuse(file.path, key, f"the strategy {label} has changed since; it is {now} now")
    known = standing_figures(experiment) if file.fail_if else []
    for number, threshold in enumerate(file.fail_if):
        with _at(file.path, f"fail_if[{number}]", "."):
            check(threshold, experiment, known)
    return experiment


def _check_options(file: File, game: Game) -> None:
    known = {option.name: option for option in game.options}
    for name, value in file.options.items():
        with _at(file.path, f"options.{_quoted(name)}"):
            if name not in known:
                raise UsageError(unknown_name(f"option of {game.name} called", name, known))
            try:
                known[name].parse(value)
            except ValueError as error:
                raise UsageError(f"{error}, not {_shown(value)}") from None


def _make(file: File, specs: list[Spec], against: Spec | None) -> Experiment:
    assert file.seed is not None
    try:
        return experiments.make(
            specs, file.games, file.seed, command=file.command, field=against, game=file.game,
            options=file.options, seating=file.seating, tables=file.tables, until_sure=file.until_sure,
            alpha=file.alpha, margin=file.margin, first_unit=file.first_unit, on_error=file.on_error,
            rows=file.rows, cheats=file.cheats, references=file.references, at_table=file.players,
            fail_if=[threshold.as_dict() for threshold in file.fail_if],
        )  # fmt: skip
    except BridzikError as error:
        for place, text in file.written_players:  # is it the fault of one strategy?
            for spec in _specs(file, text):
                with _at(file.path, _key_of(file, place, text)):
                    load(spec, games.get(file.game))
        raise UsageError(f"{file.path}: {error}") from error


def _specs(file: File, text: str) -> list[Spec]:
    """The players of one entry; ``UsageError`` when it cannot be read."""
    if text in file.strategies:  # first, for a label may look like anything
        return [_labelled(file, text)]
    return [
        _named(file, spec) if spec.text in file.strategies else _beside(file, spec)
        for spec in lineup.parse([text])
    ]


def _named(file: File, spec: Spec) -> Spec:
    """What a label of the file stands for, under a label in front of it if there is one."""
    labelled = _labelled(file, spec.text)
    return labelled if spec.label == spec.text else replace(labelled, label=spec.label)


def _labelled(file: File, label: str) -> Spec:
    spec, times = lineup.parse_spec(file.strategies[label].spec)
    if times != 1:
        raise UsageError(f"a label stands for one strategy, not for {times}")
    return _beside(file, replace(spec, label=label))


def _key_of(file: File, place: str, text: str) -> str:
    """The key that says which strategy an entry is: the entry's own, or that of the label it names."""
    return f"strategies.{_quoted(text)}.spec" if text in file.strategies else place


def _beside(file: File, spec: Spec) -> Spec:
    """A strategy file as seen from the folder of the experiment file."""
    return replace(spec, source=str(file.path.parent / spec.source)) if spec.kind == "file" else spec


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode())
    except IsADirectoryError:
        inside = path / "experiment.toml"
        hint = f"; did you mean {inside}?" if inside.is_file() else ""
        raise UsageError(f"{path} is a folder, not an experiment file{hint}") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot read the experiment file: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not readable as TOML: {' '.join(str(error).split())}") from None
    except (RecursionError, ValueError):  # brackets without end, numbers of thousands of digits
        raise UsageError(f"{path}: not readable as TOML: something in it is too long or too deep") from None


def _command(path: Path, data: dict[str, Any], command: str) -> str:
    """The command as given; ``seats`` alone can only mean simulate."""
    known = " or ".join(experiments.COMMANDS)
    if not command and "command" not in data:
        if "seats" in data:
            return "simulate"
        _refuse(path, "command", f"missing; write {known}")
    _choose(path, "command", command, experiments.COMMANDS)
    return command


def _check(file: File, data: dict[str, Any]) -> None:
    own = OWN_KEYS[file.command]
    for name in data:
        if name not in own and any(name in keys for keys in OWN_KEYS.values()):
            players_key = "; it takes seats" if "seats" in own else "; it takes entrants"
            hint = players_key if name in ("seats", "entrants") else ""
            _refuse(file.path, name, f"{file.command} has no such key{hint}")
    _choose(file.path, "seating", file.seating, SEATINGS[file.command])
    _choose(file.path, "tables", file.tables, TABLES)
    _choose(file.path, "on_error", file.on_error, experiments.ON_ERROR)
    _choose(file.path, "rows", file.rows, experiments.ROWS)
    with _at(file.path, "game"):
        game = games.get(file.game)
    with _at(file.path, "players"):
        table_size(game, file.players)
    for name in ("alpha", "margin"):
        if name in data and not file.until_sure:
            _refuse(file.path, name, "only with until_sure = true")
    if file.margin == math.inf:
        _refuse(file.path, "margin", "expected a finite number, not inf")
    if "\0" in (file.out or ""):
        _refuse(file.path, "out", "no folder can have such a name")
    if not file.written_players:
        _refuse(file.path, "seats" if "seats" in own else "entrants", "missing; say who plays")


def _choose(path: Path, key: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        _refuse(path, key, f"expected {' or '.join(allowed)}, not {_shown(value)}")


def _convert(path: Path, data: Any, kind: type[T], prefix: str = "") -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        place = place.rstrip("`")
        key = (prefix + place) if prefix else place.removeprefix(".")
        if match := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
            known = [name for name in _fields(kind, place) if name != "versions"]
            key = f"{key}.{_quoted(match[1])}" if key else _quoted(match[1])
            _refuse(path, key, unknown_name("key", match[1], known))
        if match := re.fullmatch(r"Object missing required field `(.*)`", what):
            _refuse(path, f"{key}.{match[1]}", "missing")
        _refuse(path, key, f"expected {_wanted(what)}, not {_shown(_lookup(data, place))}")
    raise AssertionError("unreachable")


def _fields(kind: Any, place: str) -> tuple[str, ...]:
    fields: tuple[str, ...] = (Threshold if place.startswith(".fail_if") else kind).__struct_fields__
    return fields


def _wanted(what: str) -> str:
    """``Expected `int` >= 1`` in words."""
    match = re.match(r"Expected `([^`]*)`(?: ([<>]=?) (\S+))?", what)
    if match is None:
        return "something else"
    kinds = [TYPES.get(kind.strip(), kind.strip()) for kind in match[1].split("|") if kind.strip() != "null"]
    limit = f" {LIMITS[match[2]]} {match[3].removesuffix('.0')}" if match[2] else ""
    return " or ".join(kinds) + limit


def _lookup(data: Any, place: str) -> Any:
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", place):
        data = data[name] if name else data[int(index)]
    return data


def _shown(value: Any) -> str:
    """A TOML value as it fits into a line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = repr(value) if isinstance(value, str | int | float) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _quoted(key: str) -> str:
    """A key as TOML writes it."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


@contextlib.contextmanager
def _at(path: Path, key: str, end: str = ": ") -> Iterator[None]:
    """Put file and key before what goes wrong inside the block."""
    try:
        yield
    except BridzikError as error:
        raise UsageError(f"{path}: {key}{end}{error}") from error


def _refuse(path: Path, key: str, what: str) -> NoReturn:
    raise UsageError(f"{path}: {key}: {what}")
