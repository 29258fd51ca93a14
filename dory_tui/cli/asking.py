"""A plain question at the terminal: y, n or q, and Enter. For upkeep, never for a yes to something that runs."""

from __future__ import annotations

import sys
import termios
from contextlib import suppress
from typing import Literal

Answer = Literal["y", "n", "q"]


def at_terminal() -> bool:
    """Whether there is a person to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(question: str) -> Answer:
    """What a person answers. Anything but y and q, and the end of input, is no; what was typed ahead is no answer."""
    with suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    sys.stdout.write(f"{question} y, n or q, and Enter: ")
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return "n"
    given = line.strip().casefold()
    if not line or given in ("q", "quit"):
        return "q"
    return "y" if given in ("y", "yes") else "n"
