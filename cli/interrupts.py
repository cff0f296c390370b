"""Ctrl-C: the first ends a command within a second, another one at once; both with code 130.

The first is Python's own KeyboardInterrupt. But Python takes notice only between two of its instructions, and
compiling, for example, may be many seconds away from the next one. So a thread of ours is told of it as well,
and ends the program when the command has not ended by itself. That is safe: what is finished is on disk.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

PATIENCE_SECONDS = 0.75
"""How long a command may take to end by itself."""
WORDS_SECONDS = 0.15
"""How long we wait for what is to be said of it."""


@contextlib.contextmanager
def ending_soon(words: Callable[[], str] = lambda: "interrupted") -> Iterator[None]:
    """Inside the block, Ctrl-C ends the program soon in any case; ``words`` are then said of it."""
    on_main = threading.current_thread() is threading.main_thread()
    if not on_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else decides, e.g. nohup has it ignored
        return
    ours, told = socket.socketpair()
    told.setblocking(False)
    left = threading.Event()
    threading.Thread(target=_listen, args=(ours, left, words), daemon=True).start()
    before = signal.signal(signal.SIGINT, _first)
    wakeup = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        told.close()


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _second)
    raise KeyboardInterrupt


def _second(number: int, frame: FrameType | None) -> None:
    _end("stopped at once")


def _listen(ours: socket.socket, left: threading.Event, words: Callable[[], str]) -> None:
    """Wait for Ctrl-C or the end of the block."""
    with ours:
        while heard := ours.recv(1):
            if heard[0] == signal.SIGINT and not left.wait(PATIENCE_SECONDS):
                _end(_said(words))


def _said(words: Callable[[], str]) -> str:
    """The words, or less of them when they would have to wait for what the main thread is doing."""
    said = ["interrupted"]
    thread = threading.Thread(target=lambda: said.append(words()), daemon=True)
    thread.start()
    thread.join(WORDS_SECONDS)
    return said[-1]


def _end(message: str) -> None:
    shown = "\x1b[?25h\n" if sys.stderr.isatty() else ""  # the live display had hidden the cursor
    with contextlib.suppress(OSError):
        os.write(2, f"{shown}Error: {message}\n".encode())
    if multiprocessing := sys.modules.get("multiprocessing"):  # else there are no children
        for child in multiprocessing.active_children():
            child.kill()
    os._exit(130)
