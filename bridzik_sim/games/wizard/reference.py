"""Wizard played slowly and plainly, straight from its rules: the judge of the compiled kernel.

Cards are the integers 13 * suit + number - 1 (suits R Y G B, numbers 1 to 13), then 52 to 55 the wizards and
56 to 59 the jesters; hands are sets, a trick is a list of cards in the order of play. The same engine plays
the games of strategies in plain Python, and ``replay_record`` checks a finished record move by move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bridzik_sim.games import plain_bids
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
from bridzik_sim.games.wizard.rules import DEAL_KINDS, VIEW

RULES_VERSION = 1
FIRST_DEALER = 1
CARDS, SEAT_COUNTS, MOST_SEATS = 60, (3, 4, 5, 6), 6
SUITS = "RYGB"
CARD_NAMES = [f"{suit}{number}" for suit in SUITS for number in range(1, 14)] + ["W"] * 4 + ["J"] * 4
DEFAULTS = {
    "hand_sizes": "all",
    "first_dealer": "random",
    "wizard_trump": "none",
    "sum_rule": "on",
    "hidden_bids": "off",
}
AT_ONCE = 8
"""Cards of a hand that are drawn together: more would not fit one random word."""


def is_wizard(card: int) -> bool:
    """Whether the card is one of the four wizards."""
    return CARD_NAMES[card] == "W"


def is_jester(card: int) -> bool:
    """Whether the card is one of the four jesters."""
    return CARD_NAMES[card] == "J"


def suit_of(card: int) -> int:
    """0 red, 1 yellow, 2 green, 3 blue; -1 for a wizard or jester, which has no suit."""
    return -1 if is_wizard(card) or is_jester(card) else card // 13


def lead_suit(trick: Sequence[int]) -> int:
    """The suit to follow: of the first card that is no jester; -1 if that is a wizard or there is none."""
    for card in trick:
        if not is_jester(card):
            return suit_of(card)
    return -1


def of_suit(cards: Collection[int], suit: int) -> list[int]:
    """The number cards of a suit among ``cards``, in their order; none for suit -1."""
    return [card for card in cards if suit >= 0 and suit_of(card) == suit]


def legal_cards(hand: Collection[int], trick: Sequence[int]) -> list[int]:
    """The cards of ``hand`` that may be played to ``trick``: all, or those that follow suit and specials."""
    led = of_suit(hand, lead_suit(trick))
    return sorted(led + [card for card in hand if suit_of(card) < 0]) if led else sorted(hand)


def winning_card(trick: Sequence[int], trump: int) -> int:
    """The card that wins ``trick`` so far.

    The first wizard, else the highest trump, else the highest of the lead suit, else the first jester.
    """
    wizards = [card for card in trick if is_wizard(card)]
    if wizards:
        return wizards[0]
    numbers = of_suit(trick, trump) or of_suit(trick, lead_suit(trick))
    return max(numbers) if numbers else trick[0]


def shown_voids(card: int, trick: Sequence[int]) -> list[int]:
    """The suits a player shows to lack by adding ``card`` to ``trick``, the cards played before it."""
    lead = lead_suit(trick)
    return [lead] if lead >= 0 and suit_of(card) not in (-1, lead) else []


def points_for(bid: int, taken: int) -> int:
    """Twenty and ten a trick for taking exactly as many as bid, else minus ten for each too many or few."""
    return 20 + 10 * taken if taken == bid else -10 * abs(taken - bid)


def turned_suit(trump_card: int) -> int:
    """The trump that the card turned up makes: its suit; -1 for a wizard, a jester or no card (-1)."""
    return suit_of(trump_card) if trump_card >= 0 else -1


def kind_of(trump_card: int, dealer_chooses: bool) -> int:
    """What made the trump, an index into DEAL_KINDS."""
    if trump_card < 0:
        return DEAL_KINDS.index("last round")
    if is_jester(trump_card):
        return DEAL_KINDS.index("jester turned up")
    if is_wizard(trump_card):
        return DEAL_KINDS.index("dealer chose" if dealer_chooses else "wizard turned up")
    return DEAL_KINDS.index("trump")


@dataclass
class DealRecord(BidsRecord):
    """A finished deal; ``trump_card`` and ``trump`` are -1 for none, ``kind`` is an index into DEAL_KINDS."""

    dealer: int
    trump_card: int
    trump: int
    kind: int

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record, cards by name."""
        return {
            "round": self.deal + 1,
            "dealer": self.dealer,
            "trump_card": CARD_NAMES[self.trump_card] if self.trump_card >= 0 else None,
            "trump": SUITS[self.trump] if self.trump >= 0 else None,
            "starter": self.starter,
            **self.play_as_dict(CARD_NAMES),
        }


