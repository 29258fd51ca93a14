"""The text of a log, with a cursor on one of its lines, and marks on those that are meant together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from dory_tui.tui.widgets.text_view import Row, TextView


class LogText(TextView, inherit_bindings=False):
    """Rows that the cursor walks. A row taller than the view is read through before the cursor leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "line(-1)", "line up", tooltip="The line above.", show=False, id="log.up"),
        Binding("down,j", "line(1)", "line down", tooltip="The line below.", show=False, id="log.down"),
        Binding("pageup", "page(-1)", "page up", tooltip="The page before.", show=False, id="log.page-up"),
        Binding("pagedown", "page(1)", "page down", tooltip="The next page.", show=False, id="log.page-down"),
        Binding("home,g", "edge(0)", "to the top", tooltip="To the first line.", show=False, id="log.home"),
        Binding("end,G", "edge(-1)", "to the end", tooltip="To the last line.", show=False, id="log.end"),
    ]

    class Cursor(Message):
        """There is a cursor now, or none any more."""

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def show(self, rows: Sequence[Row], *, key: str, numbers: bool = True) -> None:
        super().show(rows, key=key, numbers=numbers)
        if self.cursor is not None and self.cursor >= len(rows):
            self.cursor = len(rows) - 1 if rows else None
        if self.has_focus:
            self._begin()

    def _begin(self) -> None:
        """With the focus there is a cursor."""
        if self.cursor is None and self._rows:
            self.cursor = self.top_row

    def on_focus(self) -> None:
        self._begin()

    def watch_cursor(self, before: int | None, now: int | None) -> None:
        if (before is None) != (now is None):
            self.post_message(self.Cursor())

    @property
    def _view(self) -> range:
        """The lines that are on the screen."""
        top, height = int(self.scroll_offset.y), max(1, self.scrollable_content_region.height)
        return range(top, top + height)

    def action_line(self, step: int) -> None:
        if not self._rows:
            return
        if self.cursor is None or not _meet(self.lines_of(self.cursor), self._view):
            self.cursor = self._nearest()
            return
        here, view = self.lines_of(self.cursor), self._view
        if (step > 0 and here[-1] > view[-1]) or (step < 0 and here[0] < view[0]):
            self.action_text_move(step)
        elif 0 <= self.cursor + step < len(self._rows):
            self.cursor += step
            self._reveal(step)

    def go(self, row: int) -> None:
        """Put the cursor on a row, or on the last there is, and that on the screen."""
        if self._rows:
            self.cursor = min(row, len(self._rows) - 1)
            self._reveal(1)

    def _nearest(self) -> int:
        """The row on the screen that is nearest to the cursor, or the first."""
        first = self.top_row
        last = self.row_at(self._view[-1] - self._view[0])
        last = len(self._rows) - 1 if last is None else last
        return first if self.cursor is None else max(first, min(self.cursor, last))

    def _reveal(self, step: int) -> None:
        """Scroll no more than needed to have the cursor's row on the screen, its near end first."""
        assert self.cursor is not None
        lines, view = self.lines_of(self.cursor), self._view
        if step > 0 and lines[-1] > view[-1]:
            self._to(min(lines[0], lines[-1] - len(view) + 1))
        elif step < 0 and lines[0] < view[0]:
            self._to(max(lines[0], lines[-1] - len(view) + 1))

    def action_page(self, pages: int) -> None:
        self.action_text_page(pages)
        if self._rows and self.has_focus:
            self.cursor = self._nearest()

    def action_edge(self, row: int) -> None:
        if row < 0:
            self.action_text_end()
        else:
            self.action_text_home()
        if self._rows:
            self.cursor = row % len(self._rows)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        row = None if at is None else self.row_at(at.y)
        if row is not None:
            self.cursor = row


def _meet(one: range, other: range) -> bool:
    return one[0] <= other[-1] and other[0] <= one[-1]
