"""Contract bridge: what the game is (in prose: ``rules.md``); calls and scores are in ``games/contract.py``.

Seats 0 to 3 are N E S W; the sides are 0, N-S, and 1, E-W: side = seat % 2. Cards have the ids of
``games/french_cards.py``. Answers: a call is its code (0 pass, 1 to 35 the bids from 1C to 7NT, 36 double,
37 redouble), a card its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bridzik_sim.games import contract_sums, view
from bridzik_sim.games.bridge.pbn import parse_boards
from bridzik_sim.games.contract import MAX_CALLS
from bridzik_sim.games.french_cards import DECK, WORDS
from bridzik_sim.games.game import Game, Option, Options
from bridzik_sim.games.measure import Measure
from bridzik_sim.games.options import one_of, whole_number
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Tally

SEATS, SIDES = 4, 2
SEAT_NAMES = "NESW"
GAMES_TO_WIN = 2
USUAL_DEALS = 48
"""Few rubbers are longer, even of players who mostly pass."""
RULES_VERSION = 1

PUBLIC_FIELDS = view.layout(
    view.common(SEATS),
    view.tricks(SEATS),
    [
        view.Field("below", SIDES, "open part-scores, by side; a game strikes them (rubber)"),
        view.Field("games", SIDES, "games won in this rubber, by side"),
    ],
    view.contracts(MAX_CALLS),
    [
        view.Field("dummy_seat", 0, "seat of the declarer's partner in the play; -1 in the auction"),
        view.Field("dummy", 0, "mask of the cards that dummy holds, from the first lead on; 0 before"),
        view.Field("playing_for", 0, "seat that calls, or whose card is chosen: declarer plays dummy's, too"),
        view.Field("board", 0, "number of the board, 1 first (duplicate); 0 in a rubber"),
        view.Field("duplicate", 0, "1 when every deal is scored by itself (option scoring), else 0"),
        view.Field("last_bid_declares", 0, "1 when the last bidder is declarer (option declarer), else 0"),
    ],
)
FIELDS = [*PUBLIC_FIELDS, *view.layout(view.own(position=False), view.cheat(SEATS))]
VIEW = view.dtype(FIELDS)


@jit
def next_seat(seat):
    """The seat to the left."""
    return (seat + 1) & 3


@jit
def partner_of(seat):
    """The seat opposite."""
    return (seat + 2) & 3


@jit
def side_of(seat):
    """The side of a seat: 0 for N and S, 1 for E and W."""
    return seat & 1


def check_options(seats: int, options: Options) -> None:
    """``ValueError`` when options do not go together."""
    if options["scoring"] == "duplicate":
        for name in ("honours", "max_deals", "first_dealer"):
            if options[name] != _DEFAULTS[name]:
                raise ValueError(f"option {name} belongs to the rubber; leave it out with scoring=duplicate")
    elif options["boards"]:
        raise ValueError("given boards are scored as duplicate; add option scoring=duplicate")


def measured(game: Game, options: Options, compared: bool) -> Game:
    """The game with the measure of its scoring."""
    if options["scoring"] == "rubber":
        return replace(game, rows_a_game=SEATS * min(options["max_deals"], USUAL_DEALS))
    quantities = contract_sums.IMP_QUANTITIES if compared else contract_sums.QUANTITIES
    column = quantities[0]
    measure = Measure("IMPs a board" if compared else "net points a board", column, net=True)
    counted = partial(contract_sums.layouts, kind=contract_sums.BOARD, imps=compared)
    return replace(
        game, measure=measure, quantities=quantities, tallies=counted, rows_a_game=SEATS, in_pairs=compared
    )


def tallies(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """What a run of rubbers counts."""
    return contract_sums.layouts(entrants, match, kind=contract_sums.RUBBER)


OPTIONS = (
    Option(
        "scoring",
        "rubber",
        "rubber: games, part-scores, the line; duplicate: every deal by itself (default: rubber)",
        one_of("rubber", "duplicate"),
    ),
    Option(
        "declarer",
        "laws",
        "laws: who first named the strain for its side; last_bid: who made the last bid (default: laws)",
        one_of("laws", "last_bid"),
    ),
    Option(
        "honours",
        "off",
        "on: four or five trump honours, or four aces at no trump, in one hand score (default: off)",
        one_of("off", "on"),
    ),
    Option(
        "max_deals",
        100,
        "deals after which a rubber ends unfinished (default: 100)",
        whole_number(1, 1000, "a whole number of deals"),
    ),
    Option(
        "first_dealer",
        0,
        "seat that deals first in a rubber: 0 N, 1 E, 2 S, 3 W (default: 0)",
        whole_number(0, SEATS - 1, "a seat"),
    ),
    Option("boards", [], "deals to be played, from a PBN file (see simulate --boards)", parse_boards),
)
_DEFAULTS = {option.name: option.default for option in OPTIONS}

GAME = Game(
    name="bridge",
    title="Contract bridge",
    summary="rubber or duplicate: auction, dummy, two sides of two partners",
    seat_counts=(SEATS,),
    usual_seats=SEATS,
    sides=SIDES,
    decisions=("call", "play"),
    measure=Measure("net points a rubber", "points", net=True),
    rules_version=RULES_VERSION,
    options=OPTIONS,
    check_seats=check_options,
    variant=measured,
    deals_option="boards",
    deck=DECK,
    view=VIEW,
    view_help={field.name: field.help for field in FIELDS},
    quantities=contract_sums.QUANTITIES,
    tallies=tallies,
    rows_a_game=SEATS * USUAL_DEALS,
    row_columns=contract_sums.ROW_COLUMNS,
    check_options={"scoring": "duplicate", "declarer": "last_bid"},
    words=WORDS,
)
