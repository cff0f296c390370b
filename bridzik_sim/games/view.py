"""What a strategy sees: one numpy record a seat, made of fields that mean the same in every game.

``public`` fields come first and are the same for all seats, so the kernel keeps them once and copies them as a
block before each decision. Then come the seat's own fields. A view never holds what its seat may not know, and
it is rewritten before every decision (``params`` at every deal), so writing into it changes nothing; only
``memory``, ``game_memory`` and ``stream`` are kept for the seat.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from bridzik_sim.jit import jit

PARAMS, MEMORY = 16, 64


class Field(NamedTuple):
    """A field of a view: its name, its length (0: one number), type and meaning."""

    name: str
    length: int
    help: str
    kind: str = "int64"
    steady: bool = False
    """Whether it stays the same from one card to the next (a hint for copying)."""


def common(seats: int) -> list[Field]:
    """Public fields of every game."""
    return [
        Field("deal", 0, "number of the deal within the full game, 0 first", steady=True),
        Field("scores", seats, "points of the match so far, by seat", steady=True),
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


def exact_bids(seats: int) -> list[Field]:
    """Public fields of games of exact bids."""
    return [
        Field("size", 0, "cards dealt to each seat in this deal = number of tricks", steady=True),
        Field("starter", 0, "seat that bids first", steady=True),
        Field("forbidden", 0, "the bid this seat may not make now; -1 none", steady=True),
        Field("bids", seats, "bids by seat; -1 not yet made (or hidden)", steady=True),
        Field("has_bid", seats, "1 once the seat has bid, by seat", steady=True),
    ]


def own(position: bool) -> list[Field]:
    """The seat's own fields; ``position`` adds its place in the order of bidding."""
    place = [Field("position", 0, "this seat's place in the order of bidding, 0 first")] if position else []
    return [
        Field("seat", 0, "this seat"),
        *place,
        Field("hand", 0, "mask of the cards held"),
        Field("legal", 0, "mask over the answers allowed now; never empty"),
        Field("stream", 4, "state of the seat's own random stream; draw with below, uniform, choose", "uint64"),
        Field("params", PARAMS, "the strategy's parameters, in the order of PARAMS", "float64"),
        Field("memory", MEMORY, "the seat's own notes, zeroed at every deal", "float64"),
        Field("game_memory", MEMORY, "the seat's own notes, zeroed at every game", "float64"),
    ]


def dtype(public: list[Field], private: list[Field]) -> np.dtype[np.void]:
    """The record: public fields, then private ones, packed, all of eight bytes."""
    fields: list[Any] = [(f.name, f.kind, (f.length,)) if f.length else (f.name, f.kind) for f in public + private]
    return np.dtype(fields)


def layout(fields: list[Field]) -> list[Field]:
    """Public fields in the order of the record: the steady ones first, so that they are copied in wide blocks."""
    return sorted(fields, key=lambda field: not field.steady)


def copier(public: list[Field]) -> Any:
    """Compiled ``copy(view, table)``: overwrite the view's public block (in ``layout`` order) with the table's.

    Steady fields go four words at a time. The others go word by word: a wide load over words that were stored one
    by one a moment ago would stall the processor.
    """
    steady = sum(max(f.length, 1) for f in public if f.steady)
    count = sum(max(f.length, 1) for f in public)
    wide = steady // 4 * 4

    @intrinsic
    def copy_block(typingctx: Any, target: Any, source: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def move(kind: Any, index: int) -> None:
                offset = [ir.Constant(ir.IntType(64), index)]
                to, origin = (builder.gep(builder.bitcast(arg, kind.as_pointer()), offset) for arg in args)
                builder.store(builder.load(origin, align=8), to, align=8)

            for block in range(wide // 4):
                move(ir.VectorType(ir.IntType(64), 4), block)
            for word in range(wide, count):
                move(ir.IntType(64), word)
            return context.get_dummy_value()

        return types.void(target, source), codegen

    return jit(lambda view, table: copy_block(view, table))
