"""Printing: nothing that comes out of a file reaches the terminal as a control sequence, and no secret is printed.

Inside of a `Looking(reveal=True)` secrets are printed as they stand.
"""

from __future__ import annotations

import sys

from dory_tui.secrets import ADVICE, counted, told
from dory_tui.visible import Looking, masked, visible, visible_line

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any


def say(text: str = "") -> None:
    """Print one or more lines; nothing in them reaches the terminal as a control sequence."""
    sys.stdout.write(visible(text).text + "\n")


def say_error(text: str) -> None:
    sys.stderr.write(visible_line(text) + "\n")


def say_masked(look: Looking, how: str = "--reveal") -> None:
    """What of what was printed is masked, and `how` to see it."""
    if look.masked:
        is_masked = f"{counted(look.masked)} {'is' if look.masked == 1 else 'are'} masked as …(n characters)"
        say(f"\n{is_masked}: {how} shows {'it' if look.masked == 1 else 'them'}; {ADVICE}")


def advise(words: str | bytes) -> None:
    """Say what is to be done about secrets in words that were written down."""
    text = words.decode("utf-8", "surrogateescape") if isinstance(words, bytes) else words
    if sentence := told(text):
        say_error(sentence)


def say_json(value: Any) -> None:
    """JSON in ASCII, so that nothing in it can act on a terminal."""
    import json

    sys.stdout.write(json.dumps(_masked(value), indent=2, ensure_ascii=True, default=str) + "\n")


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, list | tuple) else value
