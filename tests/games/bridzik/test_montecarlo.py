"""Sampling unseen cards, and the strategy that plays the samples out."""

import itertools
import random
from math import comb

import numpy as np
import pytest

from bridzik_sim import compare, games, lineup, strategy
from bridzik_sim.games.bridzik import reference
from bridzik_sim.games.bridzik.playout import POSITION
from bridzik_sim.games.bridzik.rules import DECK, VIEW
from bridzik_sim.games.plain import SeatView, mask_of, unit_words
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose
from strategies.bridzik import _fast, _hidden

GAME = games.get("bridzik")
DECK_CARDS = range(32)


@jit
def deals(view, count):
    """int64[count, 4]: hands of that many samples."""
    unseen, hands = np.empty(1, _hidden.UNSEEN), np.empty((count, 4), np.int64)
    _hidden.start(view, unseen[0])
    for i in range(count):
        _hidden.deal(view, unseen[0], hands[i])
    return hands


def cards(mask):
    return [card for card in DECK_CARDS if int(mask) >> card & 1]


def position(hand, unseen, lacks, trick=""):
    """A view of seat 1, which holds ``hand``, after ``trick``; all else but ``unseen`` has been played."""
    view = SeatView(VIEW).record
    view.seat, view.hand = 1, DECK.mask(hand.split())
    view.played = 2**32 - 1 & ~(view.hand | DECK.mask(unseen.split()))
    view.trick[: len(trick.split())] = [DECK.id(name) for name in trick.split()]
    view.trick_length, view.leader = len(trick.split()), (1 - len(trick.split())) % 4
    view.seen_void = lacks
    view.stream = (5, 6, 7, 8)
    return view


