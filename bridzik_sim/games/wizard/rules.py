"""Wizard: what the game is, and its legality and scoring on card masks (in prose: ``rules.md``).

A game of ``seats`` players has ``60 // seats`` rounds; round n deals n cards to each, and its number within
the full game is ``deal = n - 1``. A deal keeps its number, cards and dealer when the option ``hand_sizes``
leaves rounds out.

Cards: id = 13 * suit + number - 1 for the numbers 1 to 13 of the suits R Y G B (red, yellow, green, blue),
then 52-55 the wizards and 56-59 the jesters. Answers: a bid is the number itself, a card its id, a trump its
suit, 0 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridzik_sim.cards import CardWords, Deck
from bridzik_sim.games import exact_bids, view
from bridzik_sim.games.exact_bids import Points
from bridzik_sim.games.game import Game, Option, Options
from bridzik_sim.games.options import one_of
from bridzik_sim.jit import jit
from bridzik_sim.match import Match
from bridzik_sim.tally import Tally
from bridzik_sim.tricks import strength

SEAT_COUNTS = (3, 4, 5, 6)
MAX_SEATS = max(SEAT_COUNTS)
SUITS, RANKS = 4, 13
CARDS = 60
MAX_SIZE = CARDS // min(SEAT_COUNTS)
SUIT_CARDS = (1 << RANKS) - 1
NUMBERS = (1 << SUITS * RANKS) - 1
FIRST_WIZARD, FIRST_JESTER = 52, 56
WIZARDS, JESTERS = 0b1111 << FIRST_WIZARD, 0b1111 << FIRST_JESTER
WHOLE_DECK = (1 << CARDS) - 1
ALL_SUITS = (1 << SUITS) - 1
BONUS, A_TRICK = 20, 10
RULES_VERSION = 1

DECK = Deck(("R", "Y", "G", "B"), tuple(str(n) for n in range(1, RANKS + 1)), ("W",) * 4 + ("J",) * 4)
DEAL_KINDS = ("trump", "wizard turned up", "jester turned up", "last round", "dealer chose")
TRUMP_TURNED, WIZARD_TURNED, JESTER_TURNED, LAST_ROUND, DEALER_CHOSE = range(len(DEAL_KINDS))

PUBLIC_FIELDS = view.layout(
    view.common(MAX_SEATS),
    view.table("bids and trick"),
    view.exact_bids(MAX_SEATS),
    view.tricks(MAX_SEATS),
    view.turned_trump(),
    [view.Field("sum_rule", 0, "1 when the last bid may not make the bids add up to the tricks, else 0")],
)
FIELDS = [*PUBLIC_FIELDS, *view.layout(view.own(position=True), view.cheat(MAX_SEATS))]
VIEW = view.dtype(FIELDS)


@jit
def rounds(seats):
    """Rounds of a full game, which is also the size of the last one."""
    return CARDS // seats


@jit
def deal_size(deal):
    """Cards dealt to each seat in deal ``deal`` of the full game."""
    return deal + 1


@jit
def next_seat(seat, seats):
    """The seat to the left."""
    return seat + 1 if seat + 1 < seats else 0


@jit
def dealer_of(starter, seats):
    """The seat that deals: to the right of the one that bids first."""
    return starter - 1 if starter > 0 else seats - 1


@jit
def place_of(seat, first, seats):
    """How many places after ``first`` a seat comes."""
    return seat - first if seat >= first else seat - first + seats


@jit
def turned_suit(card):
    """Trump suit by the card turned up (-1: none was left): that of a number card, else -1."""
    return card // RANKS if 0 <= card < FIRST_WIZARD else -1


@jit
def is_wizard(card):
    """Whether a card is a wizard (-1: no card)."""
    return FIRST_WIZARD <= card < FIRST_JESTER


@jit
def deal_kind(trump_card, chosen):
    """What made the trump of a deal, an index into DEAL_KINDS; ``chosen``: the dealer chose it."""
    if trump_card < 0:
        return LAST_ROUND
    if trump_card < FIRST_WIZARD:
        return TRUMP_TURNED
    if trump_card >= FIRST_JESTER:
        return JESTER_TURNED
    return DEALER_CHOSE if chosen else WIZARD_TURNED


@jit
def led_cards(lead):
    """Mask of the number cards of the suit to follow; empty when there is none (lead -1)."""
    return SUIT_CARDS << RANKS * lead if lead >= 0 else 0


@jit
def legal_cards(hand, lead):
    """Mask of the cards that may be played: number cards of the suit to follow, wizards and jesters.

    Anything for a hand without such number cards, or when there is no suit to follow.
    """
    suited = hand & led_cards(lead)
    return suited | hand & ~NUMBERS if suited != 0 else hand


@jit
def next_lead(lead, best, card):
    """Suit to follow after ``card``: a number card sets it, unless a suit or a wizard came before.

    ``lead`` and ``best`` are those before the card, -1 for none.
    """
    sets = (lead < 0) & (card < FIRST_WIZARD) & ((best < 0) | (best >= FIRST_JESTER))
    return card // RANKS if sets else lead


@jit
def power(card, lead, trump):
    """Strength of a card in a trick: jesters and cards that neither follow nor trump are the weakest.

    The first of the strongest cards wins: wizards are all alike, and so are jesters.
    """
    if card >= FIRST_JESTER:
        return 0
    return 5 * RANKS if card >= FIRST_WIZARD else 1 + strength(card, lead, trump, RANKS)


@jit
def beats(card, best, lead, trump):
    """Whether ``card`` wins a trick that ``best`` (-1: none) wins so far; ``lead`` as after ``card``."""
    return best < 0 or power(card, lead, trump) > power(best, lead, trump)


@jit
def shown_void(card, lead):
    """Bit of the suit to follow (``lead`` as after the card) if a number card of another suit was played."""
    return 1 << lead if 0 <= lead != card // RANKS and card < FIRST_WIZARD else 0


@jit
def round_points(bid, taken):
    """Points of a round: 20 and 10 a trick for exactly the bid, else -10 for each trick too many or few."""
    return BONUS + A_TRICK * taken if bid == taken else -A_TRICK * abs(bid - taken)


def points_range(seats: int) -> Points:
    """Points that a game of ``seats`` players can bring."""
    sizes = range(1, rounds(seats) + 1)
    return Points(-A_TRICK * sum(sizes), sum(BONUS + A_TRICK * size for size in sizes), A_TRICK)


def decisions(seats: int) -> int:
    """Bids and cards of a full game."""
    return sum(seats * (1 + size) for size in range(1, rounds(seats) + 1))


def parse_hand_sizes(value: Any) -> Any:
    """``all``, or a list of sizes; ``ValueError`` says what is wrong."""
    return "all" if value == "all" else exact_bids.parse_hand_sizes(value, MAX_SIZE)


def parse_first_dealer(value: Any) -> Any:
    """``random`` or a seat."""
    if value == "random":
        return value
    if isinstance(value, bool) or not str(value).isdecimal() or int(value) >= MAX_SEATS:
        raise ValueError("give random or a seat, 0 is the first")
    return int(value)


def check_seats(seats: int, options: Options) -> None:
    """``ValueError`` when options do not go with so many players."""
    sizes, dealer = options["hand_sizes"], options["first_dealer"]
    if sizes != "all" and max(sizes) > rounds(seats):
        raise ValueError(
            f"option hand_sizes: {seats} players get at most {rounds(seats)} cards each, not {max(sizes)}"
        )
    if dealer != "random" and dealer >= seats:
        raise ValueError(f"option first_dealer: there is no seat {dealer} among {seats} players")


def table_ceiling(seats: int, options: Options) -> float:
    """Under the sum rule somebody misses the bid in every round."""
    return (seats - 1) / seats if options["sum_rule"] == "on" else 1.0


def tallies(entrants: Sequence[str], match: Match) -> tuple[Tally, ...]:
    """What a run of Wizard counts."""
    seats = match.seatings.shape[1]
    return exact_bids.layouts(entrants, match, rounds(seats), points_range(seats), DEAL_KINDS)


def _words(suits: Sequence[str], adjectives: Sequence[str], wizard: str, jester: str) -> CardWords:
    numbers = tuple(f"{colour} {number}" for colour in adjectives for number in DECK.ranks)
    return CardWords(tuple(suits), DECK.ranks, (*numbers, *[wizard] * 4, *[jester] * 4))


_ENGLISH = ("red", "yellow", "green", "blue")
_SLOVAK = ("červená", "žltá", "zelená", "modrá")
WORDS = {
    "en": _words(_ENGLISH, _ENGLISH, "wizard", "jester"),
    "sk": _words(_SLOVAK, _SLOVAK, "čarodejník", "šašo"),
}

GAME = Game(
    name="wizard",
    title="Wizard",
    summary="exact bids with wizards and jesters: 60 cards, 3 to 6 players, a trump turned up each round",
    seat_counts=SEAT_COUNTS,
    usual_seats=4,
    decisions=("bid", "play", "trump"),
    measure=exact_bids.MEASURE,
    rules_version=RULES_VERSION,
    options=(
        Option(
            "hand_sizes",
            "all",
            "play only the rounds of these hand sizes, such as 1 or 1,2,15 (default: all)",
            parse_hand_sizes,
        ),
        Option(
            "first_dealer",
            "random",
            "seat that deals the first round: random or 0, 1, 2 … (default: random)",
            parse_first_dealer,
        ),
        Option(
            "wizard_trump",
            "none",
            "when a wizard is turned up: none, there is no trump, or dealer, who chooses it (default: none)",
            one_of("none", "dealer"),
        ),
        Option(
            "sum_rule",
            "on",
            "on: the last bid may not make the bids add up to the tricks; or off (default: on)",
            one_of("off", "on"),
        ),
        Option(
            "hidden_bids",
            "off",
            "on: until the last bid everyone sees only who has bid, not what; or off (default: off)",
            one_of("off", "on"),
        ),
    ),
    check_seats=check_seats,
    deck=DECK,
    view=VIEW,
    view_help={field.name: field.help for field in FIELDS},
    decisions_a_game=decisions,
    quantities=exact_bids.QUANTITIES,
    tallies=tallies,
    rows_a_game=CARDS,
    row_columns=exact_bids.ROW_COLUMNS,
    table_ceiling=table_ceiling,
    check_options={"wizard_trump": "dealer", "hidden_bids": "on", "sum_rule": "off"},
    deal_kind="trump",
    tables_module="bridzik_sim.bid_tables",
    words=WORDS,
)
