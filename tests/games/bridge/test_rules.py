"""Every rule of bridge by name, on the reference engine and on compiled positions in step (see ``bridge_deals``)."""

import re
from itertools import pairwise, product

import pytest
from bridge_deals import ONE_SUIT_EACH, PASSES, Deal, Rubber

from bridzik_sim.games.bridge.plain_deal import VULNERABLE_NAMES, Conditions, Table, board_conditions, hand_of
from bridzik_sim.games.bridge.plain_sheet import record_of, winners_of
from bridzik_sim.games.contract import board_dealer, board_vulnerable, duplicate_points
from bridzik_sim.games.plain_contract import CALL_NAMES, CARD_NAMES, contract_name
from bridzik_sim.games.plain_contract import duplicate_points as plain_duplicate_points

N, E, S, W = range(4)
BIDS = CALL_NAMES[1:36]
BOARD = {"scoring": "duplicate"}

# The auction.


@pytest.mark.parametrize("dealer", [N, E, S, W])
def test_the_dealer_calls_first_and_the_calls_go_to_the_left(dealer):
    deal, callers = Deal(dealer=dealer), []
    for call in ["P", "P", "1C", "P", "1H"]:
        callers.append(deal.turn)
        deal.call(call)
    assert callers == [(dealer + step) % 4 for step in range(5)]


def test_at_first_one_may_pass_or_bid_anything_but_not_double():
    assert Deal().legal.split() == ["P", *BIDS]


def test_a_bid_must_be_higher_by_level_or_by_strain_from_clubs_to_no_trump():
    deal = Deal()
    for lower, higher in pairwise(BIDS):
        deal.call(lower)
        assert deal.legal.split()[1] == higher
        assert deal.legal.split()[:-1] == ["P", *BIDS[BIDS.index(higher) :]]
    assert deal.call("7NT").legal == "P X"


def test_only_the_other_side_s_last_bid_may_be_doubled_and_only_once():
    deal = Deal().call("1H")
    assert "X" in deal.legal.split()
    assert "X" not in deal.call("P").legal.split()
    assert "X" in deal.call("P").legal.split()
    assert not {"X", "XX"} & {*Deal().call("1H X P").legal.split()}


def test_only_the_own_side_s_bid_that_is_doubled_may_be_redoubled():
    assert "XX" in Deal().call("1H X").legal.split()
    assert "XX" in Deal().call("1H X P P").legal.split()
    assert "XX" not in Deal().call("1H X P").legal.split()
    assert not {"X", "XX"} & {*Deal().call("1H X XX").legal.split()}
    assert not {"X", "XX"} & {*Deal().call("1H X XX P").legal.split()}


def test_a_later_bid_undoes_double_and_redouble():
    deal = Deal().call("1H X XX 1S")
    assert (deal.shown["doubled"], deal.shown["contract"], deal.shown["bidder"]) == (0, 4, W)
    assert "X" in deal.legal.split()


def test_four_opening_passes_end_the_deal_and_three_do_not():
    deal = Deal().call("P P P")
    assert (deal.over, deal.turn) == (False, W)
    assert deal.call("P").over


@pytest.mark.parametrize("calls", ["1S", "P P P 1S", "1S X", "1S X XX", "1S P P X"])
def test_three_passes_after_the_last_other_call_end_the_auction(calls):
    deal = Deal().call(calls)
    for _ in range(2):
        assert deal.call("P").shown["declarer"] == -1
    assert deal.call("P").shown["declarer"] >= 0


def test_the_longest_auction_has_319_calls():
    last = " ".join(f"{bid} P P X P P XX P P" for bid in BIDS)
    deal = Deal().call(f"P P P {last}")
    assert (deal.shown["n_calls"], deal.shown["declarer"]) == (318, -1)
    assert deal.legal == "P"
    assert deal.call("P").shown["n_calls"] == 319
    assert deal.shown["declarer"] >= 0


def roles(deal):
    return deal.shown["declarer"], deal.shown["dummy_seat"], deal.turn


