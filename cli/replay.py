"""``bridzik replay``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import boards, options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.experiment import Experiment
    from bridzik_sim.play import Player
    from bridzik_sim.watch import Watch

SHARED = ("game", "options", "boards", "seed", "cheats")


class Units(click.ParamType[range]):
    """``U`` or the half-open range ``A:B``."""

    name = "U|A:B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """One unit or a range that is not empty."""
        if isinstance(value, range):
            return value
        match = re.fullmatch(r"(\d+)(?::(\d+))?", str(value).strip())
        if match is None:
            self.fail(f"{value!r} is neither a unit such as 7 nor a range such as 7:10", param, ctx)
        most = _most_units()
        # Lengths before numbers: Python refuses to read numbers of thousands of digits.
        if any(len(text.lstrip("0")) > len(str(most)) for text in match.groups("")):
            self.fail(f"{value!r} is out of reach; units lie between 0 and {most - 1}", param, ctx)
        first = int(match[1])
        units = range(first, int(match[2]) if match[2] else first + 1)
        if not units:
            self.fail(f"{value!r} is neither a unit such as 7 nor a range such as 7:10", param, ctx)
        if units.stop > most:
            self.fail(f"{value!r} is out of reach; units lie between 0 and {most - 1}", param, ctx)
        return units


def _most_units() -> int:
    from bridzik_sim.tally import SCHEDULE

    return SCHEDULE[-1]


@bridzik_command("replay")
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--seats", metavar="LINEUP", help="The line-up, when there is no run folder: see simulate.")
@click.option(
    "--unit", "units", type=Units(), required=True, help="Which unit, or several: 5:8 is 5, 6 and 7."
)
@click.option(
    "--seating",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Which seating of the unit; with --seats, how many seats everyone moves to the left (rotations that "
    "change nothing are not counted).",
)
@click.option(
    "--lineup",
    type=click.IntRange(0),
    metavar="L",
    help="Which line-up of a tournament; --seating then counts within it.",
)
@click.option(
    "--streams",
    type=click.IntRange(0, 16383),
    metavar="K",
    help="With --seats: seats as given, with the random streams of seating K of a line-up.",
)
@click.option(
    "--as",
    "--format",
    "kind",
    type=click.Choice(["text", "json", "pbn"]),
    default="text",
    show_default=True,
    help="Text; one JSON object a line, which is the same in every language; or, of bridge, Portable Bridge "
    "Notation.",
)
@click.option(
    "--lang", type=click.Choice(["en", "sk"]), default="en", show_default=True, help="Language of the text."
)
@click.option(
    "--view",
    metavar="SEAT",
    help="Only what this seat saw, might answer and answered: a number from 0, or N, E, S, W at bridge.",
)
@boards.option
@options.cheats
@options.game
@options.rule_options
@options.seed
@options.timeout
@options.isolate
@click.pass_context
def command(
    ctx: click.Context,
    /,
    folder: Path | None,
    seats: str | None,
    units: range,
    seating: int,
    lineup: int | None,
    streams: int | None,
    kind: str,
    lang: str,
    view: str | None,
    timeout: float | None,
    isolate: bool,
    **shared: Any,
) -> None:
    """Show one game, card by card: of a run folder, or of a line-up, a seed and a unit.

    The game is played again by the plain reference engine. Where a strategy fails, all up to there is shown.
    Where one does not answer or ends its process, --timeout or --isolate are needed: the game is then first
    played in another process.

    \b
    Examples:
      bridzik replay run --unit 12
      bridzik replay --seats "simple,random*3" --seed 7 --unit 12 --seating 1 --view 0
      bridzik replay --game wizard --seats "heuristic*3" --seed 7 --unit 0 --lang sk
      bridzik replay --game fool --seats "heuristic,random*2" --seed 7 --unit 0 --view 0
      bridzik replay --game bridge --seats natural,random --seed 7 --unit 0 --view S
      bridzik replay run --unit 0:100 --as json
    """
    from bridzik_sim.play import Player

    if view is not None and kind != "text":
        raise click.UsageError(f"--view tells a game as text; leave out --as {kind}", ctx)
    experiment = _experiment(ctx, folder, seats, shared)
    _check(ctx, experiment, units, kind)
    seat = None if view is None else _seat(ctx, experiment, view)
    player = Player(experiment)
    number = _seating(ctx, experiment, seating, lineup)
    if streams is not None:
        if folder is not None or seating:
            raise click.UsageError("--streams goes with --seats and takes the seats as given", ctx)
        player.as_seated(streams)
        number = streams
    for unit in units:
        if isolate or timeout is not None:
            player.watch = _watch(experiment, unit, number, streams, timeout)
        _show(player, unit, number, kind, lang, seat, unit == units[0])


def _check(ctx: click.Context, experiment: Experiment, units: range, kind: str) -> None:
    """Refuse what the game is not written as, and units beyond the deals that are given."""
    if kind == "pbn" and experiment.game_name != "bridge":
        raise click.UsageError(f"only bridge is written as PBN, not {experiment.game_name}", ctx)
    given = experiment.units_given
    if given and units.stop > given:
        raise click.UsageError(f"there is no unit {units.stop - 1}; {given} deals are given, from 0 on", ctx)


def _seat(ctx: click.Context, experiment: Experiment, given: str) -> int:
    """The number of a seat, given by it or by its name."""
    names = experiment.game.telling.Telling.seat_names
    numbers = range(experiment.seatings.shape[1])
    known = {str(number): number for number in numbers} | dict(zip(names, numbers, strict=False))
    if given.upper() not in known:
        named = f", or {', '.join(names)}" if names else ""
        raise click.UsageError(f"there is no seat {given}; the seats are 0 to {numbers[-1]}{named}", ctx)
    return known[given.upper()]


def _seating(ctx: click.Context, experiment: Experiment, seating: int, lineup: int | None) -> int:
    """The number of a seating in the whole match, given by itself or within a line-up."""
    count, lineups, turns = len(experiment.seatings), experiment.match.lineups, experiment.match.turns
    if lineup is None:
        if seating >= count:
            raise click.UsageError(f"there is no seating {seating}; there are {count}, the first is 0", ctx)
        return seating
    if lineup >= lineups:
        raise click.UsageError(f"there is no line-up {lineup}; there are {lineups}, the first is 0", ctx)
    here = min(turns, count - lineup * turns)
    if seating >= here:
        which = "every line-up" if here == turns else f"line-up {lineup}"
        raise click.UsageError(f"there is no seating {seating}; {which} has {here}, the first is 0", ctx)
    return lineup * turns + seating


def _experiment(
    ctx: click.Context, folder: Path | None, seats: str | None, shared: dict[str, Any]
) -> Experiment:
    from bridzik_sim import api, experiment, stored
    from bridzik_sim.folder import EXPERIMENT

    if (folder is None) == (seats is None):
        raise click.UsageError("give either a run folder or --seats with --seed", ctx)
    if folder is not None:
        given = [
            name
            for name in SHARED
            if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        ]
        if given:
            flag = {"options": "option"}.get(given[0], given[0])
            raise click.UsageError(f"--{flag} is fixed by the run in {folder}; leave it out", ctx)
        return stored.read(folder / EXPERIMENT).reloaded()
    seed = shared["seed"]
    if seed is None:
        seed = api.draw_seed()
        output.note(f"seed {seed}")
    assert seats is not None
    rules = boards.rule_options(shared["boards"], shared["game"], shared["options"])
    return experiment.make(
        seats, 1, seed, game=shared["game"], options=rules, seating="rotate", cheats=shared["cheats"]
    )


def _watch(
    experiment: Experiment, unit: int, seating: int, streams: int | None, timeout: float | None
) -> Watch:
    """Keeps silent who does not answer in a game."""
    import numpy as np

    from bridzik_sim.isolation import silences
    from bridzik_sim.watch import WORDS, Watch

    return Watch(np.zeros(WORDS, np.int64), silences(experiment, unit, seating, streams, timeout))


def _show(
    player: Player, unit: int, seating: int, kind: str, lang: str, seat: int | None, first: bool
) -> None:
    from bridzik_sim import replay, replay_text

    game = replay.play(player, unit, seating, seat)
    if kind == "text":
        if not first:
            output.data("")
        told = (
            replay_text.record_text(game.record, lang)
            if seat is None
            else replay_text.view_text(game.record, game.moments, seat, lang)
        )
        output.data(told)
    elif not game.error:
        output.data(_written(game.record, kind, first))
    if game.error:
        raise game.error


def _written(record: dict[str, Any], kind: str, first: bool) -> str:
    """A finished game for programs."""
    if kind == "json":
        return json.dumps(record, ensure_ascii=False)
    from bridzik_sim.games.bridge import pbn

    return (pbn.HEADER if first else "") + pbn.write(record)[:-1]
