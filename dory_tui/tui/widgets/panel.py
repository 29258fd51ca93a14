"""One of the five panels: a list with a border and a title, or a line that opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.widgets.option_list import Option

from dory_tui.tui import keys
from dory_tui.tui.widgets.browser import Columns, Keeping
from dory_tui.tui.widgets.entries import NAMES, STAGING, Entry, PanelView
from dory_tui.tui.widgets.lines import GUTTER, Signed


class PanelList(Keeping, inherit_bindings=False):
    """The entries of a panel. Enter is the screen's, and decides nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.LIST]


class Panel(Vertical):
    """A panel. `-open` is the one whose list is shown where panels are lines; `-current` the one that is read."""

    class Wanted(Message):
        """Somebody clicked on the title."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, number: int) -> None:
        super().__init__(id=f"panel-{number + 1}", classes="panel")
        self.number = number
        self.entries: Sequence[Entry] = ()
        self._list = PanelList(markup=False, classes="panel-list")
        name = self._heading(NAMES[number])
        self.border_title = name
        self._title = Static(name, markup=False, classes="panel-title")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._list

    def _heading(self, name: str) -> Content:
        """`3 STAGING`: there before anything was read, so that the first paint has its shape."""
        return Content.assemble((str(self.number + 1), "bold"), f" {name}")

    @property
    def options(self) -> PanelList:
        return self._list

    @property
    def entry(self) -> Entry | None:
        """The entry that is pointed out."""
        at = self._list.highlighted
        return self.entries[at] if at is not None and at < len(self.entries) else None

    def show(self, view: PanelView, sign: Callable[[Entry], Content]) -> None:
        """Show other entries, each with its sign. The one that was pointed out stays so, at its place on the screen,
        when it is still there; else its neighbour is."""
        before, at, line = self.entry, self._list.highlighted or 0, self._list.place
        self.entries = view.entries
        self._list.set_options([Option(Signed(entry.row, sign(entry))) for entry in view.entries])
        kept = None if before is None else self.index(before.key)
        self._list.highlighted = min(at, len(view.entries) - 1) if kept is None else kept
        if line is not None:
            self._list.put(line)
        name = self._heading(view.name)
        self.border_title = Content.assemble(name, "  ", view.count) if view.count else name
        self.border_subtitle = view.edge
        gist = Content.assemble(name, "  ", view.gist) if view.gist else name
        self._title.update(Columns(gist, view.count))

    def sign(self, key: str, sign: Content) -> None:
        """Give one entry another sign."""
        at = self.index(key)
        if at is not None:
            self._list.replace_option_prompt_at_index(at, Signed(self.entries[at].row, sign))

    def index(self, key: str) -> int | None:
        return next((at for at, entry in enumerate(self.entries) if entry.key == key), None)

    def wants(self, width: int) -> int:
        """How many lines its entries have at a width."""
        found = 0
        for entry in self.entries:
            found += entry.row.get_height({}, max(1, width - GUTTER))
        return found

    def on_click(self, event: events.Click) -> None:
        if event.widget is not self._list:
            event.stop()
            self.post_message(self.Wanted(self.number))


def allot(room: int, wants: Sequence[int], first: int) -> list[int]:
    """Lines for each of the lists out of `room`: some for all, then as many as they want, panel `first` before others.

    What is left goes to the last. With too little room every list gets at least one line.
    """
    lines = [min(want, 3) for want in wants]
    while sum(lines) > max(room, len(lines)):
        lines[max(range(len(lines)), key=lambda at: (lines[at], at))] -= 1
    lines = [max(1, count) for count in lines]
    for at in (first, *(other for other in range(len(lines)) if other != first)):
        lines[at] += max(0, min(wants[at] - lines[at], room - sum(lines)))
    lines[-1] += max(0, room - sum(lines))
    return lines


def panel_width(width: int) -> int:
    """Cells for a line of a panel on a screen so wide (the widths are review.tcss's), its frame and scroll bar off."""
    outer = width if width < 80 else 30 if width < 100 else 46 if width < 140 else 54
    return outer - 4


def arrange(panels: Sequence[Panel], width: int, room: int, only: int | None) -> None:
    """Give the panels their heights out of `room`: boxes, or titles of which panel `only` is open."""
    wants = [panel.wants(width) for panel in panels]
    if only is None:
        for panel, lines in zip(panels, allot(room - 2 * len(panels), wants, STAGING), strict=True):
            panel.styles.height = lines + 2
        return
    for panel, want in zip(panels, wants, strict=True):
        panel.set_class(panel.number == only, "-open")
        panel.styles.height = 1 + min(want, max(1, room - len(panels))) if panel.number == only else 1
