"""Bids by points, length and fit, aware of the score; plays by rules of thumb."""

from strategies.bridge._auction import best_call
from strategies.bridge._cards import choose_card


def call(view):
    """The call that describes the hand best."""
    return best_call(view)


def play(view):
    """The card by the rules of ``_cards``."""
    seat = view.playing_for
    # One call, whose zeros are variables: numba would compile all of it anew for every constant.
    hand, mate, dummy = view.hand, 0, view.dummy
    if seat == view.dummy_seat:
        hand, mate, dummy = view.dummy, view.hand, 0
    elif seat == view.declarer:
        mate, dummy = view.dummy, 0
    return choose_card(view, seat, hand, mate, dummy, view.legal)
