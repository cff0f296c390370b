"""Searching a strategy's parameters on duplicate deals, and confirming on others what was found.

CMA-ES (Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772) from the library ``cmaes``. All
candidates of a generation play the same units in every seat against the same field, so that luck with the
cards cancels out of their ranking, which is all that the search looks at; every generation plays units of its
own. What the search proposes then meets the present parameters on units that it has never seen.

The result depends on everything but ``jobs``, ``executor`` and interruptions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from bridzik_sim import api, experiment, folder, lineup, tuning_space
from bridzik_sim.entrants import whole
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.lineup import Spec
from bridzik_sim.results import Results, json_rows
from bridzik_sim.tuning_folder import Line, TuningFolder
from bridzik_sim.tuning_play import Table
from bridzik_sim.tuning_space import Parameter, Point

GAMES, GENERATIONS, CONFIRM_GAMES = 2000, 20, 100_000
"""Defaults: games a candidate and generation, generations, games of the confirmation."""
LEAST_POPULATION, DEFAULT_POPULATION = 4, 8
SPREAD = 0.25
"""Standard deviation of the first candidates, as a share of each parameter's range."""
SETTLED = 3
"""The result is the mean of the search's centres over the last generations, one in so many."""
Step = Callable[[int, dict[str, float], dict[str, float], bool], None]
"""Takes a finished generation's number (from 1), the centre it led to, its candidates' spread by parameter,
and whether it was played just now rather than found in the journal."""


@dataclass(frozen=True)
class Tuned:
    """What a tuning found."""

    spec: Spec
    """The strategy with its present parameters, as written."""
    space: tuple[Parameter, ...]
    seed: int
    generations: int
    games: int
    """Games played in the search."""
    found: dict[str, float]
    """The values found, rounded to a thousandth of their range."""
    confirmation: Results | None
    """Found against present parameters on fresh units; None when they are the same."""

    @property
    def changed(self) -> Spec:
        """The strategy with the values found, as it may be written in a line-up."""
        return tuning_space.with_values(self.spec, self.found)

    @property
    def at_bounds(self) -> list[str]:
        """Parameters whose found value is a bound, beyond which there may be better ones."""
        return [one.name for one in self.space if self.found[one.name] in (one.low, one.high)]

    @property
    def supported(self) -> bool:
        """Whether the confirmation shows the found values to be better."""
        return self.comparison.get("winner") == self.changed.label

    @property
    def use(self) -> str:
        """The spec to use: with the values found if the confirmation supports them, else as it was."""
        return self.changed.text if self.supported else self.spec.text

    @cached_property
    def comparison(self) -> dict[str, Any]:
        """What the confirmation found, as ``Results.comparison``; empty without one."""
        return self.confirmation.comparison if self.confirmation else {}

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values: the object of ``result.json`` and of ``--format json``."""
        rows = zip(tuning_space.as_json(self.space), self.found.values(), strict=True)
        return {
            "schema": 1,
            "strategy": self.spec.text,
            "seed": self.seed,
            "generations": self.generations,
            "games": self.games,
            "parameters": [{**row, "found": value} for row, value in rows],
            "found": self.changed.text,
            "supported": self.supported,
            "use": self.use,
            "confirmation": next(iter(json_rows([self.comparison])), None) if self.confirmation else None,
        }


def tune(
    strategy: str,
    params: str | Sequence[str],
    games: int = GAMES,
    generations: int = GENERATIONS,
    seed: int | None = None,
    *,
    population: int | None = None,
    confirm_games: int = CONFIRM_GAMES,
    field: str | None = None,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    players: int | None = None,
    out: str | Path | None = None,
    step: Step = lambda number, centre, spread, now: None,
    **playing: Any,
) -> Tuned:
    """Search ``params`` (``"NAME=LOW:HIGH,..."``, see ``tuning_space.read``) of a strategy.

    A candidate plays ``games`` games a generation, alone in every seat in turn with the field (default: the
    strategy with its present parameters) elsewhere; ``players`` sit at a table. With ``out`` a tuning folder
    is left there; the same call goes on with one that was interrupted. ``playing``: ``jobs``, ``executor``,
    ``tick`` as in ``api.play``.
    """
    path = None if out is None else Path(out)
    seed = api.draw_seed() if seed is None else seed
    spec, base = _base(strategy, field, seed, game=game, options=options, at_table=players)
    if base.units_given:
        raise UsageError("every candidate is tried on fresh deals; leave out the deals that are given")
    own = base.strategies[base.players[0].label]
    texts = params.split(",") if isinstance(params, str) else params
    space = tuning_space.read([text for text in texts if text.strip()], own.listing, spec)
    table = Table(base)
    units = experiment.units_for(games, table.tables, 0)
    population = _population(population, len(space))
    fresh = _at_least("number of generations", generations, 1) * units
    experiment.units_for(confirm_games, 2 * table.tables, fresh)
    search = _Search(space, population, base.seed)
    settings = _settings(base, spec, space, games, generations, population, confirm_games)
    with TuningFolder(path, settings) as kept:
        found = _found(search, table, kept, units, generations, step, playing)
        tuned = Tuned(spec, space, base.seed, generations, fresh * population * table.tables, found, None)
        if any(found[one.name] != one.present for one in space):
            confirmation = _confirmed(tuned, base, confirm_games, fresh, kept.confirmation, playing)
            tuned = replace(tuned, confirmation=confirmation)
        kept.finish(tuned.as_json())
    return tuned


def _base(strategy: str, field: str | None, seed: int, **settings: Any) -> tuple[Spec, Experiment]:
    """The strategy, and its comparison with itself against the field."""
    spec, times = lineup.parse_spec(strategy)
    if times != 1:
        raise UsageError(f"one strategy is tuned, not {times}; leave out the *{times}")
    against: str | Spec = spec if field is None else field
    return spec, experiment.make([spec, spec], 1, seed, command="compare", field=against, **settings)


def _at_least(what: str, value: int, least: int) -> int:
    if whole(what, value) < least:
        raise UsageError(f"the {what} must be at least {least}, not {value}")
    return int(value)


def _population(given: int | None, dimensions: int) -> int:
    """Candidates a generation: more than the library's 4 + 3 ln n where that is few, for points are noisy."""
    if given is not None:
        return _at_least("population", given, LEAST_POPULATION)
    return max(DEFAULT_POPULATION, 4 + math.floor(3 * math.log(dimensions)))


