"""Whatever text is given to a parser, it is read or refused in one line."""

from pathlib import Path

import click
import pytest
from fuzzing import NAMES, ODD, SCALARS, TEXTS, VALUES, told, tried, words
from hypothesis import example, given
from hypothesis import strategies as st

from bridzik_sim import check, games, lineup, sources, strategy, tuning_space
from bridzik_sim.errors import UsageError
from bridzik_sim.games.bridge import pbn
from bridzik_sim.lineup import Spec
from cli.options import Count, KeyValue
from cli.replay import Units

LINE_UPS = words(
    *NAMES, "a", "b.py", "bots/b.py", "C:\\bots\\b.py", ":x=1", ":x=", "=", ":", ",", "*3", "*", " ", "mine="
)
OPTIONS = [(game, option) for game in games.names() for option in games.get(game).options]
LISTING = sources.Listing(Path("a.py"), "", {"x": 1.0, "y": -2.5}, False, (), {"x": (0.0, 4.0)})


@tried(120)
@given(LINE_UPS)
def test_line_ups(text):
    specs = told(lineup.parse, text)
    if specs is None:
        return
    for spec in specs:
        # A label that cannot be read back is left out; all else comes back as it was.
        again = lineup.parse(spec.written)
        assert [(one.source, one.params) for one in again] == [(spec.source, spec.params)]
        told(sources.locate, spec, "bridzik")
        told(strategy.parameters, spec, LISTING)


@tried(80)
@given(st.lists(st.tuples(st.sampled_from(["x", "y", "z"]), TEXTS | st.floats().map(repr)), max_size=3))
def test_parameters(params):
    found = told(strategy.parameters, Spec("a", "a", tuple(params)), LISTING)
    assert found is None or 0 <= found[0] <= 4


@tried(80)
@given(
    st.lists(words("x", "y", "z", "=", ":", "int", ":int", "0", "1", "1e308", "-1e308", "5e-324"), max_size=3)
)
def test_parameters_to_be_tuned(texts):
    for one in told(tuning_space.read, texts, LISTING, Spec("a", "a", ())) or ():
        assert one.low <= one.told(0.0) <= one.told(0.3) <= one.told(1.0) <= one.high


@pytest.mark.parametrize("kind", [Count(), Units(), KeyValue()], ids=lambda kind: kind.name)
def test_values_of_the_command_line(kind):
    @tried(80)
    @given(words("1", "000", ",000", "_000", ".5", "e", "6", "k", "M", "+", "-", ":", "=", "boards"))
    @example("1e99")
    def convert(text):
        told(kind.convert, text, None, None, also=(click.UsageError,))

    convert()
    for text in ODD:
        told(kind.convert, text, None, None, also=(click.UsageError,))


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=lambda value: getattr(value, "name", value))
def test_rule_options(game, option):
    rules = games.get(game)

    @tried(40)
    @given(VALUES | SCALARS | words("8", "7", ",", "all", "random", "on", "off", str(option.default)))
    def parse(value):
        found = told(rules.parse_options, {option.name: value})
        # One canonical form: what was read is read again as itself, also from the text of a command line.
        if found is not None:
            own = found[option.name]
            assert rules.parse_options({option.name: own}) == found
            text = ",".join(map(str, own)) if isinstance(own, list) else str(own)
            assert not text or rules.parse_options({option.name: text}) == found

    parse()


@pytest.mark.parametrize("game", games.names())
def test_names_of_options_and_cards(game):
    rules, deck = games.get(game), games.get(game).deck

    @tried(30)
    @given(TEXTS | words(*deck.suits, *deck.ranks, *deck.specials))
    def names(text):
        assert told(rules.parse_options, {text: 1}) is None
        card = told(deck.id, text, also=(ValueError,))
        assert card is None or deck.name(card) == text

    names()
    whole = (1 << len(deck)) - 1
    assert deck.mask(deck.names(whole)) == whole
    assert all(deck.name(deck.id(deck.name(card))) == deck.name(card) for card in range(len(deck)))


@tried(60)
@given(words("bridzik", "bridge", "fool", "wizard"))
def test_names_of_games(text):
    assert told(games.get, text) is None or text in games.names()


@tried(60)
@given(
    words(
        "8", "W", "none", " ", "AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"
    )
)
@example("1 N none AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
def test_boards(text):
    board = told(pbn.board_of, text, also=(ValueError,))
    assert board is None or pbn.board_of(str(board)) == board


@tried(60)
@given(LINE_UPS)
def test_what_check_is_asked(text):
    with pytest.raises(UsageError):
        check.tables(f"{text},random*2", "bridzik")
