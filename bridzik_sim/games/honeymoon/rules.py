"""Honeymoon (marriage) bridge: what the game is (in prose: ``rules.md``); scores: ``games/contract.py``.

Seats 0 and 1 are N and S. Cards have the ids of ``games/french_cards.py``. Answers: a call is its code (0
pass, 1 to 35 the bids from 1C to 7NT, 36 double, 37 redouble), a card its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bridzik_sim.games import contract_sums, view
from bridzik_sim.games.french_cards import DECK, WHOLE_DECK, WORDS
from bridzik_sim.games.game import Game, Option, Options
from bridzik_sim.games.measure import Measure
from bridzik_sim.games.options import one_of, whole_number
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Tally

SEATS = 2
SEAT_NAMES = "NS"
HAND_SIZE = 13
STOCK = 26
DRAWING, AUCTION, PLAY = range(3)
"""The phases of a deal."""
MAX_CALLS = 112
"""Room for any auction of two; the longest has 107 calls."""
VULNERABILITIES = ("cycle", "random", "none", "both")
RULES_VERSION = 1

PUBLIC_FIELDS = view.layout(
    view.common(SEATS),
    view.tricks(SEATS),
    view.contracts(MAX_CALLS),
    [
        view.Field("phase", 0, "0 while cards are drawn, 1 in the auction, 2 in the play of the contract"),
        view.Field("stock", 0, "cards left in the stock"),
        view.Field("deals", 0, "deals of the match"),
    ],
)
FIELDS = [
    *PUBLIC_FIELDS,
    *view.layout(
        view.own(position=False),
        [
            view.Field(
                "unseen", 0, "mask of the cards not seen yet; from the auction on just the opponent's hand"
            )
        ],
        view.cheat(SEATS),
    ),
]
VIEW = view.dtype(FIELDS)


@jit
def dealer_of(deal):
    """The seat that deals: within eight deals each with every vulnerability."""
    return (deal + deal // 4) % SEATS


@jit
def unseen(hand, played):
    """Cards that are neither in the hand nor out of play."""
    return WHOLE_DECK & ~(hand | played)


def tallies(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """What a run of matches counts."""
    return contract_sums.layouts(entrants, match, kind=contract_sums.MATCH)


def measured(game: Game, options: Options, compared: bool) -> Game:
    """The game with its measure for so many deals a match, and what is counted against par."""
    measure = replace(game.measure, worth=options["deals"])
    rows = SEATS * options["deals"]
    if options["par"] == "off":
        return replace(game, measure=measure, rows_a_game=rows)
    quantities = contract_sums.PAR_QUANTITIES
    counted = partial(contract_sums.layouts, kind=contract_sums.MATCH, quantities=quantities)
    return replace(game, measure=measure, rows_a_game=rows, quantities=quantities, tallies=counted)


GAME = Game(
    name="honeymoon",
    title="Honeymoon bridge",
    summary="contract bridge for two: cards are drawn in a first phase, then auction and play with open eyes",
    seat_counts=(SEATS,),
    usual_seats=SEATS,
    decisions=("call", "play"),
    measure=Measure("net points a deal", "points", net=True),
    rules_version=RULES_VERSION,
    options=(
        Option("deals", 16, "deals of a match (default: 16)", whole_number(1, 1000, "deals")),
        Option(
            "vulnerability",
            "cycle",
            "cycle: none, N, S, both in turn; or random, none, both (default: cycle)",
            one_of(*VULNERABILITIES),
        ),
        Option(
            "par",
            "off",
            "on: measure calls and cards against par, by solving every deal, which takes time (default: off)",
            one_of("off", "on"),
        ),
    ),
    variant=measured,
    deck=DECK,
    view=VIEW,
    view_help={field.name: field.help for field in FIELDS},
    quantities=contract_sums.QUANTITIES,
    tallies=tallies,
    rows_a_game=16 * SEATS,
    row_columns=contract_sums.ROW_COLUMNS,
    check_options={"vulnerability": "random"},
    words=WORDS,
)
