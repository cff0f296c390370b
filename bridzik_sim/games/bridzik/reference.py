"""Bridžik played slowly and plainly, straight from its rules: the judge of the compiled kernel.

Cards are the integers 8 * suit + rank (suits H L A B, ranks 7 8 9 10 J Q K A), hands are sets, a trick is a
list of cards in the order of play. The same engine plays the games of strategies in plain Python, and
``replay_record`` checks a finished record move by move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bridzik_sim.games.bridzik.rules import VIEW
from bridzik_sim.games.plain import (
    DEAL,
    Asker,
    GameRecord,
    Observer,
    OnError,
    PlainStream,
    SeatView,
    TrickRecord,
    mask_of,
    require,
    seats_from,
    strategy_purpose,
    stream_tag,
    unit_words,
)

RULES_VERSION = 1
SEATS, DEALS = 4, 32
HEARTS = 0
SUITS = "HLAB"
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
CARD_NAMES = [suit + rank for suit in SUITS for rank in RANKS]
NOTHING = ((0,) * SEATS,) * SEATS
Params = npt.NDArray[np.float64]


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
    """The bid the next bidder may not make, -1 if there is none; ``earlier`` are the bids so far, in order.

    Only the fourth bidder is bound: the four bids may not sum to the number of tricks.
    """
    if len(earlier) == SEATS - 1 and sum(earlier) <= size:
        return size - sum(earlier)
    return -1


def legal_bids(size: int, earlier: Sequence[int]) -> list[int]:
    """The bids the next bidder may make."""
    return [bid for bid in range(size + 1) if bid != forbidden_bid(size, earlier)]


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


def trick_winner(leader: int, trick: Sequence[int]) -> int:
    """The seat that wins the finished ``trick`` led by ``leader``."""
    return seats_from(leader, SEATS)[trick.index(winning_card(trick))]


def points_for(bid: int, taken: int) -> int:
    """Ten and the bid for taking exactly as many tricks as bid, otherwise nothing."""
    return 10 + bid if taken == bid else 0


def winners_of(totals: Sequence[int]) -> list[int]:
    """Every seat with the highest total."""
    return [seat for seat in range(SEATS) if totals[seat] == max(totals)]


def shown_voids(card: int, trick: Sequence[int]) -> list[int]:
    """The suits a player shows to lack by adding ``card`` to ``trick``, the cards played before it."""
    if not trick or suit_of(card) == suit_of(trick[0]):
        return []
    if suit_of(card) == HEARTS:
        return [suit_of(trick[0])]
    return [suit_of(trick[0]), HEARTS]


@dataclass
class DealRecord:
    """A finished deal: ``deal`` is its number in the full game; the lists run by seat, hands are as dealt."""

    deal: int
    hands: list[list[int]]
    bids: list[int]
    tricks: list[TrickRecord]
    taken: list[int]
    points: list[int]

    @property
    def starter(self) -> int:
        """The seat that bid first."""
        return deal_starter(self.deal)

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record, cards by name."""
        return {
            "series": self.deal // 8,
            "round": self.deal % 8,
            "starter": self.starter,
            "hands": [[CARD_NAMES[card] for card in hand] for hand in self.hands],
            "bids": list(self.bids),
            "tricks": [trick.as_dict(CARD_NAMES) for trick in self.tricks],
            "taken": list(self.taken),
            "points": list(self.points),
        }


class Table:
    """A deal in progress: bids are -1 until made, the leader is -1 while bidding."""

    def __init__(self, deal: int, hands: Sequence[Collection[int]], scores: Sequence[int]) -> None:
        self.deal = deal
        self.size, self.starter = deal_size(deal), deal_starter(deal)
        self.dealt = [sorted(hand) for hand in hands]
        self.hands = [set(hand) for hand in hands]
        self.scores = list(scores)
        self.bids, self.taken = [-1] * SEATS, [0] * SEATS
        self.voids: list[set[int]] = [set() for _ in range(SEATS)]
        self.leader, self.trick = -1, list[int]()
        self.played, self.tricks = list[int](), list[TrickRecord]()


def deal_hands(words: Sequence[int], deal: int) -> list[list[int]]:
    """The four hands of a deal, sorted: the seats take their cards in turn, by the deal's own stream."""
    stream = PlainStream.of(words, deal, DEAL)
    deck, size = list(range(32)), deal_size(deal)
    hands = [stream.take(deck, size) for _ in range(SEATS - 1)]
    hands.append(deck if len(deck) == size else stream.take(deck, size))
    return hands


