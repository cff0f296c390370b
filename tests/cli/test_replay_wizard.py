"""bridzik replay for Wizard: the text of a known record, what a seat saw, failures at every decision."""

import copy
import json
import re
from pathlib import Path

import pytest

from bridzik_sim import experiment, replay, replay_text
from bridzik_sim.games import telling
from bridzik_sim.games.wizard import reference
from bridzik_sim.games.wizard.rules import FIRST_JESTER, FIRST_WIZARD
from bridzik_sim.play import Player

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RECORD = json.loads((GOLDEN / "wizard_example.json").read_text(encoding="utf-8"))
DEALER = {"wizard_trump": "dealer"}
# Fails when a wizard has been turned up: `how` 0 in the choice of a trump, 1 in the second bid, 2 in the
# second card of the second trick.
FAILS = '''"""Answers with the lowest legal code until it fails."""
PYTHON = True
PARAMS = {"how": 0}


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def fails(view, how):
    return view.params[0] == how and 52 <= view.trump_card < 56


def trump(view):
    return 9 if fails(view, 0) else lowest(view)


def bid(view):
    return 61 if fails(view, 1) and view.position == 1 else lowest(view)


def play(view):
    second = view.trick_length == 1 and sum(view.taken) == 1
    return 61 if fails(view, 2) and second else lowest(view)
'''


def changed(**deal):
    """The known record, its first deal with other values."""
    record = copy.deepcopy(RECORD)
    record["deals"][0].update(deal)
    return record


def first_heading(record, lang="en"):
    return replay_text.record_text(record, lang).split("\n\n")[1].splitlines()[0]


def blocks(text):
    """The parts of a text after its head, one a deal."""
    return text.split("\n\n")[1:]


@pytest.fixture(scope="module")
def chosen():
    """A game of three in which a dealer chose a trump: its replay with all views, the deal, the dealer."""
    player = Player(experiment.make("random*3", 1, 11, game="wizard", options=DEALER))
    for unit in range(20):
        game = replay.play(player, unit, 0, -1)
        for moment in game.moments:
            # Two tricks, a full one and the beginning of a second, are needed to fail in.
            if moment.decision == "trump" and moment.deal > 0:
                return game, moment.deal, moment.seat
    raise AssertionError("no wizard was turned up")


def test_the_known_record_is_told():
    text = replay_text.record_text(RECORD)
    assert text.startswith(
        "Wizard: seed 5, unit 0, seating 0, sum_rule=off, wizard_trump=dealer   (* takes the trick)\n"
    )
    assert "\nround 2: 2 cards, seat 0 deals, green 1 turned up, green is trump, seat 1 bids first\n" in text
    assert "\n  seat 1   red 4   yellow -      green -    blue -    wizard\n" in text
    assert "\n  seat 3   red 6    yellow -    green 8      blue -     wizard jester\n" in text
    assert "\n  trick 1  1 leads wizard*   2 yellow 4    3 red 2    4 green 10   0 blue 12\n" in text
    assert "\n  points   0: -20         1: 40          2: 20          3: 20          4: -20\n" in text
    assert "\n  total    0: 0           1: 0           2: 10          3: 60          4: -40\n" in text
    assert text.endswith("\n  end      0: -140   1: -180   2: -250   3: -190   4: -330\n  winner   0 random")


def test_in_slovak():
    text = replay_text.record_text(RECORD, "sk")
    assert (
        "\nkolo 4: 4 karty, rozdáva hráč 2, tromfová karta žltá 7, tromf žltá, tipovanie začína hráč 3\n"
        in text
    )
    assert "\n  kopka 1  1 vynáša čarodejník*   2 žltá 4 " in text
    assert "   čarodejník šašo\n" in text


