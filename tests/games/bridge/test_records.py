"""Records of bridge: the plain engine replays them and finds every broken rule."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from records import about, changed

from bridzik_sim.games.bridge import reference as ref
from bridzik_sim.streams import below, choose

GOLDEN = Path(__file__).parents[2] / "golden"
# A shortened record: the first deal of a rubber.
EXAMPLE = json.loads((GOLDEN / "bridge_example.json").read_text(encoding="utf-8"))
# Rubbers and boards under all options.
GAMES = (GOLDEN / "bridge_random.json").read_text(encoding="utf-8").splitlines()
RUBBERS = [line for line in GAMES if "duplicate" not in line]
DEAL = ("deals", 0)


def bold(view):
    """Doubles and redoubles half of the time; else passes or makes one of the next bids."""
    answers = [code for code in range(38) if int(view.legal) >> code & 1]
    if answers[-1] > 35 and below(view, 2):
        return answers[-1]
    return answers[below(view, min(len(answers), 6))]


def timid(view):
    """Passes three times out of four."""
    return bold(view) if below(view, 4) == 0 else 0


def opening(view):
    """Bids two hearts at first, raises them to four once, then passes."""
    call = {0: 8, 8: 18}.get(int(view.contract), 0)
    return call if view.legal >> call & 1 and view.n_calls < 5 else 0


def high(view):
    return int(view.legal).bit_length() - 1


PLAYERS = {
    "bold": SimpleNamespace(call=bold, play=choose),
    "timid": SimpleNamespace(call=timid, play=choose),
    "strong": SimpleNamespace(call=opening, play=high),
    "silent": SimpleNamespace(call=lambda view: 0, play=choose),
}


def named(line):
    return " ".join(f"{key}={str(value)[:9]}" for key, value in json.loads(line)["options"].items())


def test_the_example_record_validates_and_is_written_the_same():
    game = ref.replay_record(EXAMPLE)
    again = game.as_dict(**about(EXAMPLE))
    assert again["deals"][0].pop("written") == [0, 0]
    assert json.dumps(again) == json.dumps(EXAMPLE)


@pytest.mark.parametrize("line", GAMES, ids=named)
def test_the_same_seed_gives_the_golden_game_for_ever(line):
    record = json.loads(line)
    given = {key: record[key] for key in ("seed", "unit", "seating")}
    options = dict(record["options"])
    if "boards" in options:  # a record has just the board of its unit
        options["boards"] = options["boards"] * (record["unit"] + 1)
    game = ref.play_game([PLAYERS[seat] for seat in record["seats"]], **given, **options)
    assert json.dumps(game.as_dict(**about(record))) == line
    again = ref.replay_record(record)
    assert again == game
    assert json.dumps(again.as_dict(**about(record))) == line


def test_the_golden_games_show_what_happens_in_games():
    games = [ref.replay_record(json.loads(line)) for line in GAMES]
    deals = [deal for game in games for deal in game.deals]
    assert {game.ending for game in games} >= {0, 2, 3}
    assert {deal.doubled for deal in deals} == {0, 1, 2}
    assert {deal.vulnerable for deal in deals} >= {0, 1}
    assert {deal.board for deal in deals} >= {0, 401}
    assert any(deal.contract == 0 for deal in deals)
    last_bidders = {
        (deal.dealer + len(deal.calls) - 4 - deal.declarer) % 4
        for deal in deals
        if deal.contract and not deal.doubled
    }
    assert 2 in last_bidders
    made = {deal.declarer_tricks >= 6 + (deal.contract + 4) // 5 for deal in deals if deal.contract}
    assert made == {True, False}


@pytest.mark.parametrize("line", RUBBERS, ids=named)
def test_the_last_deals_may_be_left_out(line):
    record = json.loads(line)
    for shown in range(1, len(record["deals"])):
        game = ref.replay_record({**record, "deals": record["deals"][:shown]})
        assert (game.totals, game.winners, len(game.deals)) == (record["totals"], record["winners"], shown)


def test_a_record_may_lack_what_is_written_below_the_line():
    record = json.loads(RUBBERS[0])
    for deal in record["deals"]:
        del deal["written"]
    assert ref.replay_record(record) == ref.replay_record(json.loads(RUBBERS[0]))


# The first tricks of the example: E takes the first one with DK and leads H3, which N takes with HQ.


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("game",), "honeymoon", "game: must be bridge"),
        (("rules_version",), 2, "rules_version: must be 1"),
        (("seats",), ["a", "b"], "players: bridge has 4, not 2"),
        (("options", "vulnerable"), "all", "options: must be of scoring, declarer, honours"),
        (("options", "scoring"), "chicago", "scoring: must be rubber or duplicate"),
        (("deals",), [], "deals: must be one at least"),
        ((*DEAL, "hands", 0), ["C7"], "deals[0].hands: must be 4 hands of 13 cards"),
        ((*DEAL, "hands", 0, 0), "CA", "deals[0].hands[0]: a card is dealt twice: CA"),
        ((*DEAL, "hands", 0, 0), "X7", "deals[0].hands[0]: there is no card 'X7'"),
        ((*DEAL, "vulnerable"), "NS", "deals[0].vulnerable: must be none"),
        ((*DEAL, "calls", 0), "1Z", "calls[0]: there is no call '1Z'"),
        ((*DEAL, "calls", 0), "X", "calls[0]: seat 3 may not call X: only the last bid of the other side"),
        (
            (*DEAL, "calls", 2),
            "XX",
            "calls[2]: seat 1 may not call XX: only the own side's bid that has been",
        ),
        ((*DEAL, "calls", 3), "1C", "calls[3]: seat 2 may not call 1C: a bid must be higher than 1D"),
        ((*DEAL, "calls", 4), "X", "calls[4]: seat 3 may not call X: only the last bid of the other side"),
        ((*DEAL, "calls"), ["P", "P", "P", "P", "P"], "calls[4]: the auction is over"),
        ((*DEAL, "calls"), ["1C", "P", "P", "P", "1D"], "calls[4]: the auction is over"),
        ((*DEAL, "calls"), ["1C", "P", "P"], "calls: the auction is not over"),
        ((*DEAL, "calls"), ["P", "P", "P"], "calls: the auction is not over"),
        ((*DEAL, "contract"), "7NT", "deals[0].contract: must be 7NTX"),
        ((*DEAL, "contract"), None, "deals[0].contract: must be 7NTX"),
        ((*DEAL, "declarer"), 1, "deals[0].declarer: seat 3 declares"),
        ((*DEAL, "tricks"), EXAMPLE["deals"][0]["tricks"][:-1], "deals[0].tricks: must be 13"),
        ((*DEAL, "tricks", 0, "leader"), 1, "tricks[0].leader: seat 0 leads"),
        ((*DEAL, "tricks", 1, "leader"), 0, "tricks[1].leader: seat 1 leads"),
        ((*DEAL, "tricks", 0, "cards", 1), "H3", "tricks[0].cards[1]: seat 1 must follow suit"),
        ((*DEAL, "tricks", 0, "cards", 0), "DK", "tricks[0].cards[0]: seat 0 does not hold DK"),
        ((*DEAL, "tricks", 1, "cards", 3), "DJ", "tricks[1].cards[3]: seat 0 must follow suit"),
        ((*DEAL, "tricks", 0, "cards", 0), "Z", "tricks[0].cards[0]: there is no card 'Z'"),
        ((*DEAL, "tricks", 0, "cards"), ["D5"], "tricks[0].cards: must be 4"),
        ((*DEAL, "tricks", 0, "winner"), 0, "tricks[0].winner: seat 1 wins"),
        ((*DEAL, "declarer_tricks"), 4, "deals[0].declarer_tricks: the declarer's side took 3"),
        ((*DEAL, "points"), [2300, 0], "deals[0].points: the points are [2600, 0]"),
        ((*DEAL, "below"), [100, 0], "deals[0].below: must be [0, 0]"),
        ((*DEAL, "above"), [0, 0], "deals[0].above: must be [2600, 0]"),
        ((*DEAL, "games"), [1, 0], "deals[0].games: must be [0, 0]"),
        ((*DEAL, "written"), [0, 40], "deals[0].written: must be [0, 0]"),
        (("totals",), [2590, 2000], "totals: the sides have made [2600, 0] in the deals shown"),
        (("totals",), [6120], "totals: must be one number a side"),
        (("winners",), [0], "winners: must be [0, 2]"),
        (("options",), {"max_deals": 1}, "totals: the points of the deals add up to [2600, 0]"),
        (DEAL, {}, "not a record of a game of bridge"),
        ((*DEAL, "tricks", 0), {}, "not a record of a game of bridge"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_record_is_refused_for_the_rule_it_breaks(path, value, reason):
    record = changed(EXAMPLE, path, value)
    with pytest.raises(ValueError, match=re.escape(reason)):
        ref.replay_record(record)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("contract", "1C", "contract: must be null, for all have passed"),
        ("declarer", 0, "declarer: nobody declares"),
        ("tricks", EXAMPLE["deals"][0]["tricks"], "tricks: must be 0"),
        ("declarer_tricks", 0, "declarer_tricks: must be null, for all have passed"),
    ],
)
def test_a_deal_that_was_passed_out_has_no_contract_and_no_tricks(key, value, reason):
    nothing = {"calls": ["P"] * 4, "contract": None, "declarer": None, "tricks": [], "declarer_tricks": None}
    zeros = {name: [0, 0] for name in ("points", "below", "above", "games")}
    record = changed(EXAMPLE, DEAL, EXAMPLE["deals"][0] | nothing | zeros)
    assert ref.replay_record(record).deals[0].contract == 0
    with pytest.raises(ValueError, match=re.escape(f"deals[0].{reason}")):
        ref.replay_record(changed(record, (*DEAL, key), value))


@pytest.mark.parametrize("line", RUBBERS, ids=named)
def test_the_end_of_a_whole_rubber_must_be_right_and_the_deal_moves_on(line):
    record = json.loads(line)
    last = len(record["deals"]) - 1
    for path, value, reason in (
        (("totals", 0), record["totals"][0] + 10, "totals: the points of the deals add up to"),
        (("winners",), [0, 1, 2], "winners: must be"),
        (("deals",), [*record["deals"], record["deals"][-1]], "the game is over"),
        (
            ("deals", last, "dealer"),
            (record["deals"][-1]["dealer"] + 1) % 4,
            rf"deals\[{last}\].dealer: seat \d deals",
        ),
        (("deals", last, "vulnerable"), "all", rf"deals\[{last}\].vulnerable: must be"),
    ):
        with pytest.raises(ValueError, match=reason):
            ref.replay_record(changed(record, path, value))


def test_in_duplicate_number_dealer_and_vulnerability_are_those_of_the_board():
    lines = [json.loads(line) for line in GAMES if "duplicate" in line]
    own = next(record for record in lines if "boards" not in record["options"])
    given = next(record for record in lines if "boards" in record["options"])
    assert "below" not in own["deals"][0]
    for record in (own, given):
        for key, value in (("board", 77), ("dealer", 9), ("vulnerable", "all")):
            with pytest.raises(ValueError, match=rf"deals\[0\].{key}: "):
                ref.replay_record(changed(record, (*DEAL, key), value))
        with pytest.raises(ValueError, match=r"deals\[1\]: the game is over"):
            ref.replay_record(changed(record, ("deals",), record["deals"] * 2))
    hands = given["deals"][0]["hands"]
    with pytest.raises(ValueError, match=r"deals\[0\].hands: are not those of the given board"):
        ref.replay_record(changed(given, (*DEAL, "hands"), [*hands[1:], hands[0]]))
    with pytest.raises(ValueError, match="honours: belongs to the rubber"):
        ref.replay_record(changed(own, ("options", "honours"), "on"))


def test_declarer_follows_the_option():
    record = next(
        record
        for record in map(json.loads, GAMES)
        if record["options"].get("declarer") != "last_bid" and "strong" in record["seats"]
    )
    with pytest.raises(ValueError, match=r"deals\[\d\].declarer: seat \d declares"):
        ref.replay_record(changed(record, ("options", "declarer"), "last_bid"))
