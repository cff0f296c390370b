"""The strategy ``table``: its gradients and its answers."""

import itertools

import numpy as np
import pytest
from scipy.stats import poisson_binom

from bridzik_sim.games.bridzik.rules import BONUS, DECK, SEATS, VIEW
from bridzik_sim.games.plain import SeatView
from strategies.bridzik import _by_chances, _chances, table
from strategies.parts.chances import place_in_hand

SHARE = 0.3


def view(
    hand, legal=None, bids=(), trick=(), leader=0, seat=0, played=(), taken=(0, 0, 0, 0), voids=(0, 0, 0, 0)
):
    made = SeatView(VIEW).record
    cards = DECK.mask(hand)
    made.size = len(hand) + sum(taken)
    made.seat, made.hand, made.legal = seat, cards, cards if legal is None else legal
    made.bids[:] = [*bids, *[-1] * (SEATS - len(bids))]
    made.has_bid[:] = made.bids >= 0
    made.position = len(bids) % SEATS
    made.taken[:], made.seen_void[:] = taken, voids
    ids = [DECK.id(name) for name in trick]
    made.trick[:] = [*ids, *[-1] * (SEATS - len(ids))]
    made.trick_length, made.leader = len(ids), leader if bids and len(bids) == SEATS else -1
    made.lead = ids[0] // 8 if ids else -1
    hearts = [card for card in ids if card < 8]
    made.best = max(hearts or [card for card in ids if card // 8 == made.lead], default=-1)
    made.played = DECK.mask([*played, *trick])
    made.forbidden = -1
    return made


def room():
    return np.empty(_by_chances.ENTRIES_OF_A_DECISION, np.int64), np.empty(_by_chances.SCRATCH)


def random_table(seed):
    weights = np.random.default_rng(seed).normal(0, 0.5, (1, _chances.WIDTH))
    weights[0, _chances.M_SCALE] = 0.8
    return weights[0]


def slopes_by_differences(weights, loss, entries):
    """Gradient of a loss by each weight, from small changes of it."""
    slopes = {}
    for entry in entries:
        both = []
        for step in (1e-5, -1e-5):
            changed = weights.copy()
            changed[entry] += step
            both.append(loss(changed))
        slopes[entry] = (both[0] - both[1]) / 2e-5
    return slopes


def log_loss(chance, target):
    return -(target * np.log(chance) + (1 - target) * np.log(1 - chance))


@pytest.mark.parametrize(("bid", "taken", "target"), [(0, 1, 0.0), (2, 2, 1.0), (3, 1, 0.0)])
def test_the_gradient_of_a_bid(bid, taken, target):
    hand = ["HK", "LA", "L7", "BQ"]
    seen, weights = view(hand, bids=(1, 0)), random_table(bid)
    seen.legal = 0b11111
    entries, scratch = room()
    _chances.bid_entries(seen, entries)
    entries[20], entries[21] = (first + bid for first in _chances.bid_corrections(seen))
    slopes = np.zeros(_chances.WIDTH, np.float32)
    _by_chances.study_bid(weights, slopes, 4, bid, taken, entries, target, SHARE, scratch)

    def loss(changed):
        points, wins = room()[1], []
        _by_chances.bid_points(changed, seen, room()[0], points)
        made = points[_by_chances.OTHER_TRICKS + bid] / (BONUS + bid)
        for card in range(4):
            wins.append(1 / (1 + np.exp(-sum(changed[entries[5 * card + i]] for i in range(5)))))
        return log_loss(made, target) - SHARE * np.log(poisson_binom(wins).pmf(taken))

    used = sorted({*entries[:22].tolist(), _chances.M_SCALE})
    expected = slopes_by_differences(weights, loss, used)
    assert {e: slopes[e] for e in used} == pytest.approx(expected, abs=2e-4)
    assert np.flatnonzero(slopes).tolist() == used


@pytest.mark.parametrize(("need", "won", "later", "target"), [(0, 1, 0, 0.0), (1, 0, 1, 1.0), (2, 1, 2, 0.0)])
def test_the_gradient_of_a_card(need, won, later, target):
    seen = view(["HQ", "LK", "L8", "B9"], bids=(need, 1, 1, 2), trick=("L10",), leader=3)
    weights, card = random_table(need), DECK.id("LK")
    needs = _chances.table_needs(seen, 4)
    entries, scratch = room()
    _by_chances.weigh_kept(weights, seen, needs, entries, scratch)
    _by_chances.odds_met(weights, seen, needs, card, entries, scratch)
    slopes = np.zeros(_chances.WIDTH, np.float32)
    skip = place_in_hand(seen.hand, card)
    _by_chances.study_play(weights, slopes, 4, skip, need, won, later, entries, target, SHARE, scratch)

    def chance(changed, first, count):
        return 1 / (1 + np.exp(-sum(changed[entries[i]] for i in range(first, first + count))))

    def loss(changed):
        wins = chance(changed, _by_chances.NOW, _chances.OF_NOW)
        kept = [
            chance(changed, _by_chances.KEPT + _chances.OF_LATER * i, _chances.OF_LATER)
            for i in range(4)
            if i != skip
        ]
        rest = poisson_binom(kept).pmf
        met = (1 - wins) * rest(need) + wins * (rest(need - 1) if need else 0)
        odds = np.log(met / (1 - met)) + changed[entries[1]]
        bid = log_loss(1 / (1 + np.exp(-odds)), target)
        return bid + SHARE * (log_loss(wins, won) - np.log(rest(later)))

    used = np.flatnonzero(slopes).tolist()
    expected = slopes_by_differences(weights, loss, used)
    assert len(used) > 25
    assert {e: slopes[e] for e in used} == pytest.approx(expected, abs=2e-4)


def test_it_takes_a_certain_trick_only_when_it_needs_one():
    # Last to play, the ace of the led suit wins for certain and the seven loses for certain.
    for need, card in ((1, "LA"), (0, "L7")):
        seen = view(["LA", "L7"], bids=(need, 0, 1, 1), trick=("L10", "LJ", "L8"), leader=1)
        assert table.play(seen) == DECK.id(card)


def test_it_bids_the_aces_of_trumps():
    for count in (1, 2, 3):
        seen = view(["HA", "HK", "HQ"][:count])
        seen.legal, seen.size = (2 << count) - 1, count
        assert table.bid(seen) == count


def test_every_entry_lies_in_its_own_part():
    bounds = np.cumsum([0, *_chances.ENTRIES.values()])
    assert bounds[-1] == _chances.WIDTH
    assert table.TABLES.shape == (8, _chances.WIDTH)
    # A hand of every length, in every state of need, with every kind of trick: no entry leaves its part.
    rng = np.random.default_rng(5)
    parts = [name for name in _chances.ENTRIES if name[0] == "N"]
    first = dict(zip(_chances.ENTRIES, bounds, strict=False))
    for place, own in itertools.product(range(4), range(5)):
        deck = rng.permutation(32)
        hand, trick = deck[:5], deck[5 : 5 + place]
        seen = view(
            [DECK.name(c) for c in hand],
            bids=(own, 1, 5, 0),
            trick=[DECK.name(c) for c in trick],
            leader=-place % 4,
        )
        seen.taken[:] = rng.integers(0, 2, 4)
        needs = _chances.table_needs(seen, 5)
        entries = room()[0]
        _chances.now_entries(seen, needs, int(hand[0]), entries, 0)
        for entry, name in zip(entries, parts, strict=False):
            assert first[name] <= entry < first[name] + _chances.ENTRIES[name], name
