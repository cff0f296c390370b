"""Contract bridge played slowly and plainly, straight from its rules: the judge of the compiled kernel.

A game is a rubber, a row of deals (``plain_deal.py``), or one board of duplicate; what they bring is written
in ``plain_sheet.py``. The same engine plays the games of strategies in plain Python, and ``replay_record``
checks a finished record call by call, card by card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from bridzik_sim.games.bridge.plain_deal import (
    DEFAULTS,
    SEATS,
    VULNERABLE_NAMES,
    Conditions,
    Table,
    board_conditions,
    deal_hands,
    given_board,
    play_deal,
)
from bridzik_sim.games.bridge.plain_sheet import (
    RULES_VERSION,
    BridgeRecord,
    DealRecord,
    game_of,
    record_of,
    winners_of,
)
from bridzik_sim.games.bridge.rules import VIEW
from bridzik_sim.games.plain import (
    Asker,
    Observer,
    OnError,
    Params,
    Players,
    checked_params,
    stream_tag,
    unit_words,
)
from bridzik_sim.games.plain_contract import (
    CARD_NAMES,
    CARDS,
    HAND_SIZE,
    Sheet,
    contract_name,
    replay_auction,
)
from bridzik_sim.games.plain_records import CardReader, check_heading, reading_record, require
from bridzik_sim.games.plain_tricks import replay_trick


def play_game(
    players: Sequence[object],
    *,
    seed: int,
    unit: int,
    seating: int = 0,
    scoring: Literal["rubber", "duplicate"] = "rubber",
    declarer: Literal["laws", "last_bid"] = "laws",
    honours: Literal["off", "on"] = "off",
    max_deals: int = 100,
    first_dealer: int = 0,
    boards: Sequence[str] = (),
    params: Params | None = None,
    on_error: OnError = "stop",
    observer: Observer | None = None,
    dealt: Mapping[int, Sequence[int]] | None = None,
    cheats: Sequence[bool] | None = None,
) -> BridgeRecord:
    """Play one rubber or one board, the cards of ``unit`` under ``seed``, and return what happened.

    players       N, E, S, W: objects with callables ``call(view)``, ``play(view)``
    seating       number of this seating of the unit: it changes the players' random streams, not the cards
    scoring       "duplicate" plays board number ``unit`` + 1 alone
    declarer      "last_bid": the last bidder declares, and not who first named the strain
    honours       "on": trump honours and aces score in a rubber
    max_deals     deals after which a rubber ends unfinished, 1 … 1000
    first_dealer  seat that deals first in a rubber
    boards        deals to be played instead of the unit's own (duplicate), the one of number ``unit``
    params        float64 (4, 16): the parameters each seat finds in its view; zeros if None
    on_error      "stop" raises StrategyFault at the first wrong answer, "forfeit" plays the lowest legal one
    observer      called with an Event before and after every decision
    dealt         by number of deal: a permutation of the cards; a card dealt is the one in its place
    cheats        by seat: whether its view holds all hands as dealt

    ValueError for a wrong number of players, wrong options, no permutation, or ``params`` of another shape.
    """
    options: dict[str, Any] = {"scoring": scoring, "declarer": declarer, "honours": honours}
    options |= {"max_deals": max_deals, "first_dealer": first_dealer, "boards": list(boards)}
    check_options(options, len(players))
    check_dealt(dealt or {})
    params, seated = checked_params(params, SEATS), Players(players, VIEW, Asker(on_error, observer))
    words = unit_words(seed, stream_tag("bridge", RULES_VERSION), unit)
    sheet, deals = Sheet(), list[DealRecord]()
    while not is_over(deals, options):
        table = deal_table(words, unit, len(deals), sheet, options, dealt or {})
        seated.new_deal(words, table, seating, params, cheats)
        play_deal(table, seated)
        deals.append(record_of(table, sheet, is_last(table.deal, options)))
    totals = sheet.totals if scoring == "rubber" else deals[0].points
    return game_of(deals, totals, seated.asker.faults)


def deal_table(
    words: Sequence[int], unit: int, number: int, sheet: Sheet, options: Mapping[str, Any],
    dealt: Mapping[int, Sequence[int]],
) -> Table:  # fmt: skip
    """The table of a deal of a unit, the cards being changed as ``dealt`` says."""
    conditions, hands = deal_of(deal_hands(words, number), unit, number, sheet, options)
    mapping = dealt.get(number, range(CARDS))
    return Table(
        number, conditions, [sorted(mapping[card] for card in hand) for hand in hands], sheet, options
    )


def deal_of(
    hands: list[list[int]], unit: int, number: int, sheet: Sheet, options: Mapping[str, Any]
) -> tuple[Conditions, list[list[int]]]:
    """Dealer, vulnerability and hands of a deal of a unit: ``hands`` unless a board is given."""
    if options["boards"]:
        return given_board(options["boards"], unit)
    if options["scoring"] == "duplicate":
        return board_conditions(unit + 1), hands
    return Conditions((options["first_dealer"] + number) % SEATS, sheet.vulnerable), hands


def is_last(number: int, options: Mapping[str, Any]) -> bool:
    """Whether no deal comes after this one, however it ends."""
    return options["scoring"] == "duplicate" or number + 1 >= int(options["max_deals"])


def is_over(deals: Sequence[DealRecord], options: Mapping[str, Any]) -> bool:
    """Whether a game is over after these deals."""
    return bool(deals) and (2 in deals[-1].games or is_last(deals[-1].deal, options))


def check_dealt(dealt: Mapping[int, Sequence[int]]) -> None:
    """ValueError unless these are permutations of the cards."""
    for mapping in dealt.values():
        require(sorted(mapping) == [*range(CARDS)], "dealt", "must be permutations of the cards")


def check_options(options: Mapping[str, Any], seats: int) -> None:
    """ValueError for a number of players or options out of range, or options that do not go together."""
    require(seats == SEATS, "players", f"bridge has {SEATS}, not {seats}")
    words = {"scoring": ("rubber", "duplicate"), "declarer": ("laws", "last_bid"), "honours": ("off", "on")}
    for name, known in words.items():
        require(options[name] in known, name, f"must be {' or '.join(known)}, not {options[name]!r}")
    for name, numbers in {"max_deals": range(1, 1001), "first_dealer": range(SEATS)}.items():
        value = options[name]
        fits = type(value) is int and value in numbers
        require(fits, name, f"must be {numbers[0]} … {numbers[-1]}, not {value!r}")
    if options["scoring"] == "rubber":
        require(not options["boards"], "boards", "are played in duplicate only")
        return
    for name in ("honours", "max_deals", "first_dealer"):
        require(options[name] == DEFAULTS[name], name, "belongs to the rubber")


def replay_record(record: Mapping[str, Any]) -> BridgeRecord:
    """Play the calls and cards of a record (as parsed from JSON) again and check it against every rule.

    The record may lack options, which then have their defaults, and its last deals; then its totals must be
    within reach. In a rubber anyone may have dealt first, from there on the deal rotates. Of given boards it
    has the one that was played. Labels, seed and ``faults`` are not looked at. Returns the game as replayed;
    ValueError names the broken rule and where.
    """
    with reading_record("bridge"):
        return _replay_game(record)


def _replay_game(record: Mapping[str, Any]) -> BridgeRecord:
    check_heading(record, "bridge", RULES_VERSION)
    require(set(record["options"]) <= set(DEFAULTS), "options", f"must be of {', '.join(DEFAULTS)}")
    options, given = DEFAULTS | record["options"], record["deals"]
    check_options(options, len(record["seats"]))
    require(bool(given), "deals", "must be one at least")
    unit = 0 if options["boards"] else record["unit"]
    sheet, deals = Sheet(), list[DealRecord]()
    for number, deal in enumerate(given):
        place = f"deals[{number}]"
        require(not is_over(deals, options), place, "the game is over")
        told = {} if number else {"first_dealer": deal["dealer"]}
        options |= told if options["scoring"] == "rubber" else {}
        table = replay_deal(number, deal, unit, sheet, options, place)
        deals.append(record_of(table, sheet, is_last(number, options)))
        check_result(deal, deals[-1], place)
    check_totals(record, deals, is_over(deals, options))
    return game_of(deals, list(record["totals"]), [])


def replay_deal(
    number: int, given: Mapping[str, Any], unit: int, sheet: Sheet, options: Mapping[str, Any], place: str
) -> Table:
    """The table at the end of a recorded deal; ValueError names the broken rule and the place."""
    hands = CardReader(CARD_NAMES).take_hands(given["hands"], SEATS, HAND_SIZE, f"{place}.hands")
    hands = [sorted(hand) for hand in hands]
    conditions, due = deal_of(hands, unit, number, sheet, options)
    require(hands == due, f"{place}.hands", "are not those of the given board")
    check_conditions(given, conditions, place)
    table = Table(number, conditions, hands, sheet, options)
    replay_auction(table.auction, given["calls"], f"{place}.calls")
    table.end_auction()
    name, declarer = contract_name(table.auction.bid, table.auction.doubled), table.declarer
    require(given["contract"] == name, f"{place}.contract", f"must be {name or 'null, for all have passed'}")
    declares = given["declarer"] == (declarer if name else None)
    require(declares, f"{place}.declarer", f"seat {declarer} declares" if name else "nobody declares")
    tricks = HAND_SIZE if name else 0
    require(len(given["tricks"]) == tricks, f"{place}.tricks", f"must be {tricks}")
    for index, trick in enumerate(given["tricks"]):
        replay_trick(table, trick, CARD_NAMES, f"{place}.tricks[{index}]")
    return table


def check_conditions(given: Mapping[str, Any], conditions: Conditions, place: str) -> None:
    """Check who deals and who is vulnerable in a recorded deal, and the number of a board."""
    dealer, vulnerable = conditions.dealer, VULNERABLE_NAMES[conditions.vulnerable]
    require(given["dealer"] == dealer, f"{place}.dealer", f"seat {dealer} deals")
    require(given["vulnerable"] == vulnerable, f"{place}.vulnerable", f"must be {vulnerable}")
    if conditions.board:
        require(given["board"] == conditions.board, f"{place}.board", f"must be {conditions.board}")


def check_result(given: Mapping[str, Any], deal: DealRecord, place: str) -> None:
    """Check the tricks, the points and the sheet of a recorded deal; it may lack ``written``."""
    tricks = deal.declarer_tricks if deal.contract else None
    taken = f"the declarer's side took {tricks}" if deal.contract else "must be null, for all have passed"
    require(given["declarer_tricks"] == tricks, f"{place}.declarer_tricks", taken)
    require(given["points"] == deal.points, f"{place}.points", f"the points are {deal.points}")
    for name, value in ({} if deal.board else deal.sheet_as_dict()).items():
        told = given.get(name, value) if name == "written" else given[name]
        require(told == value, f"{place}.{name}", f"must be {value}")


def check_totals(record: Mapping[str, Any], deals: Sequence[DealRecord], whole: bool) -> None:
    """Check totals and winners of a record, which shows all deals of the game if it is ``whole``."""
    totals: list[int] = record["totals"]
    shown = [sum(deal.points[side] for deal in deals) for side in (0, 1)]
    require(len(totals) == len(shown), "totals", "must be one number a side")
    if whole:
        require(totals == shown, "totals", f"the points of the deals add up to {shown}")
    reached = all(total >= points for total, points in zip(totals, shown, strict=True))
    require(reached, "totals", f"the sides have made {shown} in the deals shown")
    winners = winners_of(totals)
    require(record["winners"] == winners, "winners", f"must be {winners}")
