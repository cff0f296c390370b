"""What is to be played: game and options, who, in which seatings, how many, which seed.

An experiment is resolved when every default is filled in and every strategy has its fingerprint. Its
``identity`` is all that decides the bytes of a result except the number of games; a run goes on only while it
stays the same.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import metadata
from typing import Any

from bridzik_sim import games, lineup, match
from bridzik_sim.entrants import seated, table_size, whole
from bridzik_sim.errors import UsageError
from bridzik_sim.files import quoted
from bridzik_sim.games.game import Game, Options
from bridzik_sim.games.measure import Measure
from bridzik_sim.lineup import Spec
from bridzik_sim.match import ALL, PAIRS, SEATINGS, TABLES, Match
from bridzik_sim.strategy import Strategy, load
from bridzik_sim.streams import MAX_SEED, STREAM_VERSION
from bridzik_sim.tally import SCHEDULE, Counts

SCHEMA = 3
COMMANDS = ("simulate", "compare", "tournament")
ON_ERROR = ("stop", "forfeit")
ROWS = ("none", "csv", "parquet")
VERSIONS = ("bridzik", "numba", "numpy", "pandas", "matplotlib")


@dataclass(frozen=True)
class Sure:
    """When a comparison may stop early: error rate, and the difference that does not matter (or None)."""

    alpha: float = 0.05
    margin: float | None = None


@dataclass(frozen=True)
class Experiment:
    """A resolved experiment. ``make`` builds one from what a user wrote."""

    command: str
    game_name: str
    options: Options
    players: tuple[Spec, ...]
    """``simulate``: one a seat. ``compare``: the two, and the field if there is one. ``tournament``: all."""
    fingerprints: dict[str, str]
    """By entrant's label."""
    units: int
    seed: int
    seating: str
    tables: str = PAIRS
    first_unit: int = 0
    on_error: str = "stop"
    rows: str = "none"
    sure: Sure | None = None
    fail_if: tuple[dict[str, Any], ...] = ()
    """Thresholds of an experiment file; they decide its exit code and nothing else."""
    strategies: dict[str, Strategy] = field(default_factory=dict, compare=False, repr=False)
    cheats: bool = False
    """Whether strategies that declare ``CHEATS = True`` may play."""
    references: tuple[str, ...] = ()
    """Labels of who fills the other seats of a tournament in which everyone sits in one seat."""
    at_table: int = 0
    """Players at a table."""

    @cached_property
    def game(self) -> Game:
        """The game that is played, with the measure that it has here."""
        return games.get(self.game_name).played(self.options, self.command)

    @cached_property
    def labels(self) -> list[str]:
        """The entrants: distinct labels in the order of their first seat."""
        return list(dict.fromkeys(spec.label for spec in self.players))

    @cached_property
    def match(self) -> Match:
        """The tables that every unit is played at; entrants are indices into ``labels``."""
        if self.command == "simulate":
            return match.simulate([self.labels.index(spec.label) for spec in self.players], self.seating)
        return match.in_pairs(self._compared()) if self.game.in_pairs else self._compared()

    def _compared(self) -> Match:
        seats = self.at_table
        sides = self.game.sides or seats
        if self.command == "tournament":
            others = [self.labels.index(label) for label in self.references]
            return match.tournament(len(self.labels), seats, sides, self.tables, self.seating, others)
        if len(self.players) == 3:
            return match.against_field(seats, sides)
        return match.compare(seats, sides, self.seating)

    @property
    def seatings(self) -> Counts:
        """int64[seatings, seats]: index into ``labels``."""
        return self.match.seatings

    @property
    def games(self) -> int:
        """Tables played: units times seatings."""
        return self.units * len(self.seatings)

    @cached_property
    def games_a_unit(self) -> int:
        """What a unit adds to the games that were asked for: in a tournament, by one entrant at least."""
        return self.match.fewest_games if self.command == "tournament" else len(self.seatings)

    @property
    def last_unit(self) -> int:
        """One past the last unit."""
        return self.first_unit + self.units

    @property
    def units_given(self) -> int:
        """Units whose deals a rule option gives, counted from unit 0; 0 where there is no end of units."""
        return len(self.options.get(self.game.deals_option, ()))

    def options_of(self, unit: int) -> Options:
        """The rule options of one unit: of given deals just its own."""
        name = self.game.deals_option
        return {**self.options, name: self.options[name][unit : unit + 1]} if name else self.options

    def freely_dealt(self) -> Experiment:
        """The same experiment without given deals, so that there is no end of units."""
        name = self.game.deals_option
        return replace(self, options={**self.options, name: []}) if name else self

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
            "command": self.command,
            "game": self.game_name,
            "options": self.options,
            **self.named(),
            "strategies": {label: self._strategy(label) for label in self.labels},
            "fingerprints": self.fingerprints,
            "seed": self.seed,
            **self.seating_keys(),
            **self.stopping_keys(),
            **self.cheating_keys(),
            "on_error": self.on_error,
            "rows": self.rows,
            "rules_version": self.game.rules_version,
            "stream_version": STREAM_VERSION,
        }

    def named(self) -> dict[str, Any]:
        """Who plays, under the keys of an experiment file."""
        labels = [spec.label for spec in self.players]
        if self.command == "simulate":
            return {"seats": labels}
        if self.command == "compare" and len(labels) == 3:
            return {"entrants": labels[:2], "field": labels[2]}
        return {"entrants": labels}

    def seating_keys(self) -> dict[str, Any]:
        """The seatings, under the keys of an experiment file."""
        tables = {"tables": self.tables} if self.command == "tournament" else {}
        references = {"references": list(self.references)} if self.references else {}
        return {**self.table_keys(), "seating": self.seating, **tables, **references}

    def table_keys(self) -> dict[str, Any]:
        """Players at a table, under the key of an experiment file; nothing where there is no choice."""
        several = self.command != "simulate" and len(self.game.seat_counts) > 1
        return {"players": self.at_table} if several else {}

    def stopping_keys(self) -> dict[str, Any]:
        """When it may stop, under the keys of an experiment file."""
        if self.sure is None:
            return {"until_sure": False} if self.command == "compare" else {}
        margin = {} if self.sure.margin is None else {"margin": self.sure.margin}
        return {"until_sure": True, "alpha": self.sure.alpha, **margin}

    def cheating_keys(self) -> dict[str, Any]:
        """That cheats may play, under the key of an experiment file; nothing where they may not."""
        return {"cheats": True} if self.cheats else {}

    def _strategy(self, label: str) -> dict[str, Any]:
        spec = self.spec(label)
        source = {} if spec.kind == "file" else {"source": spec.source}
        return {**source, "params": dict(spec.params)}

    def spec(self, label: str) -> Spec:
        """What an entrant's label stands for."""
        return next(spec for spec in self.players if spec.label == label)

    def longer(self, games_wanted: int | None) -> Experiment:
        """The same experiment with at least that many games; None: with all whose deals are given."""
        given = self.units_given
        if games_wanted is None:
            if not given:
                raise UsageError("the number of games is missing")
            games_wanted = max(1, given - self.first_unit) * self.games_a_unit
        units = units_for(games_wanted, self.games_a_unit, self.first_unit)
        if given and self.first_unit + units > given:
            raise UsageError(
                f"{given} deals are given, for units 0 to {given - 1}; {games_wanted} games from unit "
                f"{self.first_unit} on would need {self.first_unit + units}"
            )
        return replace(self, units=units)

    def without_code(self) -> Experiment:
        """A copy that can be sent to another process; ``reloaded`` makes it whole there."""
        return replace(self, strategies={})

    def reloaded(self) -> Experiment:
        """Load the strategies again; ``UsageError`` when a file has changed meanwhile."""
        loaded = {spec.label: load(spec, self.game) for spec in dict.fromkeys(self.players)}
        changed = [
            label for label, strategy in loaded.items() if strategy.fingerprint != self.fingerprints[label]
        ]
        if changed:
            raise UsageError(f"the strategy {changed[0]} has changed since the run began")
        return replace(self, strategies=loaded)

    def place(self, seating: int) -> str:
        """Which seating that is, in words: among several line-ups within its own, with its names."""
        if self.match.lineups == 1:
            return f"seating {seating}"
        lineup, within = divmod(seating, self.match.turns)
        names = ", ".join(self.labels[entrant] for entrant in self.seatings[seating])
        return f"line-up {lineup}, seating {within} ({names})"

    def place_arguments(self, seating: int) -> str:
        """The same as command-line arguments."""
        lineup, within = divmod(seating, self.match.turns)
        return f"--seating {within}" + (f" --lineup {lineup}" if self.match.lineups > 1 else "")

    def as_arguments(self, seating: int) -> str:
        """Command-line arguments that name one seating of this experiment's units, without its folder."""
        players, streams = self.players, f"--seating {seating}"
        if self.command != "simulate":
            players = tuple(self.spec(self.labels[entrant]) for entrant in self.match.seatings[seating])
            streams = f"--streams {seating % self.match.turns}"
        seats = ",".join(spec.written for spec in players)
        given = [f"--seats {quoted(seats)}", f"--seed {self.seed}"]
        if self.game_name != "bridzik":
            given.insert(0, f"--game {self.game_name}")
        for option in self.game.options:
            value = self.options[option.name]
            if value and option.name == self.game.deals_option:
                given.append(f"--{option.name} FILE")
            elif value != option.default:
                text = ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
                given.append(f"--option {quoted(f'{option.name}={text}')}")
        return " ".join([*given, *(["--cheats"] if self.cheats else []), streams])


