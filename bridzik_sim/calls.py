"""Calling a strategy's compiled function from a kernel through its address.

Numba's own first-class functions reach the same code, but picking one out of a tuple is a switch over its
length, and the call carries a second path for functions without a compiled address; an array of addresses is
an indexed load and one call. Exceptions propagate as from any compiled call, and the kernel's compiled code
depends on no strategy, so one compilation serves all.
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


@intrinsic
def call(typingctx: Any, function_address: Any, view: Any) -> Any:
    """Return the answer of the function at an address (int64) to a view."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Numba's calling convention: f(where to put the answer, where to put an exception, view) -> status.
        convention = context.call_conv
        function_type = convention.get_function_type(types.int64, (view,))
        function = builder.inttoptr(args[0], function_type.as_pointer())
        to_answer, to_exception = (
            cgutils.alloca_once(builder, kind.pointee) for kind in function_type.args[:2]
        )
        code = builder.call(function, [to_answer, to_exception, args[1]])
        status = convention._get_return_status(builder, code, builder.load(to_exception))
        with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, ir.Constant(code.type, 0))):
            convention.return_status_propagate(builder, status)
        return builder.load(to_answer)

    return types.int64(types.int64, view), codegen
