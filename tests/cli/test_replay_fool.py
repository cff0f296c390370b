"""bridzik replay for Czech Fool: the text of a record made by hand, what a seat saw, failures anywhere in a turn."""

import json
import re

import pytest

from bridzik_sim import experiment, replay, replay_text
from bridzik_sim.games.fool import reference
from bridzik_sim.games.french_cards import DECK, WORDS
from bridzik_sim.play import Player


def turn(seat, play=None, draw=(), suit=None, **more):
    return {"seat": seat, "draw": list(draw), "play": play, "suit": suit, "pass": False, **more}


# Not a game that the rules allow: a round of every kind, as short as can be.
RECORD = {
    "game": "fool",
    "options": {"deck": 52, "draw": "voluntary", "max_turns": 3},
    "seed": 5,
    "unit": 6,
    "seating": 0,
    "rules_version": 1,
    "seats": ["a", "b", "c"],
    "totals": [0, 154, 146],
    "winners": [0],
    "faults": [{"deal": 1, "seat": 2, "decision": "move", "kind": "illegal", "answer": "99"}],
    "deals": [
        {
            "dealer": 2,
            "hands": [["CT", "SQ"], ["C2", "HA"], ["D8", "D9"]],
            "open_card": "C7",
            "moves": [
                turn(0, draw=["HJ", "H3"], forced=True),
                turn(1, "C2"),
                turn(2, draw=["DQ"], play="DQ", suit="H"),
                turn(0, "HJ"),
                turn(1, draw=["ST"], **{"pass": True}),
                turn(2, "D8"),
                turn(0, draw=["S4", "C5"]),
                turn(1, "SQ"),
            ],
            "left": [["CT", "H3", "S4", "C5"], [], ["D9"]],
            "points": [22, -40, 9],
            "totals": [22, -40, 9],
        },
        {
            "dealer": 0,
            "hands": [["CT"], ["C2"], ["D8"]],
            "open_card": "HQ",
            "open_suit": "S",
            "moves": [turn(1, **{"pass": True}), turn(2, **{"pass": True}), turn(0, **{"pass": True})],
            "left": [["CT"], ["C2"], ["D8"]],
            "points": [10, 194, 92],
            "blocked": True,
            "totals": [32, 154, 0],
        },
        {
            "dealer": 2,
            "hands": [["CT"], [], ["D8"]],
            "open_card": "C8",
            "moves": [turn(0), turn(2, "D8"), turn(0, draw=[], forced=True), turn(2, "S2")],
            "left": [["CT"], [], ["H2"]],
            "points": [69, 0, 146],
            "capped": True,
            "totals": [0, 154, 146],
        },
    ],
}
TEXT = """\
Czech Fool: seed 5, unit 6, seating 0, max_turns=3
  seat 0  a
  seat 1  b
  seat 2  c

round 1: seat 2 deals, opening card seven of clubs
  seat 0   clubs 10   diamonds -     hearts -   spades Q
  seat 1   clubs 2    diamonds -     hearts A   spades -
  seat 2   clubs -    diamonds 8 9   hearts -   spades -
           0 must draw jack of hearts, three of hearts
  turn 1   1 plays two of clubs
  turn 2   2 draws queen of diamonds, plays queen of diamonds, asks for hearts
  turn 3   0 plays jack of hearts
  turn 4   1 draws ten of spades, passes
  turn 5   2 plays eight of diamonds
  turn 6   0 draws four of spades, five of clubs, cannot answer the eight
  turn 7   1 plays queen of spades
  result   seat 1 has no cards left
  left 0   clubs 5 10   diamonds -   hearts 3   spades 4
  left 2   clubs -      diamonds 9   hearts -   spades -
  points   0: 22   1: -40   2: 9
  total    0: 22   1: -40   2: 9

round 2: seat 0 deals, opening card queen of hearts, asks for spades
  seat 0   clubs 10   diamonds -   hearts -   spades -
  seat 1   clubs 2    diamonds -   hearts -   spades -
  seat 2   clubs -    diamonds 8   hearts -   spades -
  turn 1   1 passes
  turn 2   2 passes
  turn 3   0 passes
  result   blocked: there is nothing to play or draw
  left 0   clubs 10   diamonds -   hearts -   spades -
  left 1   clubs 2    diamonds -   hearts -   spades -
  left 2   clubs -    diamonds 8   hearts -   spades -
  points   0: 10   1: 194         2: 92
  total    0: 32   1: 154 (out)   2: 0 (from 101)
  ! seat 2 answered 99 in its decision move; the lowest legal answer was taken instead

round 3: seat 2 deals, opening card eight of clubs
  seat 0   clubs 10   diamonds -   hearts -   spades -
  seat 2   clubs -    diamonds 8   hearts -   spades -
  turn 1   0 draws nothing, cannot answer the eight
  turn 2   2 plays eight of diamonds
           0 must draw nothing
  turn 3   2 plays two of spades
  result   stopped: no winner in 3 turns
  left 0   clubs 10   diamonds -   hearts -   spades -
  left 2   clubs -    diamonds -   hearts 2   spades -
  points   0: 69             1: -           2: 146
  total    0: 0 (from 101)   1: 154 (out)   2: 146 (out)

  end      0: 0   1: 154   2: 146
  winner   0 a"""
