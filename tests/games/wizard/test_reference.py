"""The plain engine of Wizard: a deal by hand with every field of its views, whole games, options, faults."""

import itertools
import json
import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bridzik_sim.games.plain import (
    Asker,
    PlainStream,
    StrategyFault,
    mask_of,
    strategy_purpose,
    stream_tag,
    unit_words,
)
from bridzik_sim.games.wizard import reference as ref
from bridzik_sim.games.wizard.rules import DEAL_KINDS, VIEW

ANSWERS = 63


def cards(names):
    return [ref.CARD_NAMES.index(name) for name in names.split()]


def codes(mask):
    return [code for code in range(ANSWERS) if int(mask) >> code & 1]


def lowest(view):
    return codes(view.legal)[0]


def player(bid=lowest, play=lowest, trump=lowest):
    return SimpleNamespace(bid=bid, play=play, trump=trump)


def chooser(seed):
    rng = random.Random(seed)
    return player(*[lambda view: rng.choice(codes(view.legal))] * 3)


def random_game(seats, unit, **options):
    players = [chooser(unit * seats + seat) for seat in range(seats)]
    return ref.play_game(players, seed=11, unit=unit, **options)


# A deal made by hand: three players, two cards, seat 2 deals and chooses the trump after a wizard was turned up.


def hand_made_deal(**options):
    script = {0: (1, "Y1", "W"), 1: (0, "J", "G5"), 2: (0, "R3", "B9")}
    answers = {seat: iter((bid, *cards(f"{a} {b}"))) for seat, (bid, a, b) in script.items()}

    def follow_script(view):
        return next(answers[int(view.seat)])

    seen = []

    def note(event):
        if event.moment == "before":
            fields = {name: event.view[name].tolist() for name in VIEW.names}
            seen.append((event.seat, event.decision, fields))

    table = ref.Table(
        1,
        2,
        [cards("Y1 W"), cards("J G5"), cards("R3 B9")],
        53,
        [10, 20, -30],
        {"wizard_trump": "dealer", **options},
    )
    one = player(follow_script, follow_script, lambda view: 3)
    players = ref.Players([one] * 3, VIEW, Asker(observer=note))
    return ref.play_deal(table, players), seen


def test_a_deal_by_hand():
    deal, seen = hand_made_deal(sum_rule="off")
    assert [(seat, decision) for seat, decision, _ in seen] == [
        (2, "trump"), (0, "bid"), (1, "bid"), (2, "bid"),
        (0, "play"), (1, "play"), (2, "play"), (0, "play"), (1, "play"), (2, "play"),
    ]  # fmt: skip
    assert (deal.dealer, deal.starter, deal.trump_card, deal.trump) == (2, 0, 53, 3)
    assert DEAL_KINDS[deal.kind] == "dealer chose"
    assert [trick.cards for trick in deal.tricks] == [cards("Y1 J R3"), cards("W G5 B9")]
    assert [(trick.leader, trick.winner) for trick in deal.tricks] == [(0, 0), (0, 0)]
    assert (deal.bids, deal.taken, deal.points) == ([1, 0, 0], [2, 0, 0], [-10, 20, 20])


def test_every_field_of_the_view():
    _, seen = hand_made_deal(sum_rule="off")
    zeros = {"stream": [0] * 4, "params": [0.0] * 16, "memory": [0.0] * 64, "game_memory": [0.0] * 64}
    deal = {"deal": 1, "size": 2, "starter": 0, "scores": [10, 20, -30, 0, 0, 0], "dealt": [0] * 6, **zeros}
    deal |= {"seats": 3, "trump_card": 53, "sum_rule": 0, "forbidden": -1}
    before = {"trick_length": 0, "leader": -1, "best": -1, "lead": -1, "played": 0, "trick": [-1] * 6}
    before |= {"taken": [0] * 6, "seen_void": [0] * 6}
    own = {"seat": 2, "position": 2, "hand": mask_of(cards("R3 B9"))}
    no_bids = {"bids": [-1] * 6, "has_bid": [0] * 6}
    assert seen[0][2] == {**deal, **before, **own, **no_bids, "trump": -1, "legal": 0b1111}
    bids = {"bids": [1, 0, -1, -1, -1, -1], "has_bid": [1, 1, 0, 0, 0, 0]}
    assert seen[3][2] == {**deal, **before, **own, **bids, "trump": 3, "legal": 0b111}

    bids = {"bids": [1, 0, 0, -1, -1, -1], "has_bid": [1, 1, 1, 0, 0, 0], "trump": 3}
    hand = mask_of(cards("R3 B9"))
    first = {"trick_length": 2, "leader": 0, "best": cards("Y1")[0], "lead": 1, "taken": [0] * 6}
    first |= {
        "trick": [*cards("Y1 J"), -1, -1, -1, -1],
        "played": mask_of(cards("Y1 J")),
        "seen_void": [0] * 6,
    }
    assert seen[6][2] == {**deal, **own, **bids, **first, "hand": hand, "legal": hand}
    hand = mask_of(cards("G5"))
    second = {"trick_length": 1, "leader": 0, "best": 52, "lead": -1, "taken": [1, 0, 0, 0, 0, 0]}
    second |= {"trick": [52, -1, -1, -1, -1, -1], "played": mask_of(cards("Y1 J R3 W"))}
    second |= {"seen_void": [0, 0, 0b10, 0, 0, 0], "seat": 1, "position": 1, "hand": hand, "legal": hand}
    assert seen[8][2] == {**deal, **bids, **second}


