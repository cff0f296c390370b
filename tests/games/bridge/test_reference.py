"""The plain engine of bridge: the cards of a unit, whole games, every field of a view, options, faults."""

import random
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from bridzik_sim.games.bridge import reference as ref
from bridzik_sim.games.bridge.plain_deal import deal_hands
from bridzik_sim.games.bridge.rules import VIEW
from bridzik_sim.games.plain import (
    PlainStream,
    StrategyFault,
    mask_of,
    strategy_purpose,
    stream_tag,
    unit_words,
)

TAG = stream_tag("bridge", 1)
BOARD = {"scoring": "duplicate"}
HANDS = [
    "12 W EW AKQ2.J3.T98.5432 JT98.AKQ2.J3.T98 7654.T98.AKQ2.J7 3.7654.7654.AKQ6",
    "401 S both .AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432",
]


def codes(mask):
    mask = int(mask)
    return [code for code in range(52) if mask >> code & 1]


def lowest(view):
    return codes(view.legal)[0]


def player(call=lowest, play=lowest):
    return SimpleNamespace(call=call, play=play)


def chooser(seed):
    """Mostly passes, at other times one of the next bids, a double or a redouble; plays any card."""
    rng = random.Random(seed)

    def call(view):
        return rng.choice([*codes(view.legal)[1:4], codes(view.legal)[-1]]) if rng.random() < 0.35 else 0

    return player(call, lambda view: rng.choice(codes(view.legal)))


def random_game(unit, **options):
    return ref.play_game([chooser(4 * unit + seat) for seat in range(4)], seed=11, unit=unit, **options)


def in_the_first_call(call):
    """Calls this once, if it opens the auction, and else passes."""
    return player(lambda view: call if view.contract == 0 else 0)


# The cards of a unit.


def test_hands_come_from_the_stream_of_the_deal():
    words = unit_words(5, TAG, 9)
    for deal in (0, 3):
        stream, deck = PlainStream.of(words, deal, 0), [*range(52)]
        hands = [sorted(stream.take(deck, 8) + stream.take(deck, 5)) for _ in range(3)]
        assert deal_hands(words, deal) == [*hands, deck]
    record = random_game(9, max_deals=2)
    assert [deal.hands for deal in record.deals] == [
        deal_hands(unit_words(11, TAG, 9), deal) for deal in (0, 1)
    ]


def test_a_unit_has_the_same_cards_whoever_plays_and_in_duplicate_those_of_its_first_deal():
    one, other = random_game(3, max_deals=3), ref.play_game([player()] * 4, seed=11, unit=3, max_deals=3)
    for deal, again in zip(one.deals, other.deals, strict=False):
        assert deal.hands == again.hands
    assert random_game(3, **BOARD).deals[0].hands == one.deals[0].hands
    assert random_game(4, **BOARD).deals[0].hands != one.deals[0].hands


def test_streams_memories_parameters_and_cheats_of_the_seats():
    seen, words = {}, unit_words(8, TAG, 4)

    def look(view):
        if (int(view.deal), int(view.seat)) not in seen:
            seen[int(view.deal), int(view.seat)] = {name: view[name].tolist() for name in VIEW.names}
        view.memory[3] = view.game_memory[3] = view.deal + 1
        return lowest(view)

    params = np.arange(64.0).reshape(4, 16)
    cheats = [False, True, False, False]
    how = {"seating": 5, "params": params, "cheats": cheats, "max_deals": 3}
    record = ref.play_game([player(look)] * 4, seed=8, unit=4, **how)
    assert len(seen) == 12
    for (deal, seat), view in seen.items():
        assert view["stream"] == PlainStream.of(words, deal, strategy_purpose(5, seat)).state
        assert view["params"] == params[seat].tolist()
        assert (view["memory"][3], view["game_memory"][3]) == (0, deal)
        hands = [mask_of(hand) for hand in record.deals[deal].hands]
        assert view["dealt"] == (hands if seat == 1 else [0] * 4)


