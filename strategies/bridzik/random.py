"""Bids and plays any legal answer, each equally likely."""

from bridzik_sim.streams import choose


def bid(view):
    """Any legal bid."""
    return choose(view)


def play(view):
    """Any legal card."""
    return choose(view)
