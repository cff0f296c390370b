"""Playing a round of Czech Fool along its record, and checking every move."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bridzik_sim.games.fool.plain_round import (
    BLOCKED,
    CAPPED,
    CARD_NAMES,
    DECKS,
    DRAW,
    ENDINGS,
    HAND_SIZE,
    PASS,
    SUITS,
    Stock,
    Table,
    rank_of,
    still_in,
)
from bridzik_sim.games.plain_records import CardReader, require


class ToldStock(Stock):
    """A stock whose cards come as a record tells; ``place`` is where it does."""

    def __init__(self, cards: Collection[int]) -> None:
        super().__init__(cards)
        self.told, self.place = list[int](), ""

    def tell(self, names: Sequence[str], place: str) -> None:
        """Let these cards be drawn next."""
        self.told, self.place = [card_of(name, place) for name in names], place

    def next_card(self) -> int:
        """Draw a card; there must be one."""
        require(bool(self.told), self.place, "another card has to be drawn")
        card = self.told.pop(0)
        require(card in self.cards, self.place, f"{CARD_NAMES[card]} is not in the stock")
        self.cards.remove(card)
        return card

    def check_told(self) -> None:
        """Check that all cards told have been drawn."""
        require(not self.told, self.place, "too many cards are drawn")


def card_of(name: str, place: str) -> int:
    """The id of a card."""
    require(name in CARD_NAMES, place, f"there is no card {name!r}")
    return CARD_NAMES.index(name)


def replayed(
    number: int, given: Mapping[str, Any], scores: Sequence[int], options: Mapping[str, Any], place: str
) -> Table:
    """The table at the end of a recorded round; ValueError names the broken rule and the place."""
    cards, seats, sitting = CardReader(CARD_NAMES, DECKS[options["deck"]]), len(scores), still_in(scores)
    hands = [
        [cards.take(name, f"{place}.hands[{seat}]") for name in hand]
        for seat, hand in enumerate(given["hands"])
    ]
    sizes = [HAND_SIZE if seat in sitting else 0 for seat in range(seats)]
    held = [len(hand) for hand in hands]
    require(held == sizes, f"{place}.hands", f"must be {HAND_SIZE} cards for everyone still in")
    open_card, suit = cards.take(given["open_card"], f"{place}.open_card"), given.get("open_suit")
    fitting = [*SUITS] if rank_of(open_card) == "Q" else [None]
    require(suit in fitting, f"{place}.open_suit", "must be a suit for a queen, and only for a queen")
    stock = ToldStock(cards.left)
    table = Table(number, given["dealer"], hands, stock, scores, options)
    table.open(open_card, SUITS.index(suit) if suit else -1)
    for index, move in enumerate(given["moves"]):
        where = f"{place}.moves[{index}]"
        require(not table.over, where, "the round is over")
        replay_move(table, stock, move, where)
    require(table.over, f"{place}.moves", "the round is not over")
    check_result(table, given, place)
    return table


def check_result(table: Table, given: Mapping[str, Any], place: str) -> None:
    """Check how a recorded round ended, what was left and the points."""
    for ending in (BLOCKED, CAPPED):
        told, true = given.get(ENDINGS[ending], False), table.ending == ending
        require(told is true, f"{place}.{ENDINGS[ending]}", f"must be {'true' if true else 'left out'}")
    left = [[CARD_NAMES[card] for card in hand] for hand in table.hands]
    same = [sorted(hand) for hand in given["left"]] == [sorted(hand) for hand in left]
    require(same, f"{place}.left", f"the cards left are {left}")
    points = table.points()
    require(given["points"] == points, f"{place}.points", f"the points are {points}")


def replay_move(table: Table, stock: ToldStock, move: Mapping[str, Any], place: str) -> None:
    """Make a recorded move: a turn, or a draw that a six or seven forces."""
    seat = table.victim if table.owed else table.turn
    require(move["seat"] == seat, f"{place}.seat", f"seat {seat} {'must draw' if table.owed else 'moves'}")
    forced = move.get("forced", False)
    require(forced is (table.owed > 0), f"{place}.forced", "only sixes and sevens force a draw")
    stock.tell(move["draw"], f"{place}.draw")
    if forced:
        table.pay()
        require(move["play"] is None and move["pass"] is False, place, "one who is made to draw is skipped")
    else:
        replay_turn(table, stock, move, place)
    stock.check_told()
    known = [*SUITS] if table.choosing else [None]
    require(move["suit"] in known, f"{place}.suit", "only a queen asks for one, unless it is the last card")
    if table.choosing:
        table.choose(SUITS.index(move["suit"]))


def replay_turn(table: Table, stock: ToldStock, move: Mapping[str, Any], place: str) -> None:
    """Make a recorded turn, all but the suit that a queen asks for."""
    seat, turns, name = table.turn, table.turns, move["play"]
    ends = name is not None or move["pass"]
    require(ends or table.open_eight, place, "a turn ends with a card or a pass")
    if stock.told or not ends:
        require(DRAW in table.legal_moves(), f"{place}.draw", f"seat {seat} may not draw")
        table.move(DRAW)
        stock.check_told()
    if table.turns > turns:
        require(not ends, place, "a draw on an eight that fails ends the turn")
    elif name is None:
        require(PASS in table.legal_moves(), f"{place}.pass", f"seat {seat} may not pass")
        table.move(PASS)
    else:
        require(move["pass"] is False, f"{place}.pass", "who plays a card does not pass")
        card = card_of(name, f"{place}.play")
        require(card in table.hands[seat], f"{place}.play", f"seat {seat} does not hold {name}")
        duty = "is no two and was not drawn for the open eight" if table.open_eight else "does not fit"
        require(card in table.legal_moves(), f"{place}.play", f"{name} {duty}")
        table.move(card)
