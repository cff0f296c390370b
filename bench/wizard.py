"""Measures what README promises of Wizard and prints it beside what is required.

    python bench/wizard.py [--games N] [--search-games N]

Game figures come from the program's own JSON and CSV; times are processor time of the kernel on one core, the
fastest of several short runs. Exit code 1 when a promise is not kept.
"""

from __future__ import annotations

import argparse
import math
import sys

import limit
from promises import Promises, compared, run, tables

from bridzik_sim import games

WIZARD = games.get("wizard")
KNOWN_HITS = {1: 0.478, 5: 0.163, 10: 0.092, 15: 0.063}
"""Hit rates of four random players by round, and how exactly they are known (rules.md)."""
KNOWN_TO = 0.006
SPEED_ROUNDS = 5
"""Rounds of the measurement of speed; other work on the machine comes and goes, so the fastest counts."""


class WizardPromises(Promises):
    """The promises of Wizard."""

    def speed(self) -> None:
        """Decisions between random players, shown a whole view each."""
        tables = {players: limit.table_of("random", None, WIZARD, players) for players in WIZARD.seat_counts}
        times: dict[int, list[float]] = {players: [] for players in tables}
        for _ in range(SPEED_ROUNDS):
            for players, play in tables.items():
                times[players].append(limit.kernel_time(play, WIZARD.decisions_a_game(players)))
        for players, nanoseconds in times.items():
            rate = 1e3 / min(nanoseconds)
            self.tell(
                f"random*{players}: decisions a second on one core",
                f"{rate:.1f} million",
                "at least 20 million",
                rate >= 20,
            )

    def random_players(self, count: int) -> None:
        """Known hit rates of four random players, and how often no trump is turned up."""
        found = tables("wizard", "random*4", count)
        rates = {int(row["hand_size"]): row for row in found["table_accuracy"]}
        for size, known in KNOWN_HITS.items():
            rate, low = (float(rates[size][name]) for name in ("rate", "low"))
            self.tell(
                f"random*4, round {size}: exact bids",
                f"{100 * rate:.2f} %",
                f"{100 * known:.1f} ± {100 * KNOWN_TO:.1f} %",
                abs(rate - known) < KNOWN_TO + (rate - low),
            )
        rounds = {row["kind"]: int(row["rounds"]) // 4 for row in found["deal_kinds"]}
        none = rounds["wizard turned up"] + rounds["jester turned up"]
        deals = none + rounds["trump"]
        exact = 8 / 60
        self.tell(
            "rounds without trump before the last",
            f"{none / deals:.5f} of {deals:,}",
            f"{exact:.5f} within 4 errors",
            abs(none / deals - exact) < 4 * math.sqrt(exact * (1 - exact) / deals),
        )

    def heuristic(self, count: int) -> None:
        """Among random players, and how many bids a table of its own makes in the first two rounds."""
        for players in WIZARD.seat_counts:
            found = tables("wizard", f"heuristic,random*{players - 1}", count)["summary"]
            rows = {row["strategy"]: row for row in found}
            one, others = rows["heuristic"], rows["random"]
            self.tell(
                f"heuristic among {players - 1} random: points a game, and theirs",
                f"{float(one['points']):.1f}, {float(others['points']):.1f}",
                "above 0, below 0",
                float(one["points_low"]) > 0 > float(others["points_high"]),
            )
        for players in WIZARD.seat_counts:
            own = tables("wizard", f"heuristic*{players}", count, "--option", "hand_sizes=1,2")[
                "table_accuracy"
            ]
            for row in own:
                rate, ceiling = float(row["rate"]), float(row["ceiling"])
                self.tell(
                    f"heuristic*{players}, round {row['hand_size']}: exact bids",
                    f"{100 * rate:.1f} %",
                    f"{85 * ceiling:.1f} % (0.85 of {100 * ceiling:.1f})",
                    rate >= 0.85 * ceiling,
                )

    def stronger(self, a: str, b: str, counts: dict[int, int]) -> None:
        """That one beats the other, by number of players and games."""
        for players, count in counts.items():
            found = compared("wizard", a, b, count, players)
            self.tell(
                f"{a} minus {b}, {players} players",
                f"{found['difference']:.1f} ({found['low']:.1f} to {found['high']:.1f})",
                "interval above 0",
                found["low"] > 0,
            )


def main() -> int:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000, help="games of the runs without search")
    parser.add_argument("--search-games", type=int, default=200, help="games of the runs with search")
    given = parser.parse_args()
    run("warmup", "--game", "wizard", "--quiet")
    promises = WizardPromises()
    promises.speed()
    promises.random_players(given.games)
    promises.heuristic(given.games)
    promises.stronger("table", "heuristic", dict.fromkeys(WIZARD.seat_counts, given.games))
    promises.stronger(
        "montecarlo:samples=100", "heuristic", dict.fromkeys(WIZARD.seat_counts, given.search_games)
    )
    return 0 if promises.kept else 1


if __name__ == "__main__":
    sys.exit(main())
