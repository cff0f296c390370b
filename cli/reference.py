"""The reference of all commands, in Markdown, from the commands themselves.

python -m cli.reference > docs/commands.md
"""

from __future__ import annotations

import inspect
import sys

import click

from cli.main import COMMANDS, cli

HEAD = """\
# The commands

Written by `python -m cli.reference > docs/commands.md` from the help of the program.

Data goes to stdout, notes and progress to stderr. Exit codes: 0 fine, 1 a demanded threshold was not met,
2 usage or configuration, 3 a strategy failed, 4 internal, 130 interrupted.
"""


def reference() -> str:
    """The whole page."""
    names = [f"* [`bridzik {name}`](#bridzik-{name}): {line}" for name, line in COMMANDS.items()]
    with click.Context(cli, info_name="bridzik") as context:
        found = {name: cli.get_command(context, name) for name in COMMANDS}
        sections = [_section(context, name, command) for name, command in found.items() if command]
    return "\n".join([HEAD, *names, "", *sections])


def _section(parent: click.Context, name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"## bridzik {name}", "", f"    {usage}", "", *_text(command), ""]
    lines += ["| option | meaning |", "| --- | --- |"]
    for param in command.params:
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record:
            lines.append(f"| `{_cell(record[0])}` | {_cell(record[1])} |")
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _text(command: click.Command) -> list[str]:
    """The help text; what click keeps as it is (after a backspace) becomes an indented block."""
    lines: list[str] = []
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        first, *rest = paragraph.splitlines()
        if first.strip() == "\b":
            title, *block = rest
            lines += [title, "", *[f"    {line.strip()}" for line in block], ""]
        else:
            lines += [" ".join(paragraph.split()), ""]
    return lines[:-1]


if __name__ == "__main__":
    sys.stdout.buffer.write(reference().encode())
