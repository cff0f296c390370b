"""The frame of the program: help, numbers, exit codes, one line for every failure."""

import errno

import click
import pytest
from click.testing import CliRunner

from bridzik_sim import api
from cli import main, options

ARGUMENTS = ("simulate", "--seats", "random*4", "--games", "3", "--seed", "1")


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_help_with_an_example(bridzik, name):
    for flag in ("-h", "--help"):
        result = bridzik(name, flag)
        assert result.code == 0
        assert f"bridzik {name}" in result.out.split("Example", 1)[1]
    assert main.COMMANDS[name].split(",")[0].split(":")[0].rstrip(".") in " ".join(result.out.split())


def test_shared_options_stand_in_the_same_order_everywhere(bridzik):
    order = ["--game ", "--option", "--seed", "--jobs", "--executor", "--format", "--quiet", "--help"]
    for name in ("simulate", "resume", "merge", "report"):
        text = bridzik(name, "--help").out.split("Options:")[1]
        places = [text.find(option) for option in order if option in text]
        assert places == sorted(places), name


def test_version_and_no_arguments(bridzik):
    assert bridzik("--version").out.startswith("bridzik, version ")
    result = bridzik()
    assert result.code == 2
    assert "Commands:" in result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulat"], "there is no command 'simulat'; did you mean simulate?"),
        (["xyz"], "there is no command 'xyz'; see 'bridzik --help'"),
        (["simulate", "--seats", "random*4"], "Missing option '--games' (see 'bridzik simulate --help')"),
        (["simulate", "--gmaes", "5"], "No such option '--gmaes'"),
        (["simulate", "--format", "xml"], "'xml' is not one of 'table', 'csv', 'json', 'markdown'"),
        (["simulate", "--jobs", "0"], "'--jobs': 0 is not in the range x>=1"),
        (["simulate", "--option", "x"], "'x' is not of the form KEY=VALUE"),
        (["report"], "Missing argument 'DIR...'"),
    ],
)
def test_wrong_arguments_get_one_line(bridzik, arguments, said):
    result = bridzik(*arguments)
    assert result.code == 2
    assert said in result.err
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert not result.out


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("1000000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1,000,000", 1_000_000),
        ("1e6", 1_000_000),
        ("1E+3", 1000),
        ("1M", 1_000_000),
        ("2.5m", 2_500_000),
        ("100k", 100_000),
        ("0.5K", 500),
        ("1.50e2", 150),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_counts_may_be_written_in_many_ways(text, number):
    assert options.Count().convert(text, None, None) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "too few"),
        ("-5", "too few"),
        ("-1k", "too few"),
        ("1.5", "not a whole number"),
        ("0.1k5", "not a number"),
        ("1.0001k", "not a whole number"),
        ("1e-3", "not a number"),
        ("many", "not a number"),
        ("", "not a number"),
        ("1 000", "not a number"),
        ("nan", "not a number"),
        ("1e999", "not a number"),
    ],
)
def test_wrong_counts_are_refused(text, said):
    with pytest.raises(click.BadParameter, match=said):
        options.Count().convert(text, None, None)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "here"), 2, "here: No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("a bug\nin two lines"), 4, "internal error: RuntimeError: a bug"),
    ],
)
def test_failures_have_their_exit_codes(bridzik, monkeypatch, error, code, said):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(api, "simulate", fail)
    result = bridzik(*ARGUMENTS)
    assert result.code == code
    assert said in result.err
    assert result.err.strip().count("\n") == 0


def test_the_traceback_of_a_bug_can_be_asked_for(bridzik, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr(api, "simulate", fail)
    monkeypatch.setenv("BRIDZIK_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="a bug"):
        bridzik(*ARGUMENTS)


def test_a_reader_that_goes_away_is_no_failure(start):
    process = start(*ARGUMENTS, "--format", "csv", "--quiet")
    process.stdout.close()
    assert process.wait() == 0
    assert process.stderr.read() == ""


def test_completion_knows_commands_and_games():
    runner = CliRunner(
        env={"_BRIDZIK_COMPLETE": "bash_complete", "COMP_WORDS": "bridzik sim", "COMP_CWORD": "1"}
    )
    assert "simulate" in runner.invoke(main.cli, prog_name="bridzik").output
