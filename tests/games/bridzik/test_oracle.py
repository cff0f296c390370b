"""Who cheats is told all hands, nobody else is, and it plays only where that is allowed."""

from types import SimpleNamespace

import numpy as np
import pytest

from bridzik_sim import api, experiment, experiment_file, games, lineup, simulate, strategy
from bridzik_sim.errors import UsageError
from bridzik_sim.games.bridzik import reference
from bridzik_sim.play import Player
from cli.main import run

GAME = games.get("bridzik")
# Answers legally only as long as what it is told is what it should be: its own hand among four full ones, or nothing.
WATCHER = """
from bridzik_sim.cards import lowest, popcount
from bridzik_sim.jit import jit
{declared}
@jit
def told(view):
    everything = 0
    for seat in range(4):
        everything |= view.dealt[seat]
    return everything
def bid(view):
    right = {rule}
    return lowest(view.legal) if right else -1
def play(view):
    right = {rule}
    return lowest(view.legal) if right else -1
"""
TOLD = (
    "popcount(told(view)) == 4 * view.size and view.hand | view.played & view.dealt[view.seat]"
    " == view.dealt[view.seat] and view.played & ~told(view) == 0"
)
FIRST = 5
NOT_TOLD = "told(view) == 0"
REFUSAL = "the strategy oracle cheats, it is told all hands; simulate, compare, tournament and replay let it play with --cheats"


@pytest.fixture
def watchers(tmp_path):
    for name, declared, rule in (("cheat", "CHEATS = True", TOLD), ("honest", "", NOT_TOLD)):
        (tmp_path / f"{name}.py").write_text(WATCHER.format(declared=declared, rule=rule))
    return f"cheat={tmp_path / 'cheat.py'},honest={tmp_path / 'honest.py'}"


def test_only_who_cheats_is_told_the_hands_in_every_seat_and_both_engines(watchers):
    made = experiment.make(f"{watchers},random,simple", 40, 1, seating="rotate", cheats=True)
    player, control = Player(made), np.zeros(2, np.int64)
    fast, slow = player.play(0, made.units, control), player._plain(0, 2, control)
    assert fast.counts["faults"].sum() == slow.counts["faults"].sum() == 0


def test_the_watchers_would_notice(watchers):
    for told in ((False, False, False), (True, True, False)):
        player = Player(experiment.make(f"{watchers},random*2", 1, 1, cheats=True, on_error="forfeit"))
        player.cheats = list(told)
        for counts in (player.play(0, 1, np.zeros(2, np.int64)), player._plain(0, 1, np.zeros(2, np.int64))):
            assert (counts.counts["faults"].sum(axis=1) > 0).tolist() == [not told[0], told[1], False]


def test_it_plays_only_where_cheats_are_allowed(capsys):
    with pytest.raises(UsageError, match=REFUSAL):
        simulate("oracle,random*3", 4, 1)
    assert run(["simulate", "--seats", "oracle,random*3", "--games", "4"]) == 2
    said = capsys.readouterr().err
    assert REFUSAL in said
    assert "Traceback" not in said


def test_an_experiment_file_allows_it_and_the_run_goes_on(tmp_path):
    path = tmp_path / "cheating.toml"
    text = 'command = "simulate"\nseats = "oracle:nodes=2,random*3"\ngames = 1\nseed = 3\n[options]\nhand_sizes = "1"\n'
    path.write_text(text)
    with pytest.raises(UsageError, match=REFUSAL.replace("oracle", "oracle:nodes=2")):
        experiment_file.resolve(experiment_file.read(path))
    path.write_text("cheats = true\n" + text)
    made = experiment_file.resolve(experiment_file.read(path))
    assert made.identity()["cheats"] is True
    api.play(made, tmp_path / "run")
    longer = api.resume(tmp_path / "run", 3)
    assert longer.experiment.cheats
    assert longer.games == 3


def test_the_list_of_strategies_leaves_it_out(capsys):
    for given, shown in (([], False), (["--cheats"], True)):
        assert run(["strategies", *given]) == 0
        assert ("oracle" in capsys.readouterr().out) is shown


class Line:
    """Gives fixed answers in the first deal: a bid, if it is legal, and cards by their places."""

    def __init__(self, bid, *places):
        self.given, self.places, self.legal = bid, places, True

    def bid(self, view):
        legal = bool(int(view.legal) >> self.given & 1)
        self.legal = self.legal and (legal or view.deal != FIRST)
        return self.given if legal else int(view.legal).bit_length() - 1

    def play(self, view):
        legal = [card for card in range(32) if int(view.legal) >> card & 1]
        return legal[self.places[sum(view.taken)] % len(legal)]


def callables(name):
    return SimpleNamespace(**strategy.load(lineup.parse(name)[0], GAME).callables(GAME))


def points_of(player, unit, seat, model):
    """What it makes in the first three-card deal of a game against three of the model."""
    players = [model] * 4
    players[seat] = player
    params = np.zeros((4, 16))
    params[seat, :2] = 200, 1
    record = reference.play_game(
        players, seed=1, unit=unit, hand_sizes=[3], params=params, cheats=[at == seat for at in range(4)]
    )
    assert record.deals[0].deal == FIRST
    return record.deals[0].points[seat]


def test_it_finds_the_best_line_there_is():
    # Brute force over its own bids and cards, played by the reference engine.
    oracle, heuristic = callables("oracle"), callables("heuristic")
    found = []
    for unit in range(4):
        lines = [Line(bid, first, second, 0) for bid in range(4) for first in range(3) for second in range(2)]
        points = [(points_of(line, unit, unit % 4, heuristic), line) for line in lines]
        best = max(made if line.legal else 0 for made, line in points)
        assert points_of(oracle, unit, unit % 4, heuristic) == best
        found.append(best)
    assert min(found) < max(found) > 10
