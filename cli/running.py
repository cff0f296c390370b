"""What the commands that play share: progress and Ctrl-C, then pictures, the printed results, thresholds."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cli import output, standings
from cli.interrupts import ending_soon
from cli.progress import Progress, stage

if TYPE_CHECKING:
    from bridzik_sim.api import Tick
    from bridzik_sim.results import Results

MOST_TIMED = 8
"""With more entrants, measuring the time that their decisions take would itself take too long."""


def play(
    run: Callable[[Tick], Results], folder: Path | None, form: str, quiet: bool, timed: bool = True
) -> tuple[Results, bool]:
    """Carry out ``run``, draw the pictures into ``folder`` and print the standings.

    Returns the results and whether anything was left to play. ``timed``: measure how long decisions take,
    which is done in this process. ``Interrupted`` tells how to go on.
    """
    progress = Progress(quiet)
    with ending_soon(lambda: str(_interrupted(progress, folder))):
        try:
            # What strategies print must not get between the results.
            with progress, contextlib.redirect_stdout(sys.stderr):
                results = run(progress.tick)
            if folder is not None:  # first, for whoever reads the standings may go away
                write_report(results, folder, quiet)
            standings.show(results, form, _times(results, form, quiet) if timed else None)
        except KeyboardInterrupt:
            raise _interrupted(progress, folder) from None
        except Exception as error:
            from bridzik_sim.errors import Interrupted

            if isinstance(error, Interrupted):
                raise _interrupted(progress, folder) from None
            raise
    return results, progress.games_here > 0


def told_seed(seed: int | None) -> int:
    """The seed as given; a drawn one is told even with --quiet, or nobody could repeat the run."""
    if seed is None:
        from bridzik_sim.api import draw_seed

        seed = draw_seed()
        output.note(f"seed {seed} (drawn)")
    return seed


def judged(results: Results) -> int:
    """The exit code by the experiment's own thresholds; one line on stderr for each that is not kept."""
    if not results.experiment.fail_if:
        return 0
    from bridzik_sim.errors import EXIT_OK, EXIT_THRESHOLD
    from bridzik_sim.thresholds import broken

    lines = broken(results)
    for line in lines:
        output.note(f"Error: {line}")
    return EXIT_THRESHOLD if lines else EXIT_OK


def write_report(results: Results, folder: Path, quiet: bool = False, *, tables: bool = False) -> None:
    """Write pictures and the page of one run beside its tables, and say where all are.

    ``tables`` writes these, too; playing and merging have left them already.
    """
    with stage("drawing pictures", quiet):
        from reports.write import write_report as write

        write(results, folder, tables)
    output.note(f"tables, pictures and report.html are in {folder}", quiet)


def _times(results: Results, form: str, quiet: bool) -> dict[str, float] | None:
    """Seconds a decision by entrant, where a table for people has room for them."""
    if form != "table" or quiet or len(results.labels) > MOST_TIMED:
        return None
    try:
        with stage("measuring the time a decision takes"):
            return standings.times_a_decision(results.experiment)
    except KeyboardInterrupt:
        return None  # the results matter more


def _interrupted(progress: Progress, folder: Path | None) -> Exception:
    from bridzik_sim.errors import Interrupted
    from bridzik_sim.files import quoted
    from bridzik_sim.folder import occupied

    done = progress.results
    how_far = "interrupted before any game was finished"
    if done is not None:
        how_far = f"interrupted after {done.games:,} of {done.experiment.games:,} games"
    if folder is None:
        return Interrupted(f"{how_far}; without --out nothing is kept")
    if not occupied(folder):
        return Interrupted(how_far)
    return Interrupted(f"{how_far}; go on with: bridzik resume {quoted(folder)}")
