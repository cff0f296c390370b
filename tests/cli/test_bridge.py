"""Every command plays bridge and honeymoon bridge, too, in line-ups of sides or seats, and says what does not go."""

import csv
import io
import json
import random

import pytest

from bridzik_sim import api, check, experiment, honesty, sources
from bridzik_sim.play import Player
from bridzik_sim.replay import Watcher

GAMES = ("bridge", "honeymoon")
SEATS = {"bridge": 4, "honeymoon": 2}
NAMES = {"bridge": "NESW", "honeymoon": "NS"}
SHORT = {"bridge": {"max_deals": 3}, "honeymoon": {"deals": 3}}
DUPLICATE = ("--game", "bridge", "--option", "scoring=duplicate")
# Any legal answer but seldom a bid, by what lies hidden; plain Python needs no compiling.
PEEKS = '''"""Answers with a legal code."""
import sys
PYTHON = True
PARAMS = {"peek": 0}


def hidden(view):
    frame = sys._getframe()
    while "table" not in frame.f_locals:
        frame = frame.f_back
    table, own = frame.f_locals["table"], int(view.seat)
    seats = len(table.hands)
    if view.params[0] == 1:
        return sum(table.hands[(own + seats // 2) % seats])
    return sum(table.stock) if seats == 2 else sum(table.hands[(own + 1) % 4] | table.hands[(own + 3) % 4])


def call(view):
    number = hidden(view) if view.params[0] else int(view.n_calls)
    return view.contract + 1 if view.contract < 3 and number % 2 else 0


def play(view):
    legal = [code for code in range(52) if int(view.legal) >> code & 1]
    view.memory[0] += 1
    return legal[(hidden(view) if view.params[0] else int(view.played)) % len(legal)]
'''


def rules(game):
    """Rule options of a short game, as typed."""
    return tuple(part for name, value in SHORT[game].items() for part in ("--option", f"{name}={value}"))


@pytest.fixture(scope="module")
def peeks(tmp_path_factory):
    """Path of a strategy that looks at nothing (0), at the partner's or only other hand (1), elsewhere (2)."""
    path = tmp_path_factory.mktemp("strategies") / "peeks.py"
    path.write_text(PEEKS, encoding="utf-8")
    return path


