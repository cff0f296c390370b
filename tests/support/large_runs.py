"""Folders of runs far longer than a test can play: a short run's sums, many times."""

from dataclasses import replace

import numpy as np

from bridzik_sim import stored
from bridzik_sim.files import write_atomically
from bridzik_sim.journal import Journal
from bridzik_sim.results import Results
from bridzik_sim.runner import RUNNING
from bridzik_sim.tally import SCHEDULE


def repeated(run, times):
    """The results of ``times`` runs like a complete one from unit 0 on, spread evenly over its units."""
    experiment = replace(run.experiment, units=run.units * times)
    ends = [min(end, experiment.units) for end in SCHEDULE]
    sums = {}
    for name, counts in run.sums.items():
        if name not in RUNNING:
            sums[name] = counts * times
            continue
        whole = counts.astype(object).sum(axis=0)
        until = np.array([whole * end // run.units for end in ends])
        sums[name] = np.diff(until, axis=0, prepend=np.zeros_like(until[:1])).astype(np.int64)
    return Results(experiment, [(0, experiment.units)], sums)


def write(run, folder):
    """Leave the folder of a run as it is when its last chunk has been counted."""
    folder.mkdir()
    write_atomically(folder / "experiment.toml", stored.write(run.experiment).encode())
    with Journal.create(folder, run.experiment.identity()) as journal:
        ((first, stop),) = run.ranges
        journal.append(first, stop, run.sums)