class Table(plain_bids.Table):
    """A deal in progress: ``trump`` is -1 for none, also until the dealer has chosen it.

    ``options`` are the rule options of ``play_game`` that differ from the default.
    """

    places = MOST_SEATS

    def __init__(
        self,
        deal: int,
        dealer: int,
        hands: Sequence[Collection[int]],
        trump_card: int,
        scores: Sequence[int],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(deal, (dealer + 1) % len(hands), hands, scores)
        options = DEFAULTS | dict(options or {})
        self.dealer, self.trump_card, self.trump = dealer, trump_card, turned_suit(trump_card)
        self.sum_rule, self.hidden = options["sum_rule"] == "on", options["hidden_bids"] == "on"
        chooses = options["wizard_trump"] == "dealer"
        self.kind = kind_of(trump_card, chooses)
        self.dealer_chooses = DEAL_KINDS[self.kind] == "dealer chose"

    def first_leader(self) -> int:
        """The starter."""
        return self.starter

    def legal_cards(self, seat: int) -> list[int]:
        """The cards that ``seat`` may add to the trick."""
        return legal_cards(self.hands[seat], self.trick)

    def duty(self, seat: int) -> str:
        """What ``seat`` must do when it may not play every card."""
        return "must follow suit or play a wizard or jester"

    def lead_suit(self) -> int:
        """The suit to follow in the trick, -1 if there is none."""
        return lead_suit(self.trick)

    def winning_card(self) -> int:
        """The card that wins the trick so far."""
        return winning_card(self.trick, self.trump)

    def shown_voids(self, card: int) -> list[int]:
        """The suits a player shows to lack by adding ``card`` to the trick."""
        return shown_voids(card, self.trick)

    def points(self, bid: int, taken: int) -> int:
        """Points of a seat for the deal."""
        return points_for(bid, taken)

    def shown_bids(self) -> list[int]:
        """The bids that everyone sees: hidden ones only once all are made."""
        return [-1] * self.seats if self.hidden and -1 in self.bids else self.bids

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
        about = {"seats": self.seats, "sum_rule": int(self.sum_rule)}
        turned = {"trump": self.trump, "trump_card": self.trump_card}
        return super().view_fields(seat, legal) | about | turned

    def outcome(self) -> dict[str, Any]:
        """The fields of the finished deal's ``DealRecord``."""
        turned = {"trump_card": self.trump_card, "trump": self.trump}
        return super().outcome() | turned | {"dealer": self.dealer, "kind": self.kind}


def take_hand(stream: PlainStream, deck: list[int], size: int) -> list[int]:
    """Remove a random hand from ``deck``, a few cards at a time; sorted. The last of a deck is not drawn."""
    hand = list(deck) if len(deck) == size else []
    if hand:
        deck.clear()
    while len(hand) < size:
        hand += stream.take(deck, min(size - len(hand), AT_ONCE))
    return sorted(hand)


def deal_cards(words: Sequence[int], deal: int, seats: int, starter: int) -> tuple[list[list[int]], int]:
    """The hands of a deal by seat, and the card turned up (-1: none is left), by the deal's own stream.

    The seats take their hands in turn from the starter on, then the card is turned.
    """
    stream, deck = PlainStream.of(words, deal, DEAL), list(range(CARDS))
    hands = {seat: take_hand(stream, deck, deal + 1) for seat in seats_from(starter, seats)}
    return [hands[seat] for seat in range(seats)], stream.take(deck, 1)[0] if deck else -1


def first_dealer_of(words: Sequence[int], seats: int) -> int:
    """The seat that deals the first round of a unit, at random."""
    return PlainStream.of(words, 0, FIRST_DEALER).below(seats)


def deal_table(
    words: Sequence[int],
    deal: int,
    dealer: int,
    scores: Sequence[int],
    options: Mapping[str, Any],
    given: Sequence[Collection[int]] | None,
) -> Table:
    """The table of a deal with the cards of the unit, or with the hands ``given`` instead of its own."""
    seats = len(scores)
    hands, trump_card = deal_cards(words, deal, seats, (dealer + 1) % seats)
    return Table(deal, dealer, [sorted(hand) for hand in given or hands], trump_card, scores, options)


def play_deal(table: Table, players: Players) -> DealRecord:
    """The dealer's choice of a trump, if it has one, bidding, then all the tricks, then the points."""
    if table.dealer_chooses:
        table.trump = players.ask(table, table.dealer, "trump", list(range(len(SUITS))))
    plain_bids.play_bidding(table, players)
    plain_bids.play_tricks(table, players)
    return DealRecord(**table.outcome())


def deals_played(seats: int, hand_sizes: Collection[int] | Literal["all"]) -> list[int]:
    """Numbers of the deals played; ValueError for hand sizes that this many players cannot get."""
    sizes = range(1, CARDS // seats + 1)
    chosen = sizes if hand_sizes == "all" else hand_sizes
    if not chosen or not set(chosen) <= set(sizes):
        raise ValueError(f"hand sizes must be all or some of 1 … {sizes[-1]}, not {hand_sizes!r}")
    return [size - 1 for size in sizes if size in chosen]


def play_game(
    players: Sequence[object],
    *,
    seed: int,
    unit: int,
    seating: int = 0,
    hand_sizes: Collection[int] | Literal["all"] = "all",
    first_dealer: int | Literal["random"] = "random",
    wizard_trump: Literal["none", "dealer"] = "none",
    sum_rule: Literal["on", "off"] = "on",
    hidden_bids: Literal["off", "on"] = "off",
    params: Params | None = None,
    on_error: OnError = "stop",
    observer: Observer | None = None,
    dealt: Mapping[int, Sequence[Collection[int]]] | None = None,
    cheats: Sequence[bool] | None = None,
) -> GameRecord[DealRecord]:
    """Play one game, the deals of ``unit`` under ``seed``, and return what happened.

    players       3 to 6 objects with callables ``bid(view)``, ``play(view)``, ``trump(view)``, by seat
    seating       number of this seating of the unit: it changes the players' random streams, not the cards
    hand_sizes    only rounds of these sizes are played, with the cards and dealers of a full game
    first_dealer  the seat that deals the first round
    wizard_trump  whether the dealer chooses the trump when a wizard is turned up
    sum_rule      whether the last bid may not make the bids sum to the tricks
    hidden_bids   whether bids are shown only once all are made
    params        float64 (seats, 16): the parameters each seat finds in its view; zeros if None
    on_error      "stop" raises StrategyFault at the first wrong answer, "forfeit" plays the lowest legal one
    observer      called with an Event before and after every decision
    dealt         by number of deal: hands of card ids instead of the unit's own; the card turned up stays
    cheats        by seat: whether its view holds all hands as dealt

    ValueError for a wrong number of players, options out of range, or ``params`` of another shape.
    """
    seats = len(players)
    options = {"wizard_trump": wizard_trump, "sum_rule": sum_rule, "hidden_bids": hidden_bids}
    _check_options(options, seats, first_dealer)
    deals, params = deals_played(seats, hand_sizes), checked_params(params, seats)
    words = unit_words(seed, stream_tag("wizard", RULES_VERSION), unit)
    first = first_dealer_of(words, seats) if first_dealer == "random" else first_dealer
    seated, given = Players(players, VIEW, Asker(on_error, observer)), dealt or {}
    totals, records = [0] * seats, []
    for deal in deals:
        table = deal_table(words, deal, (first + deal) % seats, totals, options, given.get(deal))
        seated.new_deal(words, table, seating, params, cheats)
        records.append(play_deal(table, seated))
        totals = table.totals()
    return GameRecord("wizard", RULES_VERSION, records, totals, winners_of(totals), seated.asker.faults)


def _check_options(words: Mapping[str, Any], seats: int, first_dealer: Any) -> None:
    known = {"wizard_trump": ("none", "dealer"), "sum_rule": ("on", "off"), "hidden_bids": ("on", "off")}
    require(seats in SEAT_COUNTS, "players", f"wizard has 3 to 6, not {seats}")
    for name, allowed in known.items():
        require(words[name] in allowed, name, f"must be {' or '.join(allowed)}, not {words[name]!r}")
    seat = type(first_dealer) is int and first_dealer in range(seats)
    require(
        first_dealer == "random" or seat, "first_dealer", f"must be random or a seat, not {first_dealer!r}"
    )


def replay_record(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    """Play the hands, bids and cards of a record (as parsed from JSON) again and check it against every rule.

    The record may lack options, which then have their defaults, and deals of its options; its totals are
    compared only when none is missing (else they must be within reach of the points of the deals shown).
    Labels, seed and ``faults`` are not looked at, so a random first dealer may be anyone. Wizards and jesters
    have no names of their own: each stands for the lowest id left. Returns the game as replayed; ValueError
    names the broken rule and the place.
    """
    with reading_record("wizard"):
        return _replay_game(record)


def _replay_game(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    check_heading(record, "wizard", RULES_VERSION)
    require(set(record["options"]) <= set(DEFAULTS), "options", f"must be of {', '.join(DEFAULTS)}")
    options, seats = DEFAULTS | record["options"], len(record["seats"])
    _check_options(options, seats, options["first_dealer"])
    expected = deals_played(seats, options["hand_sizes"])
    given = record["deals"]
    numbers = [deal["round"] - 1 for deal in given]
    plain_bids.check_numbers(numbers, expected)
    first = options["first_dealer"]
    if first == "random":
        first = (given[0]["dealer"] - numbers[0]) % seats if given else 0
    deals = [
        _replay_deal(numbers[i], (first + numbers[i]) % seats, given[i], seats, options, f"deals[{i}]")
        for i in range(len(given))
    ]
    missing = [deal + 1 for deal in expected if deal not in numbers]
    totals = plain_bids.check_totals(record, deals, seats, missing, points_for)
    return GameRecord("wizard", RULES_VERSION, deals, totals, winners_of(totals))


def _replay_deal(
    number: int, dealer: int, given: Mapping[str, Any], seats: int, options: Mapping[str, Any], place: str
) -> DealRecord:
    require(given["dealer"] == dealer, f"{place}.dealer", f"seat {dealer} deals this round")
    starter = (dealer + 1) % seats
    require(given["starter"] == starter, f"{place}.starter", f"seat {starter} opens this deal")
    cards = CardReader(CARD_NAMES)
    hands = cards.take_hands(given["hands"], seats, number + 1, f"{place}.hands")
    turned, trump = given["trump_card"], given["trump"]
    require((turned is not None) == bool(cards.left), f"{place}.trump_card", "is turned up if a card is left")
    trump_card = -1 if turned is None else cards.take(turned, f"{place}.trump_card")
    table = Table(number, dealer, hands, trump_card, [0] * seats, options)
    if table.dealer_chooses:
        require(trump in list(SUITS), f"{place}.trump", "the dealer chooses a suit")
        table.trump = SUITS.index(trump)
    suit = SUITS[table.trump] if table.trump >= 0 else None
    require(trump == suit, f"{place}.trump", f"the card turned up makes it {suit or 'none'}")
    plain_bids.replay_bids(table, given["bids"], f"{place}.bids")
    plain_bids.replay_tricks(table, given, CARD_NAMES, place)
    return DealRecord(**table.outcome())