@pytest.mark.parametrize("game", GAMES)
def test_a_folder_is_reported_replayed_and_made_longer(bridzik, plain, tmp_path, tables, game):
    out, whole = tmp_path / "run", tmp_path / "whole"
    asked = (
        "simulate",
        "--game",
        game,
        "--seats",
        "a=random,b=random",
        "--seed",
        3,
        *rules(game),
        "--jobs",
        1,
    )
    result = bridzik(*asked, "--games", 6, "--out", out, "--quiet")
    assert (result.code, result.err) == (0, "")
    assert "6 games (6 units seated as given)" in result.out
    assert bridzik("report", out, "--quiet").code == 0
    record = json.loads(bridzik("replay", out, "--unit", 5, "--as", "json").out)
    assert record["seats"] == ["a", "b"] * (SEATS[game] // 2)
    assert (record["game"], len(record["totals"])) == (game, 2)
    assert "\nrozdanie 1: rozdáva N, " in bridzik("replay", out, "--unit", 5, "--lang", "sk").out
    last = NAMES[game][-1]
    assert f"\n  {last} calls\n" in bridzik("replay", out, "--unit", 5, "--view", last).out
    assert bridzik("resume", out, "--games", 9, "--quiet", "--jobs", 1).code == 0
    assert bridzik(*asked, "--games", 9, "--out", whole, "--quiet").code == 0
    assert tables(out) == tables(whole)


def test_two_names_sit_for_the_sides(bridzik, plain):
    asked = ("simulate", *DUPLICATE, "--games", 30, "--seed", 1, "--jobs", 1, "--format", "json", "--seats")
    two, four = (
        json.loads(bridzik(*asked, line).out)
        for line in ("a=random,b=random", "a=random,b=random,a=random,b=random")
    )
    assert [row["strategy"] for row in two["standings"]] == ["a", "b"]
    assert two["standings"] == four["standings"]
    # Net points: what one side wins the other one loses.
    points = [row["points"] for row in two["standings"]]
    assert points[0] == pytest.approx(-points[1])
    assert points[0] != 0
    apart = json.loads(bridzik(*asked, "a=random,b=random,c=random,d=random").out)
    by_name = {row["strategy"]: row["points"] for row in apart["standings"]}
    assert by_name["a"] == by_name["c"] == pytest.approx(points[0])


@pytest.mark.parametrize(
    ("game", "options", "unit"),
    [
        ("bridge", rules("bridge"), "net points a rubber"),
        ("bridge", DUPLICATE[2:], "IMPs a board"),
        ("honeymoon", rules("honeymoon"), "net points a deal"),
    ],
)
def test_compare_swaps_the_sides_and_tells_its_measure(bridzik, plain, game, options, unit):
    asked = (
        "compare",
        "random",
        "x=random",
        "--game",
        game,
        *options,
        "--games",
        12,
        "--seed",
        1,
        "--jobs",
        1,
    )
    result = bridzik(*asked)
    assert (result.code, result.err) == (0, "")
    assert "12 games (6 units in 2 seatings)" in result.out
    assert f" {unit}: random against x" in result.out
    told = json.loads(bridzik(*asked, "--format", "json").out)
    assert told["experiment"]["measure"] == unit


def test_a_strategy_ties_with_itself_in_imps(bridzik, plain, peeks):
    asked = ("compare", f"a={peeks}", f"b={peeks}", *DUPLICATE, "--games", 8, "--seed", 1, "--jobs", 1)
    told = json.loads(bridzik(*asked, "--format", "json").out)
    assert (told["difference"], told["low"], told["high"]) == (0, 0, 0)


def test_a_tournament_of_three(bridzik, plain, tmp_path):
    out = tmp_path / "run"
    asked = ("tournament", "random", "x=random", "y=random", *DUPLICATE, "--games", 1, "--seed", 1)
    result = bridzik(*asked, "--out", out, "--quiet", "--jobs", 1)
    assert (result.code, result.err) == (0, "")
    assert "6 games (1 units in 6 seatings)" in result.out
    record = json.loads(bridzik("replay", out, "--unit", 0, "--seating", 5, "--as", "json").out)
    typed = api.load_run(out).experiment.as_arguments(5).split()
    given = json.loads(bridzik("replay", *typed, "--unit", 0, "--as", "json").out)
    assert given["deals"] == record["deals"]


def test_an_experiment_file_plays_the_same(bridzik, plain, tmp_path):
    file = tmp_path / "boards.toml"
    file.write_text(
        'game = "bridge"\ncommand = "compare"\nentrants = ["random", "x=random"]\ngames = 12\nseed = 1\n'
        '[options]\nscoring = "duplicate"\ndeclarer = "last_bid"\n',
        encoding="utf-8",
    )
    from_file = bridzik("run", file, "--jobs", 1)
    typed = ("compare", "random", "x=random", *DUPLICATE, "--option", "declarer=last_bid")
    assert (from_file.code, from_file.err) == (0, "")
    assert from_file.out == bridzik(*typed, "--games", 12, "--seed", 1, "--jobs", 1).out


@pytest.mark.parametrize("game", GAMES)
def test_check_of_a_good_one(bridzik, monkeypatch, game):
    monkeypatch.setattr(
        check._Subject, "_fresh_process", lambda self: check.Ended(0, 0, "", {"outside": {}, "grown": 0})
    )
    monkeypatch.setattr(check, "HONEST_TRIES", 6)
    monkeypatch.setattr(check, "REFERENCE_UNITS", 1)
    result = bridzik("check", "random", "--game", game, "--games", 2, "--quiet")
    assert result.code == 0, result.out
    assert "other cards where it cannot see changed none of " in result.out
    if game == "bridge":
        assert "games against itself (scoring=duplicate, declarer=last_bid)" in result.out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("peek", [1, 2])
def test_a_look_at_hidden_cards_is_found(peeks, peek, game):
    line = f"{peeks}:peek={peek}*{SEATS[game]}"
    player = Player(experiment.make(line, 1, 1, game=game, options=SHORT[game]))
    assert "with other unseen cards it answers" in honesty.examine(player, 1, 8, 60.0).problem


@pytest.mark.parametrize("game", GAMES)
def test_who_sees_only_its_view_is_never_accused(peeks, game):
    player = Player(experiment.make(f"{peeks}*{SEATS[game]}", 1, 2, game=game, options=SHORT[game]))
    found = honesty.examine(player, 1, 16, 60.0)
    assert found.problem == ""
    assert found.asked >= 12


@pytest.fixture(scope="module")
def watched(peeks):
    """A game of each kind: player, deals by number, moments with their views."""
    made = {}
    for game in GAMES:
        player, watcher = (
            Player(experiment.make(f"{peeks}*{SEATS[game]}", 1, 2, game=game, options=SHORT[game])),
            Watcher(-1),
        )
        record = player.record(0, 0, watcher)
        made[game] = player, {deal.deal: deal for deal in record.deals}, watcher.moments
    return made


def redealt(watched, game):
    """Every moment of a game, with each redeal: its deal, the permutation."""
    (player, deals, moments), chance = watched[game], random.Random(3)
    for moment in moments:
        deal = deals[moment.deal]
        for mapping in player.game.redealing.redeals(deal, [moment], chance):
            assert sorted(mapping) == list(range(52))
            yield moment, deal, mapping


def mask(cards):
    return sum(1 << card for card in cards)


def test_a_redeal_at_bridge_keeps_all_that_the_seat_has_seen(watched):
    partners, dummies, count = 0, 0, 0
    for moment, deal, mapping in redealt(watched, "bridge"):
        seat, view, count = moment.seat, moment.view, count + 1
        for at, hand in enumerate(deal.hands):
            old, new = mask(hand), mask(mapping[card] for card in hand)
            seen = int(view.played | (view.dummy if at == view.dummy_seat else 0))
            assert old & seen == new & seen
            if at == seat or (at == view.dummy_seat and view.dummy):
                assert old == new
                dummies += at != seat
            elif at == (seat + 2) % 4:
                partners += old != new
            for suit in range(4):
                if int(view.seen_void[at]) >> suit & 1:
                    assert new & ~seen & 0x1FFF << 13 * suit == 0
    assert count > 0.9 * len(watched["bridge"][2])
    assert partners > 30
    assert dummies > 30


def test_a_redeal_at_honeymoon_moves_cards_of_the_other_hand_and_the_stock(watched):
    sizes = set()
    for moment, deal, mapping in redealt(watched, "honeymoon"):
        drawn = [trick.drawn[moment.seat] for trick in deal.draw_phase]
        gone = int(moment.view.played)
        moved = {card for card in range(52) if mapping[card] != card}
        held = {*deal.hands[moment.seat], *drawn} & {
            card for card in range(52) if moment.view.hand >> card & 1
        }
        assert not moved & held
        assert not mask(moved) & gone
        sizes.add(len(moved))
    assert max(sizes) == 39
    assert min(sizes) == 2


@pytest.mark.parametrize(("game", "games"), [("bridge", 100), ("honeymoon", 50)])
def test_a_new_strategy_plays_well(bridzik, tmp_path, game, games):
    path = tmp_path / "jack.py"
    result = bridzik("new", path, "--game", game)
    assert result.err == f"wrote {path}; next: bridzik check {path} --game {game}\n"
    run = api.simulate(f"mine={path},random", games, 1, game=game, jobs=1)
    mine = run.summary.set_index("strategy").loc["mine"]
    assert mine["points_low"] > 0
    assert mine["wins"] > 0.7


@pytest.mark.parametrize("game", GAMES)
def test_bench_counts_decisions(bridzik, game):
    asked = ("bench", "--game", game, "--seconds", 0.01, "--quiet", "--format", "json")
    (row,) = json.loads(bridzik(*asked, "--seats", "random").out)
    assert row["seats"] == f"random*{SEATS[game]}"
    # A deal of honeymoon has 26 cards and 2 calls before anyone plays a contract; rubbers differ.
    fewest = {"bridge": 2 * 56, "honeymoon": 16 * 28}[game]
    assert fewest < row["decisions_per_second"] / row["games_per_second"] < 100 * 60
    assert row["ns_per_decision"] * row["decisions_per_second"] == pytest.approx(1e9, rel=0.01)


@pytest.mark.parametrize("game", GAMES)
def test_doctor_and_warmup_of_the_named_game(bridzik, monkeypatch, game):
    alone = {"random": sources.named(game)["random"]}
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: alone)
    told = bridzik("doctor", "--game", game)
    assert told.code == 0
    assert f"the compiled kernel of {game} and its reference engine agree" in told.out
    warm = json.loads(bridzik("warmup", "--game", game, "--quiet", "--format", "json").out)
    assert [step["what"] for step in warm["steps"]] == [
        f"kernel of {game}", "strategy random", "one game by each engine"
    ]  # fmt: skip


