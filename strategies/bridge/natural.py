"""Bids by points, length and fit, aware of the score; plays by rules of thumb."""

from strategies.bridge._auction import best_call
from strategies.bridge._cards import choose_card


def call(view):
    """The call that describes the hand best."""
    return best_call(view)


def play(view):
    """The card by the rules of ``_cards``."""
    seat = view.playing_for
    if seat == view.dummy_seat:
        return choose_card(view, seat, view.dummy, view.hand, 0, view.legal)
    if seat == view.declarer:
        return choose_card(view, seat, view.hand, view.dummy, 0, view.legal)
    return choose_card(view, seat, view.hand, 0, view.dummy, view.legal)
