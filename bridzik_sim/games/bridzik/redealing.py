"""Bridžik with other cards where a seat cannot see them; the contract is in ``games/game.py``."""

from functools import partial

from bridzik_sim.games import redealing_bids
from bridzik_sim.games.bridzik.rules import DECK

redeals = partial(redealing_bids.redeals, DECK)