def test_games_tells_sides_options_and_rules(bridzik):
    text = bridzik("games", "bridge").out
    assert "\nseats      4 on 2 sides; a line-up has a name for each seat, or for each side\n" in text
    assert "\nmeasure    net points a rubber\n" in text
    for option in ("scoring=rubber", "declarer=laws", "honours=off", "max_deals=100", "first_dealer=0"):
        assert f"\n  {option}\n" in text
    described = json.loads(bridzik("games", "bridge", "--format", "json").out)
    assert (described["seats"], described["sides"], described["decisions_a_game"]) == ([4], 2, None)
    assert bridzik("games", "bridge", "--rules").out.startswith("# Contract bridge")
    text = bridzik("games", "honeymoon").out
    assert "\nseats      2\n" in text
    for option in ("deals=16", "vulnerability=cycle", "par=off"):
        assert f"\n  {option}\n" in text


@pytest.mark.parametrize("game", GAMES)
def test_strategies_of_the_game_are_listed(bridzik, game):
    rows = list(csv.DictReader(io.StringIO(bridzik("strategies", "--game", game, "--format", "csv").out)))
    assert "random" in {row["name"] for row in rows}
    assert "  call " in bridzik("strategies", "random", "--game", game).out


BRIDGE = ("simulate", "--game", "bridge", "--games", 1, "--seed", 1, "--seats")
HONEYMOON = ("simulate", "--game", "honeymoon", "--games", 1, "--seed", 1, "--seats")
COMPARE = ("compare", "random", "x=random", "--game", "bridge", "--games", 1, "--seed", 1)
FOUR_SEATS = "bridge has 4 seats (or 2 names for its sides), but the line-up fills"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*BRIDGE, "random"), f"{FOUR_SEATS} 1"),
        ((*BRIDGE, "random*3"), f"{FOUR_SEATS} 3"),
        ((*BRIDGE, "random*5"), f"{FOUR_SEATS} 5"),
        ((*HONEYMOON, "random"), "honeymoon has 2 seats, but the line-up fills 1"),
        ((*HONEYMOON, "random*4"), "honeymoon has 2 seats, but the line-up fills 4"),
        ((*BRIDGE, "random*4", "--option", "scoring=imps"), "option scoring=imps: give rubber or duplicate"),
        ((*BRIDGE, "random*4", "--option", "max_deals=0"), "from 1 to 1000"),
        ((*BRIDGE, "random*4", "--option", "first_dealer=4"), "from 0 to 3"),
        ((*BRIDGE, "random*4", "--option", "scoring=duplicate", "--option", "honours=on"), "belongs to the rubber"),
        ((*BRIDGE, "random*4", "--option", "dealer=1"), "no option of bridge called 'dealer'"),
        ((*HONEYMOON, "random*2", "--option", "vulnerability=N"), "give cycle, random, none or both"),
        ((*HONEYMOON, "random*2", "--option", "scoring=duplicate"), "no option of honeymoon called 'scoring'"),
        ((*BRIDGE, "natral,random"), "there is no bridge strategy 'natral'"),
        (("games", "brigde"), "did you mean bridge or bridzik?"),
        ((*COMPARE, "--players", 3), "not 3"),
    ],
)  # fmt: skip
def test_what_does_not_go_gets_one_line(bridzik, arguments, said):
    result = bridzik(*arguments)
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert not result.out


def test_a_strategy_without_a_call_is_told_so(bridzik, tmp_path):
    path = tmp_path / "one.py"
    path.write_text("def play(view):\n    return 0\n", encoding="utf-8")
    result = bridzik(*BRIDGE, f"{path}*4")
    assert result.code == 2
    assert "call(view)" in result.err
