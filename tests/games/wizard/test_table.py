"""The strategy ``table``: its gradients, its training and its answers."""

import itertools

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import poisson_binom

from bridzik_sim import api
from bridzik_sim.games.plain import SeatView
from bridzik_sim.games.wizard import playout, rules
from bridzik_sim.games.wizard.rules import DECK, VIEW
from strategies.parts.chances import place_in_hand
from strategies.wizard import _by_chances, _chances, _self_play, _train_table, table

SHARE = 0.3


def mask(cards):
    """Mask of card names; W and J take the lowest id that is not used yet."""
    taken = 0
    for name in cards:
        card = DECK.id(name)
        while taken >> card & 1:
            card += 1
        taken |= 1 << card
    return taken


def view(hand, *, seats=4, legal=None, bids=(), trick=(), leader=0, seat=0, trump="R1", taken=(), size=None):
    """What a seat sees; ``bids`` and ``taken`` from seat 0 on, the seat itself is ``seat``."""
    made = SeatView(VIEW).record
    cards = mask(hand)
    made.seats, made.size = seats, size or len(hand) + sum(taken)
    made.seat, made.hand, made.legal = seat, cards, cards if legal is None else legal
    made.bids[:] = [*bids, *[-1] * (rules.MAX_SEATS - len(bids))]
    made.has_bid[:] = made.bids >= 0
    made.position = len(bids) % seats
    made.taken[: len(taken)] = taken
    ids = [DECK.id(name) for name in trick]
    made.trick[:] = [*ids, *[-1] * (rules.MAX_SEATS - len(ids))]
    made.trick_length, made.leader = len(ids), leader if len(bids) == seats else -1
    made.trump_card = DECK.id(trump) if trump else -1
    made.trump = rules.turned_suit(made.trump_card)
    made.lead = made.best = made.forbidden = -1
    for card in ids:
        made.lead = lead = rules.next_lead(made.lead, made.best, card)
        made.best = card if rules.beats(card, made.best, lead, made.trump) else made.best
    made.played = mask(trick)
    return made


def room():
    return np.zeros(_by_chances.ENTRIES_OF_A_DECISION, np.int64), np.zeros(_by_chances.SCRATCH)


def random_table(seed):
    weights = np.random.default_rng(seed).normal(0, 0.4, _chances.WIDTH)
    for scale in (_chances.M_SCALE, _chances.C_SCALE):
        weights[scale : scale + _chances.SIZES] = 0.8
    return weights


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


def chance(weights, entries, first, count):
    return expit(sum(weights[entry] for entry in entries[first : first + count]))


@pytest.mark.parametrize(("bid", "taken", "target"), [(0, 1, 0.0), (2, 2, 1.0), (3, 1, 0.0)])
def test_the_gradient_of_a_bid(bid, taken, target):
    seen, weights = view(["R12", "Y13", "W", "J"], bids=(1, 0)), random_table(bid)
    entries, scratch = room()
    _chances.bid_entries(seen, _chances.asked_before(seen), entries)
    fixes = 4 * _chances.OF_BID
    _chances.bid_corrections(seen, _chances.asked_before(seen), bid, entries, fixes)
    slopes = np.zeros(_chances.WIDTH, np.float32)
    _by_chances.study_bid(weights, slopes, 4, bid, taken, entries, target, SHARE, scratch)

    def loss(changed):
        wins = [chance(changed, entries, _chances.OF_BID * i, _chances.OF_BID) for i in range(4)]
        tricks = poisson_binom(wins).pmf
        odds = changed[_chances.M_SCALE + 4] * logit(tricks(bid))
        odds += sum(changed[entry] for entry in entries[fixes : fixes + _chances.CORRECTIONS])
        return log_loss(expit(odds), target) - SHARE * np.log(tricks(taken))

    used = sorted({*entries[: fixes + _chances.CORRECTIONS].tolist(), _chances.M_SCALE + 4})
    expected = slopes_by_differences(weights, loss, used)
    assert {e: slopes[e] for e in used} == pytest.approx(expected, abs=2e-4)
    assert np.flatnonzero(slopes).tolist() == used


