"""What ``bridzik check`` plays with a strategy, here and in a fresh process: tables, sums, what it holds."""

from __future__ import annotations

import hashlib
import math
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bridzik_sim import experiment as experiments
from bridzik_sim import games, lineup, sources, tally
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment import Experiment
from bridzik_sim.games.game import Game, Options
from bridzik_sim.lineup import Spec
from bridzik_sim.play import Player
from bridzik_sim.strategy import Strategy
from bridzik_sim.tally import Counts

SEED = 1
OPPONENT = "random"


def table_sizes(game: Game) -> list[int]:
    """Sizes of a table at which strategies go wrong if at any: the usual, the smallest and the largest."""
    return list(dict.fromkeys((game.usual_seats, min(game.seat_counts), max(game.seat_counts))))


def tables(text: str | Spec, game: str) -> list[Experiment]:
    """What is played, at tables of several sizes: the strategy alone, and against random players.

    In games that name such, a table of its own with other rule options comes last.
    """
    specs = lineup.parse([text])
    if len(specs) != 1:
        raise UsageError(f"check takes one strategy at a time, not {str(text)!r}")
    played, own = games.get(game), specs[0]
    sizes, cheats = table_sizes(played), sources.read(sources.locate(own, game)).cheats
    found: list[tuple[list[Spec], Options]] = [([own] * seats, {}) for seats in sizes]
    if OPPONENT in sources.named(game) and own.source != OPPONENT:
        found += [([own, *[Spec(OPPONENT, OPPONENT, ())] * (seats - 1)], {}) for seats in sizes]
    if played.check_options:
        found.append(([own] * played.usual_seats, played.check_options))
    return [
        experiments.make(
            table, 1, SEED, game=game, options=options, seating="rotate", on_error="forfeit", cheats=cheats
        )
        for table, options in found
    ]


def at_the_ends(experiment: Experiment) -> list[Experiment]:
    """The same table with all parameters that have RANGES at the lowest, then at the highest value."""
    (label, strategy), *_ = experiment.strategies.items()
    ranges, own = strategy.listing.ranges, experiment.spec(label)
    found = []
    for end in (0, 1):
        ends = {key: repr(pair[end]) for key, pair in ranges.items() if math.isfinite(pair[end])}
        if ends:
            spec = Spec(label, own.source, tuple({**dict(own.params), **ends}.items()))
            changed = replace(experiment, players=tuple([spec] * len(experiment.players)), strategies={})
            found.append(replace(changed.reloaded(), on_error="stop"))
    return found


def digest(
    players: Iterable[Player], units: Sequence[int], tell: Callable[[int, int], None] | None = None
) -> str:
    """Hash of all counts of these units, played one by one.

    ``tell`` is called before each with the numbers of player and unit.
    """
    text = hashlib.blake2b(digest_size=8)
    for number, player in enumerate(players):
        sums = tally.zeros(player.layouts)
        for unit in units:
            if tell:
                tell(number, unit)
            for name, values in player.play(unit, unit + 1, control()).counts.items():
                sums[name] += values
        _update(text, sums)
    return text.hexdigest()


def digest_at_once(players: Iterable[Player], units: int) -> str:
    """The same hash for the first units, played in one go."""
    text = hashlib.blake2b(digest_size=8)
    for player in players:
        _update(text, player.play(0, units, control()).counts)
    return text.hexdigest()


def engines_agree(player: Player, units: int) -> bool:
    """Whether kernel and reference engine count the same in the first units of a compiled line-up."""
    kernel = player.play(0, units, control()).counts
    plain = tally.zeros(player.layouts)
    count, close_unit = player.game.kernel.count_units(plain, player.match)
    for unit in range(units):
        for seating in range(len(player.seatings)):
            count(player.record(unit, seating), seating)
        close_unit(unit)
    return all((kernel[name] == plain[name]).all() for name in plain)


def replay(experiment: Experiment, unit: int, seating: int) -> str:
    """The command that shows a game of one of the tables."""
    return f"bridzik replay {experiment.as_arguments(seating)} --unit {unit}"


def _update(text: Any, counts: dict[str, Counts]) -> None:
    for name in sorted(counts):
        text.update(name.encode() + counts[name].tobytes())


def control() -> Counts:
    """What a player is stopped by; here nothing stops it."""
    return np.zeros(2, np.int64)


def constants(strategy: Strategy) -> dict[str, str]:
    """By ``module.name``: a hash of every plain global value that the functions of its own files name.

    Such values are compiled in, so they must be the same in every process: they decide what a cache holds.
    """
    found = {}
    for place, module in strategy.modules.items():
        functions = [getattr(value, "py_func", value) for value in vars(module).values()]
        codes = [function.__code__ for function in functions if isinstance(function, types.FunctionType)]
        for name in {name for code in codes for name in _names(code)}:
            plain = _plain(vars(module).get(name))
            if plain is not None:
                where = name if place.startswith("bridzik_strategy_") else f"{place}.{name}"
                found[where] = hashlib.blake2b(plain, digest_size=8).hexdigest()
    return found


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)


def _plain(value: Any) -> bytes | None:
    """The bytes of a number, a text, an array or a tuple of such; None for anything else."""
    if isinstance(value, np.ndarray):
        return None if value.dtype.hasobject else f"{value.dtype}{value.shape}".encode() + value.tobytes()
    if isinstance(value, tuple):
        parts = [_plain(part) for part in value]
        return None if None in parts else b"(" + b",".join(part for part in parts if part is not None) + b")"
    return (
        repr(value).encode() if isinstance(value, int | float | complex | str | bytes | np.generic) else None
    )
