"""No seat learns what it may not know: neither the cards it cannot see nor the order of the stock.

The reference engine plays; see ``redealing``. The kernel forms the same views, which the differential tests prove.
"""

import copy
import random
from types import SimpleNamespace

import numpy as np
import pytest
from redealing import Redealing

from bridzik_sim import games, lineup, sources, strategy
from bridzik_sim.games.fool import plain_round, reference
from bridzik_sim.games.plain import Asker, Players, StrategyFault, stream_tag, unit_words

GAME = games.get("fool")
QUICK = {"montecarlo": "montecarlo:samples=2"}
NAMES = [name for name, path in sources.named("fool").items() if not sources.read(path).cheats]


def play(name, seats, units, out=(), **options):
    """Check every decision of some rounds; returns in how many of them the stock was renewed."""
    options = {"deck": 52, "draw": "voluntary", "max_turns": 50} | options
    callables = SimpleNamespace(**strategy.load(lineup.parse(QUICK.get(name, name))[0], GAME).callables(GAME))
    rng, renewed = random.Random(seats), 0
    for unit in range(units):
        words = unit_words(17, stream_tag("fool", 1), unit)
        scores = [110 if seat in out else 20 * seat for seat in range(seats)]
        table = plain_round.deal_table(words, 1, seats - 1, scores, options)
        player = Redealing(callables, table, lambda table, seat: redealt(table, seat, rng))
        players = Players([player] * seats, GAME.view, Asker())
        players.new_deal(words, table, 0, np.zeros((seats, 16)))
        reference.play_deal(table, players)
        assert player.decisions == table.decisions > 0
        renewed += table.stock.renewals > 0
    return renewed


def redealt(table, seat, rng):
    """The same public history with the cards hidden from ``seat`` in other places.

    Before the first reshuffle the cards of other hands and of the stock change places; after it those that it put
    into the stock, and apart from them those that have been in hands since before.
    """
    other = copy.deepcopy(table)
    others = [place for place in range(table.seats) if place != seat]
    renewed = table.stock.renewals > 0
    old = [
        (place, i)
        for place in others
        for i, card in enumerate(table.hands[place])
        if card not in table.fresh[place]
    ]
    new = [
        (place, i)
        for place in others
        for i, card in enumerate(table.hands[place])
        if card in table.fresh[place]
    ]
    stock = sorted(table.stock.cards)
    for places, spare in ((old, []), (new, stock)) if renewed else ((old, stock),):
        cards = [*(table.hands[place][i] for place, i in places), *spare]
        rng.shuffle(cards)
        for place, i in places:
            other.hands[place][i] = cards.pop()
        if spare:
            other.stock.cards = set(cards)
    for place in others:
        if renewed:
            other.fresh[place] = {card for card in other.hands[place] if card in other.returned}
            assert len(other.fresh[place]) == len(table.fresh[place])
    return other


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seats", "out"), [(2, ()), (4, (1,))])
def test_moving_the_unseen_cards_changes_no_decision(name, seats, out):
    play(name, seats, 2, out)


@pytest.mark.parametrize("name", NAMES)
def test_moving_the_unseen_cards_changes_nothing_after_a_reshuffle(name):
    assert play(name, 4, 2, deck=36) > 0


@pytest.mark.parametrize(
    ("field", "leak"),
    [
        ("gone", lambda table, seat: sum(1 << card for card in table.hands[table.left_of(seat)])),
        ("top", lambda table, seat: min(table.stock.cards, default=0)),
    ],
)
def test_the_check_finds_a_leak(field, leak, monkeypatch):
    # A view in which a field told the next seat's hand, or a card of the stock, is caught.
    honest = plain_round.Table.view_fields

    def leaking(table, seat, legal):
        return {**honest(table, seat, legal), field: leak(table, seat)}

    monkeypatch.setattr(plain_round.Table, "view_fields", leaking)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play("random", 3, 1)


def first_view(seats, unit, dealt):
    """What the first to decide in a game sees, and the hands of the first round."""
    views = []

    def look(view):
        views.append({name: view[name].tolist() for name in view.dtype.names})
        return (views[-1]["legal"] & -views[-1]["legal"]).bit_length() - 1

    players = [SimpleNamespace(move=look, suit=look)] * seats
    record = reference.play_game(players, seed=3, unit=unit, max_turns=5, dealt=dealt)
    return views[0], record.deals[0].hands


@pytest.mark.parametrize("seats", [2, 4])
def test_other_cards_dealt_where_a_seat_cannot_see_them_leave_its_first_view_alone(seats):
    rng = random.Random(1)
    for unit in range(10):
        view, hands = first_view(seats, unit, None)
        mapping = list(range(52))
        hidden = [card for card in mapping if not (view["hand"] | view["gone"]) >> card & 1]
        for card, other in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
            mapping[card] = other
        other_view, other_hands = first_view(seats, unit, {0: mapping})
        assert other_view == view
        assert other_hands[view["seat"]] == hands[view["seat"]]
        assert other_hands != hands
