"""The parameters that a tuning may move: how they are written, their bounds, the unit cube they lie in."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.lineup import Spec
from bridzik_sim.sources import Listing

Point = npt.NDArray[np.float64]
STEPS = 1000
"""A found value is told with as many decimals as tell a thousandth of its range."""
_FORM = re.compile(r"([A-Za-z_]\w*)(?:=([^:=]+):([^:=]+?)(:int)?)?")


@dataclass(frozen=True)
class Parameter:
    """A parameter that is searched between two bounds, both included."""

    name: str
    low: float
    high: float
    present: float
    """Its value before the tuning, where the search begins."""
    whole: bool = False
    """Whether only whole numbers are played."""

    def __post_init__(self) -> None:
        bounds = f"{self.name}={self.low:g}:{self.high:g}"
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise UsageError(f"the bounds of {bounds} must be finite")
        if not self.low < self.high:
            raise UsageError(f"the bounds of {bounds} must be the lower one first, then a higher one")
        if not self.low <= self.present <= self.high:
            raise UsageError(
                f"the present value of {self.name}, {self.present:g}, must lie within its bounds "
                f"{self.low:g} and {self.high:g}"
            )
        if self.whole and any(value != int(value) for value in (self.low, self.high, self.present)):
            raise UsageError(f"bounds and present value of {bounds}:int must be whole numbers")

    def at(self, share: float) -> float:
        """The value at a share (0 to 1) of the way from the lower to the upper bound, as it is played."""
        value = self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)
        return float(round(value)) if self.whole else value

    def told(self, share: float) -> float:
        """The value there, rounded to what is worth telling."""
        value = self.at(share)
        digits = -math.floor(math.log10((self.high - self.low) / STEPS))
        return value if self.whole else min(max(round(value, digits), self.low), self.high) + 0.0  # no -0

    @property
    def share(self) -> float:
        """Where between the bounds the present value lies, 0 to 1."""
        return (self.present - self.low) / (self.high - self.low)


def read(texts: Sequence[str], listing: Listing, spec: Spec) -> tuple[Parameter, ...]:
    """Parameters written ``NAME``, ``NAME=LOW:HIGH`` or ``NAME=LOW:HIGH:int``.

    Without bounds they are the present value minus and plus 1, or its own size where that is more.
    ``UsageError`` names what is wrong: form, name, bounds.
    """
    if not listing.params:
        raise UsageError(f"{spec.source} has no PARAMS, so there is nothing to tune")
    given = {**listing.params, **{key: float(value) for key, value in spec.params}}
    found: dict[str, Parameter] = {}
    for text in texts:
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise UsageError(f"{text!r} is not of the form NAME, NAME=LOW:HIGH or NAME=LOW:HIGH:int")
        name, low, high, whole = match.groups()
        if name not in given:
            raise UsageError(unknown_name(f"parameter of {spec.source} called", name, given))
        if name in found:
            raise UsageError(f"the parameter {name} is given twice")
        reach = max(1.0, abs(given[name]))
        lowest, highest = listing.ranges.get(name, (-math.inf, math.inf))
        bounds = [max(given[name] - reach, lowest), min(given[name] + reach, highest)]
        if low is not None:
            bounds = [_number(low, text), _number(high, text)]
        if bounds[0] < lowest or bounds[1] > highest:
            raise UsageError(f"{text}: {spec.source} takes {name} from {lowest:g} to {highest:g} only")
        found[name] = Parameter(name, bounds[0], bounds[1], given[name], bool(whole))
    if not found:
        raise UsageError(f"name at least one parameter to tune; {spec.source} has {', '.join(given)}")
    return tuple(found.values())


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{where!r}: the bound {text!r} is not a number") from None


def values(space: Sequence[Parameter], point: Sequence[float] | Point) -> dict[str, float]:
    """What is played at a point of the unit cube, by name."""
    return {one.name: one.at(float(share)) for one, share in zip(space, point, strict=True)}


def with_values(spec: Spec, chosen: dict[str, float], label: str | None = None) -> Spec:
    """A spec with these parameters in the place of its own, under a label or its own text."""
    params = {**dict(spec.params), **{name: text_of(value) for name, value in chosen.items()}}
    new = Spec("", spec.source, tuple(params.items()))
    return replace(new, label=new.text if label is None else label)


def text_of(value: float) -> str:
    """A number so that reading it gives the same number; whole ones without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def as_json(space: Sequence[Parameter]) -> list[dict[str, Any]]:
    """Parameters and bounds as plain values."""
    return [
        {"name": one.name, "low": one.low, "high": one.high, "present": one.present, "int": one.whole}
        for one in space
    ]
