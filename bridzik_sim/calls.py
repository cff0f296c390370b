"""Calling a strategy's compiled function from a kernel.

By its address: numba's own first-class functions reach the same code, but picking one out of a tuple is a
switch over its length, and the call carries a second path for functions without a compiled address; an array
of addresses is an indexed load and one call, and the kernel's compiled code depends on no strategy, so one
compilation serves all. Or by its code, which then becomes part of the kernel (see ``plans.py``). Exceptions
propagate as from any compiled call.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


def address(dispatcher: Any, view_type: Any) -> int:
    """Address of a compiled ``int64(view)``; the dispatcher must stay alive as long as it is used."""
    compiled = dispatcher.overloads[(view_type,)]
    assert compiled.signature.return_type == types.int64
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def call_address(context: Any, builder: Any, kind: Any, at: Any, view: Any) -> Any:
    """Emit a call of the function at an address (int64) with a view of type ``kind``; its answer."""
    function_type = context.call_conv.get_function_type(types.int64, (kind,))
    return _call(context, builder, builder.inttoptr(at, function_type.as_pointer()), view)


def call_function(context: Any, builder: Any, kind: Any, compiled: Any, view: Any) -> Any:
    """Emit the code of a function (a compile result of numba) in place of a call; its answer."""
    context.add_linking_libs([compiled.library])
    function = context.declare_function(builder.module, compiled.fndesc)
    return _call(context, builder, function, view, attrs=("alwaysinline",))


def _call(context: Any, builder: Any, function: Any, view: Any, attrs: tuple[str, ...] = ()) -> Any:
    # Numba's calling convention: f(where to put the answer, where to put an exception, view) -> status.
    convention = context.call_conv
    places = function.type.pointee.args[:2]
    to_answer, to_exception = (cgutils.alloca_once(builder, place.pointee) for place in places)
    code = builder.call(function, [to_answer, to_exception, view], attrs=attrs)
    status = convention._get_return_status(builder, code, builder.load(to_exception))
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, ir.Constant(code.type, 0))):
        convention.return_status_propagate(builder, status)
    return builder.load(to_answer)


@intrinsic
def call(typingctx: Any, function_address: Any, view: Any) -> Any:
    """Return the answer of the function at an address (int64) to a view."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return call_address(context, builder, view, *args)

    return types.int64(types.int64, view), codegen
