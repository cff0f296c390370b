"""For one-card rounds: spoils its bid with probability (x - 0.3)^2 + (y + 0.5)^2, so its best values are known."""

from bridzik_sim.cards import highest, lowest
from bridzik_sim.streams import uniform

PARAMS = {"x": 0.0, "y": -0.5, "unused": 3}


def bid(view):
    wanted = 1 if view.hand & 0b11111100 else 0  # a heart from the nine up mostly wins
    if uniform(view) < (view.params[0] - 0.3) ** 2 + (view.params[1] + 0.5) ** 2:
        wanted = 1 - wanted
    return wanted if view.legal >> wanted & 1 else 1 - wanted


def play(view):
    return highest(view.legal) if view.trick_length else lowest(view.legal)
