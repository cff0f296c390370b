"""bridzik check: every kind of bad strategy is found, a good one is not blamed."""

import json
import random
import sys

import numpy as np
import pytest

from bridzik_sim import check, fresh, honesty
from bridzik_sim.play import Player
from bridzik_sim.replay import Watcher

NAMES = ["loads", "bounds", "legal", "deterministic", "reference", "honest", "tidy", "speed"]
UNHURT = {"outside": {}, "grown": 0, "ends": {}}
PLAY = "def play(view):\n    return int(view.legal).bit_length() - 1\n"
PEEKS = f"""
import sys
PYTHON = True
def bid(view):
    frame = sys._getframe()
    while "table" not in frame.f_locals:
        frame = frame.f_back
    trumps = sum(card < 8 for card in frame.f_locals["table"].hands[(view.seat + 1) % 4])
    legal = [bid for bid in range(9) if view.legal >> bid & 1]
    return legal[trumps % len(legal)]
{PLAY}"""
PEEKS_INTO_NOTES = f"""
import sys
PYTHON = True
def bid(view):
    frame = sys._getframe()
    while "table" not in frame.f_locals:
        frame = frame.f_back
    view.memory[0] = sum(frame.f_locals["table"].hands[(view.seat + 1) % 4])
    return int(view.legal).bit_length() - 1
{PLAY}"""
MOODY = f"""
import random
PYTHON = True
def bid(view):
    return random.choice([bid for bid in range(9) if view.legal >> bid & 1])
{PLAY}"""
REMEMBERS = f"""
PYTHON = True
GAMES = []
def bid(view):
    GAMES.append(1)
    legal = [bid for bid in range(9) if view.legal >> bid & 1]
    return legal[len(GAMES) % 5 % len(legal)]
{PLAY}"""
LOWEST = f"""
import os
PYTHON = True
def bid(view):
    return min(bid for bid in range(9) if view.legal >> bid & 1)
{PLAY}"""
OUTSIDE = """
from bridzik_sim.streams import choose
def bid(view):
    return choose(view) if view.taken[view.position + 2] > 3 else choose(view)
def play(view):
    return choose(view)
"""


@pytest.fixture
def write(tmp_path):
    def put(source, name="mine.py"):
        path = tmp_path / name
        path.write_text('"""A strategy."""\n' + source, encoding="utf-8")
        return path

    return put


@pytest.fixture
def no_child(monkeypatch):
    """No fresh process, which takes seconds."""
    monkeypatch.setattr(check._Subject, "_fresh_process", lambda self: check.Ended(0, 0, "", UNHURT))


def outcome(path, games=2):
    return {one.name: one for one in check.examine(str(path), "bridzik", games)}


def failed(found):
    return [name for name, one in found.items() if one.ok is False]


def test_a_good_one_passes_everything(bridzik):
    result = bridzik("check", "simple", "--games", "20", "--format", "json", "--quiet")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert found["passed"] is True
    assert [one["check"] for one in found["checks"]] == NAMES
    assert all(one["ok"] for one in found["checks"])


def test_what_is_printed(bridzik, no_child):
    text = bridzik("check", "random", "--games", "5").out
    assert [line.split()[1] for line in text.splitlines()[:-1]] == NAMES
    assert "only legal answers in 5 games against itself\n" in text
    assert text.endswith("all checks passed\n")
    assert bridzik("check", "random", "--games", "1", "--format", "csv").out.startswith(
        "check,result,detail\nloads,ok,"
    )


def test_an_index_outside_of_an_array_is_found_and_nothing_else_is_tried(bridzik, write):
    result = bridzik("check", write(OUTSIDE), "--games", "2", "--quiet")
    assert result.code == 3
    assert "FAILED  bounds         indexes outside of an array: the strategy" in result.out
    assert "IndexError" in result.out
    assert result.out.count("not made") == 6
    assert result.out.endswith("1 of 8 checks failed\n")


@pytest.mark.parametrize("how", [2, 3])
def test_an_illegal_answer_is_found_with_the_command_that_shows_it(bridzik, no_child, bad, how):
    found = outcome(f"x={bad}:how={how}")
    assert failed(found) == ["legal"]
    detail = found["legal"].detail
    assert "unit 0, seating 0, deal 9, seat " in detail
    command = detail.split("; bridzik ")[1]
    replayed = bridzik(*command.replace("'", "").split())
    assert replayed.code == 3
    assert replayed.err.removeprefix("Error: ").strip() == detail.split("; bridzik ")[0]


@pytest.mark.parametrize("source", [MOODY, REMEMBERS], ids=["chance", "global state"])
def test_what_does_not_repeat_is_found(no_child, write, source):
    found = outcome(write(source))
    assert failed(found) == ["deterministic"]
    assert "in another order" in found["deterministic"].detail
    assert found["honest"].ok is None


