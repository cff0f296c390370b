"""Bids and plays from the chances of single cards (see ``_chances``), and the gradient of how well they fit.

``scratch`` is float64[SCRATCH]: chances of the cards, then two distributions of tricks.
"""

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.rules import BONUS, MAX_SIZE, SEATS, beats
from bridzik_sim.jit import jit
from strategies.bridzik._chances import (
    C_NEED,
    M_SCALE,
    OF_BID,
    OF_LATER,
    OF_NOW,
    OF_SPOILING,
    bid_corrections,
    bid_entries,
    later_entries,
    now_entries,
    spoil_entries,
    table_needs,
)
from strategies.bridzik._features import NEEDS, SIZES
from strategies.parts.chances import (
    LEAST,
    chance,
    distribute,
    log_odds,
    one_more,
    place_in_hand,
    slope_of,
    spread_slope,
)

TRICKS = MAX_SIZE
OTHER_TRICKS = TRICKS + SIZES
SCRATCH = OTHER_TRICKS + SIZES
# What a card does to the trick. A play notes in its entries that, the entry of its correction, OF_NOW entries
# of the card, then those of the kept cards.
LOSES, WINS, MAY_WIN = 0, 1, 2
NOW, KEPT = 2, 2 + OF_NOW
ENTRIES_OF_A_DECISION = KEPT + MAX_SIZE * OF_LATER


@jit
def bid_points(table, view, entries, scratch):
    """Put the expected points of every bid into the second distribution of ``scratch``."""
    bid_entries(view, entries)
    for i in range(view.size):
        scratch[i] = chance(table, entries, OF_BID * i, OF_BID)
    distribute(scratch, view.size, -1, view.size, scratch[TRICKS:OTHER_TRICKS])
    asked, trumps = bid_corrections(view)
    for bid in range(view.size + 1):
        odds = table[M_SCALE] * log_odds(scratch[TRICKS + bid]) + table[asked + bid] + table[trumps + bid]
        scratch[OTHER_TRICKS + bid] = (BONUS + bid) / (1 + np.exp(-odds))


@jit
def best_bid(table, view, entries, scratch):
    """The legal bid with the highest expected points."""
    bid_points(table, view, entries, scratch)
    choice, best = lowest(view.legal), -1.0
    for bid in range(view.size + 1):
        if view.legal >> bid & 1 and scratch[OTHER_TRICKS + bid] > best:
            choice, best = bid, scratch[OTHER_TRICKS + bid]
    return choice


@jit
def odds_met(table, view, needs, card, entries, scratch):
    """Log-odds to make exactly the bid with a card, from the chances of the kept cards in ``scratch``."""
    cards = popcount(view.hand)
    tricks, need = scratch[TRICKS:OTHER_TRICKS], needs[1] - 1
    distribute(scratch, cards, place_in_hand(view.hand, card), need, tricks)
    entries[0] = LOSES
    wins = 0.0
    if beats(card, view.best):
        entries[0], wins = WINS, 1.0
        if view.trick_length < SEATS - 1:
            entries[0] = MAY_WIN
            now_entries(view, needs, card, entries, NOW)
            wins = chance(table, entries, NOW, OF_NOW)
    met = (1 - wins) * tricks[need]
    met += wins * tricks[need - 1] if need > 0 else 0.0
    entries[1] = C_NEED + ((entries[0] * SEATS + view.trick_length) * SIZES + cards) * NEEDS + needs[1]
    return log_odds(met) + table[entries[1]]


@jit
def weigh_kept(table, view, needs, entries, scratch):
    """Put the chance of every card in hand to win a later trick into ``scratch``."""
    kept = entries[KEPT:]
    later_entries(view, needs, kept)
    for i in range(popcount(view.hand)):
        scratch[i] = chance(table, kept, OF_LATER * i, OF_LATER)


