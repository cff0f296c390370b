"""Sets of cards as int64 masks (bit ``i`` = card id ``i``), and the names of cards.

The helpers compile to one or two machine instructions and may be called from Python too. All masks are
int64 and all deck sizes at most 62 cards, so the sign bit is never used. Bits are counted from 0; an empty
mask gives ``lowest`` = 64 and ``highest`` = -1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic

from bridzik_sim.jit import jit

_I64 = ir.IntType(64)


def has_pdep() -> bool:
    """Whether this processor has a fast "r-th set bit" (BMI2's pdep; microcoded and slow on Zen 1 and 2)."""
    if config.CPU_NAME or config.CPU_FEATURES:
        return False
    features = llvm.get_host_cpu_features()
    return bool(features.get("bmi2")) and llvm.get_host_cpu_name() not in ("znver1", "znver2")


@intrinsic
def _pdep(typingctx: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function_type = ir.FunctionType(_I64, [_I64, _I64])
        name = "llvm.x86.bmi.pdep.64"
        function = builder.module.globals.get(name) or ir.Function(builder.module, function_type, name)
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def _popcount(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _trailing_zeros(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def _leading_zeros(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@jit
def popcount(mask):
    """Count the cards of a mask."""
    return _popcount(mask)


@jit
def lowest(mask):
    """Return the lowest card id of a mask (64 for an empty one)."""
    return _trailing_zeros(mask)


@jit
def highest(mask):
    """Return the highest card id of a mask (-1 for an empty one)."""
    return 63 - _leading_zeros(mask)


@jit
def nth_bit_portable(mask, r):
    """Return the ``r``-th lowest card as a mask, on any processor: a branch-free search by halves."""
    position = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = _popcount((mask >> position) & ((1 << width) - 1))
        skip = r >= below
        r -= below if skip else 0
        position += width if skip else 0
    return 1 << position


@jit
def nth_bit_pdep(mask, r):
    """Return the ``r``-th lowest card as a mask by the processor's pdep instruction."""
    return _pdep(1 << r, mask)


nth_bit = nth_bit_pdep if has_pdep() else nth_bit_portable
"""Return the ``r``-th lowest card of a mask as a mask, ``0 <= r < popcount(mask)``."""


@jit
def nth(mask, r):
    """Return the id of the ``r``-th lowest card of a mask, ``0 <= r < popcount(mask)``."""
    return lowest(nth_bit(mask, r))


@dataclass(frozen=True)
class Deck:
    """A deck: names of suits and ranks, lowest first; id = suit * number of ranks + rank.

    ``specials`` are cards without a suit, whose ids follow; several may have the same name.
    """

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    specials: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.suits) * len(self.ranks) + len(self.specials)

    def name(self, card: int) -> str:
        """Name of a card id, such as ``H7``."""
        suit, rank = divmod(card, len(self.ranks))
        if suit < len(self.suits):
            return self.suits[suit] + self.ranks[rank]
        return self.specials[card - len(self.suits) * len(self.ranks)]

    def id(self, name: str) -> int:
        """Card id of a name, the lowest of several; ``ValueError`` when the deck has no such card."""
        if name in self.specials:
            return len(self.suits) * len(self.ranks) + self.specials.index(name)
        suit, rank = name[:1], name[1:]
        if suit not in self.suits or rank not in self.ranks:
            raise ValueError(f"no card is called {name!r}")
        return self.suits.index(suit) * len(self.ranks) + self.ranks.index(rank)

    def names(self, mask: int) -> list[str]:
        """Names of the cards of a mask, lowest id first."""
        return [self.name(card) for card in range(len(self)) if mask >> card & 1]

    def mask(self, names: Iterable[str]) -> int:
        """Mask of the cards of these names; a name of several cards stands for all of them."""
        wanted = {self.name(self.id(name)) for name in names}
        return sum(1 << card for card in range(len(self)) if self.name(card) in wanted)


@dataclass(frozen=True)
class CardWords:
    """What a language calls the suits, the ranks within a named suit, and whole cards (by id)."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    cards: tuple[str, ...]
