"""SIGTERM, SIGHUP and SIGINT end the screen as `q` does: the terminal gets its modes back, nothing is decided."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def install(leave: Callable[[int], None]) -> None:
    """Call `leave` with the exit code 128 + N on a signal. Needs a running loop in the main thread."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        try:
            loop.add_signal_handler(number, leave, 128 + number)
        except (NotImplementedError, RuntimeError, ValueError):
            return  # not the main thread (tests), or a loop without signals


def remove() -> None:
    """Take the handlers away again."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        try:
            loop.remove_signal_handler(number)
        except (NotImplementedError, RuntimeError, ValueError):
            return
