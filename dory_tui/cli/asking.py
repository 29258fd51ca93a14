"""Plain questions at the terminal: a line that a person types. None of them is a yes to something that runs."""

from __future__ import annotations

import sys
import termios
from collections.abc import Collection
from contextlib import suppress
from typing import Literal

Answer = Literal["y", "n", "q"]


def at_terminal() -> bool:
    """Whether there is a person to ask: a terminal on both sides."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def answer(prompt: str) -> str | None:
    """The next line that a person types, without blanks around it; None at the end of input.

    What was typed ahead, or pasted before the question stood there, is no answer.
    """
    with suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return ""
    return line.strip() if line else None


def ask(question: str) -> Answer:
    """What a person answers. Anything but y and q, and the end of input, is no."""
    given = answer(f"{question} y, n or q, and Enter: ")
    if given is None or given.casefold() in ("q", "quit"):
        return "q"
    return "y" if given.casefold() in ("y", "yes") else "n"


def choose(question: str, letters: Collection[str]) -> str | None:
    """One of some letters or numbers, asked for again until it is one; None at the end of input. Enter chooses none."""
    allowed = tuple(letters)
    while (given := answer(f"{question}: ")) is not None:
        if given.casefold() in allowed:
            return given.casefold()
        sys.stdout.write(f"type one of {', '.join(allowed)}, and Enter; nothing was decided\n")
    return None
