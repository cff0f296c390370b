"""Views of Czech Fool set up by hand: those of seat 0, whose neighbour is seat 1."""

from bridzik_sim.games.fool.rules import ALL_SUITS, DECKS, MAX_SEATS, QUEEN, VIEW, fitting, legal_moves
from bridzik_sim.games.french_cards import DECK, RANKS
from bridzik_sim.games.plain import SeatView

LIMIT = 101


def mask(names):
    return sum(1 << DECK.id(name) for name in names.split())


def by_seat(values, absent=0):
    return [*values, *[absent] * (MAX_SEATS - len(values))]


def viewing(
    hand, top, others=(5, 5, 5), *, gone="", suit=-1, eight=0, drawn=0, deck=52, forced=0, last=(), scores=(),
    returned="", fresh=(), dealer=0, params=(),
):  # fmt: skip
    """The view of seat 0 at a move.

    ``others`` hold so many cards. ``gone`` lies below ``top``; ``suit`` is the one that a queen asks for.
    ``last`` are last moves, ``fresh`` cards drawn since the reshuffle that ``returned`` cards, by seat.
    """
    view, seats = SeatView(VIEW).record, 1 + len(others)
    view.seats, view.players, view.turns, view.dealer = seats, seats, 9, dealer
    view.hand, view.top, view.gone = mask(hand), DECK.id(top), mask(f"{top} {gone}")
    view.counts, view.still_in = by_seat([len(hand.split()), *others]), by_seat([1] * seats)
    view.scores = by_seat(scores)
    view.distance = by_seat([LIMIT - view.scores[seat] for seat in range(seats)])
    view.last_move, view.fresh = by_seat(last, -1), by_seat(fresh)
    view.deck, view.forced, view.chosen_suit, view.open_eight, view.has_drawn = (
        DECKS[deck],
        forced,
        suit,
        eight,
        drawn,
    )
    view.returned = mask(returned)
    view.stock = deck - sum(view.counts) - int(view.gone).bit_count()
    fits = fitting(int(view.hand), int(view.top), suit, eight)
    can_draw = view.stock > 0 or gone != ""
    view.legal = legal_moves(fits, eight, drawn, can_draw, forced)
    view.stream = (1, 2, 3, 4)
    view.params[: len(params)] = params
    return view


def choosing(hand, queen, others=(5, 5, 5), **more):
    """The view of seat 0 that has played a queen and has to choose a suit."""
    view = viewing(hand, queen, others, last=[DECK.id(queen)], **more)
    assert view.top % RANKS == QUEEN
    view.legal = ALL_SUITS
    return view
