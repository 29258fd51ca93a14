"""Tables of names, as one writes them down."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set to look names up in."""
    return frozenset(text.split())


def lines(text: str) -> tuple[str, ...]:
    """One entry a line; what follows `#` says what for."""
    return tuple(line for raw in text.splitlines() if (line := raw.partition("#")[0].strip()))
