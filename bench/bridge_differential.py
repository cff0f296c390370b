"""Contract bridge: compiled kernel against reference engine, decision by decision,
for as many games as one likes.

    python bench/bridge_differential.py --games 3000 --jobs 2

plays so many rubbers with every combination of the options, and as many boards, as
tests/differential/test_bridge_kernel.py does with some hundred, and compares every field of every view and
every row of results. It stops at a difference; else it prints how often rare things were met.
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

BATCH = 25
RULES = [
    *(
        {"declarer": declarer, "honours": honours}
        for declarer, honours in product(("laws", "last_bid"), ("off", "on"))
    ),
    *({"declarer": declarer, "scoring": "duplicate"} for declarer in ("laws", "last_bid")),
]


def play(task):
    """Compare the games of some units; returns how many there were, their decisions and their rare events."""
    from bridge_games import BOARDS, RUBBERS, compare, events_of, pick
    from kernel_checks import last_hashes, strategies

    from bridzik_sim.games.bridge import kernel
    from bridzik_sim.games.bridge.rules import GAME, VIEW

    if not hasattr(play, "made"):
        patcher = SimpleNamespace(setattr=setattr)
        play.made = strategies(VIEW, kernel.VIEW_TYPE, pick)[1], last_hashes(patcher, kernel)
    functions, hashes = play.made
    rules, units, max_deals = task
    events, games = Counter(), 0
    for unit in units:
        options = GAME.parse_options(rules)
        if options["scoring"] == "rubber":
            options |= {"max_deals": max_deals, "first_dealer": unit % 4}
        seatings = RUBBERS if options["scoring"] == "rubber" else BOARDS
        played, _ = compare(functions, hashes, unit, seatings, options)
        for *_, record in played:
            games += 1
            events["decisions"] += record.decisions
            events["deals"] += len(record.deals)
            events.update(events_of(record, options["honours"] == "on"))
    return games, events


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=3000, help="games for each combination of options")
    parser.add_argument("--first-unit", type=int, default=0)
    parser.add_argument("--max-deals", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    from bridge_games import BOARDS, RUBBERS

    with ProcessPoolExecutor(given.jobs) as pool:
        for rules in RULES:
            start = time.perf_counter()
            tables = len(BOARDS if "scoring" in rules else RUBBERS)
            numbers = range(given.first_unit, given.first_unit + -(-given.games // tables))
            tasks = [
                (rules, numbers[first : first + BATCH], given.max_deals)
                for first in range(0, len(numbers), BATCH)
            ]
            games, events = 0, Counter()
            for played, met in pool.map(play, tasks):
                games, events = games + played, events + met
            seconds = time.perf_counter() - start
            told = ", ".join(f"{event} {count:,}" for event, count in sorted(events.items()))
            print(f"{rules}: {games:,} games alike in {seconds:.0f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
