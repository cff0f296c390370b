"""Honeymoon bridge played slowly and plainly, straight from its rules: the judge of the compiled kernel.

A match is a row of deals (``plain_deal.py``). The same engine plays the matches of strategies in plain
Python, and ``replay_record`` checks a finished record call by call and card by card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bridzik_sim.games.honeymoon.plain_deal import (
    SEATS,
    VULNERABLE,
    DrawTrick,
    Table,
    deal_table,
    dealer_of,
)
from bridzik_sim.games.honeymoon.plain_par import par_figures
from bridzik_sim.games.honeymoon.rules import VIEW
from bridzik_sim.games.plain import (
    Asker,
    Observer,
    OnError,
    Params,
    Players,
    checked_params,
    seats_from,
    stream_tag,
    unit_words,
)
from bridzik_sim.games.plain_contract import (
    CALL_NAMES,
    CARD_NAMES,
    CARDS,
    HAND_SIZE,
    contract_name,
    replay_auction,
)
from bridzik_sim.games.plain_records import (
    CardReader,
    GameRecord,
    TrickRecord,
    check_heading,
    reading_record,
    require,
    winners_of,
)
from bridzik_sim.games.plain_tricks import replay_trick

RULES_VERSION = 1
MOST_DEALS = 1000
DEFAULTS: dict[str, Any] = {"deals": 16, "vulnerability": "cycle", "par": "off"}
CHOICES = {"vulnerability": ("cycle", "random", "none", "both"), "par": ("off", "on")}
CYCLE = 8
"""Deals after which dealers and vulnerability begin again."""
RESULTS = ("contract", "declarer", "declarer_tricks", "points", "par", "auction_lost", "play_lost")
MOST_POINTS = 7600
"""Of one deal: seven redoubled, vulnerable, without a trick."""


@dataclass
class DealRecord:
    """A finished deal: ``deal`` is its number in the match, hands are as dealt, ``points`` gains by seat.

    vulnerable       mask: bit 0 is N, bit 1 is S
    calls            in order from the dealer
    contract         the bid, 0 when the deal was passed out; then ``declarer`` and ``declarer_tricks`` are -1
    doubled          0, 1 doubled, 2 redoubled
    judged           whether the deal was measured against par: ``par`` net points of seat 0, and by seat what
                     own calls and cards lost
    """

    deal: int
    dealer: int
    vulnerable: int
    hands: list[list[int]]
    draw_phase: list[DrawTrick]
    calls: list[int]
    contract: int
    doubled: int
    declarer: int
    tricks: list[TrickRecord]
    declarer_tricks: int
    points: list[int]
    judged: bool
    par: int
    auction_lost: list[int]
    play_lost: list[int]

    def as_dict(self) -> dict[str, Any]:
        """The deal as it stands in a record, cards and calls by name."""
        played = self.contract > 0
        judged = {"par": self.par, "auction_lost": self.auction_lost, "play_lost": self.play_lost}
        return {
            "dealer": self.dealer,
            "vulnerable": VULNERABLE[self.vulnerable],
            "hands": [[CARD_NAMES[card] for card in hand] for hand in self.hands],
            "draw_phase": [trick.as_dict(CARD_NAMES) for trick in self.draw_phase],
            "calls": [CALL_NAMES[code] for code in self.calls],
            "contract": contract_name(self.contract, self.doubled),
            "declarer": self.declarer if played else None,
            "tricks": [trick.as_dict(CARD_NAMES) for trick in self.tricks],
            "declarer_tricks": self.declarer_tricks if played else None,
            "points": list(self.points),
            **(judged if self.judged else {}),
        }


@dataclass
class HoneymoonRecord(GameRecord[DealRecord]):
    """A finished match: ``decisions`` that were asked of both seats."""

    decisions: int = 0

    @property
    def judged(self) -> bool:
        """Whether its deals were measured against par."""
        return any(deal.judged for deal in self.deals)


def record_of(table: Table, judged: bool) -> DealRecord:
    """The record of a finished deal; ``judged``: measured against par."""
    par, auction_lost, play_lost = par_figures(table) if judged else (0, [0] * SEATS, [0] * SEATS)
    return DealRecord(
        deal=table.deal,
        dealer=table.dealer,
        vulnerable=table.vulnerable,
        hands=table.dealt,
        draw_phase=table.draw_phase,
        calls=table.auction.calls,
        contract=table.auction.bid,
        doubled=table.auction.doubled,
        declarer=table.declarer,
        tricks=table.tricks,
        declarer_tricks=table.declarer_tricks(),
        points=table.points(),
        judged=judged,
        par=par,
        auction_lost=auction_lost,
        play_lost=play_lost,
    )


def match_record(deals: list[DealRecord], totals: list[int]) -> HoneymoonRecord:
    """The record of a match of these deals."""
    winners = winners_of(totals)
    decisions = sum(SEATS * (len(deal.draw_phase) + len(deal.tricks)) + len(deal.calls) for deal in deals)
    return HoneymoonRecord("honeymoon", RULES_VERSION, deals, totals, winners, decisions=decisions)


def totals_of(deals: Sequence[DealRecord]) -> list[int]:
    """The points of deals by seat."""
    return [sum(deal.points[seat] for deal in deals) for seat in range(SEATS)]


def play_deal(table: Table, players: Players) -> None:
    """The draw phase, the auction, and the play unless both passed."""
    while table.stock:
        play_trick(table, players)
        table.draw()
    while not table.auction.over:
        legal = table.auction.legal_calls()
        table.auction.make(players.ask(table, table.auction.caller, "call", legal))
    if not table.passed_out:
        table.open_play()
        for _ in range(HAND_SIZE):
            play_trick(table, players)


def play_trick(table: Table, players: Players) -> None:
    """A card of the leader, then one of its opponent."""
    for seat in seats_from(table.leader, SEATS):
        table.play(seat, players.ask(table, seat, "play", table.legal_cards(seat)))
    table.close_trick()


def play_game(
    players: Sequence[object],
    *,
    seed: int,
    unit: int,
    seating: int = 0,
    deals: int = 16,
    vulnerability: Literal["cycle", "random", "none", "both"] = "cycle",
    par: Literal["off", "on"] = "off",
    params: Params | None = None,
    on_error: OnError = "stop",
    observer: Observer | None = None,
    dealt: Mapping[int, Sequence[int]] | None = None,
    cheats: Sequence[bool] | None = None,
) -> HoneymoonRecord:
    """Play one match, the cards of ``unit`` under ``seed``, and return what happened.

    players        two objects with callables ``call(view)`` and ``play(view)``, by seat
    seating        number of this seating of the unit: it changes the players' random streams, not the cards
    deals          length of the match, 1 … 1000
    vulnerability  who is vulnerable: in a cycle none, N, S, both; at random; nobody; both
    par            "on": measure every deal against its par
    params         float64 (2, 16): the parameters each seat finds in its view; zeros if None
    on_error       "stop" raises StrategyFault at the first wrong answer, "forfeit" plays the lowest legal one
    observer       called with an Event before and after every decision
    dealt          by number of deal: a permutation of the 52 ids; wherever the unit deals a card or puts it
                   into the stock, it is the one in its place
    cheats         by seat: whether its view holds both hands as dealt

    ValueError for a wrong number of players, options out of range, no permutation of the cards, or ``params``
    of another shape.
    """
    options, given = {"deals": deals, "vulnerability": vulnerability, "par": par}, dealt or {}
    check_options(options, len(players))
    for mapping in given.values():
        require(sorted(mapping) == [*range(CARDS)], "dealt", "must be permutations of the cards")
    params = checked_params(params, SEATS)
    words = unit_words(seed, stream_tag("honeymoon", RULES_VERSION), unit)
    seated = Players(players, VIEW, Asker(on_error, observer))
    totals, records = [0] * SEATS, list[DealRecord]()
    for deal in range(deals):
        table = deal_table(words, deal, totals, options, given.get(deal))
        seated.new_deal(words, table, seating, params, cheats)
        play_deal(table, seated)
        records.append(record_of(table, par == "on"))
        totals = totals_of(records)
    record = match_record(records, totals)
    record.faults = seated.asker.faults
    return record


def check_options(options: Mapping[str, Any], seats: int) -> None:
    """ValueError for a number of players or options out of range."""
    deals = options["deals"]
    require(seats == SEATS, "players", f"honeymoon has {SEATS}, not {seats}")
    known = type(deals) is int and 1 <= deals <= MOST_DEALS
    require(known, "deals", f"must be 1 … {MOST_DEALS}, not {deals!r}")
    for name, allowed in CHOICES.items():
        require(options[name] in allowed, name, f"must be {' or '.join(allowed)}, not {options[name]!r}")


def replay_record(record: Mapping[str, Any]) -> HoneymoonRecord:
    """Play the cards and calls of a record (as parsed from JSON) again and check it against every rule.

    The record may lack options, which then have their defaults, and deals of the match: then those shown may
    be any that follow each other in the cycle of dealers and vulnerability, and its totals must be within
    reach of their points. Labels, seed and ``faults`` are not looked at, so anyone may be vulnerable at
    random. Returns the match as replayed; ValueError names the broken rule and the place.
    """
    with reading_record("honeymoon bridge"):
        return _replay_game(record)


def _replay_game(record: Mapping[str, Any]) -> HoneymoonRecord:
    check_heading(record, "honeymoon", RULES_VERSION)
    require(set(record["options"]) <= set(DEFAULTS), "options", f"must be of {', '.join(DEFAULTS)}")
    options, given = DEFAULTS | record["options"], record["deals"]
    check_options(options, len(record["seats"]))
    missing = options["deals"] - len(given)
    require(missing >= 0, "deals", f"must be at most {options['deals']}")
    first = first_deal(given, options["vulnerability"], range(CYCLE) if missing else [0])
    deals = list[DealRecord]()
    for index, deal in enumerate(given):
        place = f"deals[{index}]"
        table = replayed(first + index, deal, totals_of(deals), options["deals"], place)
        deals.append(record_of(table, options["par"] == "on"))
        check_result(deals[-1].as_dict(), deal, place)
    totals, shown = list(record["totals"]), totals_of(deals)
    check_totals(totals, shown, missing)
    require(record["winners"] == winners_of(totals), "winners", f"the highest total has {winners_of(totals)}")
    return match_record(deals, totals)


def first_deal(given: Sequence[Mapping[str, Any]], vulnerability: str, numbers: Sequence[int]) -> int:
    """The number of the first deal shown, one of ``numbers``: such that all shown have the right dealers.

    So they have, by option, the right vulnerability.
    """
    for index, deal in enumerate(given):
        place = f"deals[{index}]"
        numbers = [first for first in numbers if dealer_of(first + index) == deal["dealer"]]
        require(bool(numbers), f"{place}.dealer", "the other seat deals")
        vulnerable = deal["vulnerable"]
        require(vulnerable in VULNERABLE, f"{place}.vulnerable", f"must be {' or '.join(VULNERABLE)}")
        if vulnerability == "cycle":
            numbers = [first for first in numbers if VULNERABLE[(first + index) % 4] == vulnerable]
        known = vulnerability in ("random", vulnerable) or (vulnerability == "cycle" and numbers)
        require(bool(known), f"{place}.vulnerable", f"is another with the option {vulnerability}")
    return min(numbers)


def check_totals(totals: Sequence[int], shown: Sequence[int], missing: int) -> None:
    """Check the totals of a match whose deals shown have these points, when others are ``missing``."""
    require(len(totals) == SEATS, "totals", f"must be {SEATS} numbers")
    gains = [total - points for total, points in zip(totals, shown, strict=True)]
    if missing == 0:
        require(gains == [0] * SEATS, "totals", f"the points of the deals add up to {shown}")
    possible = min(gains) >= 0 and sum(gains) <= missing * MOST_POINTS
    require(possible, "totals", f"the points of the deals shown add up to {shown}")


def replayed(number: int, given: Mapping[str, Any], scores: Sequence[int], deals: int, place: str) -> Table:
    """The table at the end of a recorded deal; ValueError names the broken rule and the place."""
    cards, drawing = CardReader(CARD_NAMES), given["draw_phase"]
    hands = cards.take_hands(given["hands"], SEATS, HAND_SIZE, f"{place}.hands")
    require(len(drawing) == HAND_SIZE, f"{place}.draw_phase", f"must be {HAND_SIZE} tricks")
    stock = [
        card
        for index, trick in enumerate(drawing)
        for card in drawn_cards(cards, trick, f"{place}.draw_phase[{index}]")
    ]
    vulnerable = VULNERABLE.index(given["vulnerable"])
    table = Table(number, given["dealer"], vulnerable, hands, stock, scores, deals)
    for index, trick in enumerate(drawing):
        replay_trick(table, trick, CARD_NAMES, f"{place}.draw_phase[{index}]")
        table.draw()
    replay_auction(table.auction, given["calls"], f"{place}.calls")
    size = 0 if table.passed_out else HAND_SIZE
    require(len(given["tricks"]) == size, f"{place}.tricks", f"must be {size} tricks")
    if not table.passed_out:
        table.open_play()
    for index, trick in enumerate(given["tricks"]):
        replay_trick(table, trick, CARD_NAMES, f"{place}.tricks[{index}]")
    return table


def drawn_cards(cards: CardReader, trick: Mapping[str, Any], place: str) -> list[int]:
    """The cards drawn after a recorded trick, those of the stock: who led it draws first."""
    leader, drawn = trick["leader"], trick["drawn"]
    require(leader in range(SEATS), f"{place}.leader", f"there is no seat {leader!r}")
    require(len(drawn) == SEATS, f"{place}.drawn", "must be a card for each seat")
    return [cards.take(drawn[seat], f"{place}.drawn[{seat}]") for seat in seats_from(leader, SEATS)]


def check_result(true: Mapping[str, Any], given: Mapping[str, Any], place: str) -> None:
    """Check the contract of a recorded deal, who declares, its tricks, the points and what par says."""
    for name in RESULTS:
        if name in true:
            require(
                given[name] == true[name], f"{place}.{name}", f"must be {true[name]}, not {given[name]!r}"
            )
