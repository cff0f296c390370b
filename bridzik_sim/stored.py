"""A resolved experiment as a run folder keeps it, in TOML: the same keys as in an experiment file."""

from __future__ import annotations

import tomllib
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomli_w

from bridzik_sim import games, lineup
from bridzik_sim.entrants import table_size, whole
from bridzik_sim.errors import BridzikError, UsageError
from bridzik_sim.experiment import (
    COMMANDS,
    ON_ERROR,
    ROWS,
    SCHEMA,
    Experiment,
    Sure,
    choose,
    stopping,
    versions,
)
from bridzik_sim.games.game import Game
from bridzik_sim.match import PAIRS, SEATINGS, chosen_references

_CHECKSUM = "# checksum of games, first_unit and fail_if: "
"""Before the checksum of what a journal does not know and could not notice to have changed."""


def write(experiment: Experiment) -> str:
    """The TOML of a resolved experiment."""
    text = tomli_w.dumps(
        {
            "schema": SCHEMA,
            "command": experiment.command,
            "game": experiment.game_name,
            **experiment.named(),
            "games": experiment.units * experiment.games_a_unit,
            "seed": experiment.seed,
            **experiment.seating_keys(),
            **experiment.stopping_keys(),
            **experiment.cheating_keys(),
            "first_unit": experiment.first_unit,
            "on_error": experiment.on_error,
            "rows": experiment.rows,
            "options": experiment.options,
            "strategies": {
                label: {"spec": experiment.spec(label).text, "fingerprint": experiment.fingerprints[label]}
                for label in experiment.labels
            },
            **({"fail_if": list(experiment.fail_if)} if experiment.fail_if else {}),
            "versions": versions(experiment.game),
        }
    )
    return f"{text}{_CHECKSUM}{_checksum(experiment)}\n"


def _checksum(experiment: Experiment) -> str:
    """Eight hex digits."""
    games = experiment.units * experiment.games_a_unit
    return f"{zlib.crc32(repr((games, experiment.first_unit, experiment.fail_if)).encode()):08x}"


def read(path: Path) -> Experiment:
    """Read a resolved experiment back, without its strategies.

    ``reloaded`` loads them where they are needed.
    """
    try:
        text = path.read_bytes().decode()
        data = tomllib.loads(text)
    except OSError as error:
        raise UsageError(
            f"{path.parent} is not a run folder: cannot read {path.name}: {error.strerror}"
        ) from None
    except (ValueError, RecursionError) as error:  # of TOML, UTF-8, paths, brackets without end
        raise UsageError(f"{path} is not readable TOML: {error}") from None
    try:
        if data["schema"] != SCHEMA:
            raise UsageError(f"it was written by another version of bridzik (schema {data['schema']})")
        experiment = _resolved(data)
    except BridzikError as error:
        raise UsageError(f"{path}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: a key is missing or has the wrong type: {error}") from None
    _, told, checksum = text.rpartition(_CHECKSUM)
    if told and checksum.strip() != _checksum(experiment):
        raise UsageError(
            f"{path}: fail_if, first_unit or games was changed; put them back as they were "
            "(to make a run longer, use 'bridzik resume --games')"
        )
    return experiment


def _stopping(data: dict[str, Any], game: Game) -> Sure | None:
    if not data.get("until_sure"):
        return None
    return stopping(data["alpha"], data.get("margin"), data["first_unit"], game.measure)


def _resolved(data: dict[str, Any]) -> Experiment:
    command, strategies, game = data["command"], data["strategies"], games.get(data["game"])
    choose("command", command, COMMANDS)
    for name, allowed in (("seating", SEATINGS[command]), ("on_error", ON_ERROR), ("rows", ROWS)):
        choose(name, data[name], allowed)
    named = (
        data["seats"]
        if command == "simulate"
        else [*data["entrants"], *[data[k] for k in data if k == "field"]]
    )
    by_label = {label: lineup.parse_spec(entry["spec"])[0] for label, entry in strategies.items()}
    specs = [replace(by_label[label], label=label) for label in named]
    experiment = Experiment(
        command,
        data["game"],
        game.parse_options(data["options"]),
        tuple(specs),
        {spec.label: strategies[spec.label]["fingerprint"] for spec in specs},
        1,
        whole("seed", data["seed"]),
        data["seating"],
        data.get("tables", PAIRS),
        whole("first unit", data["first_unit"]),
        data["on_error"],
        data["rows"],
        _stopping(data, game),
        tuple(data.get("fail_if", ())),
        cheats=data.get("cheats", False) is True,
        references=chosen_references(data.get("references"), named, data.get("tables", PAIRS)),
        at_table=table_size(game, data.get("players", len(specs) if command == "simulate" else None)),
    )
    return experiment.longer(whole("number of games", data["games"]))
