"""Properties that hold in every game of bridge, whoever plays, decision by decision and in the rows of the kernel."""

from functools import partial
from itertools import groupby

import numpy as np
import played_rows
from bridge_games import pick
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridzik_sim.cards import popcount
from bridzik_sim.games.bridge import playout
from bridzik_sim.games.bridge.plain_deal import deal_hands
from bridzik_sim.games.bridge.rules import VIEW
from bridzik_sim.games.plain import SeatView, mask_of, stream_tag, unit_words
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose

SEEDS = st.integers(0, 2**63 - 1)
WHOLE = (1 << 52) - 1
FAULTS = (
    "a card lost or doubled",
    "no answer",
    "dummy asked",
    "an answer beyond its hand",
    "dummy's cards not shown",
)
DECLARER = st.sampled_from(("laws", "last_bid"))
RUBBER = st.fixed_dictionaries(
    {
        "declarer": DECLARER,
        "honours": st.sampled_from(("off", "on")),
        "max_deals": st.one_of(st.integers(1, 12), st.just(60)),
        "first_dealer": st.integers(0, 3),
    }
)


@jit
def fault(position, view):
    """Index into FAULTS of what is wrong before a decision, -1 if nothing is."""
    held, cards = position.played, popcount(position.played)
    for seat in range(4):
        held |= position.hands[seat]
        cards += popcount(position.hands[seat])
    if held != WHOLE or cards != 52:
        return 0
    if view.legal == 0:
        return 1
    playing = position.declarer >= 0
    if playing and view.seat == position.dummy_seat:
        return 2
    owner = position.hands[view.playing_for]
    if playing and view.legal & ~owner:
        return 3
    shown = position.hands[position.dummy_seat] if playing and position.played else 0
    return 4 if view.dummy != shown else -1


@jit
def play_on(position, view, wild):
    """Play a deal to its end, with wild calls or careful ones; returns (its calls and cards, the first fault)."""
    calls = cards = 0
    while position.turn >= 0:
        playout.show(position, view)
        wrong = fault(position, view)
        if wrong >= 0:
            return calls, cards, wrong
        if position.declarer < 0:
            calls += 1
        else:
            cards += 1
        playout.apply(position, choose(view) if wild else pick(view))
    return calls, cards, -1


def opened(seed, dealer, declarer):
    words = unit_words(seed, stream_tag("bridge", 1), 0)
    position, view = np.zeros(1, playout.POSITION).view(np.recarray)[0], SeatView(VIEW).record
    view.stream = words
    position.hands = [mask_of(hand) for hand in deal_hands(words, 0)]
    position.last_bid_declares = declarer == "last_bid"
    playout.open_deal(position, dealer)
    return position, view


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(0, 3), DECLARER, st.booleans())
def test_every_deal_is_played_to_the_end_with_all_cards_in_one_place(seed, dealer, declarer, wild):
    position, view = opened(seed, dealer, declarer)
    calls, cards, wrong = play_on(position, view, wild)
    assert wrong == -1, FAULTS[wrong]
    assert calls == position.n_calls <= 319
    if position.contract == 0:
        assert (calls, cards) == (4, 0)
        return
    assert (cards, position.taken.sum(), position.played) == (52, 13, WHOLE)
    assert position.hands.tolist() == [0] * 4
    check_auction(position)


def check_auction(position):
    """Bids rise, three passes end it, and declarer's side has made the last one and declarer named its strain."""
    calls = position.calls[: position.n_calls].tolist()
    bids = [call for call in calls if 1 <= call <= 35]
    assert bids == sorted({*bids})
    assert calls[-3:] == [0] * 3
    assert calls[-4] != 0
    assert position.contract == bids[-1]
    last = len(calls) - 1 - calls[::-1].index(bids[-1])
    assert position.doubled == sum(call > 35 for call in calls[last:])
    bidder = (position.dealer + last) % 4
    assert (bidder, (bidder - position.declarer) % 2) == (position.bidder, 0)
    named = [
        (position.dealer + number) % 4
        for number, call in enumerate(calls)
        if 1 <= call <= 35 and (call - bids[-1]) % 5 == 0 and (number - last) % 2 == 0
    ]
    assert position.declarer == (bidder if position.last_bid_declares else named[0])


def test_the_checks_find_what_is_wrong():
    position, view = opened(1, 0, "laws")
    position.hands[1] |= position.hands[2] & -position.hands[2]
    assert play_on(position, view, True)[2] == 0
    position, view = opened(1, 0, "laws")
    for call in (1, 0, 0, 0):
        playout.apply(position, call)
    playout.show(position, view)
    assert fault(position, view) == -1
    for name, value, wrong in (("legal", 0, 1), ("seat", 2, 2), ("legal", WHOLE, 3), ("dummy", 1, 4)):
        playout.show(position, view)
        view[name] = value
        assert fault(position, view) == wrong


rows_of = partial(played_rows.rows_of, "bridge")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEEDS, st.integers(0, 10**10), RUBBER)
def test_the_points_of_the_sides_add_up_over_a_rubber_and_it_ends(seed, first_unit, rules):
    rows = list(rows_of("random*4", seed, 3, first_unit, **rules).itertuples())
    for _, game in groupby(rows, lambda row: row.unit):
        totals, deals = [0, 0], [list(one) for _, one in groupby(game, lambda row: row.deal)]
        assert len(deals) <= rules["max_deals"]
        for number, deal in enumerate(deals):
            assert deal[0].dealer == (rules["first_dealer"] + number) % 4
            check_deal(deal, totals, rules["honours"] == "on" or number == len(deals) - 1)
        if len(deals) < rules["max_deals"]:
            assert max(deals[-1][seat].points for seat in range(4)) >= 500
        assert [row.vulnerable for row in deals[0]] == [0] * 4


def check_deal(rows, totals, extras):
    """The four rows of a deal agree, and only one side gains unless there are ``extras``; ``totals`` are brought up to date."""
    assert [row.seat for row in rows] == [0, 1, 2, 3]
    for one, other in ((0, 2), (1, 3)):
        assert (rows[one].points, rows[one].total, rows[one].vulnerable) == (
            rows[other].points, rows[other].total, rows[other].vulnerable,
        )  # fmt: skip
    points, one = [rows[0].points, rows[1].points], rows[0]
    assert min(points) >= 0
    assert all(value % 10 == 0 for value in points)
    if not extras:
        assert min(points) == 0
        if one.contract:
            made = one.tricks >= 6 + (one.contract + 4) // 5
            assert points[one.declarer % 2 if made else 1 - one.declarer % 2] > 0
    if not one.contract:
        assert (one.declarer, one.tricks, one.doubled) == (-1, -1, 0)
    totals[:] = [totals[side] + points[side] for side in (0, 1)]
    assert [rows[0].total, rows[1].total] == totals


@settings(max_examples=5, deadline=None)
@given(SEEDS, st.integers(0, 10**6))
def test_a_board_gains_points_for_one_side_at_most(seed, first_unit):
    rows = list(rows_of("random*4", seed, 40, first_unit, scoring="duplicate").itertuples())
    for unit, board in groupby(rows, lambda row: row.unit):
        board = list(board)
        assert (len(board), board[0].dealer) == (4, unit % 4)
        check_deal(board, [0, 0], False)
        assert [row.total for row in board] == [row.points for row in board]
