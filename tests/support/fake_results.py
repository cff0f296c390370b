"""A stand-in for the results of a run: plausible tables made of simple binomials."""

from dataclasses import dataclass, field
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy import special

from bridzik_sim import games as all_games
from bridzik_sim.games.wizard.rules import DEAL_KINDS


@dataclass
class FakeResults:
    """The attributes of `bridzik_sim.results.Results` that reports read."""

    title: str
    game: str
    labels: list[str]
    seats: list[str]
    units: int
    games: int
    seed: int
    about: dict[str, str]
    summary: pd.DataFrame
    bids: pd.DataFrame
    accuracy: pd.DataFrame
    table_accuracy: pd.DataFrame
    scores: pd.DataFrame
    table: pd.DataFrame
    convergence: pd.DataFrame
    leaderboard: pd.DataFrame
    crosstable: pd.DataFrame
    running: pd.DataFrame
    calibration: pd.DataFrame
    effects: pd.DataFrame
    wins: pd.DataFrame
    deal_kinds: pd.DataFrame
    experiment: SimpleNamespace
    points_step: int = 1
    kind: str = "simulate"
    verdict: str = ""
    alpha: float = 0.05
    until_sure: bool = False
    rounds: pd.DataFrame = field(default_factory=pd.DataFrame)
    turns: pd.DataFrame = field(default_factory=pd.DataFrame)
    lengths: pd.DataFrame = field(default_factory=pd.DataFrame)
    finishes: pd.DataFrame = field(default_factory=pd.DataFrame)
    places: pd.DataFrame = field(default_factory=pd.DataFrame)
    openings: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def measure(self):
        return self.experiment.game.measure


@dataclass
class Table:
    """Rounds of one game of `sizes`, played by `labels` with the tendency to bid `lean` tricks too many."""

    labels: list[str]
    games: int
    sizes: tuple[int, ...]
    lean: float
    positions: int = 4
    game: str = "bridzik"
    wild: bool = False
    """Whether the first player of a round bids anything at all."""
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def rounds(self) -> pd.DataFrame:
        parts = []
        for size in self.sizes:
            shape = (self.games * 4, self.positions)
            bids = self.random.binomial(size, min(0.95, (1 + self.lean / size) / self.positions), shape)
            if self.wild:
                bids[:, 0] = self.random.integers(0, size + 1, len(bids))
            clash = bids.sum(axis=1) == size
            bids[clash, -1] += np.where(bids[clash, -1] < size, 1, -1)
            tricks = self.random.multinomial(size, [1 / self.positions] * self.positions, len(bids))
            near = self.random.random(shape) < 0.35
            tricks = np.where(near, bids, tricks)
            tricks[(tricks == bids).all(axis=1), -1] += 1
            game = np.repeat(np.arange(self.games), 4)
            for position in range(self.positions):
                parts.append(
                    pd.DataFrame(
                        {
                            "game": game,
                            "round": np.arange(len(bids)),
                            "hand_size": size,
                            "position": position,
                            "kind": self.kinds(size),
                            "seat": (np.arange(len(bids)) + position) % self.positions,
                            "bid": bids[:, position],
                            "tricks": tricks[:, position],
                        }
                    )
                )
        frame = pd.concat(parts, ignore_index=True)
        seats = seats_of(self.labels, self.positions)
        frame["strategy"] = np.array(seats, dtype=object)[frame["seat"]]
        frame["hit"] = (frame["bid"] == frame["tricks"]).astype(int)
        frame["points"] = points_of(self.game, frame)
        return frame

    def kinds(self, size):
        """Kinds of the deals of that size; mostly a trump, in the last round none."""
        if size == 60 // self.positions:
            return DEAL_KINDS[3]
        draws = np.random.default_rng(size).choice(3, self.games * 4, p=(0.86, 0.07, 0.07))
        return np.array(DEAL_KINDS, dtype=object)[draws]


def points_of(game, frame):
    """Points of rounds by the rules of the game."""
    if game == "bridzik":
        return frame["hit"] * (10 + frame["bid"])
    off = (frame["bid"] - frame["tricks"]).abs()
    return np.where(off == 0, 20 + 10 * frame["tricks"], -10 * off)


