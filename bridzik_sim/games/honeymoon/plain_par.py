"""Par of a finished deal of honeymoon bridge, and what its calls and cards have lost against best play.

The auction is valued state by state with the plain ``Auction``. Only how many tricks two open hands take is
asked of the compiled ``solver.py``, which has tests of its own against brute force.
"""

from __future__ import annotations

import copy

from bridzik_sim.games.honeymoon.plain_deal import SEATS, Table
from bridzik_sim.games.honeymoon.solver import solve
from bridzik_sim.games.plain import mask_of, seats_from
from bridzik_sim.games.plain_contract import (
    HAND_SIZE,
    STRAINS,
    Auction,
    duplicate_points,
    strain_of,
    trump_of,
)

SIGNS = (1, -1)
"""By seat: all values are net points of seat 0."""


def par_figures(table: Table) -> tuple[int, list[int], list[int]]:
    """Of a finished deal: the value of its auction for seat 0, and by seat what calls and cards lost."""
    judge = Judge(table)
    value, auction_lost = judge.judge_calls()
    return value, auction_lost, [0] * SEATS if table.passed_out else judge.judge_cards()


class Judge:
    """Judges the calls and cards of a finished deal; ``hands`` are those that play the contract."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.hands = [set(hand) for hand in table.dealt]
        for trick in table.draw_phase:
            for seat, card in zip(seats_from(trick.leader, SEATS), trick.cards, strict=True):
                self.hands[seat].remove(card)
                self.hands[seat].add(trick.drawn[seat])
        self.tricks = {strain_of(bid): self.tricks_left(trump_of(bid)) for bid in range(1, len(STRAINS) + 1)}
        self.values = dict[tuple[int, ...], int]()

    def tricks_left(self, trump: int, leader: int | None = None, led: int = -1) -> int:
        """Tricks that seat 0 takes of those left; the dealer's opponent leads if nobody is named."""
        leader = 1 - self.table.dealer if leader is None else leader
        return solve(mask_of(self.hands[0]), mask_of(self.hands[1]), trump, leader, led)

    def net_points(self, auction: Auction, tricks: int) -> int:
        """Net points of seat 0 for the contract of an auction when it takes so many tricks."""
        declarer = auction.bidder
        taken = (tricks, HAND_SIZE - tricks)[declarer]
        vulnerable = bool(self.table.vulnerable >> declarer & 1)
        return SIGNS[declarer] * duplicate_points(auction.bid, auction.doubled, vulnerable, taken)

    def value(self, auction: Auction) -> int:
        """Net points of seat 0 when both do their best from here."""
        if auction.over:
            return self.net_points(auction, self.tricks[strain_of(auction.bid)]) if auction.bid else 0
        state = (auction.bid, auction.doubled, auction.bidder, auction.caller)
        if state not in self.values:
            best = (max, min)[auction.caller]
            self.values[state] = best(self.value(after(auction, call)) for call in auction.legal_calls())
        return self.values[state]

    def judge_calls(self) -> tuple[int, list[int]]:
        """The value of the auction before the first call, and by seat what calls have made it worse."""
        auction, lost = Auction(SEATS, self.table.dealer), [0] * SEATS
        par = value = self.value(auction)
        for call in self.table.auction.calls:
            seat, auction = auction.caller, after(auction, call)
            lost[seat] += SIGNS[seat] * (value - self.value(auction))
            value = self.value(auction)
        return par, lost

    def judge_cards(self) -> list[int]:
        """By seat: what cards have made the value of the play worse."""
        auction, trump = self.table.auction, self.table.trump
        tricks, taken, lost = self.tricks[strain_of(auction.bid)], 0, [0] * SEATS
        for trick in self.table.tricks:
            follower = 1 - trick.leader
            # After the first card the other one is to play to it, after the second the winner leads.
            for seat, card, leader, led in (
                (trick.leader, trick.cards[0], trick.leader, trick.cards[0]),
                (follower, trick.cards[1], trick.winner, -1),
            ):
                self.hands[seat].remove(card)
                taken += int(led < 0 and trick.winner == 0)
                expected = taken + self.tricks_left(trump, leader, led)
                change = self.net_points(auction, tricks) - self.net_points(auction, expected)
                lost[seat] += SIGNS[seat] * change
                tricks = expected
        return lost


def after(auction: Auction, call: int) -> Auction:
    """The auction after one more call."""
    made = copy.copy(auction)
    made.calls = list(auction.calls)
    made.make(call)
    return made
