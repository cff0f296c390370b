"""Czech Fool: what the game is, and its legality and scoring on card masks (in prose: ``rules.md``).

Cards: id = 13 * suit + rank for the suits C D H S (clubs, diamonds, hearts, spades) and the ranks 2 3 … 9 T J
Q K A, lowest 0. The deck of 36 has the same ids without the ranks 2 to 5. Answers: a move is the id of the
card to be played, ``DRAW`` or ``PASS``; a suit is its number, 0 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bridzik_sim.cards import lowest
from bridzik_sim.games import unit_sums, view
from bridzik_sim.games.fool import counting
from bridzik_sim.games.french_cards import CARDS, DECK, RANKS, SUIT_CARDS, SUITS, WORDS
from bridzik_sim.games.game import Game, Option
from bridzik_sim.games.measure import Measure
from bridzik_sim.games.options import whole_number
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Tally

SEAT_COUNTS = (2, 3, 4)
MAX_SEATS = max(SEAT_COUNTS)
DRAW, PASS = CARDS, CARDS + 1
HAND_SIZE = 5
LIMIT = 101
RULES_VERSION = 1

RANK_CARDS = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS
TWO, SIX, SEVEN, EIGHT, QUEEN, ACE = 0, 4, 5, 6, 10, 12
TWOS, EIGHTS, QUEENS = RANK_CARDS << TWO, RANK_CARDS << EIGHT, RANK_CARDS << QUEEN
QUEEN_OF_SPADES = 3 * RANKS + QUEEN
ALL_SUITS = (1 << SUITS) - 1
DECKS = {52: (1 << CARDS) - 1, 36: RANK_CARDS * (SUIT_CARDS & -1 << SIX)}
"""Mask of the cards of a deck, by its size."""

CARD_POINTS = np.array(
    [
        40 if card == QUEEN_OF_SPADES else (2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 20, 4, 11)[card % RANKS]
        for card in range(CARDS)
    ]
)
"""int64[52]: points of a card that is left in a hand."""

PUBLIC_FIELDS = view.layout(
    view.common(MAX_SEATS),
    view.table("last_move"),
    [
        view.Field("distance", MAX_SEATS, "points to exactly 101, by seat: more of them put it out"),
        view.Field("still_in", MAX_SEATS, "1 for who is still in the game, by seat"),
        view.Field("counts", MAX_SEATS, "cards held, by seat"),
        view.Field(
            "last_move", MAX_SEATS,
            "by seat: card id played in its last turn of this deal, 52 when no card could be drawn on an "
            "eight, 53 when it passed, -1 before its first turn",
        ),
        view.Field(
            "fresh", MAX_SEATS, "by seat: cards held that came from the last reshuffle; 0 before the first"
        ),
        view.Field("deck", 0, "mask of all cards of the game"),
        view.Field("players", 0, "players still in the game"),
        view.Field("dealer", 0, "seat that dealt"),
        view.Field("turns", 0, "turns finished in this deal"),
        view.Field("top", 0, "card id that lies open"),
        view.Field("chosen_suit", 0, "suit that the queen on top asks for; -1 none"),
        view.Field("open_eight", 0, "1 while the eight on top has to be answered, else 0"),
        view.Field("has_drawn", 0, "1 once this seat has drawn in this turn, else 0"),
        view.Field("passes", 0, "passes in a row with nothing to draw; one of each player blocks the round"),
        view.Field("stock", 0, "number of cards in the stock"),
        view.Field("gone", 0, "mask of the cards on the pile, the top one included"),
        view.Field("returned", 0, "mask of the cards that the last reshuffle put into the stock; 0 before"),
        view.Field("forced", 0, "1 when drawing is allowed only if nothing fits (option draw), else 0"),
    ],
)  # fmt: skip
FIELDS = [*PUBLIC_FIELDS, *view.layout(view.own(position=False), view.cheat(MAX_SEATS))]
VIEW = view.dtype(FIELDS)


@jit
def fitting(hand, top, chosen_suit, open_eight):
    """Mask of the cards of a hand that may go on ``top``.

    Same suit (the chosen one on a queen) or rank, and queens; on an eight that is open, twos only.
    """
    if open_eight:
        return hand & TWOS
    suit = chosen_suit if chosen_suit >= 0 else top // RANKS
    return hand & (SUIT_CARDS << RANKS * suit | RANK_CARDS << top % RANKS | QUEENS)


@jit
def answers_eight(card, eight):
    """Whether a card that was drawn ends the drawing on an open ``eight``."""
    return (1 << card) & (TWOS | EIGHTS | QUEENS | SUIT_CARDS << RANKS * (eight // RANKS)) != 0


@jit
def legal_moves(fits, open_eight, has_drawn, can_draw, forced):
    """Mask over the moves of a turn: ``fits``, the cards that may be played, to draw, to pass.

    ``forced``: one may draw only when nothing fits. Nobody has to pass on an open eight: there one may draw
    in vain, and that ends the turn.
    """
    may_rest = fits == 0 or not forced
    if open_eight:
        return fits | (1 << DRAW if may_rest and not has_drawn else 0)
    if has_drawn:
        return fits | 1 << PASS
    return fits | ((1 << DRAW if can_draw else 1 << PASS) if may_rest else 0)


@jit
def cards_to_draw(card):
    """Cards that the next player draws when ``card`` is played: 1 on a six, 2 on a seven, else 0."""
    rank = card % RANKS
    return (1 if rank == SIX else 0) + (2 if rank == SEVEN else 0)


@jit
def skips(card):
    """Whether the next player misses a turn when ``card`` is played: six, seven, ace."""
    rank = card % RANKS
    return (SIX <= rank <= SEVEN) | (rank == ACE)


@jit
def hand_points(hand):
    """Points of the cards left in a hand."""
    points = 0
    while hand != 0:
        points += CARD_POINTS[lowest(hand)]
        hand &= hand - 1
    return points


@jit
def winner_points(last_card):
    """Points of who has played the last card: minus those of a queen, else 0."""
    return -CARD_POINTS[last_card] if last_card % RANKS == QUEEN else 0


@jit
def opening_kind(card, eights):
    """What an opening card does, an index into ``counting.OPENINGS``; ``eights``: 1 where they act."""
    rank = card % RANKS
    if rank >= QUEEN:
        return 4 if rank == QUEEN else 5 if rank == ACE else 0
    return rank - SIX + 1 if SIX <= rank <= (EIGHT if eights else SEVEN) else 0


@jit
def last_card_kind(card):
    """Index of the last card of a round into ``counting.LAST_CARDS``."""
    return RANKS if card == QUEEN_OF_SPADES else card % RANKS


@jit
def total_after(score, points):
    """Total after a round: exactly 101 becomes 0."""
    total = score + points
    return 0 if total == LIMIT else total


def parse_deck(value: Any) -> int:
    """52 or 36; ``ValueError`` otherwise."""
    if isinstance(value, bool) or str(value) not in ("52", "36"):
        raise ValueError("give 52 or 36 cards")
    return int(value)


def parse_draw(value: Any) -> str:
    """``voluntary`` or ``forced``; ``ValueError`` otherwise."""
    if value not in ("voluntary", "forced"):
        raise ValueError("give voluntary, or forced to draw only when nothing fits")
    return str(value)


def tallies(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """What a run of Czech Fool counts."""
    return counting.layouts(entrants, match)


GAME = Game(
    name="fool",
    title="Czech Fool",
    summary="shedding game with sevens, eights and queens: 2 to 4 players, out above 101 points",
    seat_counts=SEAT_COUNTS,
    usual_seats=4,
    decisions=("move", "suit"),
    measure=Measure("share of games won", counting.QUANTITIES[0], unit_sums.WHOLE_WIN, share=True),
    limit=LIMIT,
    rules_version=RULES_VERSION,
    options=(
        Option("deck", 52, "cards in the deck: 52 or 36 (default: 52)", parse_deck),
        Option(
            "draw",
            "voluntary",
            "voluntary: one may draw though a card fits; forced: only when nothing fits (default: voluntary)",
            parse_draw,
        ),
        Option(
            "max_turns",
            1000,
            "turns after which a round ends without a winner (default: 1000)",
            whole_number(1, 100_000, "a whole number of turns"),
        ),
    ),
    deck=DECK,
    view=VIEW,
    view_help={field.name: field.help for field in FIELDS},
    quantities=counting.QUANTITIES,
    tallies=tallies,
    rows_a_game=counting.ROWS_A_GAME,
    row_columns=counting.ROW_COLUMNS,
    check_options={"deck": 36, "draw": "forced"},
    words=WORDS,
)
