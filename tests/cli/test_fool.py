"""Every command plays Czech Fool too, at tables of every size, and says what does not go."""

import csv
import io
import json
import random

import pytest

from bridzik_sim import api, check, experiment, honesty, sources, speed
from bridzik_sim.play import Player
from bridzik_sim.replay import Watcher

FOOL = ("--game", "fool")
# Lowest legal answers, or any by what lies hidden; plain Python needs no compiling.
PEEKS = '''"""Answers with a legal code."""
import sys
PYTHON = True
PARAMS = {"peek": 0}


def hidden(view):
    frame = sys._getframe()
    while "table" not in frame.f_locals:
        frame = frame.f_back
    table = frame.f_locals["table"]
    others = sum(sum(hand) for seat, hand in enumerate(table.hands) if seat != view.seat)
    return others if view.params[0] == 1 else sum(table.stock.cards)


def move(view):
    legal = [code for code in range(54) if int(view.legal) >> code & 1]
    view.memory[0] += 1
    return legal[hidden(view) % len(legal) if view.params[0] else 0]


def suit(view):
    return int(view.hand) % 4
'''


@pytest.fixture(scope="module")
def peeks(tmp_path_factory):
    """Path of a strategy that looks at nothing (0), at the other hands (1) or at the stock (2)."""
    path = tmp_path_factory.mktemp("strategies") / "peeks.py"
    path.write_text(PEEKS, encoding="utf-8")
    return path


def test_the_tables_agree_with_the_rows(tmp_path, tables):
    """Figures of the run formed anew from the rows, one a seat and round."""
    options = {"deck": 36, "draw": "forced", "max_turns": 200}
    line, how = "server,random,b=random", {"game": "fool", "options": options, "seating": "rotate"}
    api.simulate(line, 150, 11, rows="csv", out=tmp_path, **how)
    written = tables(tmp_path).items()
    found = {name: list(csv.DictReader(io.StringIO(text.decode()))) for name, text in written}
    rows = found["rows.csv"]
    totals, rounds = {}, {}
    for row in rows:
        game = (row["unit"], row["seating"])
        rounds[game] = max(rounds.get(game, 0), int(row["deal"]) + 1)
        totals.setdefault(row["strategy"], {})[game, row["seat"]] = int(row["total"])
    assert len(rounds) == 150
    assert sum(int(row["games"]) * int(row["rounds"]) for row in found["lengths.csv"]) == sum(rounds.values())
    played = {(row["unit"], row["seating"], row["deal"]): row for row in rows}.values()
    for row in found["rounds.csv"]:
        turns = [int(one["turns"]) for one in played if one["players"] == row["players"]]
        assert len(turns) == int(row["rounds"])
        assert float(row["turns"]) == pytest.approx(sum(turns) / len(turns))
    for row in found["summary.csv"]:
        own = totals[row["strategy"]].values()
        assert int(row["seat_games"]) == len(own)
        assert float(row["points"]) == pytest.approx(sum(own) / len(own))
        won = [
            int(one["won"]) for one in rows if one["strategy"] == row["strategy"] and int(one["players"]) > 1
        ]
        assert float(row["rounds_won"]) == pytest.approx(sum(won) / len(won))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_simulate_at_every_table(bridzik, plain, seats):
    asked = ("simulate", *FOOL, "--seats", f"a=random,random*{seats - 1}", "--games", 20, "--seed", 1)
    result = bridzik(*asked, "--jobs", 1)
    assert (result.code, result.err) == (0, "")
    assert "20 games (20 units seated as given)" in result.out
    found = json.loads(bridzik(*asked, "--jobs", 1, "--format", "json").out)
    assert sum(row["wins"] * row["seat_games"] for row in found["standings"]) == pytest.approx(20)
    assert [row["players"] for row in found["game"]["rounds"]] == list(range(2, seats + 1))


