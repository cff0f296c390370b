"""Bridžik: what the game is, and its legality and scoring on card masks (in prose: ``rules.md``).

A game is 4 series of 8 rounds; round ``r`` deals ``8 - r`` cards to each of four players. A deal's number
within the full game, ``deal = 8 * series + round``, stays the same when the option ``hand_sizes`` leaves
rounds out, so a shortened game plays the very deals of the full one.

Cards: id = 8 * suit + rank, suits H L A B (hearts, leaves, acorns, bells), ranks 7 8 9 10 J Q K A.
Hearts, ids 0-7, are always trump. Answers: a bid is the number itself, a card its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridzik_sim.cards import CardWords, Deck
from bridzik_sim.games import exact_bids, view
from bridzik_sim.games.game import Game, Option
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Tally
from bridzik_sim.tricks import follow

SEATS, SUITS, RANKS = 4, 4, 8
SERIES, ROUNDS = 4, 8
DEALS = SERIES * ROUNDS
MAX_SIZE = 8
TRUMP = 0
SUIT_CARDS = (1 << RANKS) - 1
HEARTS = SUIT_CARDS << (RANKS * TRUMP)
WHOLE_DECK = (1 << (SUITS * RANKS)) - 1
BONUS = 10
MAX_POINTS = SERIES * sum(BONUS + size for size in range(1, MAX_SIZE + 1))
RULES_VERSION = 1

DECK = Deck(("H", "L", "A", "B"), ("7", "8", "9", "10", "J", "Q", "K", "A"))
SLOVAK_SUITS = ("červeň", "zeleň", "žaluď", "guľa")
SLOVAK_ADJECTIVES = ("červen", "zelen", "žaluďov", "guľov")
"""Stems of the suits' adjectives; the ending follows the gender of the rank."""
SLOVAK_RANKS = ("sedmička", "osmička", "deviatka", "desiatka", "dolník", "horník", "kráľ", "eso")

FIELDS = view.layout(
    view.common(SEATS),
    view.exact_bids(SEATS),
    view.tricks(SEATS),
    view.own(position=True),
    view.cheat(SEATS),
)
VIEW = view.dtype(FIELDS)


@jit
def deal_size(deal):
    """Cards dealt to each seat in deal ``deal`` of the full game."""
    return MAX_SIZE - deal % ROUNDS


@jit
def deal_starter(deal):
    """Seat that bids first: series s is opened by seat s, its round r by the seat r further left."""
    return (deal // ROUNDS + deal % ROUNDS) % SEATS


@jit
def forbidden_bid(size, position, bids_so_far):
    """Bid that would make the four bids sum to the hand size, or -1: only the last bidder is bound.

    Without branches, because whether a bid is forbidden is a coin flip.
    """
    rest = size - bids_so_far
    return rest | rest >> 63 | (0 if position == SEATS - 1 else -1)


@jit
def legal_bids(size, forbidden):
    """Mask over the bids 0..size without the forbidden one (-1: none)."""
    return ((2 << size) - 1) ^ (1 << (forbidden + 1) >> 1)


@jit
def led_cards(lead):
    """Mask of the led suit; every card (-1) when nothing has been led (lead -1)."""
    return SUIT_CARDS << RANKS * lead if lead >= 0 else -1


@jit
def legal_cards(hand, lead):
    """Mask of the cards that may be played: follow suit, else a heart, else anything; any card to lead."""
    return follow(hand, led_cards(lead), HEARTS)


@jit
def round_points(bid, taken):
    """Points of a round: 10 + bid for exactly the bid, otherwise 0."""
    return BONUS + bid if bid == taken else 0


def parse_hand_sizes(value: Any) -> list[int]:
    """Hand sizes, ascending, from ``"8,7"``, a number or a list; ``ValueError`` says what is wrong."""
    parts = (
        value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    )
    try:
        sizes = [int(str(part)) for part in parts]
    except ValueError:
        sizes = []
    if not sizes or len(set(sizes)) != len(sizes) or not all(1 <= size <= MAX_SIZE for size in sizes):
        raise ValueError(f"give different hand sizes from 1 to {MAX_SIZE}, such as 1 or 8,7")
    return sorted(sizes)


def slovak_card(card: int) -> str:
    """A card in Slovak words, such as "červená sedmička", "žaluďový kráľ" or "guľové eso"."""
    stem, rank = SLOVAK_ADJECTIVES[card // RANKS], SLOVAK_RANKS[card % RANKS]
    ending = {"a": "á", "o": "é"}.get(rank[-1], "ý")
    return f"{stem}{ending} {rank}"


WORDS = {
    "en": CardWords(("hearts", "leaves", "acorns", "bells"), DECK.ranks, tuple(DECK.names(WHOLE_DECK))),
    "sk": CardWords(
        SLOVAK_SUITS,
        (*DECK.ranks[:4], *SLOVAK_RANKS[4:]),
        tuple(slovak_card(card) for card in range(SUITS * RANKS)),
    ),
}


def tallies(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """What a run of Bridžik counts."""
    return exact_bids.layouts(entrants, match, MAX_SIZE, 0, MAX_POINTS)


GAME = Game(
    name="bridzik",
    title="Bridžik",
    summary="Slovak game of exact bids: 32 cards, four players, 32 rounds, hearts always trump",
    seat_counts=(SEATS,),
    decisions=("bid", "play"),
    measure="points a game and seat",
    rules_version=RULES_VERSION,
    options=(
        Option(
            "hand_sizes",
            list(range(1, MAX_SIZE + 1)),
            "play only the rounds of these hand sizes, such as 1 or 8,7 (default: all, 8 down to 1)",
            parse_hand_sizes,
        ),
    ),
    deck=DECK,
    view=VIEW,
    view_help={field.name: field.help for field in FIELDS},
    decisions_a_game=SERIES * sum(SEATS * (1 + size) for size in range(1, MAX_SIZE + 1)),
    quantities=exact_bids.QUANTITIES,
    tallies=tallies,
    rows_a_game=DEALS * SEATS,
    row_columns=exact_bids.ROW_COLUMNS,
    table_ceiling=(SEATS - 1) / SEATS,
    words=WORDS,
)
