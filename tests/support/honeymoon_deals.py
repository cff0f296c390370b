"""Deals of honeymoon bridge, played by the reference engine and by compiled positions side by side.

Cards and calls are written as in records. The stock gives its cards in the order in which they are written: the compiled
position draws them from a stream under which it does.
"""

import functools
import itertools

import numpy as np

from bridzik_sim.games.honeymoon import kernel, plain_deal, playout
from bridzik_sim.games.honeymoon.reference import DEFAULTS
from bridzik_sim.games.honeymoon.rules import VIEW
from bridzik_sim.games.plain import DEAL, PlainStream, SeatView, mask_of, stream_tag, unit_words
from bridzik_sim.games.plain_contract import CALL_NAMES, CARD_NAMES, contract_name

PHASES = ("draw", "auction", "play")
SEATS = "NS"
NOTES = {"stream", "params", "memory", "game_memory", "dealt"}
FIELDS = [name for name in VIEW.names if name not in NOTES]


def ids(names):
    return [CARD_NAMES.index(name) for name in names.split()]


def members(mask):
    return [code for code in range(63) if int(mask) >> code & 1]


def named(mask, names=CARD_NAMES):
    return " ".join(names[code] for code in members(mask))


@functools.cache
def stream_for(stock):
    """The state of a stream by which these cards are drawn in this order."""
    for number in itertools.count():
        stream, left = PlainStream.of([number, 1, 2, 3], 0, DEAL), sorted(stock)
        state = stream.state
        if all(stream.take(left, 1) == [card] for card in stock):
            return state
    raise AssertionError


class Plain:
    """A deal by the reference engine."""

    def __init__(self, table):
        self.table = table

    @classmethod
    def made(cls, hands, stock, dealer, vulnerable, leader, scores):
        table = plain_deal.Table(0, dealer, vulnerable, hands, stock, scores, DEFAULTS["deals"])
        table.played = [card for card in range(52) if card not in {*hands[0], *hands[1], *stock}]
        table.leader = leader if stock else -1
        return cls(table)

    @property
    def over(self):
        played = self.table.phase == plain_deal.PLAYING and not any(self.table.hands)
        return self.table.passed_out or played

    @property
    def turn(self):
        table = self.table
        if self.over:
            return -1
        calling = table.phase == plain_deal.CALLING
        return table.auction.caller if calling else (table.leader + len(table.trick)) % 2

    def legal(self):
        table = self.table
        calling = table.phase == plain_deal.CALLING
        return table.auction.legal_calls() if calling else table.legal_cards(self.turn)

    def act(self, answer):
        table = self.table
        assert answer in self.legal()
        if table.phase == plain_deal.CALLING:
            table.auction.make(answer)
            if table.auction.over and not table.passed_out:
                table.open_play()
            return
        table.play(self.turn, answer)
        if len(table.trick) == 2:
            table.close_trick()
            if table.stock:
                table.draw()

    def state(self):
        table, turn = self.table, self.turn
        shown = table.view_fields(turn, self.legal()) if turn >= 0 else {}
        hands = [mask_of(hand) for hand in table.hands]
        points = table.points() if self.over else []
        declared = (table.auction.bid, table.auction.doubled, table.declarer, table.taken)
        return {"turn": turn, "hands": hands, "points": points, "declared": declared, **shown}


class Compiled:
    """A deal as a compiled position, which is a kernel's table."""

    def __init__(self):
        self.table = np.zeros(1, kernel.TABLE).view(np.recarray)[0]
        self.table.calls[:] = -1
        self.view = SeatView(VIEW).record

    @classmethod
    def made(cls, hands, stock, dealer, vulnerable, leader, scores):
        made = cls()
        table = made.table
        table.deals, table.scores[:] = DEFAULTS["deals"], scores
        table.vulnerable[:] = vulnerable & 1, vulnerable >> 1
        table.hands[:] = [mask_of(hand) for hand in hands]
        table.pile = mask_of(stock)
        table.stream[:] = np.array(stream_for(tuple(stock)), np.uint64)
        playout.open_deal(table, dealer)
        playout.start_trick(table, leader)
        table.stock = len(stock)
        table.played = (1 << 52) - 1 ^ mask_of([*hands[0], *hands[1], *stock])
        if not stock:
            table.phase, table.turn, table.leader = playout.AUCTION, dealer, -1
        return made

    @classmethod
    def dealt(cls, words, deal):
        made = cls()
        table = made.table
        table.deals, table.words[:] = DEFAULTS["deals"], np.array(words, np.uint64)
        kernel.set_vulnerable(table, deal)
        kernel.deal_cards(table, deal)
        playout.open_deal(table, kernel.dealer_of(deal))
        return made

    def act(self, answer):
        assert int(playout.legal(self.table)) >> answer & 1
        playout.apply(self.table, answer)

    def state(self):
        table, shown, points = self.table, {}, []
        if table.turn >= 0:
            playout.show(table, self.view)
            shown = {name: self.view[name].tolist() for name in FIELDS}
        else:
            before = table.scores.copy()
            kernel.score_deal(table)
            points = (table.scores - before).tolist()
            table.scores[:] = before
        hands = [int(hand) for hand in table.hands]
        declared = (int(table.contract), int(table.doubled), int(table.declarer), table.taken.tolist())
        return {"turn": int(table.turn), "hands": hands, "points": points, "declared": declared, **shown}


class Deal:
    """Both engines in step: hands as given, then as many tricks with draws as the ``stock`` gives; all other cards are out."""

    def __init__(
        self,
        north,
        south,
        stock="",
        *,
        dealer="N",
        vulnerable="none",
        leader=None,
        scores=(0, 0),
        engines=None,
    ):
        dealt = [ids(north), ids(south)], ids(stock)
        deals, leads = SEATS.index(dealer), SEATS.index(leader or dealer)
        given = (*dealt, deals, plain_deal.VULNERABLE.index(vulnerable), leads, scores)
        self.engines = engines or [Plain.made(*given), Compiled.made(*given)]
        self.look()

    @classmethod
    def dealt(cls, unit, deal):
        """A deal of a unit."""
        words = unit_words(7, stream_tag("honeymoon", 1), unit)
        table = plain_deal.deal_table(words, deal, [0, 0], DEFAULTS)
        return cls("", "", engines=[Plain(table), Compiled.dealt(words, deal)])

    def look(self):
        one, other = (engine.state() for engine in self.engines)
        assert one == other
        self.fields = one
        self.over = one["turn"] < 0
        self.turn = "" if self.over else SEATS[one["turn"]]
        self.phase = "over" if self.over else PHASES[one["phase"]]
        self.hands = [named(hand) for hand in one["hands"]]
        names = CALL_NAMES if self.phase == "auction" else CARD_NAMES
        self.legal = "" if self.over else named(one["legal"], names)
        bid, doubled, declarer, self.taken = one["declared"]
        self.contract, self.declarer = contract_name(bid, doubled), SEATS[declarer] if declarer >= 0 else ""
        self.points = one["points"]

    def act(self, *answers):
        """Answer for whoever is to decide, one after the other."""
        for answer in answers:
            code = (CALL_NAMES if self.phase == "auction" else CARD_NAMES).index(answer)
            for engine in self.engines:
                engine.act(code)
            self.look()
        return self
