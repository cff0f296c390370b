"""``bridzik train``: what it writes, keeps, compares and refuses."""

import json
import os
import signal
import sys
import time

import numpy as np
import pytest

from bridzik_sim import games, lineup, strategy

BOT = '''"""Bids what its data says."""
from pathlib import Path
import numpy as np
from bridzik_sim.cards import lowest
DATA = ("bot.npz",)
FIRST = np.load(Path(__file__).with_name("bot.npz"))["first"]
def bid(view):
    return lowest(view.legal)
def play(view):
    return lowest(view.legal)
'''
TRAINER = """import numpy as np
from helper import draw
PARTS = ("1", "2", "last")
def train(part, seed, say):
    say("begins")
    return {"1": lambda: {"first": draw(seed, 3)},
            "2": lambda: {"second": np.arange(seed, seed + 6, dtype=">i4").reshape(2, 3).T, "b": np.array(1.5)},
            "last": lambda: {"third": np.array([np.nan, -0.0])}}[part]()
"""
HELPER = "import numpy as np\ndef draw(seed, n):\n    return np.random.default_rng(seed).random(n)\n"


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "_train_bot.py").write_text(TRAINER, encoding="utf-8")
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    return tmp_path / "bot.py"


def data(path):
    return {name: (path.parent / name).read_bytes() for name in ("bot.npz", "bot.json")}


def lines(result):
    return result.err.splitlines()


def test_data_and_record(bridzik, bot):
    result = bridzik("train", bot, "--seed", 7, "--jobs", 1)
    assert result.code == 0
    assert [line for line in lines(result) if "begins" in line][:3] == [
        "part 1: begins",
        "part 2: begins",
        "part last: begins",
    ]
    assert "was trained twice and came out the same; wrote" in lines(result)[-1]
    with np.load(bot.with_name("bot.npz")) as file:
        assert file.files == ["b", "first", "second", "third"]
        assert file["first"].tolist() == np.random.default_rng(7).random(3).tolist()
        assert file["second"].tolist() == [[7, 10], [8, 11], [9, 12]]
        assert file["second"].dtype.str == "<i4"
        assert file["b"].shape == ()
    record = json.loads(bot.with_name("bot.json").read_bytes())
    assert record["command"] == "bridzik train bot.py --seed 7"
    assert {name: row["arrays"] for name, row in record["parts"].items()} == {
        "1": ["first"],
        "2": ["b", "second"],
        "last": ["third"],
    }
    assert record["versions"]["numpy"] == np.__version__
    assert str(bot.parent) not in json.dumps(record)
    spec, _ = lineup.parse_spec(str(bot))
    assert strategy.load(spec, games.get("bridzik")).listing.data == ("bot.npz",)


def test_the_same_bytes_again_for_any_jobs_at_any_time_and_place(bridzik, bot, monkeypatch):
    bridzik("train", bot, "--jobs", 1)
    before = data(bot)
    for path in before:
        bot.with_name(path).unlink()
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.chdir(bot.parent)
    assert bridzik("train", "bot.py", "--jobs", 3, "--quiet").err == ""
    assert data(bot) == before


def test_the_seed_of_the_record_is_the_default(bridzik, bot):
    bridzik("train", bot, "--seed", 9)
    before = data(bot)
    result = bridzik("train", bot, "--format", "json")
    assert data(bot) == before
    found = json.loads(result.out)
    assert found["seed"] == 9
    assert [row["change"] for row in found["parts"]] == ["same"] * 3
    assert [row["bytes"] for row in found["parts"]] == [24, 32, 16]


def test_a_part_alone_keeps_the_others(bridzik, bot):
    assert "there is no data yet to keep part 1 of" in bridzik("train", bot, "--part", "2").err
    bridzik("train", bot)
    before = data(bot)
    (bot.parent / "helper.py").write_text(HELPER.replace("(seed).", "(seed + 1)."), encoding="utf-8")
    result = bridzik("train", bot, "--part", "2, last", "--format", "csv")
    assert [line.split(",")[-1] for line in result.out.splitlines()] == ["change", "kept", "same", "same"]
    assert data(bot)["bot.npz"] == before["bot.npz"]
    old, new = json.loads(before["bot.json"]), json.loads(data(bot)["bot.json"])
    assert new["parts"]["1"] == {**old["parts"]["1"], "trainer": old["trainer"]}  # it says where it is from
    assert new["trainer"] != old["trainer"]
    assert "were trained with seed 0, not 5" in bridzik("train", bot, "--part", "2", "--seed", 5).err
    result = bridzik("train", bot, "--part", "1", "--format", "csv")
    assert [line.split(",")[-1] for line in result.out.splitlines()][1:] == ["changed", "kept", "kept"]
    with np.load(bot.with_name("bot.npz")) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(bot.with_name("bot.npz"), **{**arrays, "b": arrays["b"] + 1})
    assert "holds no part 2 as its record describes; train all" in bridzik("train", bot, "--part", "1").err


