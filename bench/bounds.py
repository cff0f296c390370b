"""How much one unit can add to any sum of a run, and so how many units fit into 64 bits.

    python bench/bounds.py [--units N]

For every game and usual ways to play it: of every tally the largest amount that a unit can add to one of its
cells, from the rules (rounds, cards, points) and the seatings, never from what was seen. Printed is the tally
with the largest; the units that surely fit, which is 2**63 over it; whether these are as many as a run may
have (10**11), and as many as a chunk may have (2**20), inside which kernels add without looking; and how much
of the bound N units of random players have reached. Exit code 1 when one of them, in any tally, is beyond it.

Czech Fool has no longest game: the bounds are for games of up to ``FOOL_ROUNDS`` rounds.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bridzik_sim import experiment
from bridzik_sim.experiment import Experiment
from bridzik_sim.games import contract
from bridzik_sim.games.bridzik import rules as bridzik
from bridzik_sim.games.contract_sums import MOST_IMPS
from bridzik_sim.games.fool import rules as fool
from bridzik_sim.games.unit_sums import WHOLE_WIN
from bridzik_sim.games.wizard import rules as wizard
from bridzik_sim.play import Player
from bridzik_sim.runner import MAX_CHUNK
from bridzik_sim.tally import SCHEDULE

Bounds = dict[str, int]
"""By tally: the largest amount that one unit can add to one of its cells."""
FOOL_ROUNDS = 1000
DECISIONS_A_TURN = 3
"""Czech Fool: a move, another after a draw, a suit."""
HONOURS = 150
"""Bridge: the most that honours can score in a deal, for one hand."""
CALLS = {2: 107, 4: 319}
"""By seats: the longest auction."""
TWO = "random,b=random"
FOUR = f"{TWO},c=random,d=random"
EIGHT = f"{FOUR},e=random,f=random,g=random,h=random"
COMPARE, TOURNAMENT = {"command": "compare"}, {"command": "tournament"}
WIZARD, FOOL, BRIDGE, HONEYMOON = ({"game": name} for name in ("wizard", "fool", "bridge", "honeymoon"))
BOARDS = {**BRIDGE, "options": {"scoring": "duplicate"}}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "Bridžik, one line-up": (FOUR, {}),
    "Bridžik, its rotations": (FOUR, {"seating": "rotate"}),
    "Bridžik, compare": (TWO, COMPARE),
    "Bridžik, compare in all seatings": (TWO, {**COMPARE, "seating": "all"}),
    "Bridžik, tournament of 8": (EIGHT, TOURNAMENT),
    "Wizard, rotations of 3": ("random,b=random,c=random", {**WIZARD, "seating": "rotate"}),
    "Wizard, compare, 6 players": (TWO, {**WIZARD, **COMPARE, "at_table": 6}),
    "Czech Fool, compare": (TWO, {**FOOL, **COMPARE}),
    "rubbers, one line-up": (TWO, {**BRIDGE, "options": {"honours": "on"}}),
    "rubbers, compare": (TWO, {**BRIDGE, **COMPARE}),
    "rubbers, tournament of 8": (EIGHT, {**BRIDGE, **TOURNAMENT}),
    "boards, compare": (TWO, {**BOARDS, **COMPARE}),
    "boards, tournament of 8": (EIGHT, {**BOARDS, **TOURNAMENT}),
    "honeymoon, compare": (TWO, {**HONEYMOON, **COMPARE}),
}


def resolve(case: str) -> Experiment:
    """The experiment of a case, of one unit."""
    players, settings = CASES[case]
    return experiment.make(players, 1, 1, **settings)


def bounds(played: Experiment) -> Bounds:
    """The bounds of all tallies of an experiment."""
    games = {"bridzik": of_exact_bids, "wizard": of_exact_bids, "fool": of_fool}
    return games.get(played.game_name, of_contracts)(played)


def of_units(played: Experiment, most: dict[str, int], signed: bool) -> Bounds:
    """Bounds of what all games count unit by unit; ``most``: by quantity, for one seat in one game.

    Where the measure is net, a unit's sum of an entrant is that of its seats on one side less the other's.
    """
    match = played.match
    seats = max(_seats(played, entrant) for entrant in range(len(played.labels)))
    amounts = {name: seats * amount for name, amount in most.items()}
    if played.game.measure.net:
        ahead = max(_ahead(played, entrant) for entrant in range(len(played.labels)))
        amounts.update({name: ahead * most[name] for name in ("points", "imps") if name in most})
    measure = most[played.game.quantities[0]]
    at_table = measure * match.scale
    duels = max((match.duels_of(pair) for pair in range(len(match.pairs))), default=0)
    lead = duels * at_table * (2 if signed else 1)
    found = {
        "total": max(amounts.values()),
        "product": max(amounts.values()) ** 2,
        "leads": lead**2,
        "odds_squared": (2 * duels) ** 2,
        "ahead": duels,
        "duel_moments": at_table**2,
        "seat_points": (_at_one_seat(played) * measure) ** 2,
    }
    if match.alone:
        found["ones"] = (len(match.seatings) * max(most.values())) ** 2
    return found


def _seats(played: Experiment, entrant: int) -> int:
    return int(np.count_nonzero(played.seatings == entrant))


def _at_one_seat(played: Experiment) -> int:
    """Tables of a unit at which an entrant sits in the same seat, at most."""
    return max(int((played.seatings == entrant).sum(axis=0).max()) for entrant in range(len(played.labels)))


def _ahead(played: Experiment, entrant: int) -> int:
    """Over the tables of a unit: seats of an entrant on one side that it has not on the other."""
    sides = np.arange(played.seatings.shape[1]) % 2 * -2 + 1
    return int(np.abs(((played.seatings == entrant) * sides).sum(axis=1)).sum())


def of_exact_bids(played: Experiment) -> Bounds:
    """Bridžik and Wizard: a seat plays ``times`` rounds of every hand size in a game."""
    at_table = played.seatings.shape[1]
    if played.game_name == "bridzik":
        sizes, times, points, choices = bridzik.MAX_SIZE, bridzik.SERIES, bridzik.POINTS, 0
        best = max(int(bridzik.round_points(size, size)) for size in range(1, sizes + 1))
    else:
        sizes, times = wizard.rounds(at_table), 1
        points, choices = wizard.points_range(at_table), sizes
        best = max(
            abs(int(wizard.round_points(bid, taken))) for bid, taken in product(range(sizes + 1), repeat=2)
        )
    seats = max(_seats(played, entrant) for entrant in range(len(played.labels)))
    tables = len(played.seatings)
    rounds, game = seats * times * sizes, seats * max(abs(points.lowest), points.highest)
    tricks = seats * times * sum(range(1, sizes + 1))
    return {
        "counts": seats * times,
        "table_hits_squared": (tables * at_table * times) ** 2,
        "size_points": (seats * times * best) ** 2,
        "hit_moments": (seats * times) ** 2,
        "position_moments": max(rounds, game) ** 2,
        "bid_moments": max(rounds, tricks) ** 2,
        "kind_moments": max(rounds, game) ** 2,
        "scores": seats,
        "table": tables * times,
        "faults": rounds + tricks + seats * choices,
        **of_units(
            played,
            {"points": game // seats, "exact": times * sizes, "wins": WHOLE_WIN},
            signed=points.lowest < 0,
        ),
    }  # fmt: skip


def of_fool(played: Experiment) -> Bounds:
    """Czech Fool, in games of up to ``FOOL_ROUNDS`` rounds."""
    at_table, tables = played.seatings.shape[1], len(played.seatings)
    seats = max(_seats(played, entrant) for entrant in range(len(played.labels)))
    rounds, turns = tables * FOOL_ROUNDS, played.options["max_turns"]
    hand = int(fool.CARD_POINTS.sum())  # all cards in one hand
    total = max(fool.LIMIT + hand, FOOL_ROUNDS * 2 * int(fool.CARD_POINTS.max()))
    own = seats * FOOL_ROUNDS
    return {
        "decisions": rounds * turns * DECISIONS_A_TURN,
        **dict.fromkeys(("turns", "endings", "finishes", "events"), max(rounds, own)),
        "rounds": tables,
        "places": seats,
        "scores": seats,
        "faults": own * turns * DECISIONS_A_TURN,
        "turn_moments": (rounds * turns) ** 2,
        "loser_moments": max(rounds * at_table, rounds * hand) ** 2,
        "round_moments": rounds**2,
        **dict.fromkeys(("played_moments", "position_moments", "opening_moments"), (own * hand) ** 2),
        **of_units(played, {"wins": WHOLE_WIN, "points": total}, signed=False),
    }


def most_points() -> int:
    """Points that a deal can bring a side: the largest of all contracts, results and vulnerabilities."""
    contracts = product(range(1, contract.BIDS + 1), range(3), range(2), range(contract.HAND_SIZE + 1))
    return HONOURS + max(abs(int(contract.duplicate_points(*each))) for each in contracts)


def of_contracts(played: Experiment) -> Bounds:
    """Contract and honeymoon bridge."""
    at_table, tables = played.seatings.shape[1], len(played.seatings)
    seats = max(_seats(played, entrant) for entrant in range(len(played.labels)))
    rubber = played.options.get("scoring") == "rubber"
    deals = int(played.options["max_deals"] if rubber else played.options.get("deals", 1))
    net = deals * most_points() + (int(contract.rubber_points(0)) if rubber else 0)
    decisions = deals * (CALLS[at_table] + contract.HAND_SIZE * 4)
    lost = deals * most_points() * 2 * (CALLS[at_table] + contract.HAND_SIZE)
    most = {"points": net, "imps": MOST_IMPS, "wins": WHOLE_WIN, "par": net, "auction": lost, "play": lost}
    quantities = {name: most[name] for name in played.game.quantities}
    row = seats * max(net, deals * contract.HAND_SIZE)
    found = {
        "decisions": tables * decisions,
        "contracts": tables * deals,
        "passed_out": tables * deals,
        "scores": seats,
        "faults": tables * decisions,
        "ratio_moments": row**2,
        **of_units(played, quantities, signed=True),
    }
    extra = {"lengths": tables, "endings": tables, "imps": max(1, len(played.match.duels))}
    return {**found, **{name: extra[name] for name in extra if name in layout_names(played)}}


def layout_names(played: Experiment) -> set[str]:
    """Names of the tallies of an experiment."""
    return {layout.name for layout in played.game.tallies(played.labels, played.match)}


def largest(played: Experiment) -> tuple[str, int]:
    """The tally with the largest bound, and the units that surely fit into 64 bits."""
    found = bounds(played)
    name = max(found, key=found.__getitem__)
    return name, (2**63 - 1) // found[name]


def seen(played: Experiment, units: int) -> dict[str, int]:
    """By tally: the largest amount that one of so many units has added to a cell."""
    player, most = Player(played), dict.fromkeys(layout_names(played), 0)
    for unit in range(units):
        for name, counts in player.play(unit, unit + 1, np.zeros(2, np.int64)).counts.items():
            most[name] = max(most[name], int(np.abs(counts).max(initial=0)))
    return most


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=300, help="units of random players to be played")
    units, broken = parser.parse_args().units, False
    print("| | largest sum | a unit adds at most | units that surely fit | a run | a chunk | seen at most |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        played = resolve(case)
        limits, (name, fits) = bounds(played), largest(played)
        most = seen(played, units)
        broken |= any(most[key] > limits[key] for key in most)
        cells = (f"{limits[name]:.1e}", f"{fits:.1e}", _kept(fits >= SCHEDULE[-1]), _kept(fits >= MAX_CHUNK))
        print(f"| {case} | `{name}` | {' | '.join(cells)} | {most[name] / limits[name]:.1%} |", flush=True)
    return 1 if broken else 0


def _kept(good: bool) -> str:
    return "fits" if good else "**may not fit**"


if __name__ == "__main__":
    sys.exit(main())
