"""What tests of a compiled kernel against the plain engine share, and the tallies of games of exact bids.

The strategies fold each field of each view they are shown into a running hash in ``game_memory`` before they answer. So
equal hashes at the end of a game mean that all players saw, in the same order, exactly the same.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
from numba import literal_unroll

from bridzik_sim import jit, match, tally
from bridzik_sim.cards import highest, lowest
from bridzik_sim.games.game import Chunk
from bridzik_sim.streams import choose

LABELS = ("a", "b", "c", "d")
ENTRANTS = len(LABELS)
SEED = 20260117
CHEATS = (False, True, False, False)
PARAMS = np.arange(64, dtype=np.float64).reshape(ENTRANTS, 16) - 20
KEPT = ("dealt",)
"""Written once a deal, so whoever writes into it spoils it for itself."""


@jit.jit
def mix(digest, number):
    digest = (digest ^ number) * 0x2545F4914F6CDD1D
    return digest ^ (digest >> 29)


def strategies(view, view_type, pick=choose):
    """Four compiled functions, for any decision: random, random and a vandal, lowest, highest answer.

    ``pick(view)``: what the random ones answer; their code is kept apart by the file that it comes from.
    """
    sources = [Path(__file__), Path(pick.py_func.__code__.co_filename)]
    with jit.cached_under(jit.sources_hash(sources)):
        return _strategies(view, view_type, pick)


def _strategies(view, view_type, pick):
    whole = [name for name in view.names if np.issubdtype(view[name].base, np.signedinteger)]
    numbers = tuple(name for name in whole if not view[name].shape)
    arrays = tuple(name for name in whole if view[name].shape)
    spoiled = tuple(name for name in arrays if name not in KEPT)
    assert {*view.names} == {*numbers, *arrays, "stream", "params", "memory", "game_memory"}

    @jit.jit
    def watch(view):
        digest = 0
        for name in literal_unroll(numbers):
            digest = mix(digest, view[name])
        for name in literal_unroll(arrays):
            for number in view[name]:
                digest = mix(digest, number)
        for word in view.stream:
            digest = mix(digest, np.int64(word))
        for number in view.params:
            digest = mix(digest, np.int64(number))
        for i in range(64):
            digest = mix(mix(digest, np.int64(view.memory[i])), np.int64(view.game_memory[i]))
        view.game_memory[0] = digest >> 32
        view.game_memory[1] = digest & 0xFFFFFFFF
        view.game_memory[2 + (digest & 31)] += 1
        view.memory[digest & 31] += digest & 7
        view.memory[63] = -5

    @jit.jit
    def spoil(view):
        for name in literal_unroll(numbers):
            view[name] = 77
        for name in literal_unroll(spoiled):
            view[name][:] = 79
        view.params[:] = 80

    @jit.jit
    def watcher(view):
        watch(view)
        return pick(view)

    @jit.jit
    def vandal(view):
        watch(view)
        answer = pick(view)
        spoil(view)
        return answer

    @jit.jit
    def low(view):
        watch(view)
        return lowest(view.legal)

    @jit.jit
    def high(view):
        watch(view)
        return highest(view.legal)

    functions = (watcher, vandal, low, high)
    for function in functions:
        function.compile((view_type,))
    return watch, functions


class Watched:
    """A player of the reference engine, for any decision, that remembers its view and counts how often it is asked."""

    def __init__(self, function):
        self.function, self.asked, self.view = function, 0, None

    def __getattr__(self, decision):
        def answer(view):
            self.view = view
            self.asked += 1
            return self.function(view)

        return answer

    @property
    def hash(self):
        return self.view.game_memory[:2].tolist() if self.asked else [0.0, 0.0]


def seated(functions, entrants):
    """The players, parameters and cheats of a table for the reference engine."""
    players = [Watched(functions[entrant]) for entrant in entrants]
    return players, {"params": PARAMS[entrants], "cheats": [CHEATS[entrant] for entrant in entrants]}


def last_hashes(monkeypatch, kernel):
    """A function of the number of seats: the players' hashes at the end of the game the kernel played last."""
    made = {}
    empty = kernel.view.empty

    def kept(dtype, number=1):
        made[dtype] = empty(dtype, number)
        return made[dtype]

    monkeypatch.setattr(kernel.view, "empty", kept)
    return lambda seats: made[kernel.SHOWN]["views"][0]["game_memory"][:seats, :2].tolist()


def chunk_of(game, functions, first, stop, seatings, options, rows, forfeit=False, seed=SEED):
    """Units to be played by a kernel, with room for so many rows in all."""
    return Chunk(
        dict.fromkeys(game.decisions, functions),
        PARAMS,
        match_of(seatings),
        seed,
        options,
        first,
        stop,
        forfeit,
        tally.zeros(game.tallies(LABELS, match_of(seatings))),
        np.full((rows, len(game.row_columns)), -1, np.int64),
        cheats=CHEATS,
    )


def play_by_reference(game, functions, entrants, unit, seating, **more):
    """The record of a game and the players."""
    players, given = seated(functions, entrants)
    record = game.reference.play_game(players, seed=SEED, unit=unit, seating=seating, **given, **more)
    return record, players


def match_of(seatings):
    """These seatings, with every pair of entrants compared wherever both sit."""
    rows, pairs = [tuple(row) for row in seatings.tolist()], tuple(combinations(range(ENTRANTS), 2))
    duels = match.shared_duels(rows, pairs)
    return match.build(rows, 1, ENTRANTS, pairs, duels, len(rows[0]), len(rows[0]))