def test_check_compares_and_writes_nothing(bridzik, bot, tmp_path):
    assert "to compare with" in bridzik("train", bot, "--check").err
    bridzik("train", bot, "--out", tmp_path / "there")
    assert not bot.with_name("bot.npz").exists()
    bridzik("train", bot)
    before = data(bot)
    result = bridzik("train", bot, "--check", "--quiet")
    assert (result.code, result.err) == (0, "")
    result = bridzik("train", bot, "--check", "--quiet", "--seed", 1)
    assert result.code == 1
    assert lines(result) == [
        "Error: part 1 differs: array first has other values in 3 of 3 places",
        "Error: part 2 differs: array second has other values in 6 of 6 places",
    ]
    assert data(bot) == before
    with np.load(bot.with_name("bot.npz")) as file:
        arrays = {name: file[name] for name in file.files if name != "third"}
    np.savez(bot.with_name("bot.npz"), **arrays, more=np.zeros(2))
    result = bridzik("train", bot, "--check", "--quiet", "--format", "json")
    assert lines(result) == [
        "Error: part last differs: array third is new",
        "Error: array more belongs to no part",
    ]
    assert [row["same"] for row in json.loads(result.out)["parts"]] == [True, True, False]
    assert bridzik("train", bot, "--check", "--quiet", "--part", "1").code == 0
    assert bridzik("train", bot, "--check", "--quiet", "--out", tmp_path / "there").code == 0


def test_what_does_not_repeat_is_not_written(bridzik, bot):
    bridzik("train", bot)
    before = data(bot)
    changing = HELPER + "import itertools\ncount = itertools.count()\n"
    (bot.parent / "helper.py").write_text(changing.replace("(n)", "(n) + next(count)"), encoding="utf-8")
    result = bridzik("train", bot, "--part", "1", "--quiet")
    assert result.code == 3
    assert "part 1 does not repeat, so nothing was written" in result.err
    assert "array first has other values in 3 of 3 places" in result.err
    assert data(bot) == before


@pytest.mark.parametrize(
    ("trainer", "code", "said"),
    [
        (None, 2, "nothing remakes the data of"),
        ("def train(part, seed, say): pass", 2, "PARTS must be a tuple of different names"),
        ("PARTS = ('1', '1')", 2, "PARTS must be a tuple of different names"),
        ("PARTS = ('1',)", 2, "has no function train(part, seed, say)"),
        ("PARTS = (", 2, "_train_bot.py, line 1: '(' was never closed"),
        ("import no_such_thing", 2, "_train_bot.py, line 1: ModuleNotFoundError"),
        ("PARTS = ('1',)\ndef train(*_):\n    return 1 / 0", 3, "_train_bot.py, line 3: ZeroDivisionError"),
        ("PARTS = ('1',)\ndef train(*_):\n    return {}", 3, "part 1 must return a dict of NumPy arrays"),
        (
            "import numpy as np\nPARTS = ('1',)\ndef train(*_):\n    return {'a/b': np.zeros(1)}",
            3,
            "part 1 returns an array under 'a/b'",
        ),
        (
            "import numpy as np\nPARTS = ('1',)\ndef train(*_):\n    return {'a': np.array([{}])}",
            3,
            "array a of part 1 holds Python objects",
        ),
        (
            "import numpy as np\nPARTS = ('1', '2')\ndef train(*_):\n    return {'a': np.zeros(1)}",
            3,
            "parts 1 and 2 both return an array a",
        ),
    ],
)
def test_a_wrong_trainer_gets_one_line(bridzik, bot, trainer, code, said):
    path = bot.with_name("_train_bot.py")
    path.unlink() if trainer is None else path.write_text(trainer, encoding="utf-8")
    result = bridzik("train", bot, "--quiet")
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert result.err.count("\n") == 1
    assert not bot.with_name("bot.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--part", "3"), "there is no part of bot called '3'; there are: 1, 2, last"),
        (("--part", ","), "a name is empty"),
        (("--seed", -1), "the seed must lie between 0 and"),
        (("--seed", 2**63), "the seed must lie between 0 and"),
    ],
)
def test_wrong_arguments_get_one_line(bridzik, bot, arguments, said):
    result = bridzik("train", bot, *arguments)
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(("name", "content"), [("bot.npz", b"PK"), ("bot.json", b"{"), ("bot.json", b"[]")])
def test_broken_files_are_named(bridzik, bot, name, content):
    bridzik("train", bot)
    bot.with_name(name).write_bytes(content)
    result = bridzik("train", bot, "--check")
    assert result.code == 2
    assert name in result.err
    assert "delete it to train anew" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interrupted_training_ends_at_once_and_writes_nothing(start, bot):
    slow = "import time\nimport numpy as np\nPARTS = ('1',)\n"
    slow += "def train(part, seed, say):\n    say('begins')\n    time.sleep(60)\n"
    bot.with_name("_train_bot.py").write_text(slow, encoding="utf-8")
    process = start("train", bot)
    assert process.stderr.readline() == "part 1: begins\n"
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr.read() == "Error: interrupted; nothing was written\n"
    assert not bot.with_name("bot.npz").exists()
