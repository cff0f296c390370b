"""The plain engine of Czech Fool: the cards of a unit, whole games, every field of a view, options, faults."""

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from bridzik_sim.games.fool import reference as ref
from bridzik_sim.games.fool.plain_round import CARD_NAMES, DECKS, DRAW, PASS, deal_table
from bridzik_sim.games.fool.rules import VIEW
from bridzik_sim.games.plain import (
    PlainStream,
    StrategyFault,
    mask_of,
    strategy_purpose,
    stream_tag,
    unit_words,
)

OPTIONS = {"deck": 52, "draw": "voluntary", "max_turns": 1000}
RESHUFFLE = 65536
TAG = stream_tag("fool", 1)


def codes(mask):
    mask = int(mask)
    return [code for code in range(54) if mask >> code & 1]


def lowest(view):
    return codes(view.legal)[0]


def player(move=lowest, suit=lowest):
    return SimpleNamespace(move=move, suit=suit)


def chooser(seed):
    """Plays any card, draws or passes, at random; mostly a card, so that rounds end."""
    rng = random.Random(seed)

    def choose(view):
        answers = codes(view.legal)
        return rng.choice(answers if rng.random() < 0.3 else answers[: max(1, len(answers) - 1)])

    return player(choose, choose)


def random_game(seats, unit, **options):
    players = [chooser(unit * seats + seat) for seat in range(seats)]
    return ref.play_game(players, seed=11, unit=unit, **options)


# The cards of a unit.


@pytest.mark.parametrize("deck", [52, 36])
@pytest.mark.parametrize(("seats", "out"), [(2, []), (3, []), (4, []), (4, [1]), (4, [0, 3]), (3, [2])])
def test_hands_opening_card_and_stock_come_from_the_streams_of_the_unit(seats, out, deck):
    words, deal = unit_words(5, TAG, 9), 3
    scores = [120 if seat in out else 7 for seat in range(seats)]
    table = deal_table(words, deal, 1, scores, OPTIONS | {"deck": deck})
    left, stream = list(DECKS[deck]), PlainStream.of(words, deal, 0)
    hands = [stream.take(left, 5) for _ in range(seats)]
    opened = stream.take(left, 1)[0]
    assert table.dealt == [[] if seat in out else hands[seat] for seat in range(seats)]
    assert table.open_card == opened
    unused = sorted(card for seat in out for card in hands[seat])
    stream = PlainStream.of(words, deal, RESHUFFLE)
    expected = [stream.take(left, 1)[0] for _ in range(len(left))]
    expected += [stream.take(unused, 1)[0] for _ in range(len(unused))]
    assert [table.stock.next_card() for _ in range(len(table.stock.cards))] == expected
    assert len(expected) == deck - 1 - 5 * (seats - len(out))


def test_a_later_stock_passes_over_the_cards_of_a_whole_deck_that_are_not_in_it():
    words, deal = unit_words(5, TAG, 9), 3
    for number, cards in ((1, [4, 9, 30, 51]), (2, [2, 3, 17])):
        table = deal_table(words, deal, 1, [0, 0], OPTIONS)
        for _ in range(number - 1):
            table.stock.renew([1])
        table.stock.renew(cards)
        stream, deck = PlainStream.of(words, deal, RESHUFFLE + number), list(range(52))
        order = [stream.take(deck, 1)[0] for _ in range(52)]
        expected = [card for card in order if card in cards]
        assert [table.stock.next_card() for _ in cards] == expected


def test_the_suit_of_an_opening_queen_is_random():
    suits = Counter()
    for unit in range(800):
        words = unit_words(5, TAG, unit)
        table = deal_table(words, 2, 0, [0, 0], OPTIONS)
        if CARD_NAMES[table.open_card][1] == "Q":
            assert table.open_suit == PlainStream.of(words, 2, 2).below(4)
            suits[table.open_suit] += 1
        else:
            assert table.open_suit == -1
    assert sorted(suits) == [0, 1, 2, 3]


def test_dealers():
    drawn = Counter()
    for unit in range(12):
        record, words = random_game(4, unit, deck=36, max_turns=60), unit_words(11, TAG, unit)
        sitting, due = [0, 1, 2, 3], None
        for deal in record.deals:
            if due not in sitting:
                due = sitting[PlainStream.of(words, deal.deal, 1).below(len(sitting))]
                drawn[deal.deal > 0] += 1
            assert deal.dealer == due
            best = max(deal.points[seat] for seat in sitting)
            due = next(seat for seat in sitting if deal.points[seat] == best)
            sitting = [seat for seat in sitting if deal.totals[seat] <= 101]
    assert drawn[False] == 12
    assert drawn[True] > 0


