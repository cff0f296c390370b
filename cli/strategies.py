"""``bridzik strategies``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.games.game import Game

HEADINGS = ("name", "parameters", "kind", "summary")


@bridzik_command("strategies")
@click.argument("strategy", required=False, metavar="[NAME|FILE]")
@click.option("--cheats", is_flag=True, help="List those, too, that are told all hands.")
@options.game
@options.output_format
def command(strategy: str | None, cheats: bool, game: str, form: str) -> None:
    """List the strategies that go by name, or describe one: what it does, its parameters, where its file is.

    The files are read, not run. Those that cheat are left out of the list; they play only with --cheats.

    \b
    Examples:
      bridzik strategies
      bridzik strategies heuristic
      bridzik strategies --game wizard
      bridzik strategies bots/mine.py --format json
    """
    from bridzik_sim import games

    played = games.get(game)
    if strategy is None:
        _list(played, cheats, form)
    else:
        _describe(played, strategy, form)


def _list(game: Game, cheats: bool, form: str) -> None:
    from bridzik_sim import sources

    entries = [_entry(name, path) for name, path in sorted(sources.named(game.name).items())]
    entries = [entry for entry in entries if cheats or not entry.get("cheats")]
    if form == "json":
        output.as_json(entries)
        return
    cells = [[e["name"], _params(e["params"]), _runs_as(e), e["summary"]] for e in entries]
    output.rows(HEADINGS, cells, [False] * len(HEADINGS), form)


def _entry(name: str, path: Path) -> dict[str, Any]:
    """What a strategy's file says of itself; one that cannot be read is listed with the reason."""
    from bridzik_sim import sources
    from bridzik_sim.errors import StrategyError

    try:
        listing = sources.read(path)
    except StrategyError as error:
        return {
            "name": name,
            "summary": f"cannot be read: {error}",
            "params": {},
            "python": None,
            "file": str(path),
        }
    return {
        "name": name,
        "summary": listing.summary,
        "params": listing.params,
        "python": listing.python,
        **({"cheats": True} if listing.cheats else {}),
        "file": str(path),
    }


def _params(params: dict[str, float]) -> str:
    return ", ".join(f"{key}={value:g}" for key, value in params.items()) or "-"


def _runs_as(entry: dict[str, Any]) -> str:
    kind = {None: "-", True: "plain Python", False: "compiled"}[entry["python"]]
    return f"{kind}, cheats" if entry.get("cheats") else kind


def _describe(game: Game, text: str, form: str) -> None:
    from bridzik_sim import lineup, sources

    spec, _ = lineup.parse_spec(text)
    path = sources.locate(spec, game.name)
    sources.read(path)  # an error in the file is told as such
    entry = _entry(spec.source if spec.kind == "name" else path.stem, path)
    docs = sources.docstrings(path, game.decisions)
    entry |= {
        "description": docs.pop(""),
        "decisions": {name: docs.get(name, "") for name in game.decisions},
        "fingerprint": sources.fingerprint(path),
    }
    if form == "json":
        output.as_json(entry)
        return
    if form != "table":
        pairs = [[key, value if isinstance(value, str) else str(value)] for key, value in entry.items()]
        output.rows(("key", "value"), pairs, [False, False], form)
        return
    lines = [
        f"{entry['name']}  ({game.title}, {_runs_as(entry)})",
        "",
        entry["description"] or "(no docstring)",
        "",
    ]
    lines += [f"parameters   {_params(entry['params'])}", f"file         {entry['file']}"]
    lines += [f"fingerprint  {entry['fingerprint']}", "decisions"]
    for name, doc in entry["decisions"].items():
        first, *rest = doc.splitlines() or ["-"]
        lines += [f"  {name:<10} {first}", *[f"{'':13}{line}".rstrip() for line in rest]]
    output.data("\n".join(lines))
