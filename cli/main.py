"""The program ``bridzik``: a group that imports a command only when it is called, and what errors look like.

Help and completion must be quick, so this module imports neither numba nor pandas nor matplotlib, and the
one-line help of every command stands here.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from bridzik_sim import notices

COMMANDS = {
    "simulate": "Play many games in one seating and report how well everyone did.",
    "compare": "Say whether one strategy is better than another, by how much and how sure that is.",
    "tournament": "Let everyone meet everyone on the same deals, and rank them.",
    "run": "Play an experiment from a file.",
    "resume": "Go on with an interrupted run, or make a finished one longer.",
    "merge": "Add finished runs of other units into one.",
    "report": "Make tables, pictures and an HTML page from finished runs.",
    "replay": "Show one game, card by card.",
    "strategies": "List the strategies, or describe one.",
    "games": "List the games, or describe one.",
    "new": "Write a starting point for a strategy of your own.",
    "check": "Check a strategy: does it compile, play legally, deterministically, how fast.",
    "train": "Remake a strategy's data, and check that it comes out the same again.",
    "tune": "Search a strategy's parameters on duplicate deals, and confirm what was found.",
    "bench": "Measure the speed on this machine.",
    "warmup": "Compile everything once, so that later runs start at once.",
    "doctor": "Show versions, processor, caches and whether all is well.",
}
GARBAGE = 200_000
"""New objects after which Python looks for garbage."""
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """A group whose commands live in ``cli.<name>`` and are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of a user's way through them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is answered with the nearest names."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=2, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else "; see 'bridzik --help'"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings=SETTINGS)
@click.version_option(package_name="bridzik", prog_name="bridzik")
def cli() -> None:
    """Simulate card games between strategies, and measure who plays how well and how sure that is.

    \b
    Example:
      bridzik simulate --seats "heuristic,simple,random*2" --games 10000 --out run
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit with its code, see ``bridzik_sim.errors``."""
    _open_streams()
    warnings.showwarning = _warn
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")  # files and pipes get the same bytes on every system
    # What is imported stays. To look for garbage in it, over and over and at the end, would take a fifth of
    # a short run.
    gc.set_threshold(GARBAGE)
    arguments = sys.argv[1:] if arguments is None else arguments
    if not sys.stderr.isatty() and not {"--quiet", "-q"}.intersection(arguments):
        notices.listener = partial(click.echo, err=True)  # on a terminal the display of progress tells it
    code = run(arguments)
    gc.freeze()
    if code == 130:
        signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # we are leaving; one more Ctrl-C would only add a traceback
    _leave(code)


def _leave(code: int) -> None:
    """Exit with a code, without waiting for threads that need not end: a strategy's, or after Ctrl-C ours."""
    others = {one for one in threading.enumerate() if not one.daemon} - {threading.main_thread()}
    if not others:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _open_streams() -> None:
    """A stream that was closed before we began leads nowhere; else the next file would take its number."""
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))


def run(arguments: list[str]) -> int:
    """Run one command line and return the exit code; every failure is told in one line on stderr."""
    for argument in arguments:
        if not argument.isascii() and any("\ud800" <= char <= "\udfff" for char in argument):
            advice = "use names in UTF-8, and a locale with UTF-8 or PYTHONUTF8=1"
            return _say(f"{argument!a} cannot be read as text here; {advice}", 2)
    try:
        result = cli.main(arguments, prog_name="bridzik", standalone_mode=False)
        sys.stdout.flush()  # here, so that a reader who went away is noticed below
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _say(_click_message(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", 130)
    except SystemExit:  # click's answer to a reader of our output that went away, as in "| head"
        return 0
    except BrokenPipeError:  # the same, noticed by us
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{_name(error)}{error.strerror or error}; nothing that was finished is lost", 2)
    except Exception as error:
        return _explain(error)


def _click_message(error: click.ClickException) -> str:
    """Click's message on one line, with the command whose help tells more."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and context is not None and "--help" not in message:
        return f"{message.rstrip('.')} (see '{context.command_path} --help')"
    return message


def _name(error: OSError) -> str:
    return f"{os.fspath(error.filename)}: " if isinstance(error.filename, str | os.PathLike) else ""


def _explain(error: Exception) -> int:
    from bridzik_sim.errors import EXIT_INTERNAL, BridzikError

    if isinstance(error, BridzikError):
        return _say(str(error), error.exit_code)
    if os.environ.get("BRIDZIK_TRACEBACK"):
        raise error
    what = f"internal error: {type(error).__name__}: {' '.join(str(error).split())}"
    return _say(f"{what} (set BRIDZIK_TRACEBACK=1 to see where, and please report it)", EXIT_INTERNAL)


def _warn(message: Warning | str, *where: Any, **more: Any) -> None:
    """A warning in one line, without the place in the program that it comes from."""
    click.echo(f"Warning: {message}", err=True)


def _say(message: str, code: int) -> int:
    click.echo(f"Error: {message}", err=True)
    return code


def bridzik_command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Decorator of every command: its name, its one-line help from ``COMMANDS``, and help on ``-h``."""
    return click.command(name, short_help=COMMANDS[name], context_settings=SETTINGS, **settings)
