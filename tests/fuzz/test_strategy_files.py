"""A strategy's file may hold anything: what it says of itself is read without running it, or refused in one line."""

import ast
import math
from pathlib import Path

import pytest
from fuzzing import ODD, VALUES, damaged, told, tried, words
from hypothesis import example, given
from hypothesis import strategies as st

from bridzik_sim import sources

STRATEGY = Path(__file__).resolve().parents[2] / "strategies" / "bridzik" / "champion.py"
GOOD = (
    '"""Plays."""\nPARAMS = {"x": 1.0, "y": 2}\nRANGES = {"x": (0, 4)}\nPYTHON = True\nDATA = ("mine.npz",)\n'
)
SAYINGS = ("PARAMS", "RANGES", "PYTHON", "DATA", "CHEATS")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("bots") / "mine.py"
    path.with_suffix(".npz").write_bytes(b"data")
    return path


def read(path, data):
    path.write_bytes(data)
    listing = told(sources.read, path)
    told(sources.docstrings, path, ("bid", "play"))
    told(sources.local_files, path)
    assert told(sources.fingerprint, path) is not None or listing is None
    if listing is not None:
        assert all(math.isfinite(value) for value in listing.params.values())
        assert all(low <= listing.params[key] <= high for key, (low, high) in listing.ranges.items())


EXPRESSIONS = words(
    *(
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "'x'",
        "'y'",
        "1",
        "0.5",
        "-",
        "None",
        "True",
        "'mine.npz'",
        "*",
        "lambda",
    ),
    *(
        "f'{x}'",
        "b'x'",
        "...",
        "1j",
        "**",
        "for x in y",
        "9" * 400,
        "1e999",
        "-1e999",
        "'..'",
        "'/'",
        "' '",
        " if ",
    ),
)
LITERALS = (
    VALUES.map(repr)
    | EXPRESSIONS
    | st.dictionaries(st.sampled_from(["x", "y"]), VALUES, max_size=2).map(repr)
)


@tried(80)
@given(data=st.lists(st.tuples(st.sampled_from(SAYINGS), LITERALS), min_size=1, max_size=3))
@example(data=[("PARAMS", "{'x': 1" + "0" * 5000 + "}")])
@example(data=[("PARAMS", "-" * 5000 + "1")])
@example(data=[("PARAMS", "{[]: 1}")])
@example(data=[("RANGES", "{'x': (-1" + "0" * 400 + ", 4)}")])
@example(data=[("DATA", repr("x" * 5000))])
@example(data=[("DATA", "'a\\0b'")])
@example(data=[("DATA", "('', '.', '..')")])
def test_what_it_says_of_itself(file, data):
    text = GOOD + "".join(f"{name} = {value}\n" for name, value in data)
    read(file, text.encode("utf-8", "surrogatepass"))


@tried(80)
@given(data=damaged(STRATEGY.read_bytes()) | damaged(GOOD.encode()) | st.binary(max_size=40))
@example(data=b"x = " + b"(" * 300)
@example(data=b"x = " + b"(" * 100_000)
@example(data=b"x = " + b"-" * 100_000 + b"1")
@example(data=b"x" + b".x" * 100_000)
@example(data=b"# coding: none\n")
@example(data=b"# coding: utf-7\nx = '+AGE-'\n")
@example(data=b"# coding: rot13\n")
@example(data=b"\xef\xbb\xbf# coding: latin-1\n")
@example(data=b"from ..................... import x\n")
@example(data=b"import " + b"a." * 5000 + b"b\n")
@example(data=b"from " + b"a" * 5000 + b" import x\n")
@example(data=b"x = '\\ud800'\nDATA = '\\ud800'\n")
@example(data=b"if x:\n" + b"".join(b" " * n + b"if x:\n" for n in range(1, 120)))
def test_any_bytes(file, data):
    read(file, data)


@pytest.mark.parametrize("odd", [text for text in ODD if "\ud800" not in text])
def test_odd_paths(file, odd):
    assert told(sources.read, file.parent / "none" / odd) is None


def test_the_sayings_are_those_that_are_read():
    """So that a new one is fuzzed, too."""
    tree = ast.parse(Path(sources.__file__).read_bytes())
    names = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and str(node.value).isupper()
    }
    assert {name for name in names if name.isalpha()} == set(SAYINGS)