def test_a_fresh_process_that_plays_otherwise_is_found(monkeypatch, write):
    monkeypatch.setattr(
        check._Subject, "_fresh_process", lambda self: check.Ended(0, 0, "", {**UNHURT, "digest": "0"})
    )
    found = outcome(write(LOWEST))
    assert failed(found) == ["deterministic"]
    assert "in a fresh process" in found["deterministic"].detail


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (PEEKS, "with other unseen cards it answers"),
        (PEEKS_INTO_NOTES, "with other unseen cards its memory differs"),
    ],
)
def test_a_look_at_the_other_hands_is_found(no_child, write, source, said):
    found = outcome(write(source))
    assert failed(found) == ["honest"]
    assert said in found["honest"].detail


AT = {"at": [0, 3]}
SLOW = "a warning\nTimeout (0:02:00)!\nThread 0x1 (most recent call first):\n"


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (
            check.Ended(-11, 0, "Fatal: segmentation fault\n", AT),
            "died with code -11: Fatal: segmentation fault",
        ),
        (
            check.Ended(1, 0, "", {**UNHURT, **AT}),
            "died with code 1: no message (in unit 3 of random, random",
        ),
        (check.Ended(0, 2, "", AT), "died with code 0: no message"),
        (check.Ended(None, 0, SLOW, {}), "in 60 s, the limit: does it loop for ever?"),
        (check.Ended(0, 0, "", {**UNHURT, "grown": 5 << 30}), "grew by 5,120 MB"),
    ],
)
def test_after_a_process_that_dies_or_hangs_nothing_is_played_in_this_one(monkeypatch, ended, said):
    def play(*_):
        raise AssertionError("played in this process")

    monkeypatch.setattr(fresh, "run", lambda *_: ended)
    monkeypatch.setattr(Player, "play", play)
    found = outcome("random")
    assert failed(found) == ["bounds"]
    assert said in found["bounds"].detail
    assert [found[name].ok for name in NAMES[2:]] == [None] * 6
    assert "not made: it cannot be played safely" in found["speed"].detail


CHOICE = "    legal = [bid for bid in range(9) if view.legal >> bid & 1]\n    return legal[{} % len(legal)]\n"
BY_THE_CLOCK = (
    f"import time\nPYTHON = True\ndef bid(view):\n{CHOICE.format('int(time.time()) // 3600')}{PLAY}"
)
BY_THE_FOLDER = f"import os\nPYTHON = True\ndef bid(view):\n{CHOICE.format('len(os.getcwd())')}{PLAY}"
BY_A_SET = (
    f"PYTHON = True\nNAMES = set('abcdefgh')\ndef bid(view):\n{CHOICE.format('ord(next(iter(NAMES)))')}{PLAY}"
)
LOOPS = f"PYTHON = True\ndef bid(view):\n    while True:\n        pass\n{PLAY}"
EATS = f"PYTHON = True\nHELD = []\ndef bid(view):\n    HELD.append(bytes(10**9))\n{CHOICE.format(0)}{PLAY}"
PRINTS = f"PYTHON = True\ndef bid(view):\n    print('hello')\n{CHOICE.format(0)}{PLAY}"
BOUNDED = f"""
PYTHON = True
PARAMS = {{"bid": 0}}
RANGES = {{"bid": (0, 40)}}
def bid(view):
    return int(view.params[0]) or int(view.legal).bit_length() - 1
{PLAY}"""


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        (BY_THE_CLOCK, "deterministic", "in a fresh process, with another folder, order of sets and time of day"),
        (BY_THE_FOLDER, "deterministic", "in a fresh process, with another folder"),
        (BY_A_SET, "deterministic", "in a fresh process, with another folder, order of sets"),
        (LOOPS, "bounds", "does it loop for ever? (it was in line "),
        pytest.param(
            EATS, "bounds", "it takes too much memory: the strategy",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory"),
        ),
        (PRINTS, "tidy", "bytes on standard output"),
        (BOUNDED, "legal", "answered 40 (legal: "),
    ],
    ids=["clock", "folder", "set", "loop", "memory", "print", "ranges"],
)  # fmt: skip
def test_what_only_a_fresh_process_shows(write, capsys, monkeypatch, source, name, said):
    monkeypatch.setattr(check, "HONEST_TRIES", 2)
    path = write(source)
    found = {one.name: one for one in check.examine(str(path), "bridzik", 1, 3 if source is LOOPS else 60)}
    assert failed(found) == [name]
    assert said in found[name].detail
    assert capsys.readouterr().out == ""


