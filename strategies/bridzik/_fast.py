"""The fast policies that searching strategies play by, and how a deal goes on under them.

The seat that searches plays as ``champion``, the others as ``table``.
"""

from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.bridzik.playout import apply, show
from bridzik_sim.games.bridzik.rules import RANKS, SEATS
from bridzik_sim.jit import jit
from strategies.bridzik import champion, table
from strategies.parts.search import runs

own_bid, own_play = jit(champion.bid), jit(champion.play)
other_bid, other_play = jit(table.bid), jit(table.play)


@jit
def policy_answer(position, view, own):
    """What the policy of the seat to decide answers; ``own`` is the seat that searches.

    ``view`` is room for what the seat sees.
    """
    show(position, view)
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    if position.turn == own:
        return own_bid(view) if position.bidders < SEATS else own_play(view)
    return other_bid(view) if position.bidders < SEATS else other_play(view)


@jit
def different(view, own):
    """Mask of legal cards, one of every run of neighbours that no card of others lies between.

    ``own`` stands for its run, else the lowest.
    """
    others = ~(view.hand | view.played)
    for place in range(view.trick_length):
        others |= 1 << view.trick[place]
    return runs(view.legal, others, own, RANKS)


@jit(inline=True)
def finish(position, view, own):
    """Play the deal to its end; ``own`` is the seat that searches."""
    while position.turn >= 0:
        apply(position, policy_answer(position, view, own))


@jit(inline=True)
def chance_of_bid(position, view, seat):
    """Chance that ``seat`` makes its bid: played on to its next choice, which its network then judges."""
    while position.turn >= 0:
        if position.turn == seat and position.bidders == SEATS:
            need, cards = position.bids[seat] - position.taken[seat], popcount(position.hands[seat])
            if need < 0 or need > cards:
                return 0.0
            show(position, view)
            if view.legal & (view.legal - 1) != 0:
                return champion.chance(view)
        apply(position, policy_answer(position, view, seat))
    return 1.0 * (position.taken[seat] == position.bids[seat])
