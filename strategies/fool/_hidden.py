"""What a seat knows of the cards it cannot see: where they may be, and what passing tells of them.

Before the first reshuffle an unseen card may be in any hand or in the stock. After one, those that it put
into the stock are there or have been drawn since, and a view tells how many of them each hand holds
(``fresh``); the others are in the rest of the hands. All deals like that are equally likely, but for what
players do: who has passed on the top card mostly had nothing that fits.
"""

from bridzik_sim import streams
from bridzik_sim.cards import popcount
from bridzik_sim.games.fool.rules import PASS, QUEEN, QUEENS, fitting, skips
from bridzik_sim.games.french_cards import RANKS
from bridzik_sim.jit import jit
from strategies.parts.hidden import some_of

# How likely it is to pass with a card that fits, and with a queen.
HELD_BACK, QUEEN_HELD_BACK = 0.15, 0.5


@jit
def lay_out(view, position):
    """Deal the cards that a seat cannot see into the hands and the stock of ``position``.

    All deals that agree with the view are equally likely; it is the order of the stock that is left to
    ``position.stream`` and ``position.words``, which are drawn, too.
    """
    unseen = view.deck & ~(view.hand | view.gone)
    drawn = unseen & view.returned
    kept = unseen ^ drawn
    for seat in range(view.seats):
        if seat == view.seat:
            position.hands[seat] = view.hand
        else:
            old = some_of(view, kept, view.counts[seat] - view.fresh[seat])
            new = some_of(view, drawn, view.fresh[seat])
            position.hands[seat] = old | new
            kept ^= old
            drawn ^= new
    position.left = position.order = kept | drawn
    for i in range(4):
        position.words[i] = streams.next_word(view.stream)
        position.stream[i] = streams.next_word(view.stream)


@jit
def passed_on_top(view):
    """Mask of the others that have passed since the top card was played; nobody while a suit is chosen."""
    if view.top % RANKS == QUEEN and view.chosen_suit < 0:
        return 0
    passed, owner = 0, -1
    for step in range(view.seats):
        # The last to have played it: the card may have been played, reshuffled and drawn before.
        seat = (view.seat + step) % view.seats
        passed |= 1 << seat if step > 0 and view.last_move[seat] == PASS else 0
        owner = seat if view.last_move[seat] == view.top else owner
    # No owner: it has passed since, and so have all others; or this is the opening card.
    return passed if owner < 0 else passed & seats_since(view, owner)


@jit
def seats_since(view, owner):
    """Mask of the seats that have had a turn since ``owner`` played the top card."""
    seats, seat, skipped = 0, owner, skips(view.top)
    while True:
        seat = seat + 1 if seat + 1 < view.seats else 0
        if not view.still_in[seat]:
            continue
        if not skipped and seat == view.seat:
            return seats
        seats |= 0 if skipped else 1 << seat
        skipped = False


@jit
def likelihood(view, passed, hands):
    """How likely it is that the seats of ``passed`` passed with these hands, a number up to 1."""
    chance = 1.0
    for seat in range(view.seats):
        if passed >> seat & 1:
            fits = fitting(hands[seat], view.top, view.chosen_suit, 0)
            chance *= HELD_BACK ** popcount(fits & ~QUEENS) * QUEEN_HELD_BACK ** popcount(fits & QUEENS)
    return chance
