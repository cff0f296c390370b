"""Czech Fool played slowly and plainly, straight from its rules: the judge of the compiled kernel.

A game is a row of rounds (``plain_round.py``). The same engine plays the games of strategies in plain Python,
and ``replay_record`` checks a finished record move by move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bridzik_sim.games.fool.counting import LAST_CARDS, OPENINGS
from bridzik_sim.games.fool.plain_round import (
    BLOCKED,
    CAPPED,
    CARD_NAMES,
    DECKS,
    DEFAULTS,
    ENDINGS,
    LIMIT,
    SPADE_QUEEN,
    SUITS,
    MoveRecord,
    Table,
    deal_table,
    rank_of,
    still_in,
)
from bridzik_sim.games.fool.replaying import replayed
from bridzik_sim.games.fool.rules import VIEW
from bridzik_sim.games.plain import (
    Asker,
    Observer,
    OnError,
    Params,
    PlainStream,
    Players,
    checked_params,
    stream_tag,
    unit_words,
)
from bridzik_sim.games.plain_records import GameRecord, check_heading, reading_record, require

RULES_VERSION = 1
FIRST_DEALER = 1
SEAT_COUNTS = (2, 3, 4)


@dataclass
class DealRecord:
    """A finished round: ``deal`` is its number, the lists run by seat; who is out holds and scores nothing.

    hands       as dealt; ``left``: in the end
    open_suit   of an opening queen, else -1
    totals      match scores after the round, 101 being 0; ``reset``: who had exactly 101
    turns       that were played; ``ending``: an index into ENDINGS
    winner      -1 for nobody; ``last_card`` it played: an index into LAST_CARDS, or -1
    opening     kind of the opening card, an index into OPENINGS
    """

    deal: int
    dealer: int
    hands: list[list[int]]
    open_card: int
    open_suit: int
    moves: list[MoveRecord]
    left: list[list[int]]
    points: list[int]
    totals: list[int]
    reset: list[bool]
    turns: int
    ending: int
    winner: int
    last_card: int
    opening: int

    def as_dict(self) -> dict[str, Any]:
        """The round as it stands in a record, cards by name."""
        made: dict[str, Any] = {"dealer": self.dealer, "hands": named(self.hands)}
        made["open_card"] = CARD_NAMES[self.open_card]
        if self.open_suit >= 0:
            made["open_suit"] = SUITS[self.open_suit]
        made |= {"moves": [move.as_dict() for move in self.moves], "left": named(self.left)}
        made["points"] = list(self.points)
        for ending in (BLOCKED, CAPPED):
            if self.ending == ending:
                made[ENDINGS[ending]] = True
        return made | {"totals": list(self.totals)}


def named(hands: Sequence[Sequence[int]]) -> list[list[str]]:
    """The names of the cards of hands."""
    return [[CARD_NAMES[card] for card in hand] for hand in hands]


@dataclass
class FoolRecord(GameRecord[DealRecord]):
    """A finished game: ``places`` by seat, 1 for the winners; ``decisions`` that were asked of all seats."""

    places: list[int] = field(default_factory=list)
    decisions: int = 0


def opening_kind(card: int, deck: int) -> int:
    """What an opening card does, an index into OPENINGS; in the deck of 36 an eight is plain."""
    rank = rank_of(card)
    return OPENINGS.index(rank if rank in OPENINGS and (rank, deck) != ("8", 36) else "plain")


def last_card_kind(card: int) -> int:
    """The kind of a round's last card, an index into LAST_CARDS."""
    return LAST_CARDS.index("SQ" if card == SPADE_QUEEN else rank_of(card))


def totals_after(scores: Sequence[int], points: Sequence[int]) -> list[int]:
    """Match scores after a round: exactly 101 becomes 0."""
    sums = [score + more for score, more in zip(scores, points, strict=True)]
    return [0 if total == LIMIT else total for total in sums]


def record_of(table: Table) -> DealRecord:
    """The record of a finished round."""
    points = table.points()
    won = table.winner >= 0
    return DealRecord(
        deal=table.deal,
        dealer=table.dealer,
        hands=table.dealt,
        open_card=table.open_card,
        open_suit=table.open_suit,
        moves=table.moves,
        left=table.hands,
        points=points,
        totals=totals_after(table.scores, points),
        reset=[score + more == LIMIT for score, more in zip(table.scores, points, strict=True)],
        turns=table.turns,
        ending=table.ending,
        winner=table.winner,
        last_card=last_card_kind(table.top) if won else -1,
        opening=opening_kind(table.open_card, table.deck),
    )


