"""Records of games: the plain engine replays them and finds every broken rule."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace

import pytest

from bridzik_sim.games.bridzik import reference as ref

# A shortened record written by hand: two deals of a game of 32.
EXAMPLE = json.loads("""
{"game": "bridzik", "options": {"hand_sizes": [1, 2, 3, 4, 5, 6, 7, 8]}, "seed": 5, "unit": 0, "seating": 0,
 "rules_version": 1, "seats": ["random", "random", "random", "random"],
 "totals": [55, 113, 10, 130], "winners": [3],
 "deals": [
  {"series": 0, "round": 4, "starter": 0,
   "hands": [["H10", "L8", "AJ", "BK"], ["A7", "AA", "B7", "BJ"],
             ["HJ", "L7", "AQ", "B8"], ["H7", "AK", "B9", "BQ"]],
   "bids": [4, 4, 2, 4],
   "tricks": [
    {"leader": 0, "cards": ["AJ", "AA", "AQ", "AK"], "winner": 1},
    {"leader": 1, "cards": ["B7", "B8", "BQ", "BK"], "winner": 0},
    {"leader": 0, "cards": ["H10", "BJ", "HJ", "H7"], "winner": 2},
    {"leader": 2, "cards": ["L7", "B9", "L8", "A7"], "winner": 0}],
   "taken": [2, 1, 1, 0], "points": [0, 0, 0, 0]},
  {"series": 0, "round": 7, "starter": 3, "hands": [["H8"], ["L9"], ["BQ"], ["BK"]], "bids": [0, 0, 1, 1],
   "tricks": [{"leader": 3, "cards": ["BK", "H8", "L9", "BQ"], "winner": 0}],
   "taken": [1, 0, 0, 0], "points": [0, 10, 0, 0]}]}
""")


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def test_the_example_record_validates_and_is_written_the_same():
    game = ref.replay_record(EXAMPLE)
    given = {key: EXAMPLE[key] for key in ("options", "seed", "unit", "seating", "seats")}
    assert json.dumps(game.as_dict(**given)) == json.dumps(EXAMPLE)


ROUND4, ROUND7 = ("deals", 0), ("deals", 1)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("game",), "wizard", "game: must be bridzik"),
        (("rules_version",), 2, "rules_version: must be 1"),
        (("options", "hand_sizes"), [1, 2], "deals: must be deals of the options"),
        (("winners",), [1], r"winners: the highest total has \[3\]"),
        (("totals",), [55, 9, 10, 130], "totals: seat 1 made 10"),
        ((*ROUND4, "round"), 8, "deals: must be deals of the options, in order"),
        ((*ROUND4, "starter"), 1, r"deals\[0\].starter: seat 0 opens"),
        ((*ROUND4, "hands", 0), ["H10", "L8", "AJ"], "must be 4 hands of 4 cards"),
        ((*ROUND4, "hands", 0, 0), "H7", "a card is dealt twice"),
        ((*ROUND4, "hands", 0, 0), "H1", "there is no card 'H1'"),
        ((*ROUND4, "bids", 2), 5, r"bids\[2\]: must be 0 … 4"),
        ((*ROUND7, "bids", 2), True, r"bids\[2\]: must be 0 … 1"),
        ((*ROUND7, "bids", 2), 0, r"deals\[1\].bids\[2\]: the last bid may not make the sum 1"),
        ((*ROUND4, "bids", 0), 3, r"tricks\[0\].leader: seat 1 leads"),
        ((*ROUND4, "tricks", 1, "leader"), 0, r"tricks\[1\].leader: seat 1 leads"),
        ((*ROUND4, "tricks", 0, "cards", 1), "B7", r"tricks\[0\].cards\[1\]: seat 1 must follow suit"),
        ((*ROUND4, "tricks", 2, "cards"), ["L8", "BJ", "L7", "B9"], r"cards\[3\]: seat 3 must ruff"),
        ((*ROUND4, "tricks", 1, "cards", 0), "AA", "seat 1 does not hold AA"),
        ((*ROUND4, "tricks", 0, "winner"), 3, r"tricks\[0\].winner: seat 1 wins"),
        ((*ROUND7, "tricks"), [], "tricks: must be 1"),
        ((*ROUND4, "taken"), [1, 2, 1, 0], r"taken: the tricks taken are \[2, 1, 1, 0\]"),
        ((*ROUND7, "points"), [0, 10, 0, 10], r"points: the points are \[0, 10, 0, 0\]"),
        ((*ROUND7,), {}, "not a record of a game"),
    ],
)
def test_a_changed_record_is_refused_for_the_rule_it_breaks(path, value, reason):
    record = copy.deepcopy(EXAMPLE)
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=reason):
        ref.replay_record(record)


def test_totals_of_a_whole_record_must_add_up():
    record = ref.play_game([SimpleNamespace(bid=lowest, play=lowest)] * 4, seed=1, unit=0).as_dict(
        options={"hand_sizes": [1, 2, 3, 4, 5, 6, 7, 8]}, seed=1, unit=0, seating=0, seats=["low"] * 4
    )
    ref.replay_record(record)
    record["totals"][2] += 1
    with pytest.raises(ValueError, match="totals: the points of the deals add up"):
        ref.replay_record(record)