def possible_deals(view, held):
    """Every deal of the unseen cards, by plain enumeration: masks of the seats 0, 2 and 3."""
    unseen = set(DECK_CARDS) - set(cards(view.played)) - set(cards(view.hand))
    fits = {seat: {c for c in unseen if not int(view.seen_void[seat]) >> c // 8 & 1} for seat in held}
    for first in itertools.combinations(sorted(fits[0]), held[0]):
        for second in itertools.combinations(sorted(fits[2] - set(first)), held[2]):
            for third in itertools.combinations(sorted(fits[3] - set(first) - set(second)), held[3]):
                yield tuple(sum(1 << card for card in hand) for hand in (first, second, third))


SMALL = [
    # Two bound seats, one of them without hearts, too; two cards stay undealt.
    ("HA L7", "H7 H8 L8 L9 A7 A8 B7 B8", [2, 0, 9, 0], "", {0: 2, 2: 2, 3: 2}),
    # All three bound, nothing left over; seat 0 has already played to the trick.
    ("HA L7", "H7 L8 L9 A7 B7", [2, 0, 4, 8], "A8", {0: 1, 2: 2, 3: 2}),
    # Nobody bound.
    ("HA L7", "H7 H8 L8 L9 A7 A8 B7", [0, 0, 0, 0], "", {0: 2, 2: 2, 3: 2}),
    # Bound seats of which one can only have one hand.
    ("HA L7", "H7 H8 A7 A8 B7 B8", [14, 0, 1, 0], "", {0: 2, 2: 2, 3: 2}),
]


@pytest.mark.parametrize(("hand", "unseen", "lacks", "trick", "held"), SMALL)
def test_every_possible_deal_is_equally_likely(hand, unseen, lacks, trick, held):
    view = position(hand, unseen, lacks, trick)
    possible = dict.fromkeys(possible_deals(view, held), 0)
    count = 200 * len(possible)
    for hands in deals(view, count):
        assert hands[1] == view.hand
        possible[int(hands[0]), int(hands[2]), int(hands[3])] += 1
    chi_square = sum((seen - 200) ** 2 / 200 for seen in possible.values())
    freedom = len(possible) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5 + 1e-9


def test_the_bound_of_that_test_finds_seats_dealt_one_after_the_other():
    # Seat 0 from what it may hold, then seat 2 from the rest: plausible, and wrong.
    view, rng = position(*SMALL[1][:4]), random.Random(1)
    held = SMALL[1][4]
    possible = dict.fromkeys(possible_deals(view, held), 0)
    drawn = 0
    while drawn < 200 * len(possible):
        unseen, hands = set(cards(2**32 - 1 & ~(view.played | view.hand))), []
        for seat in held:
            fits = sorted(c for c in unseen if not int(view.seen_void[seat]) >> c // 8 & 1)
            hand = rng.sample(fits, min(held[seat], len(fits)))
            unseen -= set(hand)
            hands.append(sum(1 << card for card in hand))
        if tuple(hands) in possible:
            possible[tuple(hands)] += 1
            drawn += 1
    freedom = len(possible) - 1
    assert sum((seen - 200) ** 2 / 200 for seen in possible.values()) > freedom + 5 * (2 * freedom) ** 0.5


def test_the_ways_are_counted_right_with_many_cards():
    view = position(
        "HA L7 L8 L9 L10 LJ", "H7 H8 H9 H10 HJ HQ HK LQ LK LA A7 A8 A9 A10 AJ B7 B8 B9", [2, 0, 4, 8]
    )
    unseen = np.zeros(1, _hidden.UNSEEN).view(np.recarray)
    _hidden.start(view, unseen[0])
    # H 7, L 3, A 5, B 3 cards for three hands of six; who lacks leaves, acorns, bells is 2, 3, 0 in turn.
    ways = 0
    for leaves, acorns, bells in itertools.product(range(4), range(6), range(4)):
        # leaves go to seats 2 and 3, acorns to 3 and 0, bells to 0 and 2; the first number is that of the first.
        hearts = [6 - leaves - (3 - bells), 6 - (3 - leaves) - acorns, 6 - (5 - acorns) - bells]
        if min(hearts) >= 0:
            plain = comb(3, leaves) * comb(5, acorns) * comb(3, bells)
            ways += plain * comb(7, hearts[0]) * comb(7 - hearts[0], hearts[1])
    assert unseen[0].ways[0, 6, 6, 6] == ways


class Watching:
    """Plays at random; every decision's samples and notes are checked against all that has been shown."""

    def __init__(self, unit):
        self.words = unit_words(3, reference.stream_tag("bridzik", 1), unit)
        self.right = self.noted = 0

    def bid(self, view):
        self.check_samples(view)
        return choose(view)

    def play(self, view):
        _hidden.note_seen(view)
        self.check_notes(view)
        self.check_samples(view)
        card = choose(view)
        _hidden.note_play(view, card)
        return card

    def held(self, view):
        """Cards in each hand: one less where the seat has played to the trick."""
        return [len(cards(view.hand)) - ((seat - view.leader) % 4 < view.trick_length) for seat in range(4)]

    def check_samples(self, view):
        for hands in deals(view, 3):
            dealt, held = [cards(hand) for hand in hands], self.held(view)
            held[view.seat] = len(cards(view.hand))
            assert dealt[view.seat] == cards(view.hand)
            assert [len(hand) for hand in dealt] == held
            everyone = sum(dealt, cards(view.played))
            assert len(everyone) == len(set(everyone))
            for seat in {0, 1, 2, 3} - {int(view.seat)}:
                assert not {card // 8 for card in dealt[seat]} & set(cards(view.seen_void[seat]))

    def check_notes(self, view):
        """Every card that is gone is noted for one seat, as many a seat as it has played."""
        noted = [cards(mask) for mask in view.memory[:4]]
        assert sorted(itertools.chain(*noted)) == cards(view.played)
        gone = [view.size - held for held in self.held(view)]
        gone[view.seat] = view.size - len(cards(view.hand))
        assert [len(cards_of) for cards_of in noted] == gone
        dealt = reference.deal_hands(self.words, int(view.deal))
        assert set(noted[view.seat]) <= set(dealt[view.seat])
        self.right += sum(len(set(noted[seat]) & set(dealt[seat])) for seat in range(4))
        self.noted += sum(gone)


def test_samples_agree_with_what_was_shown_and_notes_tell_who_played_what():
    watching = Watching(0)
    reference.play_game([watching] * 4, seed=3, unit=0)
    # Whom a card is from is guessed only where neither winner nor voids tell it.
    assert watching.right > 0.9 * watching.noted


@jit
def beliefs(view, hands):
    """How likely bids and cards so far are with these hands."""
    positions, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    bids = _hidden.likelihood_of_bids(view, positions[0], views[0], hands)
    return bids, _hidden.likelihood_of_plays(view, positions[0], views[0])


class Policy:
    """Plays by the fast policy; at every card it asks how likely all is with the hands as they are, and others."""

    def __init__(self, unit):
        self.words = unit_words(3, reference.stream_tag("bridzik", 1), unit)
        self.true, self.false, self.tricks = [], [], []

    def bid(self, view):
        return _fast.other_bid(view)

    def play(self, view):
        _hidden.note_seen(view)
        dealt = [mask_of(hand) for hand in reference.deal_hands(self.words, int(view.deal))]
        self.tricks.append(sum(view.taken))
        self.true.append(beliefs(view, np.array(dealt) & ~view.played))
        self.false.append(beliefs(view, deals(view, 1)[0]))
        # The policy's own notes in the memory must not meet ours.
        shown = view.copy()
        card = _fast.other_play(shown)
        _hidden.note_play(view, card)
        return card


def test_true_hands_explain_what_others_did_and_samples_mostly_do_not():
    policy = Policy(1)
    reference.play_game([policy] * 4, seed=3, unit=1, hand_sizes=[3, 7])
    policy.tricks = np.array(policy.tricks)
    true, false = np.array(policy.true), np.array(policy.false)
    assert (true[policy.tricks == 0] == 1).all()
    assert (true == 1).all(axis=1).mean() > 0.85  # not where it was guessed wrongly who had played a card
    assert (false == 1).all(axis=1).mean() < 0.5


def test_cards_that_nothing_lies_between_are_tried_once():
    view = position("H7 H8 H10 L7 L9 LJ", "H9 HJ L10 A7", [0, 0, 0, 0])
    view.legal = view.hand
    # L8 is gone, H9 and L10 are not.
    assert DECK.names(_fast.different(view, DECK.id("H8"))) == ["H8", "H10", "L7", "LJ"]
    assert DECK.names(_fast.different(view, DECK.id("L9"))) == ["H7", "H10", "L9", "LJ"]
    # A card of the trick separates, too.
    view = position("H7 H9", "A7 A8 A9", [0, 0, 0, 0], trick="H8")
    view.legal = view.hand
    assert _fast.different(view, DECK.id("H7")) == view.legal


def test_where_only_one_answer_is_legal_nothing_is_drawn():
    player = strategy.load(lineup.parse("montecarlo")[0], GAME).callables(GAME)
    view = position("L7", "A7 A8 A9", [0, 0, 0, 0])
    view.legal, view.size, before = 1 << 8, 1, view.stream.tolist()
    assert player["play"](view) == 8
    view.legal = 0b10
    assert player["bid"](view) == 1
    assert view.stream.tolist() == before


def test_few_samples_already_beat_the_policy_in_its_seat():
    # Exactly 0 if the search had no say; fewer points if it were wrong about its samples.
    results = compare("montecarlo:samples=20", "champion", 320, 4, field="table", options={"hand_sizes": "8"})
    assert results.comparison["low"] > 0
