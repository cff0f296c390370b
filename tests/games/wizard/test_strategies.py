"""The built-in strategies that no data made: what they do in positions set up by hand, and how they fare."""

import random

import pytest
from wizard_views import bidding, by_seat, choosing, mask, playing

from bridzik_sim import simulate
from bridzik_sim.games.wizard.rules import DECK, MAX_SIZE, SEAT_COUNTS, rounds
from bridzik_sim.jit import jit
from strategies.wizard import _outlook, heuristic
from strategies.wizard import random as at_random

bid, play, trump = jit(heuristic.bid), jit(heuristic.play), jit(heuristic.trump)
stands = _outlook.chance_to_stand


def card(view):
    return DECK.name(play(view))


# ------------------------------------------------------------------------------------------------- chances


def test_a_wizard_stands_and_so_does_the_last_card():
    assert stands(playing("W R2"), DECK.id("W"), 2) == 1
    assert stands(playing("R2 R3", "B1 G13 B3"), DECK.id("R2"), 2) == 1


def test_cards_stand_the_better_the_fewer_others_can_beat_them():
    hand = "B12 R5"
    chances = [
        stands(playing(hand), DECK.id("B9"), 2),
        stands(playing(hand), DECK.id("B12"), 2),
        stands(playing(hand, gone="B13"), DECK.id("B12"), 2),
        stands(playing(hand, "B2", gone="B13"), DECK.id("B12"), 2),
        stands(playing(hand, "B2", gone="B13 W W W W"), DECK.id("B12"), 2),
        stands(playing(hand, "B2", gone="B13 W W W W", turned="J"), DECK.id("B12"), 2),
    ]
    assert chances == sorted(set(chances))
    assert chances[-1] == 1


def test_who_lacks_the_suit_and_the_trumps_can_only_play_a_wizard():
    view = playing("B5 B2", gone="W W W W")
    view.seen_void = by_seat([0, 0b1001, 0b1001, 0b1001])
    assert stands(view, DECK.id("B5"), 2) == 1


def test_the_chances_of_a_hand_follow_its_cards_from_the_lowest_id_on():
    view = bidding("R2 R13 B2 B13 W J", turned="R1")
    bid(view)
    low_trump, top_trump, low, top, wizard, jester = view.memory[:6]
    assert low < low_trump < top < top_trump < wizard
    assert jester < 0.05
    assert wizard > 0.85


# ---------------------------------------------------------------------------------------------------- bids


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_one_card_is_bid_by_what_it_is(seats):
    assert [bid(bidding(name, seats=seats)) for name in ("W", "R13", "J", "B2")] == [1, 1, 0, 0]


def test_a_forbidden_bid_is_avoided():
    assert bid(bidding("W", (0, 0, 0), forbidden=1)) == 0
    assert bid(bidding("J", (1, 0, 0), forbidden=0)) == 1


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_wizards_are_bid_and_jesters_are_not(seats):
    assert bid(bidding("W W W J J", seats=seats)) == 3
    assert bid(bidding("J J J B1 G2", seats=seats)) == 0


def test_high_bids_of_others_lower_its_bid():
    hand = "R9 R12 B12 B4 Y13 Y11 G10 G12"
    assert bid(bidding(hand, (5, 4, 4))) < bid(bidding(hand, (0, 0, 0)))


def test_hidden_bids_say_nothing_unless_the_forbidden_one_tells_their_sum():
    hand = "R9 R12 B12 B4 Y13 Y11 G10 G12"
    unseen = [bid(bidding(hand, bids, hidden=True)) for bids in ((5, 4), (0, 0))]
    assert unseen[0] == unseen[1]
    for bids, forbidden in (((4, 2, 1), 1), ((0, 0, 0), 8)):
        assert bid(bidding(hand, bids, forbidden, hidden=True)) == bid(bidding(hand, bids, forbidden))


def test_courage_raises_its_bids():
    found = []
    for courage in (-2, 0, 2):
        view = bidding("R9 R12 B12 B4 Y13 Y11 G10 G12")
        view.params[0] = courage
        found.append(bid(view))
    assert found == sorted(set(found))


def test_the_trump_is_the_best_suit_and_the_view_is_left_as_it_was():
    view = choosing("R2 Y13 Y12 Y10 Y9 Y5 G3 B13")
    assert trump(view) == 1
    assert view.trump == -1
    assert trump(choosing("R2 Y1 B13 B12")) == 3


# --------------------------------------------------------------------------------------------------- cards


def test_last_to_play_it_takes_cheaply_when_it_needs_all():
    assert card(playing("R13 W", "R5 R6 R7", (2, 0, 0, 0), turned="")) == "R13"
    assert card(playing("G3 B13 W", "B5 B6 B7", (2, 0, 0, 0))) == "B13"


