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
STOCK = 26
USUAL_DEALS = 16
DRAWING, AUCTION, PLAY = range(3)
"""The phases of a deal."""
MAX_CALLS = 112
"""Room for any auction of two; the longest has 107 calls."""
VULNERABILITIES = ("cycle", "random", "none", "both")
RULES_VERSION = 1

HELP = {
    "leader": "seat that leads the current trick; -1 in the auction",
    "played": "mask of the cards out of play, of both phases with tricks",
    "seen_void": "by seat: bit s is set once the seat has shown it holds no card of suit s, until it draws",
    "taken": "tricks taken in the play of the contract, by seat",
}
"""Fields of tricks that mean a little else here."""
PUBLIC_FIELDS = view.layout(
    view.common(SEATS),
    [field._replace(help=HELP.get(field.name, field.help)) for field in view.tricks(SEATS)],
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
    """What a run of usual matches counts."""
    return contract_sums.layouts(entrants, match, kind=contract_sums.MATCH, deals=USUAL_DEALS)


def measured(game: Game, options: Options, compared: bool) -> Game:
    """The game with its measure for so many deals a match, and what is counted against par."""
    deals = options["deals"]
    quantities = contract_sums.PAR_QUANTITIES if options["par"] == "on" else contract_sums.QUANTITIES
    counted = partial(contract_sums.layouts, kind=contract_sums.MATCH, quantities=quantities, deals=deals)
    return replace(
        game, measure=replace(game.measure, worth=deals), rows_a_game=SEATS * deals, quantities=quantities,
        tallies=counted,
    )  # fmt: skip


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
        Option(
            "deals",
            USUAL_DEALS,
            "deals of a match (default: 16)",
            whole_number(1, 1000, "a whole number of deals"),
        ),
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
    rows_a_game=SEATS * USUAL_DEALS,
    row_columns=contract_sums.ROW_COLUMNS,
    check_options={"vulnerability": "random"},
    words=WORDS,
)
