"""Games of bridge of every kind of deal, played by the reference engine, as records."""

import random
from types import SimpleNamespace

from bridzik_sim.games.bridge import reference


def seated(chance, passing):
    """Four who pass so often and else take any answer."""

    def answer(view):
        legal = int(view.legal)
        return chance.choice([code for code in range(legal.bit_length()) if legal >> code & 1])

    def call(view):
        return 0 if chance.random() < passing else answer(view)

    return [SimpleNamespace(call=call, play=answer)] * 4


def played(number, **options):
    """A game of random answers as its record: every fourth one with few passes, every tenth with nothing else."""
    chance = random.Random(number)
    passing = 1 if number % 10 == 9 else 0.3 if number % 4 == 0 else 0.8
    game = reference.play_game(seated(chance, passing), seed=5, unit=number, **options)
    names = ["random", 'a "b" \\', "ž", "x=[1]"]
    return game.as_dict(options=options, seed=5, unit=number, seating=0, seats=names)


def records():
    """Duplicate deals, rubbers, and duplicate deals declared by the last bid."""
    duplicate = [played(number, scoring="duplicate") for number in range(60)]
    rubbers = [played(number, max_deals=30) for number in range(3)]
    last_bid = [played(number, scoring="duplicate", declarer="last_bid") for number in range(60, 70)]
    return duplicate + rubbers + last_bid
