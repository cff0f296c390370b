"""Calling a strategy's compiled function from a kernel through its address.

Numba's own first-class functions reach the same code, but picking one out of a tuple is a switch over its length and
the call has a second, unused path; an array of addresses is an indexed load. Measured over whole Bridžik games
with random players this took a tenth off the time a decision. Exceptions propagate as from any compiled call, and the
kernel's compiled code depends on no strategy, so one compilation serves all.
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


class _Pointer:
    """A function pointer that llvmlite can call: the value and its function type."""

    def __init__(self, value: Any, function_type: Any) -> None:
        self.value, self.function_type = value, function_type
        self.type = value.type

    def get_reference(self) -> Any:
        return self.value.get_reference()


@intrinsic
def call(typingctx: Any, function_address: Any, view: Any) -> Any:
    """Return the answer of the function at an address (int64) to a view."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function_type = context.call_conv.get_function_type(types.int64, (view,))
        pointer = builder.inttoptr(args[0], ir.PointerType(function_type))
        status, answer = context.call_conv.call_function(
            builder, _Pointer(pointer, function_type), types.int64, (view,), [args[1]]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return answer

    return types.int64(types.int64, view), codegen
