"""The contract of a game: what the runner, the commands and the reports ask of it.

A game is a folder ``bridzik_sim/games/<name>/`` with

* ``rules.md``     the rules in prose,
* ``rules.py``     ``GAME`` (a ``Game``), the view's dtype, legality and scoring on masks,
* ``kernel.py``    ``play_chunk(chunk)``: the compiled play of many units; ``count_units(counts, match)``: the
                   same counting for records of the reference engine; ``VIEW_TYPE``,
* ``tables.py``    the game's own tables (see ``bid_tables.py``, which games of exact bids share, and
                   ``contract_tables.py``),
* ``reference.py`` ``play_game(...)``: the same in plain Python, for proof, replays and plain Python
                   strategies,
* ``telling.py``   how a record and what a seat saw are told: ``Telling``, one of ``games/telling.py``,
* ``redealing.py`` ``redeals(deal, moments, chance)``: other cards, as ``dealt`` of ``play_game``, that the
                   seat of the last moment should not tell from those of the reference engine's deal;
                   ``moments`` (see ``replay.py``) are those of the deal up to this one, with their views,
* ``template.py``  the starting point for a strategy that ``bridzik new`` writes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bridzik_sim.cards import CardWords, Deck
from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.games.measure import Measure
from bridzik_sim.match import Match
from bridzik_sim.tally import Counts, Tally

Options = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """A rule option. ``parse`` takes text or a TOML value and returns the value in its one canonical form."""

    name: str
    default: Any
    help: str
    parse: Callable[[Any], Any]


@dataclass(frozen=True)
class Game:
    """What a game is. Loading it compiles nothing."""

    name: str
    title: str
    summary: str
    seat_counts: tuple[int, ...]
    """Sizes of a table, ascending."""
    usual_seats: int
    """Players at a table where nothing else is said."""
    decisions: tuple[str, ...]
    measure: Measure
    rules_version: int
    options: tuple[Option, ...]
    deck: Deck
    view: np.dtype[np.void]
    view_help: dict[str, str]
    quantities: tuple[str, ...]
    """What is summed by unit and entrant, besides the tallies; the first one is the measure's."""
    tallies: Callable[[Sequence[str], Match], tuple[Tally, ...]]
    """Layout of the counts for the entrants of a match."""
    rows_a_game: int
    """Rows of a game: all of them, or more than most have where their number differs."""
    row_columns: tuple[str, ...]
    decisions_a_game: Callable[[int], int] | None = None
    """By number of seats: decisions of all seats in a full game, the scale of speed figures.

    None where their number differs: the tally ``decisions`` counts them.
    """
    limit: int | None = None
    """Points above which a player is out, in games that have such a limit."""
    sides: int | None = None
    """Sides of a partnership game: seat ``s`` belongs to side ``s % sides``. None: every seat is a side."""
    table_ceiling: Callable[[int, Options], float] | None = None
    """By seats and options: highest possible share of exact bids of a whole table, where there are bids."""
    check_seats: Callable[[int, Options], None] | None = None
    """Raises ``ValueError`` when options do not go with a number of seats."""
    check_options: Options = field(default_factory=dict)
    """Rule options under which ``bridzik check`` plays, too: those that ask or show something else."""
    tables_module: str = ""
    """Where the game's own tables are made, if not in its module ``tables``."""
    deal_kind: str = ""
    """What tells the kinds of deals apart, in games that count such kinds."""
    words: dict[str, CardWords] = field(default_factory=dict)
    """By language: how a game is told to people."""
    variant: Callable[[Game, Options, bool], Game] | None = None
    """By options, and whether entrants are compared: the game with the measure and counts it then has."""
    in_pairs: bool = False
    """Whether two tables with the sides changed make one result, as where boards are compared."""
    deals_option: str = ""
    """Name of the option that gives the deals to be played, a list with one a unit; empty: there is none."""

    @property
    def tables(self) -> Any:
        """The module of the game's own tables."""
        return importlib.import_module(self.tables_module or f"bridzik_sim.games.{self.name}.tables")

    @property
    def kernel(self) -> Any:
        """The module that plays chunks (imported, so compiled or loaded, on first use)."""
        return importlib.import_module(f"bridzik_sim.games.{self.name}.kernel")

    @property
    def reference(self) -> Any:
        """The module of the plain Python engine."""
        return importlib.import_module(f"bridzik_sim.games.{self.name}.reference")

    @property
    def telling(self) -> Any:
        """The module that tells deals to people."""
        return importlib.import_module(f"bridzik_sim.games.{self.name}.telling")

    @property
    def redealing(self) -> Any:
        """The module that deals unseen cards anew."""
        return importlib.import_module(f"bridzik_sim.games.{self.name}.redealing")

    def played(self, options: Options, command: str) -> Game:
        """The game as an experiment plays it, with its measure and counts."""
        return self.variant(self, options, command != "simulate") if self.variant else self

    def parse_options(self, given: dict[str, Any]) -> Options:
        """All options in canonical form, defaults filled in; ``UsageError`` names a wrong key or value."""
        known = {option.name: option for option in self.options}
        for key in given:
            if key not in known:
                raise UsageError(unknown_name(f"option of {self.name} called", key, known))
        options = {name: option.default for name, option in known.items()}
        for key, value in given.items():
            try:
                options[key] = known[key].parse(value)
            except ValueError as error:
                raise UsageError(f"option {key}={value}: {error}") from None
        return options


@dataclass
class Chunk:
    """Units to be played in one kernel call, and the arrays it fills."""

    functions: dict[str, tuple[Any, ...]]
    """Compiled functions by decision, one an entrant."""
    params: npt.NDArray[np.float64]
    """float64[entrants, 16]."""
    match: Match
    seed: int
    options: Options
    first: int
    stop: int
    forfeit: bool
    counts: dict[str, Counts]
    rows: Counts
    """int64[number of rows, columns] to be filled, or with 0 rows when none are wanted."""
    control: Counts = field(default_factory=lambda: np.zeros(2, np.int64))
    """``[0]``: set to 1 by anyone, asks the kernel to return after the current unit; ``[1]``: units done."""
    cheats: tuple[bool, ...] = ()
    """By entrant: whether it is told all hands. Empty: nobody is."""
    plan: Any = None
    """What the kernel is compiled for, a ``plans.Plan``; None: any strategies."""
