"""Experiment files: every mistake is named in one line by file and key; thresholds."""

import math
from types import SimpleNamespace

import pytest

from bridzik_sim import api, thresholds
from bridzik_sim.errors import UsageError
from bridzik_sim.experiment_file import read, resolve

DUEL = 'command = "compare"\nentrants = ["heuristic", "simple"]\ngames = 20\nseed = 1\n'
LADDER = DUEL.replace("compare", "tournament") + 'tables = "one"\n'
FAIL = "[[fail_if]]\n"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Read and resolve a file called duel.toml in the current folder."""
    monkeypatch.chdir(tmp_path)

    def call(text, **overrides):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "duel.toml").write_bytes(data)
        return resolve(read("duel.toml"), overrides)

    return call


def test_what_is_left_out_is_filled_in(tmp_path, load):
    load(DUEL)
    file = read(tmp_path / "duel.toml")
    assert (file.command, file.game, file.seating, file.tables, file.rows) == (
        "compare",
        "bridzik",
        "alternating",
        "pairs",
        "none",
    )
    assert (file.games, file.seed, file.until_sure, file.alpha, file.margin) == (20, 1, False, 0.05, None)
    experiment = load(DUEL)
    assert experiment.labels == ["heuristic", "simple"]
    assert experiment.units == 10
    assert experiment.sure is None


def test_players_may_be_written_in_every_way(load):
    text = 'games = 4\nseed = 1\nseats = ["a.b*2", "x=simple", "bold*2"]\n'
    strategies = '[strategies."a.b*2"]\nspec = "random"\n[strategies.bold]\nspec = "heuristic:courage=0.5"\n'
    experiment = load(text + strategies)
    assert experiment.command == "simulate"
    assert [(spec.label, spec.text) for spec in experiment.players] == [
        ("a.b*2", "random"),
        ("x", "simple"),
        ("bold", "heuristic:courage=0.5"),
        ("bold", "heuristic:courage=0.5"),
    ]
    in_one = load('games = 4\nseed = 1\nseats = "random*3,x=simple"\n')
    assert [spec.label for spec in in_one.players] == ["random"] * 3 + ["x"]
    twins = load(DUEL.replace("heuristic", "simple") + 'field = "simple"\n')
    assert twins.labels == ["simple", "simple-2", "simple-field"]


def test_overrides_stand_for_keys(load):
    text = DUEL.replace("seed = 1\n", "").replace("games = 20\n", "")
    given = {"games": 30, "seed": 9, "rows": "csv", "on_error": "forfeit", "first_unit": 4}
    experiment = load(text + "[options]\nhand_sizes = [8]\n", **given, options={"hand_sizes": "2,3"})
    assert (experiment.units, experiment.seed, experiment.first_unit) == (15, 9, 4)
    assert (experiment.rows, experiment.on_error) == ("csv", "forfeit")
    assert experiment.options == {"hand_sizes": [2, 3]}


BOARD = "1 N none AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
BRIDGE = 'command = "compare"\ngame = "bridge"\nentrants = ["random", "x=random"]\nseed = 1\n'


@pytest.mark.parametrize("command", ["simulate", "compare", "tournament"])
def test_without_games_all_given_boards_are_played(load, command):
    text = BRIDGE.replace("compare", command)
    text = text.replace("entrants", "seats") if command == "simulate" else text
    options = f'[options]\nscoring = "duplicate"\nboards = ["{BOARD}", "{BOARD}", "{BOARD}"]\n'
    assert load(text + options).units == 3
    assert load(text + "first_unit = 1\n" + options).units == 2
    assert load(text + '[options]\nscoring = "duplicate"\n', options={"boards": [BOARD]}).units == 1
    assert load(text + options, games=1).units == 1
    for left in ("", "boards = []\n"):
        with pytest.raises(UsageError, match=r"^duel\.toml: games: missing$"):
            load(f'{text}[options]\nscoring = "duplicate"\n{left}')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            DUEL.replace("simple", "simpel"),
            "entrants[1]: there is no bridzik strategy 'simpel'; did you mean simple?",
        ),
        (DUEL + 'field = "simpel"\n', "field: there is no bridzik strategy 'simpel'; did you mean simple?"),
        (DUEL.replace("simple", "simple:x=1"), "entrants[1]: there is no parameter of simple called 'x'"),
        (DUEL.replace("simple", "bots/a.py"), "entrants[1]: there is no strategy file bots/a.py"),
        (DUEL.replace('"simple"', '"x=simple", "x=random"'), "entrants[2]: the label 'x' stands for both"),
        (DUEL.replace('"simple"', "3"), "entrants[1]: expected text, not 3"),
        (DUEL.replace('["heuristic", "simple"]', "[]"), "entrants: missing; say who plays"),
        (DUEL.replace("entrants", "seats"), "seats: compare has no such key; it takes entrants"),
        (DUEL + 'field = "simple*2"\n', "field: expected one strategy"),
        (DUEL.replace("compare", "simulate"), "entrants: simulate has no such key; it takes seats"),
        (
            DUEL.replace('command = "compare"', ""),
            "command: missing; write simulate or compare or tournament",
        ),
        (
            DUEL.replace("compare", "comprae"),
            "command: expected simulate or compare or tournament, not 'comprae'",
        ),
        (DUEL + "gmaes = 1\n", "gmaes: there is no key 'gmaes'; did you mean games"),
        (DUEL + '"a\\nb" = 1\n', "\"a\\nb\": there is no key 'a\\nb'; there are: alpha, "),
        (DUEL.replace("20", "-5"), "games: expected a whole number of at least 1, not -5"),
        (DUEL.replace("20", "1e6"), "games: expected a whole number, not 1000000.0"),
        (DUEL.replace("20", "true"), "games: expected a whole number, not true"),
        (DUEL.replace("20", "'x'"), "games: expected a whole number, not 'x'"),
        (DUEL.replace("games = 20", ""), "games: missing"),
        (DUEL.replace("20", "10000000000000"), "units must lie between 0 and 100000000000"),
        (DUEL.replace("seed = 1", ""), "seed: missing"),
        (
            DUEL.replace("seed = 1", "seed = 9223372036854775808"),
            "seed: expected a whole number of at most 9223372036854775807",
        ),
        (DUEL + "first_unit = -1\n", "first_unit: expected a whole number of at least 0, not -1"),
        (DUEL + "until_sure = 1\n", "until_sure: expected true or false, not 1"),
        (DUEL + "alpha = 0.1\n", "alpha: only with until_sure = true"),
        (DUEL + "until_sure = true\nalpha = 1\n", "alpha: expected a number below 1, not 1"),
        (DUEL + "until_sure = true\nmargin = 0\n", "margin: expected a number above 0, not 0"),
        (DUEL + "until_sure = true\nmargin = inf\n", "margin: expected a finite number, not inf"),
        (DUEL + "until_sure = true\nmargin = nan\n", "margin: "),
        (
            DUEL.replace('"simple"', '"random"') + 'game = "fool"\nuntil_sure = true\nmargin = 1\n',
            "the margin is of a share and must be below 1, not 1",
        ),
        (
            DUEL + FAIL + 'figure = "wins"\nof = "simple"\nbelow = 50\n',
            "fail_if[0].below: wins is a share from 0 to 1; 0.5 is half, not 50",
        ),
        (DUEL + 'tables = "all"\n', "tables: compare has no such key"),
        (DUEL + 'seating = "rotate"\n', "seating: expected alternating or all, not 'rotate'"),
        (DUEL + 'rows = "xml"\n', "rows: expected none or csv or parquet, not 'xml'"),
        (DUEL + 'game = "tarock"\n', "game: there is no game 'tarock'"),
        (DUEL + "schema = 1\n", "schema: this version of bridzik reads 3, not 1"),
        (
            DUEL + "[options]\nhand_size = [1]\n",
            "options.hand_size: there is no option of bridzik called 'hand_size'",
        ),
        (DUEL + "[options]\nhand_sizes = {a = 1}\n", "options.hand_sizes: give different hand sizes"),
        (DUEL + "options = 3\n", "options: expected a table, not 3"),
        (DUEL + '[strategies.foo]\nspec = "simple"\n', "strategies.foo: there is no player 'foo'"),
        (
            DUEL + '[strategies.simple]\nspce = "simple"\n',
            "strategies.simple.spce: there is no key 'spce'; did you mean spec?",
        ),
        (
            DUEL + '[strategies.simple]\nspec = "simpel"\n',
            "strategies.simple.spec: there is no bridzik strategy 'simpel'",
        ),
        (
            DUEL + '[strategies.simple]\nspec = "simple*2"\n',
            "strategies.simple.spec: a label stands for one strategy",
        ),
        (DUEL + '[strategies]\nsimple = "x"\n', "strategies.simple: expected a table, not 'x'"),
        (DUEL + "[strategies.simple]\n", "strategies.simple.spec: missing"),
        (
            DUEL + '[strategies.simple]\nspec = "simple"\nfingerprint = "0"\n',
            "strategies.simple.fingerprint: the strategy simple has changed since",
        ),
        (
            DUEL + FAIL + 'figure = "exact"\nof = "simple"\nbelow = "x"\n',
            "fail_if[0].below: expected a number, not 'x'",
        ),
        (
            DUEL + FAIL + 'figure = "exct"\nbelow = 1\n',
            "fail_if[0].figure: there is no figure 'exct'; did you mean exact",
        ),
        (
            DUEL + FAIL + 'figure = "rating"\nof = "simple"\nbelow = 1\n',
            "fail_if[0].figure: rating is a figure of tournament",
        ),
        (
            LADDER + FAIL + 'figure = "rating"\nof = "simple"\nbelow = 1\n',
            "fail_if[0].figure: there are no ratings where everyone sits in one seat",
        ),
        (
            LADDER + 'references = ["simpel"]\n',
            "references: there is no entrant 'simpel'; did you mean simple?",
        ),
        (LADDER + "references = 1\n", "references: expected text or a list, not 1"),
        (DUEL + 'references = ["simple"]\n', "references: compare has no such key"),
        (DUEL + FAIL + 'figure = "exact"\nbelow = 1\n', "fail_if[0].of: missing; say whose exact"),
        (
            DUEL + FAIL + 'figure = "exact"\nof = "simpel"\nbelow = 1\n',
            "fail_if[0].of: there is no entrant 'simpel'",
        ),
        (
            DUEL + FAIL + 'figure = "gain"\nof = "simple"\nbelow = 1\n',
            "fail_if[0].of: gain belongs to the whole comparison",
        ),
        (
            DUEL + FAIL + 'figure = "gain"\nbelow = 1\nabove = 2\n',
            "fail_if[0].below: exactly one of below and above",
        ),
        (DUEL + FAIL + 'figure = "gain"\n', "fail_if[0].below: exactly one of below and above"),
        (DUEL + FAIL + 'figure = "gain"\nbelow = nan\n', "fail_if[0].below: expected a number, not nan"),
        (DUEL + FAIL + "below = 1\n", "fail_if[0].figure: missing"),
        (
            DUEL + 2 * (FAIL + 'figure = "gain"\nbelow = 1\n') + "blow = 1\n",
            "fail_if[1].blow: there is no key 'blow'; did you mean below?",
        ),
        (DUEL + "[fail_if]\n", "fail_if: expected a list, not a table"),
        ("x = [[[", "not readable as TOML: "),
        ("x = 1\nx = 2", "not readable as TOML: "),
        ("x = " + "[" * 5000, "not readable as TOML: something in it is too long or too deep"),
        ("x = " + "9" * 5000, "not readable as TOML: something in it is too long or too deep"),
        (b"\xff", "not UTF-8 text (byte 0)"),
    ],
)
def test_every_mistake_is_named_in_one_line(load, text, said):
    with pytest.raises(UsageError) as error:
        load(text)
    assert str(error.value).startswith(f"duel.toml: {said}")
    assert "\n" not in str(error.value)


def results(*entries, **comparison):
    """What thresholds look at in results, with the given figures."""
    standings = [{"strategy": "a", "exact": 0.5512, "points": 6.0}, {"strategy": "b", "exact": 0.59999996}]
    return SimpleNamespace(
        experiment=SimpleNamespace(fail_if=entries), standings=standings, comparison=comparison
    )


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ({"figure": "exact", "of": "a", "below": 0.6}, "exact of a is 0.5512, below 0.6"),
        ({"figure": "exact", "of": "a", "above": 0.6}, None),
        ({"figure": "exact", "of": "b", "below": 0.6}, "exact of b is 0.59999996, below 0.6"),
        ({"figure": "exact", "of": "b", "above": 0.5}, "exact of b is 0.6, above 0.5"),
        ({"figure": "points", "of": "a", "below": 6}, None),
        ({"figure": "points", "of": "a", "above": 6}, None),
        ({"figure": "difference", "below": 0}, "difference is -2.5, below 0"),
        ({"figure": "difference", "above": -3}, "difference is -2.5, above -3"),
        ({"figure": "gain", "below": 1}, "gain is not known, so nobody can say that it is not below 1"),
        ({"figure": "gain", "above": 1}, "gain is not known, so nobody can say that it is not above 1"),
        ({"figure": "high", "below": 5}, None),
    ],
)
def test_thresholds_are_missed_on_their_own_side_only(entry, line):
    broken = thresholds.broken(results(entry, difference=-2.5, gain=math.nan, high=math.inf))
    assert broken == ([] if line is None else [line])


@pytest.fixture(scope="module")
def ladder():
    return api.tournament("simple,random", 8, 1, options={"hand_sizes": [1]})


def test_figures_are_those_of_the_tables(ladder):
    duel = api.compare("simple", "random", 8, 1, options={"hand_sizes": [1]})
    known = thresholds.standing_figures(duel.experiment)
    for figure in set(duel.summary.columns) - {"strategy"}:
        thresholds.check(thresholds.Threshold(figure, "simple", above=1), duel.experiment, known)
    further = set(ladder.leaderboard.columns) - set(duel.summary.columns)
    assert set(thresholds.RANKING) == further
    assert set(thresholds.DUEL) < set(duel.comparison)


def test_figures_of_the_leaderboard_are_found(ladder):
    experiment = SimpleNamespace(
        fail_if=[
            {"figure": "rank", "of": "random", "above": 1},
            {"figure": "rating", "of": "simple", "above": 1e9},
        ]
    )
    seen = SimpleNamespace(experiment=experiment, standings=ladder.standings, leaderboard=ladder.leaderboard)
    assert thresholds.broken(seen) == ["rank of random is 2, above 1"]
