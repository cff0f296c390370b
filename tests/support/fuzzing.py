"""What the fuzz tests share: how much is tried, odd texts, values and bytes, and what a parser may do with them.

The examples are the same in every run. ``BRIDZIK_FUZZ=100`` tries a hundred times as many, other ones each time.
"""

import datetime
import os
import struct

import tomli_w
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bridzik_sim.errors import BridzikError

TIMES = int(os.environ.get("BRIDZIK_FUZZ", "1"))
UNPRINTABLE = {chr(code) for code in (*range(32), 127, 0x85, 0x2028, 0x2029)}

ODD = [
    *(
        "",
        " ",
        "\0",
        "\n",
        "a\nb",
        "\x1b[31m",
        "\u2028",
        "\u202e",
        "\ufeff",
        "ľ",
        "ǅ",
        "²",
        "٣",
        "\ud800",
        "x" * 5000,
    ),
    *(
        "0",
        "-0",
        "1",
        "-1",
        "1e6",
        "1e400",
        "1e-400",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "1_0",
        "9" * 30,
        "9" * 5000,
    ),
    *(
        "'",
        '"',
        "%s",
        "{}",
        "{0}",
        "[",
        "]",
        "(" * 500,
        "..",
        ".",
        "*",
        ",",
        ":",
        "=",
        "true",
        "none",
        "__init__",
    ),
]
NAMES = [
    "random",
    "simple",
    "heuristic",
    "natural",
    "os",
    "os.path",
    "bridzik_sim.cards",
    "strategies.bridzik.random",
]


def tried(examples):
    """Settings of a fuzz test: so many examples, always the same ones."""
    return settings(
        max_examples=examples * TIMES, derandomize=TIMES == 1, database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def one_line(text):
    """Whether a text is a line that can be shown anywhere."""
    text.encode()
    return bool(text.strip()) and not UNPRINTABLE & set(text)


def told(function, *arguments, also=()):
    """What a parser returns, or None when it refuses in one line; any other exception is a failure."""
    try:
        return function(*arguments)
    except (BridzikError, *also) as error:
        said = error.format_message() if hasattr(error, "format_message") else str(error)
        assert one_line(said), f"refused in more than a line of text: {said!r}"
        return None


def words(*pieces):
    """Texts that are made of these pieces and odd ones, in any order."""
    known, odd = st.sampled_from(pieces), st.sampled_from(ODD)
    return st.lists(st.one_of(known, known, known, odd, st.text(max_size=3)), max_size=8).map("".join)


TEXTS = st.one_of(st.sampled_from(ODD), st.text(st.characters(), max_size=12))
NUMBERS = st.one_of(
    st.integers(-3, 60), st.integers(), st.sampled_from([2**31, 2**63 - 1, 2**63, 2**64, 10**30]), st.floats()
)
DATES = st.sampled_from(
    [datetime.date(2026, 1, 1), datetime.time(1, 2), datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)]
)
SCALARS = st.one_of(st.booleans(), NUMBERS, TEXTS, DATES)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)


def as_toml(data):
    """A TOML document as bytes; what cannot be encoded is left in so that it is no UTF-8."""
    return tomli_w.dumps(data).encode("utf-8", "surrogatepass")


@st.composite
def changed(draw, data, keys=(), values=VALUES):
    """A document of nested tables and lists in which something is renamed, replaced, left out or added."""
    data = _copy(data)
    for _ in range(draw(st.integers(1, 3))):
        holder = draw(st.sampled_from(list(_holders(data))))
        if isinstance(holder, list):
            place = draw(st.integers(0, len(holder)))
            holder[place : place + draw(st.integers(0, 1))] = [draw(values)] * draw(st.integers(0, 2))
            continue
        key = draw(st.sampled_from([*holder, *keys])) if holder or keys else ""
        how = draw(st.sampled_from(["replace", "replace", "replace", "drop", "rename", "nest"]))
        value = holder.pop(key, 1)
        if how == "replace":
            holder[key] = draw(values)
        elif how == "rename":
            holder[draw(TEXTS)] = value
        elif how == "nest":
            holder[key] = draw(st.sampled_from([[value], {key: value}, [[value]]]))
    return data


def _copy(data):
    if isinstance(data, dict):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list) else data


def _holders(data):
    yield data
    for value in data.values() if isinstance(data, dict) else data:
        if isinstance(value, dict | list):
            yield from _holders(value)


@st.composite
def damaged(draw, sound):
    """Sound bytes with flips, cuts, copies of parts, lengths that are too large and foreign bytes in them."""
    data = bytearray(sound)
    for _ in range(draw(st.integers(1, 3))):
        at, to = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        how = draw(st.sampled_from(["flip", "cut", "drop", "copy", "length", "foreign", "spaces"]))
        if how == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "cut":
            del data[at:]
        elif how == "drop":
            del data[at:to]
        elif how == "copy":
            data[to:to] = data[at:to]
        elif how == "length":
            data[at : at + 4] = struct.pack("<I", draw(st.sampled_from([0, 1, 2**31, 2**32 - 1])))
        elif how == "spaces":
            data[at:at] = b" " * draw(st.integers(1, 3)) + b"\n"
        else:
            foreign = st.sampled_from(
                [b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", "ľ".encode(), b"[" * 3000]
            )
            data[at:at] = draw(st.one_of(st.binary(max_size=8), foreign))
    return bytes(data)
