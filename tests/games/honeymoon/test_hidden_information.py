"""No seat learns what it may not know: neither the opponent's cards nor the order of the stock.

The reference engine plays; see ``redealing``. The kernel forms the same views, which the differential tests prove.
"""

import copy
import random
from types import SimpleNamespace

import numpy as np
import pytest
from redealing import Redealing

from bridzik_sim import games, lineup, sources, strategy
from bridzik_sim.games.honeymoon import plain_deal, reference
from bridzik_sim.games.plain import Asker, Players, StrategyFault, stream_tag, unit_words
from bridzik_sim.streams import choose

GAME = games.get("honeymoon")
NAMES = [name for name, path in sources.named("honeymoon").items() if not sources.read(path).cheats]


def play(callables, units):
    """Check every decision of some deals."""
    rng = random.Random(1)
    for unit in range(units):
        words = unit_words(17, stream_tag("honeymoon", 1), unit)
        table = plain_deal.deal_table(words, unit, [120, 90], reference.DEFAULTS)
        player = Redealing(callables, table, lambda table, seat: redealt(table, seat, rng))
        players = Players([player] * 2, GAME.view, Asker())
        players.new_deal(words, table, 0, np.zeros((2, 16)))
        reference.play_deal(table, players)
        assert player.decisions == 26 + len(table.auction.calls) + 2 * len(table.tricks)


def redealt(table, seat, rng):
    """The same public history with the cards hidden from ``seat`` dealt anew between the opponent and the stock.

    Once the stock is empty nothing is hidden.
    """
    other = copy.deepcopy(table)
    hidden = [*sorted(table.hands[1 - seat]), *table.stock]
    if table.stock:
        rng.shuffle(hidden)
    held = len(table.hands[1 - seat])
    other.hands[1 - seat], other.stock = set(hidden[:held]), hidden[held:]
    return other


@pytest.mark.parametrize("name", NAMES)
def test_moving_the_unseen_cards_changes_no_decision(name):
    play(SimpleNamespace(**strategy.load(lineup.parse(name)[0], GAME).callables(GAME)), 2)


@pytest.mark.parametrize(
    ("field", "leak"),
    [
        ("scores", lambda table, seat: [min(table.hands[1 - seat], default=0), 0]),
        ("stock", lambda table, seat: table.stock[0] if table.stock else 0),
        ("seen_void", lambda table, seat: [0, sum(1 << card // 13 for card in table.stock[-3:])]),
    ],
)
def test_the_check_finds_a_leak(field, leak, monkeypatch):
    # A view in which a field told a card of the opponent's hand, the next or the last cards of the stock, is caught.
    honest = plain_deal.Table.view_fields

    def leaking(table, seat, legal):
        return {**honest(table, seat, legal), field: leak(table, seat)}

    monkeypatch.setattr(plain_deal.Table, "view_fields", leaking)
    with pytest.raises(StrategyFault, match="AssertionError"):
        play(SimpleNamespace(call=choose, play=choose), 1)


class Stop(BaseException):
    """The decision up to which cards were compared has been reached."""


class Watcher:
    """Answers at random by its stream, and keeps its views; stops after ``last`` of them."""

    def __init__(self, last=None):
        self.last, self.views, self.answers = last, [], []

    def __getattr__(self, decision):
        def answer(view):
            self.views.append({name: view[name].tolist() for name in view.dtype.names})
            self.answers.append(choose(view))
            if len(self.views) == self.last:
                raise Stop
            return self.answers[-1]

        return answer


class Repeater:
    """Answers as it is told."""

    def __init__(self, answers):
        self.answers = iter(answers)

    def __getattr__(self, decision):
        return lambda view: next(self.answers)


@pytest.mark.parametrize("seat", [0, 1])
def test_other_cards_dealt_where_a_seat_has_not_seen_them_leave_its_views_and_answers_alone(seat):
    rng, compared, moved, refused = random.Random(seat), 0, 0, set()
    for unit in range(6):
        given, players = {"seed": 3, "unit": unit, "deals": 1}, [Watcher(), Watcher()]
        reference.play_game(players, **given)
        told, other = players[seat], players[1 - seat]
        for _ in range(12):
            last = rng.randrange(1, 14)
            unseen = [card for card in range(52) if told.views[last - 1]["unseen"] >> card & 1]
            mapping = list(range(52))
            for card, instead in zip(unseen, rng.sample(unseen, len(unseen)), strict=True):
                mapping[card] = instead
            again = Watcher(last)
            table = [again, Repeater(other.answers)] if seat == 0 else [Repeater(other.answers), again]
            with pytest.raises(StrategyFault) as caught:
                reference.play_game(table, **given, dealt={0: mapping})
            if isinstance(caught.value.exception, Stop):
                assert again.views == told.views[:last]
                assert again.answers == told.answers[:last]
                compared += 1
                moved += mapping != list(range(52))
            else:
                # The opponent, with other cards, would have had to follow suit.
                refused.add((caught.value.fault.seat, caught.value.fault.kind))
    assert refused <= {(1 - seat, "illegal")}
    assert min(compared, moved) > 20
