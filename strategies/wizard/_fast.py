"""The fast policy that searching strategies play by, and how a deal goes on under it."""

from bridzik_sim.cards import lowest
from bridzik_sim.games.wizard.playout import apply, bidding, show
from bridzik_sim.games.wizard.rules import FIRST_JESTER, FIRST_WIZARD, JESTERS, RANKS, WIZARDS
from bridzik_sim.jit import jit
from strategies.parts.search import runs
from strategies.wizard import heuristic

policy_bid, policy_play, policy_trump = jit(heuristic.bid), jit(heuristic.play), jit(heuristic.trump)
KNOBS = tuple(heuristic.PARAMS.values())


@jit
def set_knobs(view):
    """Write the policy's own parameters into a view in which positions are shown to it."""
    for i in range(len(KNOBS)):
        view.params[i] = KNOBS[i]


@jit
def policy_answer(position, view):
    """What the policy answers for the seat to decide; ``view`` is room for what that seat sees."""
    show(position, view)
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    if position.choosing:
        return policy_trump(view)
    return policy_bid(view) if bidding(position) else policy_play(view)


@jit(inline=True)
def finish(position, view):
    """Play the deal to its end."""
    while position.turn >= 0:
        apply(position, policy_answer(position, view))


@jit
def different(view, own):
    """Mask of legal cards, one of every run of neighbours that no card of others lies between.

    Of wizards one, and of jesters. ``own`` stands for its run, else the lowest.
    """
    others = ~(view.hand | view.played)
    if view.trump_card >= 0:
        others &= ~(1 << view.trump_card)
    for place in range(view.trick_length):
        others |= 1 << view.trick[place]
    wizards, jesters = view.legal & WIZARDS, view.legal & JESTERS
    chosen = runs(view.legal & ~(WIZARDS | JESTERS), others, own, RANKS)
    chosen |= 1 << own if FIRST_WIZARD <= own < FIRST_JESTER else wizards & -wizards
    return chosen | (1 << own if own >= FIRST_JESTER else jesters & -jesters)