# The last two bids are lost: one trick too many already, and more tricks needed than cards are left.
@pytest.mark.parametrize(
    ("need", "won", "later", "target"),
    [(0, 1, 0, 0.0), (1, 0, 1, 1.0), (4, 1, 2, 0.0), (-1, 1, 1, 0), (5, 0, 2, 0)],
)
def test_the_gradient_of_a_card(need, won, later, target):
    seen = view(
        ["R12", "Y12", "Y2", "W"], bids=(need + 1, 1, 1, 2), trick=("Y10",), leader=3, taken=(1, 0, 0, 0)
    )
    weights, card = random_table(need + 1), DECK.id("Y12")
    needs = _chances.table_needs(seen, 4)
    entries, scratch = room()
    _by_chances.weigh_kept(weights, seen, needs, entries, scratch)
    _by_chances.card_points(weights, seen, needs, need, card, entries, scratch)
    slopes = np.zeros(_chances.WIDTH, np.float32)
    skip, lost = place_in_hand(seen.hand, card), not 0 <= need <= 4
    _by_chances.study_play(weights, slopes, 4, skip, need, won, later, entries, target, SHARE, scratch)
    assert entries[0] == _chances.MAY_WIN

    def loss(changed):
        wins = chance(changed, entries, _by_chances.NOW, _chances.OF_NOW)
        kept = [
            chance(changed, entries, _by_chances.KEPT + _chances.OF_LATER * i, _chances.OF_LATER)
            for i in range(4)
            if i != skip
        ]
        rest = poisson_binom(kept).pmf
        told = SHARE * (log_loss(wins, won) - np.log(rest(later)))
        if lost:
            return told
        met = (1 - wins) * (rest(need) if need < 4 else 0) + wins * (rest(need - 1) if need else 0)
        odds = changed[_chances.C_SCALE + 4] * logit(met)
        odds += sum(changed[entries[_by_chances.FIXES + i]] for i in range(_chances.CORRECTIONS))
        return log_loss(expit(odds), target) + told

    used = np.flatnonzero(slopes).tolist()
    expected = slopes_by_differences(weights, loss, used)
    assert len(used) > 25
    assert {e: slopes[e] for e in used} == pytest.approx(expected, abs=2e-4)


def test_the_points_of_bids_are_those_of_the_distribution():
    # With a scale of 1 and no corrections a bid is worth what the distribution of tricks says.
    seen, weights = view(["R12", "Y13", "W", "J"], bids=(1, 0)), random_table(1)
    weights[_chances.M_SCALE : _chances.M_SIZE] = 1
    weights[_chances.M_SIZE : _chances.L_RANK] = 0
    entries, scratch = room()
    _by_chances.bid_points(weights, seen, entries, scratch)
    tricks = poisson_binom(scratch[:4]).pmf(np.arange(5))
    for bid in range(5):
        expected = sum(tricks[taken] * rules.round_points(bid, taken) for taken in range(5))
        assert scratch[_by_chances.POINTS + bid] == pytest.approx(expected)


def test_the_points_of_a_card_are_those_of_the_distribution():
    weights = random_table(2)
    weights[_chances.C_SCALE : _chances.C_NEED] = 1
    weights[_chances.C_NEED :] = 0
    for need in (-1, 0, 2, 4, 6):
        seen = view(
            ["R12", "Y12", "Y2", "W"], bids=(need + 1, 1, 1, 2), trick=("Y10",), leader=3, taken=(1, 0, 0, 0)
        )
        needs, (entries, scratch) = _chances.table_needs(seen, 4), room()
        _by_chances.weigh_kept(weights, seen, needs, entries, scratch)
        card = DECK.id("Y12")
        skip = place_in_hand(seen.hand, card)
        kept = [scratch[i] for i in range(4) if i != skip]
        points = _by_chances.card_points(weights, seen, needs, need, card, entries, scratch)
        kept.append(chance(weights, entries, _by_chances.NOW, _chances.OF_NOW))
        tricks = poisson_binom(kept).pmf(np.arange(5))
        expected = sum(tricks[taken] * rules.round_points(need + 1, 1 + taken) for taken in range(5))
        assert points == pytest.approx(expected)


def test_every_entry_lies_in_its_own_part():
    ends = dict(
        zip(
            _chances.ENTRIES,
            np.cumsum([int(np.prod(dims)) for dims in _chances.ENTRIES.values()]),
            strict=True,
        )
    )
    assert list(ends.values())[-1] == _chances.WIDTH
    assert table.TABLES.shape == (4, _chances.WIDTH)
    parts = {kind: [name for name in _chances.ENTRIES if name[0] == kind] for kind in "BMLNC"}
    met = set()

    def check(kind, entries, names=None):
        for entry, name in zip(entries, names or parts[kind], strict=True):
            assert ends[name] - np.prod(_chances.ENTRIES[name]) <= entry < ends[name], name
            met.add(name)

    for bidding, seen in positions():
        entries = room()[0]
        if bidding:
            _chances.bid_entries(seen, _chances.asked_before(seen), entries)
            for i in range(seen.size):
                check("B", entries[_chances.OF_BID * i :][: _chances.OF_BID])
            for bid in range(seen.size + 1):
                _chances.bid_corrections(seen, _chances.asked_before(seen), bid, entries, 0)
                check("M", entries[: _chances.CORRECTIONS], parts["M"][1:])
            continue
        cards = bin(seen.hand).count("1")
        needs, need = _chances.table_needs(seen, cards), seen.bids[seen.seat] - seen.taken[seen.seat]
        _by_chances.weigh_kept(table.TABLES[0], seen, needs, entries, room()[1])
        for i in range(cards):
            check("L", entries[_by_chances.KEPT + _chances.OF_LATER * i :][: _chances.OF_LATER])
        for card in range(60):
            if seen.legal >> card & 1:
                _by_chances.card_points(table.TABLES[0], seen, needs, need, card, entries, room()[1])
                if entries[0] == _chances.MAY_WIN:
                    check("N", entries[_by_chances.NOW :][: _chances.OF_NOW])
                if 0 <= need <= cards:
                    check("C", entries[_by_chances.FIXES :][: _chances.CORRECTIONS], parts["C"][1:])
    assert met == set(_chances.ENTRIES) - {"M_scale", "C_scale"}


