"""Word wrap by terminal cells, measured only as far as someone looked. Pure.

Widths are those Textual lays out with (rich's), so that a strip and its borders agree; where a character may not
be cut is what `dory_tui.emoji_sequences` says.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, chain

from rich.cells import cell_len

from dory_tui.emoji_sequences import characters

# One code point, one cell, and no part of a longer character: letters, punctuation, boxes. Only a short cut.
_NARROW = " -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u2010-\u2027\u2500-\u25aa\u27e6-\u27e7"
# One code point, two cells, and no part of a longer character: kana, Han, Hangul and their punctuation.
_WIDE = "\u3001-\u3020\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
_HALF = "\0"  # the second cell of a wide character
_WHOLE = (0,)  # where the lines of a row that fits start
# What may not begin a line although a wide character stands before it.
_NO_START = frozenset(",.;:!?)]}%”’…、。，．！？：；）」』】》〉〕")


@cache
def _narrow() -> re.Pattern[str]:
    return re.compile(f"[{_NARROW}]*")


@cache
def _special() -> re.Pattern[str]:
    """A run that must be looked at, with the character before it: a mark or a form may belong to that one."""
    return re.compile(f".?[^{_NARROW}]+", re.DOTALL)


@cache
def _plain_wide() -> re.Pattern[str]:
    return re.compile(f"[{_NARROW}]?[{_WIDE}]+")


def _cells(text: str) -> tuple[str, list[int]]:
    """One character for each terminal cell, and the offset in the text that each cell shows."""
    parts: list[str] = []
    offsets: list[int] = []
    done = 0
    for match in _special().finditer(text):
        at = match.start()
        parts.append(text[done:at])
        offsets.extend(range(done, at))
        done = match.end()
        if _plain_wide().fullmatch(match[0]):
            if _narrow().fullmatch(match[0][0]):
                parts.append(match[0][0])
                offsets.append(at)
                at += 1
            parts.append(_HALF.join(text[at:done]) + _HALF)
            offsets.extend(chain.from_iterable(zip(range(at, done), range(at, done), strict=True)))
            continue
        for character, _ in characters(match[0]):
            width = cell_len(character)
            if width:
                # A space that carries a mark is no place to break.
                parts.append((character if len(character) == 1 else "x") + _HALF * (width - 1))
                offsets.extend([at] * width)
            at += len(character)
    parts.append(text[done:])
    offsets.extend(range(done, len(text)))
    return "".join(parts), offsets


def line_starts(text: str, width: int) -> Sequence[int]:
    """Offsets at which the lines of a text wrapped at `width` cells start. One space at a break takes no room."""
    width = max(1, width)
    if 2 * len(text) <= width:
        return _WHOLE
    if text.isascii() or _narrow().fullmatch(text):
        return _WHOLE if len(text) <= width else _break_narrow(text, width)
    cells, offsets = _cells(text)
    if len(cells) <= width:
        return _WHOLE
    starts = _break_wide(cells, width) if _HALF in cells else _break_narrow(cells, width)
    return [0, *(offsets[start] for start in starts[1:])]


def _break_narrow(cells: str, width: int) -> list[int]:
    """Break after the last space that fits. A word too long for a line of its own is cut where the line ends."""
    starts, at, size = [0], 0, len(cells)
    while size - at > width:
        space = cells.rfind(" ", at, at + width + 1)
        following = space + 1
        too_long = size - following > width and cells.find(" ", following, following + width + 1) < 0
        at = at + width if space < 0 or (too_long and space != at + width) else following
        if at < size:
            starts.append(at)
    return starts


def _break_wide(cells: str, width: int) -> list[int]:
    """As `_break_narrow`, and also on either side of a wide character."""
    starts, at, size = [0], 0, len(cells)
    while size - at > width:
        at = _wide_break(cells, at, at + width)
        if at < size:
            starts.append(at)
    return starts


def _wide_break(cells: str, at: int, limit: int) -> int:
    if cells[limit] == " ":
        return limit + 1
    for end in range(limit, at, -1):
        if cells[end] == _HALF or cells[end] in _NO_START:
            continue
        if cells[end - 1] in (" ", _HALF) or cells[end + 1 : end + 2] == _HALF:
            return end
    end = limit
    while end > at and cells[end] == _HALF:
        end -= 1
    if end > at:
        return end
    end = limit  # a character wider than the line: it stands alone
    while end < len(cells) and cells[end] == _HALF:
        end += 1
    return end


def whole_characters(text: str, edges: Sequence[int]) -> Sequence[int]:
    """Ascending offsets, moved on so that none between the first and last cuts an accent or an emoji."""
    part = text[edges[0] : edges[-1]]
    if len(edges) == 2 or part.isascii():
        return edges
    starts = list(accumulate((len(character) for character, _ in characters(part)), initial=edges[0]))
    return sorted({starts[bisect_left(starts, edge)] for edge in edges})


class Layout:
    """Rows of text wrapped at a width. Lines are counted from 0, and known from the top as far as was measured.

    Rows in `full` have `full_width` cells, all others `width`.
    """

    def __init__(self, texts: Sequence[str], width: int, full: frozenset[int], full_width: int) -> None:
        self._texts = texts
        self._width, self._full, self._full_width = width, full, full_width
        self._starts: list[Sequence[int]] = []
        self._tops: list[int] = [0]  # first line of each measured row, then the line after the last

    @property
    def complete(self) -> bool:
        return len(self._starts) == len(self._texts)

    @property
    def measured(self) -> int:
        """How many lines the measured rows have."""
        return self._tops[-1]

    @property
    def height(self) -> int:
        """Lines of all rows; what is not measured yet is guessed."""
        rest = self._texts[len(self._starts) :] if not self.complete else ()
        width = max(1, self._width)
        return self._tops[-1] + sum(1 + len(text) // width for text in rest)

    def advance(self, characters: int) -> None:
        """Measure some more rows, of about so many characters together."""
        while characters > 0 and not self.complete:
            row = len(self._starts)
            starts = line_starts(self._texts[row], self._full_width if row in self._full else self._width)
            self._starts.append(starts)
            self._tops.append(self._tops[-1] + len(starts))
            characters -= len(self._texts[row]) + 1

    def reach(self, line: int) -> None:
        """Measure until the line is known, or all is."""
        while self._tops[-1] <= line and not self.complete:
            self.advance(1)

    def finish(self) -> None:
        while not self.complete:
            self.advance(1 << 30)

    def locate(self, line: int) -> tuple[int, int, int] | None:
        """(row, start, end) of the text on a line; None below the last."""
        self.reach(line)
        if not 0 <= line < self._tops[-1]:
            return None
        row = bisect_right(self._tops, line) - 1
        starts, part = self._starts[row], line - self._tops[row]
        end = starts[part + 1] if part + 1 < len(starts) else len(self._texts[row])
        return row, starts[part], end

    def line_of(self, row: int, offset: int = 0) -> int:
        """The line on which an offset of a row stands; the last one when there is no such row."""
        while len(self._starts) <= row and not self.complete:
            self.advance(1)
        if row >= len(self._starts):
            return max(0, self._tops[-1] - 1)
        return self._tops[row] + max(0, bisect_right(self._starts[row], offset) - 1)


class Coverage:
    """Which rows were wholly on screen. A long row may be shown in pieces, at several widths."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._seen = bytearray(len(lengths))
        self._pieces: dict[int, list[tuple[int, int]]] = {}
        self.unseen = len(lengths)

    def add(self, row: int, start: int, end: int) -> bool:
        """Note that a piece of a row was shown. True when `unseen` changed."""
        if self._seen[row]:
            return False
        if start > 0 or end < self._lengths[row]:
            merged: list[tuple[int, int]] = []
            for low, high in sorted([*self._pieces.get(row, ()), (start, end)]):
                if merged and low <= merged[-1][1]:
                    merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
                else:
                    merged.append((low, high))
            if merged != [(0, self._lengths[row])]:
                self._pieces[row] = merged
                return False
            self._pieces.pop(row, None)
        self._seen[row] = 1
        self.unseen -= 1
        return True

    def has(self, row: int) -> bool:
        """Whether a row was wholly on screen."""
        return bool(self._seen[row])

    def keep(self, other: Coverage, rows: Sequence[int]) -> None:
        """Take over what another coverage knows about rows that are the same in both."""
        for row in rows:
            if other._seen[row]:
                self.add(row, 0, self._lengths[row])
            for start, end in other._pieces.get(row, ()):
                self.add(row, start, end)
