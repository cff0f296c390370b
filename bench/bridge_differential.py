"""Contract bridge: the compiled kernel against the reference engine, for as many games as one likes.

    python bench/bridge_differential.py --games 3000 --jobs 2

plays so many games for every combination of the options, as tests/differential/test_bridge_kernel.py does
with some hundred, and compares, decision by decision, every field of every view, and every row of results. It
stops at a difference; else it prints how often rare things were met.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from bridge_games import BOARDS, RUBBERS, compare, events_of, pick
from kernel_checks import last_hashes, strategies

from bridzik_sim.games.bridge import kernel
from bridzik_sim.games.bridge.rules import GAME, VIEW

BATCH = 25
DECLARERS, HONOURS = ("laws", "last_bid"), ("off", "on")
Rules = dict[str, str]
RULES: list[Rules] = [
    *({"declarer": declarer, "honours": honours} for declarer, honours in product(DECLARERS, HONOURS)),
    *({"declarer": declarer, "scoring": "duplicate"} for declarer in DECLARERS),
]


@cache
def watched() -> tuple[tuple[Callable[..., int], ...], Callable[[int], list[list[int]]]]:
    """The players, and what tells how they saw the kernel's last game; made once a process."""
    hashes = last_hashes(SimpleNamespace(setattr=setattr), kernel)
    return strategies(VIEW, kernel.VIEW_TYPE, pick)[1], hashes


def options_of(rules: Rules, unit: int, max_deals: int) -> dict[str, Any]:
    """All options of a unit: who deals first in a rubber goes round."""
    options: dict[str, Any] = GAME.parse_options(rules)
    if options["scoring"] == "rubber":
        options |= {"max_deals": max_deals, "first_dealer": unit % 4}
    return options


def play(task: tuple[Rules, range, int]) -> tuple[int, Counter[str]]:
    """Compare the games of some units; returns how many there were, their decisions and their rare events."""
    rules, units, max_deals = task
    events, games = Counter[str](), 0
    for unit in units:
        options = options_of(rules, unit, max_deals)
        seatings = RUBBERS if options["scoring"] == "rubber" else BOARDS
        for *_, record in compare(*watched(), unit, seatings, options)[0]:
            games += 1
            events["decisions"] += record.decisions
            events["deals"] += len(record.deals)
            events.update(events_of(record, options["honours"] == "on"))
    return games, events


def main() -> None:
    """Compare, and tell what was met."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=3000, help="games for each combination of options")
    parser.add_argument("--first-unit", type=int, default=0)
    parser.add_argument("--max-deals", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        for rules in RULES:
            start, tables = time.perf_counter(), len(BOARDS if "scoring" in rules else RUBBERS)
            numbers = range(given.first_unit, given.first_unit + -(-given.games // tables))
            batches = [numbers[first : first + BATCH] for first in range(0, len(numbers), BATCH)]
            games, events = 0, Counter[str]()
            for played, met in pool.map(play, [(rules, batch, given.max_deals) for batch in batches]):
                games, events = games + played, events + met
            seconds = time.perf_counter() - start
            told = ", ".join(f"{event} {count:,}" for event, count in sorted(events.items()))
            print(f"{rules}: {games:,} games alike in {seconds:.0f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
