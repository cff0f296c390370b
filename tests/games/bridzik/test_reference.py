"""The plain engine against the rules: hand-made hands, whole games, views, faults."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bridzik_sim.games.bridzik import reference as ref
from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import (
    Asker,
    PlainStream,
    StrategyFault,
    mask_of,
    strategy_purpose,
    stream_tag,
    unit_words,
)

ALL_SIZES = (8, 7, 6, 5, 4, 3, 2, 1)


def cards(names):
    return [ref.CARD_NAMES.index(name) for name in names.split()]


def codes(mask):
    return [code for code in range(63) if int(mask) >> code & 1]


def lowest(view):
    return codes(view.legal)[0]


def player(bid=lowest, play=lowest):
    return SimpleNamespace(bid=bid, play=play)


def chooser(seed):
    rng = random.Random(seed)
    return player(*[lambda view: rng.choice(codes(view.legal))] * 2)


def random_game(unit, **options):
    return ref.play_game([chooser(unit * 4 + seat) for seat in range(4)], seed=11, unit=unit, **options)


def as_record(game, hand_sizes=ALL_SIZES):
    labels = ["a", "b", "a", "b"]
    options = {"hand_sizes": list(hand_sizes)}
    return game.as_dict(options=options, seed=11, unit=0, seating=0, seats=labels)


# The rules.


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("H7 L8 B9", "", "H7 L8 B9"),
        ("H7 L8 LA B9", "L10", "L8 LA"),
        ("HA L8 B9", "L10 H7", "L8"),
        ("H7 HA A8", "HK", "H7 HA"),
    ],
    ids=["the leader plays anything", "no duty to beat", "also on a ruffed trick", "hearts led"],
)
def test_follow_suit(hand, trick, legal):
    assert ref.legal_cards(cards(hand), cards(trick)) == cards(legal)


def test_without_the_led_suit_a_heart_must_be_played_even_when_it_cannot_win():
    assert ref.legal_cards(cards("H7 H9 B9"), cards("L10 HA")) == cards("H7 H9")
    assert ref.legal_cards(cards("H7 H9 B9"), cards("L10 A7")) == cards("H7 H9")


def test_without_the_led_suit_and_hearts_any_card_may_be_played():
    assert ref.legal_cards(cards("A7 B9"), cards("L10")) == cards("A7 B9")
    assert ref.legal_cards(cards("A7 L9"), cards("H10")) == cards("L9 A7")


@pytest.mark.parametrize(
    ("bids", "starter", "leader"),
    [
        ([0, 3, 1, 2], 0, 1),
        ([0, 3, 1, 3], 0, 1),
        ([0, 3, 1, 3], 2, 3),
        ([0, 0, 0, 0], 2, 2),
        ([5, 1, 5, 5], 3, 3),
    ],
)
def test_highest_bid_leads_and_of_equal_ones_the_earliest(bids, starter, leader):
    assert ref.first_leader(bids, starter) == leader


@pytest.mark.parametrize(
    ("size", "earlier", "legal"),
    [
        (3, [], [0, 1, 2, 3]),
        (3, [3, 3], [0, 1, 2, 3]),
        (3, [0, 0, 0], [0, 1, 2]),
        (3, [1, 1, 0], [0, 2, 3]),
        (3, [1, 1, 1], [1, 2, 3]),
        (3, [2, 1, 1], [0, 1, 2, 3]),
        (1, [0, 0, 0], [0]),
        (1, [1, 1, 1], [0, 1]),
    ],
)
def test_the_fourth_bid_may_not_make_the_sum_of_tricks(size, earlier, legal):
    assert ref.legal_bids(size, earlier) == legal


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("L7 L9 LA L8", "LA"),
        ("L7 BA AA L8", "L8"),
        ("L7 BA AA BK", "L7"),
        ("LA H7 LK BA", "H7"),
        ("LA H7 LK H8", "H8"),
        ("H7 BA HK LA", "HK"),
    ],
)
def test_highest_heart_wins_else_highest_of_the_led_suit(trick, winner):
    assert ref.winning_card(cards(trick)) == cards(winner)[0]


def test_points_only_for_the_exact_bid():
    assert [ref.points_for(3, taken) for taken in (2, 3, 4)] == [0, 13, 0]
    assert ref.points_for(0, 0) == 10


def test_equal_totals_share_the_win():
    assert ref.winners_of([5, 9, 9, 0]) == [1, 2]
    assert ref.winners_of([0, 0, 0, 0]) == [0, 1, 2, 3]


def test_every_seat_bids_once_in_each_position_for_every_hand_size():
    places = Counter(
        (ref.deal_size(deal), position, seat)
        for deal in range(32)
        for position, seat in enumerate([(ref.deal_starter(deal) + i) % 4 for i in range(4)])
    )
    assert len(places) == 8 * 4 * 4
    assert set(places.values()) == {1}
    assert [ref.deal_starter(deal) for deal in (0, 1, 4, 8, 15, 31)] == [0, 1, 0, 1, 0, 2]


def test_exact_chances_of_the_one_card_round():
    leads = wins = 0
    for lead in range(32):
        for others in itertools.combinations([card for card in range(32) if card != lead], 3):
            leads += 1
            wins += ref.winning_card([lead, *others]) == lead
    leader_wins = wins / leads
    assert leader_wins == pytest.approx(0.359789, abs=5e-7)
    hits = [0.0] * 4
    for bids in itertools.product((0, 1), repeat=4):
        if bids[3] in ref.legal_bids(1, bids[:3]):
            chance = 1 / 8 / len(ref.legal_bids(1, bids[:3]))
            leader = ref.first_leader(bids, 0)
            for seat in range(4):
                win = leader_wins if seat == leader else (1 - leader_wins) / 3
                hits[seat] += chance * (win if bids[seat] else 1 - win)
    assert hits == pytest.approx([0.55489, 0.53660, 0.51830, 0.42835], abs=5e-6)


# A deal made by hand: two cards, seat 1 opens, seat 2 leads as the earliest of the highest bidders.


def hand_made_deal():
    script = {0: (1, "LA", "H7"), 1: (0, "L7", "B7"), 2: (1, "L8", "A8"), 3: (1, "AK", "A9")}
    answers = {seat: iter((bid, *cards(f"{a} {b}"))) for seat, (bid, a, b) in script.items()}

    def follow_script(view):
        return next(answers[int(view.seat)])

    seen = {}

    def note(event):
        if event.moment == "before":
            seen[event.seat, event.decision, len(seen)] = {
                name: event.view[name].tolist() for name in VIEW.names
            }

    hands = [cards(names) for names in ("H7 LA", "L7 B7", "L8 A8", "A9 AK")]
    players = ref.Players([player(follow_script, follow_script)] * 4, VIEW, Asker(observer=note))
    return ref.play_deal(ref.Table(30, hands, [10, 20, 30, 40]), players), seen


def test_a_deal_by_hand():
    deal, _ = hand_made_deal()
    assert deal.bids == [1, 0, 1, 1]
    assert [(t.leader, t.winner) for t in deal.tricks] == [(2, 0), (0, 0)]
    assert [t.cards for t in deal.tricks] == [cards("L8 AK LA L7"), cards("H7 B7 A8 A9")]
    assert deal.taken == [2, 0, 0, 0]
    assert deal.points == [0, 10, 0, 0]


def test_every_field_of_the_view():
    _, seen = hand_made_deal()
    zeros = {"stream": [0] * 4, "params": [0.0] * 16, "memory": [0.0] * 64, "game_memory": [0.0] * 64}
    deal = {"deal": 30, "size": 2, "starter": 1, "scores": [10, 20, 30, 40], "dealt": [0] * 4, **zeros}
    bidding = {"trick_length": 0, "leader": -1, "best": -1, "lead": -1, "played": 0, "trick": [-1] * 4}
    nothing = {"taken": [0] * 4, "seen_void": [0] * 4}
    own = {"seat": 0, "position": 3, "hand": mask_of(cards("H7 LA")), "legal": 0b110, "forbidden": 0}
    bids = {"bids": [-1, 0, 1, 1], "has_bid": [0, 1, 1, 1]}
    assert seen[0, "bid", 3] == {**deal, **bidding, **nothing, **own, **bids}
    assert seen[3, "bid", 2]["forbidden"] == -1

    bids = {"bids": [1, 0, 1, 1], "has_bid": [1] * 4, "forbidden": -1}
    own = {"seat": 3, "position": 2, "hand": mask_of(cards("A9 AK")), "legal": mask_of(cards("A9 AK"))}
    led = {"trick_length": 1, "leader": 2, "lead": 1, "trick": [*cards("L8"), -1, -1, -1]}
    gone = {"best": cards("L8")[0], "played": mask_of(cards("L8"))}
    assert seen[3, "play", 5] == {**deal, **nothing, **own, **bids, **led, **gone}
    assert seen[0, "play", 6]["seen_void"] == [0, 0, 0, 0b11]
    assert seen[0, "play", 6]["legal"] == mask_of(cards("LA"))

    own = {"seat": 2, "position": 1, "hand": mask_of(cards("A8")), "legal": mask_of(cards("A8"))}
    led = {"trick_length": 2, "leader": 0, "lead": 0, "trick": [*cards("H7 B7"), -1, -1]}
    gone = {"best": cards("H7")[0], "played": mask_of(cards("L8 AK LA L7 H7 B7"))}
    known = {"taken": [1, 0, 0, 0], "seen_void": [0, 0b1, 0, 0b11]}
    assert seen[2, "play", 10] == {**deal, **own, **bids, **led, **gone, **known}
    assert (seen[0, "play", 8]["leader"], seen[0, "play", 8]["best"]) == (0, -1)


# Whole games.


@pytest.mark.parametrize("unit", range(15))
def test_random_games_obey_the_rules(unit):
    game = random_game(unit)
    assert [deal.deal for deal in game.deals] == list(range(32))
    for deal in game.deals:
        dealt = sorted(itertools.chain(*deal.hands))
        assert sorted(itertools.chain(*(trick.cards for trick in deal.tricks))) == dealt
        assert len(set(dealt)) == 4 * ref.deal_size(deal.deal)
        assert sum(deal.taken) == ref.deal_size(deal.deal) != sum(deal.bids)
    replayed = ref.replay_record(json.loads(json.dumps(as_record(game))))
    assert (replayed.deals, replayed.totals, replayed.winners) == (game.deals, game.totals, game.winners)


def test_hand_sizes_play_the_deals_of_the_full_game():
    full = random_game(3)
    short = random_game(3, hand_sizes=(1, 8, 3))
    assert [deal.deal for deal in short.deals] == [8 * series + r for series in range(4) for r in (0, 5, 7)]
    assert [deal.hands for deal in short.deals] == [full.deals[deal.deal].hands for deal in short.deals]
    ref.replay_record(as_record(short, (1, 8, 3)))


def test_cards_depend_on_the_unit_and_the_seed_only():
    def hands(**given):
        return [deal.hands for deal in ref.play_game([player()] * 4, **given).deals]

    base = hands(seed=1, unit=2)
    assert hands(seed=1, unit=2, seating=3) == base
    assert hands(seed=2, unit=2) != base
    assert hands(seed=1, unit=3) != base


@pytest.mark.parametrize(("size", "groups"), [(8, 4), (5, 5)])
def test_deals_are_uniform(size, groups):
    """Chi-square of card x holder; the undealt cards are a holder. One deal is drawn without replacement."""
    deals = 3000
    counts = np.zeros((32, groups))
    tag = stream_tag("bridzik", 1)
    for unit in range(deals):
        hands = ref.deal_hands(unit_words(20240229, tag, unit), 8 - size)
        rest = sorted(set(range(32)) - set(itertools.chain(*hands)))
        for holder, held in enumerate([*hands, rest][:groups]):
            counts[held, holder] += 1
    expected = deals * np.array([size] * 4 + [32 - 4 * size])[:groups] / 32
    statistic = ((counts - expected) ** 2 / expected).sum() * 31 / 32
    assert 1e-4 < stats.chi2.sf(statistic, 31 * (groups - 1)) < 1 - 1e-4


def test_a_strategy_cannot_change_the_game_through_its_view():
    def scribble(view):
        answer = lowest(view)
        for name in VIEW.names:
            view[name] = 77
        return answer

    spoiled = ref.play_game([player(scribble, scribble)] * 4, seed=3, unit=0)
    assert spoiled == ref.play_game([player()] * 4, seed=3, unit=0)


def test_memories_parameters_and_streams_of_the_seats():
    words = unit_words(8, stream_tag("bridzik", 1), 5)
    notes = []

    def remember(view):
        first = view.memory[0] == 0
        if first:
            purpose = strategy_purpose(2, int(view.seat))
            assert view.stream.tolist() == PlainStream.of(words, int(view.deal), purpose).state
            assert view.params.tolist() == [view.seat] * 16
        else:
            assert view.stream[0] == view.memory[0]
        view.memory[0] += 1
        view.game_memory[0] += 1
        view.stream[0] = int(view.memory[0])
        view.params[:] = view.seat + 100 * (view.size == 0)
        notes.append((int(view.seat), int(view.game_memory[0])))
        return lowest(view)

    params = np.repeat(np.arange(4.0)[:, None], 16, axis=1)
    ref.play_game([player(remember, remember)] * 4, seed=8, unit=5, seating=2, params=params)
    assert len(notes) == 704
    assert sorted(notes) == [(seat, count) for seat in range(4) for count in range(1, 177)]


def test_observer_is_told_every_decision():
    events = []
    game = ref.play_game([player()] * 4, seed=1, unit=0, hand_sizes=[2], observer=events.append)
    assert [event.moment for event in events] == ["before", "after"] * (4 * 12)
    bids = [event.answer for event in events if (event.moment, event.decision) == ("after", "bid")]
    assert bids == [deal.bids[(ref.deal_starter(deal.deal) + i) % 4] for deal in game.deals for i in range(4)]
    assert len({event.view.__array_interface__["data"][0] for event in events}) == 4


# Faults.


def test_a_wrong_answer_stops_the_game():
    wrong = player(play=lambda view: 99)
    with pytest.raises(
        StrategyFault, match=r"seat 2 answered 99 to 'play' in deal 0; legal answers: \d"
    ) as caught:
        ref.play_game([player(), player(), wrong, player()], seed=1, unit=0)
    fault = pickle.loads(pickle.dumps(caught.value))
    assert (fault.kind, fault.seat, fault.deal, fault.decision, fault.answer) == (
        "illegal",
        2,
        0,
        "play",
        "99",
    )


def test_an_exception_stops_the_game_and_is_kept():
    with pytest.raises(StrategyFault, match="seat 0 raised ZeroDivisionError") as caught:
        ref.play_game([player(bid=lambda view: 1 // 0)] * 4, seed=1, unit=0)
    assert caught.value.kind == "raised"
    assert isinstance(caught.value.exception, ZeroDivisionError)


def test_forfeit_replaces_wrong_answers_by_the_lowest_legal_one():
    wrong = player(play=lambda view: 0.5, bid=lambda view: {}[view.seat])
    given = {"seed": 1, "unit": 0, "hand_sizes": [1, 2]}
    game = ref.play_game([player(), wrong, player(), player()], on_error="forfeit", **given)
    clean = ref.play_game([player()] * 4, **given)
    assert game.deals == clean.deals
    assert (game.fault_count(1, "illegal"), game.fault_count(1, "raised"), len(game.faults)) == (12, 8, 20)
    record = as_record(game, [1, 2])
    first = {"deal": 6, "seat": 1, "decision": "bid", "kind": "raised", "answer": "KeyError(1)"}
    assert {**record["faults"][0], "answer": "KeyError(1)"} == first
    ref.replay_record(record)
    assert "faults" not in as_record(clean, [1, 2])


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 3},
        {"hand_sizes": []},
        {"hand_sizes": [9]},
        {"params": np.zeros(16)},
        {"on_error": "ignore"},
        {"seed": -1},
        {"unit": 2**64},
    ],
    ids=repr,
)
def test_wrong_arguments_are_refused(wrong):
    given = {"seed": 1, "unit": 0, **wrong}
    with pytest.raises(ValueError, match=r".+"):
        ref.play_game([player()] * given.pop("players", 4), **given)
