"""Czech Fool: the compiled kernel against the reference engine, move by move, for as many games as one likes.

    python bench/fool_differential.py --games 5000 --jobs 2

plays so many games for every number of players and both decks, as tests/differential/test_fool_kernel.py does
with some hundred, and compares every field of every view and every row of results. It stops at a
difference; else it prints how often rare things were met.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / "support")]

DECKS, BATCH = (52, 36), 50


def play(task):
    """Compare the games of some units; returns how many there were, their decisions and their rare events."""
    from fool_games import DRAWS, SEATINGS, compare, events_of
    from kernel_checks import last_hashes, strategies

    from bridzik_sim.games.fool import kernel
    from bridzik_sim.games.fool.rules import VIEW

    if not hasattr(play, "made"):
        patcher = SimpleNamespace(setattr=setattr)
        play.made = strategies(VIEW, kernel.VIEW_TYPE)[1], last_hashes(patcher, kernel)
    functions, hashes = play.made
    seats, deck, units, max_turns = task
    events, games = Counter(), 0
    for unit in units:
        options = {"deck": deck, "draw": DRAWS[unit % 2], "max_turns": max_turns}
        for *_, record in compare(functions, hashes, unit, SEATINGS[seats], options):
            games += 1
            events["decisions"] += record.decisions
            events["rounds"] += len(record.deals)
            events.update(events_of(record, deck))
    return games, events


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=5000, help="games for each number of players and deck")
    parser.add_argument("--first-unit", type=int, default=0)
    parser.add_argument("--max-turns", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    from fool_games import SEATINGS

    with ProcessPoolExecutor(given.jobs) as pool:
        for seats, deck in product(SEATINGS, DECKS):
            start, units = time.perf_counter(), -(-given.games // len(SEATINGS[seats]))
            numbers = range(given.first_unit, given.first_unit + units)
            tasks = [
                (seats, deck, numbers[first : first + BATCH], given.max_turns)
                for first in range(0, units, BATCH)
            ]
            games, events = 0, Counter()
            for played, met in pool.map(play, tasks):
                games, events = games + played, events + met
            seconds = time.perf_counter() - start
            told = ", ".join(f"{event} {count:,}" for event, count in sorted(events.items()))
            print(
                f"{seats} players, {deck} cards: {games:,} games alike in {seconds:.0f} s: {told}", flush=True
            )


if __name__ == "__main__":
    main()
