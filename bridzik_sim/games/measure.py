"""The measure of a game: what entrants are ranked and compared by, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """Points, or a share from 0 to 1 that readers see in per cent."""

    name: str
    column: str
    """Its column in tables, and the quantity that is summed for it."""
    worth: int = 1
    """How many of the integers that are summed make one."""
    share: bool = False
    """Whether it is a share from 0 to 1."""
    net: bool = False
    """Whether it is what one side has more than the other, so that both add up to 0.

    The difference of two entrants at a table is then that of the first one, and not twice as much.
    """

    @property
    def scale(self) -> int:
        """What its values and their differences are multiplied by where they are told."""
        return 100 if self.share else 1

    @property
    def sign(self) -> str:
        """What follows a value where it is told."""
        return " %" if self.share else ""

    @property
    def points(self) -> str:
        """What follows a difference where it is told."""
        return " percentage points" if self.share else ""

    @property
    def axis(self) -> str:
        """What an axis of its values is called."""
        return f"{self.name} (%)" if self.share else self.name

    @property
    def difference(self) -> str:
        """What differences are told in."""
        return f"percentage points ({self.name})" if self.share else self.name