def test_declarer_is_who_of_the_side_named_the_strain_first():
    assert roles(Deal().call(f"1S P 2S {PASSES}")) == (N, S, E)
    assert roles(Deal().call(f"1S P 2H P 4H P 4S {PASSES}")) == (N, S, E)
    assert roles(Deal().call(f"P P 1H P 1S P 2S {PASSES}")) == (N, S, E)


def test_that_the_other_side_has_named_the_strain_before_does_not_count():
    assert roles(Deal().call(f"1S 2S P 3S {PASSES}")) == (E, W, S)
    assert roles(Deal().call(f"1C 1NT P P 2NT {PASSES}")) == (N, S, E)


def test_with_last_bid_declares_who_made_the_last_bid():
    assert roles(Deal(declarer="last_bid").call(f"1S P 2S {PASSES}")) == (S, N, W)
    assert roles(Deal(declarer="last_bid").call(f"1S X P 2H 2S X XX {PASSES}")) == (N, S, E)


# The play.

MIXED = ["AKQ2.J3.T98.5432", "JT98.AKQ2.J3.T98", "7654.T98.AKQ2.J7", "3.7654.7654.AKQ6"]


def test_one_must_follow_suit_and_need_not_beat():
    deal = Deal(*MIXED).call(f"1NT {PASSES}").play("SJ")
    assert deal.legal == "S4 S5 S6 S7"
    deal.play("S4")
    assert deal.legal == "S3"
    assert deal.play("S3").legal == "S2 SQ SK SA"


def test_who_cannot_follow_plays_any_card_and_need_not_ruff():
    deal = Deal().call(f"1S {PASSES}").play("H2")
    assert deal.legal.split() == [name for name in CARD_NAMES if name[0] == "D"]
    assert len(deal.play("D2 C2").legal.split()) == 13


def winner_of(contract, cards):
    """Who wins the first trick, led by E; each seat has one suit."""
    return Deal().call(f"{contract} {PASSES}").play(cards).shown["leader"]


def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led():
    assert winner_of("1NT", "H2 DA CA SA") == E
    assert winner_of("1D", "H2 D2 CA SA") == S
    assert winner_of("1S", "HA D2 CA S2") == N
    assert winner_of("1H", "H2 DA CA SA") == E
    deal = Deal(*MIXED).call(f"1NT {PASSES}").play("SJ S4 S3 SQ")
    assert deal.shown["leader"] == N


def test_the_higher_of_two_trumps_wins():
    hands = ["32.AKQJT987654..", "AKQJT987654.32..", "..AKQJT987654.32", "..32.AKQJT987654"]
    deal = Deal(*hands, dealer=N).call(f"1C {PASSES}")
    assert deal.play("H2 C3 CA H4").shown["leader"] == W
    assert Deal(*hands).call(f"1C {PASSES}").play("H2 DA C4 H4").shown["leader"] == W


def test_the_winner_leads_next_also_dummy_for_which_declarer_plays():
    deal = Deal(*MIXED).call(f"1NT {PASSES}").play("HA H8 H4 H3")
    assert (deal.turn, deal.decider) == (E, E)
    deal.play("D3 DA D4 D8")
    assert (deal.turn, deal.decider, deal.shown["leader"]) == (S, N, S)


def test_the_seat_left_of_declarer_leads_before_dummy_is_shown():
    deal = Deal().call(f"1S {PASSES}")
    assert (deal.turn, deal.decider, deal.shown["dummy"], deal.shown["dummy_seat"]) == (E, E, 0, S)
    deal.play("H2")
    assert deal.shown["dummy"] == sum(1 << card for card in deal.table.hands[S]) > 0


def test_declarer_plays_dummy_s_cards_with_its_own_hand_in_view():
    deal = Deal().call(f"1S {PASSES}").play("H2")
    assert (deal.turn, deal.decider) == (S, N)
    assert (deal.shown["seat"], deal.shown["playing_for"]) == (N, S)
    assert deal.shown["hand"] == sum(1 << card for card in deal.table.hands[N])
    assert deal.shown["legal"] == deal.shown["dummy"]
    deal.play("D2 C2")
    assert (deal.decider, deal.shown["playing_for"]) == (N, N)


def test_everyone_sees_the_cards_that_dummy_still_holds():
    deal = Deal().call(f"1S {PASSES}").play("H2 D2")
    assert deal.decider == W
    assert deal.shown["dummy"].bit_count() == 12