def test_streams_memories_parameters_and_cheats_of_the_seats():
    seen, words = {}, unit_words(8, TAG, 4)

    def look(view):
        if (int(view.deal), int(view.seat)) not in seen:
            seen[int(view.deal), int(view.seat)] = {name: view[name].tolist() for name in VIEW.names}
        view.memory[3] = view.game_memory[3] = view.deal + 1
        return lowest(view)

    params = np.arange(48.0).reshape(3, 16)
    record = ref.play_game(
        [player(look, lowest)] * 3,
        seed=8,
        unit=4,
        seating=5,
        params=params,
        cheats=[False, True, False],
        max_turns=40,
    )
    assert len(record.deals) > 2
    for (deal, seat), view in seen.items():
        assert view["stream"] == PlainStream.of(words, deal, strategy_purpose(5, seat)).state
        assert view["params"] == params[seat].tolist()
        assert view["memory"][3] == 0
        assert view["game_memory"][3] == max(
            (before + 1 for before, own in seen if own == seat and before < deal), default=0
        )
        hands = [mask_of(hand) for hand in record.deals[deal].hands]
        assert view["dealt"] == ([*hands, 0] if seat == 1 else [0] * 4)


# A view, field by field, from the record of the game.


class Bookkeeper:
    """Knows what every view of a round must hold, from the moves of its record and the views and answers of its events."""

    def __init__(self, deal, scores, deck, events):
        self.deal, self.scores, self.deck, self.events = deal, scores, deck, events
        self.seats = len(scores)
        self.hands, self.fresh = [list(hand) for hand in deal.hands], [[] for _ in scores]
        self.sitting = [seat for seat in range(self.seats) if self.hands[seat]]
        self.pile, self.returned, self.last = [deal.open_card], [], [-1] * self.seats
        self.stock, self.turns = deck - 1 - 5 * len(self.sitting), 0

    def follow(self):
        for move in self.deal.moves:
            if move.forced:
                self.draw(move.seat, move.draw)
            else:
                self.turn(move)
        assert self.hands == self.deal.left

    def draw(self, seat, cards):
        for card in cards:
            if self.stock == 0:
                self.returned, self.pile = self.pile[:-1], self.pile[-1:]
                self.stock, self.fresh = len(self.returned), [[] for _ in self.hands]
            self.stock -= 1
            self.hands[seat].append(card)
            if self.returned:
                self.fresh[seat].append(card)

    def turn(self, move):
        seat, drew = move.seat, int(bool(move.draw))
        if drew:
            assert self.check(seat, has_drawn=0)[1] == DRAW
            self.draw(seat, move.draw)
        assert self.check(seat, has_drawn=drew)[1] == (PASS if move.passed else move.play)
        self.last[seat] = PASS if move.passed else move.play
        if not move.passed:
            self.hands[seat].remove(move.play)
            self.fresh[seat] = [card for card in self.fresh[seat] if card != move.play]
            self.pile.append(move.play)
        if move.suit >= 0:
            assert self.check(seat, has_drawn=drew, chosen_suit=-1, legal=15)[1] == move.suit
        self.turns += 1

    def check(self, seat, **more):
        number, own, view, answer = self.events.pop(0)
        assert (number, own) == (self.deal.deal, seat)
        expected = {
            "deal": self.deal.deal, "seat": seat, "seats": self.seats, "dealer": self.deal.dealer,
            "scores": self.scores, "distance": [101 - score for score in self.scores], "turns": self.turns,
            "still_in": [int(seat in self.sitting) for seat in range(self.seats)], "players": len(self.sitting),
            "counts": [len(hand) for hand in self.hands], "fresh": [len(cards) for cards in self.fresh],
            "last_move": self.last, "deck": mask_of(DECKS[self.deck]), "top": self.pile[-1], "stock": self.stock,
            "gone": mask_of(self.pile), "returned": mask_of(self.returned), "hand": mask_of(self.hands[seat]),
        }  # fmt: skip
        for name, value in (expected | more).items():
            beyond = [-1 if name == "last_move" else 0] * (4 - self.seats)
            assert view[name] == ([*value, *beyond] if isinstance(value, list) else value), name
        assert view["legal"] >> answer & 1
        return view, answer


@pytest.mark.parametrize("deck", [52, 36])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_views_agree_with_the_record_of_the_game(seats, deck):
    events = []

    def watch(event):
        if event.moment == "before":
            view = {name: event.view[name].tolist() for name in VIEW.names}
            events.append((event.deal, event.seat, view))
        else:
            events[-1] += (event.answer,)

    players = [chooser(seat) for seat in range(seats)]
    record = ref.play_game(players, seed=2, unit=seats, deck=deck, max_turns=90, observer=watch)
    assert record.decisions == len(events)
    scores = [0] * seats
    for deal in record.deals:
        Bookkeeper(deal, scores, deck, events).follow()
        scores = deal.totals
    assert events == []


