"""Each rule of Wizard by name: the mask functions of the kernel, and the plain engine, against hand-made cases."""

import itertools
from types import SimpleNamespace

import pytest

from bridzik_sim.errors import UsageError
from bridzik_sim.games import exact_bids
from bridzik_sim.games.wizard import reference as ref
from bridzik_sim.games.wizard import rules

GAME = rules.GAME


def cards(names):
    """Ids of cards; W and J stand for 52 and 56, W2 and J3 for 53 and 58."""
    specials = {
        f"{kind}{n or ''}": first + max(n - 1, 0) for kind, first in (("W", 52), ("J", 56)) for n in range(5)
    }
    return [specials[name] if name in specials else ref.CARD_NAMES.index(name) for name in names.split()]


def mask(names):
    return sum(1 << card for card in cards(names))


def after(trick, trump=-1):
    """Lead suit and best card after a trick, found card by card."""
    lead = best = -1
    for card in cards(trick):
        lead = rules.next_lead(lead, best, card)
        best = card if rules.beats(card, best, lead, trump) else best
    return lead, best


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def play(seats=4, player=None, seed=1, unit=0, **options):
    player = player or SimpleNamespace(bid=lowest, play=lowest, trump=lowest)
    return ref.play_game([player] * seats, seed=seed, unit=unit, **options)


def test_the_cards():
    assert len(ref.CARD_NAMES) == rules.CARDS == len(rules.DECK) == 60
    assert [rules.DECK.name(card) for card in range(60)] == ref.CARD_NAMES
    some = "R1 R13 Y1 G13 B1 B13 W W J J"
    assert " ".join(ref.CARD_NAMES[card] for card in (0, 12, 13, 38, 39, 51, 52, 55, 56, 59)) == some
    assert rules.NUMBERS | rules.WIZARDS | rules.JESTERS == rules.WHOLE_DECK
    assert [card for card in range(60) if rules.is_wizard(card)] == [52, 53, 54, 55]
    assert not rules.is_wizard(-1)


LEGAL = {
    "the leader plays anything": ("R1 G2 W J", "", "R1 G2 W J"),
    "follow the suit led": ("R1 R9 G2", "R5", "R1 R9"),
    "there is no duty to beat": ("R1 R13", "R5", "R1 R13"),
    "wizards and jesters may always be played": ("R1 G2 W J", "R5", "R1 W J"),
    "whoever has only specials of the suit may play anything": ("G2 B3 W J", "R5", "G2 B3 W J"),
    "a wizard led: no suit to follow": ("R1 G2 J", "W", "R1 G2 J"),
    "a wizard led: none in this whole trick": ("R1 G2 J", "W R5", "R1 G2 J"),
    "a jester led: no suit yet": ("R1 G2", "J", "R1 G2"),
    "jesters are skipped, the first number sets the suit": ("R1 G2", "J J2 G5", "G2"),
    "jesters, then a wizard: no suit to follow": ("R1 G2", "J W G5", "R1 G2"),
    "a wizard later leaves the suit": ("R1 G2", "R5 W", "R1"),
    "a number card later leaves the suit": ("R1 G2 B7", "G5 R6 B9", "G2"),
}


@pytest.mark.parametrize(("hand", "trick", "legal"), LEGAL.values(), ids=LEGAL)
def test_what_may_be_played(hand, trick, legal):
    assert ref.legal_cards(cards(hand), cards(trick)) == cards(legal)
    assert rules.legal_cards(mask(hand), after(trick)[0]) == mask(legal)


WINNERS = {
    "the first wizard wins": ("R13 W2 W G13", "R", "W2"),
    "a wizard beats the highest trump": ("R13 W R12", "R", "W"),
    "the highest trump wins": ("G13 R1 R2 G12", "R", "R2"),
    "trumps led": ("R1 G13 R2", "R", "R2"),
    "else the highest of the lead suit": ("G5 B13 G6 Y13", "R", "G6"),
    "without trump the lead suit wins": ("G5 R13 G4", "", "G5"),
    "jesters lose to any card that follows": ("J G1 J2", "R", "G1"),
    "and to a card that does not trump": ("J G1 B13", "R", "G1"),
    "only jesters: the first": ("J3 J J2", "R", "J3"),
    "a wizard after a jester": ("J W R13", "R", "W"),
}


