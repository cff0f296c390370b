"""Portable Bridge Notation: boards to be played are read from it, games that were played are written in it.

A board has one line of text, too, in which it is kept as a rule option: its number, dealer, who is
vulnerable (``none``, ``NS``, ``EW``, ``both``) and the hands of N, E, S, W, each spades, hearts, diamonds,
clubs from the ace down, such as ``12 W EW AKQ2.J3.T98.5432 …``. Seats are 0 … 3 for N E S W; hands are masks
of card ids.

Source: T. Veugen (coordinator), "Portable Bridge Notation", version 2.1, 2007.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bridzik_sim.errors import UsageError
from bridzik_sim.games.french_cards import DECK

HEADER = "% PBN 2.1\n"
"""The first line of a file."""
MOST_BOARD_NUMBER = 999_999

_SEATS = "NESW"
_MASKS = {name: 1 << card for card, name in enumerate(map(DECK.name, range(len(DECK))))}
_HAND_SIZE = 13
_VULNERABLE = ("none", "NS", "EW", "both")
_VULNERABLE_IN = {"none": 0, "love": 0, "-": 0, "ns": 1, "ew": 2, "all": 3, "both": 3}
_VULNERABLE_OUT = ("None", "NS", "EW", "All")
_NEEDED = {"dealer": "Dealer", "vulnerable": "Vulnerable", "deal": "Deal"}
_OF_A_BOARD = {"board", *_NEEDED}
_WITHOUT_DATA = _OF_A_BOARD | {
    *("event", "site", "date", "west", "north", "east", "south", "scoring", "declarer", "contract", "result")
}


class Board(NamedTuple):
    """A deal to be played: board number, dealer, mask of the vulnerable sides (bit 0 N-S), hands by seat."""

    number: int
    dealer: int
    vulnerable: int
    hands: tuple[int, ...]

    def __str__(self) -> str:
        hands = " ".join(map(_hand_text, self.hands))
        return f"{self.number} {_SEATS[self.dealer]} {_VULNERABLE[self.vulnerable]} {hands}"


def board_of(text: str) -> Board:
    """The board of one line (see the module); ``ValueError`` says what is wrong with it."""
    words = text.split()
    if len(words) != 7:
        raise ValueError(
            f"seven words are a board: number, dealer, vulnerability, hands; {_short(text)} has {len(words)}"
        )
    number, dealer, vulnerable, *hands = words
    return Board(_number(number), _seat(dealer), _vulnerability(vulnerable), _hands(hands))


def parse_boards(value: Any) -> list[str]:
    """The rule option ``boards``: one line a board, in its one canonical form; ``ValueError`` otherwise.

    ``value`` is a list of such lines, or a text with commas between them.
    """
    lines = [line for line in value.split(",") if line.strip()] if isinstance(value, str) else value
    if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
        raise ValueError("give a list of boards, one line of text each; --boards FILE.pbn makes it")
    boards = []
    for place, line in enumerate(lines, 1):
        try:
            boards.append(str(board_of(line)))
        except ValueError as error:
            raise ValueError(f"board {place} of the list: {error}") from None
    return boards


def load(path: Path) -> list[Board]:
    """Boards of a PBN file, in UTF-8 or, as the standard has it, Latin-1; ``UsageError`` as ``read``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return read(text, str(path))


def read(text: str, name: str = "PBN") -> list[Board]:
    """Boards of a PBN text, in order; one without a number takes its place in the text as its number.

    ``#`` and ``##`` inherit values of earlier boards, of any tag. What a file tells of how a board was played
    is passed over. ``UsageError``, ``<name> line <N>: …``, when anything is damaged or there is no board.
    """
    text = re.sub("\r\n?", "\n", text.removeprefix("\ufeff"))
    try:
        boards = _boards(text)
        if not boards:
            raise _DamageError(1, _nothing(text))
    except _DamageError as damage:
        raise UsageError(f"{name} line {damage.line}: {damage}") from None
    return boards


