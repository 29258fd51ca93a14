"""Lists: the keys that move in one, and a line of two columns."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList


class Keeping(OptionList, inherit_bindings=False):
    """A list that can be filled anew without what is pointed out moving on the screen."""

    @property
    def place(self) -> int | None:
        """On which of its lines on the screen the entry stands that is pointed out."""
        line = None if self.highlighted is None else self._index_to_line.get(self.highlighted)
        return None if line is None else line - self.scroll_offset.y

    def put(self, line: int) -> None:
        """Scroll so that what is pointed out stands on that line of the screen, or as near as can be."""
        now = self.place
        if now is not None and now != line:
            self.scroll_to(y=self.scroll_offset.y + now - line, animate=False, force=True, immediate=True)


class Browser(Keeping, inherit_bindings=False):
    """A list with the keys that move everywhere, which leaves left and right to its screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "up", tooltip="The line above.", show=False, id="list.up"),
        Binding("down,j", "cursor_down", "down", tooltip="The line below.", show=False, id="list.down"),
        Binding("pageup", "page_up", "page up", tooltip="A page up.", show=False, id="list.page-up"),
        Binding("pagedown,space", "page_down", "page down", tooltip="A page down.", show=False, id="list.page-down"),
        Binding("home,g", "first", "first", tooltip="The first line.", show=False, id="list.first"),
        Binding("end,G", "last", "last", tooltip="The last line.", show=False, id="list.last"),
        Binding("enter", "select", "open", tooltip="Into what the line stands for.", show=False, id="list.open"),
    ]

    # A page that would end on a heading at either end of the list would lose the highlight.

    def action_page_up(self) -> None:
        super().action_page_up()  # type: ignore[no-untyped-call]
        if self.highlighted is None:
            self.action_first()

    def action_page_down(self) -> None:
        super().action_page_down()  # type: ignore[no-untyped-call]
        if self.highlighted is None:
            self.action_last()


class Columns(Visual):
    """One line: text at the left that gives way, text at the right that does not.

    Its height is known without wrapping, so that a list of thousands is mounted at once.
    """

    def __init__(self, left: Content, right: Content) -> None:
        self._left, self._right = left, right

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        room = max(0, width - self._right.cell_length - 1)
        line = Content.assemble(self._left.truncate(room, ellipsis=True, pad=True), " ", self._right)
        return line.truncate(width).render_strips(width, height, style, options)[:1]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return self._left.cell_length + 1 + self._right.cell_length

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return 1
