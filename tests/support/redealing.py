"""Playing a deal while the cards that a seat cannot see are dealt anew: neither its view nor its answer may change."""

import copy

import numpy as np

from bridzik_sim.games.plain import SeatView


def redeal(table, seat, cards, rng):
    """The same public history with the cards hidden from ``seat`` dealt anew, as many to each other seat as before.

    ``cards``: all that may be in hands.
    """
    other = copy.deepcopy(table)
    seen = table.hands[seat] | set(table.played)
    hidden = [card for card in cards if card not in seen]
    rng.shuffle(hidden)
    for place, hand in enumerate(other.hands):
        if place != seat:
            other.hands[place] = {hidden.pop() for _ in hand}
    return other


class Redealing:
    """Plays as a strategy does, and checks every decision against three changes of what it may not know.

    ``change(table, seat)`` gives a table that must look the same to the seat.
    """

    def __init__(self, callables, table, change):
        self.callables, self.table, self.change, self.decisions = callables, table, change, 0

    def __getattr__(self, decision):
        def answer(view):
            before, fields = view.tobytes(), {name: np.copy(view[name]) for name in view.dtype.names}
            given = getattr(self.callables, decision)(view)
            for _ in range(3):
                changed = self.change(self.table, int(view.seat))
                legal = [code for code in range(63) if view.legal >> code & 1]
                again = SeatView(view.dtype)
                again.write(fields)
                again.write(changed.view_fields(int(view.seat), legal))
                assert again.record.tobytes() == before
                assert getattr(self.callables, decision)(again.record) == given
            self.decisions += 1
            return given

        return answer
