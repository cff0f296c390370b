"""Small numbers by seat, packed into the lanes of one int64: seat ``s`` has the bits ``16 * s`` to ``16 * s +
15``.

A kernel keeps bids, tricks taken and the like in this form, for up to four seats and numbers from -1 to
32767. What limits a kernel is how many stores a decision takes; changing one seat's number is one store,
and so is spreading all four into a view.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from bridzik_sim.jit import jit

LANES, LANE = 4, 16
NUMBER = (1 << LANE) - 1
ALL_ABSENT = -1
"""Every lane holds -1."""


@jit
def pack(first, second, third, fourth):
    """Pack four numbers, -1 to 32767 each."""
    return (first & NUMBER) | (second & NUMBER) << LANE | (third & NUMBER) << 2 * LANE | fourth << 3 * LANE


@jit
def lane(packed, seat):
    """Return the number of a seat, where it is not negative."""
    return packed >> LANE * seat & NUMBER


@jit
def fill_lane(packed, seat, number):
    """Put ``number`` (not negative) into a lane that holds -1."""
    return packed ^ (number ^ NUMBER) << LANE * seat


@jit
def add_to_lane(packed, seat, number):
    """Add ``number`` to a lane; neither may be negative."""
    return packed + (number << LANE * seat)


@jit
def add_bits(packed, seat, bits):
    """Set ``bits`` in a lane that is not negative."""
    return packed | bits << LANE * seat


@jit
def set_lane(packed, seat, number):
    """Put ``number`` (-1 to 32767) into a lane, whatever it holds."""
    return packed & ~(NUMBER << LANE * seat) | (number & NUMBER) << LANE * seat


@intrinsic(prefer_literal=True)
def spread(typingctx: Any, record: Any, fields: Any, packed: Any) -> Any:
    """Write the lanes into four int64 numbers of a record.

    ``fields`` is the name of an array, or of four numbers that are neighbours in this order.
    """
    names = fields.literal_value.split()
    offset = record.offset(names[0])
    assert [record.offset(name) for name in names] == [offset + 8 * i for i in range(len(names))]
    assert len(names) == LANES or record.typeof(names[0]).shape == (LANES,)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lanes = builder.bitcast(args[2], ir.VectorType(ir.IntType(LANE), LANES))
        numbers = builder.sext(lanes, ir.VectorType(ir.IntType(64), LANES))
        start = builder.bitcast(args[0], ir.IntType(8).as_pointer())
        target = builder.gep(start, [ir.Constant(ir.IntType(64), offset)])
        builder.store(numbers, builder.bitcast(target, numbers.type.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(record, fields, types.int64), codegen
