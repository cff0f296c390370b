"""What learning in self-play needs to know of Bridžik (see ``parts/self_play``).

An answer is told whether its seat made the bid. A seat whose bid is lost learns to spoil: it is told the
share of the others that fail. In half of the rounds the learner sits at all four seats, else at one or two,
beside the strategies it shall beat.
"""

from bridzik_sim import streams
from bridzik_sim.cards import popcount
from bridzik_sim.games.bridzik.playout import POSITION, apply, set_deal, show
from bridzik_sim.games.bridzik.rules import MAX_SIZE, SEATS, VIEW, WHOLE_DECK, round_points
from bridzik_sim.jit import jit
from strategies.bridzik._features import need_code
from strategies.parts.self_play import Game, Round

ROOM = 128


@jit
def deal_round(dealer, position, size):
    """Deal a round of ``size`` cards with a random first bidder."""
    deck = WHOLE_DECK
    for seat in range(SEATS):
        hand = streams.take(dealer, deck, size)
        position.hands[seat] = hand
        deck ^= hand
    set_deal(position, MAX_SIZE - size, size, streams.below(dealer, SEATS))


@jit
def choose_seats(dealer, size):
    """Mask of the learner's seats: all in half of the rounds, one in a quarter, two in a quarter."""
    kind, first = streams.below(dealer, 4), streams.below(dealer, SEATS)
    step = streams.below(dealer, SEATS - 1)
    if kind < 2:
        return (1 << SEATS) - 1
    return 1 << first if kind == 2 else 1 << first | 1 << (first + 1 + step) % SEATS


@jit
def note(view, example):
    """Note whether the bid is lost already."""
    need = need_code(view.bids[view.seat], view.taken[view.seat], popcount(view.hand))
    example.lost = not example.bidding and need == 0


@jit
def target(position, example):
    """1 for a bid that was made, else 0; for one that was lost already, the share of the others that fail."""
    made = position.bids[example.seat] == position.taken[example.seat]
    failed = 0
    for seat in range(SEATS):
        failed += position.bids[seat] != position.taken[seat]
    return (failed - 1) / (SEATS - 1) if example.lost else 1.0 * made


GAME = Game(
    position=POSITION,
    view=VIEW,
    most=SEATS * (MAX_SIZE + 1),
    room=ROOM,
    round=Round(SEATS, deal_round, choose_seats, show, apply, note, target, round_points),
)
