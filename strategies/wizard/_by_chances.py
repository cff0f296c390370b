"""Bids and plays from the chances of single cards (see ``_chances``), and the gradient of how well they fit.

``scratch`` is float64[SCRATCH]: chances of the cards, distributions of the tricks of all of them and of all
but one, points of the bids.
"""

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.rules import (
    A_TRICK,
    BONUS,
    FIRST_JESTER,
    FIRST_WIZARD,
    MAX_SIZE,
    SUITS,
    beats,
    is_wizard,
    next_lead,
)
from bridzik_sim.jit import jit
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
from strategies.wizard._chances import (
    C_SCALE,
    CORRECTIONS,
    LOSES,
    M_SCALE,
    MAY_WIN,
    OF_BID,
    OF_LATER,
    OF_NOW,
    SIZES,
    WINS,
    asked_before,
    bid_corrections,
    bid_entries,
    card_corrections,
    later_entries,
    now_entries,
    table_needs,
)

TRICKS = MAX_SIZE
REST = TRICKS + SIZES
POINTS = REST + SIZES
SCRATCH = POINTS + SIZES
# A play notes in its entries what it does to the trick, its corrections, OF_NOW entries of the card, then
# those of the kept cards.
FIXES, NOW, KEPT = 1, 1 + CORRECTIONS, 1 + CORRECTIONS + OF_NOW
ENTRIES_OF_A_DECISION = KEPT + MAX_SIZE * OF_LATER


@jit
def leave_out(tricks, count, wins, rest):
    """Put into ``rest`` the distribution of the tricks of ``count`` cards without one, of chance ``wins``.

    It divides the card out, from the end where errors do not grow; ``rest[count]`` is 0.
    """
    rest[count] = 0.0
    if wins <= 0.5:
        loses, before = 1 / (1 - wins), 0.0
        for n in range(count):
            before = rest[n] = (tricks[n] - wins * before) * loses
    else:
        part, after = 1 / wins, 0.0
        for n in range(count, 0, -1):
            after = rest[n - 1] = (tricks[n] - (1 - wins) * after) * part


@jit
def corrected(table, scale, odds, entries, first):
    """Chance from log-odds times what is at ``scale``, and their corrections, from ``first`` on."""
    odds *= table[scale]
    for i in range(first, first + CORRECTIONS):
        odds += table[entries[i]]
    return 1 / (1 + np.exp(-odds))


@jit
def worth(made, exactly, missed, bid):
    """Points to expect of a bid that is made with chance ``made``.

    By the distribution of tricks it is made with chance ``exactly``, and missed by ``missed`` in the mean.
    """
    away = max(missed / max(1 - exactly, LEAST), 1.0)
    return made * (BONUS + A_TRICK * bid) - (1 - made) * A_TRICK * away


@jit
def bid_points(table, view, entries, scratch):
    """Put the expected points of every bid into ``scratch``."""
    size, tricks = view.size, scratch[TRICKS:REST]
    asked = asked_before(view)
    bid_entries(view, asked, entries)
    for i in range(size):
        scratch[i] = chance(table, entries, OF_BID * i, OF_BID)
    distribute(scratch, size, -1, size, tricks)
    for bid in range(size + 1):
        missed = 0.0
        for taken in range(size + 1):
            missed += tricks[taken] * abs(taken - bid)
        bid_corrections(view, asked, bid, entries, 0)
        made = corrected(table, M_SCALE + size, log_odds(tricks[bid]), entries, 0)
        scratch[POINTS + bid] = worth(made, tricks[bid], missed, bid)


@jit
def best_bid(table, view, entries, scratch):
    """The legal bid with the highest expected points."""
    bid_points(table, view, entries, scratch)
    choice, best = lowest(view.legal), -np.inf
    for bid in range(view.size + 1):
        if view.legal >> bid & 1 and scratch[POINTS + bid] > best:
            choice, best = bid, scratch[POINTS + bid]
    return choice


@jit
def best_trump(table, view, entries, scratch):
    """The suit whose best bid has the highest expected points."""
    choice, best = 0, -np.inf
    for suit in range(SUITS):
        view.trump = suit
        bid_points(table, view, entries, scratch)
        for bid in range(view.size + 1):
            if scratch[POINTS + bid] > best:
                choice, best = suit, scratch[POINTS + bid]
    view.trump = -1
    return choice


@jit
def chance_now(table, view, needs, card, entries):
    """Chance of a card to win the current trick; notes what it does and the entries."""
    entries[0] = LOSES
    if not beats(card, view.best, next_lead(view.lead, view.best, card), view.trump):
        return 0.0
    entries[0] = WINS
    if view.trick_length == view.seats - 1 or is_wizard(card):
        return 1.0
    entries[0] = MAY_WIN
    now_entries(view, needs, card, entries, NOW)
    return chance(table, entries, NOW, OF_NOW)