def view_fields(table: Table, seat: int, legal: Sequence[int], forbidden: int) -> dict[str, Any]:
    """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""
    trick = table.trick
    return {
        "deal": table.deal,
        "size": table.size,
        "starter": table.starter,
        "forbidden": forbidden,
        "trick_length": len(trick),
        "leader": table.leader,
        "best": winning_card(trick) if trick else -1,
        "lead": suit_of(trick[0]) if trick else -1,
        "played": mask_of(table.played),
        "scores": table.scores,
        "bids": table.bids,
        "has_bid": [int(bid >= 0) for bid in table.bids],
        "taken": table.taken,
        "trick": trick + [-1] * (SEATS - len(trick)),
        "seen_void": [mask_of(suits) for suits in table.voids],
        "seat": seat,
        "position": (seat - table.starter) % SEATS,
        "hand": mask_of(table.hands[seat]),
        "legal": mask_of(legal),
    }


class Players:
    """The four players with their views, and the one who asks them."""

    def __init__(self, players: Sequence[object], view: np.dtype[Any], asker: Asker) -> None:
        self.players = players
        self.views = [SeatView(view) for _ in range(SEATS)]
        self.asker = asker

    def new_deal(
        self, words: Sequence[int], deal: int, seating: int, params: Params, told: Any = NOTHING
    ) -> None:
        """Give every seat its stream of the deal, its parameters, an empty memory and what it is ``told``."""
        for seat, view in enumerate(self.views):
            stream = PlainStream.of(words, deal, strategy_purpose(seating, seat))
            view.write({"stream": stream.state, "params": params[seat], "memory": 0.0, "dealt": told[seat]})

    def ask(self, table: Table, seat: int, decision: str, legal: list[int], forbidden: int = -1) -> int:
        """Show the table to the seat and return its answer, one of ``legal``."""
        view = self.views[seat]
        view.write(view_fields(table, seat, legal, forbidden))
        return self.asker.ask(self.players[seat], view.record, table.deal, seat, decision, legal)


def play_bidding(table: Table, players: Players) -> None:
    """Each seat bids once, the opener first."""
    earlier: list[int] = []
    for seat in seats_from(table.starter, SEATS):
        legal = legal_bids(table.size, earlier)
        bid = players.ask(table, seat, "bid", legal, forbidden_bid(table.size, earlier))
        table.bids[seat] = bid
        earlier.append(bid)


def play_trick(table: Table, players: Players) -> None:
    """Four cards, the leader's first; the winner leads next."""
    table.trick = []
    for seat in seats_from(table.leader, SEATS):
        card = players.ask(table, seat, "play", legal_cards(table.hands[seat], table.trick))
        table.hands[seat].remove(card)
        table.voids[seat].update(shown_voids(card, table.trick))
        table.trick.append(card)
        table.played.append(card)
    winner = trick_winner(table.leader, table.trick)
    table.tricks.append(TrickRecord(table.leader, table.trick, winner))
    table.taken[winner] += 1
    table.leader = winner


def play_deal(table: Table, players: Players) -> DealRecord:
    """Bidding, then all the tricks, then the points."""
    play_bidding(table, players)
    table.leader = first_leader(table.bids, table.starter)
    for _ in range(table.size):
        play_trick(table, players)
    points = [points_for(table.bids[seat], table.taken[seat]) for seat in range(SEATS)]
    return DealRecord(table.deal, table.dealt, table.bids, table.tricks, table.taken, points)


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
    params = np.zeros((SEATS, 16)) if params is None else np.asarray(params, dtype=np.float64)
    if params.shape != (SEATS, 16):
        raise ValueError(f"params must have the shape (4, 16), not {params.shape}")
    words = unit_words(seed, stream_tag("bridzik", RULES_VERSION), unit)
    seated, given = Players(players, VIEW, Asker(on_error, observer)), dealt or {}
    totals = [0] * SEATS
    deals = []
    for deal in range(DEALS):
        if deal_size(deal) in hand_sizes:
            hands = given.get(deal) or deal_hands(words, deal)
            told = [[mask_of([*hand]) * cheat for hand in hands] for cheat in cheats]
            seated.new_deal(words, deal, seating, params, told)
            record = play_deal(Table(deal, hands, totals), seated)
            totals = [total + points for total, points in zip(totals, record.points, strict=True)]
            deals.append(record)
    return GameRecord("bridzik", RULES_VERSION, deals, totals, winners_of(totals), seated.asker.faults)


def replay_record(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    """Play the hands, bids and cards of a record (as parsed from JSON) again and check it against every rule.

    The record may lack deals of its options; its totals are compared only when none is missing (else they
    must not be below the points of the deals shown). Labels, seed and ``faults`` are not looked at. Returns
    the game as replayed; ValueError names the broken rule and the place.
    """
    try:
        return _replay_game(record)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"not a record of a game of bridžik: {error!r}") from error


