"""Bridžik played slowly and plainly, straight from its rules: the judge of the compiled kernel.

Cards are the integers 8 * suit + rank (suits H L A B, ranks 7 8 9 10 J Q K A), hands are sets, a trick is a
list of cards in the order of play. The same engine plays the games of strategies in plain Python, and
``replay_record`` checks a finished record move by move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bridzik_sim.games import plain_bids
from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import (
    DEAL,
    Asker,
    Observer,
    OnError,
    Params,
    PlainStream,
    Players,
    checked_params,
    seats_from,
    stream_tag,
    unit_words,
)
from bridzik_sim.games.plain_bids import BidsRecord
from bridzik_sim.games.plain_records import (
    CardReader,
    GameRecord,
    check_heading,
    reading_record,
    require,
    winners_of,
)

RULES_VERSION = 1
SEATS, DEALS = 4, 32
HEARTS = 0
SUITS = "HLAB"
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
CARD_NAMES = [suit + rank for suit in SUITS for rank in RANKS]


def suit_of(card: int) -> int:
    """0 hearts, 1 leaves, 2 acorns, 3 bells."""
    return card // 8


def rank_of(card: int) -> int:
    """0 for the seven … 7 for the ace."""
    return card % 8


def deal_size(deal: int) -> int:
    """Cards dealt to each player in deal 0 … 31 of the full game: round r deals 8 - r."""
    return 8 - deal % 8


def deal_starter(deal: int) -> int:
    """The seat that opens the bidding: series s is opened by s, its round r by s + r."""
    return (deal // 8 + deal % 8) % SEATS


def forbidden_bid(size: int, earlier: Sequence[int]) -> int:
    """The bid the next bidder may not make, -1 if there is none, after the bids ``earlier``, in order."""
    return plain_bids.forbidden_bid(size, earlier, SEATS)


def legal_bids(size: int, earlier: Sequence[int]) -> list[int]:
    """The bids the next bidder may make."""
    return plain_bids.legal_bids(size, forbidden_bid(size, earlier))


def first_leader(bids: Sequence[int], starter: int) -> int:
    """The highest bidder (bids by seat); of equal ones the one who bid earliest."""
    highest = max(bids)
    return next(seat for seat in seats_from(starter, SEATS) if bids[seat] == highest)


def legal_cards(hand: Collection[int], trick: Sequence[int]) -> list[int]:
    """The cards of ``hand`` that may be played to ``trick``: follow suit, else a heart, else anything."""
    if not trick:
        return sorted(hand)
    led = [card for card in hand if suit_of(card) == suit_of(trick[0])]
    hearts = [card for card in hand if suit_of(card) == HEARTS]
    return sorted(led or hearts or hand)


def winning_card(trick: Sequence[int]) -> int:
    """The card that wins ``trick`` so far: the highest heart, else the highest of the led suit."""
    lead = suit_of(trick[0])
    return max(trick, key=lambda card: (suit_of(card) == HEARTS, suit_of(card) == lead, rank_of(card)))


def points_for(bid: int, taken: int) -> int:
    """Ten and the bid for taking exactly as many tricks as bid, otherwise nothing."""
    return 10 + bid if taken == bid else 0


def shown_voids(card: int, trick: Sequence[int]) -> list[int]:
    """The suits a player shows to lack by adding ``card`` to ``trick``, the cards played before it."""
    if not trick or suit_of(card) == suit_of(trick[0]):
        return []
    if suit_of(card) == HEARTS:
        return [suit_of(trick[0])]
    return [suit_of(trick[0]), HEARTS]


class DealRecord(BidsRecord):
    """A finished deal."""

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record, cards by name."""
        place = {"series": self.deal // 8, "round": self.deal % 8, "starter": self.starter}
        return place | self.play_as_dict(CARD_NAMES)


class Table(plain_bids.Table):
    """A deal in progress."""

    places = SEATS

    def __init__(self, deal: int, hands: Sequence[Collection[int]], scores: Sequence[int]) -> None:
        super().__init__(deal, deal_starter(deal), hands, scores)

    def first_leader(self) -> int:
        """The highest bidder."""
        return first_leader(self.bids, self.starter)

    def legal_cards(self, seat: int) -> list[int]:
        """The cards that ``seat`` may add to the trick."""
        return legal_cards(self.hands[seat], self.trick)

    def duty(self, seat: int) -> str:
        """What ``seat`` must do when it may not play every card."""
        follows = any(suit_of(card) == self.lead_suit() for card in self.hands[seat])
        return "must follow suit" if follows else "must ruff"

    def lead_suit(self) -> int:
        """The suit of the first card, -1 before it."""
        return suit_of(self.trick[0]) if self.trick else -1

    def winning_card(self) -> int:
        """The card that wins the trick so far."""
        return winning_card(self.trick)

    def shown_voids(self, card: int) -> list[int]:
        """The suits a player shows to lack by adding ``card`` to the trick."""
        return shown_voids(card, self.trick)

    def points(self, bid: int, taken: int) -> int:
        """Points of a seat for the deal."""
        return points_for(bid, taken)


def deal_hands(words: Sequence[int], deal: int) -> list[list[int]]:
    """The four hands of a deal, sorted: the seats take their cards in turn, by the deal's own stream."""
    stream = PlainStream.of(words, deal, DEAL)
    deck, size = list(range(32)), deal_size(deal)
    hands = [stream.take(deck, size) for _ in range(SEATS - 1)]
    hands.append(deck if len(deck) == size else stream.take(deck, size))
    return hands


def play_deal(table: Table, players: Players) -> DealRecord:
    """Bidding, then all the tricks, then the points."""
    plain_bids.play_bidding(table, players)
    plain_bids.play_tricks(table, players)
    return DealRecord(**table.outcome())


def play_game(
    players: Sequence[object],
    *,
    seed: int,
    unit: int,
    seating: int = 0,
    hand_sizes: Collection[int] = (8, 7, 6, 5, 4, 3, 2, 1),
    params: Params | None = None,
    on_error: OnError = "stop",
    observer: Observer | None = None,
    dealt: Mapping[int, Sequence[Collection[int]]] | None = None,
    cheats: Sequence[bool] = (False,) * SEATS,
) -> GameRecord[DealRecord]:
    """Play one game, the deals of ``unit`` under ``seed``, and return what happened.

    players     four objects with callables ``bid(view)`` and ``play(view)``, by seat
    seating     number of this seating of the unit: it changes the players' random streams, not the cards
    hand_sizes  only rounds of these sizes (1 … 8) are played, in the order and with the cards of a full game
    params      float64 (4, 16): the parameters each seat finds in its view; zeros if None
    on_error    "stop" raises StrategyFault at the first wrong answer, "forfeit" plays the lowest legal answer
    observer    called with an Event before and after every decision
    dealt       by number of deal: four hands of card ids to play instead of the unit's own
    cheats      by seat: whether its view holds all hands as dealt

    ValueError for a wrong number of players, sizes out of range, or ``params`` of another shape.
    """
    if len(players) != SEATS:
        raise ValueError(f"bridžik has {SEATS} players, not {len(players)}")
    if not hand_sizes or not set(hand_sizes) <= set(range(1, 9)):
        raise ValueError(f"hand sizes must be some of 1 … 8, not {hand_sizes!r}")
    params = checked_params(params, SEATS)
    words = unit_words(seed, stream_tag("bridzik", RULES_VERSION), unit)
    seated, given = Players(players, VIEW, Asker(on_error, observer)), dealt or {}
    totals = [0] * SEATS
    deals = []
    for deal in range(DEALS):
        if deal_size(deal) in hand_sizes:
            hands = [sorted(hand) for hand in given.get(deal) or deal_hands(words, deal)]
            table = Table(deal, hands, totals)
            seated.new_deal(words, table, seating, params, cheats)
            deals.append(play_deal(table, seated))
            totals = table.totals()
    return GameRecord("bridzik", RULES_VERSION, deals, totals, winners_of(totals), seated.asker.faults)


def replay_record(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    """Play the hands, bids and cards of a record (as parsed from JSON) again and check it against every rule.

    The record may lack deals of its options; its totals are compared only when none is missing (else they
    must be within reach of the points of the deals shown). Labels, seed and ``faults`` are not looked at.
    Returns the game as replayed; ValueError names the broken rule and the place.
    """
    with reading_record("bridžik"):
        return _replay_game(record)


def _replay_game(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    check_heading(record, "bridzik", RULES_VERSION)
    expected = [deal for deal in range(DEALS) if deal_size(deal) in record["options"]["hand_sizes"]]
    given = record["deals"]
    numbers = [8 * deal["series"] + deal["round"] for deal in given]
    plain_bids.check_numbers(numbers, expected)
    deals = [_replay_deal(numbers[i], given[i], f"deals[{i}]") for i in range(len(given))]
    missing = [deal_size(deal) for deal in expected if deal not in numbers]
    totals = plain_bids.check_totals(record, deals, SEATS, missing, points_for)
    return GameRecord("bridzik", RULES_VERSION, deals, totals, winners_of(totals))


def _replay_deal(number: int, given: Mapping[str, Any], place: str) -> DealRecord:
    starter = deal_starter(number)
    require(given["round"] in range(8), f"{place}.round", "must be 0 … 7")
    require(given["starter"] == starter, f"{place}.starter", f"seat {starter} opens this deal")
    cards = CardReader(CARD_NAMES)
    hands = cards.take_hands(given["hands"], SEATS, deal_size(number), f"{place}.hands")
    table = Table(number, hands, [0] * SEATS)
    plain_bids.replay_bids(table, given["bids"], f"{place}.bids")
    plain_bids.replay_tricks(table, given, CARD_NAMES, place)
    return DealRecord(**table.outcome())
