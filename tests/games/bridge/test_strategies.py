"""Random and natural: what they call and play in positions set up by hand, and how they fare."""

import collections

import numpy as np
import pytest
from bridge_views import EAST, NORTH, hand, seen, to_call, to_play
from built_in import compiled

from bridzik_sim import simulate
from bridzik_sim.games.contract import CALL_NAMES
from bridzik_sim.games.french_cards import DECK
from strategies.bridge._auction import read


def natural(decision, view):
    return compiled("bridge", "natural")[decision](view)


def called(text, calls="", **more):
    return CALL_NAMES[natural("call", to_call(text, calls, **more))]


def card(*args, **more):
    return DECK.name(natural("play", to_play(*args, **more)))


# ------------------------------------------------------------------------------------------------ random


def test_random_mostly_passes_and_else_calls_what_is_cheap():
    view, random_call = to_call("AK32.QJ2.T98.765", "1H P"), compiled("bridge", "random")["call"]
    counts = collections.Counter(CALL_NAMES[random_call(view)] for _ in range(4000))
    assert set(counts) == {"P", "1S", "1NT", "2C", "2D"}
    assert counts["P"] / 4000 == pytest.approx(0.75, abs=0.03)
    assert min(counts.values()) > 200


def test_random_passes_where_there_is_nothing_else():
    assert {
        compiled("bridge", "random")["call"](to_call("AK32.QJ2.T98.765", "7NT X XX")) for _ in range(50)
    } == {0}


# --------------------------------------------------------------------------------------------- the auction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AQ2.KJ3.QT98.K54", "1NT"),  # 15, balanced
        ("AK2.KQ3.QT98.AQ4", "2NT"),
        ("AKQ2.AKQ3.AQ8.K4", "2C"),
        ("AQJ32.KQ3.QT8.54", "1S"),
        ("A2.KQJ32.AQT83.5", "1H"),
        ("AK32.Q2.QT98.K54", "1D"),
        ("AK32.Q432.A8.J54", "1C"),  # no five-card major
        ("5.KQJ987.T83.542", "2H"),
        ("5.T8.KQJ9874.542", "3D"),
        ("A432.K43.Q83.J54", "P"),
    ],
)
def test_openings(text, expected):
    assert called(text) == expected


@pytest.mark.parametrize(
    ("calls", "text", "expected"),
    [
        ("1H P", "A432.43.Q83.J542", "1S"),
        ("1H P", "A43.Q43.8732.J54", "2H"),
        ("1H P", "A43.Q432.K8.J542", "3H"),
        ("1H P", "A43.Q432.AK83.54", "4H"),
        ("1H P", "Q43.43.8732.J542", "P"),
        ("1S P", "43.KQ3.A873.J542", "2C"),
        ("1D P", "A432.K432.83.542", "1H"),  # the lower of two suits of four
        ("1NT P", "A43.K43.Q832.J54", "3NT"),
        ("1NT P", "J98432.43.832.54", "2S"),
        ("1NT P", "KJ43.Q4.A832.754", "2C"),
        ("1NT P 2C P", "AQ2.KJ32.Q98.K54", "2H"),
        ("1NT P 2C P", "AQ2.KJ3.QT98.K54", "2D"),
        ("1NT P 2C P 2S P", "KJ43.Q4.A832.754", "4S"),
        ("1NT P 2S P", "AQ2.KJ3.QT98.K54", "P"),
        ("1H P 2H P", "A2.KQJ32.AK83.54", "4H"),
        ("1H P 2H P", "A2.KQJ32.Q832.54", "P"),
        ("1H P 3H P", "A2.KQJ32.QJ32.54", "4H"),
        ("1S P 4S P", "AQJ32.AKQ3.A3.54", "6S"),
        ("2C P", "J98.J43.8732.542", "2D"),
    ],
)
def test_talking_to_partner(calls, text, expected):
    assert called(text, calls) == expected


