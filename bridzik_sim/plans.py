"""Plans: what a kernel is compiled for, any strategies or just those of one run.

A kernel that is made for any strategies writes the whole view before every decision and calls a function by
its address. Most strategies look at a few fields. For a long run the kernel is compiled again with a plan
that knows the strategies: what none of them looks at is not written, nor kept where only the view needs it,
and their code becomes part of the kernel. What is played stays the same.

Kernels take the plan as their first argument and ask it by ``shows`` and ``answer``; its numba type carries
the answers, so that they are constants to the compiler. Which fields a strategy looks at is read off the
names in its code and in all that it calls.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_constant
from numba.extending import NativeValue, intrinsic, typeof_impl, unbox

from bridzik_sim.calls import call_address, call_function
from bridzik_sim.reach import constants, names_in

if TYPE_CHECKING:
    from bridzik_sim.games.game import Game
    from bridzik_sim.strategy import Strategy

ENTRANTS, DISTINCT = 16, 4
"""A plan is made for at most so many entrants, and so many different strategies."""
MOST_CODE = 400_000
"""Bytes of the strategies' code (LLVM's bitcode), at most: more takes long to compile, and to run."""
ROUNDABOUT = frozenset({"view", "tobytes", "data", "ctypes", "frombuffer", "carray", "farray", "objmode"})
"""Names by which code might reach fields without naming them."""
SAVED = 8e-9
"""Seconds that a kernel of its own spares a decision, about; ``bench/limit.py`` measures it."""
COMPILING, LOADING = 15.0, 0.2
"""Seconds that it takes to compile such a kernel and to load it, about."""

_plans: dict[str, Plan] = {}


@dataclass(frozen=True)
class Plan:
    """What a kernel is compiled for; ``GENERAL`` serves any strategies."""

    key: str = ""
    fields: frozenset[str] | None = None
    """Names of the view's fields that are looked at; None: any may be."""
    functions: Mapping[str, Sequence[Any]] | None = None
    """By decision: the entrants' compiled functions (numba's compile results)."""

    def __post_init__(self) -> None:
        _plans[self.key] = self


class PlanType(types.Type):
    """Numba's type of a plan, told from others by its key."""

    def __init__(self, key: str) -> None:
        self.key_ = key
        super().__init__(name=f"Plan({key})")

    @property
    def plan(self) -> Plan:
        """The plan itself; only needed while something is compiled."""
        return _plans[self.key_]


register_default(PlanType)(models.OpaqueModel)


@typeof_impl.register(Plan)
def _typeof(value: Plan, context: Any) -> PlanType:
    return PlanType(value.key)


@unbox(PlanType)
def _unbox(kind: PlanType, value: Any, c: Any) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())


@lower_constant(PlanType)
def _constant(context: Any, builder: Any, kind: PlanType, value: Plan) -> Any:
    return context.get_dummy_value()


GENERAL = Plan()


def plan_for(
    entrants: Sequence[Mapping[str, Any]], fingerprints: Sequence[str], view: np.dtype[np.void]
) -> Plan | None:
    """A plan for these entrants; None where there are too many or their code does not tell what it looks at.

    ``entrants``: by decision the compiled functions (numba's dispatchers); ``fingerprints``: of their files.
    """
    if len(entrants) > ENTRANTS or len(set(fingerprints)) > DISTINCT:
        return None
    names: set[str] = set()
    functions = [function for entrant in entrants for function in entrant.values()]
    for function in functions:
        if (found := names_in(function)) is None or found & ROUNDABOUT:
            return None
        names |= found
    fields = frozenset(names & {*(view.names or ())})
    parts = sorted(fields)
    compiled: dict[str, list[Any]] = {name: [] for name in entrants[0]}
    one_of: dict[str, Any] = {}
    for entrant, fingerprint in zip(entrants, fingerprints, strict=True):
        for name, function in entrant.items():
            part = f"{fingerprint}/{constants(function)}/{name}"
            result = next(iter(function.overloads.values()))
            compiled[name].append(one_of.setdefault(part, result))
            parts.append(part)
    if sum(len(one.library._get_module_for_linking().as_bitcode()) for one in one_of.values()) > MOST_CODE:
        return None
    key = hashlib.blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
    return Plan(key, fields, compiled)


def chosen(game: Game, strategies: Sequence[Strategy], decisions: float, *, certain: bool) -> Plan | None:
    """The plan for a run of so many decisions, compiled; None where a kernel of its own does not pay.

    The game's kernel must take plans (``specialise``). ``certain``: whether so many will be played; a run
    that may stop early only takes what is in the cache.
    """
    saved = SAVED * decisions
    if saved < 2 * LOADING:
        return None
    fingerprints = [one.fingerprint for one in strategies]
    plan = plan_for([one.compiled(game) for one in strategies], fingerprints, game.view)
    pays = certain and saved > 2 * COMPILING
    if plan is None or not (pays or game.kernel.specialised_before(plan)):
        return None
    try:
        game.kernel.specialise(plan)
    except errors.NumbaError:  # it would only have been faster
        return None
    return plan


@intrinsic(prefer_literal=True)
def shows(typingctx: Any, plan: Any, fields: Any) -> Any:
    """Whether any of these fields (a literal, names with blanks between them) is to be written."""
    wanted = plan.plan.fields
    shown = wanted is None or any(name in wanted for name in fields.literal_value.split())

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.bool_t(int(shown))

    return types.boolean(plan, fields), codegen


@intrinsic(prefer_literal=True)
def answer(typingctx: Any, plan: Any, decision: Any, entrant: Any, address: Any, view: Any) -> Any:
    """The answer of an entrant's function to a view.

    ``decision`` is a literal; ``address`` is that of the function, for plans that do not know it.
    """
    functions = plan.plan.functions

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if functions is None:
            return call_address(context, builder, view, args[3], args[4])
        return _switch(context, builder, functions[decision.literal_value], args[2], view, args[4])

    return types.int64(plan, decision, entrant, address, view), codegen


def _switch(context: Any, builder: Any, functions: Sequence[Any], entrant: Any, kind: Any, view: Any) -> Any:
    """Call the function of an entrant; those of several entrants may be the same."""
    distinct = {id(compiled): compiled for compiled in functions}
    result = cgutils.alloca_once(builder, ir.IntType(64))
    done = builder.append_basic_block("answered")
    blocks = {which: builder.append_basic_block("entrant") for which in distinct}
    switch = builder.switch(entrant, blocks[id(functions[0])])
    for number, compiled in enumerate(functions[1:], 1):
        switch.add_case(ir.Constant(ir.IntType(64), number), blocks[id(compiled)])
    for which, compiled in distinct.items():
        builder.position_at_end(blocks[which])
        builder.store(call_function(context, builder, kind, compiled, view), result)
        builder.branch(done)
    builder.position_at_end(done)
    return builder.load(result)
