"""Calls, contracts and scores against the laws' tables and values worked out by hand."""

import itertools

import pytest

from bridzik_sim.games import contract

BIDS = range(1, 36)

GOLDEN = """
    1C= 70; 1NT= 90; 2SX= 470; 1NTXX= 560; 3NT= 400; 3NT= v 600; 4H+1 450; 5D= v 600; 6S= 980; 6S= v 1430;
    7NT= 1520; 7NT= v 2220; 7NTXX= v 2980; 1NTX+1 v 380; 2CXX+1 760; 2CXX+1 v 1160; 1CXX+6 v 2630; 3NT-1 -50;
    3NT-2 v -200; 3NTX-1 -100; 3NTX-3 -500; 3NTX-4 -800; 3NTX-4 v -1100; 3NTXX-4 -1600; 3NTXX-2 v -1000;
    7NTX-13 -3500; 7NTXX-13 v -7600
"""
IMP_LIMITS = """
    10 40 80 120 160 210 260 310 360 420 490 590 740 890 1090 1290 1490 1740 1990 2240 2490 2990 3490 3990
"""
"""The largest difference worth 0, 1, 2 … IMPs."""


def all_cases():
    return itertools.product(BIDS, range(3), range(2), range(14))


def made_cases():
    return [case for case in all_cases() if case[3] >= 6 + contract.level(case[0])]


@pytest.mark.parametrize("golden", GOLDEN.replace("\n", " ").split(";"))
def test_golden_values(golden):
    (made, *when, points) = golden.split()
    plain = made.rstrip("=+-0123456789")
    bid, doubled = contract.CALL_NAMES.index(plain.rstrip("X")), plain.count("X")
    tricks = 6 + int(made[0]) + int(made[len(plain) :].replace("=", "0"))
    assert contract.duplicate_points(bid, doubled, len(when), tricks) == int(points)


def test_the_lines_of_a_made_contract_add_up_to_its_duplicate_score():
    for bid, doubled, vulnerable, tricks in made_cases():
        below = contract.trick_points(bid, doubled)
        above = contract.above_points(bid, doubled, vulnerable, tricks)
        bonus = contract.game_points(below, vulnerable)
        assert below + above + bonus == contract.duplicate_points(bid, doubled, vulnerable, tricks)
        assert bonus == ((500 if vulnerable else 300) if below >= 100 else 50)


def test_only_contracts_of_100_below_are_games():
    games = {contract.CALL_NAMES[bid] for bid in BIDS if contract.trick_points(bid, 0) >= 100}
    lowest = {strain: min(name[0] for name in games if name[1:] == strain) for strain in contract.STRAINS}
    assert lowest == {"C": "5", "D": "5", "H": "4", "S": "4", "NT": "3"}
    assert contract.trick_points(contract.CALL_NAMES.index("2S"), 1) == 120
    assert contract.trick_points(contract.CALL_NAMES.index("1D"), 2) == 80


def test_above_the_line_go_overtricks_slams_and_the_insult():
    above = contract.above_points
    bid = contract.CALL_NAMES.index
    assert above(bid("1H"), 0, 1, 10) == 90
    assert above(bid("3NT"), 0, 0, 11) == 60
    assert above(bid("3NT"), 1, 0, 11) == 2 * 100 + 50
    assert above(bid("3NT"), 1, 1, 11) == 2 * 200 + 50
    assert above(bid("2C"), 2, 1, 9) == 400 + 100
    assert above(bid("6C"), 0, 0, 13) == 500 + 20
    assert above(bid("6S"), 1, 1, 12) == 750 + 50
    assert above(bid("7D"), 0, 0, 13) == 1000
    assert above(bid("7NT"), 2, 1, 13) == 1500 + 100


@pytest.mark.parametrize(
    ("doubled", "vulnerable", "each"),
    [
        (0, 0, [50] * 13), (0, 1, [100] * 13),
        (1, 0, [100, 200, 200] + [300] * 10), (1, 1, [200] + [300] * 12),
        (2, 0, [200, 400, 400] + [600] * 10), (2, 1, [400] + [600] * 12),
    ],
)  # fmt: skip
def test_undertricks(doubled, vulnerable, each):
    totals = [contract.undertrick_points(doubled, vulnerable, number) for number in range(14)]
    assert totals == [0, *itertools.accumulate(each)]


def test_imps_at_every_limit_and_beyond_it():
    for worth, limit in enumerate(map(int, IMP_LIMITS.split())):
        for difference, expected in ((limit, worth), (limit + 10, worth + 1)):
            assert contract.imps(difference) == expected
            assert contract.imps(-difference) == -expected
    assert contract.imps(0) == 0
    assert contract.imps(15000) == 24


def test_bids_rise_by_level_and_strain():
    assert contract.CALL_NAMES[:7] == ("P", "1C", "1D", "1H", "1S", "1NT", "2C")
    assert contract.CALL_NAMES[35:] == ("7NT", "X", "XX")
    assert len(contract.CALL_NAMES) == 38
    for bid in BIDS:
        level, strain = contract.level(bid), contract.strain(bid)
        assert contract.CALL_NAMES[bid] == f"{level}{contract.STRAINS[strain]}"
        assert contract.bid_of(level, strain) == bid
        assert contract.trump_suit(bid) == (-1 if strain == contract.NO_TRUMP else strain)
    assert [contract.contract_name(19, doubled) for doubled in range(3)] == ["4S", "4SX", "4SXX"]


def cards(text):
    """Mask of cards, by suit and ranks: ``SAKQJT H2``."""
    return sum(
        1 << 13 * "CDHS".index(suit[0]) + "23456789TJQKA".index(rank)
        for suit in text.split()
        for rank in suit[1:]
    )


@pytest.mark.parametrize(
    ("hand", "bid", "points"),
    [
        ("SAKQJT98765432", "1S", 150),
        ("SAKQJ9876 H23456", "4S", 100),
        ("SAKQT2 HAKQJT", "4S", 100),
        ("SAKQT2 HAKQJT", "2H", 150),
        ("SAKQJT CT2 DT2", "1C", 0),
        ("CKQJT2 DAKQ98", "7C", 100),
        ("SAKQ98765 HAKQ", "1S", 0),
        ("SAKQJT98765432", "1NT", 0),
        ("SA HA DA CAKQJT", "3NT", 150),
        ("SA HA DA CAKQJT", "3C", 150),
        ("SA HA DA CAKQJT", "3H", 0),
        ("SA HA DK CAKQJT", "3NT", 0),
    ],
)
def test_honours(hand, bid, points):
    assert contract.honour_points(cards(hand), contract.CALL_NAMES.index(bid)) == points


def test_rubber_bonuses():
    assert [contract.rubber_points(games) for games in (0, 1)] == [700, 500]
    assert (contract.UNFINISHED_GAME, contract.UNFINISHED_PART) == (300, 100)


def test_dealer_and_vulnerability_repeat_after_16_boards():
    nobody, north_south, east_west, both = range(4)
    vulnerable = [
        *(nobody, north_south, east_west, both),
        *(north_south, east_west, both, nobody),
        *(east_west, both, nobody, north_south),
        *(both, nobody, north_south, east_west),
    ]
    for unit in range(48):
        assert contract.board_dealer(unit) == unit % 4
        assert contract.board_vulnerable(unit) == vulnerable[unit % 16]
