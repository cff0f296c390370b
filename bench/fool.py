"""Measures what README promises of Czech Fool and prints it beside what is required.

    python bench/fool.py [--games N] [--search-games N]

Game figures come from the program's own JSON and CSV; times are processor time of the kernel on one core, the
fastest of several short runs. Exit code 1 when a promise is not kept.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time

import numpy as np
from promises import Promises, compared, run, tables

from bridzik_sim import experiment, games, lineup
from bridzik_sim.play import Player

FOOL = games.get("fool")
DECKS = (52, 36)
KNOWN = {
    ("random", 52): ((41.4, 28.6), (39.0, 23.5), (40.2, 22.9)),
    ("random", 36): ((26.1, 34.8), (29.8, 26.3), (32.5, 26.9)),
    ("server", 52): ((33.6, 20.4), (35.8, 19.8), (40.7, 20.1)),
    ("server", 36): ((23.3, 24.8), (29.6, 23.0), (36.1, 24.8)),
}
"""Turns a round and points a loser where one strategy fills a table of 2, 3 or 4 players, all still in."""
KNOWN_TO = 0.02
SPEED_ROUNDS, SPEED_UNITS = 7, 2000
"""Other work on the machine comes and goes, so the fastest round counts."""


class FoolPromises(Promises):
    """The promises of Czech Fool."""

    def speed(self) -> None:
        """Decisions between random players, shown a whole view each."""
        fastest: dict[tuple[int, int], float] = {}
        players = {where: table_of_random(*where) for where in itertools.product(DECKS, FOOL.seat_counts)}
        for _, (where, player) in itertools.product(range(SPEED_ROUNDS), players.items()):
            began = time.thread_time()
            counts = player.play(0, SPEED_UNITS, np.zeros(2, np.int64)).counts
            rate = int(counts["decisions"][0]) / (time.thread_time() - began) / 1e6
            fastest[where] = max(rate, fastest.get(where, 0.0))
        for (deck, seats), rate in fastest.items():
            what = f"random*{seats}, {deck} cards: decisions a second on one core"
            self.tell(what, f"{rate:.1f} million", "at least 15 million", rate >= 15)

    def known_figures(self, strategy: str, count: int) -> None:
        """Turns a round and points a loser of a strategy among its own."""
        for deck, seats in itertools.product(DECKS, FOOL.seat_counts):
            known = KNOWN[strategy, deck][seats - FOOL.seat_counts[0]]
            rows = tables("fool", f"{strategy}*{seats}", count, "--option", f"deck={deck}")["rounds"]
            row = next(row for row in rows if int(row["players"]) == seats)
            for name, wanted in zip(("turns", "points_per_loser"), known, strict=True):
                found = float(row[name])
                what = f"{strategy}*{seats}, {deck} cards: {name.replace('_', ' ')}"
                near = abs(found / wanted - 1) <= KNOWN_TO
                self.tell(what, f"{found:.2f}", f"{wanted} within 2 %", near)

    def heuristic(self, count: int) -> None:
        """Its share of games among random players."""
        for deck, seats in itertools.product(DECKS, FOOL.seat_counts):
            line = f"heuristic,random*{seats - 1}"
            row = tables("fool", line, count, "--seating", "rotate", "--option", f"deck={deck}")["summary"][0]
            share, low = float(row["wins"]), float(row["wins_low"])
            what = f"heuristic among {seats - 1} random, {deck} cards: games won"
            self.tell(what, f"{100 * share:.1f} %", f"clearly above {100 / seats:.1f} %", low > 1 / seats)

    def stronger(self, a: str, b: str, count: int) -> None:
        """That one beats the other, with all numbers of players and both decks."""
        for deck, seats in itertools.product(DECKS, FOOL.seat_counts):
            found = compared("fool", a, b, count, seats, "--option", f"deck={deck}")
            lead, low, high = (100 * found[name] for name in ("difference", "low", "high"))
            what = f"{a} minus {b}, {seats} players, {deck} cards"
            shown = f"{lead:.1f} ({low:.1f} to {high:.1f}) points of games won; gain {found['gain']:.2f}"
            self.tell(what, shown, "interval above 0", low > 0)


def table_of_random(deck: int, seats: int) -> Player:
    """A table of random players."""
    line = lineup.parse(f"random*{seats}")
    return Player(experiment.make(line, 1, 7, game="fool", options={"deck": deck}))


def main() -> int:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="games of the runs without search")
    parser.add_argument("--search-games", type=int, default=600, help="games of the runs with search")
    given = parser.parse_args()
    run("warmup", "--game", "fool", "--quiet")
    promises = FoolPromises()
    promises.speed()
    for strategy in ("random", "server"):
        promises.known_figures(strategy, given.games)
    promises.heuristic(given.games)
    promises.stronger("heuristic", "server", given.games)
    promises.stronger("montecarlo:samples=100", "heuristic", given.search_games)
    return 0 if promises.kept else 1


if __name__ == "__main__":
    sys.exit(main())
