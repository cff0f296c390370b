"""Measures what README promises of contract bridge and honeymoon bridge, beside what is required.

    python bench/bridges.py [--games N] [--search-games N] [--matches N]

Game figures come from the program's own JSON and CSV; times are processor time of the kernel on one core, the
fastest of several short runs. Exit code 1 when a promise is not kept.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from typing import Any

import numpy as np
from promises import Promises, compared, run, tables

from bridzik_sim import experiment
from bridzik_sim.play import Player

DUPLICATE = ("--option", "scoring=duplicate")
SPEED_ROUNDS, SPEED_SECONDS, CHUNK = 7, 0.2, 2000
"""Other work on the machine comes and goes, so the fastest round counts."""


class BridgePromises(Promises):
    """The promises of both games with contracts."""

    def speed(self) -> None:
        """Decisions between random players, shown a whole view each."""
        kinds: dict[str, tuple[str, dict[str, Any]]] = {
            "bridge, rubbers": ("bridge", {}),
            "bridge, boards": ("bridge", {"scoring": "duplicate"}),
            "honeymoon": ("honeymoon", {}),
        }
        fastest: dict[str, float] = {}
        players = {what: Player(experiment.make("random,random", 1, 7, game=game, options=options))
                   for what, (game, options) in kinds.items()}  # fmt: skip
        for _, (what, player) in itertools.product(range(SPEED_ROUNDS), players.items()):
            fastest[what] = max(decisions_a_second(player), fastest.get(what, 0.0))
        for what, rate in fastest.items():
            name = f"{what}, random: decisions a second on one core"
            self.tell(name, f"{rate / 1e6:.1f} million", "at least 15 million", rate >= 15e6)

    def better(self, game: str, a: str, b: str, count: int, unit: str, *more: str) -> None:
        """That one beats the other."""
        found = compared(game, a, b, count, 0, *more)
        lead, low, high = (found[name] for name in ("difference", "low", "high"))
        what = f"{game}: {a} against {b}, {found['units']:,} units"
        self.tell(what, f"{lead:.2f} ({low:.2f} to {high:.2f}) {unit}", "interval above 0", low > 0)

    def contracts(self, count: int) -> None:
        """What natural reaches and makes among its own; nothing is required."""
        made = tables("bridge", "natural,natural", count, *DUPLICATE)
        for row in made["levels"]:
            what = f"bridge: natural among its own, level {row['level']}"
            self.tell(what, f"{100 * float(row['made']):.1f} % of {int(row['deals']):,} made", "-", True)

    def par(self, count: int) -> None:
        """That perfect loses nothing against par, whoever sits opposite."""
        for other in ("heuristic", "random"):
            made = tables("honeymoon", f"perfect,{other}", count, "--option", "par=on")["par"]
            lost = {row["part"]: row for row in made if row["strategy"] == "perfect"}
            for part in ("auction lost", "play lost"):
                points = float(lost[part]["points"])
                what = f"honeymoon: perfect against {other}, {part}, points a deal"
                self.tell(what, f"{points:g}", "exactly 0", points == 0)


def decisions_a_second(player: Player) -> float:
    """Decisions a second of processor time."""
    decisions, units, began = 0, 0, time.thread_time()
    while time.thread_time() - began < SPEED_SECONDS:
        counts = player.play(units, units + CHUNK, np.zeros(2, np.int64)).counts
        decisions, units = decisions + int(counts["decisions"][0]), units + CHUNK
    return decisions / (time.thread_time() - began)


def main() -> int:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="tables of bridge without search")
    parser.add_argument("--search-games", type=int, default=2_000, help="tables of bridge with search")
    parser.add_argument("--matches", type=int, default=400, help="matches of honeymoon bridge")
    given = parser.parse_args()
    for game in ("bridge", "honeymoon"):
        run("warmup", "--game", game, "--quiet")
    promises = BridgePromises()
    promises.speed()
    promises.better("bridge", "natural", "random", given.games, "points a rubber")
    promises.better("bridge", "natural", "random", given.games, "IMPs a board", *DUPLICATE)
    promises.contracts(given.games)
    promises.better("bridge", "montecarlo", "natural", given.search_games, "IMPs a board", *DUPLICATE)
    promises.better("honeymoon", "heuristic", "random", given.matches, "points a deal")
    promises.better("honeymoon", "perfect", "heuristic", given.matches, "points a deal")
    promises.par(given.matches // 4)
    return 0 if promises.kept else 1


if __name__ == "__main__":
    sys.exit(main())