def seats_of(labels, positions=4):
    return [labels[seat % len(labels)] for seat in range(max(positions, len(labels)))]


def with_interval(frame, hits="hits", bids="bids", tiny=False):
    frame["rate"] = frame[hits] / frame[bids]
    half = np.full(len(frame), np.nan) if tiny else 1.96 * np.sqrt(0.25 / frame[bids])
    frame["low"] = (frame["rate"] - half).clip(lower=0)
    frame["high"] = (frame["rate"] + half).clip(upper=1)
    return frame


def make_results(
    labels=("heuristic", "random", "cautious"),
    games=200,
    sizes=tuple(range(8, 0, -1)),
    lean=0.6,
    positions=4,
    kind="simulate",
    game="bridzik",
    wild=False,
    **more,
):
    """Results of `games` games; labels beyond the seats have played the games of the first ones.

    In a match (a `kind` other than "simulate") everyone has played all games, later labels less exactly.
    """
    labels, match = list(labels), kind != "simulate"
    rounds = Table(labels[:1] if match else labels, games, sizes, lean, positions, game, wild).rounds()
    shown, extra = rounds["strategy"].isin(labels[:positions]), labels[1 if match else positions :]
    first = [rounds[rounds["strategy"] == labels[0 if match else number]] for number in range(len(extra))]
    copies = [
        worse(game, rows, label, 0.05 * (number + match))
        for number, (rows, label) in enumerate(zip(first, extra, strict=True))
    ]
    table_rounds, rounds = rounds[shown], pd.concat([rounds, *copies], ignore_index=True)
    tiny = games < 2
    cells = rounds.groupby(["strategy", "hand_size", "position"], as_index=False)
    accuracy = with_interval(cells.agg(bids=("hit", "size"), hits=("hit", "sum")), tiny=tiny)
    whole = rounds.groupby("hand_size", as_index=False).agg(bids=("hit", "size"), hits=("hit", "sum"))
    totals = rounds.groupby(["strategy", "game", "seat"], as_index=False)["points"].sum()
    scores = totals.groupby(["strategy", "points"], as_index=False).agg(games=("game", "size"))
    sums = table_rounds.groupby(["hand_size", "round"])["bid"].sum()
    sums = sums.reset_index(name="sum_of_bids").groupby(["hand_size", "sum_of_bids"], as_index=False)
    bids = rounds.groupby(["strategy", "hand_size", "position", "bid", "tricks"], as_index=False)
    wins, played = wins_of(labels, totals, positions, tiny), all_games.get(game)
    summary, duels = summary_of(labels, rounds, totals, wins, tiny), duels_of(labels, totals)
    values = {
        "title": played.title,
        "game": game,
        "labels": labels,
        "seats": seats_of(labels, positions),
        "units": games,
        "games": games,
        "seed": 12345678901234567890,
        "about": {"options": "hand_sizes=8,7,6,5,4,3,2,1", "bridzik": "0.1.0", "numba": "0.68.1"},
        "summary": summary,
        "bids": bids.agg(count=("hit", "size")),
        "accuracy": accuracy,
        "table_accuracy": with_interval(whole, tiny=tiny).assign(ceiling=(positions - 1) / positions),
        "scores": scores,
        "table": sums.agg(count=("round", "size")),
        "convergence": convergence_of(labels, totals, games),
        "leaderboard": leaderboard_of(summary, kind),
        "crosstable": ladder_of(summary)
        if kind == "ladder"
        else crosstable_of(duels if match else {}, games),
        "running": running_of(duels if kind == "compare" else {}, games),
        "calibration": with_mean(rounds.groupby(["strategy", "bid"])["tricks"], "bids", "tricks"),
        "effects": effects_of(totals, rounds),
        "wins": wins,
        "deal_kinds": deal_kinds_of(rounds, tiny) if played.deal_kind else pd.DataFrame(),
        "experiment": SimpleNamespace(game=played, at_table=positions),
        "points_step": 10 if game == "wizard" else 1,
        "kind": kind,
        "verdict": f"{labels[0]} is better than {labels[-1]}." if kind == "compare" else "",
    }
    return FakeResults(**values | more)


