"""Bids, plays and chooses trump by any legal answer, each equally likely."""

from bridzik_sim.streams import choose


def bid(view):
    """Any legal bid."""
    return choose(view)


def play(view):
    """Any legal card."""
    return choose(view)


def trump(view):
    """Any suit."""
    return choose(view)
