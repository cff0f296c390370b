"""What the plain reference engines share: the random stream, the views, asking a strategy.

Everything here is ordinary Python on ordinary integers, slow and meant to be read. Compiled kernels are
checked against engines built on this module, so it shares no code with them.

Sources:
  J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011
  (Philox4x64-10); D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
  (2021) (xoshiro256++, and SplitMix64 to seed it); D. Lemire, "Fast random integer generation in an
  interval", ACM TOMACS 29 (2019); N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer
  generation" (2024).
"""

from __future__ import annotations

import hashlib
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

STREAM_VERSION = 1
DEAL = 0
WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
HIGHEST_CODE = 62
PARAMS = 16
Params = npt.NDArray[np.float64]

OnError = Literal["stop", "forfeit"]


def strategy_purpose(seating: int, seat: int) -> int:
    """The purpose of the private stream of ``seat`` when the unit is played in seating number ``seating``."""
    return 2**24 + 16 * seating + seat


def stream_tag(game: str, rules_version: int) -> int:
    """The 64 bits that keep apart the streams of games and of versions of their rules."""
    text = f"{STREAM_VERSION}/{game}/{rules_version}".encode("ascii")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def unit_words(seed: int, tag: int, unit: int) -> list[int]:
    """Four 64-bit words: the Philox4x64-10 block with key (seed, tag) and counter (unit, 0, 0, 0).

    ``seed``, ``tag`` and ``unit`` lie in 0 … 2**64 - 1; ValueError otherwise.
    """
    for name, value in (("seed", seed), ("tag", tag), ("unit", unit)):
        if not 0 <= value < WORD:
            raise ValueError(f"{name} must lie in 0 … 2**64 - 1, not {value}")
    key = np.array([seed, tag], dtype=np.uint64)
    # numpy adds one to the counter before it forms its first block.
    philox = np.random.Philox(key=key, counter=(unit - 1) % 2**256)
    return [int(word) for word in philox.random_raw(4)]


def mix64(z: int) -> int:
    """The finalizer of SplitMix64, a bijection of 0 … 2**64 - 1."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def rotate_left(word: int, places: int) -> int:
    """``word`` (64 bits) rotated left by ``places`` in 1 … 63."""
    return (word << places) % WORD | word >> (64 - places)


class PlainStream:
    """A stream of random words, xoshiro256++; ``state`` is a list of four 64-bit integers."""

    def __init__(self, state: Sequence[int]) -> None:
        self.state = [int(word) for word in state]

    @classmethod
    def of(cls, words: Sequence[int], deal: int, purpose: int) -> PlainStream:
        """The sub-stream for one purpose in one deal of the unit whose words are ``words``."""
        code = deal * 2**32 + purpose
        return cls([mix64((word + (code + 1) * GOLDEN) % WORD) for word in words])

    def word(self) -> int:
        """The next word, uniform in 0 … 2**64 - 1."""
        s0, s1, s2, s3 = self.state
        result = (rotate_left((s0 + s3) % WORD, 23) + s0) % WORD
        shifted = (s1 << 17) % WORD
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = rotate_left(s3, 45)
        self.state = [s0, s1, s2, s3]
        return result

    def below(self, n: int) -> int:
        """An exactly uniform integer in 0 … n - 1, for n in 1 … 2**64 - 1 (Lemire 2019)."""
        while True:
            product = self.word() * n
            if product % WORD >= WORD % n:
                return product // WORD

    def uniform(self) -> float:
        """A multiple of 2**-53 in [0, 1)."""
        return (self.word() >> 11) * 2.0**-53

    def take(self, deck: list[int], count: int) -> list[int]:
        """Remove ``count`` random cards from the sorted list ``deck``; return them sorted.

        All digits come from one word, redrawn until they are exactly uniform (Brackett-Rozinsky and Lemire
        2024). ValueError when the deck is too small or has more ordered hands than a word has values.
        """
        if not 0 <= count <= len(deck):
            raise ValueError(f"cannot take {count} of {len(deck)} cards")
        ordered_hands = 1
        for i in range(count):
            ordered_hands *= len(deck) - i
        if ordered_hands > WORD:
            raise ValueError(f"one word is too short to take {count} of {len(deck)} cards")
        while True:
            left = list(deck)
            hand = []
            fraction = self.word()
            for _ in range(count):
                product = fraction * len(left)
                hand.append(left.pop(product // WORD))
                fraction = product % WORD
            if fraction >= WORD % ordered_hands:
                deck[:] = left
                return sorted(hand)


class ViewRecord(np.record):  # type: ignore[misc]  # final in the stubs only
    """A view in plain Python: ``size`` is the field of that name, which numpy's own attribute would hide."""

    @property
    def size(self) -> Any:
        """Cards dealt to each seat."""
        return self["size"]

    @size.setter
    def size(self, value: int) -> None:
        self["size"] = value


