"""``bridzik games``."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.games.game import Game

HEADINGS = ("name", "title", "seats", "decisions", "measure", "summary")


@bridzik_command("games")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--rules", is_flag=True, help="Print the whole rules of the game NAME.")
@options.output_format
def command(name: str | None, rules: bool, form: str) -> None:
    """List the games, or describe one: its rule options, what a strategy decides and sees, its rules.

    \b
    Examples:
      bridzik games
      bridzik games wizard
      bridzik games bridge --rules
    """
    from bridzik_sim import games

    if name is None:
        if rules:
            raise click.UsageError("say which game: bridzik games NAME --rules")
        _list([games.get(known) for known in games.names()], form)
        return
    game = games.get(name)
    if rules:
        output.data(_rules(game))
    else:
        _describe(game, form)


def _rules(game: Game) -> str:
    return (
        resources.files(f"bridzik_sim.games.{game.name}")
        .joinpath("rules.md")
        .read_text(encoding="utf-8")
        .rstrip()
    )


def _entry(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "seats": list(game.seat_counts),
        "usual_seats": game.usual_seats,
        "sides": game.sides,
        "decisions": list(game.decisions),
        "decisions_a_game": _decisions_by_seats(game),
        "measure": game.measure.name,
        "rules_version": game.rules_version,
        "options": [
            {"name": option.name, "default": option.default, "help": option.help} for option in game.options
        ],
    }


def _list(found: list[Game], form: str) -> None:
    if form == "json":
        output.as_json([_entry(game) for game in found])
        return
    cells = [
        [
            game.name,
            game.title,
            _any_of(game.seat_counts),
            ", ".join(game.decisions),
            game.measure.name,
            game.summary,
        ]
        for game in found
    ]
    output.rows(HEADINGS, cells, [False] * len(HEADINGS), form)


def _any_of(counts: tuple[int, ...]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{min(counts)}-{max(counts)}"


def _seats(game: Game) -> str:
    several = len(game.seat_counts) > 1
    sides = (
        f" on {game.sides} sides; a line-up has a name for each seat, or for each side" if game.sides else ""
    )
    return _any_of(game.seat_counts) + (f", usually {game.usual_seats}" if several else "") + sides


def _decisions_by_seats(game: Game) -> dict[str, int] | None:
    """Decisions of a full game by the size of the table; None where games differ."""
    if game.decisions_a_game is None:
        return None
    return {str(seats): game.decisions_a_game(seats) for seats in game.seat_counts}


def _decisions_a_game(game: Game) -> str:
    """How many decisions a full game has, at every size of a table."""
    numbers = _decisions_by_seats(game)
    if numbers is None:
        return "as many as it takes to the end of the game"
    if len(numbers) == 1:
        return f"{numbers[str(game.usual_seats)]:,} in a full game"
    told = (f"{number:,} with {seats}" for seats, number in numbers.items())
    return f"{', '.join(told)} players in a full game, by the default rules"


def _shape(game: Game, field: str) -> str:
    shape = game.view[field].shape
    return field + (f"[{shape[0]}]" if shape else "")


def _describe(game: Game, form: str) -> None:
    fields = {_shape(game, name): text for name, text in game.view_help.items()}
    if form == "json":
        output.as_json({**_entry(game), "view": game.view_help, "rules": _rules(game)})
        return
    if form != "table":
        output.rows(("field of the view", "meaning"), list(fields.items()), [False, False], form)
        return
    decisions = ", ".join(f"{name}(view)" for name in game.decisions)
    lines = [
        f"{game.title} ({game.name}): {game.summary}",
        "",
        f"seats      {_seats(game)}",
        f"decisions  {decisions}: {_decisions_a_game(game)}",
        f"measure    {game.measure.name}",
        f"cards      {' '.join(game.deck.name(card) for card in range(len(game.deck)))}",
        "",
        "Rule options (--option NAME=VALUE)",
    ]
    for option in game.options:
        value = option.default
        default = ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
        lines += [f"  {option.name}={default}", f"      {option.help}"]
    lines += ["", "What a strategy sees: view.<field> (a mask has bit i set for card or answer i)"]
    width = max(map(len, fields))
    lines += [f"  {field:<{width}}  {text}" for field, text in fields.items()]
    lines += ["", f"The rules: bridzik games {game.name} --rules"]
    output.data("\n".join(lines))
