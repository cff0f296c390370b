"""``bridzik simulate``."""

from __future__ import annotations

import click

from cli import options
from cli.main import COMMANDS, command


@command("simulate", short_help=COMMANDS["simulate"])
def command_() -> None:
    """x"""
