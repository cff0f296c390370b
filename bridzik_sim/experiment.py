"""What is to be played: game and options, seats, how many, which seed; to and from TOML.

An experiment is resolved when every default is filled in and every strategy has its fingerprint. Its
``identity`` is all that decides the bytes of a result except the number of games; a run goes on only while it
stays the same.
"""

from __future__ import annotations

import operator
import platform
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import tomli_w

from bridzik_sim import games, lineup, match
from bridzik_sim.errors import UsageError
from bridzik_sim.files import quoted
from bridzik_sim.games.game import Game, Options
from bridzik_sim.lineup import Spec
from bridzik_sim.strategy import Strategy, load
from bridzik_sim.streams import MAX_SEED, STREAM_VERSION
from bridzik_sim.tally import SCHEDULE, Counts

SCHEMA = 1
ON_ERROR = ("stop", "forfeit")
ROWS = ("none", "csv")
VERSIONS = ("bridzik", "numba", "numpy", "pandas", "matplotlib")


@dataclass(frozen=True)
class Experiment:
    """A resolved experiment. ``make`` builds one from what a user wrote."""

    game_name: str
    options: Options
    seats: tuple[Spec, ...]
    fingerprints: dict[str, str]
    """By entrant's label."""
    units: int
    seed: int
    seating: str = "given"
    first_unit: int = 0
    on_error: str = "stop"
    rows: str = "none"
    strategies: dict[str, Strategy] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return games.get(self.game_name)

    @property
    def labels(self) -> list[str]:
        """The entrants: distinct labels in the order of their first seat."""
        return list(dict.fromkeys(spec.label for spec in self.seats))

    @property
    def seatings(self) -> Counts:
        """int64[seatings, seats]: index into ``labels``."""
        return match.seatings([self.labels.index(spec.label) for spec in self.seats], self.seating)

    @property
    def games(self) -> int:
        """Tables played: units times seatings."""
        return self.units * len(self.seatings)

    @property
    def last_unit(self) -> int:
        """One past the last unit."""
        return self.first_unit + self.units

    @property
    def python(self) -> bool:
        """Whether any strategy runs as plain Python, which moves whole games to the reference engine."""
        return any(strategy.python for strategy in self.strategies.values())

    def identity(self) -> dict[str, Any]:
        """Everything that decides the bytes of the result but the range of units, as JSON values.

        A strategy is its parameters as given and its fingerprint. Where a file lies is left out, so that the
        runs of several machines can be merged and compared.
        """
        return {
            "schema": SCHEMA,
            "game": self.game_name,
            "options": self.options,
            "seats": [spec.label for spec in self.seats],
            "strategies": {label: self._strategy(label) for label in self.labels},
            "fingerprints": self.fingerprints,
            "seed": self.seed,
            "seating": self.seating,
            "on_error": self.on_error,
            "rows": self.rows,
            "rules_version": self.game.rules_version,
            "stream_version": STREAM_VERSION,
        }

    def _strategy(self, label: str) -> dict[str, Any]:
        spec = self._spec(label)
        source = {} if spec.kind == "file" else {"source": spec.source}
        return {**source, "params": dict(spec.params)}

    def _spec(self, label: str) -> Spec:
        return next(spec for spec in self.seats if spec.label == label)

    def longer(self, games_wanted: int) -> Experiment:
        """The same experiment with at least that many games."""
        return replace(self, units=units_for(games_wanted, len(self.seatings), self.first_unit))

    def without_code(self) -> Experiment:
        """A copy that can be sent to another process; ``reloaded`` makes it whole there."""
        return replace(self, strategies={})

    def reloaded(self) -> Experiment:
        """Load the strategies again; ``UsageError`` when a file has changed meanwhile."""
        loaded = {spec.label: load(spec, self.game) for spec in dict.fromkeys(self.seats)}
        changed = [
            label for label, strategy in loaded.items() if strategy.fingerprint != self.fingerprints[label]
        ]
        if changed:
            raise UsageError(f"the strategy {changed[0]} has changed since the run began")
        return replace(self, strategies=loaded)

    def as_arguments(self) -> str:
        """Command-line arguments that name this experiment's games; a seating is then a rotation's number."""
        seats = ",".join(spec.written for spec in self.seats)
        given = [f"--seats {quoted(seats)}", f"--seed {self.seed}"]
        if self.game_name != "bridzik":
            given.insert(0, f"--game {self.game_name}")
        for option in self.game.options:
            value = self.options[option.name]
            if value != option.default:
                text = ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
                given.append(f"--option {option.name}={text}")
        return " ".join(given)

    def to_toml(self) -> str:
        """The resolved experiment as it is kept in a run folder."""
        return tomli_w.dumps(
            {
                "schema": SCHEMA,
                "game": self.game_name,
                "seats": [spec.label for spec in self.seats],
                "games": self.games,
                "seed": self.seed,
                "seating": self.seating,
                "first_unit": self.first_unit,
                "on_error": self.on_error,
                "rows": self.rows,
                "options": self.options,
                "strategies": {
                    label: {"spec": self._spec(label).text, "fingerprint": self.fingerprints[label]}
                    for label in self.labels
                },
                "versions": versions(self.game),
            }
        )