def positions():
    """Views of rounds that ``table`` plays; one of the seats bids nothing or everything."""
    for seats, seed in itertools.product(rules.SEAT_COUNTS, range(3)):
        dealer = np.zeros(1, [("stream", "uint64", (4,))])
        dealer["stream"] = np.random.default_rng(seed).integers(1, 2**63, 4, np.uint64)
        position, seen = np.zeros(1, playout.POSITION).view(np.recarray)[0], SeatView(VIEW).record
        _self_play.deal_round(dealer.view(np.recarray)[0], position, seats)
        while position.turn >= 0:
            playout.show(position, seen)
            bidding = position.bidders < seats
            yield bidding, seen
            playout.show(position, seen)
            code = table.bid(seen) if bidding else table.play(seen)
            if bidding and position.turn == 1 and seen.forbidden < 0:
                code = seen.size if seed else 0
            playout.apply(position, code)


def test_it_takes_a_certain_trick_only_when_it_needs_one():
    # Last to play: the 13 of the suit led wins for certain, the 2 loses for certain.
    for seats in rules.SEAT_COUNTS:
        for need, card in ((1, "Y13"), (0, "Y2")):
            seen = view(
                ["Y13", "Y2"],
                seats=seats,
                bids=(need, 0, 1, 1, 0, 0)[:seats],
                trick=("Y10", "Y11", "Y3", "B4", "G9")[: seats - 1],
                leader=1,
            )
            assert table.play(seen) == DECK.id(card)


def test_a_bid_that_is_lost_is_missed_by_as_little_as_can_be():
    # One trick too many: no more of them; two too few with two cards left: at least these.
    for bids, taken, card in (((0, 1, 1, 1), (1, 0, 0, 0), "Y2"), ((5, 1, 1, 1), (0, 1, 0, 0), "Y13")):
        seen = view(["Y13", "Y2"], bids=bids, trick=("Y10", "Y11", "Y3"), leader=1, taken=taken)
        assert table.play(seen) == DECK.id(card)


def test_it_bids_its_wizards():
    # All four in such a hand hardly ever came up in training.
    for seats, count in itertools.product(rules.SEAT_COUNTS, (1, 2, 3)):
        seen = view(["W"] * count + ["J"] * (4 - count), seats=seats, legal=0b11111, trump="R2")
        assert table.bid(seen) == count


def test_it_names_the_suit_it_is_strong_in():
    for suit in range(4):
        own = "RYGB"[suit]
        rest = [f"{other}2" for other in "RYGB" if other != own]
        seen = view([f"{own}13", f"{own}12", f"{own}10", *rest], legal=0b1111, trump="W")
        seen.position = 3
        assert table.trump(seen) == suit


def test_bids_that_are_hidden_count_as_their_share():
    hand = ["R12", "Y13", "W", "J"]
    shown, hidden = view(hand, bids=(1, 1)), view(hand, bids=(1, 1))
    hidden.bids[:] = -1
    hidden.has_bid[:2] = 1
    one, two = room()[0], room()[0]
    _chances.bid_entries(shown, _chances.asked_before(shown), one)
    _chances.bid_entries(hidden, _chances.asked_before(hidden), two)
    assert np.array_equal(one, two)
    other = view(hand, bids=(3, 3))
    _chances.bid_entries(other, _chances.asked_before(other), two)
    assert not np.array_equal(one, two)


def test_training_repeats_and_learns():
    lines = []
    arrays = _train_table.train("6", 7, lines.append, 20_000)
    again = _train_table.train("6", 7, lambda line: None, 20_000)
    assert list(arrays) == ["table_6"]
    assert arrays["table_6"].tobytes() == again["table_6"].tobytes()
    points = [float(line.split("points a round: ")[1].split()[0]) for line in lines]
    assert points[-1] > points[0] + 10


@pytest.mark.parametrize("seats", rules.SEAT_COUNTS)
@pytest.mark.parametrize("options", [{}, {"wizard_trump": "dealer", "hidden_bids": "on", "sum_rule": "off"}])
def test_it_beats_random_at_every_table(seats, options):
    results = api.compare("table", "random", 200, 1, game="wizard", players=seats, options=options, jobs=1)
    assert results.comparison["low"] > 100