# Whole games.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_end_with_one_player_or_none(seats):
    for unit in range(8):
        record = random_game(seats, unit, deck=36 if unit % 2 else 52, max_turns=(5, 50)[unit // 4])
        left = [seat for seat in range(seats) if record.totals[seat] <= 101]
        assert len(left) <= 1
        assert record.winners == (left or [seat for seat in range(seats) if record.places[seat] == 1])
        assert record.totals == record.deals[-1].totals
        places = sorted(record.places)
        assert places[0] == 1
        assert [
            place for index, place in enumerate(places) if place != index + 1 and place != places[index - 1]
        ] == []
        for before, after in zip(record.deals, record.deals[1:], strict=False):
            for seat in range(seats):
                assert bool(after.hands[seat]) == (before.totals[seat] <= 101)
        if not left:
            played = [seat for seat in range(seats) if record.deals[-1].hands[seat]]
            lowest_total = min(record.totals[seat] for seat in played)
            assert record.winners == [seat for seat in played if record.totals[seat] == lowest_total]


def test_the_same_unit_gives_the_same_cards_to_all_seatings_and_other_streams_to_the_players():
    one, other = (ref.play_game([chooser(1)] * 3, seed=3, unit=2, seating=seating) for seating in (0, 1))
    assert one == other
    assert one != ref.play_game([chooser(1)] * 3, seed=3, unit=3)


# What is dealt instead.


def test_other_cards_are_dealt_where_a_permutation_says_so():
    rng = random.Random(5)
    for deck in (52, 36):
        mapping = list(range(52))
        shuffled = rng.sample(DECKS[deck], deck)
        for card, other in zip(DECKS[deck], shuffled, strict=True):
            mapping[card] = other
        words = unit_words(5, TAG, 1)
        plain, mapped = (
            deal_table(words, 1, 0, [0, 120, 0], OPTIONS | {"deck": deck}, given) for given in (None, mapping)
        )
        assert mapped.dealt == [sorted(mapping[card] for card in hand) for hand in plain.dealt]
        assert mapped.open_card == mapping[plain.open_card]
        for _ in range(len(plain.stock.cards) - 5):
            assert mapped.stock.next_card() == mapping[plain.stock.next_card()]
        for table, cards in ((plain, DECKS[deck][:9]), (mapped, [mapping[card] for card in DECKS[deck][:9]])):
            table.stock.renew(cards)
        for _ in range(9):
            assert mapped.stock.next_card() == mapping[plain.stock.next_card()]
        same = list(range(52))
        games = [
            ref.play_game([chooser(1)] * 3, seed=5, unit=1, deck=deck, max_turns=20, dealt=dealt)
            for dealt in (None, {0: same}, {0: mapping})
        ]
        assert games[0] == games[1] != games[2]
        assert games[2].deals[0].open_card == mapping[games[0].deals[0].open_card]


@pytest.mark.parametrize(
    "mapping", [[0] * 52, list(range(51)), [*range(1, 52), 0]], ids=["same", "short", "turned"]
)
def test_only_a_permutation_of_the_deck_can_be_dealt(mapping):
    with pytest.raises(ValueError, match="dealt: must be permutations of the cards that keep the deck"):
        ref.play_game([player()] * 2, seed=1, unit=1, deck=36, dealt={0: mapping})


# Options and faults.


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (1, {}, "players: fool has 2 to 4, not 1"),
        (5, {}, "players: fool has 2 to 4, not 5"),
        (2, {"deck": 32}, "deck: must be 52 or 36, not 32"),
        (2, {"deck": True}, "deck: must be 52 or 36, not True"),
        (2, {"draw": "never"}, "draw: must be voluntary or forced, not 'never'"),
        (2, {"max_turns": 0}, "max_turns: must be 1 … 100000, not 0"),
        (2, {"max_turns": 100_001}, "max_turns: must be 1 … 100000, not 100001"),
        (2, {"params": np.zeros((3, 16))}, "params must have the shape"),
    ],
)
def test_wrong_options_are_refused(seats, options, reason):
    with pytest.raises(ValueError, match=reason):
        ref.play_game([player()] * seats, seed=1, unit=0, **options)


def test_a_wrong_answer_stops_the_game_or_forfeits_to_the_lowest_legal_one():
    with pytest.raises(StrategyFault, match="seat 1 answered 60 to 'move' in deal 0"):
        ref.play_game([player(), player(lambda view: 60)], seed=1, unit=0)
    wrong = player(lambda view: 60, lambda view: 4)
    record = ref.play_game([player(), wrong], seed=1, unit=0, on_error="forfeit")
    right = ref.play_game([player(), player()], seed=1, unit=0)
    assert record.deals == right.deals
    assert {fault.decision for fault in record.faults} == {"move", "suit"}
    assert record.fault_count(1, "illegal") == len(record.faults) > 10