def _settings(
    base: Experiment,
    spec: Spec,
    space: Sequence[Parameter],
    games: int,
    generations: int,
    population: int,
    confirm_games: int,
) -> dict[str, Any]:
    """Everything that decides the bytes of a tuning, in the order in which a difference is told."""
    same = base.identity()
    own, _, field = base.players
    return {
        "schema": 1,
        "game": base.game_name,
        "strategy": spec.text if spec.kind != "file" else Path(spec.source).name,
        "params": dict(own.params),
        "field": {"params": dict(field.params)},
        "parameters": tuning_space.as_json(space),
        "options": base.options,
        **base.table_keys(),
        "seed": base.seed,
        "games": games,
        "generations": generations,
        "population": population,
        "confirm_games": confirm_games,
        "fingerprint": base.fingerprints[own.label],
        "field_fingerprint": base.fingerprints[field.label],
        "search": f"cmaes {metadata.version('cmaes')}",
        "rules_version": same["rules_version"],
        "stream_version": same["stream_version"],
    }


class _Search:
    """CMA-ES in the unit cube, told points to make large."""

    def __init__(self, space: Sequence[Parameter], population: int, seed: int) -> None:
        try:
            from cmaes import CMA
        except ImportError:
            raise UsageError(
                "tuning needs the library cmaes; install it with: pip install 'bridzik[tune]'"
            ) from None
        self.space, self.population = space, population
        self._optimizer = CMA(
            mean=np.array([one.share for one in space]),
            sigma=SPREAD,
            bounds=np.array([[0.0, 1.0]] * len(space)),
            seed=int(np.random.SeedSequence(seed).generate_state(1)[0]),
            population_size=population,
        )

    def ask(self) -> list[Point]:
        """The next candidates, points of the unit cube."""
        return [np.asarray(self._optimizer.ask()) for _ in range(self.population)]

    def tell(self, points: Sequence[Point], totals: Sequence[int]) -> None:
        """Points (of the game) that each candidate made; equal ones keep their order."""
        self._optimizer.tell([(point, -float(total)) for point, total in zip(points, totals, strict=True)])

    @property
    def centre(self) -> Point:
        """The centre of the next candidates, within the bounds."""
        return np.clip(np.array(self._optimizer.mean, np.float64), 0.0, 1.0)


def _found(
    search: _Search,
    table: Table,
    kept: TuningFolder,
    units: int,
    generations: int,
    step: Step,
    playing: dict[str, Any],
) -> dict[str, float]:
    """Carry the search through, finished generations from the journal, and return the values found."""
    space = search.space
    done, kept.lines = kept.lines, []
    centres = []
    for number in range(generations):
        points = search.ask()
        chosen = [tuning_space.values(space, point) for point in points]
        candidates = [list(one.values()) for one in chosen]
        if number < len(done):
            line = done[number]
            if line.candidates != candidates or len(line.totals) != len(candidates):
                raise UsageError(
                    f"{kept.path}: generation {number + 1} has other candidates than this search asks for; "
                    "the folder was changed, so begin a new tuning"
                )
            kept.lines.append(line)
        else:
            specs = [tuning_space.with_values(table.spec, one) for one in chosen]
            line = Line(candidates, table.play(specs, number * units, units, **playing))
            kept.append(line)
        search.tell(points, line.totals)
        centres.append(search.centre)
        step(number + 1, _told(space, centres[-1]), _spread(candidates, space), number >= len(done))
    settled = np.mean(centres[-max(1, generations // SETTLED) :], axis=0)
    return _told(space, settled)


def _told(space: Sequence[Parameter], point: Point) -> dict[str, float]:
    return {one.name: one.told(float(share)) for one, share in zip(space, point, strict=True)}


def _spread(candidates: list[list[float]], space: Sequence[Parameter]) -> dict[str, float]:
    """Standard deviation of a generation's candidates by parameter."""
    deviations = np.std(candidates, axis=0)
    return {one.name: float(spread) for one, spread in zip(space, deviations, strict=True)}


def _confirmed(
    tuned: Tuned,
    base: Experiment,
    games: int,
    first_unit: int,
    out: Path | None,
    playing: dict[str, Any],
) -> Results:
    """Play found against present parameters with the field, on units after all that the search has seen."""
    confirmation = experiment.make(
        [tuned.changed, tuned.spec],
        games,
        base.seed,
        command="compare",
        field=base.players[2],
        game=base.game_name,
        options=base.options,
        first_unit=first_unit,
        at_table=base.at_table,
    )
    if out is None or not folder.occupied(out):
        return api.play(confirmation, out, **playing)
    run = api.resume(out, **playing)
    if run.units != confirmation.units:
        raise UsageError(
            f"{out} holds {run.units} units, the confirmation of this tuning has {confirmation.units}; "
            "delete that folder and run the same command again"
        )
    return run