def test_a_part_score_makes_a_game_of_a_raise():
    text = "A43.Q432.K8.J542"
    assert called(text, "1H P") == "3H"
    assert called(text, "1H P", below=(60, 0)) == "2H"
    assert called(text, "1H P", below=(0, 60)) == "3H"


def test_with_a_part_score_nobody_bids_beyond_the_game():
    text = "AQ2.KJ3.QT98.K54"
    assert called("A43.K43.Q832.J54", "1NT P", below=(60, 0)) == "P"
    assert called(text, "P P 1H P", below=(40, 0)) != "3NT"


@pytest.mark.parametrize(
    ("calls", "text", "expected"),
    [
        ("1H", "AQJ32.43.KT83.54", "1S"),
        ("1H", "KQ32.3.AJ83.QT54", "X"),
        ("1H", "AQ2.KJ3.QT98.K54", "1NT"),
        ("1H", "Q32.K43.J832.Q54", "P"),
        ("1H X P", "J832.432.Q83.542", "1S"),  # forced
        ("1H X P", "AQ32.432.AQ8.J42", "4S"),
        ("1H X P", "32.QJT987.83.K54", "P"),  # left in
        ("1D 1S", "32.KQ32.Q832.K54", "X"),  # shows hearts
        ("P P 1D 1S", "A32.KJ43.Q432.32", "X"),
    ],
)
def test_competing(calls, text, expected):
    assert called(text, calls) == expected


def test_a_hopeless_game_of_the_opponents_is_doubled():
    assert called("A2.KQJT9.AK3.542", "1S 4H") == "X"
    assert called("KJ2.2.AQ32.98732", "1S 4H") == "P"


def hearts(view):
    return (int(view["hand"]) >> 26 & 0x1FFF).bit_count()


@pytest.mark.parametrize("calls", ["1H P 1S P", "1D P 2C P", "1H X P", "1NT P 2C P", "2C P"])
def test_partner_is_not_left_with_a_question(calls):
    rng = np.random.default_rng(1)
    for _ in range(300):
        view = to_call("AKQJT98765432...", calls)
        view["hand"] = sum(1 << int(number) for number in rng.permutation(52)[:13])
        assert natural("call", view) != 0 or (calls == "1H X P" and hearts(view) >= 5)


def test_everybody_reads_the_same_ranges():
    view = to_call("A32.K32.Q432.J32", "1NT P 2NT P 3NT")
    found = read(view)
    assert (found["low"][0], found["high"][0], found["low"][2], found["high"][2]) == (17, 17, 8, 9)
    assert found["least"][0].tolist() == [0] * 4
    found = read(to_call("A32.K32.Q432.J32", "1S 2H 2S"))
    assert found["least"][0, 3] == 5
    assert found["least"][1, 2] == 5
    assert found["least"][2, 3] == 3


def test_the_cards_of_partner_change_nothing():
    rng = np.random.default_rng(2)
    for _ in range(100):
        deck = [1 << int(number) for number in rng.permutation(52)]
        hands = [sum(deck[13 * seat : 13 * seat + 13]) for seat in range(4)]
        answers = []
        for order in (hands, [hands[0], hands[3], hands[1], hands[2]]):
            position, view = seen(order, "P P P")
            view["seat"], view["hand"] = NORTH, position["hands"][NORTH]
            answers.append(natural("call", view))
        assert answers[0] == answers[1]


# ------------------------------------------------------------------------------------------------ the cards

OTHERS = ["AK32.KQ4.AQ32.A4", "QJ98.A65.KT9.653", "T765.J98.J54.K92"]


def lead(text, calls):
    """What East leads against a contract of North."""
    north, south, west = (hand(other) & ~hand(text) for other in OTHERS)
    return DECK.name(natural("play", seen([north, hand(text), south, west], calls)[1]))