def versions(game: Game) -> dict[str, Any]:
    """Versions that a report should tell."""
    found: dict[str, Any] = {name: metadata.version(name) for name in VERSIONS}
    return {
        **found,
        "python": platform.python_version(),
        "rules": game.rules_version,
        "streams": STREAM_VERSION,
    }


def whole(what: str, value: Any) -> int:
    """A whole number of any kind, also one of NumPy's, as an int; ``UsageError`` for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise UsageError(f"the {what} must be a whole number, not {value!r}") from None


def units_for(games_wanted: int, seatings: int, first_unit: int) -> int:
    """Units that make up at least so many games; ``UsageError`` when that is none or too many."""
    if games_wanted < 1:
        raise UsageError(f"the number of games must be at least 1, not {games_wanted}")
    units = -(-games_wanted // seatings)
    if first_unit < 0 or first_unit + units > SCHEDULE[-1]:
        raise UsageError(
            f"units must lie between 0 and {SCHEDULE[-1]}; the first here is {first_unit}, of {units}"
        )
    return units


def make(
    seats: str | Sequence[str | Spec],
    games_wanted: int,
    seed: int,
    *,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    seating: str = "given",
    first_unit: int = 0,
    on_error: str = "stop",
    rows: str = "none",
) -> Experiment:
    """Resolve what a user wrote.

    Checks everything and loads the strategies; ``BridzikError`` says what is wrong.
    """
    games_wanted = whole("number of games", games_wanted)
    seed, first_unit = whole("seed", seed), whole("first unit", first_unit)
    played = games.get(game)
    specs = [_anchored(spec) for spec in lineup.parse(seats)]
    _check(played, specs, seed, on_error, rows)
    strategies = {spec.label: load(spec, played) for spec in dict.fromkeys(specs)}
    labels = list(strategies)
    count = len(match.seatings([labels.index(spec.label) for spec in specs], seating))
    return Experiment(
        game,
        played.parse_options(options or {}),
        tuple(specs),
        {label: strategy.fingerprint for label, strategy in strategies.items()},
        units_for(games_wanted, count, first_unit),
        seed,
        seating,
        first_unit,
        on_error,
        rows,
        strategies,
    )


def _check(game: Game, specs: Sequence[Spec], seed: int, on_error: str, rows: str) -> None:
    if len(specs) not in game.seat_counts:
        wanted = " or ".join(str(count) for count in game.seat_counts)
        given = ", ".join(spec.label for spec in specs)
        raise UsageError(f"{game.name} has {wanted} seats, but the line-up fills {len(specs)}: {given}")
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"the seed must lie between 0 and {MAX_SEED}, not {seed}")
    for name, value, allowed in (("on-error", on_error, ON_ERROR), ("rows", rows, ROWS)):
        if value not in allowed:
            raise UsageError(f"{name} must be {' or '.join(allowed)}, not {value!r}")


def _anchored(spec: Spec) -> Spec:
    """Files by their absolute path, so that a run can be resumed from anywhere.

    The label stays as written.
    """
    return replace(spec, source=str(Path(spec.source).resolve())) if spec.kind == "file" else spec


def from_toml(path: Path) -> Experiment:
    """Read a resolved experiment back, without its strategies.

    ``reloaded`` loads them where they are needed.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise UsageError(f"{path} was written by another version of bridzik (schema {data['schema']})")
        strategies = data["strategies"]
        by_label = {label: lineup.parse_spec(entry["spec"])[0] for label, entry in strategies.items()}
        specs = [replace(by_label[label], label=label) for label in data["seats"]]
        game = games.get(data["game"])
        _check(game, specs, data["seed"], data["on_error"], data["rows"])
        experiment = Experiment(
            data["game"],
            game.parse_options(data["options"]),
            tuple(specs),
            {spec.label: strategies[spec.label]["fingerprint"] for spec in specs},
            1,
            data["seed"],
            data["seating"],
            data["first_unit"],
            data["on_error"],
            data["rows"],
        )
        return experiment.longer(data["games"])
    except OSError as error:
        raise UsageError(
            f"{path.parent} is not a run folder: cannot read {path.name}: {error.strerror}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not readable TOML: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: a key is missing or has the wrong type: {error}") from None
