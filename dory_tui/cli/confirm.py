"""Outside the screen a yes needs a terminal, the whole item shown, and a short code typed back (gate.md)."""

from __future__ import annotations

import secrets

from dory_tui.cli.asking import answer, at_terminal
from dory_tui.cli.common import UsageError
from dory_tui.cli.printing import say
from dory_tui.gate.rules import Exit

LETTERS = "abcdefghkmnpqrstuvwxyz"


class NoTerminalError(UsageError):
    """A yes without a terminal is no yes."""

    code = Exit.REFUSED


def confirm(what: str) -> bool:
    """Ask for a code that stands on the screen. NoTerminalError when there is no terminal on both sides."""
    if not at_terminal():
        raise NoTerminalError("this needs a terminal and a person at it: nothing was decided")
    code = "".join(secrets.choice(LETTERS) for _ in range(4))
    say("")
    given = answer(f"To {what}, type {code} and Enter (anything else decides nothing): ")
    if given is not None and given.casefold() == code:
        return True
    say("nothing was decided")
    return False
