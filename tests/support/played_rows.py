"""Rows of units as the kernel writes them."""

import numpy as np
import pandas as pd

from bridzik_sim import experiment
from bridzik_sim.play import Player


def rows_of(game, lineup, seed, units, first_unit=0, seating="given", **options):
    """The rows of a number of units from ``first_unit`` on, a frame."""
    how = {"game": game, "first_unit": first_unit, "seating": seating, "rows": "csv", "options": options}
    made = experiment.make(lineup, units, seed, **how)
    played = Player(made).units(made.first_unit, made.last_unit, np.zeros(2, np.int64))
    return pd.DataFrame(played.rows, columns=list(made.game.row_columns))