@pytest.mark.parametrize(
    ("card", "trump", "english", "slovak"),
    [
        (
            "W",
            "B",
            "wizard turned up, blue is trump by the dealer's choice",
            "tromf modrá zvolil rozdávajúci",
        ),
        ("W", None, "wizard turned up, no trump", "tromfová karta čarodejník, bez tromfu"),
        ("J", None, "jester turned up, no trump", "tromfová karta šašo, bez tromfu"),
        (None, None, "no card turned up, no trump", "bez tromfovej karty, bez tromfu"),
    ],
)
def test_what_made_the_trump_is_told(card, trump, english, slovak):
    record = changed(trump_card=card, trump=trump)
    assert first_heading(record) == f"round 2: 2 cards, seat 0 deals, {english}, seat 1 bids first"
    assert f", {slovak}, tipovanie začína hráč 1" in first_heading(record, "sk")


def test_a_forbidden_bid_is_told_only_under_the_sum_rule():
    # Seat 0 bids last, after 2 + 0 + 0 + 0 in round 2.
    record = changed(bids=[1, 2, 0, 0, 0])
    line = "  bids     1: 2   2: 0   3: 0   4: 0   0: 1{}   sum 3\n"
    assert line.format("") in replay_text.record_text(record)
    record["options"]["sum_rule"] = "on"
    assert line.format(" (not 0)") in replay_text.record_text(record)
    del record["options"]["sum_rule"]
    assert line.format(" (not 0)") in replay_text.record_text(record)


def test_json_follows_the_rules_and_is_the_same_in_every_language(bridzik):
    asked = ("replay", "--game", "wizard", "--seats", "random*5", "--seed", 4, "--unit", 2, "--as", "json")
    options = ("--option", "wizard_trump=dealer", "--option", "sum_rule=off")
    one = bridzik(*asked, *options)
    assert (one.code, one.err) == (0, "")
    assert one.out == bridzik(*asked, *options, "--lang", "sk").out
    record = json.loads(one.out)
    assert reference.replay_record(record).totals == record["totals"]
    assert min(record["totals"]) < 0


@pytest.mark.parametrize("seats", [3, 6])
def test_a_view_tells_what_the_seat_knew_and_did(bridzik, seats):
    asked = ("--game", "wizard", "--seats", f"random*{seats}", "--seed", 2, "--unit", 0)
    asked += ("--option", "hand_sizes=2,3,10")
    record = json.loads(bridzik("replay", *asked, "--as", "json").out)
    words = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "W": "wizard", "J": "jester"}
    scores = [0] * seats
    for seat in range(seats):
        told = bridzik("replay", *asked, "--view", seat).out
        whole = bridzik("replay", *asked).out
        for deal, block, all_told in zip(record["deals"], blocks(told), blocks(whole)[:-1], strict=True):
            assert block.splitlines()[0] == all_told.splitlines()[0]
            answers = re.findall(r"^    answer   (.+)$", block, re.M)
            cards = [trick["cards"][(seat - trick["leader"]) % seats] for trick in deal["tricks"]]
            assert answers[0] == str(deal["bids"][seat])
            assert answers[1:] == [f"{words[card[0]]} {card[1:]}".strip() for card in cards]
            for seen in re.findall(r"^ +(?:scores|taken) +(.+)$", block, re.M):
                assert re.findall(r"(\d): -?\d+", seen) == [str(other) for other in range(seats)]
    for deal in record["deals"][:-1]:
        scores = [score + points for score, points in zip(scores, deal["points"], strict=True)]
    shown = "   ".join(f"{seat}: {score}" for seat, score in enumerate(scores))
    assert f"\n  scores   {shown}\n" in blocks(told)[-1]


def test_hidden_bids_are_shown_as_made_and_open_in_the_play():
    options = {"hidden_bids": "on", "hand_sizes": "4"}
    player = Player(experiment.make("random*4", 1, 3, game="wizard", options=options))
    game = replay.play(player, 0, 0, -1)
    (deal,) = game.record["deals"]
    order = [(deal["starter"] + place) % 4 for place in range(4)]
    last = blocks(replay_text.view_text(game.record, game.moments, order[-1]))[0]
    early = "   ".join(f"{seat}: ?" for seat in order[:-1])
    assert re.search(rf"^    bids     {re.escape(early)}(   \(not \d\))?$", last, re.M)
    opened = "   ".join(f"{seat}: 0 (bid {bid})" for seat, bid in enumerate(deal["bids"]))
    assert f"\n    taken    {opened}\n" in last
    first = blocks(replay_text.view_text(game.record, game.moments, order[0]))[0]
    assert "\n    bids     nothing\n" in first


