"""No seat learns what it may not know: neither the cards it cannot see nor bids that are still hidden.

The reference engine plays; see ``redealing``. The kernel forms the same views, which the differential tests prove.
"""

import copy
import random
from types import SimpleNamespace

import numpy as np
import pytest
from redealing import Redealing, redeal

from bridzik_sim import games, lineup, simulate, sources, strategy
from bridzik_sim.errors import StrategyFaultError
from bridzik_sim.games.plain import Asker, StrategyFault, stream_tag, unit_words
from bridzik_sim.games.wizard import reference

GAME = games.get("wizard")
QUICK = {"montecarlo": "montecarlo:samples=10"}
NAMES = [name for name, path in sources.named("wizard").items() if not sources.read(path).cheats]


def play(name, deal, seats, units, change, **options):
    """Check every decision of some deals against ``change(table, seat, rng)``; returns the trumps chosen."""
    callables = SimpleNamespace(**strategy.load(lineup.parse(QUICK.get(name, name))[0], GAME).callables(GAME))
    rng, choices = random.Random(deal), 0
    for unit in range(units):
        words, dealer = unit_words(17, stream_tag("wizard", 1), unit), unit % seats
        hands, trump_card = reference.deal_cards(words, deal, seats, (dealer + 1) % seats)
        scores = [10 * seat for seat in range(seats)]
        table = reference.Table(deal, dealer, hands, trump_card, scores, options)
        player = Redealing(callables, table, lambda table, seat: change(table, seat, rng))
        players = reference.Players([player] * seats, GAME.view, Asker())
        players.new_deal(words, table, 0, np.zeros((seats, 16)))
        reference.play_deal(table, players)
        assert player.decisions == seats * (1 + table.size) + table.dealer_chooses
        choices += table.dealer_chooses
    return choices


def redealt(table, seat, rng):
    return redeal(table, seat, [card for card in range(60) if card != table.trump_card], rng)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seats", "deal"), [(3, 4), (4, 0), (4, 14), (6, 2)])
def test_redealing_the_unseen_cards_changes_no_decision(name, deal, seats):
    play(name, deal, seats, 2, redealt)


def test_redealing_changes_nothing_when_the_dealer_chooses_the_trump():
    assert play("random", 2, 4, 40, redealt, wizard_trump="dealer") > 0


def test_the_check_finds_a_leak_of_cards(monkeypatch):
    # A view whose `played` told the next seat's hand is caught.
    honest = reference.Table.view_fields

    def leaking(table, seat, legal):
        fields = honest(table, seat, legal)
        return {**fields, "played": sum(1 << card for card in table.hands[(seat + 1) % table.seats])}

    monkeypatch.setattr(reference.Table, "view_fields", leaking)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play("random", 3, 4, 1, redealt)


def rebid(table, seat, rng):
    """The same table with other hidden bids that forbid the same bid to ``seat``, if it is to bid now."""
    other = copy.deepcopy(table)
    made = [place for place, bid in enumerate(table.bids) if bid >= 0]
    while -1 in table.bids:
        for place in made:
            other.bids[place] = rng.randrange(table.size + 1)
        if other.forbidden_bid() == table.forbidden_bid():
            break
    return other


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sum_rule", ["on", "off"])
@pytest.mark.parametrize(("seats", "deal"), [(3, 4), (4, 1), (6, 2)])
def test_hidden_bids_that_forbid_the_same_change_no_decision(name, deal, seats, sum_rule):
    play(name, deal, seats, 3, rebid, hidden_bids="on", sum_rule=sum_rule)


@pytest.mark.parametrize("shown", ["off", "on"])
def test_the_check_finds_a_leak_of_bids(shown, monkeypatch):
    # Bids are shown because they are not hidden, or in spite of that.
    if shown == "on":
        monkeypatch.setattr(reference.Table, "shown_bids", lambda table: table.bids)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play("random", 4, 4, 1, rebid, hidden_bids=shown)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_other_hidden_bids_change_nothing_but_what_is_forbidden(seats):
    rng, size, differing = random.Random(seats), 3, 0
    deck = rng.sample(range(59), seats * size)
    hands = [deck[seat::seats] for seat in range(seats)]
    for bidders in range(seats):
        views = []
        for _ in range(20):
            table = reference.Table(size - 1, 1, hands, 59, [0] * seats, {"hidden_bids": "on"})
            bidder = (table.starter + bidders) % seats
            for position in range(bidders):
                table.bids[(table.starter + position) % seats] = rng.randrange(size + 1)
            views.append(table.view_fields(bidder, [0]))
        forbidden = {view.pop("forbidden") for view in views}
        assert all(view == views[0] for view in views)
        assert forbidden == {-1} if bidders < seats - 1 else len(forbidden) > 1
        differing += len(forbidden) > 1
    assert differing == 1


def test_open_from_the_last_bid_on():
    table = reference.Table(0, 2, [[0], [1], [2]], 59, [0] * 3, {"hidden_bids": "on"})
    for seat, bid, shown in ((0, 1, [-1] * 6), (1, 0, [-1] * 6), (2, 1, [1, 0, 1, -1, -1, -1])):
        table.bids[seat] = bid
        assert table.view_fields(1, [0])["bids"] == shown
        assert table.view_fields(1, [0])["has_bid"] == [1] * (seat + 1) + [0] * (5 - seat)


# Raises when it sees a bid before all have bid, or misses one afterwards; "open" demands that bids are seen.
PEEPER = '''"""Looks out for bids that it should not see."""
from bridzik_sim.streams import choose

PARAMS = {"open": 0}


def bid(view):
    seen = 0
    for seat in range(view.seats):
        seen += view.bids[seat] >= 0
    if view.params[0] == 0 and seen > 0:
        raise ValueError("a hidden bid is shown")
    if view.params[0] == 1 and seen != view.has_bid.sum():
        raise ValueError("a bid is not shown")
    return choose(view)


def play(view):
    for seat in range(view.seats):
        if view.bids[seat] < 0:
            raise ValueError("bids are still hidden")
    return choose(view)


def trump(view):
    return choose(view)
'''


@pytest.mark.parametrize("seats", [3, 6])
def test_the_kernel_hides_bids_until_the_last_one(tmp_path, seats):
    path = tmp_path / "peeper.py"
    path.write_text(PEEPER, encoding="utf-8")
    for hidden, demanded in (("on", 0), ("off", 1)):
        options = {"hidden_bids": hidden, "wizard_trump": "dealer"}
        for wanted in (0, 1):
            lineup = f"x={path}:open={wanted}*{seats}"
            if wanted == demanded:
                assert simulate(lineup, 30, 4, game="wizard", options=options, jobs=1).units == 30
            else:
                with pytest.raises(StrategyFaultError, match=r"is shown|is not shown"):
                    simulate(lineup, 30, 4, game="wizard", options=options, jobs=1)
