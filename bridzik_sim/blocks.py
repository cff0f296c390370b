"""Copying what is public at a table into a view, all at once.

A kernel that keeps public fields in the order of the view shows them with one copy, whatever their number.
Stores of whole vectors are what makes that cheap.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

WORD = ir.IntType(64)
LANES = 4


@intrinsic(prefer_literal=True)
def copy_until(typingctx: Any, target: Any, source: Any, field: Any) -> Any:
    """Copy the beginning of one record over that of another that begins alike, up to ``field`` of the source.

    All fields before ``field`` (a literal name) begin at a multiple of 64 bits.
    """
    end = source.offset(field.literal_value)
    shared = [name for name, _ in source.members if source.offset(name) < end]
    assert all(target.offset(name) == source.offset(name) for name in shared)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for first in range(0, end // 8, LANES):
            count = min(LANES, end // 8 - first)
            kind = (ir.VectorType(WORD, count) if count > 1 else WORD).as_pointer()
            to_place, from_place = (
                builder.bitcast(builder.gep(builder.bitcast(args[i], WORD.as_pointer()), [WORD(first)]), kind)
                for i in (0, 1)
            )
            builder.store(builder.load(from_place, align=8), to_place, align=8)
        return context.get_dummy_value()

    return types.void(target, source, field), codegen
