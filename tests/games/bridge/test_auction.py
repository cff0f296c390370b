"""Auctions of four and, by the rules of marriage bridge, of two: who declares, when they end, what is legal."""

import pytest
from bridge_games import opened

from bridzik_sim.games import contract
from bridzik_sim.games.bridge import playout

PASS, DOUBLE, REDOUBLE = contract.PASS, contract.DOUBLE, contract.REDOUBLE
SEATS = "NESW"


def after(calls, dealer="N", last_bid_declares=0):
    """The position after an auction, every call of which is legal."""
    position = opened(SEATS.index(dealer), last_bid_declares)
    for number, call in enumerate(calls.split()):
        code = contract.CALL_NAMES.index(call)
        assert position.declarer < 0, f"the auction was over after {number} calls"
        assert playout.legal(position) >> code & 1, f"call {number}, {call}, is not legal"
        playout.apply(position, code)
    return position


def is_over(position):
    return position.turn < 0 or position.declarer >= 0


@pytest.mark.parametrize(
    ("calls", "declarer", "by_last_bid"),
    [
        ("1S P 2S P 4S P P P", "N", "N"),
        ("1S P 2S P P P", "N", "S"),
        ("1H 1S 2H 2S P P P", "E", "W"),
        ("P 1NT P 2C P 3C P P P", "W", "E"),
        ("1C X XX 1D 2C 2D P P P", "W", "E"),
        ("1NT P 2NT P 3NT X XX P P P", "N", "N"),
    ],
)  # fmt: skip
def test_the_declarer_by_both_rules(calls, declarer, by_last_bid):
    for last_bid_declares, expected in ((0, declarer), (1, by_last_bid)):
        position = after(calls, "N", last_bid_declares)
        assert SEATS[position.declarer] == expected
        assert position.leader == (position.declarer + 1) % 4
        assert position.dummy_seat == (position.declarer + 2) % 4


def test_the_longest_auction_of_four():
    call = "P P P {} P P X P P XX P P"
    bids = [name for name in contract.CALL_NAMES if name not in ("P", "X", "XX")]
    calls = call.format(bids[0]) + "".join(f" {bid} P P X P P XX P P" for bid in bids[1:])
    position = after(calls)
    assert not is_over(position)
    playout.apply(position, PASS)
    assert is_over(position)
    assert position.n_calls == 319 < contract.MAX_CALLS
    assert position.doubled == 2


def two_call(calls):
    """Whether an auction of two is over after its last call, and was not before; every call is legal."""
    bid = doubled = passes = bidder = 0
    over = False
    for number, name in enumerate(calls.split()):
        assert not over, f"the auction was over after {number} calls"
        code, seat = contract.CALL_NAMES.index(name), number % 2
        legal = contract.legal_calls(bid, doubled, int(bid > 0 and bidder == seat))
        assert legal >> code & 1, f"call {number}, {name}, is not legal"
        passes = passes + 1 if code == PASS else 0
        if code in (DOUBLE, REDOUBLE):
            doubled = code - DOUBLE + 1
        elif code != PASS:
            bid, doubled, bidder = code, 0, seat
        over = contract.auction_over(2, number + 1, passes, bid)
    return over


@pytest.mark.parametrize(
    "calls",
    [
        "P P",
        "1C P",
        "P 1C P",
        "1C X P",
        "1C X XX P",
        "1C 1D P",
        "P 1C X P",
        "P 1C 1D X XX P",
        "7NT P",
        "P 7NT X XX P",
    ],
)
def test_an_auction_of_two_ends_at_the_first_pass_after_a_bid_once_both_have_called(calls):
    assert two_call(calls)


@pytest.mark.parametrize("calls", ["P", "1C", "P 1C", "1C X", "1C X XX", "P 1C X", "1C X XX 1D X XX 1H"])
def test_an_auction_of_two_goes_on(calls):
    assert not two_call(calls)


def test_the_longest_auction_of_two():
    bids = [name for name in contract.CALL_NAMES if name not in ("P", "X", "XX")]
    calls = "P " + " ".join(f"{bid} X XX" for bid in bids)
    assert not two_call(calls)
    assert two_call(calls + " P")
    assert len(calls.split()) + 1 == 107


@pytest.mark.parametrize(
    ("bid", "doubled", "ours", "others"),
    [
        ("P", 0, 0, ""),
        ("1C", 0, 0, "X"), ("1C", 0, 1, ""), ("1C", 1, 0, ""), ("1C", 1, 1, "XX"), ("1C", 2, 0, ""), ("1C", 2, 1, ""),
        ("7NT", 0, 0, "X"), ("7NT", 0, 1, ""), ("7NT", 1, 1, "XX"), ("7NT", 2, 1, ""),
    ],
)  # fmt: skip
def test_legal_calls(bid, doubled, ours, others):
    code = contract.CALL_NAMES.index(bid)
    mask = contract.legal_calls(code, doubled, ours)
    legal = [name for number, name in enumerate(contract.CALL_NAMES) if mask >> number & 1]
    assert legal == ["P", *contract.CALL_NAMES[code + 1 : 36], *others.split()]
