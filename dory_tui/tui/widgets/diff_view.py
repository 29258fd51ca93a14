"""A diff on the screen: unified or side by side, hunk by hunk, every line counted until it was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip

from dory_tui.diff import Diff
from dory_tui.tui.widgets.detail import Pane
from dory_tui.tui.widgets.rows import Row, diff_rows
from dory_tui.tui.widgets.side_by_side import Columns, Pair, pairs, whole
from dory_tui.tui.widgets.wrapping import Layout
from dory_tui.visible import Looking

_TWO_COLUMNS = 140


def side_by_side(width: int, chosen: bool | None) -> bool:
    """Whether a diff on a screen so wide has two columns: from 140 on, unless the person chose."""
    return width >= _TWO_COLUMNS if chosen is None else chosen


@dataclass(frozen=True)
class Shown:
    """What a diff view shows: rows above, then the diff of two texts; with `reveal` their secrets as they stand."""

    head: tuple[Row, ...]
    diff: Diff
    old: str
    new: str
    reveal: bool = False


class DiffView(Pane):
    """Shows rows, or a diff. What was seen in one style counts as seen in the other."""

    class Moved(Message):
        """Another hunk is at the cursor, or there are others."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.side = False
        self.hunk: int | None = None
        """The hunk that `,` and `.` went to last, from 0."""
        self._shown: Shown | None = None
        self._styled = False
        self._pairs: Sequence[Pair] = ()
        self._hunks: list[tuple[int, int]] = []  # of each hunk its first row, and the first that changes something

    @property
    def hunks(self) -> int:
        return len(self._hunks)

    def show(self, rows: Sequence[Row], *, key: str, numbers: bool = True) -> None:
        """Show rows that are no diff."""
        self._shown, self._pairs, self._hunks, self.hunk = None, (), [], None
        super().show(rows, key=key, numbers=numbers)

    def show_diff(self, shown: Shown, *, key: str) -> None:
        """Show a diff. With the same key the place is kept, and what was seen of it."""
        before, style = self._shown, self._styled
        again = key == self._key and before is not None
        seen = self._seen_rows() if again else set()
        self._shown, self._styled = shown, self.side
        with Looking(reveal=shown.reveal):
            rows = self._side_rows(shown) if self.side else self._unified_rows(shown)
        if not again or (self.hunk is not None and self.hunk >= len(self._hunks)):
            self.hunk = None
        if again and (before, style) != (shown, self.side):
            self._key = ""  # other rows stand at the same index now; what was seen of them is told by what they say
        super().show(rows, key=key)
        for index, row in enumerate(self._rows):
            if row in seen:
                self._coverage.add(index, 0, len(row.text))
        self.unseen = self._coverage.unseen
        if self.hunk is not None:
            self._to_hunk(self.hunk)
        self.post_message(self.Moved())

    def set_side(self, side: bool) -> None:
        """Two columns, or one."""
        if side != self.side:
            self.side = side
            if self._shown is not None:
                self.show_diff(self._shown, key=self._key)

    def _seen_rows(self) -> set[Row]:
        return {row for index, row in enumerate(self._rows) if self._coverage.has(index)}

    def _unified_rows(self, shown: Shown) -> list[Row]:
        self._pairs = ()
        rows = [*shown.head, *diff_rows(shown.diff, shown.old, shown.new)]
        self._hunks = []
        at = len(shown.head)
        for hunk in shown.diff.hunks:
            # A hunk's rows have numbers, and those that change something have signs; what stands above has neither.
            first = next(index for index in range(at, len(rows)) if rows[index].gutter)
            changed = next(index for index in range(first, len(rows)) if rows[index].sign != " ")
            self._hunks.append((first, changed))
            at = first + len(hunk.rows)
        return rows

    def _side_rows(self, shown: Shown) -> list[Row]:
        made = pairs(shown.diff, shown.old, shown.new)
        self._pairs = [*whole(shown.head), *made]
        firsts: dict[int, list[int]] = {}
        for at, pair in enumerate(self._pairs):
            if pair.hunk is not None:
                firsts.setdefault(pair.hunk, [2 * at, -1])
                if pair.changed and firsts[pair.hunk][1] < 0:
                    firsts[pair.hunk][1] = 2 * at
        self._hunks = [(first, changed) for first, changed in firsts.values()]
        return [row for pair in self._pairs for row in pair.rows]

    # Hunk to hunk

    def action_hunk(self, step: int) -> None:
        if not self._hunks:
            return
        if self.hunk is None:
            at = 0 if step > 0 else len(self._hunks) - 1
        else:
            at = max(0, min(len(self._hunks) - 1, self.hunk + step))
        self._to_hunk(at)
        self.post_message(self.Moved())

    def _to_hunk(self, at: int) -> None:
        """Point a hunk out, and bring its first change on the screen with what stands before it where there is room."""
        self.hunk = at
        first, changed = self._hunks[at]
        self.cursor = changed
        top, line, height = self._layout.line_of(first), self._layout.line_of(changed), self.size.height
        here = self.scroll_offset.y
        if not here <= line < here + max(1, height - 1):
            self.scroll_to_row(first if line - top < max(1, height - 1) else changed)

    # Two columns

    def _laid_out(self, width: int) -> Layout:
        if not self._pairs:
            return super()._laid_out(width)
        column = self._column(width)
        room = max(1, column - self._gutter_width(column))
        return Columns(self._pairs, room, width - self._gutter_width(width), width)

    @staticmethod
    def _column(width: int) -> int:
        return max(1, (width - 3) // 2)

    def render_line(self, y: int) -> Strip:
        layout = self._layout
        found = layout.beside(self.scroll_offset.y + y) if isinstance(layout, Columns) else None
        if found is None or found[0].full:
            if found is not None and found[1][0] is not None:
                self._painted(found[1][0][0] + 1, 0, 0)  # the side that has nothing was seen as well
            return super().render_line(y)
        width = self.scrollable_content_region.width
        column = self._column(width)
        pair, (left, right) = found
        bar = Strip([Segment(" │ ", self._style("gutter"))], 3)
        halves = [self._half(pair.left, left, column), bar, self._half(pair.right, right, column)]
        return Strip.join(halves).adjust_cell_length(width, self._style())

    def _half(self, row: Row, piece: tuple[int, int, int] | None, column: int) -> Strip:
        """One side's part of a line, as wide as its column."""
        if piece is None:
            return Strip.blank(column, self._style())
        index, start, end = piece
        self._painted(index, start, end)
        lit = self.cursor is not None and index // 2 == self.cursor // 2
        names = tuple(name for name in (row.style, "cursor" if lit else "") if name)
        segments = [Segment(self._texts[index][a:b], style) for a, b, style in self._runs(index, start, end, names)]
        text = Strip(segments).apply_offsets(start, index) if segments else Strip([])
        gutter = self._gutter_width(column)
        if gutter and row.gutter:
            number = row.gutter if start == 0 and gutter > 2 else ""
            sign = f" {row.sign} "
            style = self._style("gutter", *([row.style] if row.sign != " " else []), *(["cursor"] if lit else []))
            label = f"{number:>{max(0, gutter - len(sign))}}{sign}"[-gutter:]
            text = Strip.join([Strip([Segment(label, style)], gutter), text])
        return text.adjust_cell_length(column, self._style("cursor") if lit else self._style())
