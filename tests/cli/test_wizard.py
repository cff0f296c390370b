"""Every command plays Wizard too, at tables of every size, and says what does not go."""

import csv
import io
import json
import random

import pytest

from bridzik_sim import api, check, experiment, games, sources, speed
from bridzik_sim.play import Player
from bridzik_sim.replay import Watcher

WIZARD = ("--game", "wizard")
# Lowest legal answers, and a mistake that shows only where it is told to; plain Python needs no compiling.
SLIPS = '''"""Answers with the lowest legal code, but for its slip."""
import sys
PYTHON = True
PARAMS = {"slip": 0}


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def others_hand():
    frame = sys._getframe()
    while "table" not in frame.f_locals:
        frame = frame.f_back
    table = frame.f_locals["table"]
    return sum(table.hands[(table.dealer + 1) % len(table.hands)])


def bid(view):
    five = [0] * 5
    if view.params[0] == 1:
        five[view.seat] += 1
    if view.params[0] == 2 and view.has_bid.any() and (view.bids * view.has_bid).min() < 0:
        return 61
    return lowest(view)


def play(view):
    return lowest(view)


def trump(view):
    if view.params[0] == 3:
        return 4
    return others_hand() % 4 if view.params[0] == 4 else lowest(view)
'''


@pytest.fixture(scope="module")
def slips(tmp_path_factory):
    """Path of a strategy with a mistake: 0 none, 1 at six seats, 2 when bids are hidden, 3 and 4 in trump."""
    path = tmp_path_factory.mktemp("strategies") / "slips.py"
    path.write_text(SLIPS, encoding="utf-8")
    return path


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_simulate_at_every_table(bridzik, plain, seats):
    result = bridzik(
        "simulate", *WIZARD, "--seats", f"a=random,random*{seats - 1}", "--games", 20, "--seed", 1
    )
    assert (result.code, result.err) == (0, "")
    rounds = 20 * (60 // seats)
    assert f"20 games (20 units seated as given), {rounds:,} rounds, seed 1" in result.out


def test_a_folder_is_reported_replayed_and_made_longer(bridzik, plain, tmp_path, tables):
    out, whole = tmp_path / "run", tmp_path / "whole"
    asked = (
        "simulate",
        *WIZARD,
        "--seats",
        "random*5",
        "--seed",
        3,
        "--option",
        "wizard_trump=dealer",
        "--quiet",
    )
    assert bridzik(*asked, "--games", 6, "--out", out).code == 0
    assert bridzik("report", out, "--quiet").code == 0
    record = json.loads(bridzik("replay", out, "--unit", 5, "--as", "json").out)
    assert (record["game"], len(record["seats"]), len(record["deals"])) == ("wizard", 5, 12)
    assert record["options"]["wizard_trump"] == "dealer"
    assert bridzik("resume", out, "--games", 9, "--quiet").code == 0
    assert bridzik(*asked, "--games", 9, "--out", whole, "--jobs", 1).code == 0
    assert tables(out) == tables(whole)


@pytest.mark.parametrize(
    ("players", "games_played", "seatings"),
    [([], 20, 2), (["--players", 3], 24, 6), (["--players", 6], 20, 2)],
)
def test_compare_at_tables_of_several_sizes(bridzik, plain, players, games_played, seatings):
    result = bridzik("compare", "random", "x=random", *WIZARD, "--games", 20, "--seed", 1, *players)
    assert (result.code, result.err) == (0, "")
    units = games_played // seatings
    assert f"{games_played} games ({units} units in {seatings} seatings)" in result.out


def test_compare_against_a_field_in_every_seat(bridzik, plain):
    asked = ("compare", "random", "x=random", *WIZARD, "--field", "random", "--games", 6, "--seed", 1)
    found = json.loads(bridzik(*asked, "--players", 3, "--format", "json").out)
    assert [row["seat_games"] for row in found["standings"]] == [3, 3, 12]


@pytest.mark.parametrize(("tables_are", "seatings"), [("pairs", 18), ("all", 3), ("one", 21)])
def test_tournaments_of_three(bridzik, plain, tmp_path, tables_are, seatings):
    out = tmp_path / "run"
    asked = ("tournament", "random", "x=random", "y=random", *WIZARD, "--players", 3, "--tables", tables_are)
    result = bridzik(*asked, "--games", 1, "--seed", 1, "--out", out, "--quiet")
    assert (result.code, result.err) == (0, "")
    assert f"{seatings} games (1 units in {seatings} seatings)" in result.out
    last = ("--unit", 0, "--seating", seatings - 1, "--as", "json")
    record = json.loads(bridzik("replay", out, *last).out)
    assert len(record["seats"]) == 3
    typed = api.load_run(out).experiment.as_arguments(seatings - 1).split()
    given = json.loads(bridzik("replay", *typed, "--unit", 0, "--as", "json").out)
    assert given["deals"] == record["deals"]


def test_an_experiment_file_says_how_many_sit_at_a_table(bridzik, plain, tmp_path):
    file = tmp_path / "five.toml"
    file.write_text(
        'game = "wizard"\ncommand = "compare"\nentrants = ["random", "x=random"]\nplayers = 5\n'
        "games = 10\nseed = 1\n[options]\nhand_sizes = [1, 12]\nhidden_bids = true\n",
        encoding="utf-8",
    )
    typed = ("compare", "random", "x=random", *WIZARD, "--players", 5, "--games", 10, "--seed", 1)
    options = ("--option", "hand_sizes=1,12", "--option", "hidden_bids=on")
    for form in ("table", "json"):
        from_file = bridzik("run", file, "--format", form)
        assert (from_file.code, from_file.err) == (0, "")
        assert from_file.out == bridzik(*typed, *options, "--format", form).out


def test_tuning_at_a_table_of_three(bridzik, slips):
    asked = (
        "tune",
        slips,
        *WIZARD,
        "--params",
        "slip=-1:0",
        "--games",
        3,
        "--generations",
        1,
        "--population",
        4,
    )
    more = ("--confirm-games", 6, "--seed", 1, "--option", "hand_sizes=1", "--quiet", "--format", "json")
    found = json.loads(bridzik(*asked, *more, "--players", 3).out)
    assert found["games"] == 12
    refused = bridzik(*asked, *more, "--players", 7)
    assert (refused.code, refused.out) == (2, "")


@pytest.fixture
def no_child(monkeypatch):
    """No fresh process, which takes seconds."""
    monkeypatch.setattr(
        check._Subject, "_fresh_process", lambda self: check.Ended(0, 0, "", {"outside": {}, "grown": 0})
    )


def test_check_plays_at_the_tables_that_matter():
    made = check.tables("x=random", "wizard")
    sizes = [one.seatings.shape[1] for one in made]
    assert set(sizes) == {3, 4, 6}
    assert sizes[0] == games.get("wizard").usual_seats
    assert [one.options["wizard_trump"] for one in made] == ["none"] * (len(made) - 1) + ["dealer"]
    assert [len(one.seatings) for one in check.tables("simple", "bridzik")] == [1, 4]


def test_check_of_a_good_one(bridzik, no_child, slips):
    result = bridzik("check", slips, *WIZARD, "--games", 2, "--quiet")
    assert result.code == 0, result.out
    assert "only legal answers in 4 games against itself and 13 games against random players" in result.out
    assert "(tables of 3, 4, 6, wizard_trump=dealer, hidden_bids=on, sum_rule=off)" in result.out
    assert "none of 24 decisions" in result.out


@pytest.mark.parametrize(
    ("slip", "failed", "said"),
    [
        (1, "legal", "list index out of range"),
        (2, "legal", "decision bid; bridzik replay --game wizard"),
        (3, "legal", "answered 4 (legal: 0, 1, 2, 3)"),
        (4, "honest", "decision trump"),
    ],
)
def test_check_finds_what_shows_only_at_some_table(bridzik, slips, slip, failed, said):
    found = getattr(check._Subject(f"x={slips}:slip={slip}", "wizard", 6), failed)()
    assert found.ok is False
    assert said in found.detail
    if failed == "legal":
        detail, command = found.detail.split("; bridzik ")
        replayed = bridzik(*command.replace("'", "").split())
        assert (replayed.code, replayed.err) == (3, f"Error: {detail}\n")


@pytest.mark.parametrize("seats", [3, 5])
def test_a_redeal_keeps_all_that_the_seat_knows(seats):
    player = Player(experiment.make(f"random*{seats}", 1, 2, game="wizard"))
    watcher, chance, changed = Watcher(-1), random.Random(3), 0
    dealt = {deal.deal: deal for deal in player.record(0, 0, watcher).deals}
    for moment in watcher.moments[::5]:
        deal, view = dealt[moment.deal], moment.view
        other = next(player.game.redealing.redeals(deal, [moment], chance), None)
        if other is None:
            continue
        cards = [card for hand in other for card in hand]
        changed += other != deal.hands
        assert len(set(cards)) == len(cards) == seats * view.size
        assert set(cards) <= set(range(60)) - {deal.trump_card}
        assert other[moment.seat] == deal.hands[moment.seat]
        for at, hand in enumerate(other):
            played = {card for card in deal.hands[at] if view.played >> card & 1}
            assert played <= set(hand)
            unseen = [] if at == moment.seat else set(hand) - played
            assert not [card for card in unseen if card < 52 and view.seen_void[at] >> card // 13 & 1]
    assert changed > 60


def test_a_new_strategy_plays_well_at_every_table(bridzik, tmp_path):
    path = tmp_path / "merlin.py"
    result = bridzik("new", path, *WIZARD)
    assert result.err == f"wrote {path}; next: bridzik check {path} --game wizard\n"
    for seats in (3, 4, 5, 6):
        run = api.simulate(f"mine={path},random*{seats - 1}", 60, 1, game="wizard", seating="rotate", jobs=1)
        points = run.summary.set_index("strategy")["points"]
        assert points["mine"] > 50
        assert points["random"] < 0
    alone = api.simulate(f"mine={path}*6", 60, 1, game="wizard", options={"wizard_trump": "dealer"}, jobs=1)
    assert alone.summary["points"].iloc[0] > 0


def test_bench_fills_tables_and_counts_their_decisions(bridzik):
    asked = ("bench", *WIZARD, "--seconds", 0.01, "--quiet", "--format", "json")
    lineups = ("random", "random,x=random", "random*3", "random*6")
    rows = json.loads(bridzik(*asked, *[part for text in lineups for part in ("--seats", text)]).out)
    assert [row["seats"] for row in rows] == ["random*4", "random,x,random,x", "random*3", "random*6"]
    for row, decisions in zip(rows, (540, 540, 690, 390), strict=True):
        assert row["decisions_per_second"] == pytest.approx(decisions * row["games_per_second"], rel=0.01)
    assert bridzik(*asked, "--seats", "random*7").code == 2


def test_bench_measures_a_mixed_table_of_the_usual_size(bridzik, monkeypatch):
    path = sources.named("wizard")["random"]
    named = dict.fromkeys("abcdef", path)
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: named)
    rows = json.loads(bridzik("bench", *WIZARD, "--seconds", 0.01, "--quiet", "--format", "json").out)
    assert [row["seats"] for row in rows] == [*(f"{name}*4" for name in "abcdef"), "a,b,c,d"]


@pytest.mark.parametrize(("seats", "decisions"), [(3, 690), (5, 450)])
def test_decisions_are_counted_for_the_table(seats, decisions):
    made = experiment.make(f"random*{seats}", 1, 1, game="wizard")
    assert speed.decisions_a_game(Player(made)) == decisions
    short = experiment.make(f"random*{seats}", 1, 1, game="wizard", options={"hand_sizes": "1,3"})
    assert speed.decisions_a_game(Player(short)) == seats * (2 + 4)


def test_doctor_and_warmup_of_the_named_game(bridzik, monkeypatch):
    alone = {"random": sources.named("wizard")["random"]}
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: alone)
    told = bridzik("doctor", *WIZARD)
    assert told.code == 0
    assert "the compiled kernel of wizard and its reference engine agree" in told.out
    warm = json.loads(bridzik("warmup", *WIZARD, "--quiet", "--format", "json").out)
    steps = ["kernel of wizard", "strategy random", "one game by each engine"]
    assert [step["what"] for step in warm["steps"]] == steps