def test_a_constant_of_the_day_is_found(no_child, write, monkeypatch):
    """Compiled code would keep it; the fresh process, whose clock leaps, draws another one."""
    source = "import time\nNOW = time.time()\ndef bid(view):\n    return int(NOW * 0)\ndef play(view):\n    return 0\n"
    (here, *_), (there, *_) = (check.tables(str(write(source)), "bridzik") for _ in range(2))
    found = [check.constants(*one.strategies.values()) for one in (here, there)]
    assert found[0].keys() == found[1].keys() == {"NOW"}
    assert found[0] != found[1]
    subject = check._Subject("random", "bridzik", 1)
    subject.child = check.Ended(0, 0, "", {**UNHURT, "constants": {"NOW": "0"}})
    assert "its NOW had another value in a fresh process" in subject.deterministic().detail


def test_two_threads_that_share_a_note_are_found(no_child, write, monkeypatch):
    monkeypatch.setattr(check._Subject, "_in_threads", lambda self: False)
    assert "in two threads at once" in outcome(write(LOWEST))["deterministic"].detail


def test_a_cheat_is_checked_but_not_called_dishonest(no_child, write):
    found = outcome(write(f"PYTHON = True\nCHEATS = True\ndef bid(view):\n{CHOICE.format(0)}{PLAY}"))
    assert failed(found) == []
    assert (found["honest"].ok, found["legal"].ok) == (None, True)


def test_an_exit_in_a_decision_is_a_failure(bridzik, write):
    exits = f"import sys\nPYTHON = True\ndef bid(view):\n    sys.exit()\n{PLAY}"
    result = bridzik("check", write(exits), "--games", "1", "--quiet")
    assert result.code == 3
    assert "FAILED" in result.out


def test_a_runaway_recursion_is_told(bridzik, write):
    runs_away = """
from bridzik_sim.jit import jit
@jit
def deeper(n):
    if n < 0:
        return 0
    return deeper(n + 1) + n % 3
def bid(view):
    return deeper(view.size)
def play(view):
    return deeper(view.size)
"""
    result = bridzik("check", write(runs_away), "--games", "1", "--quiet")
    assert result.code == 3
    assert "a fresh process that played it died with code" in result.out
    assert result.out.count("not made") == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def bid(view):\n    return view.hnad\n" + PLAY, "did you mean hand"),
        ("def bid(view):\n    return 0\n", "has no function play(view)"),
        ("def bid(view:\n", "line 2"),
    ],
)
def test_what_cannot_be_loaded_gives_code_2(bridzik, write, text, said):
    result = bridzik("check", write(text), "--quiet")
    assert result.code == 2
    assert said in result.err
    assert not result.out


def test_one_strategy_at_a_time(bridzik):
    for text in ("random,simple", "random*2"):
        result = bridzik("check", text, "--quiet")
        assert result.code == 2
        assert "one strategy at a time" in result.err


def test_a_redeal_keeps_all_that_the_seat_knows():
    player, watcher, chance = Player(check.tables("simple", "bridzik")[0]), Watcher(-1), random.Random(3)
    record = player.record(0, 0, watcher)
    dealt = {deal.deal: deal for deal in record.deals}
    changed = 0
    for moment in watcher.moments[::5]:
        hands, seat, view = dealt[moment.deal].hands, moment.seat, moment.view
        other = next(player.game.redealing.redeals(dealt[moment.deal], [moment], chance), None)
        if other is None:
            continue
        changed += other != hands
        assert other[seat] == hands[seat]
        assert [len(hand) for hand in other] == [len(hand) for hand in hands]
        assert len({card for hand in other for card in hand}) == sum(map(len, hands))
        for at in range(4):
            played = {card for card in hands[at] if view.played >> card & 1}
            assert played <= set(other[at])
            if at != seat:
                assert not [c for c in set(other[at]) - played if view.seen_void[at] >> c // 8 & 1]
    assert changed > 80


def test_after_a_redeal_the_engine_shows_the_same_view():
    player, watcher = Player(check.tables("simple", "bridzik")[0]), Watcher(-1)
    record = player.record(1, 0, watcher)
    (dealt,) = (deal for deal in record.deals if deal.deal == 9)
    index = next(
        i for i, m in enumerate(watcher.moments) if m.deal == 9 and m.decision == "play" and m.view.played
    )
    moment = watcher.moments[index]
    hands = next(player.game.redealing.redeals(dealt, [moment], random.Random(1)))
    again = Watcher(-1)

    def watch(event):
        again(event)
        if len(again.moments) > index:
            raise honesty._Stop("")

    with pytest.raises(honesty._Stop):
        player.game.reference.play_game(
            player.callables * 4, seed=player.experiment.seed, unit=1, observer=watch, dealt={9: hands}
        )
    assert hands != dealt.hands
    # The other seats choose for themselves here and may choose otherwise; the first card before them is the same.
    first = next(i for i, m in enumerate(watcher.moments) if m.deal == 9 and m.seat == moment.seat)
    assert again.moments[first].view["hand"] == watcher.moments[first].view["hand"]
    assert np.array_equal(again.moments[first].view["stream"], watcher.moments[first].view["stream"])
