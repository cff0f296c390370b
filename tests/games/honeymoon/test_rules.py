"""Every rule of honeymoon bridge by name, on the reference engine and on compiled positions in step (see ``honeymoon_deals``)."""

import itertools

import pytest
from honeymoon_deals import CALL_NAMES, Deal, ids, members, named

from bridzik_sim.errors import UsageError
from bridzik_sim.games.honeymoon.reference import dealer_of
from bridzik_sim.games.honeymoon.rules import GAME
from bridzik_sim.games.honeymoon.rules import dealer_of as compiled_dealer_of

SPADES = "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA"
HEARTS = SPADES.replace("S", "H")
BIDS = CALL_NAMES[1:36]


def calling(dealer="N", **more):
    """The auction of a deal in which N holds all spades and S all hearts."""
    return Deal(SPADES, HEARTS, dealer=dealer, **more)


def calls_of(deal):
    return deal.legal.split()


# Draw phase.


@pytest.mark.parametrize("number", range(8))
def test_the_dealer_leads_the_draw_phase(number):
    deal = Deal.dealt(1, number)
    assert (deal.phase, deal.turn) == ("draw", "NS"[dealer_of(number)])
    assert deal.legal == deal.hands["NS".index(deal.turn)]


def test_one_must_follow_suit_in_the_draw_phase():
    deal = Deal("C5 D9", "C2 CA D3 SA", "H2 H3").act("C5")
    assert (deal.turn, deal.legal) == ("S", "C2 CA")


def test_who_cannot_follow_suit_in_the_draw_phase_plays_any_card():
    deal = Deal("C5 D9", "D3 HK SA", "H2 H3").act("C5")
    assert (deal.turn, deal.legal) == ("S", "D3 HK SA")


def test_there_is_no_trump_in_the_draw_phase():
    for card in ("D3", "HK", "SA"):
        deal = Deal("C2 D9", f"{card} D4", "H2 H3 H4 H5").act("C2", card)
        assert deal.turn == "N"
        assert deal.fields["trump"] == -1


@pytest.mark.parametrize(
    ("leads", "follows", "winner"), [("C5", "C9", "S"), ("CJ", "C9", "N"), ("CA", "CK", "N")]
)
def test_the_highest_card_of_the_suit_led_wins_and_its_player_leads_next(leads, follows, winner):
    deal = Deal(f"{leads} D2", f"{follows} D3", "H2 H3 H4 H5").act(leads)
    assert deal.fields["best"] == ids(leads)[0]
    deal.act(follows)
    assert (deal.turn, deal.fields["leader"], deal.phase) == (winner, "NS".index(winner), "draw")


@pytest.mark.parametrize(("leads", "follows"), [("C5", "C9"), ("CJ", "C9"), ("C5", "DA")])
def test_who_led_the_trick_draws_first_whoever_won_it(leads, follows):
    deal = Deal(f"{leads} D2", f"{follows} D3", "SA S2 S4 S3").act(leads, follows)
    assert ("SA" in deal.hands[0], "S2" in deal.hands[1]) == (True, True)
    deal = Deal(f"{follows} D3", f"{leads} D2", "SA S2 S4 S3", dealer="S").act(leads, follows)
    assert ("S2" in deal.hands[0], "SA" in deal.hands[1]) == (True, True)


def test_tricks_of_the_draw_phase_do_not_count():
    deal = Deal("CA D2", "C3 D3", "SA S2 S4 S3").act("CA", "C3")
    assert deal.fields["taken"] == [0, 0]
    deal.act("D2", "D3")
    assert (deal.phase, deal.fields["taken"]) == ("auction", [0, 0])


def test_the_stock_runs_out_exactly_and_hands_always_have_thirteen_cards():
    for number in (0, 5):
        deal = Deal.dealt(2, number)
        for drawn in range(13):
            assert (deal.phase, deal.fields["stock"]) == ("draw", 26 - 2 * drawn)
            assert [len(hand.split()) for hand in deal.hands] == [13, 13]
            deal.act(deal.legal.split()[-1])
            deal.act(deal.legal.split()[0])
        assert (deal.phase, deal.fields["stock"]) == ("auction", 0)
        assert [len(hand.split()) for hand in deal.hands] == [13, 13]