def test_dummy_is_never_asked_and_there_are_13_tricks():
    deal, asked = Deal(*MIXED).call(f"2H {PASSES}"), []
    while not deal.over:
        asked.append(deal.decider)
        deal.play(deal.legal.split()[0])
    assert len(asked) == 52
    assert {*asked} == {E, W, N}
    assert asked.count(N) == 26


def test_a_seat_that_does_not_follow_shows_that_it_has_none():
    deal = Deal(*MIXED).call(f"1NT {PASSES}").play("SJ S4 S3 S2 ST S5 H4")
    assert deal.shown["seen_void"] == [0, 0, 0, 1 << 3]


# The rubber.


def test_only_the_tricks_bid_are_written_below_the_line():
    rubber = Rubber()
    assert rubber.write("2S", N, 10) == [120, 0]
    assert (rubber.below, rubber.written, rubber.above) == ([60, 0], [60, 0], [60, 0])


def test_undertricks_are_the_other_side_s_and_nobody_loses_points():
    rubber = Rubber()
    assert rubber.write("3NT", E, 7) == [100, 0]
    assert (rubber.below, rubber.above) == ([0, 0], [100, 0])


@pytest.mark.parametrize(
    ("contract", "below"),
    [("5C", 100), ("4H", 120), ("3NT", 100), ("2SX", 120), ("1CXX", 80), ("7NTXX", 880)],
)
def test_trick_points_are_doubled_below_the_line_and_100_of_one_deal_are_a_game(contract, below):
    rubber = Rubber()
    rubber.write(contract, W, 13)
    assert rubber.written == [0, below]
    assert rubber.games == [0, int(below >= 100)]


def test_100_of_several_deals_win_a_game_and_strike_both_part_scores_whose_points_stay():
    rubber = Rubber()
    rubber.write("2S", N, 8)
    rubber.write("1NT", E, 7)
    assert rubber.below == [60, 40]
    assert rubber.write("1NT", S, 7) == [40, 0]
    assert (rubber.below, rubber.games, rubber.written) == ([0, 0], [1, 0], [100, 40])
    assert rubber.write("2C", W, 8) == [0, 40]
    assert (rubber.below, rubber.games) == ([0, 40], [1, 0])


def test_90_are_no_game():
    rubber = Rubber()
    rubber.write("3S", N, 9)
    assert (rubber.below, rubber.games) == ([90, 0], [0, 0])


def test_one_deal_gives_one_game_and_nothing_is_carried_on():
    rubber = Rubber()
    rubber.write("1S", N, 7)
    rubber.write("7NT", N, 13)
    assert (rubber.games, rubber.below) == ([1, 0], [0, 0])


def test_a_side_is_vulnerable_once_it_has_won_a_game_from_the_next_deal_on():
    rubber = Rubber()
    assert rubber.write("6NT", N, 12) == [190 + 500, 0]
    assert rubber.vulnerable == "NS"
    assert rubber.write("3NT", N, 8) == [0, 100]
    assert rubber.write("3NT", E, 8) == [50, 0]
    rubber.write("3NT", E, 9)
    assert rubber.vulnerable == "both"
    assert rubber.write("1CX", E, 6) == [200, 0]


def test_two_games_win_the_rubber_with_700_above_the_line_if_the_others_have_none():
    rubber = Rubber()
    rubber.write("3NT", N, 9)
    assert rubber.write("3NT", S, 9) == [800, 0]
    assert (rubber.ending, rubber.above, rubber.written) == (0, [700, 0], [200, 0])


def test_and_with_500_if_they_have_one():
    rubber = Rubber()
    rubber.write("3NT", N, 9)
    rubber.write("3NT", E, 9)
    assert rubber.write("4S", W, 10) == [0, 620]
    assert (rubber.ending, rubber.games) == (1, [1, 2])


def test_the_insult_slams_and_overtricks_are_above_the_line():
    rubber = Rubber()
    assert rubber.write("6CX", N, 13) == [240 + 50 + 500 + 100, 0]
    assert rubber.above == [650, 0]
    assert rubber.write("7CXX", N, 13) == [560 + 100 + 1500 + 700, 0]


