"""The fast policy that searching strategies let everyone play by, and how a deal goes on under it."""

from bridzik_sim.cards import lowest
from bridzik_sim.games.bridzik.playout import apply, show
from bridzik_sim.games.bridzik.rules import RANKS, SEATS
from bridzik_sim.jit import jit
from strategies.bridzik import heuristic

policy_bid, policy_play = jit(heuristic.bid), jit(heuristic.play)


@jit
def policy_answer(position, view):
    """What the policy answers at ``position``; ``view`` is room for what the seat sees."""
    show(position, view)
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    return policy_bid(view) if position.bidders < SEATS else policy_play(view)


@jit
def different(view, own):
    """Mask of legal cards, one of every run of neighbours that no card of others lies between.

    ``own`` stands for its run, else the lowest.
    """
    others = ~(view.hand | view.played)
    for place in range(view.trick_length):
        others |= 1 << view.trick[place]
    chosen, rest, run, last = 0, view.legal, 0, -1
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        between = ((1 << card) - 1) & ~((2 << last) - 1) if last >= 0 else 0
        if last < 0 or card // RANKS != last // RANKS or between & others:
            chosen |= run
            run = 1 << card
        if card == own:
            run = 1 << card
        last = card
    return chosen | run


@jit
def finish(position, view):
    """Play the deal to its end."""
    while position.turn >= 0:
        apply(position, policy_answer(position, view))


@jit
def makes_bid(position, view, seat):
    """Play on until it is clear whether ``seat`` makes its bid; return 1 if so, else 0."""
    while position.turn >= 0:
        if position.bidders == SEATS and position.taken[seat] > position.bids[seat]:
            return 0
        apply(position, policy_answer(position, view))
    return 1 if position.taken[seat] == position.bids[seat] else 0
