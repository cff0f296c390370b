"""Makes the tables of ``exact``: part 1 solves the one-card round, part 2 approaches the two-card round."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bridzik_sim.games.bridzik.rules import DECK, SEATS
from strategies.bridzik import _one_card, _solve_two_cards

PARTS = ("1", "2")
# Two-card rounds learned, and how often the others answer at random meanwhile.
ROUNDS, EXPLORE = 6_000_000, 0.02
# Information sets that hardly came up then are answered as learned among others who often answer at random.
ODD_ROUNDS, ODD_EXPLORE, OFTEN_ENOUGH = 4_000_000, 0.5, 10
MEASURED = 4_000_000


def train(part: str, seed: int, say: Callable[[str], None]) -> dict[str, np.ndarray[Any, Any]]:
    """The tables of one part: see ``exact``. Part 1 has nothing random in it."""
    return one_card(say) if part == "1" else two_cards(seed, say)


def one_card(say: Callable[[str], None]) -> dict[str, np.ndarray[Any, Any]]:
    """``one_card``, int64[15]: which cards bid 1, by node."""
    profile, unreached = _one_card.solve()
    gain, points, exact = _one_card.gains(profile)
    say(f"one card: the only equilibrium, over {_one_card.DEALS:,} deals; which cards bid 1, by bids so far:")
    for node in range(_one_card.NODES):
        before = " ".join(_one_card.bids_before(node)) or "none"
        allowed = _one_card.allowed(node)
        never = f" (never held there: {cards_in_words(unreached[node])})" if unreached[node] else ""
        bids = cards_in_words(profile[node]) if len(allowed) > 1 else f"only {allowed[0]} is allowed"
        say(f"  after {before}: {bids}{never}")
    for seat in range(SEATS):
        mean, share = points[seat] / _one_card.DEALS, exact[seat] / _one_card.DEALS
        say(f"position {seat}: {mean:.4f} points, {share:.2%} exact, a best response gains {gain[seat]}")
    if gain.any():
        raise ArithmeticError("a best response gains on the one-card table")
    return {"one_card": profile}


def cards_in_words(mask: int) -> str:
    """A set of cards as text, such as "H8 HA"."""
    return " ".join(DECK.names(int(mask))) or "none"


def two_cards(seed: int, say: Callable[[str], None]) -> dict[str, np.ndarray[Any, Any]]:
    """``two_bids``, uint8[6240], and ``two_plays``, bits of uint8, little end first: by information set."""
    usual, often = _solve_two_cards.solve(seed, ROUNDS, EXPLORE)
    odd, rarely = _solve_two_cards.solve(seed, ODD_ROUNDS, ODD_EXPLORE)
    answers = []
    for k, what in enumerate(("bids", "cards")):
        seldom, never = often[k] < OFTEN_ENOUGH, often[k] + rarely[k] == 0
        answers.append(np.where(seldom, odd[k].argmax(axis=1), usual[k].argmax(axis=1)))
        say(
            f"two cards: of {len(seldom):,} sets for {what} {np.count_nonzero(~seldom):,} are usual, "
            f"{np.count_nonzero(never):,} were never met"
        )
    bids, plays = answers
    policies = np.eye(3)[bids], plays.astype(np.float64)
    for seat in range(SEATS):
        found = _solve_two_cards.best_response(seed, MEASURED, seat, *policies)
        points, error, exact, gain, gain_error = found
        say(
            f"position {seat}: {points:.4f} ± {error:.4f} points, {exact:.2%} exact, "
            f"a learned response gains {gain:.4f} ± {gain_error:.4f} (standard errors)"
        )
    return {"two_bids": bids.astype(np.uint8), "two_plays": np.packbits(plays, bitorder="little")}