def worse(game, rounds, label, share):
    """The same rounds as another entrant plays them: of its exact bids it misses that share."""
    draws = np.random.default_rng(len(label) + round(100 * share)).random(len(rounds))
    missed = (rounds["hit"] == 1) & (draws < share)
    tricks = rounds["tricks"].where(~missed, (rounds["tricks"] - 1).abs())
    hit = (tricks == rounds["bid"]).astype(int)
    other = rounds.assign(strategy=label, tricks=tricks, hit=hit)
    return other.assign(points=points_of(game, other))


def wins_of(labels, totals, seats, tiny):
    """A win is a game with more points than all but the best of all games."""
    won = totals["points"] > totals["points"].quantile(1 - 1 / seats)
    frame = won.groupby(totals["strategy"]).agg(["size", "sum"]).loc[list(labels)].reset_index()
    frame.columns = ["strategy", "seat_games", "wins"]
    frame = with_interval(frame, "wins", "seat_games", tiny).drop(columns="wins")
    return frame.rename(columns={"rate": "wins"}).assign(even=1 / seats)


def deal_kinds_of(rounds, tiny):
    groups = rounds.groupby(["strategy", "kind"], sort=False)
    points = with_mean(groups["points"], "rounds", "points")
    points = points.rename(columns={"low": "points_low", "high": "points_high"})
    exact = with_interval(groups["hit"].agg(bids="size", hits="sum").reset_index(), tiny=tiny)
    exact = exact.rename(columns={"rate": "exact", "low": "exact_low", "high": "exact_high"})
    frame = points.merge(exact.drop(columns=["bids", "hits"]), on=["strategy", "kind"])
    order = frame["kind"].map(DEAL_KINDS.index)
    return frame.iloc[np.lexsort((order, pd.factorize(frame["strategy"])[0]))].reset_index(drop=True)


def summary_of(labels, rounds, totals, wins, tiny):
    rows = []
    for label in labels:
        own, mine = totals[totals["strategy"] == label]["points"], rounds[rounds["strategy"] == label]
        error = np.nan if tiny else float(own.std(ddof=1) / np.sqrt(len(own)))
        points, exact = float(own.mean()), float(mine["hit"].mean())
        half = np.nan if tiny else 0.01
        rows.append(
            {
                "strategy": label,
                "seat_games": len(own),
                "points": points,
                "points_se": error,
                "points_low": points - 1.96 * error,
                "points_high": points + 1.96 * error,
                "wins": float(wins.set_index("strategy")["wins"][label]),
                "exact": exact,
                "exact_low": exact - half,
                "exact_high": exact + half,
                "bid": float(mine["bid"].mean()),
                "tricks": float(mine["tricks"].mean()),
                "illegal": 0,
                "raised": 0,
                "timeout": 0,
            }
        )
    return pd.DataFrame(rows)


def schedule_of(games):
    return sorted({round(10 ** (k / 8)) for k in range(80)} | {games})


def convergence_of(labels, totals, games):
    rows = []
    for label in labels:
        own = totals[totals["strategy"] == label].groupby("game")["points"].mean().to_numpy(float)
        for units in (u for u in schedule_of(games) if u <= games):
            seen = own[:units]
            error = float(seen.std(ddof=1) / np.sqrt(units)) if units > 1 else np.nan
            mean, factor = float(seen.mean()), 1.96 + 10.7 / units**2
            rows.append((label, units, mean, mean - factor * error, mean + factor * error))
    return pd.DataFrame(rows, columns=["strategy", "units", "points", "low", "high"])


def reach(sd, number):
    """Half of a 95 % interval; NaN for fewer than two values."""
    return special.stdtrit(np.maximum(number - 1, 1), 0.975) * sd / np.sqrt(number)


def with_mean(groups, number, value):
    """A row a group: how many, their mean, and its interval."""
    frame = groups.agg(["size", "mean", "std"]).reset_index()
    half = reach(frame.pop("std"), frame["size"])
    frame = frame.rename(columns={"size": number, "mean": value})
    return frame.assign(low=frame[value] - half, high=frame[value] + half)


