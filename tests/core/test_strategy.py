"""Loading strategies: every way of naming one, and one clear line for everything that can be wrong with a file."""

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
        import numpy as np

        view = np.zeros(1, GAME.view).view(np.recarray)[0]
        found.append(loaded.compiled(GAME)["bid"](view))
    assert found == [1, 2]


def test_an_edited_file_is_never_served_old_code(write):
    import numpy as np

    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    answers = []
    for number in (3, 4):
        text = f"def bid(view):\n    return {number}\ndef play(view):\n    return 0\n"
        answers.append(load(str(write(text))).compiled(GAME)["bid"](view))
    assert answers == [3, 4]


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
    "computed params": ("PARAMS = dict(a=1)\n", r"bot\.py, line 1: PARAMS must be written out"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_gets_one_line_with_its_place(write, text, message):
    with pytest.raises(StrategyError, match=message) as caught:
        load(str(write(text))).compiled(GAME)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_integer_of_another_width_is_widened(write):
    import numpy as np

    text = "import numpy as np\ndef bid(view):\n    return np.uint8(3)\ndef play(view):\n    return np.int32(4)\n"
    compiled = load(str(write(text))).compiled(GAME)
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    assert (compiled["bid"](view), compiled["play"](view)) == (3, 4)


def test_a_python_strategy_is_not_compiled(write):
    text = "PYTHON = True\nimport json\ndef bid(view):\n    return json.loads('0')\ndef play(view):\n    return 0\n"
    loaded = load(str(write(text)))
    assert loaded.python
    assert loaded.callables(GAME)["bid"](None) == 0
