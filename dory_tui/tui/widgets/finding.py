"""Where a text occurs in rows of text, and which of the places is pointed out. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence


class Matches:
    """Letters match in both cases unless the query has a capital. An empty query has no matches."""

    def __init__(self, texts: Sequence[str] = (), query: str = "") -> None:
        self.query = query
        self.current: int | None = None
        self._found: list[tuple[int, int, int]] = []
        if query:
            case = re.NOFLAG if any(char.isupper() for char in query) else re.IGNORECASE
            find = re.compile(re.escape(query), case).finditer
            self._found = [(row, *match.span()) for row, text in enumerate(texts) for match in find(text)]

    def __len__(self) -> int:
        return len(self._found)

    def place(self) -> tuple[int, int] | None:
        """Row and offset of the match that is pointed out."""
        return None if self.current is None else self._found[self.current][:2]

    def start_at(self, row: int) -> None:
        """Point out the first match at or below a row; from the top again when there is none below."""
        if self._found:
            self.current = bisect_left(self._found, (row, 0, 0)) % len(self._found)

    def step(self, by: int) -> None:
        """Point out the next match (1) or the one before (-1), round and round."""
        if self._found:
            at = self.current if self.current is not None else -1 if by > 0 else 0
            self.current = (at + by) % len(self._found)

    def in_row(self, row: int, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """(start, end, style) of the matches that touch a piece of a row."""
        at = bisect_left(self._found, (row, 0, 0))
        while at < len(self._found) and self._found[at][0] == row and self._found[at][1] < end:
            _, low, high = self._found[at]
            if high > start:
                yield low, high, "match-current" if at == self.current else "match"
            at += 1