@pytest.mark.parametrize(("trick", "trump", "winner"), WINNERS.values(), ids=WINNERS)
def test_who_wins(trick, trump, winner):
    suit = "RYGB".index(trump) if trump else -1
    assert ref.winning_card(cards(trick), suit) == cards(winner)[0]
    assert after(trick, suit)[1] == cards(winner)[0]


@pytest.mark.parametrize(
    ("bid", "taken", "points"), [(0, 0, 20), (3, 3, 50), (2, 0, -20), (0, 3, -30), (1, 2, -10), (20, 20, 220)]
)
def test_points(bid, taken, points):
    assert ref.points_for(bid, taken) == rules.round_points(bid, taken) == points


@pytest.mark.parametrize(
    ("card", "suit"), [("R1", 0), ("Y13", 1), ("G7", 2), ("B1", 3), ("W", -1), ("J4", -1)]
)
def test_the_card_turned_up_makes_the_trump(card, suit):
    assert ref.turned_suit(*cards(card)) == rules.turned_suit(*cards(card)) == suit


def test_there_is_no_trump_when_no_card_is_left():
    assert ref.turned_suit(-1) == rules.turned_suit(-1) == -1


def test_kinds_of_deals():
    for card in range(-1, 60):
        for chosen in (False, True):
            assert rules.deal_kind(card, chosen) == ref.kind_of(card, chosen)
    names = [rules.DEAL_KINDS[ref.kind_of(card, False)] for card in (-1, 51, 52, 56)]
    assert names == ["last round", "trump", "wizard turned up", "jester turned up"]
    assert rules.DEAL_KINDS[ref.kind_of(55, True)] == "dealer chose"


@pytest.mark.parametrize(
    ("size", "earlier", "seats", "legal"),
    [
        (2, [0, 0, 0], 4, [0, 1]),
        (5, [1, 2, 0], 4, [0, 1, 3, 4, 5]),
        (2, [1, 1], 4, [0, 1, 2]),
        (2, [1, 1], 3, [1, 2]),
        (2, [2, 1], 3, [0, 1, 2]),
        (1, [0] * 5, 6, [0]),
    ],
)
def test_the_last_bid_may_not_make_the_sum(size, earlier, seats, legal):
    table = table_with(size, earlier, seats)
    assert ref.plain_bids.legal_bids(size, table.forbidden_bid()) == legal
    bound = len(earlier) == seats - 1
    forbidden = exact_bids.forbidden_bid(size, bound, sum(earlier))
    assert forbidden == table.forbidden_bid()
    assert exact_bids.legal_bids(size, forbidden) == sum(1 << bid for bid in legal)


@pytest.mark.parametrize("size", [1, 5])
def test_without_the_sum_rule_every_bid_is_legal(size):
    assert table_with(size, [0, 0], 3, sum_rule="off").forbidden_bid() == -1


def table_with(size, bids, seats, **options):
    """A table with bids from the starter, seat 0, on."""
    hands = [range(seat * size, (seat + 1) * size) for seat in range(seats)]
    table = ref.Table(size - 1, seats - 1, hands, 59, [0] * seats, options)
    table.bids[: len(bids)] = bids
    return table


