"""Who wins a trick that is not over yet."""

from bridzik_sim.jit import jit


@jit
def winning_place(view):
    """Place in the current trick of the card that wins it so far, 0 for the one led; -1 before that."""
    for place in range(view.trick_length):
        if view.trick[place] == view.best:
            return place
    return -1
