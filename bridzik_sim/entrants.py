"""Who plays in an experiment, and how many at a table: what a user wrote, checked."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bridzik_sim import lineup
from bridzik_sim.errors import UsageError
from bridzik_sim.games.game import Game
from bridzik_sim.lineup import Spec
from bridzik_sim.match import ALL


def whole(what: str, value: Any) -> int:
    """A whole number of any kind, also one of NumPy's, as an int; ``UsageError`` for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise UsageError(f"the {what} must be a whole number, not {value!r}") from None


def table_size(game: Game, players: int | None) -> int:
    """Players at a table of a game, by default the usual number; ``UsageError`` for any other."""
    if players is None:
        return game.usual_seats
    if whole("number of players", players) not in game.seat_counts:
        raise UsageError(f"{game.name} is played by {_any_of(game)} players at a table, not {players}")
    return players


def _any_of(game: Game) -> str:
    fewest, most = game.seat_counts[0], game.seat_counts[-1]
    return str(most) if fewest == most else f"{fewest} to {most}"


def seated(command: str, game: Game, specs: list[Spec], field: str | Spec | None, seating: str) -> list[Spec]:
    """The players of an experiment, entrants under labels of their own; refuses a wrong number."""
    given = ", ".join(spec.label for spec in specs)
    if field is not None and command != "compare":
        raise UsageError("only compare plays against a field")
    if command == "simulate":
        if len(specs) == game.sides:
            specs = specs * (game.usual_seats // len(specs))
        if len(specs) not in game.seat_counts:
            sides = f" (or {game.sides} names for its sides)" if game.sides else ""
            raise UsageError(
                f"{game.name} has {_any_of(game)} seats{sides}, but the line-up fills {len(specs)}: {given}"
            )
        return [_anchored(spec) for spec in specs]
    if len(specs) != 2 if command == "compare" else len(specs) < 2:
        wanted = "two strategies" if command == "compare" else "at least two entrants"
        raise UsageError(f"{command} takes {wanted}, not {len(specs)}: {given}")
    own: list[Spec] = []
    for spec in specs:
        own.append(_under_own_label(spec, own, [f"{spec.label}-{n}" for n in range(2, len(specs) + 2)]))
    if field is None:
        return [_anchored(spec) for spec in own]
    if seating == ALL:
        raise UsageError("against a field everyone sits in every seat anyhow; leave out the seating")
    others = lineup.parse([field])
    if len(others) != 1:
        raise UsageError(f"the field is one strategy, which fills all other seats, not {len(others)}")
    lineup.parse([*specs, *others])  # refuses a label that stands for two strategies
    endings = ("field", "field-2", "field-3")
    against = _under_own_label(others[0], own, [f"{others[0].label}-{end}" for end in endings])
    return [_anchored(spec) for spec in (*own, against)]


def _under_own_label(spec: Spec, taken: Sequence[Spec], others: Sequence[str]) -> Spec:
    labels = [other.label for other in taken]
    return replace(spec, label=next(label for label in (spec.label, *others) if label not in labels))


def _anchored(spec: Spec) -> Spec:
    """Files by their absolute path, so that a run can be resumed from anywhere.

    The label stays as written.
    """
    return replace(spec, source=str(Path(spec.source).resolve())) if spec.kind == "file" else spec
