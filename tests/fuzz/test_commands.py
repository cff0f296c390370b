"""Command lines of real commands and options with odd values: every one ends with a code that is documented.

Nothing is played: what would be is refused at the last moment, so that only reading and checking is tried.
"""

import click
import pytest
from fuzzing import NAMES, ODD, tried
from hypothesis import given
from hypothesis import strategies as st

from bridzik_sim import executors, experiment, play, training
from bridzik_sim.errors import UsageError
from bridzik_sim.folder import EXPERIMENT, RunFolder
from cli.main import COMMANDS, cli, run

BOARDS = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
"""
NOT_PLAYED = "not played"
UNTRIED = {"warmup", "doctor", "bench"}
"""They measure and compile, and take nothing but a game and a format."""
FILES = ("run", "bad", "bot.py", "bad.py", "duel.toml", "bad.toml", "boards.pbn", "none", "new.py", ".")
PLAYERS = (
    *NAMES,
    "random*4",
    "random*2",
    "random,simple",
    "bot.py",
    "bad.py",
    "simple:x=1",
    "heuristic:courage=0.1",
    "a=random",
)
WORDS = (
    "bridzik",
    "bridge",
    "fool",
    "wizard",
    "honeymoon",
    "all",
    "one",
    "rotate",
    "csv",
    "json",
    "hand_sizes=8,7",
)
PAIRS = (
    "hand_sizes=9",
    "deck=36",
    "deck=5",
    "scoring=duplicate",
    "boards=x",
    "max_deals=" + "9" * 5000,
    "first_dealer=²",
)
COUNTS = (
    "1",
    "0",
    "-1",
    "2",
    "1k",
    "1e99",
    "3:1",
    "0:2",
    "2**64",
    "18446744073709551616",
    "courage=0:1",
    "courage=1e308:-1e308",
)


def as_argument(text):
    """What a system can hand over: no NUL, and bytes that are no UTF-8 as Python shows them."""
    return text.replace("\0", "").encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")


VALUES = st.one_of(
    *map(st.sampled_from, (FILES, PLAYERS, WORDS, PAIRS, COUNTS)),
    st.sampled_from([*ODD, "\udcff"]).map(as_argument),
    st.text(st.characters(exclude_characters="/\\"), max_size=6).map(as_argument),
)
CONTEXT = click.Context(cli)
DESCRIBED = {name: cli.get_command(CONTEXT, name) for name in COMMANDS if name not in UNTRIED}


GOOD = [
    line.split()
    for line in (
        "simulate --seats random*4 --games 5 --seed 1",
        "simulate --seats mine=bot.py,random*3 --games 5 --out new --option hand_sizes=8,7",
        "simulate --game bridge --seats random,random --boards boards.pbn",
        "compare heuristic:courage=0.1 random --games 5 --until-sure --margin 0.5 --alpha 0.1",
        "compare heuristic random --games 5 --field simple --out new",
        "tournament heuristic random simple --games 5 --tables one --references random",
        "run duel.toml --games 5 --out new",
        "resume run --games 8",
        "merge run run --out new",
        "report run run --out new --names a,b",
        "replay run --unit 0 --view 0",
        "replay --seats random*4 --unit 0:2 --seed 1 --as json",
        "strategies bot.py --format json",
        "games bridge --format csv",
        "new new.py --force",
        "check bot.py --games 3",
        "tune heuristic --params courage=0:1 --games 5 --out new",
        "train random --part 1 --check",
    )
]


@st.composite
def command_lines(draw):
    """A good command line in which something is replaced, added or left out."""
    line = [*draw(st.sampled_from(GOOD))]
    options = [one for one in DESCRIBED[line[0]].params if isinstance(one, click.Option)]
    for _ in range(draw(st.integers(1, 3))):
        how, at = (
            draw(st.sampled_from(["replace", "replace", "option", "add", "drop"])),
            draw(st.integers(1, len(line))),
        )
        if how == "option":
            option = draw(st.sampled_from(options))
            likely = option.type.choices if isinstance(option.type, click.Choice) else ()
            value = (
                []
                if option.is_flag
                else [draw(st.one_of(VALUES, st.sampled_from(likely)) if likely else VALUES)]
            )
            line += [draw(st.sampled_from(option.opts)), *value]
        else:
            line[at : at + (how != "add")] = [] if how == "drop" else [draw(VALUES)]
    return line


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a run, an experiment, a strategy and boards, and with a bad one of each."""
    path = tmp_path_factory.mktemp("place")
    with RunFolder.create(path / "run", experiment.make("random*4", 5, 1)):
        pass
    (path / "bad").mkdir()
    (path / "bad" / EXPERIMENT).write_text("schema = 3\n", encoding="utf-8")
    (path / "bot.py").write_text("PYTHON = True\nbid = play = lambda view: 0\n", encoding="utf-8")
    (path / "bad.py").write_text("PARAMS = {'x': [\n", encoding="utf-8")
    (path / "duel.toml").write_text(
        'command = "compare"\nentrants = ["random", "simple"]\n', encoding="utf-8"
    )
    (path / "bad.toml").write_text("a = [", encoding="utf-8")
    (path / "boards.pbn").write_text(BOARDS, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def unplayed(monkeypatch, place):
    def refuse(*_, **__):
        raise UsageError(NOT_PLAYED)

    monkeypatch.chdir(place)
    for where, name in ((executors, "make"), (play.Player, "__init__"), (training, "train")):
        monkeypatch.setattr(where, name, refuse)


@tried(120)
@given(line=command_lines())
def test_command_lines(capsys, line):
    capsys.readouterr()
    code = run(line)
    out, err = capsys.readouterr()
    assert code in (0, 1, 2, 3), (code, err)
    assert "Traceback" not in out + err
    assert "internal error" not in err
    if code:
        assert err.splitlines()[-1].startswith("Error: ") or "Usage:" in err


def test_every_command_is_tried():
    assert {line[0] for line in GOOD} == DESCRIBED.keys()


@pytest.mark.parametrize(
    "line", [line for line in GOOD if line[0] in ("simulate", "compare", "tournament", "check")]
)
def test_what_is_tried_would_be_played(capsys, line):
    assert run(line) == 2
    assert capsys.readouterr().err.endswith(f"Error: {NOT_PLAYED}\n")