@pytest.mark.parametrize(
    ("text", "calls", "expected"),
    [
        ("32.KQJ4.8765.432", "1S P 4S P P P", "HK"),
        ("32.KJ742.Q76.432", "1NT P 3NT P P P", "H4"),
        ("432.A8742.K76.K2", "1S P P 2C 2S P P P", "CK"),  # partner's suit
        ("432.AK74.J765.Q2", "1S P 4S P P P", "HA"),
        ("432.5.Q9765.J832", "1S P 4S P P P", "H5"),
    ],
)
def test_opening_leads(text, calls, expected):
    assert lead(text, calls) == expected


CONTRACT = "1S P 4S P P P"
DEAL = ["AKQ32.A2.K432.32", "54.KQJT.Q87.QT98", "JT98.43.AT65.A54", "76.98765.J9.KJ76"]


def test_declarer_draws_trumps():
    assert card(DEAL, CONTRACT, "HK H3 H5 HA")[0] == "S"


def test_dummy_ruffs_before_trumps_are_drawn():
    deal = ["AKQ32.A32.K43.32", "54.KQJT.Q87.QT98", "JT98.4.AT652.A54", "76.98765.J9.KJ76"]
    assert card(deal, CONTRACT, "HK H4 H5 HA")[0] == "H"


def test_declarer_finesses():
    # South, dummy, holds AQ over a low club from North, and the king is out.
    deal = ["AKQ32.432.K43.32", "54.KQJT.Q87.T987", "JT98.A5.AT65.AQ4", "76.9876.J92.KJ65"]
    assert card(deal, CONTRACT, "HK HA H6 H2 SJ S6 SA S4 C2 C7") == "CQ"


def test_the_last_hand_wins_as_cheaply_as_it_can():
    deal = ["AKQ32.432.K43.32", "54.KQJT.Q87.T987", "JT98.A5.AT65.AQ4", "76.9876.J92.KJ65"]
    assert card(deal, CONTRACT, "HT H5 H6") == "H2"
    assert card(DEAL, CONTRACT, "CT C4 CJ") == "C2"


def test_second_hand_plays_low_and_third_hand_high():
    deal = ["AKQ32.A2.K432.32", "54.KQJT.Q87.QT98", "JT98.43.AT65.A54", "76.98765.J9.KJ76"]
    assert card(deal, "P 1D P 1NT P P P", "D2") == "D7"
    assert card(deal, CONTRACT, "C8 C4") == "CK"


def test_a_discard_keeps_the_guard_of_a_king():
    deal = ["AKQJ2.AKQ.432.32", "T9876.JT9.5.QT98", "43.8765.AT76.A54", "5.432.KQJ98.KJ76"]
    assert card(deal, CONTRACT, "D5 DA DK D2 S3 S5 SA S6 SK S7 S4")[0] != "D"


@pytest.mark.parametrize("decision", ["call", "play"])
def test_no_random_numbers_are_drawn(decision):
    view = to_call("AQJ32.43.KT83.54", "1H")
    if decision == "play":
        view = to_play(DEAL, CONTRACT, "HK H3 H5 HA")
    before = view["stream"].tolist()
    assert natural(decision, view) == natural(decision, view)
    assert view["stream"].tolist() == before


# --------------------------------------------------------------------------------------------- whole games


def test_natural_beats_random_in_rubbers_and_on_boards():
    for options in ({}, {"scoring": "duplicate"}):
        good, bad = simulate("natural,random", 100, 5, game="bridge", options=options, jobs=1).standings
        assert good["points_low"] > 0 > bad["points_high"]


def test_most_contracts_of_its_own_are_made():
    rows = simulate("natural,natural", 400, 6, game="bridge", options={"scoring": "duplicate"}, jobs=1)
    every = rows.levels[rows.levels["level"] == "all"].iloc[0]
    assert 0.5 < every["made"] < 0.75


def test_east_and_west_are_read_as_well():
    assert called("A43.Q432.AK83.54", "P 1H P", dealer=NORTH) == "4H"
    assert called("A43.Q432.AK83.54", "1H P", dealer=EAST) == "4H"
