"""The Python door: the functions behind the commands, for notebooks and programs.

>>> from bridzik_sim import simulate
>>> run = simulate("heuristic,simple,random*2", games=1000, seed=7)
>>> run.summary
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridzik_sim import comparison, executors, runner
from bridzik_sim import experiment as experiments
from bridzik_sim.entrants import whole
from bridzik_sim.errors import StrategyFaultError, UsageError
from bridzik_sim.executors import Executor, Means
from bridzik_sim.experiment import Experiment
from bridzik_sim.files import quoted
from bridzik_sim.lineup import Spec
from bridzik_sim.play import Played
from bridzik_sim.results import Results

if TYPE_CHECKING:  # what folders need is imported when there is one
    from bridzik_sim.folder import RunFolder

Tick = Callable[[Results | None, int, float], None]
"""Called a few times a second: the results so far, the units done in this call, the seconds it took."""


def draw_seed() -> int:
    """A seed for a run that was given none."""
    return secrets.randbits(32)


def simulate(
    seats: str | Sequence[str],
    games: int | None,
    seed: int | None = None,
    *,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    seating: str | None = None,
    first_unit: int = 0,
    on_error: str = "stop",
    rows: str = "none",
    cheats: bool = False,
    **playing: Any,
) -> Results:
    """Play ``games`` games in one seating (None: all whose deals an option gives) and return the results.

    ``seats`` is a line-up such as ``"heuristic,simple,random*2"`` or a list of strategies. ``playing``: as
    ``play``. Raises ``bridzik_sim.errors.BridzikError`` whose text says what is wrong.
    """
    experiment = experiments.make(
        seats, games, draw_seed() if seed is None else seed, game=game, options=options, seating=seating,
        first_unit=first_unit, on_error=on_error, rows=rows, cheats=cheats,
    )  # fmt: skip
    return play(experiment, **playing)


def compare(
    a: str | Spec,
    b: str | Spec,
    games: int | None,
    seed: int | None = None,
    *,
    field: str | None = None,
    players: int | None = None,
    seating: str | None = None,
    until_sure: bool = False,
    alpha: float = 0.05,
    margin: float | None = None,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    first_unit: int = 0,
    on_error: str = "stop",
    rows: str = "none",
    cheats: bool = False,
    **playing: Any,
) -> Results:
    """Is ``a`` better than ``b``, by how much, how sure: on the same cards in seatings that are fair to both.

    With ``field`` each of them sits in every seat in turn and the field's strategy elsewhere. ``until_sure``
    stops, at a fixed schedule of looks, as soon as the evidence suffices at the error rate ``alpha``, or
    shows that no difference above ``margin`` is left (of points, or where the measure is a share a fraction);
    ``games`` is then the cap. ``players`` sit at a table, by default as many as is usual in the game.
    ``playing``: as ``play``. ``Results.comparison`` holds the answer.
    """
    experiment = experiments.make(
        [a, b], games, draw_seed() if seed is None else seed, command="compare", field=field, game=game,
        options=options, seating=seating, until_sure=until_sure, alpha=alpha, margin=margin,
        first_unit=first_unit, on_error=on_error, rows=rows, cheats=cheats, at_table=players,
    )  # fmt: skip
    return play(experiment, **playing)


def tournament(
    entrants: str | Sequence[str | Spec],
    games: int,
    seed: int | None = None,
    *,
    tables: str = "pairs",
    references: str | Sequence[str] | None = None,
    players: int | None = None,
    seating: str | None = None,
    game: str = "bridzik",
    options: dict[str, Any] | None = None,
    first_unit: int = 0,
    on_error: str = "stop",
    rows: str = "none",
    cheats: bool = False,
    **playing: Any,
) -> Results:
    """Everyone meets everyone on the same deals; each entrant plays at least ``games`` games.

    ``tables``: ``"pairs"``, every pair as in ``compare``; ``"all"``, every line-up of different entrants that
    fills a table; or ``"one"``, each in one seat with each of the ``references`` (labels, by default all) in
    all others. ``players`` sit at a table, by default as many as is usual in the game. ``playing``: as
    ``play``. ``Results.leaderboard`` and ``crosstable`` hold the answer.
    """
    experiment = experiments.make(
        entrants, games, draw_seed() if seed is None else seed, command="tournament", tables=tables,
        game=game, options=options, seating=seating, first_unit=first_unit, on_error=on_error, rows=rows,
        cheats=cheats, references=references, at_table=players,
    )  # fmt: skip
    return play(experiment, **playing)


def play(
    experiment: Experiment,
    out: str | Path | None = None,
    *,
    force: bool = False,
    tick: Tick | None = None,
    **means: Any,
) -> Results:
    """Play a resolved experiment.

    With ``out`` a run folder is left there with its CSV tables; ``force`` replaces the run that it holds.
    ``tick`` is told how it goes. ``means`` are the fields of ``executors.Means``, such as ``jobs=2``: how the
    run is played, which does not show in the result.
    """
    if experiment.rows != "none" and out is None:
        raise UsageError("whole rows need a folder to go to; add --out")
    if force and out is None:
        raise UsageError("without a folder there is nothing to replace; add --out or leave out --force")
    how = Means(**means)
    if out is not None:
        from bridzik_sim import folder, rows

        folder.check_free(Path(out), force)
        rows.check(experiment)
        # The workers come first: what keeps them from playing must not cost the run that is there.
        with (
            executors.make(experiment, how) as workers,
            folder.RunFolder.create(Path(out), experiment, force) as run,
        ):
            return _go_on(run, workers, how, tick)
    sums = runner.Sums()

    def results() -> Results | None:
        return Results(experiment, sums.ranges, sums.sums) if sums.ranges else None

    def enough() -> bool:
        return comparison.is_sure(experiment, sums.ranges, sums.sums)

    with executors.make(experiment, how) as workers:
        _run(experiment, sums.ranges, sums.add, results, enough, workers, how, tick, None)
    finished = results()
    assert finished is not None
    return finished


def resume(
    path: str | Path,
    games: int | None = None,
    *,
    tick: Tick | None = None,
    **means: Any,
) -> Results:
    """Go on with an interrupted run, or make a finished one longer with ``games``.

    ``tick`` and ``means``: as in ``play``.
    """
    from bridzik_sim.folder import RunFolder

    how = Means(**means)
    games = None if games is None else whole("number of games", games)
    with RunFolder.open(Path(path)) as run:
        if games is not None:
            run.lengthen(games)
        with contextlib.nullcontext() if run.complete else executors.make(run.experiment, how) as workers:
            if games is not None:
                run.write_experiment()
            return _go_on(run, workers, how, tick)


def load_run(path: str | Path) -> Results:
    """Results of a run folder, finished or not."""
    from bridzik_sim import folder

    return folder.read(Path(path))


def merge(paths: Sequence[str | Path], out: str | Path, force: bool = False) -> Results:
    """Add finished runs that differ only in their units into a new run folder."""
    from bridzik_sim import folder, rows

    if any(Path(path).resolve() == Path(out).resolve() for path in paths):
        raise UsageError(f"{out} is one of the runs to be merged; choose another folder for the whole")
    runs = [folder.read(Path(path)) for path in paths]
    first = runs[0].experiment
    if first.sure is not None:
        raise UsageError(
            "runs that stop when they are sure cannot be added; play them with a fixed number of games"
        )
    for path, run in zip(paths, runs, strict=True):
        if run.experiment.identity() != first.identity():
            keys = [k for k, v in run.experiment.identity().items() if first.identity()[k] != v]
            raise UsageError(
                f"{path} differs from {paths[0]} in {', '.join(keys)}; only equal experiments add up"
            )
        if runner.missing((run.experiment.first_unit, run.experiment.last_unit), run.ranges):
            raise UsageError(f"{path} is not finished; finish it with 'bridzik resume {quoted(path)}'")
        if not rows.are_joined(Path(path), run.experiment):
            raise UsageError(
                f"{Path(path) / f'rows.{first.rows}'} lacks rows of finished games; "
                f"finish it with 'bridzik resume {quoted(path)}'"
            )
    _refuse_overlap(paths, runs)
    start = min(run.experiment.first_unit for run in runs)
    end = max(run.experiment.last_unit for run in runs)
    whole = replace(first, first_unit=start, units=end - start)
    with folder.RunFolder.create(Path(out), whole, force) as merged:
        for path, run in sorted(
            zip(paths, runs, strict=True), key=lambda pair: pair[1].experiment.first_unit
        ):
            merged.adopt(run, Path(path))
        merged.write_tables()
        return merged.results


def _refuse_overlap(paths: Sequence[str | Path], runs: Sequence[Results]) -> None:
    ordered = sorted(zip(runs, paths, strict=True), key=lambda pair: pair[0].experiment.first_unit)
    for (one, here), (two, there) in itertools.pairwise(ordered):
        if two.experiment.first_unit < one.experiment.last_unit:
            raise UsageError(
                f"{here} and {there} share units from {two.experiment.first_unit} on; they cannot be added"
            )


def _go_on(run: RunFolder, workers: Executor | None, means: Means, tick: Tick | None) -> Results:
    """Play what is missing (without workers nothing is), and write the tables."""

    def results() -> Results | None:
        return run.results if run.ranges else None

    if workers:
        keep = _writing(run.path)(run.keep)
        _run(run.experiment, run.ranges, keep, results, lambda: run.sure, workers, means, tick, run.path)
    with _writing(run.path):
        run.write_tables()
    return run.results


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """An error of the system, such as a full disk, is told with what to do."""
    try:
        yield
    except OSError as error:
        advice = f"nothing that was finished is lost; mend it and go on with 'bridzik resume {quoted(path)}'"
        raise UsageError(f"cannot write to {path}: {error.strerror or error}; {advice}") from error


def _run(
    experiment: Experiment,
    finished: list[runner.Range],
    keep: Callable[[Played], None],
    results: Callable[[], Results | None],
    enough: Callable[[], bool],
    workers: Executor,
    means: Means,
    tick: Tick | None,
    path: Path | None,
) -> None:
    def report(units: int, seconds: float) -> None:
        if tick:
            tick(results(), units, seconds)

    try:
        runner.run(
            experiment, finished, keep, workers, chunk_units=means.chunk_units, tick=report,
            looks=comparison.looks(experiment), enough=enough,
        )  # fmt: skip
    except StrategyFaultError as fault:
        if path:
            where = f"{quoted(path)} --unit {fault.unit} {experiment.place_arguments(fault.seating)}"
        else:
            where = f"{experiment.as_arguments(fault.seating)} --unit {fault.unit}"
        command = f"bridzik replay {where}{means.as_arguments()}"
        raise StrategyFaultError(fault.what, fault.unit, fault.seating, command) from fault
