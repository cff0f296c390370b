"""Experiment files of users and of run folders: whatever stands in them is read or refused in one line."""

import tomllib
from pathlib import Path

import pytest
from fuzzing import NUMBERS, ODD, SCALARS, VALUES, as_toml, changed, damaged, told, tried
from hypothesis import example, given
from hypothesis import strategies as st

from bridzik_sim import experiment, experiment_file, stored

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "experiments").glob("*.toml"))
WRITTEN = [tomllib.loads(path.read_text(encoding="utf-8")) for path in EXAMPLES]
KEYS = experiment_file.Keys.__struct_fields__
WORDS = (
    "random",
    "random*4",
    "simulate",
    "compare",
    "tournament",
    "bridge",
    "fool",
    "all",
    "one",
    "pairs",
    "rotate",
    "csv",
)
LISTS = (
    ["random"],
    ["random", "simple"],
    ["a", "a=random"],
    [{"figure": "exact", "of": "random", "below": 0.5}],
    [{}],
)
LIKELY = st.sampled_from(
    [*WORDS, *LISTS, [{"figure": "x"}], [{"below": "y"}], {"spec": "random"}, {"spec": 1}, {"a": {}}]
)
ANYTHING = VALUES | LIKELY | NUMBERS | SCALARS


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("files") / "experiment.toml"


def read(path, data):
    """Read a file and resolve what it says, as ``bridzik run`` does, with plain Bridžik only (nothing compiles)."""
    path.write_bytes(data)
    found = told(experiment_file.read, path)
    if found is not None:
        told(experiment_file.players, found)
        assert found.folder is None or not found.folder.is_file()
        told(experiment_file.resolve, found, {"seed": 1})


@tried(40)
@given(data=st.sampled_from(WRITTEN).flatmap(lambda written: changed(written, KEYS, ANYTHING)))
def test_changed_files(file, data):
    read(file, as_toml(data))


@tried(50)
@given(data=st.sampled_from(EXAMPLES).flatmap(lambda path: damaged(path.read_bytes())))
@example(data=b"command = 'simulate'\nseats = 'random*4'\nout = 'a\\u0000b'")
@example(data=b"\xef\xbb\xbfcommand = 'simulate'")
@example(data=b"games = " + b"9" * 5000)
@example(data=b"seats = " + b"[" * 20000)
@example(data=b"[" + b"a." * 5000 + b"b]")
@example(data=b"seats = ['random']\nfail_if = [{figure='exact', below=nan}]\ngames = 1")
def test_damaged_files(file, data):
    read(file, data)


@pytest.mark.parametrize("odd", [*ODD, "a" * 300 + ".toml"])
def test_odd_paths(file, odd):
    """A name that no file has."""
    if "\ud800" not in odd:
        assert told(experiment_file.read, file.parent / "none" / odd) is None
        assert told(stored.read, file.parent / "none" / odd) is None


RESOLVED = [
    experiment.make("random*2,me=random*2", 40, 7, seating="rotate"),
    experiment.make(["random", "simple"], 40, 7, command="compare", field="heuristic"),
    experiment.make(["random", "simple"], 40, 7, command="compare", until_sure=True, margin=0.5),
    experiment.make(
        ["random", "heuristic"],
        9,
        7,
        command="tournament",
        game="wizard",
        at_table=5,
        options={"sum_rule": "on"},
    ),
    experiment.make(
        ["random", "simple", "heuristic"], 9, 7, command="tournament", tables="one", references=["simple"]
    ),
]
STORED = [stored.write(one) for one in RESOLVED]


@pytest.mark.parametrize("one", RESOLVED, ids=lambda one: one.command)
def test_what_is_stored_is_read_again(file, one):
    file.write_text(stored.write(one), encoding="utf-8")
    again = stored.read(file)
    assert again == one
    assert again.identity() == one.identity()
    assert stored.write(again) == stored.write(one)


@tried(60)
@given(data=st.sampled_from(STORED).flatmap(lambda text: changed(tomllib.loads(text), KEYS, ANYTHING)))
def test_changed_stored_files(file, data):
    file.write_bytes(as_toml(data))
    found = told(stored.read, file)
    if found is not None:
        # What is read can be used: its tables, its units, its text.
        assert found.games >= 1
        told(found.identity)
        told(stored.write, found)


@tried(50)
@given(data=st.sampled_from(STORED).flatmap(lambda text: damaged(text.encode())))
@example(data=b"a = " + b"[" * 20000)
@example(data=b"a = " + b"9" * 5000)
def test_damaged_stored_files(file, data):
    file.write_bytes(data)
    told(stored.read, file)
