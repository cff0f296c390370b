"""Chances of cards to take tricks, from what a seat can see.

``weigh_hand`` gives every card of a hand its chance to take a later trick: log-odds that are a sum of a few
measures of the card and its surroundings, each times a weight for wizards, jesters, trumps and plain cards.
``chance_to_stand`` is the chance that a card which wins the trick so far is not beaten by those still to
play: hand by hand, how likely it can, by the number of cards it may hold, and how readily it then does.

Weights and readiness were fitted to tricks of games that the strategy played with itself at all sizes of
table, by greatest likelihood, a dozen times over: each time with those found before.
"""

from math import comb

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.rules import (
    FIRST_JESTER,
    JESTERS,
    MAX_SIZE,
    NUMBERS,
    RANKS,
    SUITS,
    WHOLE_DECK,
    WIZARDS,
    is_wizard,
    led_cards,
    next_lead,
)
from bridzik_sim.jit import jit

WIZARD, JESTER, TRUMP, PLAIN = range(4)
# Weights of the measures, in columns for wizards, jesters, trumps and plain cards.
BIDDING = {
    "any": (3.66, -4.02, -0.63, -1.9),
    "wizards_out": (0.55, -0.91, -1.17, -0.69),
    "own_trumps": (0.14, 0.0, 1.49, 0.37),
    "greed": (-1.93, -0.03, -2.35, -2.5),
    "cards": (-0.35, -1.48, 1.26, 1.25),
    "seats": (-0.15, -1.25, -0.14, -0.25),
    "want": (0.0, 0.0, 0.0, 0.0),
    "length": (0.35, -0.19, -0.07, -0.08),
    "others": (0.0, 0.0, -0.26, 0.21),
    "trumps_out": (0.0, 0.0, 0.0, -0.21),
    "voids": (0.0, 0.0, 0.0, 0.0),
    "near_top": (0.0, 0.0, -1.62, -3.13),
    "above": (0.0, 0.0, -0.4, -0.28),
}
PLAYING = {
    "any": (3.19, -4.97, 1.07, -0.91),
    "wizards_out": (-3.63, -1.24, -2.24, -1.65),
    "own_trumps": (-0.41, 0.0, -0.01, 0.07),
    "greed": (1.65, -1.35, -1.2, -2.49),
    "cards": (0.11, -0.84, 0.16, 0.34),
    "seats": (0.06, -1.28, -0.08, -0.2),
    "want": (4.95, 1.85, 2.27, 3.57),
    "length": (-0.21, -0.44, 0.05, -0.01),
    "others": (0.0, 0.0, 0.14, 0.56),
    "trumps_out": (0.0, 0.0, 0.0, -0.22),
    "voids": (0.0, 0.0, 0.1, -0.16),
    "near_top": (0.0, 0.0, -0.74, -1.86),
    "above": (0.0, 0.0, -0.48, -0.43),
}
WEIGHTS = np.array([list(BIDDING.values()), list(PLAYING.values())])
(ANY, WIZARDS_OUT, OWN_TRUMPS, GREED, CARDS, SEATS, WANT) = range(7)
(LENGTH, OTHERS, TRUMPS_OUT, VOIDS, NEAR_TOP, ABOVE) = range(7, 13)
"""Of every card: ANY 1; WIZARDS_OUT wizards in other hands, CARDS the logarithm and OWN_TRUMPS the share of
trumps, for the cards held; GREED of the table (``greed_of_bids``, ``greed_of_needs``); SEATS above 3; WANT
the share of the tricks that this seat needs, beyond a fair one; LENGTH further cards of its suit or kind in
hand. Of number cards: OTHERS and TRUMPS_OUT cards of the suit and trumps that an other hand has on average;
VOIDS the share of the others that have shown to lack the suit; NEAR_TOP x / (1 + x) and ABOVE x, for the
number x of higher cards of the suit to be expected in other hands.
"""
LOGARITHM = np.log(np.maximum(np.arange(MAX_SIZE + 1), 1))

# How readily a hand that can beat a card does so: by a higher one of the suit and by a trump, for those whose
# bid is met and those who need tricks, and by a wizard.
HIGHER, RUFF, BY_WIZARD = (1.01, 1.03), (0.37, 1.09), 0.46


def _chances_of_none():
    """``[held, room, k]``: chance that ``held`` of ``room`` unseen cards include none of ``k`` given ones."""
    table = np.zeros((MAX_SIZE + 1, WHOLE_DECK.bit_length(), RANKS + 5))
    for held, room, k in np.ndindex(table.shape):
        if room >= held:
            table[held, room, k] = comb(max(room - k, 0), held) / comb(room, held)
    return table


NONE_OF = _chances_of_none()


@jit
def unseen_cards(view):
    """Mask of the cards in other hands or not dealt."""
    turned = 1 << view.trump_card if view.trump_card >= 0 else 0
    return WHOLE_DECK & ~(view.played | view.hand | turned)


