"""Loading strategies: every way of naming one, and one clear line for everything that can be wrong with a file."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridzik_sim import games, lineup, sources, strategy
from bridzik_sim.errors import StrategyError, UsageError

GAME = games.get("bridzik")
GOOD = '''"""A bot."""
from bridzik_sim.cards import lowest
PARAMS = {"courage": 0.5, "fear": 2}
def bid(view):
    return lowest(view.legal)
def play(view):
    return lowest(view.legal)
'''


def load(text):
    return strategy.load(lineup.parse(text)[0], GAME)


@pytest.fixture
def write(tmp_path):
    def writer(text, name="bot.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return writer


def test_found_by_name_module_and_path():
    by_name, by_module = load("random"), load("strategies.bridzik.random")
    by_path = load(str(by_name.listing.path))
    assert by_name.fingerprint == by_module.fingerprint == by_path.fingerprint
    assert by_name.listing.summary == "Bids and plays any legal answer, each equally likely."


def test_parameters_in_the_order_of_params(write):
    loaded = load(f"{write(GOOD)}:fear=7")
    assert list(loaded.params[:3]) == [0.5, 7, 0]


def test_an_entry_point_adds_a_package_of_strategies(tmp_path, monkeypatch):
    folder = tmp_path / "more_bots" / "bridzik"
    folder.mkdir(parents=True)
    (tmp_path / "more_bots" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "extra.py").write_text(GOOD)
    (folder / "_helper.py").write_text("")
    info = tmp_path / "more_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bridzik.strategies]\nmore = more_bots\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert {"extra", "random"} <= set(sources.named("bridzik"))
    assert "_helper" not in sources.named("bridzik")
    assert load("extra").listing.summary == "A bot."


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(UsageError, match="did you mean random"):
        load("randm")


@pytest.mark.parametrize("text", ["nowhere/bot.py", "no_such_package.module"])
def test_missing_file_or_module(text):
    with pytest.raises(UsageError, match="there is no"):
        load(text)


def test_unknown_or_unreadable_parameter(write):
    path = write(GOOD)
    with pytest.raises(UsageError, match="did you mean courage"):
        load(f"{path}:courag=1")
    with pytest.raises(UsageError, match="must be a number, not 'high'"):
        load(f"{path}:courage=high")
    for number in ("nan", "inf", "-inf", "1e999"):
        with pytest.raises(UsageError, match="courage must be finite"):
            load(f"{path}:courage={number}")
    with pytest.raises(UsageError, match="courage is given twice"):
        load(f"{path}:courage=1:courage=2")


def test_a_local_import_belongs_to_the_strategy(write):
    write("def pick(view):\n    return 0\n", "helper.py")
    path = write("import helper\n" + GOOD)
    before = load(str(path)).fingerprint
    write("def pick(view):\n    return 1\n", "helper.py")
    assert load(str(path)).fingerprint != before


def test_two_folders_may_have_helpers_of_the_same_name(tmp_path):
    found = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        helper = f"from bridzik_sim.jit import jit\n@jit\ndef pick(view):\n    return {number}\n"
        (folder / "helper.py").write_text(helper)
        bot = "from helper import pick\ndef bid(view):\n    return pick(view)\ndef play(view):\n    return pick(view)\n"
        (folder / "bot.py").write_text(bot)
        loaded = load(str(folder / "bot.py"))
        view = np.zeros(1, GAME.view).view(np.recarray)[0]
        found.append(loaded.compiled(GAME)["bid"](view))
    assert found == [1, 2]


def test_an_edited_file_is_never_served_old_code(write):
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    answers = []
    for number in (3, 4):
        text = f"def bid(view):\n    return {number}\ndef play(view):\n    return 0\n"
        answers.append(load(str(write(text))).compiled(GAME)["bid"](view))
    assert answers == [3, 4]


@pytest.mark.parametrize("line", ['DATA = ("w.npz",)', 'DATA: tuple[str, ...] = ("w.npz",)'])
def test_data_of_what_it_imports_belongs_to_the_strategy(write, tmp_path, line):
    write(f"{line}\n", "base.py")
    path = write(f"import base\n{GOOD}")
    prints = []
    for content in (b"one", b"two"):
        (tmp_path / "w.npz").write_bytes(content)
        prints.append(sources.fingerprint(path))
    assert prints[0] != prints[1]


def test_a_parameter_keeps_to_its_range(write):
    path = write(f'{GOOD}RANGES = {{"fear": (0, 3)}}\n')
    assert load(f"{path}:fear=3").params[1] == 3
    with pytest.raises(UsageError, match=r"fear must lie from 0 to 3$"):
        load(f"{path}:fear=3.5")
    write(f'{GOOD}RANGES = {{"fear": (3, 5)}}\n')
    with pytest.raises(StrategyError, match="RANGES must give parameters of PARAMS a pair"):
        load(str(path))


def test_data_files_belong_to_the_strategy(write, tmp_path):
    path = write('DATA = ("weights.npz",)\n' + GOOD)
    with pytest.raises(StrategyError, match=r"data file weights.npz is not beside it"):
        load(str(path))
    (tmp_path / "weights.npz").write_bytes(b"1")
    before = load(str(path)).fingerprint
    (tmp_path / "weights.npz").write_bytes(b"2")
    assert load(str(path)).fingerprint != before


BAD = {
    "syntax": ("def bid(view) return 3\n", r"bot\.py, line 1: expected ':'"),
    "import": ("import math\nimport not_there\n", r"bot\.py, line 2: ModuleNotFoundError"),
    "missing function": ("def bid(view):\n    return 0\n", r"has no function play\(view\)"),
    "arguments": ("def bid(view, more):\n    return 0\n", r"bot\.py, line 1: bid must take one argument"),
    "float": (
        "def bid(view):\n    return view.size / 2\ndef play(view):\n    return 0\n",
        r"bot\.py, line 1: bid must return an integer, not a float64",
    ),
    "bool": (
        "def bid(view):\n    return view.size > 2\ndef play(view):\n    return 0\n",
        r"bid must return an integer, not a bool",
    ),
    "nothing": (
        "def bid(view):\n    if view.size > 2:\n        return 1\ndef play(view):\n    return 0\n",
        r"bid must return an integer, not nothing on some way through",
    ),
    "field": (
        "def bid(view):\n    x = 1\n    return view.sise + x\ndef play(view):\n    return 0\n",
        r"bot\.py, line 3: there is no field of the view called 'sise'; did you mean size",
    ),
    "unsupported": (
        "def bid(view):\n    return len(open('x').read())\ndef play(view):\n    return 0\n",
        r"bot\.py, line 2: numba cannot compile bid: Untyped global name 'open'",
    ),
    "params": ("PARAMS = {'a': 'b'}\n", r"PARAMS must be a dict of at most 16 names and numbers"),
    "unhashable params": ("PARAMS = {[]: 1}\n", r"bot\.py, line 1: PARAMS must be written out"),
    "infinite params": ("PARAMS = {'a': 1e999}\n", r"bot\.py: the numbers in PARAMS must be finite"),
    "huge params": (f"PARAMS = {{'a': 1{'0' * 400}}}\n", r"the numbers in PARAMS must be finite"),
    "number as data": ("DATA = 5\n", r"bot\.py: DATA must be the name of a file"),
    "number in data": ("DATA = ('a', 3)\n", r"bot\.py: DATA must be the name of a file"),
    "exit": ("import sys\nsys.exit(0)\n", r"bot\.py, line 2: SystemExit: 0"),
    "computed params": ("PARAMS = dict(a=1)\n", r"bot\.py, line 1: PARAMS must be written out"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_gets_one_line_with_its_place(write, text, message):
    with pytest.raises(StrategyError, match=message) as caught:
        load(str(write(text))).compiled(GAME)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_integer_of_another_width_is_widened(write):
    text = "import numpy as np\ndef bid(view):\n    return np.uint8(3)\ndef play(view):\n    return np.int32(4)\n"
    compiled = load(str(write(text))).compiled(GAME)
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    assert (compiled["bid"](view), compiled["play"](view)) == (3, 4)


def test_a_python_strategy_is_not_compiled(write):
    text = "PYTHON = True\nimport json\ndef bid(view):\n    return json.loads('0')\ndef play(view):\n    return 0\n"
    loaded = load(str(write(text)))
    assert loaded.python
    assert loaded.callables(GAME)["bid"](None) == 0


ANSWERS = "def bid(view):\n    return N\ndef play(view):\n    return 0\n"


def bid_of(path):
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    return load(str(path)).callables(GAME)["bid"](view)


def package(tmp_path, number=1):
    folder = tmp_path / "pk" / "sub"
    folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / "pk" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "hlp.py").write_text(f"N = {number}\n")
    return folder


@pytest.mark.parametrize("name", ["random", "wave", "statistics"])
def test_a_neighbour_never_hides_the_standard_library(write, name):
    write("N = 1\n", f"{name}.py")
    path = write(f"PYTHON = True\nimport {name}\nN = hasattr({name}, 'N')\n" + ANSWERS)
    kept = sys.modules.pop(name, None)
    try:
        assert bid_of(path) is False
        assert sources.local_files(path) == [path]
    finally:
        sys.modules.pop(name, None)
        if kept is not None:
            sys.modules[name] = kept


def test_in_a_package_neighbours_are_not_importable_by_their_bare_name(tmp_path):
    folder = package(tmp_path)
    path = folder / "bot.py"
    path.write_text("import hlp\n" + ANSWERS)
    with pytest.raises(StrategyError, match="No module named 'hlp'"):
        load(str(path))
    assert sources.local_files(path) == [path]
    (folder / "random.py").write_text("N = 1\n")
    path.write_text("PYTHON = True\nimport random\nN = hasattr(random, 'N')\n" + ANSWERS)
    assert bid_of(path) is False


@pytest.mark.parametrize(
    "line", ["from .hlp import N", "from pk.sub.hlp import N", "from . import hlp\nN = hlp.N"]
)
def test_imports_in_a_package_that_is_given_by_path(tmp_path, line):
    modules, places = set(sys.modules), (list(sys.path), list(sys.meta_path))
    for number in (1, 2):
        for root in (tmp_path / "one", tmp_path / "two"):
            number += 10
            folder = package(root, number)
            (folder / "bot.py").write_text(f"{line}\n{ANSWERS}")
            assert bid_of(folder / "bot.py") == number
            assert folder / "hlp.py" in sources.local_files(folder / "bot.py")
    assert {name for name in set(sys.modules) - modules if name.startswith("pk")} <= {"pk.sub.bot"}
    assert (sys.path, sys.meta_path) == places


def test_a_loose_file_may_use_a_package_beside_it(tmp_path):
    for number, root in enumerate((tmp_path / "one", tmp_path / "two")):
        package(root, number)
        (root / "bot.py").write_text("from pk.sub.hlp import N\n" + ANSWERS)
        assert bid_of(root / "bot.py") == number


IN_A_PROCESS = """
import sys
import numpy as np
from bridzik_sim import games, jit, lineup, strategy
game = games.get("bridzik")
loaded = strategy.load(lineup.parse(sys.argv[1])[0], game)
view = np.zeros(1, game.view).view(np.recarray)[0]
before = jit.compiled
print(loaded.compiled(game)["bid"](view), jit.compiled - before)
"""


def in_a_process(path, **environment):
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, str(path)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return tuple(map(int, done.stdout.split()))


def test_plain_numba_helpers_are_kept_with_the_strategy(write):
    decorated = "import numba\n@numba.njit(cache=True)\n"
    text = "import helperx\n" + decorated + "def mine(view):\n    return helperx.want(view)\n"
    path = write(text + "def bid(view):\n    return mine(view)\ndef play(view):\n    return 0\n")
    for number in (1, 2):
        write(decorated + f"def want(view):\n    return {number}\n", "helperx.py")
        assert in_a_process(path)[0] == number
    assert in_a_process(path) == (2, 0)


@pytest.mark.parametrize("decorator", ["jit", "numba.njit(cache=True)"])
def test_constants_from_outside_are_never_served_from_the_cache(write, decorator):
    top = "import os\nimport numba\nimport numpy as np\nfrom bridzik_sim.jit import jit\n"
    write(
        f"{top}A = int(os.environ['A'])\nB = np.full(3, A)\n@{decorator}\ndef pick(view):\n    return A + B[1]\n",
        "helperc.py",
    )
    path = write(
        "import helperc\ndef bid(view):\n    return helperc.pick(view)\ndef play(view):\n    return 0\n"
    )
    assert in_a_process(path, A="1")[0] == 2
    assert in_a_process(path, A="2")[0] == 4
    assert in_a_process(path, A="1") == (2, 0)