# Answers anything, by what it sees, until it fails at its decision number `fails`.
FAILS = '''"""Answers anything until it fails."""
PYTHON = True
PARAMS = {"fails": 0}


def move(view):
    view.game_memory[0] += 1
    legal = [code for code in range(54) if int(view.legal) >> code & 1]
    return 63 if view.game_memory[0] == view.params[0] else legal[int(view.hand + view.turns) % len(legal)]


suit = move
'''


@pytest.fixture(scope="module")
def fails(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "fails.py"
    path.write_text(FAILS, encoding="utf-8")
    return path


def played(text, seats, seat=None, **options):
    """A game of one strategy at every seat: its replay."""
    return replay.play(
        Player(experiment.make(f"{text}*{seats}", 1, 11, game="fool", options=options)), 0, 0, seat
    )


@pytest.fixture(scope="module")
def four(fails):
    """A game of four with all views."""
    return played(fails, 4, -1, max_turns=100)


def test_every_kind_of_turn_and_ending_is_told():
    assert replay_text.record_text(RECORD).splitlines() == TEXT.splitlines()


def test_in_slovak():
    lines = replay_text.record_text(RECORD, "sk").splitlines()
    for line in (
        "kolo 2: rozdáva hráč 0, otvorená karta srdcová dáma, žiada: piky",
        "  hráč 0   kríže 10   káro -     srdcia -   piky Q",
        "           0 musí ťahať: srdcový dolník, srdcová trojka",
        "  ťah 2    2 ťahá: kárová dáma, hrá: kárová dáma, žiada: srdcia",
        "  ťah 4    1 ťahá: piková desiatka, nehrá",
        "  výsledok hráč 1 už nemá karty",
        "  výsledok zablokované: niet čo hrať ani ťahať",
        "  výsledok zastavené: za 3 ťahov nikto nevyhral",
        "  spolu    0: 32   1: 154 (vypadol)   2: 0 (zo 101)",
        "  víťaz    0 a",
    ):
        assert line in lines


SUITS = dict(zip("CDHS", WORDS["en"].suits, strict=True))
CARDS = dict(zip(map(DECK.name, range(52)), WORDS["en"].cards, strict=True))


def expected_decisions(deal, seat):
    """By the record of a round: hand and answer in words at every decision of a seat."""
    hand, found = set(deal["hands"][seat]), []
    for move in deal["moves"]:
        if move["seat"] != seat:
            continue
        decided = not move.get("forced")
        if decided and (move["draw"] or not (move["play"] or move["pass"])):
            found.append((set(hand), "draw"))
        hand |= set(move["draw"])
        if decided and (move["play"] or move["pass"]):
            found.append((set(hand), CARDS.get(move["play"], "pass")))
        hand -= {move["play"]}
        if move["suit"]:
            found.append((set(hand), SUITS[move["suit"]]))
    return found


def cards_of(cells):
    """The cards of a hand that is told by suit."""
    letters = {suit: letter for letter, suit in SUITS.items()}
    held = [cell.split() for cell in cells.split("   ")]
    return {letters[suit] + rank.replace("10", "T") for suit, *ranks in held for rank in ranks if rank != "-"}


@pytest.mark.parametrize("seats", [2, 4])
def test_a_view_tells_what_the_seat_knew_and_did(fails, four, seats):
    game = four if seats == 4 else played(fails, 2, -1, deck=36, max_turns=60)
    for seat in range(seats):
        blocks = replay_text.view_text(game.record, game.moments, seat).split("\n\n")[1:]
        told = [deal for deal in game.record["deals"] if expected_decisions(deal, seat)]
        for deal, block in zip(told, blocks, strict=True):
            number = game.record["deals"].index(deal) + 1
            assert block.startswith(f"round {number}: seat {deal['dealer']} deals\n  scores   0: ")
            decisions = block.split(f"\n  seat {seat} ")[1:]
            for (hand, answer), text in zip(expected_decisions(deal, seat), decisions, strict=True):
                assert text.startswith("chooses a suit\n" if answer in SUITS.values() else "moves\n")
                found = dict(re.findall(r"^    (\w+) +(.+)$", text, re.M))
                assert cards_of(found["hand"]) == hand
                assert found["answer"] == answer
                assert answer in found["legal"].split(", ")


def test_a_view_tells_what_lies_open(four):
    for seat in range(4):
        told = re.findall(
            r"^    top +(.+)\n    cards +(.+)$", replay_text.view_text(four.record, four.moments, seat), re.M
        )
        views = [moment.view for moment in four.moments if moment.seat == seat]
        assert len(told) == len(views)
        for (top, cards), view in zip(told, views, strict=True):
            asked = f", asks for {WORDS['en'].suits[view.chosen_suit]}" if view.chosen_suit >= 0 else ""
            eight = ", must be answered" if view.open_eight else ""
            assert top == WORDS["en"].cards[view.top] + asked + eight
            counts = [f"{other}: {view.counts[other]}" for other in range(4) if view.counts[other]]
            assert cards == "   ".join([*counts, f"stock: {view.stock}"])
    everything = replay_text.view_text(four.record, four.moments, 0)
    assert "asks for" in everything
    assert "must be answered" in everything
    assert " to go)" in everything
    slovak = replay_text.view_text(four.record, four.moments, 0, "sk")
    assert "  hráč 0 je na ťahu\n    ruka     kríže " in slovak
    assert ", ťahať\n    odpoveď  " in slovak


@pytest.mark.parametrize(
    ("number", "end"),
    [
        (1, "  seat 2 .+"),
        (2, "  turn 1   0 draws jack of diamonds"),
        (5, "           0 must draw queen of clubs, ten of diamonds"),
        (12, "  turn 5   1 plays queen of diamonds"),
        (21, "  turn 6   0 draws queen of diamonds, passes"),
    ],
)
def test_a_failing_strategy_is_shown_up_to_its_failure(fails, number, end):
    whole = replay_text.record_text(played(f"x={fails}", 3, max_turns=15).record).splitlines()
    game = played(f"x={fails}:fails={number}", 3, max_turns=15)
    assert game.error is not None
    *told, last = replay_text.record_text(game.record).splitlines()
    assert re.fullmatch(end, last)
    assert told == whole[: len(told)]
    # A turn may have begun.
    assert whole[len(told)].startswith(last)
    decided = re.findall(
        r"\b(draws|plays|asks for|passes)\b", "\n".join(line for line in [*told, last] if "round" not in line)
    )
    assert len(decided) == len(game.moments) - 1
    assert [deal["points"] is None for deal in game.record["deals"]][-1]


def test_the_command_tells_a_failure_in_one_line(bridzik, fails):
    asked = ("replay", "--game", "fool", "--seats", f"x={fails}:fails=2*2", "--seed", 1, "--unit", 0)
    result = bridzik(*asked)
    assert result.code == 3
    assert "\nround 1: seat " in result.out
    assert re.fullmatch(r"Error: .*unit 0, seating 0, deal 0, seat \d, decision (move|suit).*\n", result.err)
    assert bridzik(*asked, "--as", "json").out == ""
    assert "    legal    " in bridzik(*asked, "--view", result.err.split("seat ")[1][0]).out


def test_json_follows_the_rules_and_is_the_same_in_every_language(bridzik, fails):
    asked = ("replay", "--game", "fool", "--seats", f"{fails}*3", "--seed", 4, "--unit", 2, "--as", "json")
    options = ("--option", "deck=36", "--option", "draw=forced", "--option", "max_turns=60")
    one = bridzik(*asked, *options)
    assert (one.code, one.err) == (0, "")
    assert one.out == bridzik(*asked, *options, "--lang", "sk").out
    record = json.loads(one.out)
    assert reference.replay_record(record).totals == record["totals"]
