"""What a run of 10**12 deals of Bridžik costs: core hours, chunks, network, journal, folder, memory.

    python bench/cluster.py [--rate GAMES_A_SECOND] [--cores N] [--chunks N]

Plays a chunk of a second or two, measures what it is on the wire and how fast the client of a cluster takes
such chunks in (journal and all, in a temporary folder), and multiplies. ``--rate`` is of one core; by default
it is that of the chunk. Needs the extra ``dask``; memory is measured on Linux only.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bridzik_sim import experiment, shipping
from bridzik_sim.distributed import CHUNK_SECONDS, CHUNKS_A_SECOND, CHUNKS_A_THREAD
from bridzik_sim.folder import RunFolder
from bridzik_sim.games.bridzik.rules import DEALS
from bridzik_sim.play import Played, Player
from bridzik_sim.runner import MAX_CHUNK

SEATS = "heuristic,simple,random*2"
SECONDS = 2
ALL_DEALS = 10**12


def one_chunk(player: Player) -> tuple[Played, float]:
    """A chunk of about so many ``SECONDS``, and how long it took."""
    units = 64
    while True:
        began = time.perf_counter()
        played = player.play(0, units, np.zeros(2, np.int64))
        took = time.perf_counter() - began
        if took > SECONDS / 2:
            return played, took
        units = int(units * min(16, max(2, SECONDS / took)))


def take_in(folder: Path, played: Played, resolved: experiment.Experiment, chunks: int) -> tuple[float, int]:
    """Chunks a second that the client takes in, and the most bytes that its folder has held meanwhile."""
    units, most = played.stop - played.first, 0
    began, watching = time.perf_counter(), 0.0
    with RunFolder.create(folder, resolved) as run:
        for number in range(chunks):
            run.keep(replace(played, first=number * units, stop=(number + 1) * units))
            looked = time.perf_counter()
            most = max(most, sum(file.stat().st_size for file in folder.iterdir()))
            watching += time.perf_counter() - looked
    return chunks / (time.perf_counter() - began - watching), most


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, help="games a second of one core")
    parser.add_argument("--cores", type=int, default=1000)
    parser.add_argument("--chunks", type=int, default=500, help="chunks to be taken in for the measurement")
    given = parser.parse_args()
    games = -(-ALL_DEALS // DEALS)
    resolved = experiment.make(SEATS, games, 1)
    played, took = one_chunk(Player(resolved))
    rate = given.rate or (played.stop - played.first) / took
    wire = len(pickle.dumps(played, protocol=5))
    with tempfile.TemporaryDirectory() as folder:
        taken, most = take_in(Path(folder) / "run", played, resolved, given.chunks)
    seconds = max(CHUNK_SECONDS, CHUNKS_A_THREAD * given.cores / CHUNKS_A_SECOND) / CHUNKS_A_THREAD
    units = min(rate * seconds, MAX_CHUNK)
    print(f"{SEATS}: {ALL_DEALS:.0e} deals are {games:.4g} games of {DEALS} deals")
    print(f"one core plays {rate:,.0f} games/s: {games / rate / 3600:,.0f} core hours,")
    print(f"  {games / rate / 3600 / given.cores:,.2f} hours on {given.cores:,} cores")
    print(f"chunks of {units:,.0f} games: {games / units:,.0f}, {given.cores * rate / units:,.1f} a second")
    print(f"a result on the wire: {wire:,} bytes; all: {games / units * wire / 1e9:,.1f} GB")
    print(f"the experiment, once a worker: {len(shipping.ship(resolved).content):,} bytes")
    print(f"this client takes in {taken:,.0f} results a second")
    print(f"folder at most: {most:,} bytes")
    if sys.platform == "linux":
        import resource

        print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