@jit
def best_card(table, view, entries, scratch):
    """The legal card that best lets the bid be met, or breaks others' once it is lost."""
    needs = table_needs(view, popcount(view.hand))
    if needs[1] > 0:
        weigh_kept(table, view, needs, entries, scratch)
    choice, best, rest = -1, -np.inf, view.legal
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if needs[1] > 0:
            value = odds_met(table, view, needs, card, entries, scratch)
        else:
            spoil_entries(view, needs, card, entries, 0)
            value = chance(table, entries, 0, OF_SPOILING)
        if value > best:
            choice, best = card, value
    return choice


@jit
def study_bid(table, slopes, size, bid, taken, entries, target, share, scratch):
    """Add the gradient of the loss of one bid to ``slopes``.

    ``entries`` are those of the cards, then those of the two corrections.

    The loss: that of the chance to make the bid, and ``share`` of that of the tricks that were taken.
    """
    tricks = scratch[TRICKS:OTHER_TRICKS]
    for i in range(size):
        scratch[i] = chance(table, entries, OF_BID * i, OF_BID)
    distribute(scratch, size, -1, size, tricks)
    exactly, seen = tricks[bid], max(tricks[taken], LEAST)
    odds, asked, trumps = log_odds(exactly), entries[OF_BID * size], entries[OF_BID * size + 1]
    error = 1 / (1 + np.exp(-(table[M_SCALE] * odds + table[asked] + table[trumps]))) - target
    slopes[asked] += np.float32(error)
    slopes[trumps] += np.float32(error)
    slopes[M_SCALE] += np.float32(error * odds)
    back = error * table[M_SCALE] * slope_of(exactly)
    for i in range(size):
        distribute(scratch, size, i, size, tricks)
        change = back * one_more(tricks, bid) - share / seen * one_more(tricks, taken)
        spread_slope(slopes, entries, OF_BID * i, OF_BID, change * scratch[i] * (1 - scratch[i]))


@jit
def study_play(table, slopes, cards, skip, need, won, later, entries, target, share, scratch):
    """Add the gradient of the loss of one card to ``slopes``.

    It was number ``skip`` of ``cards`` in hand, with ``need`` tricks to take; ``entries`` as ``odds_met``
    left them. The loss: that of the chance to make the bid, and ``share`` of those of this trick, whether it
    ``won``, and of the ``later`` ones.
    """
    tricks, kept = scratch[TRICKS:OTHER_TRICKS], entries[KEPT:]
    for i in range(cards):
        scratch[i] = chance(table, kept, OF_LATER * i, OF_LATER)
    distribute(scratch, cards, skip, cards - 1, tricks)
    wins = 1.0 * (entries[0] == WINS)
    if entries[0] == MAY_WIN:
        wins = chance(table, entries, NOW, OF_NOW)
    fewer = tricks[need - 1] if need > 0 else 0.0
    met = (1 - wins) * tricks[need] + wins * fewer
    error = 1 / (1 + np.exp(-(log_odds(met) + table[entries[1]]))) - target
    slopes[entries[1]] += np.float32(error)
    back = error * slope_of(met)
    if entries[0] == MAY_WIN:
        slope = back * (fewer - tricks[need]) * wins * (1 - wins) + share * (wins - won)
        spread_slope(slopes, entries, NOW, OF_NOW, slope)
    seen = max(tricks[later], LEAST)
    for i in range(cards):
        if i != skip:
            own, scratch[i] = scratch[i], 0.0
            distribute(scratch, cards, skip, cards - 1, tricks)
            scratch[i] = own
            change = (1 - wins) * one_more(tricks, need)
            change += wins * one_more(tricks, need - 1) if need > 0 else 0.0
            slope = back * change - share / seen * one_more(tricks, later)
            spread_slope(slopes, kept, OF_LATER * i, OF_LATER, slope * own * (1 - own))


@jit
def study_spoiling(table, slopes, entries, target):
    """Add the gradient of the log-loss of one card played after the bid was lost to ``slopes``."""
    error = chance(table, entries, 0, OF_SPOILING) - target
    spread_slope(slopes, entries, 0, OF_SPOILING, error)
