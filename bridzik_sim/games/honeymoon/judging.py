"""What every call and card of a deal loses against best play (option ``par``); see ``par.py``.

The kernel shows a judge each decision of the auction and of the play. In ``lost``, by seat, it adds up PAR,
the value of the auction before its first call, net for the seat, and what the seat's own calls and cards have
lost. With N's signs: points = par - lost by N + lost by S, in every deal and exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bridzik_sim.games.contract import strain
from bridzik_sim.games.contract_sums import PAR_QUANTITIES, QUANTITIES
from bridzik_sim.games.honeymoon.par import (
    STRAIN_COUNT,
    VALUES,
    call_loss,
    fill_tricks,
    fill_values,
    play_loss,
    play_tricks,
)
from bridzik_sim.games.honeymoon.rules import SEATS
from bridzik_sim.games.honeymoon.solver import TABLE_ROWS, new_table
from bridzik_sim.jit import jit
from bridzik_sim.tally import Counts

JUDGED = PAR_QUANTITIES[len(QUANTITIES) :]
PAR, AUCTION_LOST, PLAY_LOST = range(len(JUDGED))


class Judge(NamedTuple):
    """``known``: what the solver remembers; ``tricks``, ``values``: see ``par.py``; ``lost``: int64[2, 3].

    ``expected``: tricks that seat 0 takes in the whole deal under best play from here.
    """

    known: Counts
    tricks: Counts
    values: Counts
    lost: Counts
    expected: Counts


def new_judge(wanted: bool) -> Judge:
    """A judge; its memory is small where it is not wanted."""
    return Judge(
        new_table(TABLE_ROWS if wanted else 1),
        np.zeros(STRAIN_COUNT, np.int64),
        np.zeros(VALUES, np.int64),
        np.zeros((SEATS, len(JUDGED)), np.int64),
        np.zeros(1, np.int64),
    )


@jit
def open_auction(judge, position):
    """Solve a deal whose cards have been drawn."""
    first, second = position.hands[0], position.hands[1]
    fill_tricks(first, second, 1 - position.dealer, judge.known, judge.tricks)
    fill_values(judge.tricks, position.vulnerable, judge.values)
    value = judge.values[0, 0, 1 - position.dealer]
    judge.lost[0, PAR] += value
    judge.lost[1, PAR] -= value


@jit
def judge_call(judge, position, call):
    """Add what a call, not made yet, loses its seat."""
    doubled, bidder = position.doubled, position.bidder
    if position.contract == 0:
        doubled, bidder = position.passes, 1 - position.dealer
    lost = call_loss(
        judge.values, judge.tricks, position.vulnerable, position.contract, doubled, bidder, call
    )
    judge.lost[position.turn, AUCTION_LOST] += lost


@jit
def open_play(judge, position):
    """Note what the contract promises."""
    judge.expected[0] = judge.tricks[strain(position.contract)]


@jit
def judge_card(judge, position, seat):
    """Add what a card that ``seat`` has just played loses it."""
    after = position.taken[0]
    if position.turn >= 0:
        led = position.trick[0] if position.trick_length > 0 else -1
        hands = position.hands
        after += play_tricks(hands[0], hands[1], position.trump, position.turn, led, judge.known)
    before = judge.expected[0]
    if after != before:
        lost = play_loss(
            position.contract, position.doubled, position.declarer, position.vulnerable, seat, before, after
        )
        judge.lost[seat, PLAY_LOST] += lost
        judge.expected[0] = after
