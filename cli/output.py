"""Printing: data to stdout in the asked format, notes and progress to stderr."""

from __future__ import annotations

import csv
import io
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
    """A table on stdout: ``table`` and ``markdown`` rounded for people, ``csv`` and ``json`` exact."""
    from bridzik_sim.results import csv_bytes, json_rows
    from reports.tables import readable

    if form == "csv":
        click.echo(csv_bytes(table), nl=False)  # bytes, so that no system turns the line ends into its own
    elif form == "json":
        as_json(json_rows(table.to_dict("records")))
    else:
        text = readable(table)
        rows(text.headings, text.rows, text.numeric, form, title)


def rows(
    headings: Sequence[str],
    cells: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    form: str = "table",
    title: str = "",
) -> None:
    """A table of text on stdout, as wide as it needs to be when nobody looks at it live."""
    if form == "markdown":
        return _markdown(headings, cells, numeric, title)
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([headings, *cells])
        click.echo(text.getvalue().encode(), nl=False)
        return None
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", padding=(0, 1, 0, 0))
    for heading, is_number in zip(headings, numeric, strict=True):
        table.add_column(
            Text(heading), justify="right" if is_number else "left", overflow="fold", no_wrap=is_number
        )
    for row in cells:
        table.add_row(*[Text(cell) for cell in row])
    live = sys.stdout.isatty()
    Console(file=sys.stdout, width=None if live else 400, highlight=False, soft_wrap=False).print(table)
    return None


def _markdown(
    headings: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], title: str
) -> None:
    lines = [f"**{title}**", ""] if title else []
    rule = ["---:" if is_number else "---" for is_number in numeric]
    for row in (headings, rule, *cells):
        lines.append(f"| {' | '.join(' '.join(cell.replace('|', chr(92) + '|').split()) for cell in row)} |")
    click.echo("\n".join(lines))
