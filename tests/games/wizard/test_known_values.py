"""Values known from enumeration or from other programs (rules.md). Seeds were fixed before looking."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bridzik_sim import simulate

SEED = 20261130
SLACK = 4  # standard errors
ONE = """
from bridzik_sim.cards import highest, lowest
def bid(view):
    return highest(view.legal)
def play(view):
    return lowest(view.legal)
def trump(view):
    return 0
"""


def starter_wins(seats):
    """The exact chance that the starter of a one-card round takes the trick, by counting who beats its card.

    Its card and the one turned up are drawn first; it wins when no other of ``seats - 1`` random cards beats it.
    """
    won = Fraction(0)
    for turned_weight, turned in (
        (Fraction(52, 60), "number"),
        (Fraction(4, 60), "wizard"),
        (Fraction(4, 60), "jester"),
    ):
        for weight, better in starters_cards(turned):
            none_better = Fraction(math.comb(58 - better, seats - 1), math.comb(58, seats - 1))
            won += turned_weight * weight * none_better
    return won


def starters_cards(turned):
    """Chances of the starter's card among 59, and how many of the other 58 beat it.

    With a number card turned up the average is over its number, too.
    """
    wizards, jesters = 4 - (turned == "wizard"), 4 - (turned == "jester")
    yield Fraction(wizards, 59), 0
    # A jester loses to everything but jesters.
    yield Fraction(jesters, 59), 58 - (jesters - 1)
    for number in range(1, 14):
        above = 13 - number
        if turned != "number":
            yield Fraction(4, 59), above + wizards
            continue
        # Off trump: its own suit above it, twelve trumps, wizards.
        yield Fraction(3, 59), above + 12 + wizards
        for gone in range(1, 14):
            if gone != number:
                yield Fraction(1, 59 * 13), above - (gone > number) + wizards


def place_wins():
    """Exact chances by place in a one-card round of three, over every card turned up and every three hands.

    By symmetry the card turned up is red, a wizard or a jester.
    """
    wins = [Fraction(0)] * 3
    for turned, weight in (*((number, 4) for number in range(13)), (52, 4), (56, 4)):
        trump = 0 if turned < 52 else -1
        deck = np.array([card for card in range(60) if card != turned])
        first, second, third = (axis.ravel() for axis in np.meshgrid(deck, deck, deck, indexing="ij"))
        different = (first != second) & (second != third) & (first != third)
        played = np.stack([first, second, third])[:, different]
        won = winning_places(played, trump)
        for place in range(3):
            wins[place] += Fraction(weight, 60) * Fraction(int((won == place).sum()), played.shape[1])
    return wins


def winning_places(played, trump):
    """Which place wins, by marks for every card: first wizard 1000, trumps 500 up, led suit 100 up, first jester 50."""
    suit = np.where(played < 52, played // 13, -2)
    leads = np.where(played[0] < 56, suit[0], np.where(played[1] < 56, suit[1], suit[2]))
    marks = np.where(suit == leads, 100 + played % 13, 0)
    marks = np.where(suit == trump, 500 + played % 13, marks)
    marks = np.where((played >= 52) & (played < 56), 1000, marks)
    marks = np.where(played >= 56, 50, marks)
    return marks.argmax(axis=0)  # the first of equal ones


@pytest.fixture(scope="module")
def chances():
    return place_wins()


def test_two_ways_of_counting_give_the_same_chance(chances):
    assert chances[0] == starter_wins(3)
    assert sum(chances) == 1
    starters = [float(starter_wins(seats)) for seats in (3, 4, 5, 6)]
    assert starters == pytest.approx([0.493412, 0.376678, 0.297399, 0.242413], abs=5e-7)


def winning_rates(tmp_path, seats, games):
    """Shares of one-card rounds won by position: everybody bids 1, so who wins is who hits the bid."""
    bot = tmp_path / "one.py"
    bot.write_text(ONE)
    options = {"hand_sizes": "1", "sum_rule": "off"}
    return simulate(f"x={bot}*{seats}", games, SEED, game="wizard", options=options).accuracy


def test_one_card_rounds_of_three_are_won_as_often_as_they_must(tmp_path, chances):
    rates = winning_rates(tmp_path, 3, 40_000)
    assert len(rates) == 3
    for row, exact in zip(rates.itertuples(), chances, strict=True):
        assert abs(row.rate - exact) < SLACK * math.sqrt(exact * (1 - exact) / row.bids), row


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_starter_of_a_one_card_round_wins_as_often_as_it_must(tmp_path, seats):
    rates, exact = winning_rates(tmp_path, seats, 40_000), starter_wins(seats)
    row = next(rates.itertuples())
    assert (row.position, row.hand_size) == (0, 1)
    assert abs(row.rate - exact) < SLACK * math.sqrt(exact * (1 - exact) / row.bids)
    assert rates.hits.sum() == 40_000


@pytest.fixture(scope="module")
def random_games():
    return simulate("random*4", 10_000, SEED, game="wizard")


@pytest.mark.parametrize(("size", "known"), [(1, 0.478), (5, 0.163), (10, 0.092), (15, 0.063)])
def test_random_players_hit_as_often_as_they_should(size, known, random_games):
    rows = random_games.accuracy[random_games.accuracy.hand_size == size]
    bids, hits = rows.bids.sum(), rows.hits.sum()
    # Bids of one round are not independent: at most three of four hit, so the error is even smaller.
    assert abs(hits / bids - known) < 0.006 + SLACK * math.sqrt(known * (1 - known) / bids)


def test_random_bids_of_one_card_rounds_hit_as_they_must(chances):
    """Free bids hit every other time; of three, the dealer must bid 0 after two zeros and 1 after a single one."""
    rates = simulate("random*3", 40_000, SEED, game="wizard", options={"hand_sizes": "1"}).accuracy
    one = Fraction(1, 2) + Fraction(1, 4) / 2
    hits = (Fraction(1, 2), Fraction(1, 2), one * chances[2] + (1 - one) * (1 - chances[2]))
    for row, exact in zip(rates.itertuples(), hits, strict=True):
        assert abs(row.rate - exact) < SLACK * math.sqrt(exact * (1 - exact) / row.bids), row


def test_no_trump_before_the_last_round(random_games):
    rounds = random_games.deal_kinds.set_index("kind").rounds / 4
    assert rounds["last round"] == 10_000
    deals = 14 * 10_000
    assert rounds.sum() == deals + 10_000
    for kinds, exact in (
        (["wizard turned up"], 4 / 60),
        (["jester turned up"], 4 / 60),
        (["wizard turned up", "jester turned up"], 8 / 60),
    ):
        share = rounds[kinds].sum() / deals
        assert abs(share - exact) < SLACK * math.sqrt(exact * (1 - exact) / deals)


def test_the_dealer_chooses_whenever_a_wizard_is_turned_up():
    asked = simulate("random*4", 2_000, SEED, game="wizard", options={"wizard_trump": "dealer"}).deal_kinds
    plain = simulate("random*4", 2_000, SEED, game="wizard").deal_kinds
    rounds, other = asked.set_index("kind").rounds, plain.set_index("kind").rounds
    assert rounds["dealer chose"] == other["wizard turned up"] > 0
    assert "wizard turned up" not in rounds or rounds["wizard turned up"] == 0