def test_a_folder_is_reported_replayed_and_made_longer(bridzik, plain, tmp_path, tables):
    out, whole = tmp_path / "run", tmp_path / "whole"
    asked = (
        "simulate",
        *FOOL,
        "--seats",
        "random*3",
        "--seed",
        3,
        "--option",
        "deck=36",
        "--quiet",
        "--jobs",
        1,
    )
    assert bridzik(*asked, "--games", 6, "--out", out).code == 0
    assert bridzik("report", out, "--quiet").code == 0
    record = json.loads(bridzik("replay", out, "--unit", 5, "--as", "json").out)
    assert (record["game"], len(record["seats"]), record["options"]["deck"]) == ("fool", 3, 36)
    assert "\nkolo 1: rozdáva hráč " in bridzik("replay", out, "--unit", 5, "--lang", "sk").out
    assert "\n  seat 2 moves\n" in bridzik("replay", out, "--unit", 5, "--view", 2).out
    assert bridzik("resume", out, "--games", 9, "--quiet", "--jobs", 1).code == 0
    assert bridzik(*asked, "--games", 9, "--out", whole).code == 0
    assert tables(out) == tables(whole)


@pytest.mark.parametrize(("players", "seatings"), [([], 2), (["--players", 3], 6), (["--players", 2], 2)])
def test_compare_at_tables_of_several_sizes(bridzik, plain, players, seatings):
    result = bridzik(
        "compare", "random", "x=random", *FOOL, "--games", 12, "--seed", 1, "--jobs", 1, *players
    )
    assert (result.code, result.err) == (0, "")
    assert f"12 games ({12 // seatings} units in {seatings} seatings)" in result.out


@pytest.mark.parametrize(("tables_are", "seatings"), [("pairs", 18), ("all", 3), ("one", 21)])
def test_tournaments_of_three(bridzik, plain, tmp_path, tables_are, seatings):
    out = tmp_path / "run"
    asked = ("tournament", "random", "x=random", "y=random", *FOOL, "--players", 3, "--tables", tables_are)
    result = bridzik(*asked, "--games", 1, "--seed", 1, "--out", out, "--quiet", "--jobs", 1)
    assert (result.code, result.err) == (0, "")
    assert f"{seatings} games (1 units in {seatings} seatings)" in result.out
    last = ("--unit", 0, "--seating", seatings - 1, "--as", "json")
    record = json.loads(bridzik("replay", out, *last).out)
    typed = api.load_run(out).experiment.as_arguments(seatings - 1).split()
    given = json.loads(bridzik("replay", *typed, "--unit", 0, "--as", "json").out)
    assert given["deals"] == record["deals"]


def test_an_experiment_file_plays_the_same(bridzik, plain, tmp_path):
    file = tmp_path / "three.toml"
    file.write_text(
        'game = "fool"\ncommand = "compare"\nentrants = ["random", "x=random"]\nplayers = 3\n'
        'games = 12\nseed = 1\n[options]\ndeck = 36\ndraw = "forced"\n',
        encoding="utf-8",
    )
    typed = ("compare", "random", "x=random", *FOOL, "--players", 3, "--games", 12, "--seed", 1, "--jobs", 1)
    options = ("--option", "deck=36", "--option", "draw=forced")
    from_file = bridzik("run", file, "--jobs", 1)
    assert (from_file.code, from_file.err) == (0, "")
    assert from_file.out == bridzik(*typed, *options).out


def test_tuning_at_a_table_of_two(bridzik, peeks):
    asked = (
        "tune",
        peeks,
        *FOOL,
        "--params",
        "peek=-1:0",
        "--games",
        2,
        "--generations",
        1,
        "--population",
        4,
    )
    more = (
        "--confirm-games",
        4,
        "--seed",
        1,
        "--option",
        "max_turns=5",
        "--quiet",
        "--format",
        "json",
        "--jobs",
        1,
    )
    result = bridzik(*asked, *more, "--players", 2)
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["games"] > 0