@jit
def greed_of_bids(view):
    """Share of the tricks that the bids so far ask for, beyond a fair one; bids that are hidden are fair.

    The last one to bid learns the sum from the bid that is forbidden.
    """
    asked, bidders = 0, 0
    for seat in range(view.seats):
        known = view.bids[seat] >= 0
        asked += view.bids[seat] if known else 0
        bidders += known
    if view.forbidden >= 0:
        asked, bidders = view.size - view.forbidden, view.seats - 1
    return asked / view.size - bidders / view.seats


@jit
def greed_of_needs(view, cards):
    """Tricks that the whole table still needs, beyond the ``cards`` that there are, for each of these."""
    wanted = 0
    for seat in range(view.seats):
        wanted += max(view.bids[seat] - view.taken[seat], 0)
    return wanted / cards - 1


@jit
def weigh_hand(view, weights, held, greed, want, chances, courage):
    """Put the chance of each card in hand, lowest id first, to take a later trick into ``chances``.

    The others then hold ``held`` cards each (at least 1). ``courage`` is added to all log-odds.
    """
    unseen, others = unseen_cards(view), view.seats - 1
    share = min(others * held / max(popcount(unseen), 1), 1.0)
    own_trumps = popcount(view.hand & led_cards(view.trump)) / held
    trumps_out = popcount(unseen & led_cards(view.trump)) * share / others
    wizards_out = popcount(unseen & WIZARDS) * share / held
    place = 0
    for suit in range(SUITS):
        rest = view.hand & led_cards(suit)
        if rest != 0:
            kind = TRUMP if suit == view.trump else PLAIN
            odds = courage + for_all(view, weights, kind, held, greed, want, wizards_out, own_trumps)
            around, voids = unseen & led_cards(suit), 0
            for seat in range(view.seats):
                voids += view.seen_void[seat] >> suit & 1
            odds += weights[LENGTH, kind] * (popcount(rest) - 1)
            odds += weights[OTHERS, kind] * popcount(around) * share / others
            odds += weights[TRUMPS_OUT, kind] * trumps_out + weights[VOIDS, kind] * voids / others
            while rest != 0:
                above = popcount(around >> lowest(rest)) * share
                rest &= rest - 1
                more = weights[NEAR_TOP, kind] * above / (1 + above) + weights[ABOVE, kind] * above
                chances[place] = chance_of(odds + more)
                place += 1
    for kind, cards in ((WIZARD, WIZARDS), (JESTER, JESTERS)):
        count = popcount(view.hand & cards)
        if count > 0:
            odds = courage + for_all(view, weights, kind, held, greed, want, wizards_out, own_trumps)
            chance = chance_of(odds + weights[LENGTH, kind] * (count - 1))
            chances[place : place + count] = chance
            place += count


@jit
def for_all(view, weights, kind, held, greed, want, wizards_out, own_trumps):
    """The part of the log-odds that all cards of a kind share."""
    odds = weights[ANY, kind] + weights[WIZARDS_OUT, kind] * wizards_out
    odds += weights[OWN_TRUMPS, kind] * own_trumps + weights[GREED, kind] * greed
    odds += weights[CARDS, kind] * LOGARITHM[held] + weights[SEATS, kind] * (view.seats - 3)
    return odds + weights[WANT, kind] * want


@jit
def chance_of(odds):
    """Chance of log-odds."""
    return 1 / (1 + np.exp(-odds))


@jit
def chance_to_stand(view, card, held):
    """Chance that ``card``, which wins so far, is not beaten by those still to play; each holds ``held``."""
    if is_wizard(card) or view.trick_length == view.seats - 1:
        return 1.0
    unseen = unseen_cards(view)
    room, wizards = popcount(unseen), popcount(unseen & WIZARDS)
    lead = next_lead(view.lead, view.best, card)
    higher, in_suit, trumps = threats(view, unseen, card, lead)
    over, lacks = 1 - NONE_OF[held, room, higher], NONE_OF[held, room, in_suit]
    ruffs = 1 - NONE_OF[held, max(room - in_suit, held), trumps]
    wizard = (1 - NONE_OF[held, room, wizards]) / np.sqrt(held)
    hazard = 0.0
    for step in range(1, view.seats - view.trick_length):
        seat = view.seat + step - (view.seats if view.seat + step >= view.seats else 0)
        needs = 1 if view.bids[seat] > view.taken[seat] else 0
        has_none = lead >= 0 and view.seen_void[seat] >> lead & 1
        no_trumps = view.trump >= 0 and view.seen_void[seat] >> view.trump & 1
        hazard += BY_WIZARD * wizard
        hazard += 0.0 if has_none else HIGHER[needs] * over
        hazard += 0.0 if no_trumps else RUFF[needs] * ruffs * (1.0 if has_none else lacks)
    return np.exp(-hazard)


@jit
def threats(view, unseen, card, lead):
    """Unseen cards: (higher ones that follow suit, all of the suit to follow, trumps that beat it)."""
    if card >= FIRST_JESTER:
        return min(popcount(unseen & NUMBERS), RANKS), 0, 0
    suit = card // RANKS
    above = popcount((unseen & led_cards(suit)) >> card)
    if suit != lead:
        return 0, popcount(unseen & led_cards(lead)), above
    trumps = 0 if suit == view.trump else popcount(unseen & led_cards(view.trump))
    return above, popcount(unseen & led_cards(lead)), trumps