def test_what_was_shown_to_be_lacking_is_forgotten_when_cards_are_drawn():
    deal = Deal("C2 D9", "D3 D4", "C3 C4 H4 H5").act("C2", "D3")
    assert deal.fields["seen_void"] == [0, 0]
    assert "C4" in deal.hands[1]


# What is known.


def test_the_opponents_hand_is_what_one_has_not_seen_from_the_auction_on_and_not_before():
    deal = Deal.dealt(3, 2)
    while not deal.over:
        seat = "NS".index(deal.turn)
        hidden = set(deal.hands[1 - seat].split())
        unseen = set(named(deal.fields["unseen"]).split())
        if deal.phase == "draw":
            assert hidden < unseen
            assert len(unseen) - len(hidden) == deal.fields["stock"]
        else:
            assert hidden == unseen
        deal.act(
            {"auction": "P" if deal.fields["n_calls"] else "1NT"}.get(deal.phase) or deal.legal.split()[0]
        )


# Auction.


@pytest.mark.parametrize("dealer", ["N", "S"])
@pytest.mark.parametrize(("leads", "follows"), [("C5", "C9"), ("CJ", "C9")])
def test_the_dealer_calls_first_whoever_won_the_last_trick(dealer, leads, follows):
    for leader in "NS":
        cards = [f"{leads} D2", f"{follows} D3"]
        hands = cards if leader == "N" else cards[::-1]
        deal = Deal(*hands, "SA S2", dealer=dealer, leader=leader).act(leads, follows)
        assert (deal.phase, deal.turn, deal.fields["leader"]) == ("auction", dealer, -1)


def test_calls_alternate():
    deal = calling("S")
    for turn, call in zip("SNSNS", ["P", "1C", "1D", "X", "XX"], strict=True):
        assert deal.turn == turn
        deal.act(call)


def test_two_opening_passes_give_nothing_and_end_the_deal():
    for dealer in "NS":
        deal = calling(dealer, vulnerable="both").act("P", "P")
        assert (deal.over, deal.points, deal.contract, deal.declarer) == (True, [0, 0], None, "")


def test_the_auction_goes_on_until_both_have_called():
    assert calling().act("P").phase == "auction"
    assert calling().act("1C").phase == "auction"


@pytest.mark.parametrize(
    "calls", ["P 1S P", "1S P", "P 1S 2C P", "P 1S X P", "P 1S X XX P", "1S X P", "1H 1S P"]
)
def test_the_auction_ends_at_the_first_pass_once_both_have_called(calls):
    *earlier, last = calls.split()
    deal = calling()
    for call in earlier:
        deal.act(call)
        assert deal.phase == "auction"
    assert deal.act(last).phase == "play"


def test_after_dealers_pass_and_a_bid_the_dealer_calls_again():
    deal = calling("S").act("P", "4H")
    assert (deal.phase, deal.turn) == ("auction", "S")
    assert calls_of(deal) == ["P", *BIDS[BIDS.index("4H") + 1 :], "X"]


def test_a_bid_must_be_higher_than_the_last_one():
    for lower, higher in itertools.pairwise(BIDS):
        deal = calling().act(lower)
        assert calls_of(deal) == ["P", *BIDS[BIDS.index(higher) :], "X"]
    assert calls_of(calling().act("7NT")) == ["P", "X"]


def test_before_a_bid_there_is_nothing_to_double():
    assert calls_of(calling()) == ["P", *BIDS]
    assert calls_of(calling().act("P")) == ["P", *BIDS]


def test_only_the_opponents_bid_may_be_doubled_and_only_once():
    deal = calling().act("7S")
    assert calls_of(deal) == ["P", "7NT", "X"]
    deal.act("X")
    assert calls_of(deal) == ["P", "7NT", "XX"]
    deal.act("XX")
    assert calls_of(deal) == ["P", "7NT"]


def test_only_ones_own_bid_that_was_doubled_may_be_redoubled():
    assert "XX" not in calls_of(calling().act("1C"))
    assert "XX" in calls_of(calling().act("1C", "X"))
    assert "XX" not in calls_of(calling().act("1C", "X", "1D"))
    assert calls_of(calling().act("1C", "X", "1D"))[-1] == "X"