@pytest.mark.parametrize(
    ("hand", "trick", "given"),
    [
        ("R13 J B2", "R12", "J"),  # it could not but take the trick
        ("B13 Y12 Y2", "G3 G9 G5", "B13"),  # the most dangerous card, where it loses for certain
        ("B12 B3 B7", "B8 B13", "B12"),
        ("W G2 G3", "G9 G13 G10", "G3"),
    ],
)
def test_a_met_bid_sheds_what_could_take_a_trick(hand, trick, given):
    view = playing(hand, trick, (0, 1, 1, 0))
    assert card(view) == given


def test_a_met_bid_keeps_a_jester_where_it_loses_anyway():
    assert card(playing("J G3 R12", "G9 G13 G10", (0, 1, 1, 0))) == "G3"


def test_it_takes_with_the_wizard_what_it_cannot_get_otherwise():
    assert card(playing("W B2", "B5 R6 B7", (2, 0, 0, 0))) == "W"
    assert card(playing("W J", "B5 R6 B7", (1, 0, 0, 0), turned="")) in ("W", "J")


@pytest.mark.parametrize(
    ("bids", "taken", "given"),
    [
        ((0, 0, 1, 0), (1, 0, 0, 0), "R2"),  # one too many already: each further one costs
        ((5, 0, 1, 0), (1, 0, 0, 0), "R13"),  # too few: each one more saves
    ],
)
def test_a_lost_bid_still_keeps_the_loss_small(bids, taken, given):
    assert card(playing("R13 R2", "R5 R6 R7", bids, taken, turned="")) == given


def test_spite_takes_from_who_needs_and_leaves_to_who_does_not():
    # One too many already; seat 2, whose R7 leads, needs the trick or has had enough.
    given = []
    for bids in ((0, 0, 1, 0), (0, 0, 0, 0)):
        view = playing("R13 R2", "R5 R6 R7", bids, (1, 0, 0, 0), turned="")
        view.leader, view.params[1] = 1, 40
        view.trick[:3] = [DECK.id(name) for name in ("R5", "R7", "R6")]
        given.append(card(view))
    assert given == ["R13", "R2"]


# --------------------------------------------------------------------------------------- random positions


def deal(rng, seats):
    size = rng.randrange(1, rounds(seats) + 1)
    return size, rng.sample(range(60), 60)


def asked(function, view, draws=False):
    before = view.stream.copy()
    answer = function(view)
    assert type(answer) is int
    assert int(view.legal) >> answer & 1
    if not draws:
        assert function(view) == answer
        assert (view.stream == before).all()


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("hidden", [False, True])
def test_bids_and_trumps_are_legal_for_every_hand_and_forbidden_value(seats, hidden):
    rng, random_bid = random.Random(2), jit(at_random.bid)
    for _ in range(300):
        size, deck = deal(rng, seats)
        hand = " ".join(DECK.name(number) for number in deck[:size])
        bids = [rng.randrange(size + 1) for _ in range(rng.randrange(seats))]
        forbidden = rng.randrange(-1, size + 1) if len(bids) == seats - 1 else -1
        turned = DECK.name(deck[size]) if size < rounds(seats) else ""
        view = bidding(hand, bids, forbidden, seats=seats, turned=turned, hidden=hidden)
        asked(bid, view)
        asked(random_bid, view, draws=True)
        asked(trump, choosing(hand, seats=seats))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_cards_are_legal_whatever_was_bid_taken_and_shown(seats):
    rng = random.Random(3)
    for _ in range(500):
        size, deck = deal(rng, seats)
        length = rng.randrange(seats)
        names = [DECK.name(number) for number in deck]
        hand, trick, gone = names[:size], names[size : size + length], []
        if size < rounds(seats):
            left = 60 - seats * size - 1
            gone = names[size + length : 60 - 1][: rng.randrange(left + 1)]
        bids = [rng.randrange(MAX_SIZE) for _ in range(seats)]
        taken = [rng.randrange(4) for _ in range(seats)]
        view = playing(" ".join(hand), " ".join(trick), bids, taken, gone=" ".join(gone), turned="")
        view.seen_void = by_seat([0, *(rng.randrange(16) for _ in range(seats - 1))])
        asked(play, view)


def test_masks_of_names_take_several_wizards():
    assert mask("W W J", mask("W")) == 0b110 << 52 | 1 << 56


# ------------------------------------------------------------------------------------------ whole games


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_among_random_players_it_gains_and_they_lose(seats):
    good, bad = simulate(f"heuristic,random*{seats - 1}", 60, 5, game="wizard", jobs=1).standings
    assert good["points_low"] > 0
    assert bad["points_high"] < 0


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_a_table_of_its_own_makes_most_of_the_bids_that_can_be_made_in_short_rounds(seats):
    rows = simulate(f"heuristic*{seats}", 2000, 6, game="wizard", options={"hand_sizes": "1,2"}, jobs=1)
    for row in rows.table_accuracy.to_dict("records"):
        assert row["low"] > 0.85 * (seats - 1) / seats
