"""What a seat knows of hidden cards, and the strategy that plays samples of them out."""

import itertools

import numpy as np
import pytest
from wizard_views import bidding, choosing, mask, playing

from bridzik_sim import compare, games, lineup, strategy
from bridzik_sim.games.plain import stream_tag, unit_words
from bridzik_sim.games.wizard import reference
from bridzik_sim.games.wizard.playout import POSITION
from bridzik_sim.games.wizard.rules import DECK, SEAT_COUNTS, VIEW
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose
from strategies.parts.hidden import PILES, deal
from strategies.wizard import _fast, _hidden

GAME = games.get("wizard")


def cards(number):
    return [card for card in range(60) if int(number) >> card & 1]


@jit
def samples(view, count):
    """int64[count, 6]: hands of that many samples."""
    piles, hands = np.zeros(1, PILES), np.zeros((count, 6), np.int64)
    _hidden.start(view, piles[0])
    for i in range(count):
        deal(view, piles[0])
        _hidden.lay_out(view, piles[0], hands[i])
    return hands


@jit
def belief(view, hands):
    """How likely the bids so far are with these hands now."""
    positions, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    _fast.set_knobs(views[0])
    return _hidden.likelihood(view, positions[0], views[0], hands)


class Watching:
    """Plays at random, or by the policy; checks samples and notes of every decision against what was shown."""

    def __init__(self, seats, unit, by_policy):
        self.seats, self.by_policy = seats, by_policy
        self.words = unit_words(3, stream_tag("wizard", 1), unit)
        self.right = self.noted = 0
        self.true, self.false = [], []

    def answer(self, policy, view):
        if not self.by_policy:
            return choose(view)
        # The policy's own notes in the memory must not meet ours.
        shown = view.copy()
        _fast.set_knobs(shown)
        return policy(shown)

    def bid(self, view):
        self.check_samples(view)
        return self.answer(_fast.policy_bid, view)

    def play(self, view):
        _hidden.note_seen(view)
        self.check_notes(view)
        self.check_samples(view)
        card = self.answer(_fast.policy_play, view)
        _hidden.note_play(view, card)
        return card

    def trump(self, view):
        self.check_samples(view)
        return self.answer(_fast.policy_trump, view)

    def dealt(self, view):
        hands, _ = reference.deal_cards(self.words, int(view.deal), self.seats, int(view.starter))
        return hands

    def held(self, view):
        """Cards in each hand: one less where the seat has played to the trick."""
        has_played = [(seat - view.leader) % self.seats < view.trick_length for seat in range(self.seats)]
        return [len(cards(view.hand)) - played for played in has_played]

    def check_samples(self, view):
        found = samples(view, 3)
        for hands in found:
            dealt, held = [cards(hand) for hand in hands[: self.seats]], self.held(view)
            held[view.seat] = len(cards(view.hand))
            assert dealt[view.seat] == cards(view.hand)
            assert [len(hand) for hand in dealt] == held
            everyone = [*itertools.chain(*dealt), *cards(view.played)]
            assert len(everyone) == len(set(everyone))
            assert view.trump_card not in everyone
            for seat in set(range(self.seats)) - {int(view.seat)}:
                assert not {card // 13 for card in dealt[seat]} & set(cards(view.seen_void[seat]))
        self.believe(view, found[0])

    def believe(self, view, sample):
        true = np.zeros(6, np.int64)
        for seat, hand in enumerate(self.dealt(view)):
            true[seat] = sum(1 << card for card in hand) & ~view.played
        if any(view.has_bid[seat] for seat in range(self.seats) if seat != view.seat):
            self.true.append(belief(view, true))
            self.false.append(belief(view, sample))

    def check_notes(self, view):
        """Every card that is gone is noted for one seat, as many a seat as it has played."""
        noted = [cards(_hidden.played_by(view, seat)) for seat in range(self.seats)]
        assert sorted(itertools.chain(*noted)) == cards(view.played)
        gone = [view.size - held for held in self.held(view)]
        gone[view.seat] = view.size - len(cards(view.hand))
        assert [len(of_seat) for of_seat in noted] == gone
        dealt = self.dealt(view)
        assert set(noted[view.seat]) <= set(dealt[view.seat])
        self.right += sum(len(set(noted[seat]) & set(dealt[seat])) for seat in range(self.seats))
        self.noted += sum(gone)


def watch(seats, unit, by_policy, sizes, **options):
    watching = Watching(seats, unit, by_policy)
    reference.play_game([watching] * seats, seed=3, unit=unit, hand_sizes=sizes, **options)
    return watching


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_samples_agree_with_what_was_shown_and_notes_tell_who_played_what(seats):
    last = 60 // seats
    watching = watch(seats, 0, False, [1, 4, last - 2, last], hidden_bids="on", wizard_trump="dealer")
    # Whom a card is from is guessed only where neither winner nor voids tell it.
    assert watching.right > 0.75 * watching.noted


@pytest.mark.parametrize("seats", [3, 5])
def test_true_hands_explain_the_bids_and_samples_mostly_do_less(seats):
    watching = watch(seats, 1, True, [4, 10])
    true, false = np.array(watching.true), np.array(watching.false)
    assert (true == 1).mean() > 0.6  # not where it was guessed wrongly who had played a card
    assert (false == 1).mean() < 0.5
    assert true.mean() > 1.3 * false.mean()


def test_hidden_bids_are_made_up_as_the_policy_bids():
    view = bidding("W B2 G3", (1, 2), hidden=True)
    hands = np.array([mask("W W G2", mask("W")), mask("B3 B4 J"), 0, mask("R2 R3 R4"), 0, 0])
    hands[2] = view.hand
    assert belief(view, hands) == 1


def test_cards_that_nothing_lies_between_are_tried_once():
    view = playing("R2 R3 R5 B1 B3 B5 W W J J", gone="B2", turned="G1")
    # B2 is gone, R4 and B4 are not.
    assert DECK.names(_fast.different(view, DECK.id("R3"))) == ["R3", "R5", "B1", "B5", "W", "J"]
    assert DECK.names(_fast.different(view, DECK.id("B3"))) == ["R2", "R5", "B3", "B5", "W", "J"]
    for special in ("W", "J"):
        own = DECK.id(special) + 1
        assert _fast.different(view, own) >> own & 1
        assert len(cards(_fast.different(view, own))) == 6
    # The card turned up is nobody's, so it separates nothing.
    view = playing("R2 R4", "", turned="R3")
    assert DECK.names(_fast.different(view, DECK.id("R4"))) == ["R4"]
    # A card of the trick separates, too.
    view = playing("R2 R4", "R3", turned="G1")
    assert _fast.different(view, DECK.id("R2")) == view.legal


def player(text):
    return strategy.load(lineup.parse(text)[0], GAME).callables(GAME)


@pytest.fixture(scope="module")
def searching():
    return player("montecarlo")


def with_samples(view, count):
    view.params[0] = count
    return view


def test_where_only_one_answer_is_legal_nothing_is_drawn(searching):
    view = playing("B5", "B7")
    before = view.stream.tolist()
    assert searching["play"](view) == DECK.id("B5")
    view = bidding("B5", (0, 0, 0), forbidden=1)
    assert searching["bid"](view) == 0
    assert view.stream.tolist() == before


class Beside:
    """Searches with one sample of a small hand, which can never make up for the policy's advance."""

    def __init__(self, searching):
        self.searching, self.compared = searching, 0

    def answer(self, decision, view):
        view.params[0] = 1
        shown = view.copy()
        _fast.set_knobs(shown)
        policy = {"bid": _fast.policy_bid, "play": _fast.policy_play, "trump": _fast.policy_trump}
        answer = self.searching[decision](view)
        assert answer == policy[decision](shown)
        self.compared += int(view.legal).bit_count() > 1
        return answer

    def bid(self, view):
        return self.answer("bid", view)

    def play(self, view):
        return self.answer("play", view)

    def trump(self, view):
        return self.answer("trump", view)


@pytest.mark.parametrize("hidden", ["off", "on"])
def test_without_much_to_go_by_it_answers_as_the_policy(searching, hidden):
    beside = Beside(searching)
    for unit in range(12):
        reference.play_game(
            [beside] * 4, seed=4, unit=unit, hand_sizes=[1, 3], wizard_trump="dealer", hidden_bids=hidden
        )
    assert beside.compared > 100


def test_it_sees_what_a_card_leads_to(searching):
    # A heart of the matter: of two cards left one must take, and only one way round does it surely.
    view = with_samples(playing("R12 R2 G1", "R7 R6 R4", (1, 0, 0, 0), turned=""), 20)
    assert DECK.name(searching["play"](view)) == "R12"
    view = with_samples(playing("J R12 G1", "R7 R6 R4", (0, 1, 1, 1), turned=""), 20)
    assert DECK.name(searching["play"](view)) == "J"
    assert searching["bid"](with_samples(bidding("W W W"), 20)) == 3
    assert searching["trump"](with_samples(choosing("R2 Y13 Y12 Y10 Y9 Y5 G3 B2"), 20)) == 1


def test_few_samples_already_beat_the_policy():
    # Exactly 0 if the search had no say; fewer points if it were wrong about its samples.
    options = {"hand_sizes": "8"}
    results = compare("montecarlo:samples=30", "heuristic", 360, 4, game="wizard", players=4, options=options)
    assert results.comparison["low"] > 0