@pytest.mark.parametrize("calls", ["7C X", "7C X XX"])
def test_the_auction_goes_on_after_double_and_redouble_and_a_bid_undoes_them(calls):
    deal = calling().act(*calls.split())
    bidder = "NS".index(deal.turn)
    deal.act("7D")
    assert (deal.phase, deal.contract) == ("auction", "7D")
    assert (deal.fields["doubled"], deal.fields["bidder"]) == (0, bidder)


def test_the_last_bidder_declares():
    for calls, declarer in (
        ("1S P", "N"),
        ("P 1S P", "S"),
        ("1S 2S P", "S"),
        ("1S 2S 3S P", "N"),
        ("1S X P", "N"),
    ):
        deal = calling().act(*calls.split())
        assert (deal.phase, deal.declarer) == ("play", declarer)
    # Not who named the strain first.
    assert calling("S").act("1S", "2S", "P").declarer == "N"


# Play.


@pytest.mark.parametrize("dealer", ["N", "S"])
@pytest.mark.parametrize("calls", ["1S P", "P 1S P"])
def test_the_dealers_opponent_leads_even_against_its_own_contract(dealer, calls):
    deal = calling(dealer).act(*calls.split())
    other = {"N": "S", "S": "N"}[dealer]
    assert (deal.phase, deal.turn) == ("play", other)
    assert (deal.declarer == other) == (calls == "P 1S P")


def playing(north, south, contract, leader="N"):
    """The play of a contract by N, in which the ``leader`` leads."""
    calls = ["P", contract, "P"] if leader == "N" else [contract, "P"]
    return Deal(north, south, dealer={"N": "S", "S": "N"}[leader]).act(*calls)


def test_one_must_follow_suit_in_the_play():
    deal = playing("C5 D9", "C2 CA D3 SA", "1S").act("C5")
    assert (deal.turn, deal.legal) == ("S", "C2 CA")


def test_there_is_no_duty_to_ruff():
    deal = playing("C5 D9", "D3 HK SA S2", "1S").act("C5")
    assert (deal.turn, deal.legal) == ("S", "D3 HK S2 SA")


@pytest.mark.parametrize(("strain", "winner"), [("C", "N"), ("D", "N"), ("H", "N"), ("S", "S"), ("NT", "N")])
def test_a_trump_wins_any_other_card(strain, winner):
    deal = playing("CA D9", "S2 D3", f"1{strain}").act("CA", "S2")
    assert (deal.turn, deal.fields["taken"]) == (winner, [int(winner == "N"), int(winner == "S")])


@pytest.mark.parametrize(
    ("strain", "cards", "winner"),
    [
        ("NT", "C5 C9", "S"),
        ("NT", "C9 C5", "N"),
        ("NT", "C2 SA", "N"),
        ("C", "C5 C9", "S"),
        ("D", "C2 SA", "N"),
    ],
)
def test_without_a_trump_the_highest_card_of_the_suit_led_wins(strain, cards, winner):
    leads, follows = cards.split()
    deal = playing(f"{leads} D2", f"{follows} D3", f"1{strain}").act(leads, follows)
    assert (deal.turn, deal.fields["leader"]) == (winner, "NS".index(winner))


def test_who_does_not_follow_suit_in_the_play_has_shown_it():
    deal = playing("CA D9", "S2 D3", "1H").act("CA", "S2")
    assert deal.fields["seen_void"] == [0, 1]


# Scores. N has the highest cards of one suit and the lowest of another, S the others of both; then N takes as many tricks as
# it has of the first, if both lead from the top.


