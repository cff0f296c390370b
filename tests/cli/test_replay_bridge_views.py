"""bridzik replay for the games of contracts: what a seat saw, failures anywhere in a deal, JSON."""

import json
import re

import pytest

from bridzik_sim import experiment, replay, replay_text
from bridzik_sim.games.bridge import reference as bridge_reference
from bridzik_sim.games.honeymoon import reference as honeymoon_reference
from bridzik_sim.play import Player

REFERENCES = {"bridge": bridge_reference, "honeymoon": honeymoon_reference}
# Answers anything, by what it sees, until it fails at its decision number `fails`.
FAILS = '''"""Answers anything until it fails."""
PYTHON = True
PARAMS = {"fails": 0}


def answer(view, allowed):
    view.game_memory[0] += 1
    codes = [code for code in range(52) if int(view.legal) & allowed & 1 << code]
    return 63 if view.game_memory[0] == view.params[0] else codes[int(view.hand + view.played) % len(codes)]


def play(view):
    return answer(view, -1)


def call(view):
    # No slams, or auctions would be long.
    return answer(view, -1 << 36 | (1 << 26) - 1)
'''


@pytest.fixture(scope="module")
def fails(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "fails.py"
    path.write_text(FAILS, encoding="utf-8")
    return path


LENGTHS = {"bridge": {"max_deals": 2}, "honeymoon": {"deals": 2}}


def played(game, text, seat=None):
    """A short game of one strategy at every seat: its replay."""
    seats = 4 if game == "bridge" else 2
    player = Player(experiment.make(f"{text}*{seats}", 1, 11, game=game, options=LENGTHS[game]))
    return replay.play(player, 0, 0, seat)


@pytest.fixture(scope="module")
def whole(fails):
    """A game of each kind that does not fail, with all views."""
    return {game: played(game, fails, -1) for game in LENGTHS}


@pytest.fixture(params=LENGTHS)
def seen(request, whole):
    """Each of these games in turn."""
    return whole[request.param]


SUITS = dict(zip("CDHS", "♣♦♥♠", strict=True))


def card(name):
    return SUITS[name[0]] + name[1:].replace("T", "10")


def call(name):
    return {"P": "pass", "X": "double", "XX": "redouble"}.get(name) or name[0] + SUITS.get(name[1:], "NT")


def cards_of(cells):
    """The cards of a hand that is told by suit."""
    held = [cell.split() for cell in cells.split("   ")]
    return {suit + rank for suit, *ranks in held for rank in ranks if rank != "-"}


def expected_decisions(deal, seats):
    """By the record of a deal, in order: who decides, what, its own hand, and the answer in words."""
    hands, found = [set(map(card, hand)) for hand in deal["hands"]], []

    def lay(trick, dummy=-1):
        for place, name in enumerate(trick["cards"]):
            seat = (trick["leader"] + place) % seats
            decider, what = (seat, "plays") if seat != dummy else ((dummy + 2) % 4, "plays dummy's card")
            found.append((decider, what, set(hands[decider]), card(name)))
            hands[seat].remove(card(name))

    for trick in deal.get("draw_phase", []):
        lay(trick)
        for hand, name in zip(hands, trick["drawn"], strict=True):
            hand.add(card(name))
    for number, name in enumerate(deal["calls"]):
        seat = (deal["dealer"] + number) % seats
        found.append((seat, "calls", set(hands[seat]), call(name)))
    for trick in deal["tricks"]:
        lay(trick, (deal["declarer"] + 2) % 4 if seats == 4 else -1)
    return found


def test_a_view_tells_what_the_seat_knew_and_did(seen):
    seats = len(seen.record["seats"])
    names = "NESW" if seats == 4 else "NS"
    expected = [expected_decisions(deal, seats) for deal in seen.record["deals"]]
    assert sum(map(len, expected)) == len(seen.moments)
    for seat, name in enumerate(names):
        blocks = replay_text.view_text(seen.record, seen.moments, seat).split("\n\n")[1:]
        for deal, made, block in zip(seen.record["deals"], expected, blocks, strict=True):
            assert f": {names[deal['dealer']]} deals, " in block.splitlines()[0]
            own = [decision for decision in made if decision[0] == seat]
            told = re.split(rf"\n  {name} (?=calls|plays)", block)[1:]
            for (_, what, hand, answer), text in zip(own, told, strict=True):
                assert re.match(what + r"(\n| to )", text)
                found = dict(re.findall(r"^    (\w+) +(.+)$", text, re.M))
                assert cards_of(found["hand"]) == hand
                assert found["answer"] == answer


def test_a_view_tells_dummy_the_auction_and_what_is_legal(seen):
    for moment in seen.moments:
        told = replay_text.view_text(seen.record, [moment], moment.seat)
        found = dict(re.findall(r"^    (\w+) +(.+)$", told, re.M))
        view = moment.view
        assert ("dummy" in found) == bool(getattr(view, "dummy", 0))
        assert ("unseen" in found) == ("stock" in view.dtype.names)
        if moment.decision == "call":
            assert found["auction"] == "nothing" or found["auction"].startswith("N ")
            assert ("double" in found["legal"].split(", ")) == (36 in moment.legal)
            assert found["legal"].startswith("pass")
        else:
            assert len(found["legal"].split(", ")) == len(moment.legal)
            assert found["answer"] in found["legal"].split(", ")


# Which decision of a seat is the first to fail, and how the text ends then.
FAILURES = [
    ("bridge", 1, "auction N E S W"),
    ("bridge", 2, "5♦ 5NT pass pass"),
    ("bridge", 3, "trick 1 S leads ♦6 W ♦8"),
    ("bridge", 28, "auction N E S W"),
    ("bridge", 29, "double"),
    ("honeymoon", 1, "S ♠ K 5 ♥ A Q 9 6 5 ♦ 10 7 ♣ K Q 4 2"),
    ("honeymoon", 14, "draw 13 N leads ♣3 S ♣8* N draws ♣5 S ♥10"),
    ("honeymoon", 15, "2♦ 5♦"),
    ("honeymoon", 17, "contract 5NT redoubled, declarer N"),
    ("honeymoon", 19, "trick 2 S leads ♠K* N ♠7"),
    ("honeymoon", 31, "draw 1 S leads ♣5 N ♣A* S draws ♦3 N ♦4"),
]


@pytest.mark.parametrize(("game", "number", "end"), FAILURES)
def test_a_failing_strategy_is_shown_up_to_its_failure(fails, whole, game, number, end):
    failed = played(game, f"{fails}:fails={number}")
    assert failed.error is not None
    # Columns are as wide as what stands in them.
    every, told = (
        [
            line.split()
            for line in replay_text.record_text(
                {**one.record, "seats": [""] * len(one.record["seats"])}
            ).splitlines()
        ]
        for one in (whole[game], failed)
    )
    assert " ".join(told[-1]) == end
    assert told[:-1] == every[: len(told) - 1]
    assert every[len(told) - 1][: len(told[-1]) - 1] == told[-1][:-1]
    made = [expected_decisions(deal, len(failed.record["seats"])) for deal in failed.record["deals"]]
    assert sum(map(len, made)) == len(failed.moments) - 1
    assert failed.record["deals"][-1]["points"] is None


@pytest.mark.parametrize(
    ("game", "line", "end"),
    [
        ("bridge", "{0}*2,{0}:fails=2,{0}", "  contract 5NT, declarer E, dummy W"),
        ("honeymoon", "{0},{0}:fails=3", "  draw 3   N leads ♠2"),
    ],
)
def test_a_failure_of_one_seat_at_a_lead_or_within_a_trick(fails, game, line, end):
    player = Player(experiment.make(line.format(fails), 1, 11, game=game, options=LENGTHS[game]))
    failed = replay.play(player, 0, 0)
    assert failed.moments[-1].decision == "play"
    assert replay_text.record_text(failed.record).splitlines()[-1] == end


def test_the_command_tells_a_failure_in_one_line_and_json_follows_the_rules(bridzik, fails):
    for game, reference in REFERENCES.items():
        asked = (
            "replay",
            "--game",
            game,
            "--seats",
            f"x={fails},y={fails}:fails=9",
            "--seed",
            1,
            "--unit",
            0,
        )
        short = [text for name, value in LENGTHS[game].items() for text in ("--option", f"{name}={value}")]
        result = bridzik(*asked, *short)
        assert result.code == 3
        assert "\ndeal 1: N deals, nobody vulnerable\n" in result.out
        place = re.fullmatch(
            r"Error: .*unit 0, seating 0, deal 0, seat (\d), decision (play|call)\n", result.err
        )
        assert bridzik(*asked, *short, "--as", "json").out == ""
        name = ("NESW" if game == "bridge" else "NS")[int(place[1])]
        seen = bridzik(*asked, *short, "--view", name.lower()).out
        assert re.search(rf"\n  {name} (calls|plays).*\n    hand     ♠ .*\n    legal    .*\n\Z", seen, re.S)
        assert seen == bridzik(*asked, *short, "--view", place[1]).out
        asked = ("replay", "--game", game, "--seats", f"{fails},y={fails}", "--seed", 1, "--unit", 0, *short)
        one = bridzik(*asked, "--as", "json")
        assert (one.code, one.err) == (0, "")
        assert one.out == bridzik(*asked, "--as", "json", "--lang", "sk").out
        record = json.loads(one.out)
        assert reference.replay_record(record).totals == record["totals"]


def test_an_unknown_seat_is_told(bridzik):
    asked = ("replay", "--seats", "random,random", "--seed", 1, "--unit", 0, "--view")
    for game, seat, said in (
        ("bridge", "NE", "there is no seat NE; the seats are 0 to 3, or N, E, S, W"),
        ("honeymoon", "E", "there is no seat E; the seats are 0 to 1, or N, S"),
    ):
        result = bridzik(*asked, seat, "--game", game)
        assert (result.code, result.out) == (2, "")
        assert said in result.err