def test_check_of_a_good_one(bridzik, monkeypatch):
    monkeypatch.setattr(
        check._Subject, "_fresh_process", lambda self: check.Ended(0, 0, "", {"outside": {}, "grown": 0})
    )
    monkeypatch.setattr(check, "HONEST_TRIES", 6)
    result = bridzik("check", "server", *FOOL, "--games", 2, "--quiet")
    assert result.code == 0, result.out
    assert "(tables of 2, 4, deck=36, draw=forced)" in result.out
    assert "other cards where it cannot see changed none of " in result.out


@pytest.mark.parametrize("options", [{}, {"deck": 36, "draw": "forced"}])
@pytest.mark.parametrize("peek", [1, 2])
def test_a_look_at_hidden_cards_is_found(peeks, peek, options):
    player = Player(experiment.make(f"{peeks}:peek={peek}*3", 1, 1, game="fool", options=options))
    found = honesty.examine(player, 1, 4, 60.0)
    assert "with other unseen cards it answers" in found.problem


@pytest.mark.parametrize("options", [{}, {"deck": 36, "draw": "forced"}])
def test_who_sees_only_its_view_is_never_accused(options):
    player = Player(experiment.make("random*4", 1, 2, game="fool", options=options))
    found = honesty.examine(player, 1, 8, 60.0)
    assert found.problem == ""
    assert found.asked >= 4


def test_a_redeal_keeps_all_that_the_seat_has_seen():
    player, chance = (
        Player(experiment.make("random*3", 1, 2, game="fool", options={"deck": 36})),
        random.Random(3),
    )
    watcher = Watcher(-1)
    deals = player.record(0, 0, watcher).deals
    changes = set()
    for index, moment in enumerate(watcher.moments):
        before = [one for one in watcher.moments[: index + 1] if one.deal == moment.deal]
        deal = deals[moment.deal]
        seen = {*deal.hands[moment.seat], deal.open_card}
        # By the record: what the seat drew and what anyone played until now lies in its last view, or was played.
        seen |= {one.answer for one in before[:-1] if one.decision == "move" and one.answer < 52}
        seen |= {card for card in range(52) if int(moment.view.hand | moment.view.gone) >> card & 1}
        for mapping in player.game.redealing.redeals(deal, before, chance):
            assert sorted(mapping) == list(range(52))
            moved = {card for card, other in enumerate(mapping) if card != other}
            assert not moved & seen
            assert all(int(moment.view.deck) >> card & 1 for card in moved)
            changes.add(len(moved))
    assert min(changes) == 2
    assert max(changes) == 36 - 6


def test_a_new_strategy_plays_well_at_every_table(bridzik, tmp_path):
    path = tmp_path / "jack.py"
    result = bridzik("new", path, *FOOL)
    assert result.err == f"wrote {path}; next: bridzik check {path} --game fool\n"
    for seats, deck in ((2, 52), (3, 36), (4, 52)):
        options = {"deck": deck}
        run = api.simulate(
            f"mine={path},random*{seats - 1}", 200, 1, game="fool", seating="rotate", jobs=1, options=options
        )
        wins = run.summary.set_index("strategy")["wins"]
        assert wins["mine"] > 1.2 * wins["random"]


def test_bench_fills_tables_and_counts_decisions(bridzik):
    asked = ("bench", *FOOL, "--seconds", 0.01, "--quiet", "--format", "json")
    rows = json.loads(bridzik(*asked, "--seats", "random", "--seats", "random*2").out)
    assert [row["seats"] for row in rows] == ["random*4", "random*2"]
    for row in rows:
        a_game = row["decisions_per_second"] / row["games_per_second"]
        assert 40 < a_game < 1500
        assert row["ns_per_decision"] * row["decisions_per_second"] == pytest.approx(1e9, rel=0.01)
    assert bridzik(*asked, "--seats", "random*5").code == 2


