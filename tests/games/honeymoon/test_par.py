"""What the plain engine measures against par: values known by hand, and that they add up."""

import random

import pytest
from honeymoon_deals import Plain, ids

from bridzik_sim.games.honeymoon import reference as ref
from bridzik_sim.games.honeymoon.plain_par import par_figures
from bridzik_sim.games.plain_contract import CALL_NAMES

SPADES = ids("SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3 S2")
HEARTS = [card - 13 for card in SPADES]


def finished(north, south, dealer, vulnerable, calls, lead=-1):
    """The table of a deal after these calls and the play, in which ``lead`` is the first card if it is given.

    N leads spades and S hearts as long as they can.
    """
    deal = Plain.made([north, south], [], dealer, vulnerable, dealer, [0, 0])
    for call in calls.split():
        deal.act(CALL_NAMES.index(call))
    if lead >= 0:
        deal.act(lead)
    while not deal.over:
        deal.act(sensible(deal.legal(), deal.table.trick, (3, 2)[deal.turn]))
    return deal.table


def sensible(cards, trick, suit):
    """The highest card of the ``suit`` or another; the second player wins if it can, else plays its lowest card."""
    if not trick:
        return max(cards, key=lambda card: (card // 13 == suit, card))
    led, top = trick[0], max(cards)
    return top if top > led and top // 13 == led // 13 else min(cards)


@pytest.mark.parametrize(("dealer", "par"), [(0, -1520), (1, 1520)])
def test_with_a_whole_suit_each_it_is_worth_a_grand_slam_to_be_on_lead(dealer, par):
    # No trump outranks the other's suit, and the dealer's opponent leads.
    table = finished(SPADES, HEARTS, dealer, 0, "P P")
    lost = [0, 0]
    lost[1 - dealer] = 1520
    assert par_figures(table) == (par, lost, [0, 0])
    table = finished(SPADES, HEARTS, dealer, 0, "P 7NT P")
    assert par_figures(table) == (par, [0, 0], [0, 0])
    table = finished(SPADES, HEARTS, dealer, 0, "P 7NT X P")
    assert table.points()[1 - dealer] == 1790
    # Redoubled it would be worth 2280.
    lost = [2280 - 1790] * 2
    lost[dealer] = 2280 - 1520
    assert par_figures(table) == (par, lost, [0, 0])


# N has twelve spades and the lowest heart but one, S twelve hearts and the lowest spade; S deals, so N leads.
NORTH, SOUTH = [*SPADES[:-1], HEARTS[-2]], [*HEARTS[:-2], HEARTS[-1], SPADES[-1]]


@pytest.mark.parametrize(("vulnerable", "par", "slam"), [(0, 100, 990), (3, 200, 1440)])
def test_par_may_be_a_sacrifice_that_is_doubled(vulnerable, par, slam):
    # Both take twelve tricks in their suits, so N has a slam and S bids one more than it can make.
    table = finished(NORTH, SOUTH, 1, vulnerable, "P 6NT P")
    assert table.points() == [slam, 0]
    assert par_figures(table) == (par, [0, slam - par], [0, 0])
    table = finished(NORTH, SOUTH, 1, vulnerable, "P 6NT 7H X P")
    assert par_figures(table) == (par, [0, 0], [0, 0])
    table = finished(NORTH, SOUTH, 1, vulnerable, "P 6NT 7H P")
    assert par_figures(table) == (par, [par // 2, 0], [0, 0])


def test_a_lead_that_gives_tricks_away_has_lost_what_they_were_worth():
    table = finished(NORTH, SOUTH, 1, 0, "P 6NT P", lead=HEARTS[-2])
    assert table.taken == [1, 12]
    assert table.points() == [0, 550]
    assert par_figures(table) == (100, [0, 890], [1540, 0])


def player(rng):
    class Player:
        def call(self, view):
            answers = [code for code in range(38) if int(view.legal) >> code & 1]
            return rng.choice([0, *answers[:8]])

        def play(self, view):
            return rng.choice([card for card in range(52) if int(view.legal) >> card & 1])

    return Player()


def test_points_are_par_less_ones_own_losses_and_the_others_are_added():
    rng = random.Random(3)
    record = ref.play_game([player(rng)] * 2, seed=2, unit=1, deals=6, par="on")
    assert record.judged
    for deal in record.deals:
        lost = [deal.auction_lost[seat] + deal.play_lost[seat] for seat in (0, 1)]
        assert min(*deal.auction_lost, *deal.play_lost) >= 0
        assert deal.points[0] - deal.points[1] == deal.par - lost[0] + lost[1]
    assert any(min(deal.play_lost) > 0 for deal in record.deals)
    options = {"deals": 6, "par": "on"}
    told = record.as_dict(options=options, seed=2, unit=1, seating=0, seats=["a", "b"])
    assert ref.replay_record(told) == record
    for name in ("par", "auction_lost", "play_lost"):
        given = told["deals"][0][name]
        told["deals"][0][name] = 77
        with pytest.raises(ValueError, match=rf"deals\[0\].{name}: must be .*, not 77"):
            ref.replay_record(told)
        told["deals"][0][name] = given


def test_without_the_option_nothing_is_measured():
    record = ref.play_game([player(random.Random(3))] * 2, seed=2, unit=1, deals=1)
    assert not record.judged
    assert "par" not in record.deals[0].as_dict()
