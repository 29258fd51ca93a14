"""A diff in two columns: which lines stand beside each other, and how they wrap. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from dory_tui.diff import Diff
from dory_tui.diff import Row as DiffRow
from dory_tui.tui.widgets.rows import Row, Span, diff_row, message_rows, section_titles, separator
from dory_tui.tui.widgets.wrapping import Layout, line_starts
from dory_tui.visible import Looking, visible

EMPTY = Row("", ())


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines beside each other. `full` has one row over both columns, in `left`; `changed` names a line of a
    change, `hunk` the hunk that it stands in, from 0."""

    left: Row
    right: Row
    full: bool = False
    changed: bool = False
    hunk: int | None = None

    @property
    def rows(self) -> tuple[Row, Row]:
        return self.left, self.right


def whole(rows: Sequence[Row]) -> list[Pair]:
    """Rows that take both columns."""
    return [Pair(row, EMPTY, full=True) for row in rows]


def pairs(diff: Diff, old: str, new: str) -> list[Pair]:
    """A diff of two texts in two columns, each line with its own number, and all else as in the unified one."""
    title_of = section_titles(old, new)
    made: list[Pair] = []
    with Looking(of=(old, new)):
        for number, hunk in enumerate(diff.hunks):
            if hunk.before:
                made += whole(separator(hunk.before, first=not made))
            elif made:
                made += whole([EMPTY])
            title = visible(title_of(hunk), newlines=False).text
            if title:
                made += whole([Row("", (Span(title),), "section")])
            made += [replace(pair, hunk=number) for pair in _beside(hunk.rows)]
    if diff.after:
        made += whole(separator(diff.after, first=not made))
    return made if diff.hunks else whole(message_rows("Nothing would change."))


def _beside(rows: Sequence[DiffRow]) -> Iterator[Pair]:
    for same, block in groupby(rows, lambda row: row.kind == "same"):
        lines = list(block)
        if same:
            yield from (Pair(diff_row(replace(row, new=None)), diff_row(row)) for row in lines)
            continue
        old, new = ([diff_row(row) for row in lines if row.kind == kind] for kind in ("removed", "added"))
        yield from (Pair(a, b, changed=True) for a, b in zip_longest(old, new, fillvalue=EMPTY))


class Columns(Layout):
    """The layout of pairs. Rows are counted as they are listed: 2n is the left one of pair n, 2n + 1 the right one.

    A pair has as many lines as its longer side. `full_width` is for sections, `wide` for other rows over both columns.
    """

    def __init__(self, made: Sequence[Pair], column: int, wide: int, full_width: int) -> None:
        texts = [row.text for pair in made for row in pair.rows]
        super().__init__(texts, column, frozenset(), full_width)
        self._pairs = made
        for at, pair in enumerate(made):
            width = column if not pair.full else full_width if pair.left.style == "section" else wide
            both = [line_starts(texts[2 * at], width), line_starts(texts[2 * at + 1], width)]
            self._starts += both
            self._tops.append(self._tops[-1] + max(map(len, both)))

    @property
    def complete(self) -> bool:
        return True

    @property
    def height(self) -> int:
        return self._tops[-1]

    def advance(self, characters: int) -> None:
        """Everything is measured."""

    def beside(self, line: int) -> tuple[Pair, tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]] | None:
        """The pair on a line, and (row, start, end) of what each side has there; None below the last."""
        if not 0 <= line < self._tops[-1]:
            return None
        at = bisect_right(self._tops, line) - 1
        part = line - self._tops[at]
        return self._pairs[at], (self._piece(2 * at, part), self._piece(2 * at + 1, part))

    def _piece(self, row: int, part: int) -> tuple[int, int, int] | None:
        starts = self._starts[row]
        if part >= len(starts):
            return None
        return row, starts[part], starts[part + 1] if part + 1 < len(starts) else len(self._texts[row])

    def locate(self, line: int) -> tuple[int, int, int] | None:
        found = self.beside(line)
        return None if found is None else found[1][0] or found[1][1]

    def line_of(self, row: int, offset: int = 0) -> int:
        at = row // 2
        if at >= len(self._pairs):
            return max(0, self._tops[-1] - 1)
        return self._tops[at] + max(0, bisect_right(self._starts[row], offset) - 1)
