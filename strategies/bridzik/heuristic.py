"""Weighs each card's chance to win; bids and plays what makes exactly its bid most likely.

How it thinks, in three steps:

1. From the cards not seen yet (in other hands or not dealt), the suits others have shown they lack and what
   they still need, each card gets a chance of taking a trick.
2. As if the cards won or lost independently, these chances give a distribution of the tricks still to come.
3. It bids the number with the highest expected points, and plays the card after which meeting its need is
   most probable.

Once its bid is lost it spoils those of the others. It draws no random numbers.
"""

from math import comb, exp

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.bridzik.rules import (
    BONUS,
    HEARTS,
    MAX_SIZE,
    RANKS,
    SEATS,
    SUIT_CARDS,
    WHOLE_DECK,
    beats,
)
from bridzik_sim.jit import jit
from strategies.parts.tricks import winning_place

# Moves the log-odds of every card when bidding: above 0 it bids more, below 0 less.
PARAMS = {"courage": 0.0}

# How readily an opponent beats a card, as a multiple of the chance that it holds a higher one. Who still
# needs tricks holds more high cards and uses them; LATER is for tricks to come, UNKNOWN for a deal not begun.
NEEDING, SATISFIED, LATER, UNKNOWN = 1.3, 0.8, 1.0, 0.7
BY_NEED = -1.0
# Changes of a card's chance, as a share of its chance to lose. For each further card of its suit in hand: a
# long plain suit is ruffed sooner, and easy to lose with; a long trump suit outlasts the others. For a heart
# with each plain suit missing in hand: the hand must ruff there.
LONG_PLAIN, LONG_TRUMP, RUFF = -0.25, 0.14, 0.065
# The same for every card while bidding: there is time to throw plain cards away, and to be made to ruff.
EARLY_PLAIN, EARLY_TRUMP = -0.06, 0.12
# No card is ever quite certain to lose.
LEAST = 0.001
# Change of the log-odds of every card with the greed of the table: the tricks it asks for beyond its fair
# share, over those there are. Bids of others leave fewer tricks for this hand; in the play a greedy table
# uses up its high cards sooner.
GREED_BIDDING, GREED_PLAYING = -1.44, 0.8


def _chances_of_none():
    """``[held, room, k]``: chance that ``held`` of ``room`` unseen cards include none of ``k`` given ones."""
    table = np.ones((MAX_SIZE + 1, SEATS * RANKS + 1, RANKS + 1))
    for held, room, k in np.ndindex(table.shape):
        if room >= held:
            table[held, room, k] = comb(max(room - k, 0), held) / comb(room, held)
    return table


NONE_OF = _chances_of_none()
# view.memory holds the chance of each card in hand at its id, and from here the chances of 0, 1, ... tricks.
TRICKS = SEATS * RANKS


def bid(view):
    """The bid with the highest expected points."""
    asked, bidders = 0, 0
    for seat in range(SEATS):
        asked += view.bids[seat] if view.has_bid[seat] else 0
        bidders += view.has_bid[seat]
    greed = asked / view.size - bidders / SEATS
    weigh_hand(view, WHOLE_DECK & ~view.hand, view.size, exp(GREED_BIDDING * greed + view.params[0]), True)
    count_tricks(view, view.hand, view.size)
    choice, best = lowest(view.legal), -1.0
    for tricks in range(view.size + 1):
        points = (BONUS + tricks) * view.memory[TRICKS + tricks]
        if view.legal >> tricks & 1 and points > best:
            choice, best = tricks, points
    return choice