def _replay_game(record: Mapping[str, Any]) -> GameRecord[DealRecord]:
    require(record["game"] == "bridzik", "game", "must be bridzik")
    require(record["rules_version"] == RULES_VERSION, "rules_version", f"must be {RULES_VERSION}")
    expected = [deal for deal in range(DEALS) if deal_size(deal) in record["options"]["hand_sizes"]]
    given = record["deals"]
    numbers = [8 * deal["series"] + deal["round"] for deal in given]
    in_order = [deal for deal in expected if deal in numbers]
    require(numbers == in_order, "deals", "must be deals of the options, in order")
    deals = [_replay_deal(numbers[i], given[i], f"deals[{i}]") for i in range(len(given))]
    shown = [sum(deal.points[seat] for deal in deals) for seat in range(SEATS)]
    totals = record["totals"]
    require(len(totals) == SEATS, "totals", "must be four numbers")
    if numbers == expected:
        require(totals == shown, "totals", f"the points of the deals add up to {shown}")
    for seat in range(SEATS):
        require(totals[seat] >= shown[seat], "totals", f"seat {seat} made {shown[seat]} in the deals shown")
    winners = winners_of(totals)
    require(record["winners"] == winners, "winners", f"the highest total has {winners}")
    return GameRecord("bridzik", RULES_VERSION, deals, list(totals), winners)


def _replay_deal(number: int, given: Mapping[str, Any], place: str) -> DealRecord:
    size, starter = deal_size(number), deal_starter(number)
    require(given["round"] in range(8), f"{place}.round", "must be 0 … 7")
    require(given["starter"] == starter, f"{place}.starter", f"seat {starter} opens this deal")
    hands = [_cards(hand, f"{place}.hands[{seat}]") for seat, hand in enumerate(given["hands"])]
    sizes, different = [len(hand) for hand in hands], {card for hand in hands for card in hand}
    require(sizes == [size] * SEATS, f"{place}.hands", f"must be four of {size} cards")
    require(len(different) == SEATS * size, f"{place}.hands", "a card is dealt twice")
    bids = given["bids"]
    _check_bids(bids, size, starter, f"{place}.bids")
    require(len(given["tricks"]) == size, f"{place}.tricks", f"must be {size}")
    held = [set(hand) for hand in hands]
    leader = first_leader(bids, starter)
    tricks, taken = [], [0] * SEATS
    for index, trick in enumerate(given["tricks"]):
        tricks.append(_replay_trick(trick, leader, held, f"{place}.tricks[{index}]"))
        leader = tricks[-1].winner
        taken[leader] += 1
    require(given["taken"] == taken, f"{place}.taken", f"the tricks taken are {taken}")
    points = [points_for(bids[seat], taken[seat]) for seat in range(SEATS)]
    require(given["points"] == points, f"{place}.points", f"the points are {points}")
    return DealRecord(number, hands, list(bids), tricks, taken, points)


def _check_bids(bids: Sequence[int], size: int, starter: int, place: str) -> None:
    require(len(bids) == SEATS, place, "must be four")
    earlier: list[int] = []
    for seat in seats_from(starter, SEATS):
        bid, forbidden = bids[seat], forbidden_bid(size, earlier)
        require(type(bid) is int and bid in range(size + 1), f"{place}[{seat}]", f"must be 0 … {size}")
        require(bid != forbidden, f"{place}[{seat}]", f"the last bid may not make the sum {size}")
        earlier.append(bid)


def _replay_trick(given: Mapping[str, Any], leader: int, held: list[set[int]], place: str) -> TrickRecord:
    """Check one trick and remove its cards from the hands ``held``."""
    require(given["leader"] == leader, f"{place}.leader", f"seat {leader} leads")
    cards = _cards(given["cards"], f"{place}.cards")
    require(len(cards) == SEATS, f"{place}.cards", "must be four")
    for index, seat in enumerate(seats_from(leader, SEATS)):
        card, where = cards[index], f"{place}.cards[{index}]"
        require(card in held[seat], where, f"seat {seat} does not hold {CARD_NAMES[card]}")
        suits = {suit_of(other) for other in held[seat]}
        suit, lead = suit_of(card), suit_of(cards[0])
        require(lead not in suits or suit == lead, where, f"seat {seat} must follow suit")
        require(lead in suits or HEARTS not in suits or suit == HEARTS, where, f"seat {seat} must ruff")
        held[seat].remove(card)
    winner = trick_winner(leader, cards)
    require(given["winner"] == winner, f"{place}.winner", f"seat {winner} wins")
    return TrickRecord(leader, cards, winner)


def _cards(names: Sequence[str], place: str) -> list[int]:
    for name in names:
        require(name in CARD_NAMES, place, f"there is no card {name!r}")
    return [CARD_NAMES.index(name) for name in names]