class _DamageError(Exception):
    """What is wrong with a text, and in which line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _Tag(NamedTuple):
    line: int
    value: str


def _nothing(text: str) -> str:
    if not text.strip():
        return "the file is empty; give one with Dealer, Vulnerable and Deal tags"
    return 'there is no board; a board has tags such as [Dealer "N"] [Vulnerable "None"] [Deal "N:…"]'


def _boards(text: str) -> list[Board]:
    boards: list[Board] = []
    last: dict[str, str] = {}
    lasting: dict[str, str] = {}
    for tags in _games(text):
        first_line = next(iter(tags.values())).line
        for name, (line, value) in tags.items():
            if value.startswith("##"):
                lasting[name] = value = value[2:]
            elif value == "#":
                value = last.get(name, "")
            elif name in lasting:
                lasting[name] = value
            tags[name] = _Tag(line, value)
            last[name] = value
        if not _OF_A_BOARD.isdisjoint(tags):
            inherited = {name: _Tag(first_line, value) for name, value in lasting.items()}
            boards.append(_board({**inherited, **tags}, first_line, len(boards) + 1))
    return boards


def _board(tags: dict[str, _Tag], line: int, place: int) -> Board:
    for name, spelled in _NEEDED.items():
        if name not in tags or tags[name].value.strip() in ("", "?"):
            at = tags[name].line if name in tags else line
            raise _DamageError(at, f'this board has no {spelled}; add [{spelled} "{_EXAMPLES[name]}"]')
    number = tags.get("board", _Tag(line, ""))
    try:
        at = number.line
        if number.value.strip() not in ("", "?"):
            place = _number(number.value.strip())
        at = tags["dealer"].line
        dealer = _seat(tags["dealer"].value.strip())
        at = tags["vulnerable"].line
        vulnerable = _vulnerability(tags["vulnerable"].value.strip())
        at = tags["deal"].line
        hands = _deal(tags["deal"].value.strip())
    except ValueError as error:
        raise _DamageError(at, str(error)) from None
    return Board(place, dealer, vulnerable, hands)


_EXAMPLES = {"dealer": "N", "vulnerable": "None", "deal": "N:AKQ2.J3.T98.5432 …"}

_TOKEN = re.compile(
    r"""(?P<end>^[^\S\n]*\n)                                  # an empty line ends a game
    |(?P<skip>^%[^\n]* | [^\S\n]+ | \n | ;[^\n]* | \{[^}]*\}) # escaped lines, white space, comments
    |(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    |(?P<data>"(?:[^"\\\n]|\\.)*" | [^\s;{"\[]+)              # of a section: calls, cards, tables
    |(?P<damage>[\[{"])""",
    re.VERBOSE | re.MULTILINE,
)
_DAMAGE = {
    "{": "the comment that begins here is never closed; add a }",
    '"': 'the quote that begins here is not closed in its line; add a "',
    "[": 'this tag is damaged; write it as [Name "value"]',
}


def _games(text: str) -> Iterator[dict[str, _Tag]]:
    """Tags of every game, by name in small letters; games end at empty lines."""
    tags: dict[str, _Tag] = {}
    line, takes_data = 1, False
    for token in _TOKEN.finditer(text):
        if "\0" in token[0]:
            raise _DamageError(line, "this is no plain text; save the file as UTF-8")
        if token["damage"]:
            raise _DamageError(line, _DAMAGE[token[0]])
        if token["tag"]:
            name, value = token["name"].lower(), re.sub(r"\\(.)", r"\1", token["value"])
            if name in _OF_A_BOARD and name in tags and value != tags[name].value:
                raise _DamageError(
                    line, f"a second {token['name']} in one board; put an empty line between boards"
                )
            tags.setdefault(name, _Tag(line, value))
            takes_data = name not in _WITHOUT_DATA
        elif token["data"] and not takes_data:
            raise _DamageError(line, f'{_short(token[0])} is out of place; tags look like [Name "value"]')
        elif token["end"] and tags:
            yield tags
            tags, takes_data = {}, False
        line += token[0].count("\n")
    if tags:
        yield tags


def _short(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:19] + "…")


def _number(text: str) -> int:
    digits = text if text.isascii() and text.isdecimal() and len(text) <= 20 else "0"
    if not 1 <= int(digits) <= MOST_BOARD_NUMBER:
        raise ValueError(f"{_short(text)} is no board number; give one from 1 to {MOST_BOARD_NUMBER}")
    return int(digits)


def _seat(text: str) -> int:
    if len(text) != 1 or text.upper() not in _SEATS:
        raise ValueError(f"{_short(text)} is no seat; give N, E, S or W")
    return _SEATS.index(text.upper())


def _vulnerability(text: str) -> int:
    if text.lower() not in _VULNERABLE_IN:
        raise ValueError(f"{_short(text)} does not tell who is vulnerable; give None, NS, EW or All")
    return _VULNERABLE_IN[text.lower()]


def _deal(text: str) -> tuple[int, ...]:
    """Hands by seat of a Deal tag: the seat of the first one, a colon, four hands clockwise."""
    first, colon, rest = text.partition(":")
    if not colon:
        raise ValueError("a deal begins with the seat of its first hand and a colon, such as N:")
    seat, hands = _seat(first.strip()), rest.split()
    if len(hands) != len(_SEATS):
        raise ValueError(f"a deal has four hands, not {len(hands)}; set spaces between them")
    return _hands(hands[-seat:] + hands[:-seat])


def _hands(texts: list[str]) -> tuple[int, ...]:
    """Masks of the hands of N, E, S, W; together they are the whole deck."""
    hands: list[int] = []
    for seat, text in zip(_SEATS, texts, strict=True):
        hand = _hand(text, seat)
        for other, held in zip(_SEATS, hands, strict=False):
            if held & hand:
                card = DECK.names(held & hand)[0]
                raise ValueError(f"{card} is held twice, by {other} and by {seat}")
        hands.append(hand)
    return tuple(hands)


def _hand(text: str, seat: str) -> int:
    suits = text.upper().replace("10", "T").split(".")
    if text == "-":
        raise ValueError(f"the hand of {seat} is not told; a board to be played needs all four hands")
    if len(suits) != len(DECK.suits):
        raise ValueError(f"the hand of {seat} has {len(suits)} suits; set three dots between four")
    hand = 0
    for suit, ranks in zip(reversed(DECK.suits), suits, strict=True):
        for rank in ranks:
            if rank not in DECK.ranks:
                raise ValueError(f"{rank!r} in the hand of {seat} is no rank; give A K Q J T 9 to 2")
            card = _MASKS[suit + rank]
            if hand & card:
                raise ValueError(f"{suit}{rank} is twice in the hand of {seat}")
            hand |= card
    if hand.bit_count() != _HAND_SIZE:
        raise ValueError(f"the hand of {seat} has {hand.bit_count()} cards; give {_HAND_SIZE}")
    return hand


def _hand_text(hand: int) -> str:
    names = DECK.names(hand)
    suits = ("".join(name[1] for name in reversed(names) if name[0] == which) for which in "SHDC")
    return ".".join(suits)


def write(record: dict[str, Any]) -> str:
    """The deals of a record of bridge as games of PBN, an empty line after each, without ``HEADER``.

    ``record`` is what the game's telling makes of a finished game, in the form of its JSON.
    """
    return "".join(_game(record, number, deal) for number, deal in enumerate(record["deals"], 1))


def _game(record: dict[str, Any], number: int, deal: dict[str, Any]) -> str:
    dealer, declarer = deal["dealer"], deal["declarer"]
    duplicate = record["options"].get("scoring") == "duplicate"
    passed_out = deal["contract"] is None
    hands = (_hand_text(DECK.mask(cards)) for cards in deal["hands"])
    west, north, east, south = (record["seats"][seat] for seat in (3, 0, 1, 2))
    tags = {
        "Event": "bridge, seed {seed}, unit {unit}, seating {seating}".format_map(record),
        "Site": "",
        "Date": "????.??.??",
        "Board": deal.get("board") or number,
        "West": west,
        "North": north,
        "East": east,
        "South": south,
        "Dealer": _SEATS[dealer],
        "Vulnerable": _VULNERABLE_OUT[_VULNERABLE.index(deal["vulnerable"])],
        "Deal": f"N:{' '.join(hands)}",
        "Scoring": "IMP" if duplicate else "Rubber",
        "Declarer": "" if passed_out else _SEATS[declarer],
        "Contract": "Pass" if passed_out else deal["contract"],
        "Result": "" if passed_out else deal["declarer_tricks"],
        "Auction": _SEATS[dealer],
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    lines += _rows(["Pass" if call == "P" else call for call in deal["calls"]])
    if deal["tricks"]:
        leader = deal["tricks"][0]["leader"]
        lines.append(f'[Play "{_SEATS[leader]}"]')
        for trick in deal["tricks"]:
            # A column is a seat's, whoever leads: the first one that of the opening leader.
            shift = (leader - trick["leader"]) % len(_SEATS)
            lines += _rows(trick["cards"][shift:] + trick["cards"][:shift])
    return "\n".join([*lines, "", ""])


def _rows(words: list[str]) -> Iterator[str]:
    return (" ".join(words[start : start + 4]) for start in range(0, len(words), 4))


def _escaped(value: object) -> str:
    text = " ".join(str(value).split())
    return re.sub(r'(["\\])', r"\\\1", text)
