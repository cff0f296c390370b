"""The chance to win the game from the scores after a round.

Each player that is still in wins by its share of all weights; a weight is the square of the distance to 101
and ``ease`` points more. In games between ``heuristic``s an ease of 30 told winners about as well as any
other power and ease.
"""

from bridzik_sim.games.fool.playout import points
from bridzik_sim.games.fool.rules import LIMIT, total_after
from bridzik_sim.jit import jit


@jit
def score_after(position, seat):
    """Match score of a seat after the round of ``position``, which is over."""
    return total_after(position.scores[seat], points(position, seat))


@jit
def chance_to_win(position, seat, ease):
    """The chance of ``seat`` to win the game, once the round of ``position`` is over."""
    total, own = 0.0, 0.0
    for other in range(position.seats):
        score = score_after(position, other)
        if position.still_in[other] and score <= LIMIT:
            weight = (LIMIT - score + ease) ** 2
            total += weight
            own += weight if other == seat else 0.0
    return own / total if total > 0 else share_of_lowest(position, seat)


@jit
def share_of_lowest(position, seat):
    """The share of a seat in the win when everybody is out: the lowest total wins, ties share."""
    own, ties = score_after(position, seat), 0
    for other in range(position.seats):
        if position.still_in[other]:
            score = score_after(position, other)
            if score < own:
                return 0.0
            ties += 1 if score == own else 0
    return 1.0 / ties