def result(contract, tricks, vulnerable="none", declarer="N"):
    """The points of a deal in which N takes so many tricks."""
    strain = contract.rstrip("X")[1:]
    first, second = {"C": "CD", "D": "DC", "H": "HS", "S": "SH", "NT": "SH"}[strain]
    own, other = (SPADES.replace("S", suit).split() for suit in (first, second))
    hands = own[13 - tricks :] + other[: 13 - tricks], own[: 13 - tricks] + other[13 - tricks :]
    bid, doubles = contract.rstrip("X"), ["X", "XX"][: contract.count("X")]
    # N leads, but when S has the whole of the first suit.
    dealer = "S" if tricks else "N"
    calls = [bid, *doubles, "P"] if dealer == declarer else ["P", bid, *doubles, "P"]
    deal = Deal(*map(" ".join, hands), dealer=dealer, vulnerable=vulnerable).act(*calls)
    assert (deal.contract, deal.declarer) == (contract, declarer)
    while not deal.over:
        cards = members(deal.fields["legal"])
        in_first = [card for card in cards if card // 13 == "CDHS".index(first)]
        deal.act(named(1 << max(in_first or cards)))
    assert deal.taken == [tricks, 13 - tricks]
    return deal.points


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "points"),
    [
        ("1C", 7, "none", 70), ("1NT", 7, "none", 90), ("2SX", 8, "none", 470), ("1NTXX", 7, "none", 560),
        ("3NT", 9, "none", 400), ("3NT", 9, "N", 600), ("4H", 11, "none", 450), ("5D", 11, "N", 600),
        ("6S", 12, "none", 980), ("6S", 12, "N", 1430), ("7NT", 13, "none", 1520), ("7NT", 13, "N", 2220),
        ("7NTXX", 13, "both", 2980), ("1NTX", 8, "N", 380), ("2CXX", 9, "none", 760), ("2CXX", 9, "N", 1160),
        ("1CXX", 13, "N", 2630), ("3NT", 8, "none", -50), ("3NT", 7, "N", -200), ("3NTX", 8, "none", -100),
        ("3NTX", 6, "none", -500), ("3NTX", 5, "none", -800), ("3NTX", 5, "N", -1100),
        ("3NTXX", 5, "none", -1600), ("3NTXX", 7, "N", -1000), ("7NTX", 0, "none", -3500),
        ("7NTXX", 0, "both", -7600), ("4S", 10, "none", 420), ("4S", 10, "N", 620), ("3H", 9, "N", 140),
    ],
)  # fmt: skip
def test_declarer_gains_the_points_of_the_contract_or_the_opponent_those_of_the_undertricks(
    contract, tricks, vulnerable, points
):
    assert result(contract, tricks, vulnerable) == ([points, 0] if points > 0 else [0, -points])


@pytest.mark.parametrize(
    ("contract", "tricks", "declarer", "plain", "more"),
    [
        ("4S", 10, "N", [420, 0], [620, 0]),
        ("7S", 10, "N", [0, 150], [0, 300]),
        ("2NT", 6, "S", [50, 0], [100, 0]),
        ("1NT", 6, "S", [0, 90], [0, 90]),
    ],
)
def test_the_vulnerability_is_that_of_declarer(contract, tricks, declarer, plain, more):
    other = {"N": "S", "S": "N"}[declarer]
    for vulnerable, points in (("none", plain), (other, plain), (declarer, more), ("both", more)):
        assert result(contract, tricks, vulnerable, declarer) == points


def test_dealers_and_vulnerability_come_in_a_cycle_of_eight_in_both_engines():
    for deal in range(24):
        assert dealer_of(deal) == compiled_dealer_of(deal) == (deal % 8 in (1, 3, 4, 6))
    seen = {(Deal.dealt(1, deal).turn, *Deal.dealt(1, deal).fields["vulnerable"]) for deal in range(8)}
    assert len(seen) == 8


# Options.


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("deals", "1", 1),
        ("deals", 1000, 1000),
        *(("vulnerability", v, v) for v in ("cycle", "random", "none", "both")),
    ],
)
def test_options_that_are_known(name, value, kept):
    assert GAME.parse_options({name: value})[name] == kept


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deals", 0),
        ("deals", "1001"),
        ("deals", True),
        ("vulnerability", "N"),
        ("par", "maybe"),
        ("board", 1),
    ],
)
def test_options_that_are_refused(name, value):
    with pytest.raises(UsageError, match=name):
        GAME.parse_options({name: value})


def test_the_default_match_has_sixteen_deals_in_the_cycle():
    assert GAME.parse_options({}) == {"deals": 16, "vulnerability": "cycle", "par": "off"}