class SeatView:
    """The view of one seat: ``record`` is what a strategy receives, ``write`` fills fields of it.

    ``record`` is a numpy record with memory of its own: ``record.legal`` is an integer, ``record.bids`` an
    array.
    """

    def __init__(self, dtype: np.dtype[Any]) -> None:
        rows = np.zeros(1, np.dtype((ViewRecord, dtype)))
        self.record: Any = rows[0]
        self._columns = {name: rows[name] for name in dtype.names or ()}

    def write(self, fields: Mapping[str, Any]) -> None:
        """Set the named fields: each to a number, or an array field to a sequence of its length."""
        for name, value in fields.items():
            self._columns[name][0] = value


def seats_from(first: int, seats: int) -> list[int]:
    """All seats in turn, beginning with ``first``."""
    return [(first + i) % seats for i in range(seats)]


def mask_of(codes: Sequence[int] | set[int]) -> int:
    """The set of the ``codes`` (each 0 … 62) as a mask: bit i stands for code i."""
    mask = 0
    for code in codes:
        mask |= 1 << code
    return mask


@dataclass(frozen=True)
class Fault:
    """One wrong answer of a strategy.

    ``kind`` is "illegal", "raised" or "timeout"; ``answer`` is the repr of what was answered or raised, or
    the time that was not enough.
    """

    kind: str
    deal: int
    seat: int
    decision: str
    answer: str

    def as_dict(self) -> dict[str, int | str]:
        """The fault as it stands in a record."""
        return {
            "deal": self.deal,
            "seat": self.seat,
            "decision": self.decision,
            "kind": self.kind,
            "answer": self.answer,
        }


def told(kind: str, answer: str) -> str:
    """What a strategy did wrong, in words."""
    verbs = {"illegal": "answered", "raised": "raised", "timeout": "did not answer within"}
    return f"{verbs[kind]} {answer}"


class StrategyFault(Exception):
    """A strategy answered against the rules or raised an exception, and the game stops.

    ``exception`` is what the strategy raised (None for kind "illegal"), ``legal`` the answers it had.
    """

    def __init__(self, fault: Fault, legal: Sequence[int], exception: BaseException | None = None) -> None:
        super().__init__(
            f"seat {fault.seat} {told(fault.kind, fault.answer)} to {fault.decision!r} in deal {fault.deal}; "
            f"legal answers: {', '.join(map(str, legal))}"
        )
        self.fault = fault
        self.kind = fault.kind
        self.deal = fault.deal
        self.seat = fault.seat
        self.decision = fault.decision
        self.answer = fault.answer
        self.legal = tuple(legal)
        self.exception = exception

    def __reduce__(self) -> tuple[Any, ...]:
        # What was raised may be unfit for pickling; its text is in the fault.
        return StrategyFault, (self.fault, self.legal)


class NoAnswer(Exception):
    """Raised in the place of a strategy that is not to be asked; ``kind`` and ``answer`` as in ``Fault``."""

    def __init__(self, kind: str, answer: str) -> None:
        super().__init__(kind, answer)
        self.kind, self.answer = kind, answer


def is_ctrl_c(error: BaseException) -> bool:
    """Whether the user interrupts, which happens on the main thread only: no strategy can be charged."""
    return (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    )


def checked_answer(answer: object, legal: int) -> int | None:
    """``answer`` as an int when it is an integer 0 … 62 whose bit is set in ``legal``, otherwise None.

    Python and numpy integers count; booleans, floats, arrays and time spans do not.
    """
    if not isinstance(answer, (int, np.integer)) or isinstance(answer, (bool, np.timedelta64)):
        return None
    code = int(answer)
    if not 0 <= code <= HIGHEST_CODE or not legal >> code & 1:
        return None
    return code


def short_repr(value: object) -> str:
    """``repr(value)``, cut to 200 characters; the name of the type when that fails."""
    try:
        return repr(value)[:200]
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        return f"<{type(value).__name__}>"


