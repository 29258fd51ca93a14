"""Which words an expansion of a script may give where its value is not known. Pure.

Those are the words of its assignments and loops, and what is printed inside of a substitution or into a `read`. What a
script only prints is nobody's value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dory_tui.agent.hooks.shell import Command
from dory_tui.agent.hooks.tables import words as table
from dory_tui.agent.hooks.unwrap import RESERVED, bare

_TOKEN = re.compile(r"[^\s'\"\\;&|<>()$`{},=]+")
_LISTS = table("for select set")
_SPEAKERS = table("echo printf print which type command basename")
_KEEPERS = table("read mapfile readarray")


def tokens(text: str) -> set[str]:
    """The words of a text, in small letters, whatever a shell would make of it."""
    return {token.casefold() for token in _TOKEN.findall(text)}


def loose(commands: Sequence[Command]) -> set[str]:
    """The words that variables and substitutions of these commands may give."""
    keeps = any(word.text in _KEEPERS for command in commands for word in command.words)
    found: set[str] = set()
    for command in commands:
        found |= _given(command, keeps)
    return found


def _given(command: Command, keeps: bool) -> set[str]:
    words = bare(command.words) or [word for word in command.words if word.text not in RESERVED]
    texts: Iterable[str] = [word.text for word in command.words]
    name = words[0].text.rpartition("/")[2] if words else ""
    speaks = name in _SPEAKERS and (keeps or command.level > 1 or "-v" in texts)
    if not (speaks or name in _LISTS):
        texts = [text for text in texts if "=" in text]
    return set().union(*(tokens(text) for text in (*texts, *(command.fed if keeps else ()))))
