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
from bridzik_sim.games.exact_bids import Points
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
POINTS = Points(0, SERIES * sum(BONUS + size for size in range(1, MAX_SIZE + 1)), 1)
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
    """Bid that would make the four bids sum to the hand size, or -1: only the last bidder is bound."""
    return exact_bids.forbidden_bid(size, position == SEATS - 1, bids_so_far)


@jit
def led_cards(lead):
    """Mask of the led suit; every card (-1) when nothing has been led (lead -1)."""
    return SUIT_CARDS << RANKS * lead if lead >= 0 else -1


@jit
def legal_cards(hand, lead):
    """Mask of the cards that may be played: follow suit, else a heart, else anything; any card to lead."""
    return follow(hand, led_cards(lead), HEARTS)


@jit
def beats(card, best):
    """Whether a legal ``card`` wins a trick that ``best`` (-1: none) wins so far."""
    return best < 0 or (card > best if card // RANKS == best // RANKS else card < RANKS)


@jit
def round_points(bid, taken):
    """Points of a round: 10 + bid for exactly the bid, otherwise 0."""
    return BONUS + bid if bid == taken else 0


def parse_hand_sizes(value: Any) -> list[int]:
    """Hand sizes, ascending; ``ValueError`` says what is wrong."""
    return exact_bids.parse_hand_sizes(value, MAX_SIZE)


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
    return exact_bids.layouts(entrants, match, MAX_SIZE, POINTS)


GAME = Game(
    name="bridzik",
    title="Bridžik",
    summary="Slovak game of exact bids: 32 cards, four players, 32 rounds, hearts always trump",
    seat_counts=(SEATS,),
    usual_seats=SEATS,
    decisions=("bid", "play"),
    measure=exact_bids.MEASURE,
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
    decisions_a_game=lambda seats: SERIES * sum(seats * (1 + size) for size in range(1, MAX_SIZE + 1)),
    quantities=exact_bids.QUANTITIES,
    tallies=tallies,
    rows_a_game=DEALS * SEATS,
    row_columns=exact_bids.ROW_COLUMNS,
    table_ceiling=lambda seats, options: (seats - 1) / seats,
    tables_module="bridzik_sim.bid_tables",
    words=WORDS,
)
