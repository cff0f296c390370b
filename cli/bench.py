"""``bridzik bench``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.games.game import Game
    from bridzik_sim.lineup import Spec

HEADINGS = ("seats", "ns_per_decision", "games_per_second", "decisions_per_second")


@bridzik_command("bench")
@click.option(
    "--seats",
    "lineups",
    multiple=True,
    metavar="LINEUP",
    help="A table to measure; repeatable. One that fills no table is repeated until it does.  [default: a "
    "table of each strategy that goes by name, and one of all of them]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=1.0,
    show_default=True,
    help="How long to play at each table.",
)
@options.game
@options.output_format
@options.quiet
def command(lineups: tuple[str, ...], seconds: float, game: str, form: str, quiet: bool) -> None:
    """Measure the speed on this machine: whole games, on one core.

    \b
    Examples:
      bridzik bench
      bridzik bench --seats heuristic --seats "heuristic,random*3" --format json
      bridzik bench --game wizard --seats "random*3" --seats "random*6"
      bridzik bench --game bridge --seats random --seats natural,random
    """
    from bridzik_sim import games, lineup

    played = games.get(game)
    wanted = [lineup.parse(text) for text in lineups] or _default(played)
    measured = []
    for number, specs in enumerate(wanted, 1):
        seats = _filled(specs, played)
        output.note(f"[{number}/{len(wanted)}] {_text(seats)}", quiet)
        measured.append(_measure(played, seats, seconds))
    _print(measured, form)


def _default(game: Game) -> list[list[Spec]]:
    from bridzik_sim import sources
    from bridzik_sim.lineup import Spec

    specs = [Spec(name, name, ()) for name in sorted(sources.named(game.name))]
    return [[spec] for spec in specs] + ([specs[: game.usual_seats]] if len(specs) > 1 else [])


def _filled(specs: list[Spec], game: Game) -> list[Spec]:
    """A line-up that fills a table, or else repeated until the usual table, or a larger one, is full."""
    tables = (len(specs),) if len(specs) in game.seat_counts else (game.usual_seats, *game.seat_counts)
    seats = next((count for count in tables if count >= len(specs)), len(specs))
    return [specs[seat % len(specs)] for seat in range(seats)]


def _text(seats: list[Spec]) -> str:
    """The line-up as it is written, neighbours of one kind put together."""
    parts: list[list[Any]] = []
    for spec in seats:
        if parts and parts[-1][0] == spec.label:
            parts[-1][1] += 1
        else:
            parts.append([spec.label, 1])
    return ",".join(label if times == 1 else f"{label}*{times}" for label, times in parts)


def _measure(game: Game, seats: list[Spec], seconds: float) -> dict[str, Any]:
    from bridzik_sim import experiment, speed
    from bridzik_sim.play import Player

    measured = experiment.make(seats, 1, 1, game=game.name)
    rate = speed.games_per_second(measured, seconds)
    decisions = rate * speed.decisions_a_game(Player(measured))
    return {
        "game": game.name,
        "seats": _text(seats),
        "ns_per_decision": round(1e9 / decisions, 2),
        "games_per_second": round(rate, 1),
        "decisions_per_second": round(decisions),
    }


def _print(measured: list[dict[str, Any]], form: str) -> None:
    if form == "json":
        output.as_json(measured)
        return
    if form == "csv":
        headings: tuple[str, ...] = ("game", *HEADINGS)
        output.rows(headings, [[str(row[key]) for key in headings] for row in measured], [False] * 5, form)
        return
    cells = [
        [
            row["seats"],
            f"{row['ns_per_decision']:,.1f}",
            f"{row['games_per_second']:,.0f}",
            f"{row['decisions_per_second']:,}",
        ]
        for row in measured
    ]
    headings = ("seats", "ns a decision", "games/s", "decisions/s")
    output.rows(headings, cells, [False, True, True, True], form, "One core each")
