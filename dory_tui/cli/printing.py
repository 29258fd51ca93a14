"""Printing: nothing that comes out of a file reaches the terminal as a control sequence."""

from __future__ import annotations

import sys

from dory_tui.visible import visible, visible_line

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any


def say(text: str = "") -> None:
    """Print one or more lines; nothing in them reaches the terminal as a control sequence."""
    sys.stdout.write(visible(text).text + "\n")


def say_error(text: str) -> None:
    sys.stderr.write(visible_line(text) + "\n")


def say_json(value: Any) -> None:
    """JSON in ASCII, so that nothing in it can act on a terminal."""
    import json

    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=True, default=str) + "\n")
