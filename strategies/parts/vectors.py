"""Sums of rows of float32 matrices, kept in the processor's vector registers.

Numba's own loops store every sum after each row, which costs most of the time of a small network. ``width``
must be a constant. Rows are added in the order given and multiplied by fused multiply-add, which is exact in
the same way on every processor, so the results never depend on the machine. Nothing is checked.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

FLOAT, WORD = ir.FloatType(), ir.IntType(64)


def _row(context, builder, array_type, array, index, width):
    """Pointer to ``width`` numbers from ``index`` rows of ``width`` into a contiguous float32 array."""
    data = context.make_array(array_type)(context, builder, array).data
    start = builder.gep(data, [builder.mul(index, ir.Constant(WORD, width))])
    return builder.bitcast(start, ir.VectorType(FLOAT, width).as_pointer())


def _spread(builder, number, width):
    """The number in every lane."""
    one = builder.insert_element(
        ir.Constant(ir.VectorType(FLOAT, width), ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), width), None)
    return builder.shuffle_vector(one, one, zeros)


def _item(context, builder, array_type, array, index):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.load(builder.gep(data, [index]))


def _fma(builder, factor, row, total):
    vector = total.type
    name = f"llvm.fma.v{vector.count}f32"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(vector, [vector] * 3), name
    )
    return builder.call(function, [factor, row, total])


@intrinsic(prefer_literal=True)
def sum_rows(typingctx, matrix, rows, count, width, target):
    """``target[:width]`` = sum of ``matrix[rows[i]]`` for i below ``count``."""
    lanes = width.literal_value
    vector = ir.VectorType(FLOAT, lanes)

    def codegen(context, builder, signature, args):
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
        with cgutils.for_range(builder, args[2], intp=WORD) as loop:
            index = _item(context, builder, rows, args[1], loop.index)
            row = builder.load(_row(context, builder, matrix, args[0], index, lanes), align=4)
            builder.store(builder.fadd(builder.load(total), row), total)
        first = ir.Constant(WORD, 0)
        builder.store(builder.load(total), _row(context, builder, target, args[4], first, lanes), align=4)
        return context.get_dummy_value()

    return types.void(matrix, rows, types.int64, width, target), codegen


@intrinsic(prefer_literal=True)
def mix_rows(typingctx, matrix, factors, count, width, target):
    """``target[:width]`` = ``matrix[count]`` + sum of ``max(factors[i], 0) * matrix[i]``, i < ``count``."""
    lanes = width.literal_value

    def codegen(context, builder, signature, args):
        bias = builder.load(_row(context, builder, matrix, args[0], args[2], lanes), align=4)
        total = cgutils.alloca_once_value(builder, bias)
        with cgutils.for_range(builder, args[2], intp=WORD) as loop:
            factor = _item(context, builder, factors, args[1], loop.index)
            positive = builder.fcmp_ordered(">", factor, ir.Constant(FLOAT, 0))
            factor = builder.select(positive, factor, ir.Constant(FLOAT, 0))
            row = builder.load(_row(context, builder, matrix, args[0], loop.index, lanes), align=4)
            added = _fma(builder, _spread(builder, factor, lanes), row, builder.load(total))
            builder.store(added, total)
        first = ir.Constant(WORD, 0)
        builder.store(builder.load(total), _row(context, builder, target, args[4], first, lanes), align=4)
        return context.get_dummy_value()

    return types.void(matrix, factors, types.int64, width, target), codegen


@intrinsic(prefer_literal=True)
def add_scaled(typingctx, matrix, row, width, factor, source):
    """``matrix[row] += factor * source[:width]``."""
    lanes = width.literal_value

    def codegen(context, builder, signature, args):
        place = _row(context, builder, matrix, args[0], args[1], lanes)
        added = builder.load(_row(context, builder, source, args[4], ir.Constant(WORD, 0), lanes), align=4)
        total = _fma(builder, _spread(builder, args[3], lanes), added, builder.load(place, align=4))
        builder.store(total, place, align=4)
        return context.get_dummy_value()

    return types.void(matrix, types.int64, width, types.float32, source), codegen


@intrinsic(prefer_literal=True)
def dot(typingctx, matrix, row, width, source):
    """Sum of ``matrix[row] * source[:width]``, halves added to each other; ``width`` is a power of two."""
    lanes = width.literal_value

    def codegen(context, builder, signature, args):
        one = builder.load(_row(context, builder, matrix, args[0], args[1], lanes), align=4)
        two = builder.load(_row(context, builder, source, args[3], ir.Constant(WORD, 0), lanes), align=4)
        total, left = builder.fmul(one, two), lanes
        while left > 1:
            left //= 2
            halves = [
                builder.shuffle_vector(total, total, ir.Constant(ir.VectorType(ir.IntType(32), left), lane))
                for lane in (list(range(left)), list(range(left, 2 * left)))
            ]
            total = builder.fadd(*halves)
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return types.float32(matrix, types.int64, width, source), codegen