@pytest.mark.parametrize(
    ("contract", "declarer", "points"),
    [
        ("1S", N, [150, 0]),  # N's five trump honours
        ("1H", N, [0, 150]),  # a defender's
        ("1D", W, [150, 0]),  # the other defender's
        ("1C", E, [0, 150]),  # dummy's
        ("1NT", N, [0, 0]),
    ],
)
@pytest.mark.parametrize("tricks", [7, 0])
def test_honours_of_any_hand_score_for_its_side_whatever_becomes_of_the_contract(
    contract, declarer, points, tricks
):
    plain, rubber = Rubber(), Rubber("on")
    without = plain.write(contract, declarer, tricks)
    gained = rubber.write(contract, declarer, tricks)
    assert [gained[side] - without[side] for side in (0, 1)] == points
    assert rubber.below == plain.below


ACES = ["AKQJ.A32.A32.A32", "T987.KQJT.KQJ.K4", "65432.98.T98.QJT", ".7654.7654.98765"]


@pytest.mark.parametrize(
    ("contract", "points"), [("1S", [100, 0]), ("1NT", [150, 0]), ("1H", [0, 100]), ("1C", [0, 0])]
)
def test_four_trump_honours_are_100_and_four_aces_at_no_trump_150(contract, points):
    for declarer in range(4):
        without = Rubber().write(contract, declarer, 7, ACES)
        gained = Rubber("on").write(contract, declarer, 7, ACES)
        assert [gained[side] - without[side] for side in (0, 1)] == points


def test_honours_are_never_doubled_and_three_are_none():
    for contract in ("1SX", "1SXX"):
        without = Rubber().write(contract, N, 7, ACES)
        assert Rubber("on").write(contract, N, 7, ACES) == [without[0] + 100, without[1]]
    without = Rubber().write("1D", N, 7, ACES)
    assert Rubber("on").write("1D", N, 7, ACES) == without


@pytest.mark.parametrize(
    ("north", "east"),
    [
        ("KQJT.A32.A32.A32", "A987.KQJT.KQJ.K4"),
        ("AKQJ.K32.A32.A32", "T987.AQJT.KQJ.K4"),
        ("AKQJ.A32.K32.A32", "T987.KQJT.AQJ.K4"),
        ("AKQJ.A32.A32.K32", "T987.KQJT.KQJ.A4"),
    ],
)
def test_three_aces_are_no_honours(north, east):
    hands = [north, east, *ACES[2:]]
    assert Rubber("on").write("1NT", N, 7, hands) == Rubber().write("1NT", N, 7, hands) == [40, 0]


def test_honours_win_no_game():
    rubber = Rubber("on")
    rubber.write("1S", N, 7)
    assert (rubber.games, rubber.below, rubber.above) == ([0, 0], [30, 0], [150, 0])


def test_a_deal_that_was_passed_out_scores_nothing_no_honours_either():
    rubber = Rubber("on")
    assert rubber.write("P") == [0, 0]


def unfinished(deals, last="P", **how):
    rubber = Rubber()
    for contract, seat in deals:
        rubber.write(contract, seat, 6 + int(contract[0]))
    points = rubber.write(last, **how, last=True)
    assert rubber.ending == 2
    return points


def test_an_unfinished_rubber_gives_300_to_the_only_side_with_a_game():
    assert unfinished([("3NT", N)]) == [300, 0]
    assert unfinished([("3NT", W)]) == [0, 300]


def test_and_100_to_the_only_side_with_a_part_score_also_at_one_game_each():
    assert unfinished([("1NT", W)]) == [0, 100]
    assert unfinished([("3NT", N), ("3NT", E), ("1NT", S)]) == [100, 0]


def test_both_may_come_to_one_side_or_one_to_each():
    assert unfinished([("3NT", N), ("1NT", N)]) == [400, 0]
    assert unfinished([("3NT", N), ("1NT", E)]) == [300, 100]


def test_they_are_nobody_s_when_both_sides_have_the_same():
    assert unfinished([]) == [0, 0]
    assert unfinished([("3NT", N), ("3NT", E)]) == [0, 0]
    assert unfinished([("1NT", N), ("2NT", E)]) == [0, 0]
    assert unfinished([("1NT", N), ("2NT", E), ("3NT", N)]) == [300, 0]