@pytest.mark.parametrize(("seats", "rounds"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_rounds_by_players(seats, rounds):
    assert rules.rounds(seats) == rounds
    deals = play(seats).deals
    assert [len(deal.tricks) for deal in deals] == list(range(1, rounds + 1))
    assert [rules.deal_size(deal.deal) for deal in deals] == list(range(1, rounds + 1))
    assert [deal.trump_card for deal in deals].index(-1) == rounds - 1
    assert deals[-1].trump == -1
    assert rules.decisions(seats) == sum(seats * (len(deal.tricks) + 1) for deal in deals)


def test_points_that_a_game_can_bring():
    assert rules.points_range(4) == (-10 * 120, 20 * 15 + 10 * 120, 10)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_dealer_moves_left_and_the_starter_sits_left_of_it(seats):
    deals = play(seats).deals
    for earlier, later in itertools.pairwise(deals):
        assert later.dealer == (earlier.dealer + 1) % seats
    for deal in deals:
        assert deal.starter == deal.tricks[0].leader == (deal.dealer + 1) % seats


@pytest.mark.parametrize("seats", [3, 6])
def test_the_first_dealer_is_random_or_the_seat_given(seats):
    drawn = {play(seats, unit=unit, hand_sizes=[1]).deals[0].dealer for unit in range(60)}
    assert drawn == set(range(seats))
    given = [play(seats, first_dealer=seat, hand_sizes=[1]).deals[0].dealer for seat in range(seats)]
    assert given == list(range(seats))


@pytest.mark.parametrize("first_dealer", ["random", 2])
def test_left_out_rounds_keep_dealers_and_cards_of_the_others(first_dealer):
    whole, some = (
        play(5, hand_sizes=sizes, first_dealer=first_dealer).deals for sizes in ("all", [2, 7, 12])
    )
    assert [deal.deal for deal in some] == [1, 6, 11]
    for deal in some:
        same = whole[deal.deal]
        assert (deal.dealer, deal.hands, deal.trump_card) == (same.dealer, same.hands, same.trump_card)


def test_cards_are_those_of_the_deal_whoever_deals_first():
    """Hands lie from the starter on, so another first dealer turns them round the table."""
    first, second = (play(4, first_dealer=seat).deals for seat in (0, 1))
    for one, other in zip(first, second, strict=True):
        assert other.hands == [one.hands[-1], *one.hands[:-1]]
        assert other.trump_card == one.trump_card


def test_the_winner_leads_next():
    for deal in play(4).deals:
        for earlier, later in zip(deal.tricks, deal.tricks[1:], strict=False):
            assert later.leader == earlier.winner


def test_equal_totals_share_the_win():
    assert ref.winners_of([30, -10, 30]) == [0, 2]
    assert ref.winners_of([-20] * 6) == list(range(6))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hand_sizes": "0"}, "from 1 to 20"),
        ({"hand_sizes": "21"}, "from 1 to 20"),
        ({"first_dealer": "6"}, "random or a seat"),
        ({"first_dealer": True}, "random or a seat"),
        ({"wizard_trump": "starter"}, "give none or dealer"),
        ({"sum_rule": "maybe"}, "give off or on"),
        ({"hidden_bids": "1"}, "give off or on"),
    ],
    ids=repr,
)
def test_wrong_options_are_refused(given, said):
    with pytest.raises(UsageError, match=said):
        GAME.parse_options(given)


def test_options_in_their_canonical_form():
    given = {
        "hand_sizes": "15,1",
        "first_dealer": "2",
        "wizard_trump": "dealer",
        "sum_rule": False,
        "hidden_bids": True,
    }
    made = {
        "hand_sizes": [1, 15],
        "first_dealer": 2,
        "wizard_trump": "dealer",
        "sum_rule": "off",
        "hidden_bids": "on",
    }
    assert GAME.parse_options(given) == made
    assert GAME.parse_options({}) == ref.DEFAULTS


def test_options_must_go_with_the_number_of_players():
    for given, seats, said in (
        ({"hand_sizes": "16"}, 4, "at most 15 cards"),
        ({"first_dealer": "4"}, 4, "no seat 4"),
    ):
        options = GAME.parse_options(given)
        GAME.check_seats(seats - 1 if "hand_sizes" in given else seats + 1, options)
        with pytest.raises(ValueError, match=said):
            GAME.check_seats(seats, options)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_under_the_sum_rule_somebody_misses(seats):
    assert GAME.table_ceiling(seats, GAME.parse_options({})) == pytest.approx((seats - 1) / seats)
    assert GAME.table_ceiling(seats, GAME.parse_options({"sum_rule": "off"})) == 1
