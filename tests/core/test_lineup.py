"""Writing a line-up (design: what ends in .py or holds a separator is a file, what holds a dot a module)."""

from dataclasses import replace

import pytest

from bridzik_sim import lineup
from bridzik_sim.errors import UsageError


def read(text):
    return [(spec.label, spec.source, spec.params) for spec in lineup.parse(text)]


def test_a_name_is_its_own_label():
    assert read("random") == [("random", "random", ())]


def test_times_repeat_a_seat():
    assert read("a,b*3") == [("a", "a", ()), *[("b", "b", ())] * 3]


def test_parameters_are_split_off_from_the_right():
    assert (
        read("mc:samples=100:depth=2*2")
        == [("mc:samples=100:depth=2", "mc", (("samples", "100"), ("depth", "2")))] * 2
    )


def test_a_windows_path_keeps_its_colon():
    assert read(r"C:\bots\b.py:x=1") == [(r"C:\bots\b.py:x=1", r"C:\bots\b.py", (("x", "1"),))]


def test_a_label_stands_in_front():
    assert read(r"mine=C:\bots\b.py:x=1") == [("mine", r"C:\bots\b.py", (("x", "1"),))]
    assert read("mine=heuristic") == [("mine", "heuristic", ())]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("b.py", "file"),
        ("bots/b", "file"),
        ("bots\\b", "file"),
        ("package.module", "module"),
        ("simple", "name"),
    ],
)
def test_kinds(source, kind):
    assert lineup.parse(source)[0].kind == kind


@pytest.mark.parametrize("text", ["", "a,,b", "a*0", "a*", "*3", ",", "a*99999"])
def test_unreadable(text):
    with pytest.raises(UsageError):
        lineup.parse(text)


def test_one_label_for_two_strategies_is_refused():
    with pytest.raises(UsageError, match="label 'x' stands for both"):
        lineup.parse("x=a,x=b")


def test_equal_specs_share_a_label():
    assert len({spec.label for spec in lineup.parse("x=a:k=1,x=a:k=1")}) == 1


@pytest.mark.parametrize(
    "text", ["simple", "mine=bots/b.py:x=1", "../b.py", "C:\\bots\\b.py:x=1", "b.py:x=1"]
)
def test_a_spec_is_written_so_that_it_reads_as_the_same_strategy(text):
    spec, _ = lineup.parse_spec(text)
    anchored = replace(spec, source=f"/home/me/{spec.source}") if spec.kind == "file" else spec
    again, times = lineup.parse_spec(anchored.written)
    assert (again.source, again.params, times) == (anchored.source, anchored.params, 1)
    assert again.label in (spec.label, anchored.text)
