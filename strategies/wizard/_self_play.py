"""What learning in self-play needs to know of Wizard (see ``parts/self_play``).

An answer is told whether its seat made the bid. The learner sits at all seats.
"""

from bridzik_sim import streams
from bridzik_sim.cards import lowest, popcount
from bridzik_sim.games.wizard.playout import POSITION, apply, set_deal, show
from bridzik_sim.games.wizard.rules import MAX_SEATS, MAX_SIZE, VIEW, WHOLE_DECK, round_points, rounds
from bridzik_sim.jit import jit
from strategies.parts.self_play import Game, Round

ROOM = 256


@jit
def deal_round(dealer, position, seats):
    """Deal a round of any size, with a random starter, as the rules do: no trump where all are dealt."""
    deck, size = WHOLE_DECK, 1 + streams.below(dealer, rounds(seats))
    for seat in range(seats):
        hand = 0
        while popcount(hand) < size:
            hand |= streams.take(dealer, deck ^ hand, min(size - popcount(hand), 8))
        position.hands[seat] = hand
        deck ^= hand
    turned = lowest(streams.take(dealer, deck, 1)) if deck != 0 else -1
    set_deal(position, seats, size - 1, streams.below(dealer, seats), turned, 1, 0)


@jit
def choose_seats(dealer, seats):
    """Mask of all seats."""
    return (1 << seats) - 1


@jit
def note(view, example):
    """Nothing else is needed."""


@jit
def target(position, example):
    """1 for a bid that was made, else 0."""
    return 1.0 * (position.bids[example.seat] == position.taken[example.seat])


def game(seats):
    """Wizard for so many players."""
    functions = deal_round, choose_seats, show, apply, note, target, round_points
    return Game(
        position=POSITION,
        view=VIEW,
        most=MAX_SEATS * (MAX_SIZE + 1),
        room=ROOM,
        round=Round(seats, *functions),
    )
