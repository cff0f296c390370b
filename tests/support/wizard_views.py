"""Views of Wizard set up by hand."""

from bridzik_sim.games.exact_bids import legal_bids
from bridzik_sim.games.plain import SeatView
from bridzik_sim.games.wizard.rules import (
    ALL_SUITS,
    DECK,
    MAX_SEATS,
    VIEW,
    beats,
    legal_cards,
    next_lead,
    turned_suit,
)


def mask(cards, without=0):
    """Mask of card names such as ``R1 W W J``; of wizards and jesters the lowest that are not in ``without``."""
    found = 0
    for name in cards.split():
        card = DECK.id(name)
        while (found | without) >> card & 1:
            card += 1
        found |= 1 << card
    return found


def by_seat(values, absent=0):
    return [*values, *[absent] * (MAX_SEATS - len(values))]


def empty(hand, seats, turned):
    view = SeatView(VIEW).record
    view.seats, view.sum_rule = seats, 1
    view.hand, view.size = mask(hand), len(hand.split())
    view.trump_card = DECK.id(turned) if turned else -1
    view.trump = turned_suit(int(view.trump_card))
    view.bids, view.trick = -1, -1
    view.leader = view.best = view.lead = view.forbidden = -1
    view.stream = (1, 2, 3, 4)
    return view


def bidding(hand, bids=(), forbidden=-1, *, seats=4, turned="R1", hidden=False):
    """The view of the next bidder after ``bids``; the first one sits at seat 0."""
    view = empty(hand, seats, turned)
    view.seat = view.position = len(bids)
    view.forbidden = forbidden
    view.has_bid[: len(bids)] = 1
    view.bids[: len(bids)] = -1 if hidden else bids
    view.legal = legal_bids(int(view.size), forbidden)
    return view


def choosing(hand, *, seats=4):
    """The view of the dealer who names the trump."""
    view = empty(hand, seats, "W")
    view.seat = view.position = seats - 1
    view.legal = ALL_SUITS
    return view


def playing(hand, trick="", bids=(0, 0, 0, 0), taken=(), *, gone="", turned="R1"):
    """The view of seat 0 with ``hand`` after the cards of ``trick``; ``gone`` are cards of earlier tricks."""
    seats = len(bids)
    view = empty(hand, seats, turned)
    special = view.hand
    for place, name in enumerate(trick.split()):
        laid = mask(name, special)
        special |= laid
        card = laid.bit_length() - 1
        view.lead = lead = next_lead(int(view.lead), int(view.best), card)
        view.best = card if beats(card, int(view.best), lead, int(view.trump)) else view.best
        view.trick[place] = card
        view.played |= laid
    view.trick_length = len(trick.split())
    view.leader = -view.trick_length % seats
    view.played |= mask(gone, special)
    view.taken = by_seat(taken)
    view.size += sum(taken)
    view.bids, view.has_bid = by_seat(bids, -1), by_seat([1] * seats)
    view.legal = legal_cards(int(view.hand), int(view.lead))
    return view
