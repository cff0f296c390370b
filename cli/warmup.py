"""``bridzik warmup``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.games.game import Game


@bridzik_command("warmup")
@options.game
@options.output_format
@options.quiet
def command(game: str, form: str, quiet: bool) -> None:
    """Compile everything once, a game's kernel and its named strategies, so that later runs start at once.

    \b
    Examples:
      bridzik warmup
      bridzik warmup --game wizard
    """
    from bridzik_sim import games
    from bridzik_sim.jit import CACHE_DIRECTORY

    output.note("compiling what is not compiled yet", quiet)
    done = list(_steps(games.get(game), CACHE_DIRECTORY))
    if form == "json":
        output.as_json({"cache": str(CACHE_DIRECTORY) if CACHE_DIRECTORY else None, "steps": done})
    else:
        cells = [[step["what"], f"{step['seconds']:.2f}", step["how"]] for step in done]
        output.rows(("what", "seconds", "how"), cells, [False, True, False], form)
    if CACHE_DIRECTORY is None:
        output.note(
            "the cache directory cannot be written to, so nothing is kept; see 'bridzik doctor'", quiet
        )
    else:
        output.note(f"compiled code is kept in {CACHE_DIRECTORY}", quiet)


def _steps(game: Game, cache: Path | None) -> Iterator[dict[str, Any]]:
    from bridzik_sim import sources, strategy
    from bridzik_sim.lineup import Spec

    def load(name: str) -> Callable[[], Any]:
        return lambda: strategy.load(Spec(name, name, ()), game).compiled(game)

    yield _timed(f"kernel of {game.name}", lambda: game.kernel, cache)
    names = sorted(sources.named(game.name))
    for name in names:
        yield _timed(f"strategy {name}", load(name), cache)
    if names:
        yield _timed("one game by each engine", lambda: _play(game, names[0]), cache)


def _play(game: Game, name: str) -> None:
    from bridzik_sim import experiment, trials
    from bridzik_sim.play import Player

    trials.engines_agree(Player(experiment.make(f"{name}*{game.usual_seats}", 1, 1, game=game.name)), 1)


def _timed(what: str, action: Callable[[], Any], cache: Path | None) -> dict[str, Any]:
    from bridzik_sim import jit

    before, began = jit.compiled, time.perf_counter()
    action()
    seconds = time.perf_counter() - began
    how = "compiled" if cache is None or jit.compiled > before else "from the cache"
    return {"what": what, "seconds": round(seconds, 3), "how": how}
