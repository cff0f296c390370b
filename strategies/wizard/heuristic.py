"""Weighs each card's chance to win; bids and plays for the highest expected points of the whole round.

How it thinks, in four steps:

1. Each card gets a chance of taking a trick, from the cards that are not seen yet (in other hands or not
   dealt), trumps and wizards among them, the suits that others have shown to lack, the number of seats and
   what the table needs (``_outlook``).
2. As if the cards won or lost independently, these chances give a distribution of the tricks still to come.
3. It bids the number for which the points of a round, over this distribution, are highest. It plays the card
   after which they are: a winner or a loser as its bid asks for. A lost bid still counts, since each further
   trick too many or too few costs points; there it also looks at what the others need. Of cards about as good
   it keeps wizards and jesters, with which it can still take or leave a trick as it likes, and low cards.
4. The dealer chooses the trump that makes most tricks likely.

While bids are hidden it takes them to be fair shares. It draws no random numbers.
"""

import numpy as np

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.rules import (
    FIRST_JESTER,
    FIRST_WIZARD,
    MAX_SIZE,
    RANKS,
    SUITS,
    beats,
    next_lead,
    round_points,
)
from bridzik_sim.jit import jit
from strategies.parts.tricks import winning_place
from strategies.wizard._outlook import WEIGHTS, chance_to_stand, greed_of_bids, greed_of_needs, weigh_hand

# courage moves the log-odds of every card when bidding: above 0 it bids more, below 0 less. spite: points
# that it gives, once its bid is lost, for taking a trick that the leading seat needs, or leaving it one that
# it does not need.
PARAMS = {"courage": 0.0, "spite": 1.0}
RANGES = {"courage": (-3.0, 3.0), "spite": (0.0, 50.0)}

# Chance that the play still corrects one trick too many or too few.
STEERS = 0.1
# Points that a wizard and a jester are worth as long as there is something to steer, and points for each rank
# of a number card that is got rid of, when it loses the trick and when it may win it.
KEEP_WIZARD, KEEP_JESTER = 3.0, 2.0
SHED, WIN_HIGH = 0.2, 0.15

# view.memory holds the chances of the cards in hand, and from here the chances of 0, 1, ... tricks.
TRICKS = MAX_SIZE


def bid(view):
    """The bid with the highest expected points."""
    weigh_hand(view, WEIGHTS[0], view.size, greed_of_bids(view), 0.0, view.memory, view.params[0])
    tricks = view.memory[TRICKS:]
    tricks[0] = 1.0
    for i in range(view.size):
        add_card(tricks, i, view.memory[i])
    choice, best = lowest(view.legal), -np.inf
    for number in range(view.size + 1):
        if view.legal >> number & 1:
            points = 0.0
            for taken in range(view.size + 1):
                points += tricks[taken] * steered_points(number, taken)
            if points > best:
                choice, best = number, points
    return choice


def play(view):
    """The card after which the expected points of the round are highest."""
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    cards = popcount(view.hand)
    need = view.bids[view.seat] - view.taken[view.seat]
    want = max(need, 0) / cards - 1 / view.seats
    weigh_hand(view, WEIGHTS[1], cards - 1, greed_of_needs(view, cards), want, view.memory, 0.0)
    spite = view.params[1] * leaders_need(view) if not 0 <= need <= cards else 0.0
    return best_card(view, cards, need, spite)


def trump(view):
    """The suit in which most tricks are to be expected."""
    choice, best = 0, -1.0
    for suit in range(SUITS):
        view.trump = suit
        weigh_hand(view, WEIGHTS[0], view.size, 0.0, 0.0, view.memory, 0.0)
        tricks = view.memory[: view.size].sum()
        if tricks > best:
            choice, best = suit, tricks
    view.trump = -1
    return choice


@jit
def add_card(tricks, count, chance):
    """Turn the chances of 0 to ``count`` tricks into those with one card more, which wins by ``chance``."""
    tricks[count + 1] = tricks[count] * chance
    for n in range(count, 0, -1):
        tricks[n] += chance * (tricks[n - 1] - tricks[n])
    tricks[0] -= chance * tricks[0]


@jit
def steered_points(number, taken):
    """Points of a bid when as many tricks are to come, of which one too many or too few may be corrected."""
    points = round_points(number, taken)
    if taken == number:
        return 1.0 * points
    nearer = round_points(number, taken + 1 if taken < number else taken - 1)
    return points + STEERS * (nearer - points)


@jit
def best_card(view, cards, need, spite):
    """The legal card with the highest expected points, from the chances in the memory.

    The chances of the tricks from the cards before it and the points that follow with those after it meet at
    each card; so no distribution is made anew.
    """
    worth, tricks = worth_after(view, cards, need), view.memory[TRICKS:]
    choice, best, rest = -1, -np.inf, view.hand
    tricks[0] = 1.0
    for i in range(cards):
        card = lowest(rest)
        rest &= rest - 1
        if view.legal >> card & 1:
            loses, wins = 0.0, 0.0
            for n in range(i + 1):
                loses += tricks[n] * worth[i + 1, n]
                wins += tricks[n] * worth[i + 1, n + 1]
            takes = beats(card, view.best, next_lead(view.lead, view.best, card), view.trump)
            chance = chance_to_stand(view, card, cards) if takes else 0.0
            points = loses + chance * (wins - loses + spite) + bonus(card, takes, cards)
            if points > best:
                choice, best = card, points
        add_card(tricks, i, view.memory[i])
    return choice


@jit
def worth_after(view, cards, need):
    """float64[cards + 1, cards + 1]: points to expect of the cards from ``i`` on after ``n`` tricks."""
    worth = np.empty((cards + 1, cards + 1))
    bid = view.bids[view.seat]
    for n in range(cards + 1):
        worth[cards, n] = round_points(bid, bid - need + n)
    for i in range(cards - 1, 0, -1):
        chance = view.memory[i]
        for n in range(i + 1):
            worth[i, n] = worth[i + 1, n] + chance * (worth[i + 1, n + 1] - worth[i + 1, n])
    return worth


@jit
def bonus(card, takes, cards):
    """Points for what is got rid of with a card, less what a special card could have done later."""
    if card < FIRST_WIZARD:
        return (WIN_HIGH if takes else SHED) * (card % RANKS)
    later = 1 - 1 / (cards - 1)
    return -(KEEP_JESTER if card >= FIRST_JESTER else KEEP_WIZARD) * later


@jit
def leaders_need(view):
    """1 when the seat that wins the trick so far needs it, -1 when it does not, 0 when nobody has played."""
    if view.trick_length == 0:
        return 0
    seat = (view.leader + winning_place(view)) % view.seats
    return 1 if view.bids[seat] > view.taken[seat] else -1
