"""The page of all commands is up to date, and options they share stand in one order."""

from pathlib import Path

import click
import pytest

from cli import main, options
from cli.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
SHARED = [
    "game",
    "options",
    "seed",
    "jobs",
    "executor",
    "scheduler",
    "timeout",
    "isolate",
    "memory",
    "form",
    "quiet",
]


def command(name):
    with click.Context(main.cli) as context:
        return main.cli.get_command(context, name)


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == reference(), "python -m cli.reference > docs/commands.md"


@pytest.mark.parametrize("name", main.COMMANDS)
def test_a_command_has_one_paragraph_and_an_example(name):
    text = command(name).help
    assert text.split("\n\n")[0].strip()
    examples = text.split("\b\n")[1].splitlines()
    assert examples[0].strip() in ("Example:", "Examples:")
    assert f"bridzik {name}" in text.split("\b\n")[1]


@pytest.mark.parametrize("name", main.COMMANDS)
def test_shared_options_come_last_and_in_one_order(name):
    names = [param.name for param in command(name).params]
    shared = [param for param in names if param in SHARED]
    assert shared == [param for param in SHARED if param in shared]
    assert names[len(names) - len(shared) :] == shared


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_option_is_explained(name):
    for param in command(name).params:
        if isinstance(param, click.Option):
            assert param.help, param.name


def test_the_shared_options_are_these():
    @click.command()
    @options.common
    def everything(**_):
        pass

    assert [param.name for param in everything.params] == SHARED