def test_the_choice_of_a_trump_is_told_to_the_dealer_first(chosen):
    game, deal, dealer = chosen
    suits = ["red", "yellow", "green", "blue"]
    suit = suits["RYGB".index(game.record["deals"][deal]["trump"])]
    starter = (dealer + 1) % 3
    text = blocks(replay_text.view_text(game.record, game.moments, dealer))[deal]
    head = text.splitlines()[0]
    assert head.endswith(f" cards, seat {dealer} deals, wizard turned up, seat {starter} bids first")
    choice = text.split(f"seat {dealer} chooses the trump\n")[1].split(f"  seat {dealer} bids")[0]
    assert re.fullmatch(
        rf"    hand     red .+\n    legal    red, yellow, green, blue\n    answer   {suit}\n", choice
    )
    other = blocks(replay_text.view_text(game.record, game.moments, starter))[deal].splitlines()[0]
    assert f"wizard turned up, {suit} is trump by the dealer's choice" in other
    assert other == blocks(replay_text.record_text(game.record))[deal].splitlines()[0]
    slovak = replay_text.view_text(game.record, game.moments, dealer, "sk")
    assert f"  hráč {dealer} volí tromf\n" in slovak
    assert "    smie     červená, žltá, zelená, modrá\n" in slovak


@pytest.mark.parametrize(("how", "decision"), [(0, "trump"), (1, "bid"), (2, "play")])
def test_a_failing_strategy_is_shown_up_to_its_failure(bridzik, tmp_path, chosen, how, decision):
    game, deal, dealer = chosen
    (tmp_path / "fails.py").write_text(FAILS, encoding="utf-8")
    unit, size = game.record["unit"], deal + 1
    asked = ("--game", "wizard", "--seed", 11, "--unit", unit, "--option", "wizard_trump=dealer")
    asked += ("--option", f"hand_sizes={size}", "--seats", f"x={tmp_path / 'fails.py'}:how={how}*3")
    result = bridzik("replay", *asked)
    assert result.code == 3
    assert f"deal {deal}, seat " in result.err
    assert f"decision {decision}" in result.err
    (told,) = blocks(result.out)
    lines = told.splitlines()
    assert ("trump" in lines[0]) == (how > 0)
    assert "wizard turned up" in lines[0]
    starter = (dealer + 1) % 3
    assert [line.split()[0] for line in lines[4:]] == [["bids"], ["bids"], ["bids", "trick", "trick"]][how]
    if how == 1:
        assert lines[4] == f"  bids     {starter}: 0"
    if how == 2:
        assert len(re.findall(r"\d+ (?:leads )?(?:red|yellow|green|blue|wizard|jester)", lines[-1])) == 1
        assert lines[-2].count("*") == 1
        assert "*" not in lines[-1]
    shown = bridzik("replay", *asked, "--view", dealer)
    assert shown.code == 3
    assert "chooses the trump" in shown.out


def test_cards_without_a_suit_are_never_told_as_of_a_suit():
    player = Player(experiment.make("random*6", 1, 8, game="wizard"))
    game = replay.play(player, 0, 0, 0)
    text = replay_text.view_text(game.record, game.moments, 0)
    for moment in game.moments:
        if moment.view is not None:
            specials = int(moment.view.hand) >> FIRST_WIZARD
            wizards = (specials & 0b1111).bit_count()
            jesters = (specials >> FIRST_JESTER - FIRST_WIZARD).bit_count()
            cells = ["wizard"] * wizards + ["jester"] * jesters
            hand = replay_text.teller(game.record, "en").by_suit(telling.ids(moment.view.hand))
            assert hand[4:] == [" ".join(cells) or "-"]
            assert f"    hand     {'   '.join(hand)}\n" in text
