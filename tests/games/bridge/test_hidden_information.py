"""No seat learns what it may not know: neither the partner's cards nor the opponents', before they are shown.

The reference engine plays; see ``redealing``. The kernel forms the same views, which the differential tests prove.
"""

import copy
import random
from types import SimpleNamespace

import numpy as np
import pytest
from redealing import Redealing

from bridzik_sim import games, lineup, sources, strategy
from bridzik_sim.games.bridge import plain_deal, reference
from bridzik_sim.games.plain import Asker, Players, StrategyFault, stream_tag, unit_words
from bridzik_sim.games.plain_contract import Sheet
from bridzik_sim.streams import below, choose

GAME = games.get("bridge")
QUICK = {"montecarlo": "montecarlo:samples=2"}
NAMES = [name for name, path in sources.named("bridge").items() if not sources.read(path).cheats]


def table_of(unit, options):
    """The unit's board; or the second deal of a rubber in which N-S have a game and E-W a part-score."""
    words, options = unit_words(17, stream_tag("bridge", 1), unit), plain_deal.DEFAULTS | options
    if options["scoring"] == "duplicate":
        return words, reference.deal_table(words, unit, 0, Sheet(), options, {})
    options["first_dealer"] = unit % 4
    sheet = Sheet(below=[0, 60], written=[100, 60], above=[50, 0], games=[1, 0])
    return words, reference.deal_table(words, unit, 1, sheet, options, {})


def play(callables, units, **options):
    """Check every decision of some deals, whose tricks are played; returns how many deals had any."""
    rng, played = random.Random(1), 0
    for unit in units:
        words, table = table_of(unit, options)
        player = Redealing(callables, table, lambda table, seat: redealt(table, seat, rng))
        players = Players([player] * 4, GAME.view, Asker())
        players.new_deal(words, table, 0, np.zeros((4, 16)))
        plain_deal.play_deal(table, players)
        assert player.decisions == len(table.auction.calls) + 4 * len(table.tricks)
        played += bool(table.tricks)
    return played


def redealt(table, seat, rng):
    """The same public history with the cards hidden from ``seat`` dealt anew to the others.

    Dummy's hand stays once a card has been played; dummy itself, like everyone else, sees only that and its own.
    """
    other = copy.deepcopy(table)
    shown = {seat} | ({table.dummy} if table.played else set())
    places = [place for place in range(4) if place not in shown]
    hidden = [card for place in places for card in sorted(table.hands[place])]
    rng.shuffle(hidden)
    for place in places:
        other.hands[place] = {hidden.pop() for _ in table.hands[place]}
    other.dealt = [[] for _ in range(4)]
    return other


def callables_of(name):
    return SimpleNamespace(**strategy.load(lineup.parse(QUICK.get(name, name))[0], GAME).callables(GAME))


@pytest.mark.parametrize("name", NAMES)
def test_moving_the_unseen_cards_changes_no_decision(name):
    callables = callables_of(name)
    assert play(callables, range(4)) > 0
    play(callables, range(4, 6), declarer="last_bid", scoring="duplicate")


BOLD = SimpleNamespace(call=lambda view: choose(view) if below(view, 3) == 0 else 0, play=choose)


@pytest.mark.parametrize(
    ("field", "leak"),
    [
        ("taken", lambda table, seat: [min(table.hands[(seat + 2) % 4], default=0), 0, 0, 0]),
        ("best", lambda table, seat: max(table.hands[(seat + 1) % 4], default=0)),
        ("dummy", lambda table, seat: sum(1 << card for card in table.hands[table.dummy])),
        ("seen_void", lambda table, seat: [len({card // 13 for card in hand}) for hand in table.hands]),
    ],
    ids=["partner's card", "opponent's card", "dummy before the lead", "voids"],
)
def test_the_check_finds_a_leak(field, leak, monkeypatch):
    honest = plain_deal.Table.view_fields

    def leaking(table, seat, legal):
        return {**honest(table, seat, legal), field: leak(table, seat)}

    monkeypatch.setattr(plain_deal.Table, "view_fields", leaking)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play(BOLD, range(4))


def test_the_honest_view_passes_the_check():
    assert play(BOLD, range(4)) > 0


def first_view(unit, dealt, seat):
    """What a seat sees when it first decides in a rubber of one deal, and the hands."""
    views = []

    def look(view):
        if view.seat == seat:
            views.append({name: view[name].tolist() for name in view.dtype.names})
        return 0

    players = [SimpleNamespace(call=look, play=look)] * 4
    record = reference.play_game(players, seed=3, unit=unit, max_deals=1, dealt=dealt)
    return views[0], record.deals[0].hands


@pytest.mark.parametrize("seat", range(4))
def test_other_cards_dealt_where_a_seat_cannot_see_them_leave_its_first_view_alone(seat):
    rng = random.Random(1)
    for unit in range(5):
        view, hands = first_view(unit, None, seat)
        mapping = list(range(52))
        hidden = [card for card in mapping if not view["hand"] >> card & 1]
        for card, other in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
            mapping[card] = other
        other_view, other_hands = first_view(unit, {0: mapping}, seat)
        assert other_view == view
        assert other_hands[seat] == hands[seat]
        assert all(other_hands[place] != hands[place] for place in range(4) if place != seat)


class Noting:
    """Writes all over its memories, draws from its stream, and remembers what it found; declares 1C if it opens."""

    def __init__(self):
        self.found = []

    def decide(self, view, answer):
        notes = (view.memory.copy(), view.game_memory.copy(), view.stream.tolist())
        self.found.append((int(view.seat), *notes))
        view.memory[:] = view.game_memory[:] = view.seat + 1
        for _ in range(int(view.seat) + 1):
            below(view, 2)
        return answer

    def call(self, view):
        return self.decide(view, 1 if view.contract == 0 and view.seat == 0 else 0)

    def play(self, view):
        return self.decide(view, (int(view.legal) & -int(view.legal)).bit_length() - 1)


def test_partners_who_are_one_strategy_share_neither_memory_nor_stream():
    one = Noting()
    reference.play_game([one] * 4, seed=3, unit=1, max_deals=2)
    streams = {}
    for seat, memory, game_memory, stream in one.found:
        assert {*memory.tolist()} <= {0, seat + 1}
        assert {*game_memory.tolist()} <= {0, seat + 1}
        streams.setdefault(seat, set()).add(tuple(stream))
    assert len(streams) == 4
    assert len(set().union(*streams.values())) == sum(map(len, streams.values()))
    # Dummy, S, only called; the declarer, N, played twice as many cards as a defender.
    assert {seat: len(streams[seat]) for seat in (1, 2, 3)} == {1: 3 + 26, 2: 3, 3: 3 + 26}
