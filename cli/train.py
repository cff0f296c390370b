"""``bridzik train``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options, output
from cli.main import bridzik_command

if TYPE_CHECKING:
    from bridzik_sim.training import Trained

HEADINGS = ("part", "arrays", "bytes", "blake2b", "change")


def _names(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Names separated by commas, from an option that may be repeated."""
    names = tuple(name.strip() for text in texts for name in text.split(","))
    if not all(names):
        raise click.BadParameter("a name is empty; write them as 1,2")
    return names


@bridzik_command("train")
@click.argument("strategy", metavar="STRATEGY")
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="P[,P]",
    callback=_names,
    help="Train these parts only and keep the others' arrays; repeatable.  [default: all]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write data and record there; parts not trained are kept from there or beside the strategy.  "
    "[default: beside the strategy]",
)
@click.option("--check", is_flag=True, help="Write nothing; compare with the data that is there.")
@options.game
@click.option("--seed", type=int, help="Seed of the training.  [default: that of the record, else 0]")
@click.option("--jobs", type=click.IntRange(1), help="Parts trained at the same time.  [default: all cores]")
@options.output_format
@options.quiet
def command(
    strategy: str,
    parts: tuple[str, ...],
    out: Path | None,
    check: bool,
    form: str,
    quiet: bool,
    **given: Any,
) -> int:
    """Remake a strategy's data, and check that it comes out the same again.

    The data of X.py is the file X.npz beside it; what makes it is _train_X.py. The record X.json tells seed,
    versions and a digest of each part. The part that took least is trained twice: if it comes out otherwise,
    nothing is written and the exit code is 3. With --check the exit code is 1 when the data on disk differs.

    \b
    Examples:
      bridzik train table --check
      bridzik train table --game wizard --part 6
      bridzik train bots/mine.py --seed 7 --part 1,2
    """
    from bridzik_sim import training
    from cli.interrupts import ending_soon

    def say(part: str, line: str) -> None:
        output.note(f"part {part}: {line}", quiet)

    with ending_soon(lambda: "interrupted; nothing was written"):
        if check:
            seed, different = training.check(strategy, parts=parts, out=out, say=say, **given)
            return _compared(strategy, seed, different, form)
        trained = training.train(strategy, parts=parts, out=out, say=say, **given)
    _show(trained, form)
    output.note(
        f"part {trained.repeated} was trained twice and came out the same; "
        f"wrote {trained.files[0]} and {trained.files[1].name}, seed {trained.seed}",
        quiet,
    )
    return 0


def _show(trained: Trained, form: str) -> None:
    from bridzik_sim.training_data import digest

    found = [
        {
            "part": part,
            "arrays": len(arrays),
            "bytes": sum(array.nbytes for array in arrays.values()),
            "blake2b": digest(arrays),
            "change": trained.change[part],
        }
        for part, arrays in trained.parts.items()
    ]
    if form == "json":
        files = [str(path) for path in trained.files]
        about = {"strategy": trained.strategy, "seed": trained.seed, "repeated": trained.repeated}
        output.as_json({**about, "files": files, "parts": found})
        return
    number = "{:,}" if form != "csv" else "{}"
    cells = [
        [number.format(cell) if isinstance(cell, int) else str(cell) for cell in row.values()]
        for row in found
    ]
    output.rows(HEADINGS, cells, [False, True, True, False, False], form)


def _compared(strategy: str, seed: int, different: dict[str, list[str]], form: str) -> int:
    """Print which parts are as on disk; the exit code, and on stderr a line for each that differs."""
    from bridzik_sim.errors import EXIT_OK, EXIT_THRESHOLD

    states = {part: "differs" if lines else "same" for part, lines in different.items() if part}
    if form == "json":
        parts = [
            {"part": part, "same": not different[part], "differences": different[part]} for part in states
        ]
        output.as_json({"strategy": strategy, "seed": seed, "strange": different.get("", []), "parts": parts})
    else:
        output.rows(("part", "data"), [[part, state] for part, state in states.items()], [False] * 2, form)
    wrong = {part: lines for part, lines in different.items() if lines}
    for part, lines in wrong.items():
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        output.note(f"Error: {f'part {part} differs: ' if part else ''}{lines[0]}{more}")
    return EXIT_THRESHOLD if wrong else EXIT_OK