def test_memory_and_stream_belong_to_a_seat_also_when_declarer_plays_dummy():
    drawn = []

    def play(view):
        view.memory[0] += 1
        drawn.append((int(view.seat), int(view.playing_for), int(view.memory[0])))
        return lowest(view)

    def never(view):
        raise AssertionError

    bidder, silent = in_the_first_call(3), player(lambda view: 0, never)
    bidder.play = play
    ref.play_game(
        [bidder, player(lambda view: 0), silent, player(lambda view: 0)], seed=1, unit=1, max_deals=1
    )
    assert [own for own, _, _ in drawn] == [0] * 26
    assert sorted(place for _, place, _ in drawn) == [0] * 13 + [2] * 13
    assert [count for _, _, count in drawn] == [*range(1, 27)]


# A view, field by field, from the record of the game.


class Bookkeeper:
    """Knows what every view of a deal must hold, from its record and the views and answers of its events."""

    def __init__(self, deal, before, events, options):
        self.deal, self.events, self.options = deal, events, options
        self.written, self.above, self.below, self.games = before
        self.hands = [list(hand) for hand in deal.hands]
        self.played, self.trick, self.taken, self.voids = [], [], [0] * 4, [0] * 4
        self.leader = self.declarer = self.dummy = self.trump = -1

    def follow(self):
        deal = self.deal
        for number, call in enumerate(deal.calls):
            bids = [(made, place) for place, made in enumerate(deal.calls[:number]) if 1 <= made <= 35]
            bid, place = bids[-1] if bids else (0, -1)
            bidder = (deal.dealer + place) % 4 if bids else -1
            doubled = sum(later > 35 for later in deal.calls[place + 1 : number]) if bids else 0
            seat = (deal.dealer + number) % 4
            self.check(seat, seat, call, number, {"contract": bid, "bidder": bidder, "doubled": doubled})
        if deal.contract == 0:
            return
        self.declarer, self.dummy = deal.declarer, (deal.declarer + 2) % 4
        strain = (deal.contract - 1) % 5
        self.trump = strain if strain < 4 else -1
        for trick in deal.tricks:
            self.follow_trick(trick)

    def follow_trick(self, trick):
        final = {"contract": self.deal.contract, "doubled": self.deal.doubled}
        self.leader, self.trick = trick.leader, []
        for place, card in enumerate(trick.cards):
            owner = (trick.leader + place) % 4
            asked = self.declarer if owner == self.dummy else owner
            self.check(asked, owner, card, len(self.deal.calls), final)
            self.hands[owner].remove(card)
            self.played.append(card)
            self.trick.append(card)
            if card // 13 != trick.cards[0] // 13:
                self.voids[owner] |= 1 << trick.cards[0] // 13
        self.taken[trick.winner] += 1

    def best(self):
        trumps = [card for card in self.trick if card // 13 == self.trump]
        return max(trumps or [card for card in self.trick if card // 13 == self.trick[0] // 13], default=-1)

    def check(self, asked, owner, answer, calls, more):
        number, seat, view, given = self.events.pop(0)
        assert (number, seat, given) == (self.deal.deal, asked, answer)
        deal = self.deal
        expected = {
            "deal": deal.deal, "seat": asked, "playing_for": owner, "dealer": deal.dealer, "n_calls": calls,
            "calls": deal.calls[:calls] + [-1] * (320 - calls), "hand": mask_of(self.hands[asked]),
            "scores": [self.written[side] + self.above[side] for side in (0, 1)] * 2, "below": self.below,
            "games": self.games, "vulnerable": [deal.vulnerable & 1, deal.vulnerable >> 1],
            "declarer": self.declarer, "dummy_seat": self.dummy, "trump": self.trump, "leader": self.leader,
            "dummy": mask_of(self.hands[self.dummy]) if self.played else 0, "played": mask_of(self.played),
            "trick": self.trick + [-1] * (4 - len(self.trick)), "trick_length": len(self.trick),
            "best": self.best(), "lead": self.trick[0] // 13 if self.trick else -1, "taken": self.taken,
            "seen_void": self.voids, "board": deal.board, "duplicate": int(deal.board > 0),
            "last_bid_declares": int(self.options.get("declarer") == "last_bid"),
        }  # fmt: skip
        own = {"legal", "stream", "params", "memory", "game_memory", "dealt"}
        assert {*view} - own == {*expected, "contract", "doubled", "bidder"}
        for name, value in (expected | more).items():
            assert view[name] == value, name
        assert view["legal"] >> answer & 1


@pytest.mark.parametrize(
    "options", [{}, {"declarer": "last_bid", "honours": "on"}, BOARD, BOARD | {"boards": HANDS}], ids=str
)
def test_views_agree_with_the_record_of_the_game(options):
    events = []

    def watch(event):
        if event.moment == "before":
            view = {name: event.view[name].tolist() for name in VIEW.names}
            events.append((event.deal, event.seat, view))
        else:
            events[-1] += (event.answer,)

    limit = {} if "scoring" in options else {"max_deals": 8}
    record = random_game(1, observer=watch, **options, **limit)
    assert record.decisions == len(events)
    before = [[0, 0]] * 4
    for deal in record.deals:
        Bookkeeper(deal, before, events, options).follow()
        before = deal.written, deal.above, deal.below, deal.games
    assert events == []


# Whole games.


def test_games_of_a_rubber_add_up_and_end_as_they_should():
    endings = set()
    strong = player(in_the_first_call(8).call, lambda view: codes(view.legal)[-1])
    for unit, others in product(range(3), (player(), strong)):
        limit, honours = (16, 3, 2)[unit], ("on", "off")[unit % 2]
        how = {"max_deals": limit, "honours": honours}
        record = ref.play_game([strong, others] * 2, seed=11, unit=unit, **how)
        deals, last = record.deals, record.deals[-1]
        assert record.totals == [last.above[side] + last.written[side] for side in (0, 1)]
        assert record.totals == [sum(deal.points[side] for deal in deals) for side in (0, 1)]
        assert all(2 not in deal.games for deal in deals[:-1])
        assert (2 in last.games) == (record.ending < 2)
        assert len(deals) == limit or record.ending < 2
        best = max(record.totals)
        assert record.winners == [seat for seat in range(4) if record.totals[seat % 2] == best]
        assert [deal.dealer for deal in deals] == [number % 4 for number in range(len(deals))]
        for deal, following in pairwise(deals):
            assert following.vulnerable == (deal.games[0] > 0) + 2 * (deal.games[1] > 0)
        endings.add(record.ending)
    assert endings >= {0, 2}


def test_deals_passed_out_count_and_the_deal_moves_on():
    record = ref.play_game([player()] * 4, seed=1, unit=1, max_deals=7, first_dealer=2)
    assert [deal.dealer for deal in record.deals] == [2, 3, 0, 1, 2, 3, 0]
    assert (record.totals, record.winners, record.ending, record.decisions) == ([0, 0], [0, 1, 2, 3], 2, 28)
    deal = record.deals[0]
    assert (deal.contract, deal.declarer, deal.declarer_tricks, deal.tricks) == (0, -1, -1, [])
    assert len(ref.play_game([player()] * 4, seed=1, unit=1).deals) == 100


def test_a_board_is_one_deal_with_the_dealer_and_vulnerability_of_its_number():
    for unit, (dealer, vulnerable) in {0: (0, 0), 5: (1, 2), 14: (2, 1), 18: (2, 2)}.items():
        record = random_game(unit, **BOARD)
        (deal,) = record.deals
        assert (deal.board, deal.dealer, deal.vulnerable) == (unit + 1, dealer, vulnerable)
        assert (record.ending, record.totals) == (3, deal.points)
        assert deal.below == deal.games == deal.written == deal.above == [0, 0]
        assert min(deal.points) == 0


def test_given_boards_are_played_and_there_must_be_one_for_the_unit():
    record = random_game(1, **BOARD, boards=HANDS)
    (deal,) = record.deals
    assert (deal.board, deal.dealer, deal.vulnerable) == (401, 2, 3)
    assert deal.hands == [[*range(13 * suit, 13 * suit + 13)] for suit in (2, 3, 1, 0)]
    with pytest.raises(ValueError, match="boards: there are 2, and none for unit 2"):
        random_game(2, **BOARD, boards=HANDS)


def test_the_same_unit_gives_the_same_cards_to_all_seatings_and_other_streams_to_the_players():
    one, other = (
        ref.play_game([chooser(1)] * 4, seed=3, unit=2, seating=seating, max_deals=2) for seating in (0, 1)
    )
    assert one == other
    assert one != ref.play_game([chooser(1)] * 4, seed=3, unit=3, max_deals=2)


# What is dealt instead.


def test_other_cards_are_dealt_where_a_permutation_says_so():
    mapping = random.Random(5).sample(range(52), 52)
    for options in ({"max_deals": 2}, BOARD, BOARD | {"boards": HANDS}):
        plain, same, other = (
            random_game(1, dealt=dealt, **options) for dealt in (None, {0: [*range(52)]}, {0: mapping})
        )
        assert plain == same
        expected = [sorted(mapping[card] for card in hand) for hand in plain.deals[0].hands]
        assert other.deals[0].hands == expected
        if len(plain.deals) > 1:
            assert other.deals[1].hands == plain.deals[1].hands


@pytest.mark.parametrize(
    "mapping", [[0] * 52, list(range(51)), [*range(51), 52]], ids=["same", "short", "high"]
)
def test_only_a_permutation_of_the_cards_can_be_dealt(mapping):
    with pytest.raises(ValueError, match="dealt: must be permutations of the cards"):
        ref.play_game([player()] * 4, seed=1, unit=1, dealt={0: mapping})


# Options and faults.


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (2, {}, "players: bridge has 4, not 2"),
        (4, {"scoring": "chicago"}, "scoring: must be rubber or duplicate, not 'chicago'"),
        (4, {"declarer": "first"}, "declarer: must be laws or last_bid, not 'first'"),
        (4, {"honours": "yes"}, "honours: must be off or on, not 'yes'"),
        (4, {"max_deals": 0}, "max_deals: must be 1 … 1000, not 0"),
        (4, {"max_deals": True}, "max_deals: must be 1 … 1000, not True"),
        (4, {"first_dealer": 4}, "first_dealer: must be 0 … 3, not 4"),
        (4, {"boards": HANDS}, "boards: are played in duplicate only"),
        (4, BOARD | {"honours": "on"}, "honours: belongs to the rubber"),
        (4, BOARD | {"max_deals": 4}, "max_deals: belongs to the rubber"),
        (4, BOARD | {"first_dealer": 1}, "first_dealer: belongs to the rubber"),
        (4, {"params": np.zeros((3, 16))}, "params must have the shape"),
    ],
)
def test_wrong_options_are_refused(seats, options, reason):
    with pytest.raises(ValueError, match=reason):
        ref.play_game([player()] * seats, seed=1, unit=0, **options)


def test_a_wrong_answer_stops_the_game_or_forfeits_to_the_lowest_legal_one():
    with pytest.raises(StrategyFault, match="seat 1 answered 36 to 'call' in deal 0"):
        ref.play_game([player(), player(lambda view: 36), player(), player()], seed=1, unit=0)
    wrong = player(in_the_first_call(9).call, lambda view: 60)
    right = in_the_first_call(9)
    games = [
        ref.play_game([player(), one, player(), player()], seed=1, unit=0, max_deals=3, on_error="forfeit")
        for one in (wrong, right)
    ]
    assert games[0].deals == games[1].deals
    assert {fault.decision for fault in games[0].faults} == {"play"}
    assert games[0].fault_count(1, "illegal") == len(games[0].faults) == 3 * 26
    assert games[1].faults == []
