"""The fast policy that searching strategies play by, and how a deal goes on under it."""

from bridzik_sim.cards import lowest
from bridzik_sim.games.auction import allowed_cards
from bridzik_sim.games.bridge.playout import declarer_tricks, play
from bridzik_sim.games.bridge.rules import partner_of, side_of
from bridzik_sim.games.contract import (
    GAME_LINE,
    above_points,
    duplicate_points,
    level,
    trick_points,
    undertrick_points,
)
from bridzik_sim.games.french_cards import RANKS
from bridzik_sim.jit import jit
from strategies.bridge._cards import choose_card
from strategies.parts.search import runs

# About what a game, the one that ends a rubber, and a part-score are worth in a rubber.
A_GAME, LAST_GAME, A_PART = 350, 500, 60


@jit
def policy_card(position):
    """What the policy plays for the seat in turn, by what that seat may see."""
    seat = position.turn
    hand = position.hands[seat]
    legal = allowed_cards(position, hand)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    mate, dummy = 0, position.dummy
    if side_of(seat) == side_of(position.declarer):
        mate, dummy = position.hands[partner_of(seat)], 0
    return choose_card(position, seat, hand, mate, dummy, legal)


@jit
def finish(position):
    """Play the deal on to its end; returns the tricks of the declarer's side."""
    while position.turn >= 0:
        play(position, policy_card(position))
    return declarer_tricks(position)


@jit
def points_for(table, tricks):
    """What the declarer's side gains by ``tricks``, less than 0 when it is down."""
    bid, doubled, side = table.contract, table.doubled, side_of(table.declarer)
    vulnerable, under = table.vulnerable[side], 6 + level(bid) - tricks
    if table.duplicate:
        return duplicate_points(bid, doubled, vulnerable, tricks)
    if under > 0:
        return -undertrick_points(doubled, vulnerable, under)
    below = trick_points(bid, doubled)
    worth = A_PART
    if table.below[side] + below >= GAME_LINE:
        worth = LAST_GAME if table.games[0] + table.games[1] == 2 else A_GAME
    return below + above_points(bid, doubled, vulnerable, tricks) + worth


@jit
def different(position, legal, own):
    """Mask of legal cards, one of every run of neighbours that no card of another hand lies between.

    ``own`` stands for its run, else the lowest.
    """
    others = ~(position.hands[position.turn] | position.played)
    for place in range(position.trick_length):
        others |= 1 << position.trick[place]
    return runs(legal, others, own, RANKS)