def add_places(places: list[int], sitting: Sequence[int], totals: Sequence[int]) -> None:
    """Give a place to who has gone out in a round that ``sitting`` played, and to who is the last one in.

    They share the first place that is not taken by those still in. When all go out, the lowest total wins.
    """
    left = still_in(totals)
    first = left if len(left) == 1 else []
    if not left:
        lowest = min(totals[seat] for seat in sitting)
        first = [seat for seat in sitting if totals[seat] == lowest]
    for seat in sitting:
        if seat in first:
            places[seat] = 1
        elif seat not in left:
            places[seat] = max(len(left), len(first)) + 1


def winners_of(places: Sequence[int]) -> list[int]:
    """Who has won."""
    return [seat for seat, place in enumerate(places) if place == 1]


def random_dealer(words: Sequence[int], deal: int, sitting: Sequence[int]) -> int:
    """One of those still in, at random."""
    return sitting[PlainStream.of(words, deal, FIRST_DEALER).below(len(sitting))]


def next_dealer(last: DealRecord) -> int:
    """Who scored most in the last round, the first of several; -1 if that one is out: then anyone deals."""
    played = [seat for seat, hand in enumerate(last.hands) if hand]
    dealer = max(played, key=lambda seat: last.points[seat])
    return dealer if dealer in still_in(last.totals) else -1


def play_deal(table: Table, players: Players) -> DealRecord:
    """The turns of a round until it is over, then the points."""
    while not table.over:
        seat = table.turn
        if table.owed:
            table.pay()
        elif table.choosing:
            table.choose(players.ask(table, seat, "suit", [*range(len(SUITS))]))
        else:
            table.move(players.ask(table, seat, "move", table.legal_moves()))
    return record_of(table)


def play_game(
    players: Sequence[object],
    *,
    seed: int,
    unit: int,
    seating: int = 0,
    deck: int = 52,
    draw: Literal["voluntary", "forced"] = "voluntary",
    max_turns: int = 1000,
    params: Params | None = None,
    on_error: OnError = "stop",
    observer: Observer | None = None,
    dealt: Mapping[int, Sequence[int]] | None = None,
    cheats: Sequence[bool] | None = None,
) -> FoolRecord:
    """Play one game to the last player, the cards of ``unit`` under ``seed``, and return what happened.

    players    2 to 4 objects with callables ``move(view)``, ``suit(view)``, by seat
    seating    number of this seating of the unit: it changes the players' random streams, not the cards
    deck       cards in the deck: 52 or 36
    draw       "forced": one may draw only when nothing fits
    max_turns  turns after which a round ends without a winner, 1 … 100,000
    params     float64 (seats, 16): the parameters each seat finds in its view; zeros if None
    on_error   "stop" raises StrategyFault at the first wrong answer, "forfeit" plays the lowest legal one
    observer   called with an Event before and after every decision
    dealt      by number of deal: a permutation of the cards that keeps the deck, 52 ids; wherever the unit
               deals, opens or draws a card, it is the one in its place
    cheats     by seat: whether its view holds all hands as dealt

    ValueError for a wrong number of players, options out of range, no permutation of the deck, or ``params``
    of another shape.
    """
    options, seats, given = {"deck": deck, "draw": draw, "max_turns": max_turns}, len(players), dealt or {}
    check_options(options, seats)
    check_dealt(given, deck)
    params = checked_params(params, seats)
    words = unit_words(seed, stream_tag("fool", RULES_VERSION), unit)
    seated = Players(players, VIEW, Asker(on_error, observer))
    totals, places, deals, decisions, dealer = [0] * seats, [0] * seats, list[DealRecord](), 0, -1
    while len(sitting := still_in(totals)) > 1:
        number = len(deals)
        dealer = random_dealer(words, number, sitting) if dealer < 0 else dealer
        table = deal_table(words, number, dealer, totals, options, given.get(number))
        seated.new_deal(words, table, seating, params, cheats)
        deals.append(play_deal(table, seated))
        totals, dealer = deals[-1].totals, next_dealer(deals[-1])
        decisions += table.decisions
        add_places(places, sitting, totals)
    faults = seated.asker.faults
    return FoolRecord("fool", RULES_VERSION, deals, totals, winners_of(places), faults, places, decisions)


