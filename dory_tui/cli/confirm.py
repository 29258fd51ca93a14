"""Outside the screen a yes needs a terminal, the whole item shown, and a short code typed back (gate.md)."""

from __future__ import annotations

import secrets
import sys
import termios
from contextlib import suppress

from dory_tui.cli.common import UsageError
from dory_tui.cli.printing import say
from dory_tui.gate.rules import Exit

LETTERS = "abcdefghkmnpqrstuvwxyz"


class NoTerminalError(UsageError):
    """A yes without a terminal is no yes."""

    code = Exit.REFUSED


def at_terminal() -> bool:
    """Whether a person can be asked: a terminal on both sides."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def confirm(what: str) -> bool:
    """Ask for a code that stands on the screen. NoTerminalError when there is no terminal on both sides."""
    if not at_terminal():
        raise NoTerminalError("this needs a terminal and a person at it: nothing was decided")
    code = "".join(secrets.choice(LETTERS) for _ in range(4))
    with suppress(termios.error):  # what was typed ahead is no answer
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    say("")
    sys.stdout.write(f"To {what}, type {code} and Enter (anything else decides nothing): ")
    sys.stdout.flush()
    try:
        given = sys.stdin.readline()
    except UnicodeDecodeError:
        given = ""
    if given.strip().casefold() == code:
        return True
    say("nothing was decided")
    return False
