"""A stand-in for results of Czech Fool: games of rounds of random lengths, and all tables counted from them."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from fake_cases import LONG, TWELVE
from fake_results import FakeResults, crosstable_of, duels_of, leaderboard_of, reach, running_of, schedule_of

from bridzik_sim import games as all_games

CARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "SQ"]
OPENINGS = ["plain", "6", "7", "8", "Q", "A"]
FOOL = {
    "fool_one": {"labels": ["heuristic"]},
    "fool_two": {"labels": LONG[:2], "players": 2, "deck": 36},
    "fool_three": {"labels": ["heuristic", "server", "random"], "players": 3, "games": 150},
    "fool_six": {"labels": LONG, "games": 60, "capped": True},
    "fool_crowd": {"labels": TWELVE[3:10], "players": 2, "deck": 36, "games": 20},
    "fool_trio": {"labels": LONG[:3], "kind": "tournament"},
    "fool_twelve": {"labels": TWELVE, "kind": "tournament", "games": 60},
    "fool_seats": {"labels": ["heuristic", "server", "random"], "kind": "ladder"},
    "fool_pair": {"labels": ["heuristic", "server"], "kind": "compare", "games": 200},
    "fool_unit": {"labels": LONG[:3], "games": 1},
}


def make_rounds(
    labels=("heuristic", "server", "random"), games=60, players=4, deck=52, kind="simulate", capped=False
):
    """Results of `games` games of everyone in each seat; later labels win less often."""
    labels, random = list(labels), np.random.default_rng(11)
    played, ended = _rounds(labels, games, players, deck, random, capped)
    game, tiny = all_games.get("fool"), games < 2
    summary = _summary(labels, played, ended, tiny)
    totals = ended.groupby(["strategy", "game"], as_index=False)["won"].mean()
    duels = duels_of(labels, totals.rename(columns={"won": "points"})) if kind != "simulate" else {}
    values = {
        "title": game.title, "game": "fool", "labels": labels, "seats": labels[:players], "units": games,
        "games": games, "seed": 5, "about": {"option deck": str(deck)}, "summary": summary, "kind": kind,
        "scores": ended.groupby(["strategy", "points"], as_index=False).agg(games=("game", "size")),
        "convergence": _convergence(labels, totals, games),
        "leaderboard": _leaderboard(summary, kind),
        "crosstable": _ladder(summary) if kind == "ladder" else crosstable_of(duels, games),
        "running": running_of(duels if kind == "compare" else {}, games),
        "wins": summary[["strategy", "seat_games", "wins", "wins_low", "wins_high"]]
        .rename(columns={"wins_low": "low", "wins_high": "high"}).assign(even=1 / players),
        "rounds": _by_players(played), "effects": _effects(played, ended, players),
        "turns": played[played["position"] == 0].groupby(["players", "turns"], as_index=False)
        .agg(rounds=("game", "size")),
        "lengths": ended.drop_duplicates(["strategy", "game"]).groupby("rounds", as_index=False)
        .agg(games=("game", "size")),
        "finishes": _shares(played[played["won"] == 1], "last_card", "rounds"),
        "places": _shares(ended, "place", "games"), "openings": _openings(played, players),
        "experiment": SimpleNamespace(game=game, at_table=players),
        "verdict": f"{labels[0]} is better than {labels[-1]}." if kind == "compare" else "",
    }  # fmt: skip
    none = ("bids", "accuracy", "table_accuracy", "table", "calibration", "deal_kinds")
    return FakeResults(**values, **{name: pd.DataFrame() for name in none})


def _rounds(labels, games, players, deck, random, capped):
    """Rounds as an entrant played them, a row each, and games, a row each."""
    cards, openings = (CARDS, OPENINGS) if deck == 52 else (CARDS[4:], ["plain", "6", "7", "Q", "A"])
    count = 2 + random.poisson(3 * players, len(labels) * games)
    game, who = np.tile(np.arange(games), len(labels)), np.repeat(np.arange(len(labels)), games)
    chance = np.maximum(0.05, 1.2 - 0.25 * np.arange(len(labels)) / len(labels))
    first = random.random(len(game)) < chance[who] / players
    ended = {
        "strategy": np.array(labels, object)[who], "game": game, "seat": game % players,
        "won": first.astype(float), "place": np.where(first, 1, random.integers(2, players + 1, len(game))),
        "points": np.where(first, random.integers(-60, 101, len(game)), 102 + random.poisson(18, len(game))),
        "rounds": count,
    }  # fmt: skip
    number = int(count.sum())
    size = np.where(random.random(number) < 0.6, players, random.integers(2, players + 1, number))
    turns = 4 + random.geometric(1 / 35, number)
    turns[:: 97 if capped else number] = 1000 if capped else 40
    won = random.random(number) < chance[np.repeat(who, count)] / size
    played = {
        "strategy": np.repeat(ended["strategy"], count), "game": np.repeat(game, count), "players": size,
        "position": random.integers(0, size), "turns": np.minimum(turns, 1000), "won": won.astype(int),
        "points": np.where(won, 0, random.poisson(22, number)),
        "last_card": random.choice(cards, number), "opening": random.choice(openings, number),
    }  # fmt: skip
    return pd.DataFrame(played), pd.DataFrame(ended)


def _mean(values, tiny=False):
    """Mean with its standard error and interval; NaN from one value."""
    values = np.asarray(values, float)
    error = float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 and not tiny else np.nan
    return float(values.mean()), error, float(values.mean()) - 2 * error, float(values.mean()) + 2 * error


def _limits(name, values, tiny=False):
    value, _, low, high = _mean(values, tiny)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _summary(labels, played, ended, tiny):
    rows = []
    for label in labels:
        own, mine = ended[ended["strategy"] == label], played[played["strategy"] == label]
        row = {"strategy": label, "seat_games": len(own)}
        for name, column in (("wins", "won"), ("points", "points")):
            row |= zip_row((name, f"{name}_se", f"{name}_low", f"{name}_high"), _mean(own[column], tiny))
        row |= _limits("rounds_won", mine["won"], tiny)
        row |= _limits("lost_points", mine["points"][mine["won"] == 0], tiny)
        row |= {"exits": float((own["place"] > 1).mean()), "resets": 0.0123}
        rows.append({**row, "illegal": 0, "raised": 0, "timeout": 0})
    return pd.DataFrame(rows)


def zip_row(names, values):
    return dict(zip(names, values, strict=True))


def _leaderboard(summary, kind):
    """By wins, without the standard errors; of the one seat with them, in tournaments with ratings."""
    points = leaderboard_of(summary.assign(points=summary["wins"]), kind)
    names = [name for name in summary if name.startswith(("strategy", "seat_games", "wins", "points"))]
    if kind != "ladder":
        names = [name for name in names if not name.endswith("_se")]
    frame = points[["rank", "strategy"]].merge(summary[names], on="strategy")
    if kind == "tournament":
        for end in ("", "_low", "_high"):
            frame[f"rating{end}"] = 500 * (frame[f"wins{end}"] - summary["wins"].mean())
    return frame


def _ladder(summary):
    rows = []
    for one in summary.to_dict("records"):
        for number, other in enumerate(summary.to_dict("records")):
            own = one["strategy"] == other["strategy"]
            row = {name: one[name] for name in one if name.startswith(("wins", "points"))}
            more = {"wins": one["wins"] - 0.004 * number, "others": other["wins"]}
            lead = dict.fromkeys(("difference", "difference_se", "low", "high"), np.nan if own else 0.015)
            pair = {"strategy": one["strategy"], "opponent": other["strategy"], "units": 40, "games": 160}
            rows.append({**pair, **row, **more, **lead})
    return pd.DataFrame(rows)


def _convergence(labels, totals, games):
    rows = []
    for label in labels:
        own = totals[totals["strategy"] == label]["won"].to_numpy(float)
        for units in (u for u in schedule_of(games) if u <= games):
            sd = own[:units].std(ddof=1) if units > 1 else np.nan
            mean, half = own[:units].mean(), reach(sd, units)
            rows.append((label, units, mean, mean - half, mean + half))
    return pd.DataFrame(rows, columns=["strategy", "units", "wins", "low", "high"])


def _by_players(played):
    rows = []
    for players, own in played[played["position"] == 0].groupby("players"):
        most, losers = int(own["turns"].max()), own["points"][own["won"] == 0]
        late = np.quantile(own["turns"], [0.5, 0.99], method="inverted_cdf")
        rows.append(
            {
                "players": players, "rounds": len(own), "blocked": 3, "capped": int(most == 1000),
                **_limits("turns", own["turns"]), "median": int(late[0]), "p99": int(late[1]),
                **_limits("points_per_loser", losers if len(losers) else [np.nan]),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _shares(frame, column, number):
    table = frame.groupby(["strategy", column], as_index=False).agg(count=("game", "size"))
    share = table["count"] / table.groupby("strategy")["count"].transform("sum")
    return table.rename(columns={"count": number}).assign(share=share)


def _effects(played, ended, players):
    rows = []
    whole = played[played["players"] == players]
    for effect, frame, place in (("seat", ended, "seat"), ("position", whole, "position")):
        for (label, where), own in frame.groupby(["strategy", place], sort=False):
            row = {"strategy": label, "effect": effect, "place": where, "number": len(own)}
            rows.append(row | zip_row(("won", "se", "low", "high"), _mean(own["won"])))
    frame = pd.DataFrame(rows).drop(columns="se")
    return frame.assign(low=frame["low"].clip(0), high=frame["high"].clip(upper=1))


def _openings(played, players):
    rows = []
    for (label, opening, place), own in played[played["players"] == players].groupby(
        ["strategy", "opening", "position"]
    ):
        row = {"strategy": label, "opening": opening, "position": place, "rounds": len(own)}
        rows.append({**row, **_limits("won", own["won"]), **_limits("points", own["points"])})
    order = [OPENINGS.index(row["opening"]) for row in rows]
    return pd.DataFrame([rows[number] for number in np.argsort(order, kind="stable")])
