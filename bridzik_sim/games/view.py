"""What a strategy sees: one numpy record a seat, made of fields that mean the same in every game.

A view never holds what its seat may not know, except ``dealt`` for a strategy that cheats. It is rewritten
before every decision (``params`` and ``dealt`` at every deal), so writing into it changes nothing; only
``memory``, ``game_memory`` and ``stream`` are kept for the seat.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

PARAMS, MEMORY = 16, 64
ALIGNMENT = 32


class Field(NamedTuple):
    """A field of a view: its name, its length (0: one number), type and meaning."""

    name: str
    length: int
    help: str
    kind: str = "int64"


def common(seats: int) -> list[Field]:
    """Public fields of every game."""
    return [
        Field("deal", 0, "number of the deal within the full game, 0 first"),
        Field("scores", seats, "points of the match so far, by seat"),
    ]


def exact_bids(seats: int) -> list[Field]:
    """Public fields of games of exact bids."""
    return [
        Field("size", 0, "cards dealt to each seat in this deal = number of tricks"),
        Field("starter", 0, "seat that bids first"),
        Field("forbidden", 0, "the bid this seat may not make now; -1 none"),
        Field("bids", seats, "bids by seat; -1 not yet made (or hidden)"),
        Field("has_bid", seats, "1 once the seat has bid, by seat"),
    ]


def tricks(seats: int) -> list[Field]:
    """Public fields of games with tricks."""
    return [
        Field("trick_length", 0, "cards played to the current trick"),
        Field("leader", 0, "seat that leads the current trick; -1 before the first"),
        Field("best", 0, "card id that wins the current trick so far; -1 none"),
        Field("lead", 0, "suit to follow; -1 none"),
        Field("played", 0, "mask of the cards played in this deal, the current trick included"),
        Field("trick", seats, "card ids of the current trick in order of play; -1 not yet"),
        Field("seen_void", seats, "by seat: bit s is set once the seat has shown it holds no card of suit s"),
        Field("taken", seats, "tricks taken in this deal, by seat"),
    ]


def table(absent: str) -> list[Field]:
    """Public fields of games for tables of several sizes; ``absent``: the arrays that hold -1 beyond them."""
    help = f"players at this table; arrays by seat are longer and hold 0 beyond them, {absent} -1"
    return [Field("seats", 0, help)]


def turned_trump() -> list[Field]:
    """Public fields of games in which a card is turned up for trump."""
    return [
        Field("trump", 0, "suit that is trump in this deal; -1 none (or not chosen yet)"),
        Field("trump_card", 0, "card turned up for trump, out of play; -1 none"),
    ]


def contracts(calls: int) -> list[Field]:
    """Public fields of games with an auction for a contract of two sides; ``calls``: room for so many."""
    return [
        Field("vulnerable", 2, "1 for who is vulnerable in this deal, by side (seat % 2)"),
        Field(
            "calls", calls,
            "calls in order, the dealer's first: 0 pass, 1 to 35 the bids from 1C to 7NT in rising order, "
            "36 double, 37 redouble; -1 beyond them",
            "int8",
        ),
        Field("dealer", 0, "seat that deals, and calls first"),
        Field("n_calls", 0, "calls made so far"),
        Field("contract", 0, "the last bid, 1 to 35; 0 none"),
        Field("doubled", 0, "1 when that bid is doubled, 2 when it is redoubled, else 0"),
        Field("bidder", 0, "seat that made the last bid; -1 none"),
        Field("declarer", 0, "seat that declares; -1 until the auction is over"),
        Field("trump", 0, "suit that is trump in the play; -1 none, or not yet"),
    ]  # fmt: skip


def own(position: bool) -> list[Field]:
    """The seat's own fields; ``position`` adds its place in the order of bidding."""
    place = [Field("position", 0, "this seat's place in the order of bidding, 0 first")] if position else []
    return [
        Field("seat", 0, "this seat"),
        *place,
        Field("hand", 0, "mask of the cards held"),
        Field("legal", 0, "mask over the answers allowed now; never empty"),
        Field(
            "stream", 4, "state of the seat's own random stream; draw with below, uniform, choose", "uint64"
        ),
        Field("params", PARAMS, "the strategy's parameters, in the order of PARAMS", "float64"),
        Field("memory", MEMORY, "the seat's own notes, zeroed at every deal", "float64"),
        Field("game_memory", MEMORY, "the seat's own notes, zeroed at every game", "float64"),
    ]


def cheat(seats: int) -> list[Field]:
    """What only a strategy that cheats is told."""
    help = "hands as dealt, by seat: masks for a strategy that declares CHEATS = True, else 0"
    return [Field("dealt", seats, help)]


def layout(*groups: list[Field]) -> list[Field]:
    """All fields in the order of the record: arrays first, then single numbers, each as given.

    So with four seats every array lies on a multiple of 32 bytes, where storing it at once is cheapest.
    """
    return sorted((field for group in groups for field in group), key=lambda field: not field.length)


def packed(fields: list[Field]) -> list[Any]:
    """The beginning of a record that is like a view, for ``blocks.copy_until``."""
    return [(f.name, f.kind, (f.length,)) if f.length else (f.name, f.kind) for f in fields]


def dtype(fields: list[Field]) -> np.dtype[np.void]:
    """The record of these fields, padded to a multiple of 32 bytes."""
    offsets = np.cumsum([0, *(np.dtype(f.kind).itemsize * max(f.length, 1) for f in fields)])
    return np.dtype(
        {
            "names": [f.name for f in fields],
            "formats": [(f.kind, (f.length,)) if f.length else f.kind for f in fields],
            "offsets": offsets[:-1].tolist(),
            "itemsize": int(-(-offsets[-1] // ALIGNMENT) * ALIGNMENT),
        }
    )


def empty(record: np.dtype[np.void], number: int = 1) -> npt.NDArray[np.void]:
    """Zeroed records, aligned."""
    size = number * record.itemsize
    room = np.zeros(size + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(record)