def test_games_tells_tables_decisions_and_options(bridzik):
    text = bridzik("games", "wizard").out
    assert "\nseats      3-6, usually 4\n" in text
    decisions = "690 with 3, 540 with 4, 450 with 5, 390 with 6 players in a full game, by the default rules"
    assert f"\ndecisions  bid(view), play(view), trump(view): {decisions}\n" in text
    assert " B13 W W W W J J J J\n" in text
    for option in (
        "hand_sizes=all",
        "first_dealer=random",
        "wizard_trump=none",
        "sum_rule=on",
        "hidden_bids=off",
    ):
        assert f"\n  {option}\n" in text
    described = json.loads(bridzik("games", "wizard", "--format", "json").out)
    assert (described["seats"], described["usual_seats"]) == ([3, 4, 5, 6], 4)
    assert described["decisions_a_game"] == {"3": 690, "4": 540, "5": 450, "6": 390}
    assert bridzik("games", "wizard", "--rules").out.startswith("# Wizard\n")


def test_strategies_of_the_game_are_listed(bridzik):
    rows = list(csv.DictReader(io.StringIO(bridzik("strategies", *WIZARD, "--format", "csv").out)))
    assert "random" in [row["name"] for row in rows]
    assert "trump" in bridzik("strategies", "random", *WIZARD).out