def test_the_view_tells_the_sum_rule_and_what_it_forbids():
    _, seen = hand_made_deal(sum_rule="on")
    assert [fields["sum_rule"] for _, _, fields in seen] == [1] * 10
    assert [fields["forbidden"] for _, _, fields in seen] == [-1, -1, -1, 1, *[-1] * 6]
    assert seen[3][2]["legal"] == 0b101


def test_hidden_bids_are_shown_once_all_are_made():
    _, open_bids = hand_made_deal()
    _, hidden = hand_made_deal(hidden_bids="on")
    for number, (shown, less) in enumerate(zip(open_bids, hidden, strict=True)):
        fields = dict(shown[2])
        if number < 4:
            fields["bids"] = [-1] * 6
        assert less[2] == fields


# Whole games.


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("wizard_trump", ["none", "dealer"])
@pytest.mark.parametrize("sum_rule", ["on", "off"])
def test_random_games_obey_the_rules(seats, wizard_trump, sum_rule):
    options = {"wizard_trump": wizard_trump, "sum_rule": sum_rule, "hidden_bids": "on"}
    sums = []
    for unit in range(2):
        game = random_game(seats, unit, **options)
        assert [deal.deal for deal in game.deals] == list(range(60 // seats))
        for deal in game.deals:
            dealt = sorted(itertools.chain(*deal.hands))
            assert sorted(itertools.chain(*(trick.cards for trick in deal.tricks))) == dealt
            assert len({*dealt, deal.trump_card}) == seats * (deal.deal + 1) + 1
            assert sum(deal.taken) == deal.deal + 1
            sums.append(sum(deal.bids) - deal.deal - 1)
        record = game.as_dict(options=options, seed=11, unit=unit, seating=0, seats=["a"] * seats)
        replayed = ref.replay_record(json.loads(json.dumps(record)))
        assert (replayed.totals, replayed.winners) == (game.totals, game.winners)
        assert replayed.as_dict(options=options, seed=11, unit=unit, seating=0, seats=["a"] * seats) == record
    assert sum_rule == "off" or 0 not in sums


def test_without_the_sum_rule_bids_may_make_the_sum():
    one = player(bid=lambda view: int(view.position == view.seats - 1))
    given = {"seed": 1, "unit": 0, "hand_sizes": [1]}
    assert sum(ref.play_game([one] * 5, sum_rule="off", **given).deals[0].bids) == 1
    with pytest.raises(StrategyFault, match="answered 1 to 'bid'"):
        ref.play_game([one] * 5, **given)


@pytest.mark.parametrize("wizard_trump", ["none", "dealer"])
def test_the_dealer_chooses_after_the_deal_and_only_after_a_wizard(wizard_trump):
    order, turned = [], []

    def note(event):
        if event.moment == "before":
            order.append((event.deal, event.decision, event.seat))

    for unit in range(8):
        order.clear()
        game = random_game(4, unit, wizard_trump=wizard_trump, observer=note)
        for deal in game.deals:
            decisions = [(decision, seat) for number, decision, seat in order if number == deal.deal]
            wizard = deal.trump_card in range(52, 56)
            asked = wizard and wizard_trump == "dealer"
            expected = [("trump", deal.dealer)] * asked + [("bid", deal.starter)]
            assert decisions[: len(expected)] == expected
            assert [decision for decision, _ in decisions].count("trump") == asked
            assert (deal.trump >= 0) == (asked or 0 <= deal.trump_card < 52)
            turned.append(wizard)
    assert sum(turned) >= 2


def test_any_suit_may_be_chosen():
    chosen = set()
    for suit in range(4):
        one = player(trump=lambda view, suit=suit: suit)
        games = [ref.play_game([one] * 6, seed=2, unit=unit, wizard_trump="dealer") for unit in range(4)]
        chosen |= {deal.trump for game in games for deal in game.deals if deal.trump_card in range(52, 56)}
    assert chosen == {0, 1, 2, 3}


@pytest.mark.parametrize(("seats", "size"), [(4, 5), (6, 10), (3, 19), (5, 9)])
def test_deals_are_uniform(seats, size):
    """Chi-square of card x holder; the card turned up and the rest are holders. One deal is drawn without replacement."""
    deals, tag = 2000, stream_tag("wizard", 1)
    counts = np.zeros((60, seats + 2))
    for unit in range(deals):
        hands, turned = ref.deal_cards(unit_words(20240229, tag, unit), size - 1, seats, unit % seats)
        rest = sorted(set(range(60)) - {turned} - set(itertools.chain(*hands)))
        for holder, held in enumerate([*hands, [turned] if turned >= 0 else [], rest]):
            counts[held, holder] += 1
    sizes = [size] * seats + ([1, 59 - seats * size] if seats * size < 60 else [0, 0])
    used = [holder for holder, held in enumerate(sizes) if held]
    expected = deals * np.array(sizes)[used] / 60
    statistic = ((counts[:, used] - expected) ** 2 / expected).sum() * 59 / 60
    assert 1e-4 < stats.chi2.sf(statistic, 59 * (len(used) - 1)) < 1 - 1e-4


def test_cards_depend_on_the_unit_and_the_seed_only():
    def hands(**given):
        return [(deal.hands, deal.trump_card) for deal in ref.play_game([player()] * 4, **given).deals]

    base = hands(seed=1, unit=2)
    assert hands(seed=1, unit=2, seating=3) == base
    assert hands(seed=2, unit=2) != base
    assert hands(seed=1, unit=3) != base


def test_given_hands_are_played_and_the_card_turned_up_stays():
    deal = ref.play_game([player()] * 4, seed=1, unit=0, hand_sizes=[2]).deals[0]
    free = [card for card in range(60) if card != deal.trump_card]
    given = [set(free[2 * seat : 2 * seat + 2]) for seat in range(4)]
    played = ref.play_game([player()] * 4, seed=1, unit=0, hand_sizes=[2], dealt={1: given}).deals[0]
    assert [set(hand) for hand in played.hands] == given
    assert played.trump_card == deal.trump_card


def test_cheats_are_told_all_hands():
    told = {}

    def look(view):
        told[int(view.seat), int(view.deal)] = view.dealt.tolist()
        return lowest(view)

    cheats = [False, True, False]
    game = ref.play_game([player(look, look)] * 3, seed=1, unit=0, hand_sizes=[1, 4], cheats=cheats)
    for deal in game.deals:
        hands = [mask_of(hand) for hand in deal.hands]
        assert [told[seat, deal.deal] for seat in range(3)] == [[0] * 6, [*hands, 0, 0, 0], [0] * 6]


def test_a_strategy_cannot_change_the_game_through_its_view():
    def scribble(view):
        answer = lowest(view)
        for name in VIEW.names:
            view[name] = 77
        return answer

    spoiled = ref.play_game([player(*[scribble] * 3)] * 5, seed=3, unit=0, wizard_trump="dealer")
    assert spoiled == ref.play_game([player()] * 5, seed=3, unit=0, wizard_trump="dealer")


def test_memories_parameters_and_streams_of_the_seats():
    words = unit_words(8, stream_tag("wizard", 1), 5)
    notes = Counter()

    def remember(view):
        if view.memory[0] == 0:
            purpose = strategy_purpose(2, int(view.seat))
            assert view.stream.tolist() == PlainStream.of(words, int(view.deal), purpose).state
            assert view.params.tolist() == [view.seat] * 16
        view.memory[0] += 1
        view.game_memory[0] += 1
        notes[int(view.seat)] += 1
        assert view.game_memory[0] == notes[view.seat]
        return lowest(view)

    params = np.repeat(np.arange(6.0)[:, None], 16, axis=1)
    ref.play_game([player(remember, remember)] * 6, seed=8, unit=5, seating=2, params=params)
    assert notes == dict.fromkeys(range(6), 10 + 55)


# Faults.


@pytest.mark.parametrize(
    ("wrong", "decision", "answer"),
    [({"trump": 4}, "trump", "4"), ({"bid": -1}, "bid", "-1"), ({"play": 60}, "play", "60")],
)
def test_a_wrong_answer_stops_the_game_or_forfeits(wrong, decision, answer):
    bad = player(**{name: lambda view, value=value: value for name, value in wrong.items()})
    # In this unit a wizard is turned up.
    given = {"seed": 3, "unit": 7, "wizard_trump": "dealer"}
    with pytest.raises(StrategyFault, match=f"answered {answer} to '{decision}'"):
        ref.play_game([bad] * 6, **given)
    game = ref.play_game([bad] * 6, on_error="forfeit", **given)
    assert game.deals == ref.play_game([player()] * 6, **given).deals
    assert {fault.decision for fault in game.faults} == {decision}


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 2},
        {"players": 7},
        {"hand_sizes": []},
        {"hand_sizes": [16]},
        {"first_dealer": 4},
        {"first_dealer": "left"},
        {"wizard_trump": "on"},
        {"sum_rule": True},
        {"hidden_bids": "yes"},
        {"params": np.zeros((6, 16))},
        {"on_error": "ignore"},
        {"unit": 2**64},
    ],
    ids=repr,
)
def test_wrong_arguments_are_refused(wrong):
    given = {"seed": 1, "unit": 0, **wrong}
    with pytest.raises(ValueError, match=r".+"):
        ref.play_game([player()] * given.pop("players", 4), **given)
