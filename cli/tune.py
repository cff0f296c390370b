"""``bridzik tune``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.results import Results
    from bridzik_sim.tuning import Tuned

HEADINGS = ("parameter", "low", "high", "present", "found")


@bridzik_command("tune")
@click.argument("strategy", metavar="STRATEGY")
@click.option(
    "--params",
    multiple=True,
    required=True,
    metavar="NAME[=LOW:HIGH][,...]",
    help="What to search, and between which bounds; repeatable. NAME=LOW:HIGH:int plays whole numbers only. "
    "Without bounds: the present value minus and plus 1, or its own size where that is more.",
)
@click.option(
    "--games",
    type=options.Count(),
    default=2000,
    show_default=True,
    help="Tables a candidate plays in a generation; rounded up to whole units.",
)
@click.option(
    "--generations", type=options.Count(), default=20, show_default=True, help="How many generations."
)
@click.option(
    "--population",
    type=click.IntRange(4),
    help="Candidates a generation.  [default: 8, more for many parameters]",
)
@click.option(
    "--confirm-games",
    type=options.Count(),
    default=100_000,
    show_default=True,
    help="Tables of the confirmation, on deals that the search has not seen.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the tuning there; the same command goes on with one that was interrupted.",
)
@click.option(
    "--field",
    metavar="STRATEGY",
    help="Who sits in the other seats.  [default: the strategy with its present parameters]",
)
@options.players
@options.common
def command(
    strategy: str,
    params: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    out: Path | None,
    form: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Search a strategy's parameters on duplicate deals, and confirm what was found.

    The candidates of a generation play the same cards in every seat in turn, the field in all others; the
    next generation is drawn around the better ones (CMA-ES). At the end found and present parameters meet on
    deals that the search has not seen, and the answer says whether the change is worth making.

    \b
    Examples:
      bridzik tune heuristic --params courage=-0.5:0.5
      bridzik tune bots/mine.py --params "courage,samples=10:200:int" --games 5k --seed 7 --out tuning
    """
    from bridzik_sim.errors import Interrupted
    from bridzik_sim.tuning import tune
    from bridzik_sim.tuning_folder import begun_seed
    from cli import running
    from cli.interrupts import ending_soon

    seed = running.told_seed(begun_seed(out) if seed is None else seed)
    watch = _Watch(given["generations"], quiet)
    names = [name for text in params for name in text.split(",")]
    rest = "without --out nothing is kept" if out is None else "go on with the same command"

    def so_far() -> str:
        return f"interrupted after {watch.done} of {watch.all} generations; {rest}"

    with ending_soon(so_far):
        try:
            tuned = tune(
                strategy, names, seed=seed, options=dict(options), out=out, step=watch.step, tick=watch.tick,
                **given,
            )  # fmt: skip
        except (KeyboardInterrupt, Interrupted):
            raise Interrupted(so_far()) from None
    _show(tuned, form)


class _Watch:
    """Tells on stderr how a tuning goes on: a line a generation, and one now and then within a long one."""

    def __init__(self, generations: int, quiet: bool) -> None:
        self.done, self.all = 0, generations
        self._quiet = quiet
        self._told = time.monotonic()

    def step(self, number: int, centre: dict[str, float], spread: dict[str, float], now: bool) -> None:
        """A generation is finished; those of an earlier call are not told again."""
        self.done = number
        if not now:
            return
        where = ", ".join(f"{name} {value:g} ± {spread[name]:.2g}" for name, value in centre.items())
        self._say(f"generation {number} of {self.all}: {where}")

    def tick(self, results: Results | None, units: int, seconds: float) -> None:
        """Some units of a generation or of the confirmation are played."""
        from cli.progress import LINE_SECONDS

        if results is not None and time.monotonic() - self._told >= LINE_SECONDS:
            what = f"generation {self.done + 1}" if self.done < self.all else "confirmation"
            self._say(f"{what}: {results.games:,} of {results.experiment.games:,} games")

    def _say(self, text: str) -> None:
        output.note(text, self._quiet)
        self._told = time.monotonic()


def _show(tuned: Tuned, form: str) -> None:
    if form == "json":
        output.as_json(tuned.as_json())
        return
    rows = [[one.name, one.low, one.high, one.present, tuned.found[one.name]] for one in tuned.space]
    if form == "csv":
        cells = [[str(cell) for cell in row] + [str(tuned.supported).lower()] for row in rows]
        output.rows((*HEADINGS, "supported"), cells, [False] * 6, form)
        return
    cells = [[cell if isinstance(cell, str) else f"{cell:g}" for cell in row] for row in rows]
    output.rows(HEADINGS, cells, [False, True, True, True, True], form)
    searched = f"{tuned.games:,} games in {tuned.generations:,} generations, seed {tuned.seed}"
    output.data(f"\nsearched with {searched}\n")
    if tuned.confirmation is not None:
        from cli import compare

        compare.show(tuned.confirmation, form)
    for name in tuned.at_bounds:
        output.data(
            f"\n{name} was found at its bound {tuned.found[name]:g}; wider bounds may hold a better value"
        )
    output.data(f"\n{conclusion(tuned)}")


def conclusion(tuned: Tuned) -> str:
    """What to do, in one sentence."""
    if tuned.confirmation is None:
        return f"the search found the present parameters again; keep {tuned.use}"
    if tuned.supported:
        return f"the confirmation supports the change; use {tuned.use}"
    worse = tuned.comparison["winner"] is not None
    reason = "finds the change worse" if worse else "does not support the change"
    return f"the confirmation {reason}; keep {tuned.use}"
