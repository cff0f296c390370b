"""``bridzik simulate``."""

from __future__ import annotations

from cli.main import bridzik_command


@bridzik_command("simulate")
def command() -> None:
    """Play many games in one seating and report how good the bids were."""
