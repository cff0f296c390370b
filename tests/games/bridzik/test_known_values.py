"""Values known from enumeration or from other programs (rules.md). Seeds were fixed before looking."""

import itertools
import math
from fractions import Fraction

import pytest

from bridzik_sim import simulate

SEED = 20261130
SLACK = 4  # standard errors


def one_card_winning_chances():
    """Exact chances to win a one-card round by place after the leader: over the classes of four cards."""
    leader = Fraction(0)
    # Only the leader's card and the others' cards matter: the leader wins when none of three other random cards beats it.
    for card in range(32):
        better = 7 - card % 8 + (8 if card >= 8 else 0)
        leader += Fraction(math.comb(31 - better, 3), math.comb(31, 3)) / 32
    return leader, (1 - leader) / 3


def uniform_bid_hit_rates():
    """Hit rates by position with uniform legal bids of 0 or 1 in a one-card round: exact, over all bids."""
    leader, other = one_card_winning_chances()
    rates = [Fraction(0)] * 4
    for first, second, third in itertools.product((0, 1), repeat=3):
        forbidden = 1 - (first + second + third)
        last = [bid for bid in (0, 1) if bid != forbidden]
        for fourth in last:
            bids = (first, second, third, fourth)
            leads = max(range(4), key=lambda seat, bids=bids: (bids[seat], -seat))
            weight = Fraction(1, 8 * len(last))
            for seat, bid in enumerate(bids):
                wins = leader if seat == leads else other
                rates[seat] += weight * (wins if bid == 1 else 1 - wins)
    return rates


def test_the_exact_values_are_those_of_the_rules():
    leader, other = one_card_winning_chances()
    assert float(leader) == pytest.approx(0.359789, abs=5e-7)
    assert float(other) == pytest.approx(0.213404, abs=5e-7)
    rates = [float(rate) for rate in uniform_bid_hit_rates()]
    assert rates == pytest.approx([0.55489, 0.53660, 0.51830, 0.42835], abs=5e-6)


def test_one_card_rounds_hit_as_often_as_they_must():
    results = simulate("random*4", 60_000, SEED, options={"hand_sizes": "1"})
    for row, exact in zip(results.accuracy.itertuples(), uniform_bid_hit_rates(), strict=True):
        error = math.sqrt(exact * (1 - exact) / row.bids)
        assert abs(row.rate - exact) < SLACK * error, row


def test_the_leader_of_a_one_card_round_wins_as_often_as_it_must(tmp_path):
    # Everybody bids 1 but is only made to: the first bidder leads.
    bot = tmp_path / "one.py"
    bot.write_text(
        "from bridzik_sim.cards import highest, lowest\n"
        "def bid(view):\n    return highest(view.legal)\n"
        "def play(view):\n    return lowest(view.legal)\n"
    )
    results = simulate(f"x={bot}*4", 60_000, SEED, options={"hand_sizes": "1"})
    leader, other = one_card_winning_chances()
    for row in results.accuracy.itertuples():
        exact = leader if row.position == 0 else other
        assert row.hits / row.bids == pytest.approx(
            float(exact), abs=SLACK * math.sqrt(exact * (1 - exact) / row.bids)
        )


def test_random_players_average_what_they_should():
    # 79.69 points and 22.92 % over 3.6 million games; the slack holds the error of these figures too.
    row = simulate("random*4", 60_000, SEED).summary.iloc[0]
    assert abs(row.points - 79.69) < SLACK * row.points_se + 0.02
    assert abs(row.exact - 0.2292) < SLACK * (row.exact_high - row.exact_low) / 3.92 + 0.0001


def test_the_rule_of_the_baseline_averages_what_it_should():
    # 179.92 points and 52.5 % (bench/limit.c, mode heur).
    row = simulate("x=bench/strategies/limit_rule.py*4", 60_000, SEED).summary.iloc[0]
    assert abs(row.points - 179.92) < SLACK * row.points_se + 0.02
    assert abs(row.exact - 0.525) < SLACK * (row.exact_high - row.exact_low) / 3.92 + 0.0005


def test_heuristic_beats_simple_and_bids_well():
    one = simulate("heuristic,simple*3", 20_000, SEED).summary.set_index("strategy").points
    assert one["heuristic"] - one["simple"] > 12
    assert simulate("heuristic*4", 20_000, SEED).summary.exact[0] > 0.57