def test_decisions_of_a_game_are_near_those_played():
    player = Player(experiment.make("random*3", 1, 1, game="fool"))
    watchers = [Watcher() for _ in range(6)]
    for unit, watcher in enumerate(watchers):
        player.record(unit, 0, watcher)
    mean = sum(len(watcher.moments) for watcher in watchers) / len(watchers)
    assert speed.decisions_a_game(player) == pytest.approx(mean, rel=0.5)


def test_doctor_and_warmup_of_the_named_game(bridzik, monkeypatch):
    alone = {"random": sources.named("fool")["random"]}
    monkeypatch.setattr("bridzik_sim.sources.named", lambda game: alone)
    told = bridzik("doctor", *FOOL)
    assert told.code == 0
    assert "the compiled kernel of fool and its reference engine agree" in told.out
    warm = json.loads(bridzik("warmup", *FOOL, "--quiet", "--format", "json").out)
    assert [step["what"] for step in warm["steps"]] == [
        "kernel of fool", "strategy random", "one game by each engine"
    ]  # fmt: skip


def test_games_tells_tables_decisions_and_options(bridzik):
    text = bridzik("games", "fool").out
    assert "\nseats      2-4, usually 4\n" in text
    assert "\ndecisions  move(view), suit(view): as many as it takes to the end of the game\n" in text
    assert "\nmeasure    share of games won\n" in text
    for option in ("deck=52", "draw=voluntary", "max_turns=1000"):
        assert f"\n  {option}\n" in text
    described = json.loads(bridzik("games", "fool", "--format", "json").out)
    assert (described["seats"], described["usual_seats"]) == ([2, 3, 4], 4)
    assert described["decisions_a_game"] is None
    assert bridzik("games", "fool", "--rules").out.startswith("# Czech Fool\n")


def test_strategies_of_the_game_are_listed(bridzik):
    rows = list(csv.DictReader(io.StringIO(bridzik("strategies", *FOOL, "--format", "csv").out)))
    assert {"random", "server"} <= {row["name"] for row in rows}
    assert "  suit " in bridzik("strategies", "random", *FOOL).out


SIMULATE = ("simulate", *FOOL, "--games", 1, "--seed", 1, "--seats")
COMPARE = ("compare", "random", "x=random", *FOOL, "--games", 1, "--seed", 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*SIMULATE, "random"), "fool has 2 to 4 seats, but the line-up fills 1"),
        ((*SIMULATE, "random*5"), "fool has 2 to 4 seats, but the line-up fills 5"),
        ((*SIMULATE, "random*4", "--option", "deck=40"), "give 52 or 36 cards"),
        ((*SIMULATE, "random*4", "--option", "draw=maybe"), "give voluntary, or forced"),
        ((*SIMULATE, "random*4", "--option", "max_turns=0"), "give a whole number of turns from 1 to 100000"),
        ((*SIMULATE, "random*4", "--option", "max_turns=x"), "give a whole number of turns from 1 to 100000"),
        ((*SIMULATE, "random*4", "--option", "decks=36"), "did you mean deck?"),
        ((*SIMULATE, "random*4", "--option", "sum_rule=on"), "no option of fool called 'sum_rule'"),
        ((*SIMULATE, "randm*4"), "did you mean random?"),
        ((*COMPARE, "--players", 5), "fool"),
        ((*COMPARE, "--players", 1), "fool"),
        (("games", "fol"), "did you mean fool?"),
        (("replay", *FOOL, "--seats", "random*3", "--seed", 1, "--unit", 0, "--view", 3), "the seats are 0 to 2"),
    ],
)  # fmt: skip
def test_what_does_not_go_gets_one_line(bridzik, arguments, said):
    result = bridzik(*arguments)
    assert result.code == 2
    assert said.lower() in result.err.lower()
    assert result.err.count("\n") == 1
    assert not result.out


def test_a_strategy_without_a_suit_is_told_so(bridzik, tmp_path):
    path = tmp_path / "one.py"
    path.write_text("def move(view):\n    return 0\n", encoding="utf-8")
    result = bridzik(*SIMULATE, f"{path}*3")
    assert result.code == 2
    assert "suit(view)" in result.err