SIMULATE = ("simulate", *WIZARD, "--games", 1, "--seed", 1, "--seats")
COMPARE = ("compare", "random", "x=random", "--games", 1, "--seed", 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*SIMULATE, "random*2"), "the line-up fills 2"),
        ((*SIMULATE, "random*7"), "the line-up fills 7"),
        ((*SIMULATE, "random*4", "--option", "hand_sizes=16"), "4 players get at most 15 cards each, not 16"),
        ((*SIMULATE, "random*4", "--option", "hand_sizes=21"), "give different hand sizes from 1 to 20"),
        ((*SIMULATE, "random*4", "--option", "first_dealer=5"), "there is no seat 5 among 4 players"),
        ((*SIMULATE, "random*4", "--option", "first_dealer=6"), "give random or a seat"),
        ((*SIMULATE, "random*4", "--option", "wizard_trump=on"), "give none or dealer"),
        ((*SIMULATE, "random*4", "--option", "sumrule=off"), "did you mean sum_rule?"),
        ((*SIMULATE, "randm*4"), "did you mean random?"),
        ((*SIMULATE, "random*4", "--game", "wizzard"), "did you mean wizard?"),
        ((*SIMULATE, "random*4", "--players", 4), "No such option '--players'"),
        ((*COMPARE, *WIZARD, "--players", 7), "wizard"),
        ((*COMPARE, *WIZARD, "--players", 2), "wizard"),
        ((*COMPARE, *WIZARD, "--players", "x"), "'x' is not a valid integer"),
        ((*COMPARE, *WIZARD, "--players", 6, "--option", "hand_sizes=11"), "at most 10 cards each, not 11"),
        ((*COMPARE, "--players", 3), "bridzik is played by 4 players at a table, not 3"),
        (("games", "wizrd"), "did you mean wizard?"),
        (("replay", *WIZARD, "--seats", "random*3", "--seed", 1, "--unit", 0, "--view", 3), "the seats are 0 to 2"),
    ],
)  # fmt: skip
def test_what_does_not_go_gets_one_line(bridzik, arguments, said):
    result = bridzik(*arguments)
    assert result.code == 2
    assert said.lower() in result.err.lower()
    assert result.err.count("\n") == 1
    assert not result.out


def test_a_game_for_one_table_takes_its_own_number_of_players(bridzik, plain):
    assert bridzik(*COMPARE, "--players", 4).out == bridzik(*COMPARE).out


def test_a_strategy_without_a_trump_is_told_so(bridzik, tmp_path):
    path = tmp_path / "two.py"
    path.write_text("def bid(view):\n    return 0\n\n\ndef play(view):\n    return 0\n", encoding="utf-8")
    result = bridzik(*SIMULATE, f"{path}*3")
    assert result.code == 2
    assert "trump(view)" in result.err