def play(view):
    """The card after which exactly the tricks needed are most likely."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    cards = popcount(view.hand)
    unseen = WHOLE_DECK & ~(view.played | view.hand)
    need = view.bids[view.seat] - view.taken[view.seat]
    if need < 0 or need > cards:
        return spoil(view, unseen, cards)
    top_trump = highest(view.hand & HEARTS)
    if need == cards and view.trick_length == 0 and top_trump > highest(unseen & HEARTS):
        return top_trump  # every trick is needed: draw the trumps that could take one away
    greed = tricks_wanted(view) / cards - 1
    weigh_hand(view, unseen, cards - 1, exp(GREED_PLAYING * greed), False)
    return best_card(view, unseen, cards, need)


@jit
def best_card(view, unseen, cards, need):
    """The legal card that best lets the need be met; among equals the highest, a danger later."""
    lead = view.lead if view.trick_length > 0 else -1
    trick = outlook(view, unseen, max(lead, 0), cards)
    choice, best, rest = -1, -1.0, view.legal
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if lead < 0:
            trick = outlook(view, unseen, suit_of(card), cards)
        wins = chance_now(view, unseen, card, trick)
        count_tricks(view, view.hand ^ (1 << card), need)
        met = (1 - wins) * view.memory[TRICKS + need]
        met += wins * view.memory[TRICKS + need - 1] if need > 0 else 0.0
        met += 1e-6 * (card % RANKS)
        if met > best:
            choice, best = card, met
    return choice


@jit
def spoil(view, unseen, cards):
    """The bid is lost: take the tricks that others need, leave them those they do not."""
    take = tricks_wanted(view) >= cards
    if view.trick_length > 0:
        winner = (view.leader + winning_place(view)) % SEATS
        take = view.bids[winner] > view.taken[winner]
    choice, best, rest = -1, -2.0, view.legal
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        lead = view.lead if view.trick_length > 0 else suit_of(card)
        wins = chance_now(view, unseen, card, outlook(view, unseen, lead, cards))
        rank = 1e-3 * (card % RANKS)
        worth = wins - rank if take else rank - wins
        if worth > best:
            choice, best = card, worth
    return choice


@jit
def tricks_wanted(view):
    """Tricks the whole table still needs for its bids."""
    wanted = 0
    for seat in range(SEATS):
        wanted += max(view.bids[seat] - view.taken[seat], 0)
    return wanted


@jit
def count_tricks(view, cards, most):
    """Put the chances of 0, 1, ... ``most`` tricks from ``cards`` into the memory at TRICKS."""
    tricks = view.memory[TRICKS : TRICKS + MAX_SIZE + 1]
    tricks[0] = 1.0
    for n in range(1, most + 1):
        tricks[n] = 0.0
    while cards != 0:
        wins = view.memory[lowest(cards)]
        cards &= cards - 1
        for n in range(most, 0, -1):
            tricks[n] += wins * (tricks[n - 1] - tricks[n])
        tricks[0] -= wins * tricks[0]


@jit
def weigh_hand(view, unseen, held, odds, bidding):
    """Put each card's chance to take a later trick, when others hold ``held`` cards each, into the memory.

    ``odds`` multiplies the odds of every card.
    """
    change, ready = (EARLY_TRUMP, UNKNOWN) if bidding else (0.0, LATER)
    for suit in range(1, SEATS):
        change += RUFF if view.hand & suit_cards(suit) == 0 else 0.0
    for suit in range(SEATS):
        rest = view.hand & suit_cards(suit)
        if suit > 0:
            change = EARLY_PLAIN if bidding else 0.0
        change += (LONG_PLAIN if suit > 0 else LONG_TRUMP) * (popcount(rest) - 1)
        trick = outlook(view, unseen, suit, held)
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            stands = chance_to_stand(view, unseen, card, trick, SEATS - 1, ready)
            chance = min(max(stands + (1 - stands) * change, LEAST), 1.0)
            view.memory[card] = odds * chance / (odds * chance + 1 - chance)


@jit
def chance_now(view, unseen, card, trick):
    """Chance that ``card`` takes the current trick, whose ``outlook`` is given."""
    if beats(card, view.best):
        return chance_to_stand(view, unseen, card, trick, SEATS - 1 - view.trick_length, BY_NEED)
    return 0.0


@jit
def outlook(view, unseen, lead, held):
    """A trick of suit ``lead`` when others hold ``held`` cards each: (lead, held, room, in_suit, lacks).

    A hand not known to lack the suit is drawn from ``room`` unseen cards, ``in_suit`` of them of the suit;
    ``lacks`` is the chance that it has none of those.
    """
    room = popcount(unseen)
    for step in range(1, SEATS):
        room -= held * (view.seen_void[(view.seat + step) % SEATS] >> lead & 1)
    room = max(room, held)
    in_suit = popcount(unseen & suit_cards(lead))
    return lead, held, room, in_suit, NONE_OF[held, room, in_suit]


@jit
def chance_to_stand(view, unseen, card, trick, opponents, readiness):
    """Chance that the next ``opponents`` seats do not beat ``card``, which wins the trick so far.

    ``trick`` is its ``outlook``; ``readiness`` is that of every opponent, or BY_NEED.
    """
    lead, held, room, in_suit, lacks = trick
    higher = popcount(unseen & above(card))
    follows = suit_of(card) == lead
    over = 1 - NONE_OF[held, room, higher] if follows else 0.0
    ruffs = 0.0
    if lead > 0:
        # Without the suit it must play a heart; against a heart only a higher one counts.
        hearts = popcount(unseen & HEARTS) if follows else higher
        ruffs = 1 - NONE_OF[held, max(room - in_suit, held), hearts]
    chance = 1.0
    for step in range(1, opponents + 1):
        seat = (view.seat + step) % SEATS
        ready = readiness
        if readiness == BY_NEED:
            ready = NEEDING if view.bids[seat] > view.taken[seat] else SATISFIED
        ruffing = 0.0 if view.seen_void[seat] & 1 else ruffs
        beaten = ruffing if view.seen_void[seat] >> lead & 1 else ready * over + lacks * ruffing
        chance *= max(1 - beaten, 0.0)
    return chance


@jit
def suit_of(card):
    """Suit of a card."""
    return card // RANKS


@jit
def suit_cards(suit):
    """Mask of a suit."""
    return SUIT_CARDS << RANKS * suit


@jit
def above(card):
    """Mask of the higher cards of the same suit."""
    return (1 << RANKS * (suit_of(card) + 1)) - (2 << card)