def rows_of(record, entrants, unit, seating):
    """What the kernel should have written for a game of the reference."""
    rows, totals = [], [0] * len(entrants)
    for deal in record.deals:
        for seat, entrant in enumerate(entrants):
            totals[seat] += deal.points[seat]
            position = (seat - deal.starter) % len(entrants)
            place = (unit, seating, deal.deal, seat, entrant, len(deal.tricks), position)
            rows.append((*place, deal.bids[seat], deal.taken[seat], deal.points[seat], totals[seat]))
    return rows


def counts_of(game, seatings, rows, kinds=None):
    """The tallies that a chunk with these rows should have, straight from their definitions.

    ``kinds``: by row, the kind of its deal, in games that tell kinds apart.
    """
    layouts = game.tallies(LABELS, match_of(seatings))
    made = tally.zeros(layouts)
    points_at = {layout.name: layout.axes[-1].values for layout in layouts}["scores"]
    unit, seating, deal, _, who, size, position, bid, tricks, points, total = rows.T
    hit = (bid == tricks).astype(np.int64)
    np.add.at(made["counts"], (who, size - 1, position, bid, tricks), 1)
    for one in np.unique(unit):
        here = unit == one
        add_unit_sums(made, rows[here], hit[here], seatings, one)
        if kinds is not None:
            add_kinds(made["kind_moments"], who[here], kinds[here], points[here], hit[here])
        vector = np.zeros((3, ENTRANTS), np.int64)
        np.add.at(vector[0], who[here], points[here])
        np.add.at(vector[1], who[here], hit[here])
        for which in np.unique(seating):
            played = here & (seating == which)
            final = played & (deal == deal[played].max())
            best = total[final] == total[final].max()
            np.add.at(made["scores"], (who[final], [points_at.index(score) for score in total[final]]), 1)
            np.add.at(vector[2], who[final][best], 60 // best.sum())
            for number in np.unique(deal[played]):
                together = played & (deal == number)
                made["table"][size[together][0] - 1, bid[together].sum()] += 1
        made["total"] += vector.ravel()
        made["product"] += np.outer(vector.ravel(), vector.ravel())
    return made


def add_unit_sums(made, rows, hit, seatings, unit):
    """Sums and squares of one unit by hand size, seat, position and bid, and the duels of all pairs, from its rows."""
    _, _, _, seat, who, size, position, bid, tricks, points, _ = rows.T
    rounds, hits = np.zeros((2, *made["hit_moments"].shape[:3]), np.int64)
    np.add.at(rounds, (who, size - 1, position), 1)
    np.add.at(hits, (who, size - 1, position), hit)
    made["hit_moments"] += moments(rounds, hits)
    made["table_hits_squared"] += hits.sum((0, 2)) ** 2
    rounds, scored = np.zeros((2, *made["position_moments"].shape[:2]), np.int64)
    np.add.at(rounds, (who, position), 1)
    np.add.at(scored, (who, position), points)
    made["position_moments"] += moments(rounds, scored)
    for name, place in (("seat_points", seat), ("size_points", size - 1)):
        cells = np.zeros(made[name].shape[:2], np.int64)
        np.add.at(cells, (who, place), points)
        made[name] += np.stack([cells, cells**2], axis=-1)
    bids, taken = np.zeros((2, *made["bid_moments"].shape[:2]), np.int64)
    np.add.at(bids, (who, bid), 1)
    np.add.at(taken, (who, bid), tricks)
    made["bid_moments"] += moments(bids, taken)
    add_duels(made, rows, seatings, unit)


def add_duels(made, rows, seatings, unit):
    """Who had how many points a seat at the tables of one unit."""
    pairs = list(combinations(range(ENTRANTS), 2))
    duel, leads, odds = 0, dict.fromkeys(pairs, 0), dict.fromkeys(pairs, 0)
    scale = match_of(seatings).scale
    for table, entrants in enumerate(seatings.tolist()):
        for a, b in combinations(sorted(set(entrants)), 2):
            x, y = (mean_points(rows, table, one, entrants.count(one), scale) for one in (a, b))
            made["duel_moments"][duel] += (x, y, x * x, y * y, x * y)
            leads[a, b] += x - y
            odds[a, b] += 2 if x > y else 1 if x == y else 0
            made["ahead"][unit % 64, a, b] += x > y
            made["ahead"][unit % 64, b, a] += y > x
            duel += 1
    made["leads"] += [[lead, lead * lead] for lead in leads.values()]
    made["odds_squared"] += [value**2 for value in odds.values()]


def mean_points(rows, table, entrant, seats, scale):
    """``scale`` times the points a seat of an entrant at a table, which is a whole number."""
    _, seating, _, _, who, _, _, _, _, points, _ = rows.T
    whole, rest = divmod(scale * points[(seating == table) & (who == entrant)].sum(), seats)
    assert rest == 0 or scale % seats
    return whole


def add_kinds(made, who, kinds, points, hit):
    """Rounds, points and exact bids of one unit by kind of deal."""
    rounds, scored, exact = np.zeros((3, *made.shape[:2]), np.int64)
    for cells, values in ((rounds, 1), (scored, points), (exact, hit)):
        np.add.at(cells, (who, kinds), values)
    made[:, :, 0] += moments(rounds, scored)
    made[:, :, 1] += moments(rounds, exact)


def moments(x, y):
    return np.stack([x, y, x**2, y**2, x * y], axis=-1)
