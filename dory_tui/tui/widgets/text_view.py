"""Text as it stands in a file: numbered, wrapped at words, every line reachable, and what was seen of it counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from dory_tui.tui.widgets.finding import Matches
from dory_tui.tui.widgets.rows import Row, Span, diff_rows, markdown_rows, source_rows
from dory_tui.tui.widgets.wrapping import Coverage, Layout, whole_characters

__all__ = ["Row", "Span", "TextView", "diff_rows", "markdown_rows", "source_rows"]

# A long text is measured in steps of so many characters (1 ms of plain text, 10 ms of the slowest), so many seconds
# apart, so that painting and keys come first.
_STEP, _REST = 10_000, 0.01
_STYLES = (
    "gutter mark flag dim heading section added removed added-word removed-word note quote code cursor match "
    "match-current marked plain"
)


class TextView(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of text with a gutter. `unseen` counts those that were never wholly on screen since `key` was shown."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"text-view--{name}" for name in _STYLES.split()}
    DEFAULT_CSS = """
    TextView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & > .text-view--gutter, & > .text-view--dim, & > .text-view--quote { color: $text-muted; }
        & > .text-view--note { color: $warning; }
        & > .text-view--mark { background: $warning; color: $background; text-style: bold; }
        & > .text-view--flag { color: $warning; text-style: bold underline; }
        & > .text-view--heading { text-style: bold; }
        & > .text-view--section { color: $secondary; text-style: bold; }
        & > .text-view--added { color: $success; }
        & > .text-view--removed { color: $error; }
        & > .text-view--added-word { background: $success-muted; color: $foreground; }
        & > .text-view--removed-word { background: $error-muted; color: $foreground; }
        & > .text-view--cursor { background: $panel; }
        & > .text-view--marked { color: $accent; }
        & > .text-view--match { background: $warning-muted; text-style: underline; }
        & > .text-view--match-current { background: $warning; color: $background; text-style: bold underline; }
        &:ansi > .text-view--mark, &:ansi > .text-view--match-current { color: ansi_black; text-style: none; }
        &:ansi > .text-view--match { background: transparent; text-style: bold underline; }
        &:ansi > .text-view--added-word { background: transparent; color: $success; text-style: bold underline; }
        &:ansi > .text-view--removed-word { background: transparent; color: $error; text-style: bold underline; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "text_move(-1)", "line up", tooltip="The line above.", show=False, id="text.up"),
        Binding("down,j", "text_move(1)", "line down", tooltip="The line below.", show=False, id="text.down"),
        Binding("pageup", "text_page(-1)", "page up", tooltip="The page before.", show=False, id="text.page-up"),
        Binding(
            "pagedown,space",
            "text_page(1)",
            "page down",
            tooltip="Read on: the next page.",
            show=False,
            id="text.page-down",
        ),
        Binding("home,g", "text_home", "to the top", tooltip="To the first line.", show=False, id="text.home"),
        Binding("end,G", "text_end", "to the end", tooltip="To the last line.", show=False, id="text.end"),
    ]

    unseen: reactive[int] = reactive(0, repaint=False)
    """Rows that were never wholly on screen since the key was shown."""
    cursor: reactive[int | None] = reactive(None)
    """A row to point out, by index."""
    marked: reactive[frozenset[int]] = reactive(frozenset[int]())
    """Rows with a mark in the gutter, by index."""

    class Seen(Message):
        """`unseen` changed. `key` is what was shown when it did."""

        def __init__(self, view: TextView, key: str, unseen: int) -> None:
            super().__init__()
            self.view, self.key, self.unseen = view, key, unseen

        @property
        def control(self) -> TextView:
            return self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] = ()
        self._texts: list[str] = []
        self._key = ""
        self._digits, self._signed = 0, False
        self._layout = Layout((), 1, frozenset(), 1)
        self._wrapped_at = 0
        self._coverage = Coverage(())
        self._publishing = self._behind = False
        self._matches = Matches()

    def show(self, rows: Sequence[Row], *, key: str, numbers: bool = True) -> None:
        """Show other rows. A new key starts at the top with nothing seen; with the same key the place is kept, and
        rows that are the same at the same index stay seen."""
        anchor = self._anchor() if key == self._key else None
        before, rows = self._rows, [row.clean() for row in rows]
        texts = [row.text for row in rows]
        coverage = Coverage([len(text) for text in texts])
        matches = Matches()
        if key == self._key:
            same = [index for index, (old, new) in enumerate(zip(before, rows, strict=False)) if old == new]
            coverage.keep(self._coverage, same)
            matches = Matches(texts, self._matches.query)
            self.marked = self.marked.intersection(same)
        else:
            self.cursor, self.marked = None, frozenset()
        self._rows, self._texts, self._key = rows, texts, key
        self._coverage, self._matches = coverage, matches
        self._digits = max((len(row.gutter) for row in rows), default=0) if numbers else 0
        self._signed = any(row.sign != " " for row in rows)
        if self.is_mounted and self in self.screen.selections:
            self.screen.clear_selection()
        self.unseen = coverage.unseen
        self._wrap(anchor)

    # Layout

    def _gutter_width(self, width: int) -> int:
        """Numbers go when they would leave no room for the text, then signs."""
        digits = self._digits + 2 if self._digits and width >= self._digits + 12 else 0
        return digits + ((1 if digits else 2) if self._signed and width >= 6 else 0)

    def _anchor(self) -> tuple[int, int]:
        found = self._layout.locate(self.scroll_offset.y)
        return (0, 0) if found is None else found[:2]

    def _wrap(self, anchor: tuple[int, int] | None) -> None:
        """Lay the rows out at the present width and put the row and offset of the anchor at the top."""
        width, height = self.scrollable_content_region.size
        self._wrapped_at = width
        if width <= 0:
            self._layout = Layout((), 1, frozenset(), 1)  # until there is room
            return
        self._layout = self._laid_out(width)
        top = self._layout.line_of(*anchor) if anchor else 0
        self._layout.reach(top + height)
        self._resize_to_text(width)
        self.scroll_to(y=top, animate=False, force=True)
        self.refresh()
        if not self._layout.complete:
            self.call_after_refresh(self._measure_on, self._layout)

    def _laid_out(self, width: int) -> Layout:
        full = frozenset(index for index, row in enumerate(self._rows) if row.style == "section")
        return Layout(self._texts, width - self._gutter_width(width), full, width)

    def _measure_on(self, layout: Layout) -> None:
        """Measure the rest piece by piece, so that keys are answered between the pieces."""
        if layout is not self._layout:
            return
        layout.advance(_STEP)
        if layout.complete:
            self._resize_to_text(self._wrapped_at)
        else:
            self.set_timer(_REST, partial(self._measure_on, layout))

    def _resize_to_text(self, width: int) -> None:
        size = Size(width, self._layout.height)
        if size == self.virtual_size:
            return
        if self.styles.auto_dimensions:
            self.virtual_size = size
        else:  # the text has no say in the layout of the screen, which costs more than the text
            self.set_reactive(TextView.virtual_size, size)
        self._scroll_update(size)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        layout = self._laid_out(width - self.scrollbar_size_vertical)  # Textual counts a stable gutter in
        layout.finish()
        return layout.measured

    def on_mount(self) -> None:
        self.app.screen_change_signal.subscribe(self, self._screen_changed)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap(self._anchor())

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    # Painting

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        found = self._layout.locate(self.scroll_offset.y + y)
        if found is None:
            return Strip.blank(width, self._style())
        index, start, end = found
        self._painted(index, start, end)
        row = self._rows[index]
        names: tuple[str, ...] = (row.style,) if row.style else ()
        if index in self.marked:
            names += ("marked",)
        if index == self.cursor:
            names += ("cursor",)
        segments = [Segment(self._texts[index][a:b], style) for a, b, style in self._runs(index, start, end, names)]
        text = Strip(segments).apply_offsets(start, index) if segments else Strip([])
        gutter = 0 if row.style == "section" else self._gutter_width(width)
        if gutter:
            text = Strip.join([self._gutter(row, gutter, index, first=start == 0), text])
        return text.adjust_cell_length(width, self._style("cursor") if index == self.cursor else self._style())

    def _gutter(self, row: Row, width: int, index: int, *, first: bool) -> Strip:
        """The number on a row's first line, its sign on every one."""
        marked = index in self.marked
        sign = f" {row.sign} " if self._signed else "◆ " if marked else "  "
        number = row.gutter if first and width > 2 else ""
        text = f"{number:>{max(0, width - len(sign))}}{sign}"[-width:]
        names = (
            "gutter",
            *([row.style] if row.sign != " " else []),
            *(["marked"] if marked else []),
            *(["cursor"] if index == self.cursor else []),
        )
        return Strip([Segment(text, self._style(*names))], width)

    def _style(self, *names: str) -> Style:
        return self.get_visual_style(*[f"text-view--{name}" for name in names if name]).rich_style

    def _runs(self, index: int, start: int, end: int, names: tuple[str, ...]) -> Iterator[tuple[int, int, Style]]:
        """Pieces of a row's text, each in one style: row, span, match and selection laid over each other."""
        over = [*self._rows[index].styles_in(start, end), *self._matches.in_row(index, start, end)]
        selected = self._selected(index)
        places = {place for low, high, _ in over for place in (low, high)}.union(selected or ())
        edges = sorted({start, end, *(place for place in places if start < place < end)})
        for low, high in pairwise(whole_characters(self._texts[index], edges)):
            style = self._style(*names, *(name for a, b, name in over if a <= low < b))
            if selected and selected[0] <= low < selected[1]:
                style += self.screen.get_component_rich_style("screen--selection")
            yield low, high, style

    def _painted(self, index: int, start: int, end: int) -> None:
        """Count what came on screen. What lies under another screen was painted, but perhaps not seen."""
        if not self.screen.is_active:
            self._behind = True
        elif self._coverage.add(index, start, end) and not self._publishing:
            self._publishing = True
            self.call_later(self._publish)

    def _publish(self) -> None:
        self._publishing = False
        self.unseen = self._coverage.unseen

    def watch_unseen(self, unseen: int) -> None:
        if self.is_mounted:
            self.post_message(self.Seen(self, self._key, unseen))

    def _screen_changed(self, screen: Screen[object]) -> None:
        if self._behind and screen is self.screen:
            self._behind = False
            self.refresh()

    # Selection by mouse

    def _selected(self, index: int) -> tuple[int, int] | None:
        selection = self.text_selection
        span = None if selection is None else selection.get_span(index)
        if span is None:
            return None
        return span[0], len(self._texts[index]) if span[1] == -1 else span[1]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return (selection.extract("\n".join(self._texts)), "\n") if self._texts else None

    # Moving

    @property
    def top_row(self) -> int:
        """Index of the row at the top of the view."""
        return self._anchor()[0]

    def row_at(self, y: int) -> int | None:
        """Index of the row on a line of the view; None below the last."""
        found = self._layout.locate(self.scroll_offset.y + y)
        return None if found is None else found[0]

    def lines_of(self, index: int) -> range:
        """The lines that a row has, counted from the top of the text."""
        return range(self._layout.line_of(index), self._layout.line_of(index, len(self._texts[index])) + 1)

    def scroll_to_row(self, index: int, offset: int = 0) -> None:
        """Put a row at the top; with an offset, the line it stands on."""
        self._to(self._layout.line_of(index, offset))

    def _to(self, line: int) -> None:
        self._layout.reach(line + self.size.height)
        self._resize_to_text(self._wrapped_at)
        self.scroll_to(y=line, animate=False, force=True)

    def action_text_move(self, lines: int) -> None:
        self._to(max(0, self.scroll_offset.y + lines))

    def action_text_page(self, pages: int) -> None:
        # One line of the page before stays, so that the eye finds its place.
        self.action_text_move(pages * max(1, self.size.height - 1))

    def action_text_home(self) -> None:
        self._to(0)

    def action_text_end(self) -> None:
        self._layout.finish()
        self._to(self._layout.measured)

    # Searching

    def find(self, text: str) -> int:
        """Highlight a text and go to its first match from the top of the view on. Returns how many there are.

        Letters match in both cases unless the text has a capital. An empty text ends the search.
        """
        self._matches = Matches(self._texts, text)
        self._matches.start_at(self.top_row)
        self._show_match()
        return len(self._matches)

    @property
    def match(self) -> int | None:
        """Which match is pointed out, from 1; None without one."""
        return None if self._matches.current is None else self._matches.current + 1

    def next_match(self) -> None:
        self._matches.step(1)
        self._show_match()

    def previous_match(self) -> None:
        self._matches.step(-1)
        self._show_match()

    def _show_match(self) -> None:
        place = self._matches.place()
        if place is not None:
            line, height = self._layout.line_of(*place), self.size.height
            if not self.scroll_offset.y <= line < self.scroll_offset.y + height:
                self._to(max(0, line - height // 3))
        self.refresh()
