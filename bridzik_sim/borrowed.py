"""Arrays that a kernel uses without counting references to them.

Numba counts, by an atomic addition, whenever an array is taken out of a tuple or handed on. In a kernel that
does so many times a round that costs much; measure whether it does. The kernel's caller holds all arrays
until it returns, so nothing needs to be counted.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


@intrinsic
def borrowed(typingctx: Any, arrays: Any) -> Any:
    """The same array, or tuple of arrays, whose memory somebody else keeps."""

    def release(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            array = cgutils.create_struct_proxy(kind)(context, builder, value=value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            for place, member in enumerate(kind.types):
                part = release(context, builder, member, builder.extract_value(value, place))
                value = builder.insert_value(value, part, place)
        return value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return release(context, builder, arrays, args[0])

    return arrays(arrays), codegen
