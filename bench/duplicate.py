"""How many times fewer tables a comparison needs because both play the same cards.

    python bench/duplicate.py [--games N]

The pair is named beforehand: `heuristic` against itself with a little more courage, deterministic both. The
same seatings are played twice: ABAB and BABA on the same cards (`compare`), and each on cards of its own (two
runs of `simulate` on other units). The variances of both estimates, for one table played, give the factor;
it is printed beside the gain that `compare` prints from its own sums. Exit code 1 when the factor is below 2.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bridzik_sim import api, stats

A, B = "heuristic", "bold=heuristic:courage=0.1"
SEED = 2026
REQUIRED, MOONSHOT = 2, 4


def variance_of_lead(seats: str, games: int, first_unit: int) -> float:
    """Variance of A's mean points minus B's at one table of these seats, over games on cards of their own."""
    run = api.simulate(seats, games, SEED, first_unit=first_unit)
    a, b = run.labels.index("heuristic"), run.labels.index("bold")
    total, product = (run.sums[name].sum(axis=0) for name in ("total", "product"))
    lead = int(total[a] - total[b])
    squares = int(product[a, a] - 2 * product[a, b] + product[b, b])
    return stats.sample_variance(run.units, lead, squares) / 2**2  # two seats each


def main() -> int:
    """Measure both and print the factor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000, help="tables of each of the two ways")
    games = parser.parse_args().games
    found = api.compare(A, B, games, SEED).comparison
    same = found["difference_se"] ** 2 * found["games"]
    half = games // 2
    fresh = (
        variance_of_lead(f"{A},{B},{A},{B}", half, 0) + variance_of_lead(f"{B},{A},{B},{A}", half, half)
    ) / 2
    factor = fresh / same
    print(f"{A} against {B}, whole games, {games:,} tables each way")
    print(f"difference: {found['difference']:.3f}, standard error {found['difference_se']:.3f}")
    print(f"variance a table, on cards of its own: {fresh:.1f}; every unit in both seatings: {same:.1f}")
    print(f"factor: {factor:.2f}; the gain that compare prints: {found['gain']:.2f}")
    print(f"required {REQUIRED}, hoped for {MOONSHOT}: {'kept' if factor >= REQUIRED else 'NOT KEPT'}")
    return 0 if factor >= REQUIRED else 1


if __name__ == "__main__":
    sys.exit(main())