@jit
def card_points(table, view, needs, need, card, entries, scratch):
    """Points to expect after a card, from what ``weigh_kept`` put into ``scratch``."""
    cards, tricks = popcount(view.hand), scratch[REST:POINTS]
    leave_out(scratch[TRICKS:REST], cards, scratch[place_in_hand(view.hand, card)], tricks)
    wins = chance_now(table, view, needs, card, entries)
    missed = 0.0
    for later in range(cards):
        missed += tricks[later] * ((1 - wins) * abs(later - need) + wins * abs(later + 1 - need))
    if need < 0 or need > cards:
        return -A_TRICK * missed
    exactly = (1 - wins) * tricks[need]
    exactly += wins * tricks[need - 1] if need > 0 else 0.0
    card_corrections(view, needs, need, entries[0], entries, FIXES)
    made = corrected(table, C_SCALE + cards, log_odds(exactly), entries, FIXES)
    return worth(made, exactly, missed, view.bids[view.seat])


@jit
def weigh_kept(table, view, needs, entries, scratch):
    """Put chances of every card in hand to win a later trick into ``scratch``, and their distribution."""
    kept, cards = entries[KEPT:], popcount(view.hand)
    later_entries(view, needs, kept)
    for i in range(cards):
        scratch[i] = chance(table, kept, OF_LATER * i, OF_LATER)
    distribute(scratch, cards, -1, cards, scratch[TRICKS:REST])


@jit
def best_card(table, view, entries, scratch):
    """The legal card with the highest expected points."""
    needs, need = table_needs(view, popcount(view.hand)), view.bids[view.seat] - view.taken[view.seat]
    weigh_kept(table, view, needs, entries, scratch)
    choice, best, rest = -1, -np.inf, view.legal
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        value = card_points(table, view, needs, need, card, entries, scratch)
        if value > best:
            choice, best = card, value
        # One wizard is like another, and so are jesters.
        rest &= -1 << FIRST_JESTER if card >= FIRST_WIZARD else -1
        rest = rest if card < FIRST_JESTER else 0
    return choice


@jit
def study_made(table, slopes, scale, exactly, entries, first, target):
    """Add the gradient of the loss of the chance to make a bid by its scale and its corrections.

    Returns the slope of the loss by ``exactly``, what the distribution of tricks gives.
    """
    odds = log_odds(exactly)
    error = corrected(table, scale, odds, entries, first) - target
    spread_slope(slopes, entries, first, CORRECTIONS, error)
    slopes[scale] += np.float32(error * odds)
    return error * table[scale] * slope_of(exactly)


@jit
def study_bid(table, slopes, size, bid, taken, entries, target, share, scratch):
    """Add the gradient of the loss of one bid to ``slopes``.

    ``entries`` are those of the cards, then those of the corrections. The loss: that of the chance to make
    the bid, and ``share`` of that of the tricks that were taken.
    """
    tricks, rest, fixes = scratch[TRICKS:REST], scratch[REST:POINTS], OF_BID * size
    for i in range(size):
        scratch[i] = chance(table, entries, OF_BID * i, OF_BID)
    distribute(scratch, size, -1, size, tricks)
    exactly, seen = tricks[bid], max(tricks[taken], LEAST)
    back = study_made(table, slopes, M_SCALE + size, exactly, entries, fixes, target)
    for i in range(size):
        leave_out(tricks, size, scratch[i], rest)
        change = back * one_more(rest, bid) - share / seen * one_more(rest, taken)
        spread_slope(slopes, entries, OF_BID * i, OF_BID, change * scratch[i] * (1 - scratch[i]))


@jit
def study_play(table, slopes, cards, skip, need, won, later, entries, target, share, scratch):
    """Add the gradient of the loss of one card to ``slopes``.

    It was number ``skip`` of ``cards`` in hand, with ``need`` tricks to take; ``entries`` as ``card_points``
    left them. The loss: that of the chance to make the bid, unless that is lost, and ``share`` of those of
    this trick, whether it ``won``, and of the ``later`` ones.
    """
    tricks, rest, kept = scratch[TRICKS:REST], scratch[REST:POINTS], entries[KEPT:]
    for i in range(cards):
        scratch[i] = chance(table, kept, OF_LATER * i, OF_LATER)
    distribute(scratch, cards, skip, cards, tricks)
    wins = 1.0 * (entries[0] == WINS)
    if entries[0] == MAY_WIN:
        wins = chance(table, entries, NOW, OF_NOW)
    back = fewer = exactly = 0.0
    if 0 <= need <= cards:
        fewer, exactly = tricks[need - 1] if need > 0 else 0.0, tricks[need]
        met = (1 - wins) * exactly + wins * fewer
        back = study_made(table, slopes, C_SCALE + cards, met, entries, FIXES, target)
    if entries[0] == MAY_WIN:
        slope = back * (fewer - exactly) * wins * (1 - wins) + share * (wins - won)
        spread_slope(slopes, entries, NOW, OF_NOW, slope)
    seen = max(tricks[later], LEAST)
    for i in range(cards):
        if i != skip:
            own = scratch[i]
            leave_out(tricks, cards, own, rest)
            slope = -share / seen * one_more(rest, later)
            if back != 0:
                slope += back * (1 - wins) * one_more(rest, need)
                slope += back * wins * one_more(rest, need - 1) if need > 0 else 0.0
            spread_slope(slopes, kept, OF_LATER * i, OF_LATER, slope * own * (1 - own))
