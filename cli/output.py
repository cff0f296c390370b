"""Printing: data to stdout in the asked format, notes and progress to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd


def note(text: str, quiet: bool = False) -> None:
    """A message for the person, on stderr."""
    if not quiet:
        click.echo(text, err=True)


def data(text: str) -> None:
    """One piece of output, on stdout."""
    click.echo(text)


def as_json(value: Any) -> None:
    """One JSON value on stdout, on one line when it is a list's element, indented otherwise."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def frame(table: pd.DataFrame, form: str, title: str = "") -> None:
    """A table on stdout: for people (``table``, ``markdown``) rounded, for programs (``csv``, ``json``) exact."""
    from bridzik_sim.results import csv_bytes, json_rows
    from reports.tables import readable

    if form == "csv":
        click.echo(csv_bytes(table).decode(), nl=False)
    elif form == "json":
        as_json(json_rows(table))
    else:
        text = readable(table)
        rows(text.headings, text.rows, text.numeric, form, title)


def rows(
    headings: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], form: str = "table", title: str = ""
) -> None:
    """A table of text on stdout, as wide as it needs to be when nobody looks at it live."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.MARKDOWN if form == "markdown" else box.SIMPLE_HEAD, title=title or None, title_justify="left")
    for heading, is_number in zip(headings, numeric, strict=True):
        table.add_column(heading, justify="right" if is_number else "left", overflow="fold")
    for row in cells:
        table.add_row(*[Text(cell) for cell in row])
    live = sys.stdout.isatty() and form == "table"
    Console(file=sys.stdout, width=None if live else 400, highlight=False, soft_wrap=False).print(table)
