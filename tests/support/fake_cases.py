"""Cases of fake results: arguments of `fake_results.make_results` by name."""

LONG = [
    "mine=bots/some_long_folder/another_one/strategy_file.py:x=1",
    "mine=bots/some_long_folder/another_one/strategy_file.py:x=2",
    r"C:\Users\Žofia\bots\$heart_$first\<b>&amp;.py:courage=0.75",
    "montecarlo:samples=1000:depth=2:exploration=0.25:seed_cards=12",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "package.module.with.a.very.long.dotted.name.of_strategy_牌",
]

SIX_PLAYERS = {"game": "wizard", "positions": 6, "sizes": tuple(range(1, 11)), "games": 30}
THREE_PLAYERS = {"game": "wizard", "positions": 3, "sizes": tuple(range(1, 21)), "games": 30}
CASES = {
    "one": {"labels": ["heuristic"]},
    "three": {},
    "five": {"labels": LONG[:5]},
    "six": {"labels": LONG},
    "two_long": {"labels": LONG[4:6]},
    "tiny": {"games": 1},
    "tiny_one": {"games": 1, "labels": LONG[4:5], "sizes": (1,)},
    "ones_only": {"sizes": (1,)},
    "some_sizes": {"sizes": (8, 3), "games": 20},
    "big_counts": {"games": 300, "lean": 3.0},
    "wizard_one": {**SIX_PLAYERS, "labels": ["heuristic"], "wild": True},
    "wizard_long": {**THREE_PLAYERS, "labels": LONG[:3], "wild": True},
    "wizard_six": {**SIX_PLAYERS, "labels": LONG, "wild": True},
}

TWELVE = [*LONG, "heuristic", "simple", "random", "cautious", "bold", "montecarlo:samples=50"]
MATCHES = {
    "pair": {"kind": "compare", "labels": ["heuristic", "simple"], "sizes": (5, 1), "games": 700},
    "long_pair": {"kind": "compare", "labels": LONG[:2], "games": 40, "until_sure": True},
    "sure_pair": {"kind": "compare", "labels": LONG[3:5], "sizes": (3,), "games": 400, "until_sure": True},
    "one_unit": {"kind": "compare", "labels": ["a", "b"], "games": 1},
    "trio": {"kind": "tournament", "labels": ["heuristic", "simple", "random"], "sizes": (5, 1)},
    "five_match": {"kind": "tournament", "labels": LONG[:5], "games": 100, "sizes": (8, 3)},
    "eight": {"kind": "tournament", "labels": TWELVE[4:], "games": 60, "sizes": (8, 1)},
    "twelve": {"kind": "tournament", "labels": TWELVE, "games": 60, "sizes": (8, 2)},
    "three_seats": {"kind": "ladder", "labels": ["heuristic", "simple", "random"], "sizes": (3,)},
    "twelve_seats": {"kind": "ladder", "labels": TWELVE, "games": 60, "sizes": (8, 2)},
    "wizard_match": {**THREE_PLAYERS, "kind": "tournament", "labels": TWELVE[4:10], "wild": True},
    "wizard_unit": {**THREE_PLAYERS, "kind": "compare", "labels": LONG[:2], "games": 1},
    "twelve_units": {"kind": "tournament", "labels": TWELVE, "games": 1, "sizes": (3,)},
}

OF_ROUNDS = frozenset(("seats", "openings", "places", "finishes", "turns", "lengths"))
"""Pictures of games that are played for wins, without bids."""
OF_CONTRACTS = frozenset(("contracts", "levels", "gains", "sheet", "rubbers", "imps", "par"))
"""Pictures of games with contracts."""
OF_OTHERS = OF_ROUNDS | OF_CONTRACTS
"""Pictures of games other than those of exact bids."""