def effects_of(totals, rounds):
    """Points by seat, and points a round by place in the bidding and by hand size."""
    parts = []
    by = (("seat", totals, "seat"), ("position", rounds, "position"), ("hand_size", rounds, "hand_size"))
    for effect, frame, place in by:
        part = with_mean(frame.groupby(["strategy", place])["points"], "number", "points")
        part = part.rename(columns={place: "place"})
        part.insert(1, "effect", effect)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def leaderboard_of(summary, kind):
    names = ["strategy", "seat_games", "points", "points_low", "points_high", "wins"]
    frame = summary[names].sort_values("points", ascending=False, kind="stable", ignore_index=True)
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    if kind == "tournament":
        for name, end in (("rating", "points"), ("rating_low", "points_low"), ("rating_high", "points_high")):
            frame[name] = 40 * (frame[end] - summary["points"].mean())
    return frame


def ladder_of(summary):
    """Everyone in one seat with everyone else in turn in the others, who cost it a little each."""
    rows = []
    for one in summary.to_dict("records"):
        for number, other in enumerate(summary.to_dict("records")):
            own = one["strategy"] == other["strategy"]
            row = {name: one[name] for name in one if name.startswith(("points", "exact"))}
            rows.append(
                {
                    "strategy": one["strategy"],
                    "opponent": other["strategy"],
                    "games": 40,
                    **row,
                    "points": one["points"] - number,
                    "others": other["points"],
                    **dict.fromkeys(("difference", "low", "high"), np.nan if own else 1.5),
                }
            )
    return pd.DataFrame(rows)


def duels_of(labels, totals):
    """By pair, the difference in points a seat in each game."""
    means = totals.groupby(["strategy", "game"])["points"].mean()
    return {(one, other): (means[one] - means[other]).to_numpy() for one, other in combinations(labels, 2)}


def crosstable_of(duels, games):
    rows = []
    for (one, other), own in duels.items():
        wins, ties = int((own > 0).sum()), int((own == 0).sum())
        error = float(own.std(ddof=1)) / games**0.5 if games > 1 else np.nan
        share, half = (wins + ties / 2) / games, 1.96 * (0.25 / games) ** 0.5 if games > 1 else np.nan
        value, wide = float(own.mean()), reach(error, 1) if games < 2 else reach(error * games**0.5, games)
        rows.append(
            {
                "strategy": one,
                "opponent": other,
                "units": games,
                "games": games,
                "wins": wins,
                "ties": ties,
                "losses": games - wins - ties,
                "superiority": share,
                "superiority_low": max(0.0, share - half),
                "superiority_high": min(1.0, share + half),
                "difference": value,
                "difference_se": error,
                "low": value - wide,
                "high": value + wide,
                "p": 2 * float(special.stdtr(games - 1, -abs(value / error))) if games > 1 else np.nan,
            }
        )
    frame = pd.DataFrame(rows)
    if len(frame):
        order = frame["p"].sort_values().index
        steps = (frame["p"][order] * np.arange(len(frame), 0, -1)).cummax().clip(upper=1)
        frame["p_holm"] = steps[frame.index]
        frame["gain"] = np.where(np.isnan(frame["p"]), np.nan, 3.14)
    return frame


def running_of(duels, games):
    """The difference as the games add up, with Student's interval, the anytime one and the log10 e-value."""
    rows = []
    for (one, other), own in duels.items():
        for n in (u for u in schedule_of(games) if u <= games):
            mean, sd = float(own[:n].mean()), float(own[:n].std(ddof=1)) if n > 1 else np.nan
            half, r, v = reach(sd, n), 1 + 0.01 * n, max(n - 1, 1)
            k = (r**0.5 * 20) ** (2 / n)
            wide = sd * (v * (k - 1) / (1 - k / r) / n) ** 0.5 if n >= 100 else np.nan
            square = n * mean**2 / sd**2 if n > 1 and sd > 0 else np.nan
            bayes = -0.5 * np.log10(r) + n / 2 * np.log10((1 + square / v) / (1 + square / v / r))
            rows.append((one, other, n, mean, mean - half, mean + half, mean - wide, mean + wide, bayes))
    names = ["strategy", "opponent", "units", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=[*names, "anytime_low", "anytime_high", "evidence"])