def versions(game: Game) -> dict[str, Any]:
    """Versions that a report should tell."""
    found: dict[str, Any] = {name: metadata.version(name) for name in VERSIONS}
    return {
        **found,
        "python": platform.python_version(),
        "rules": game.rules_version,
        "streams": STREAM_VERSION,
    }


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
    players: str | Sequence[str | Spec],
    games_wanted: int | None,
    seed: int,
    *,
    command: str = "simulate",
    field: str | Spec | None = None,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    seating: str | None = None,
    tables: str = PAIRS,
    until_sure: bool = False,
    alpha: float = 0.05,
    margin: float | None = None,
    first_unit: int = 0,
    on_error: str = "stop",
    rows: str = "none",
    fail_if: Sequence[dict[str, Any]] = (),
    cheats: bool = False,
    references: str | Sequence[str] | None = None,
    at_table: int | None = None,
) -> Experiment:
    """Resolve what a user wrote: check it and load the strategies; ``BridzikError`` says what is wrong.

    ``games_wanted``: None for all whose deals an option gives.
    """
    seating = _chosen_seating(command, seating, tables)
    choose("on-error", on_error, ON_ERROR)
    choose("rows", rows, ROWS)
    played = games.get(game)
    specs = seated(command, played, lineup.parse(players), field, seating)
    strategies = _loaded(specs, played, cheats)
    at_table = table_size(played, len(specs) if command == "simulate" else at_table)
    options = _options(played, options or {}, at_table)
    measure = played.played(options, command).measure
    return Experiment(
        command,
        game,
        options,
        tuple(specs),
        {label: strategy.fingerprint for label, strategy in strategies.items()},
        1, _valid_seed(seed), seating, tables, whole("first unit", first_unit), on_error, rows,
        stopping(alpha, margin, first_unit, measure) if until_sure else None,
        tuple(fail_if), strategies, cheats,
        match.chosen_references(references, list(strategies), tables),
        at_table,
    ).longer(None if games_wanted is None else whole("number of games", games_wanted))  # fmt: skip


