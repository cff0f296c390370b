"""What the tests of faults share: moments to strike at, what a run holds, and what a refusal looks like."""

import itertools
import random

from bridzik_sim.journal import Journal


def moments(operations, count, seed):
    """Random operations, one of each of so many equal parts; before the first nothing is there to be lost."""
    draw = random.Random(seed)
    first = next(k for k, what in enumerate(operations) if what.startswith("open .experiment.toml"))
    edges = [first + (len(operations) - first) * part // count for part in range(count + 1)]
    return [draw.randrange(a, b) for a, b in itertools.pairwise(edges)]


def units(folder):
    """Units that are finished in a run folder."""
    return sum(stop - start for start, stop in Journal.read(folder).ranges)


def refused(done, text, about=""):
    """Assert that a command line ended as it should: one line that says what is wrong, and code 2."""
    assert done.code == 2, (about, done.err)
    assert done.err.startswith("Error: "), (about, done.err)
    assert done.err.count("\n") == 1, (about, done.err)
    assert text in done.err, (about, done.err)