def test_they_belong_to_the_points_of_the_last_deal():
    assert unfinished([("1NT", N)], "1NT", seat=S, tricks=7) == [40 + 100, 0]
    assert unfinished([("1NT", N)], "3NT", seat=S, tricks=8) == [100, 50]


def test_a_rubber_that_is_won_in_the_last_deal_is_finished():
    rubber = Rubber()
    rubber.write("3NT", N, 9)
    assert rubber.write("3NT", S, 9, last=True) == [800, 0]
    assert rubber.ending == 0


def test_the_side_with_more_points_wins_whoever_has_won_the_games_and_ties_are_shared():
    rubber = Rubber()
    rubber.write("7NTXX", N, 0)
    rubber.write("3NT", N, 9)
    rubber.write("3NT", S, 9)
    assert (rubber.ending, rubber.sheet.totals) == (0, [900, 7000])
    assert winners_of(rubber.sheet.totals) == [E, W]
    assert winners_of([910, 900]) == [N, S]
    assert winners_of([0, 0]) == [N, E, S, W]


# Duplicate.


def test_dealer_and_vulnerability_follow_the_cycle_of_16_boards():
    told = [board_conditions(board) for board in range(1, 41)]
    assert [(one.dealer, one.vulnerable, one.board) for one in told] == [
        (board_dealer(unit), board_vulnerable(unit), unit + 1) for unit in range(40)
    ]
    vulnerable = [VULNERABLE_NAMES[one.vulnerable] for one in told[:16]]
    assert vulnerable[:8] == ["none", "NS", "EW", "both", "NS", "EW", "both", "none"]
    assert vulnerable[8:] == ["EW", "both", "none", "NS", "both", "none", "NS", "EW"]


def test_both_engines_score_every_contract_alike():
    for bid, doubled, vulnerable, tricks in product(range(1, 36), range(3), (0, 1), range(14)):
        points = duplicate_points(bid, doubled, vulnerable, tricks)
        assert plain_duplicate_points(bid, doubled, bool(vulnerable), tricks) == points


GOLDEN = """1C= 70; 1NT= 90; 2SX= 470; 1NTXX= 560; 3NT= 400; 3NT= v 600; 4H+1 450; 5D= v 600; 6S= 980; 6S= v 1430;
7NT= 1520; 7NT= v 2220; 7NTXX= v 2980; 1NTX+1 v 380; 2CXX+1 760; 2CXX+1 v 1160; 1CXX+6 v 2630; 3NT-1 -50;
3NT-2 v -200; 3NTX-1 -100; 3NTX-3 -500; 3NTX-4 -800; 3NTX-4 v -1100; 3NTXX-4 -1600; 3NTXX-2 v -1000;
7NTX-13 -3500; 7NTXX-13 v -7600"""


@pytest.mark.parametrize("line", GOLDEN.replace("\n", " ").split("; "))
def test_known_values_of_duplicate(line):
    contract, bid, doubled, result, vulnerable, points = re.fullmatch(
        r"((\d\w+?)(X*))([=+-]\d*) (v )?(-?\d+)", line
    ).groups()
    tricks = 6 + int(bid[0]) + int(result.replace("=", "") or 0)
    for side in (0, 1):
        # E-W or N-S are vulnerable; the other side's vulnerability does not matter.
        for others in (0, 1):
            mask = (bool(vulnerable) << side) | (others << 1 - side)
            table = Table(
                0, Conditions(side, mask, 1), [hand_of(hand) for hand in ONE_SUIT_EACH], None, BOARD
            )
            for call in [bid, *[[], ["X"], ["X", "XX"]][len(doubled)], "P", "P", "P"]:
                table.auction.make(CALL_NAMES.index(call))
            table.end_auction()
            table.taken[side] = tricks
            made = record_of(table, table.sheet, True)
            gained = max(int(points), 0), max(-int(points), 0)
            assert made.points == [*(gained if side == 0 else gained[::-1])]
            assert contract_name(made.contract, made.doubled) == contract
            assert (made.below, made.written, made.above, made.games) == ([0, 0],) * 4