def _options(game: Game, given: dict[str, Any], at_table: int) -> Options:
    """The rule options; ``UsageError`` where they are wrong or do not go with the number of players."""
    options = game.parse_options(given)
    if game.check_seats is not None:
        try:
            game.check_seats(at_table, options)
        except ValueError as error:
            raise UsageError(str(error)) from None
    return options


def _loaded(specs: Sequence[Spec], game: Game, cheats: bool) -> dict[str, Strategy]:
    """The strategies by label; ``UsageError`` when one cheats that may not."""
    strategies = {spec.label: load(spec, game) for spec in dict.fromkeys(specs)}
    for label, strategy in strategies.items():
        if strategy.cheats and not cheats:
            how = "with --cheats, an experiment file with cheats = true"
            raise UsageError(
                f"the strategy {label} cheats, it is told all hands; "
                f"simulate, compare, tournament and replay let it play {how}"
            )
    return strategies


def _valid_seed(seed: int) -> int:
    seed = whole("seed", seed)
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"the seed must lie between 0 and {MAX_SEED}, not {seed}")
    return seed


def choose(what: str, value: str, allowed: Sequence[str]) -> None:
    """``UsageError`` unless ``value`` is one of those allowed."""
    if value not in allowed:
        raise UsageError(f"the {what} must be {' or '.join(allowed)}, not {value!r}")


def _chosen_seating(command: str, seating: str | None, tables: str) -> str:
    """The seating, by default the first of the command's; refuses one that does not go with the tables."""
    choose("command", command, COMMANDS)
    seating = SEATINGS[command][0] if seating is None else seating
    choose("seating", seating, SEATINGS[command])
    choose("tables", tables, TABLES)
    if tables != PAIRS and seating == ALL:
        raise UsageError("such tables are played in all their rotations; leave out the seating")
    return seating


def stopping(alpha: float, margin: float | None, first_unit: int, measure: Measure) -> Sure:
    """``UsageError`` unless alpha is a probability, the margin above 0 and the first unit 0.

    A margin of a share has to be less than 1.
    """
    if first_unit:
        raise UsageError("a comparison that stops when it is sure begins at unit 0; leave out the first unit")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must lie between 0 and 1, not {alpha}")
    if margin is not None and not 0 < margin < math.inf:
        raise UsageError(f"the margin must be a number above 0, not {margin}")
    if margin is not None and measure.share and margin >= 1:
        raise UsageError(f"the margin is of a share and must be below 1, not {margin}: 0.01 is one per cent")
    return Sure(float(alpha), None if margin is None else float(margin))