class Event(NamedTuple):
    """What an observer is told, once before a decision and once after it.

    ``moment`` is "before" or "after"; ``answer`` is the answer used, -1 before; ``fault`` is set after a
    wrong answer was replaced. ``view`` is the strategy's own record: copy what is to be kept, write nothing.
    """

    moment: Literal["before", "after"]
    deal: int
    seat: int
    decision: str
    view: Any
    legal: Sequence[int]
    answer: int = -1
    fault: Fault | None = None


Observer = Callable[[Event], None]


class Asker:
    """Asks strategies and judges their answers; ``faults`` lists the answers it had to replace."""

    def __init__(self, on_error: OnError = "stop", observer: Observer | None = None) -> None:
        if on_error not in ("stop", "forfeit"):
            raise ValueError(f"on_error must be 'stop' or 'forfeit', not {on_error!r}")
        self.on_error = on_error
        self.observer = observer
        self.faults: list[Fault] = []

    def ask(
        self, player: object, view: Any, deal: int, seat: int, decision: str, legal: Sequence[int]
    ) -> int:
        """One decision of ``player``: one of the codes ``legal`` (0 … 62, not empty).

        A wrong answer raises StrategyFault, or with "forfeit" becomes the lowest legal one.
        """
        if self.observer is not None:
            self.observer(Event("before", deal, seat, decision, view, legal))
        exception: BaseException | None = None
        answer: int | None = None
        given: object = None
        try:
            given = getattr(player, decision)(view)
            answer = checked_answer(given, mask_of(legal))
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            exception = error
        fault = None
        if answer is None:
            kind, text = _wrong(given, exception)
            fault = Fault(kind, deal, seat, decision, text)
            if self.on_error == "stop":
                raise StrategyFault(fault, legal, exception) from exception
            self.faults.append(fault)
            answer = min(legal)
        if self.observer is not None:
            self.observer(Event("after", deal, seat, decision, view, legal, answer, fault))
        return answer


def _wrong(given: object, exception: BaseException | None) -> tuple[str, str]:
    """Kind and answer of a fault: what was answered, or the exception that came instead."""
    if isinstance(exception, NoAnswer):
        return exception.kind, exception.answer
    return ("illegal", short_repr(given)) if exception is None else ("raised", short_repr(exception))


class Deal(Protocol):
    """A deal in progress, as far as its players need it."""

    deal: int
    dealt: list[list[int]]
    places: ClassVar[int]

    def by_seat(self, values: Sequence[int], missing: int) -> list[int]:
        """``values`` with ``missing`` in the places of the view that they leave."""

    def view_fields(self, seat: int, legal: Sequence[int]) -> dict[str, Any]:
        """What ``seat`` may know at its decision: every field of the view but the seat's own memory."""


class Players:
    """The players with their views, and the one who asks them."""

    def __init__(self, players: Sequence[object], view: np.dtype[Any], asker: Asker) -> None:
        self.players = players
        self.views = [SeatView(view) for _ in players]
        self.asker = asker

    def new_deal(
        self,
        words: Sequence[int],
        table: Deal,
        seating: int,
        params: Params,
        cheats: Sequence[bool] | None = None,
    ) -> None:
        """Give every seat its stream of the deal, its parameters, an empty memory; cheats see all hands."""
        hands = table.by_seat([mask_of(hand) for hand in table.dealt], 0)
        for seat, view in enumerate(self.views):
            stream = PlainStream.of(words, table.deal, strategy_purpose(seating, seat))
            told = hands if cheats and cheats[seat] else [0] * table.places
            view.write({"stream": stream.state, "params": params[seat], "memory": 0.0, "dealt": told})

    def ask(self, table: Deal, seat: int, decision: str, legal: list[int]) -> int:
        """Show the table to the seat and return its answer, one of ``legal``."""
        view = self.views[seat]
        view.write(table.view_fields(seat, legal))
        return self.asker.ask(self.players[seat], view.record, table.deal, seat, decision, legal)


def checked_params(params: Params | None, seats: int) -> Params:
    """The parameters of the seats, float64 (seats, 16), zeros for None; ValueError for another shape."""
    made = np.zeros((seats, PARAMS)) if params is None else np.asarray(params, dtype=np.float64)
    if made.shape != (seats, PARAMS):
        raise ValueError(f"params must have the shape {(seats, PARAMS)}, not {made.shape}")
    return made