def check_dealt(dealt: Mapping[int, Sequence[int]], deck: int) -> None:
    """ValueError unless these are permutations of the cards that keep the deck."""
    for mapping in dealt.values():
        kept = sorted(mapping) == DECKS[52] and {mapping[card] for card in DECKS[deck]} == {*DECKS[deck]}
        require(kept, "dealt", "must be permutations of the cards that keep the deck")


def check_options(options: Mapping[str, Any], seats: int) -> None:
    """ValueError for a number of players or options out of range."""
    deck, draw, turns = options["deck"], options["draw"], options["max_turns"]
    require(seats in SEAT_COUNTS, "players", f"fool has 2 to 4, not {seats}")
    require(type(deck) is int and deck in DECKS, "deck", f"must be 52 or 36, not {deck!r}")
    require(draw in ("voluntary", "forced"), "draw", f"must be voluntary or forced, not {draw!r}")
    known = type(turns) is int and 1 <= turns <= 100_000
    require(known, "max_turns", f"must be 1 … 100000, not {turns!r}")


def replay_record(record: Mapping[str, Any]) -> FoolRecord:
    """Play the moves of a record (as parsed from JSON) again and check it against every rule.

    The record may lack options, which then have their defaults, and its last rounds; then it must be possible
    to come to its totals and winners. Labels, seed and ``faults`` are not looked at, so a random first dealer
    may be anyone. Returns the game as replayed; ValueError names the broken rule and the place.
    """
    with reading_record("Czech Fool"):
        return _replay_game(record)


def _replay_game(record: Mapping[str, Any]) -> FoolRecord:
    check_heading(record, "fool", RULES_VERSION)
    require(set(record["options"]) <= set(DEFAULTS), "options", f"must be of {', '.join(DEFAULTS)}")
    options, seats = DEFAULTS | record["options"], len(record["seats"])
    check_options(options, seats)
    totals, places, deals, decisions = [0] * seats, [0] * seats, list[DealRecord](), 0
    for number, given in enumerate(record["deals"]):
        place, sitting = f"deals[{number}]", still_in(totals)
        require(len(sitting) > 1, place, "the game is over")
        due = next_dealer(deals[-1]) if deals else -1
        require(given["dealer"] in sitting, f"{place}.dealer", "is out of the game")
        require(due in (-1, given["dealer"]), f"{place}.dealer", f"seat {due} scored most and deals")
        table = replayed(number, given, totals, options, place)
        deals.append(record_of(table))
        totals = deals[-1].totals
        require(given["totals"] == totals, f"{place}.totals", f"the totals are {totals}")
        decisions += table.decisions
        add_places(places, sitting, totals)
    check_end(record["totals"], record["winners"], totals, places)
    final, winners = list(record["totals"]), list(record["winners"])
    return FoolRecord("fool", RULES_VERSION, deals, final, winners, [], places, decisions)


def check_end(final: list[int], winners: list[int], totals: list[int], places: Sequence[int]) -> None:
    """Check totals and winners of a game, after whose last round shown there are these ``totals``."""
    left = still_in(totals)
    if len(left) < 2:
        require(final == totals, "totals", f"the totals after the last round are {totals}")
        require(winners == winners_of(places), "winners", f"must be {winners_of(places)}")
        return
    require(len(final) == len(totals), "totals", f"must be {len(totals)} numbers")
    kept = all(final[seat] == total for seat, total in enumerate(totals) if seat not in left)
    require(kept, "totals", "who is out scores no more")
    require(LIMIT not in final, "totals", "exactly 101 becomes 0")
    last = still_in(final)
    require(len(last) < 2, "totals", "at most one is still in at the end")
    lowest = min(final[seat] for seat in winners or left)
    played = [seat for seat in left if final[seat] >= lowest]
    shared = winners == [seat for seat in played if seat in winners and final[seat] == lowest]
    holds = winners == last if last else len(winners) > 0 and shared and len(played) > 1
    require(holds, "winners", f"must be {last or 'who has the lowest total of the last round'}")
