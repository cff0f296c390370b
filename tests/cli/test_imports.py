"""What help and completion import, which somebody waits for: nothing but click, and few of our own modules."""

import os
import subprocess
import sys
from pathlib import Path

from cli import main

ROOT = Path(__file__).resolve().parents[2]
OURS = {"cli", "bridzik_sim", "reports", "strategies"}
# What virtual environments and editable installs bring along, and what click needs on Windows.
BROUGHT = {"_virtualenv", "_distutils_hack", "sitecustomize", "usercustomize", "colorama"}
FRAME = {"cli", "cli.main", "bridzik_sim", "bridzik_sim.notices"}
PROGRAM = """
import sys
from cli import main
for line in sys.argv[1:]:
    assert main.run(line.split()) == 0
    print("\\nLOADED", *sys.modules)
"""


def loaded(*lines, **environment):
    """The names of all modules that are loaded after each of the command lines, in one process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *lines], cwd=ROOT, env={**os.environ, **environment},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [set(line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("LOADED ")], done


def ours(modules):
    return {name for name in modules if name.partition(".")[0] in OURS}


def foreign(modules):
    """Top-level names that are neither ours nor the standard library's."""
    tops = {name.partition(".")[0] for name in modules if not name.startswith("__")}
    return tops - OURS - BROUGHT - sys.stdlib_module_names


def test_help_imports_click_and_the_frame_of_the_program():
    (first, *rest), done = loaded("--help", *(f"{name} --help" for name in main.COMMANDS))
    assert ours(first) == FRAME
    for name, line in main.COMMANDS.items():
        assert name in done.stdout
        assert line.split()[0] in done.stdout
    for name, modules in zip(main.COMMANDS, rest, strict=True):
        assert f"cli.{name}" in modules
        assert foreign(modules) == {"click"}, name
        assert {module for module in ours(modules) - FRAME if not module.startswith("cli.")} == set(), name


def complete(words):
    environment = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    (modules,), done = loaded("", _BRIDZIK_COMPLETE="bash_complete", **environment)
    assert foreign(modules) == {"click"}
    return ours(modules) - FRAME, done.stdout.partition("\nLOADED")[0].split()


def test_completion_imports_what_the_words_are_about():
    simulate = {"cli.simulate", "cli.boards", "cli.options"}
    assert complete("bridzik simulate --ga") == (simulate, ["plain,--games", "plain,--game"])
    games = {"bridzik_sim.games", "bridzik_sim.errors"}
    assert complete("bridzik simulate --game fo") == (simulate | games, ["plain,fool"])
