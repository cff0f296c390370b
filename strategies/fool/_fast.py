"""The fast policy that searching strategies play by, and how a round goes on under it."""

from bridzik_sim.cards import lowest
from bridzik_sim.games.fool.playout import apply, show
from bridzik_sim.jit import jit
from strategies.fool import heuristic

policy_move, policy_suit = jit(heuristic.move), jit(heuristic.suit)
KNOBS = tuple(heuristic.PARAMS.values())
NOTES = len((heuristic.LEFT, heuristic.LACKS, heuristic.HELD))


@jit
def set_knobs(views):
    """Write the policy's own parameters into the views in which positions are shown to it, one a seat."""
    for seat in range(views.size):
        for i in range(len(KNOBS)):
            views[seat].params[i] = KNOBS[i]


@jit
def policy_answer(position, views):
    """What the policy answers for the seat to decide, in the room of ``views`` for what that seat sees."""
    view = views[position.turn]
    show(position, view)
    if position.choosing:
        return policy_suit(view)
    return lowest(view.legal) if view.legal & (view.legal - 1) == 0 else policy_move(view)


@jit
def finish(position, views, answer):
    """Carry out an answer and play the round to its end; nobody remembers what was before."""
    for seat in range(views.size):
        for i in range(NOTES):
            views[seat].memory[i] = 0.0
    while True:
        apply(position, answer)
        if position.turn < 0:
            return
        answer = policy_answer(position, views)
