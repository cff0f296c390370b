"""A stand-in for the results of a run: plausible tables made of simple binomials."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd


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
    kind: str = "tournament"
    verdict: str = ""
    alpha: float = 0.05
    until_sure: bool = False


@dataclass
class Table:
    """Rounds of one game of `sizes`, played by `labels` with the tendency to bid `lean` tricks too many."""

    labels: list[str]
    games: int
    sizes: tuple[int, ...]
    lean: float
    positions: int = 4
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def rounds(self) -> pd.DataFrame:
        parts = []
        for size in self.sizes:
            shape = (self.games * 4, self.positions)
            bids = self.random.binomial(size, min(0.95, (1 + self.lean / size) / self.positions), shape)
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
        frame["points"] = frame["hit"] * (10 + frame["bid"])
        return frame


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
    **more,
):
    """Results of `games` games; labels beyond the seats have played the games of the first ones."""
    labels = list(labels)
    rounds = Table(labels, games, sizes, lean, positions).rounds()
    extra = labels[positions:]
    for number, label in enumerate(extra):
        copy = rounds[rounds["strategy"] == labels[number]].assign(strategy=label)
        rounds = pd.concat([rounds, copy], ignore_index=True)
    tiny = games < 2
    cells = rounds.groupby(["strategy", "hand_size", "position"], as_index=False)
    accuracy = with_interval(cells.agg(bids=("hit", "size"), hits=("hit", "sum")), tiny=tiny)
    whole = rounds.groupby("hand_size", as_index=False).agg(bids=("hit", "size"), hits=("hit", "sum"))
    totals = rounds.groupby(["strategy", "game", "seat"], as_index=False)["points"].sum()
    scores = totals.groupby(["strategy", "points"], as_index=False).agg(games=("game", "size"))
    sums = rounds[rounds["strategy"].isin(labels[:positions])].groupby(["hand_size", "round"])["bid"].sum()
    sums = sums.reset_index(name="sum_of_bids").groupby(["hand_size", "sum_of_bids"], as_index=False)
    bids = rounds.groupby(["strategy", "hand_size", "position", "bid", "tricks"], as_index=False)
    values = {
        "title": "Bridžik",
        "game": "bridzik",
        "labels": labels,
        "seats": seats_of(labels, positions),
        "units": games,
        "games": games,
        "seed": 12345678901234567890,
        "about": {"options": "hand_sizes=8,7,6,5,4,3,2,1", "bridzik": "0.1.0", "numba": "0.68.1"},
        "summary": summary_of(labels, rounds, totals, tiny),
        "bids": bids.agg(count=("hit", "size")),
        "accuracy": accuracy,
        "table_accuracy": with_interval(whole, tiny=tiny).assign(ceiling=(positions - 1) / positions),
        "scores": scores,
        "table": sums.agg(count=("round", "size")),
        "convergence": convergence_of(labels, totals, games),
        "calibration": calibration_of(rounds, tiny),
        "effects": effects_of(rounds, totals, tiny),
    }
    values |= match_of(values["summary"], games, tiny)
    return FakeResults(**values | more)


def summary_of(labels, rounds, totals, tiny):
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
                "wins": 1 / len(labels),
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


def calibration_of(rounds, tiny):
    frame = rounds.groupby(["strategy", "bid"], as_index=False).agg(
        bids=("hit", "size"), tricks=("tricks", "mean")
    )
    half = np.nan if tiny else 2 / np.sqrt(frame["bids"])
    return frame.assign(low=frame["tricks"] - half, high=frame["tricks"] + half)


def effects_of(rounds, totals, tiny):
    parts = []
    for effect, frame, place in (("seat", totals, "seat"), ("position", rounds, "position")):
        cells = frame.groupby(["strategy", place], as_index=False).agg(
            number=("points", "size"), points=("points", "mean")
        )
        half = np.nan if tiny else 9 / np.sqrt(cells["number"])
        cells = cells.assign(effect=effect, low=cells["points"] - half, high=cells["points"] + half)
        parts.append(cells.rename(columns={place: "place"}))
    return pd.concat(parts, ignore_index=True)


def match_of(summary, games, tiny):
    """The leaderboard with ratings, all pairs, and the first pair as it runs."""
    board = summary.sort_values("points", ascending=False, kind="stable").reset_index(drop=True)
    board.insert(0, "rank", np.arange(1, len(board) + 1))
    board["rating"] = 5.3 * (board["points"] - board["points"].mean())
    half = np.nan if tiny else 31.0
    board = board.assign(rating_low=board["rating"] - half, rating_high=board["rating"] + half)
    points = summary.set_index("strategy")["points"]
    pairs = []
    for number, one in enumerate(points.index):
        for other in points.index[number + 1 :]:
            lead = points[one] - points[other]
            reach, share = (np.nan if tiny else 2.5), 1 / (1 + np.exp(-lead / 30))
            row = {"strategy": one, "opponent": other, "units": games, "games": 2 * games}
            row |= {
                "wins": round(2 * games * share),
                "ties": 0,
                "losses": 2 * games - round(2 * games * share),
            }
            row |= {
                "superiority": share,
                "superiority_low": share - reach / 90,
                "superiority_high": share + reach / 90,
            }
            row |= {"difference": lead, "difference_se": reach / 2, "low": lead - reach, "high": lead + reach}
            row |= {"p": np.nan if tiny else np.exp(-abs(lead)), "gain": np.nan if tiny else 3.14}
            pairs.append(row | {"p_holm": row["p"]})
    return {"leaderboard": board, "crosstable": pd.DataFrame(pairs), "running": running_of(pairs, games)}


def running_of(pairs, games):
    if not pairs:
        return pd.DataFrame()
    first, rows = pairs[0], []
    for units in sorted({round(10 ** (k / 8)) for k in range(80) if 10 ** (k / 8) < games} | {games}):
        reach = 40 / np.sqrt(units) if units > 1 else np.nan
        value = first["difference"] + 9 * np.sin(units) / np.sqrt(units)
        wide = 1.7 * reach if units >= 20 else np.nan
        row = {
            "strategy": first["strategy"],
            "opponent": first["opponent"],
            "units": units,
            "difference": value,
        }
        row |= {
            "low": value - reach,
            "high": value + reach,
            "anytime_low": value - wide,
            "anytime_high": value + wide,
        }
        rows.append(row | {"evidence": (value / reach) ** 2 - 0.2 * np.log10(units)})
    return pd.DataFrame(rows)


def convergence_of(labels, totals, games):
    schedule = sorted({round(10 ** (k / 8)) for k in range(80)} | {games})
    rows = []
    for label in labels:
        own = totals[totals["strategy"] == label].groupby("game")["points"].mean().to_numpy(float)
        for units in (u for u in schedule if u <= games):
            seen = own[:units]
            error = float(seen.std(ddof=1) / np.sqrt(units)) if units > 1 else np.nan
            mean, factor = float(seen.mean()), 1.96 + 10.7 / units**2
            rows.append((label, units, mean, mean - factor * error, mean + factor * error))
    return pd.DataFrame(rows, columns=["strategy", "units", "points", "low", "high"])


LONG = [
    "mine=bots/some_long_folder/another_one/strategy_file.py:x=1",
    "mine=bots/some_long_folder/another_one/strategy_file.py:x=2",
    r"C:\Users\Žofia\bots\$heart_$first\<b>&amp;.py:courage=0.75",
    "montecarlo:samples=1000:depth=2:exploration=0.25:seed_cards=12",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "package.module.with.a.very.long.dotted.name.of_strategy_牌",
]

CASES = {
    "one": {"labels": ["heuristic"]},
    "three": {},
    "five": {"labels": LONG[:5]},
    "six": {"labels": LONG},
    "two_long": {"labels": LONG[4:6]},
    "twelve": {"labels": [*LONG, *"abcdef"], "games": 40},
    "tiny": {"games": 1},
    "tiny_one": {"games": 1, "labels": LONG[4:5], "sizes": (1,)},
    "ones_only": {"sizes": (1,)},
    "some_sizes": {"sizes": (8, 3), "games": 20},
    "big_counts": {"games": 300, "lean": 3.0},
    "six_players": {"labels": list("abcdef"), "positions": 6, "sizes": tuple(range(10, 0, -1)), "games": 30},
    "twenty_sizes": {
        "labels": ["a", "b", "c"],
        "positions": 3,
        "sizes": tuple(range(20, 0, -1)),
        "games": 30,
    },
}
