"""Games told as text, in English or Slovak: pure functions of a record, or of what a seat saw.

What a game says of its deals and decisions stands in its module ``telling``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bridzik_sim import games
from bridzik_sim.games.telling import INDENT, Telling, row
from bridzik_sim.replay import Moment

LONG_VALUE = 60
"""Characters of a rule option that are still told."""


def teller(record: Mapping[str, Any], lang: str) -> Telling:
    """Who tells a record's game in a language; ``UsageError`` when it is not told in it."""
    game = games.get(record["game"])
    tell: Telling = game.telling.Telling(game, record, lang)
    return tell


def record_text(record: Mapping[str, Any], lang: str = "en") -> str:
    """A whole record, or one that ends at a failure, as lines of text without a final line break."""
    tell = teller(record, lang)
    lines, totals = _head(tell, record, tell.marks.get(lang, "")), [0] * len(record["totals"])
    for number, deal in zip(tell.numbers(record["deals"]), record["deals"], strict=True):
        lines += ["", *tell.deal(number, deal, totals)]
        lines += [tell.fault(fault) for fault in record.get("faults", []) if fault["deal"] == number]
        if deal["points"] is not None:
            totals = tell.totals(totals, deal)
    if record["winners"]:
        winners = record["winners"]
        word = tell.say.winner if len(winners) == 1 else tell.say.winners
        named = ", ".join(f"{tell.seat(seat)} {record['seats'][seat]}" for seat in winners)
        lines += ["", row(tell.say.final, tell.standing(record["totals"])), row(word, [named])]
    return "\n".join(lines)


def view_text(record: Mapping[str, Any], moments: Sequence[Moment], seat: int, lang: str = "en") -> str:
    """A game as ``seat`` saw it: at each of its decisions what it knew and might answer, then its answer."""
    tell = teller(record, lang)
    lines, deal = _head(tell, record), -1
    for moment in moments:
        if moment.seat != seat or moment.view is None:
            continue
        if moment.deal != deal:
            deal = moment.deal
            lines += ["", *tell.sight(moment)]
        lines += tell.moment(moment)
    return "\n".join(lines)


def _head(tell: Telling, record: Mapping[str, Any], mark: str = "") -> list[str]:
    title = tell.say.head.format(title=tell.game.title, **record)
    default = {option.name: option.default for option in tell.game.options}
    changed = {name: value for name, value in record["options"].items() if value != default.get(name)}
    given = "".join(f", {name}={_plain(value)}" for name, value in changed.items())
    labels = enumerate(record["seats"])
    seats = [f"{INDENT}{tell.say.seat} {tell.seat(seat)}  {label}" for seat, label in labels]
    return [title + given + (f"   ({mark})" if mark else ""), *seats]


def _plain(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    text = ",".join(str(part) for part in value)
    return text if len(text) <= LONG_VALUE else f"({len(value)} given)"
