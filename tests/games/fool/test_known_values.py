"""Values known from counting or from other programs (rules.md). Seeds were fixed before looking."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from bridzik_sim import experiment
from bridzik_sim.games.fool import plain_round
from bridzik_sim.games.fool.counting import OPENINGS
from bridzik_sim.games.plain import stream_tag, unit_words
from bridzik_sim.play import Player

SEED = 20261130
GAMES = 8000
SLACK = 4  # standard errors
# By strategy and deck: turns a round and points a loser, of 2, 3 and 4 players.
KNOWN = {
    ("random", 52): ((41.4, 39.0, 40.2), (28.6, 23.5, 22.9)),
    ("random", 36): ((26.1, 29.8, 32.5), (34.8, 26.3, 26.9)),
    ("server", 52): ((33.6, 35.8, 40.7), (20.4, 19.8, 20.1)),
    ("server", 36): ((23.3, 29.6, 36.1), (24.8, 23.0, 24.8)),
}


@pytest.fixture(scope="module", params=KNOWN, ids=lambda case: f"{case[0]}-{case[1]}")
def played(request):
    """A line-up and deck, and the counts of games of four."""
    name, deck = request.param
    made = experiment.make(f"{name}*4", GAMES, SEED, game="fool", options={"deck": deck})
    return request.param, Player(made).play(0, made.last_unit, np.zeros(2, np.int64)).counts


def test_turns_a_round_and_points_a_loser(played):
    # In rounds of two and three at a table of four the others are out, which players that do not look at totals ignore.
    case, counts = played
    for name, values in zip(("turn_moments", "loser_moments"), KNOWN[case], strict=True):
        number, amount = counts[name][:, 0], counts[name][:, 1]
        assert number.min() > 5000
        assert amount / number == pytest.approx(values, rel=0.02)


def test_cards_are_opened_as_often_as_there_are_of_them(played):
    (_, deck), counts = played
    cards = {"plain": deck - 20, "6": 4, "7": 4, "8": 4, "Q": 4, "A": 4}
    if deck == 36:
        cards |= {"plain": 20, "8": 0}
    # Rounds of all, by the seat that begins: each is in every place once.
    seen = counts["opening_moments"].sum(axis=0)[:, 0, 0, 0]
    rounds = seen.sum()
    for name, number in zip(OPENINGS, seen, strict=True):
        share = cards[name] / deck
        assert abs(number / rounds - share) <= SLACK * math.sqrt(share * (1 - share) / rounds), name


def test_every_order_of_a_stock_is_as_likely_as_any_other():
    for renewed in (False, True):
        orders = Counter()
        for unit in range(600):
            words = unit_words(SEED, stream_tag("fool", 1), unit)
            stock = plain_round.DealtStock(words, 0, range(52), range(52), [3, 20, 41], [])
            if renewed:
                stock.cards.clear()
                stock.renew([3, 20, 41])
            orders[tuple(stock.next_card() for _ in range(3))] += 1
        assert set(orders) == set(itertools.permutations((3, 20, 41)))
        for number in orders.values():
            assert abs(number - 100) < SLACK * math.sqrt(600 * 5 / 36)
