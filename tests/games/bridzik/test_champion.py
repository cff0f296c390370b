"""What the networks of ``champion`` look at: complete, within bounds, and blind to the names of plain suits."""

import numpy as np
import pytest

from bridzik_sim.games.bridzik.playout import POSITION, apply, set_deal, show
from bridzik_sim.games.bridzik.rules import SEATS, VIEW
from bridzik_sim.games.plain import SeatView
from strategies.bridzik import _features, champion, heuristic
from strategies.bridzik._features import BID_FEATURES, PLAY_ANSWERS, PLAY_FEATURES, RANKS, ROOM

# Where each plain suit goes when they are renamed.
RENAMED = (0, 3, 1, 2)


def positions(size, seed):
    """Every view of a deal that the heuristic plays, with more than one legal answer."""
    rng = np.random.default_rng(seed)
    position, view = np.zeros(1, POSITION).view(np.recarray)[0], SeatView(VIEW).record
    deck = rng.permutation(32)
    for seat in range(SEATS):
        position.hands[seat] = sum(1 << int(card) for card in deck[seat * size : (seat + 1) * size])
    set_deal(position, 8 - size, size, seed % SEATS)
    while position.turn >= 0:
        show(position, view)
        bidding = position.bidders < SEATS
        if bin(view.legal).count("1") > 1:
            yield bidding, view
        apply(position, heuristic.bid(view) if bidding else heuristic.play(view))


def renamed_card(card):
    return RENAMED[card // RANKS] * RANKS + card % RANKS if card >= 0 else card


def renamed_mask(mask):
    return sum(1 << renamed_card(card) for card in range(32) if mask >> card & 1)


def renamed(view, bidding):
    """The same view with other names for the plain suits."""
    other = SeatView(VIEW).record
    for name in VIEW.names:
        setattr(other, name, view[name])
    other.hand, other.played, other.best = (
        renamed_mask(view.hand),
        renamed_mask(view.played),
        renamed_card(view.best),
    )
    other.trick[:] = [renamed_card(card) for card in view.trick]
    other.seen_void[:] = [
        sum(1 << RENAMED[suit] for suit in range(4) if bits >> suit & 1) for bits in view.seen_void
    ]
    other.lead = RENAMED[view.lead] if view.lead >= 0 else -1
    if not bidding:
        other.legal = renamed_mask(view.legal)
    return other


def alike(view):
    """Whether two plain suits look the same in hand and out of it; only their names can order them."""
    unseen = ~(view.hand | view.played)
    looks = [
        (view.hand >> RANKS * suit & 255, unseen >> RANKS * suit & 255, view.lead == suit)
        for suit in (1, 2, 3)
    ]
    return len(set(looks)) < 3


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_other_names_for_plain_suits_change_nothing(size):
    checked = 0
    for seed in range(8):
        for bidding, view in positions(size, seed):
            if alike(view):
                continue
            other = renamed(view, bidding)
            if bidding:
                assert champion.bid(other) == champion.bid(view)
            else:
                assert champion.play(other) == renamed_card(champion.play(view))
            checked += 1
    assert checked > (10 if size < 3 else 50)


@pytest.mark.parametrize("size", [1, 4, 8])
def test_features_stay_in_bounds_and_every_legal_card_has_an_answer(size):
    active, cards = np.empty(ROOM, np.int64), np.empty(PLAY_ANSWERS, np.int64)
    most = 0
    for seed in range(20):
        for bidding, view in positions(size, seed):
            count = _features.bids(view, active) if bidding else _features.plays(view, active, cards)
            most = max(most, count)
            assert active[0] == 0
            # Only cards that look alike may name a feature twice.
            first, last = (
                (_features.LONG, _features.LENGTHS) if bidding else (_features.CARDS, _features.UNSEEN)
            )
            single = [feature for feature in active[:count] if not first <= feature < last]
            assert len(set(single)) == len(single) > 3
            assert (
                0
                <= active[:count].min()
                <= active[:count].max()
                < (BID_FEATURES if bidding else PLAY_FEATURES)
            )
            if not bidding:
                answers = {int(card) for card in cards if card >= 0}
                legal = {card for card in range(32) if view.legal >> card & 1}
                assert answers <= legal
                for card in legal - answers:
                    # Left out only beside one of its suit with no card that matters in between.
                    against = _features.ranking(view)
                    twin = [
                        a for a in answers if a // RANKS == card // RANKS and not between(against, a, card)
                    ]
                    assert twin
    assert most < ROOM


def between(against, one, two):
    return against & ((1 << max(one, two)) - (1 << min(one, two))) & ~(1 << min(one, two))
