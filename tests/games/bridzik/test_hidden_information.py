"""No seat learns what it may not know: re-dealing the cards it cannot see changes neither its view nor its answer.

The reference engine plays; at every decision the cards hidden from that seat (the other hands and the undealt rest) are
shuffled among themselves, the view is formed again from the changed table, and the strategy is asked again. The kernel
forms the same views, which the differential tests prove.
"""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from redealing import Redealing, redeal

from bridzik_sim import games, lineup, strategy
from bridzik_sim.games.bridzik import reference
from bridzik_sim.games.plain import Asker, StrategyFault, mask_of, stream_tag, unit_words

GAME = games.get("bridzik")
NAMES = ("random", "simple", "heuristic", "table", "champion", "exact", "montecarlo:samples=10")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("deal", [0, 3, 6, 7])
def test_redealing_the_unseen_cards_changes_no_decision(name, deal):
    play_redealing(name, deal, 4)


def play_redealing(name, deal, units):
    callables = SimpleNamespace(**strategy.load(lineup.parse(name)[0], GAME).callables(GAME))
    rng = random.Random(deal)
    for unit in range(units):
        words = unit_words(17, stream_tag("bridzik", 1), unit)
        table = reference.Table(deal, reference.deal_hands(words, deal), [0, 30, 60, 90])
        player = Redealing(callables, table, lambda table, seat: redeal(table, seat, range(32), rng))
        players = reference.Players([player] * 4, GAME.view, Asker())
        players.new_deal(words, table, 0, np.zeros((4, 16)))
        reference.play_deal(table, players)
        assert player.decisions == 4 * (1 + table.size)


def test_the_check_finds_a_leak(monkeypatch):
    # A view whose `played` told the next seat's hand is caught.
    honest = reference.Table.view_fields

    def leaking(table, seat, legal):
        fields = honest(table, seat, legal)
        return {**fields, "played": mask_of(table.hands[(seat + 1) % 4])}

    monkeypatch.setattr(reference.Table, "view_fields", leaking)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play_redealing("random", 0, 1)


WRITER = """
from bridzik_sim.streams import choose
def vandal(view):
    answer = choose(view)
    view.hand = -1
    view.legal = -1
    view.played = -1
    view.seat = 3
    view.size = 1
    view.scores[:] = 1000
    view.bids[:] = 0
    view.taken[:] = 5
    view.trick[:] = 31
    view.seen_void[:] = 15
    view.has_bid[:] = 0
    view.deal = 7
    view.lead = 2
    view.best = 9
    view.leader = 0
    view.starter = 0
    return answer
def bid(view):
    return vandal(view)
def play(view):
    return vandal(view)
"""


def test_writing_into_the_view_changes_nothing(tmp_path):
    from bridzik_sim import simulate

    path = tmp_path / "vandal.py"
    path.write_text(WRITER.replace("def vandal", "from bridzik_sim.jit import jit\n@jit\ndef vandal"))
    honest, vandal = simulate("x=random*4", 200, 8), simulate(f"x={path}*4", 200, 8)
    assert vandal.summary.equals(honest.summary)
    assert vandal.bids.equals(honest.bids)
