"""The right side of the Memory screen: the diff of MEMORY.md, and below it how full the file is."""

from __future__ import annotations

from dataclasses import replace

from textual.app import ComposeResult
from textual.content import Content

from dory_tui.tui.widgets.candidates import clickable
from dory_tui.tui.widgets.cap_meter import CapMeter
from dory_tui.tui.widgets.detail import Detail
from dory_tui.tui.widgets.diff_view import DiffView, Shown
from dory_tui.tui.widgets.memory_view import MemoryView
from dory_tui.tui.widgets.pages import Page
from dory_tui.tui.widgets.score_editor import ScoreEditor

_ROOM_FOR_SIGNS = 66
# What the keys do, for the mouse.
_BACK, _ON = clickable("‹", "screen.hunk(-1)"), clickable("›", "screen.hunk(1)")
_LESS_MORE = Content.assemble(clickable("less", "screen.context(-1)"), " ", clickable("more", "screen.context(1)"))
_ONE_COLUMN, _TWO_COLUMNS = (clickable(words, "screen.style") for words in ("one column", "two columns"))


class MemoryDetail(Detail):
    """A page whose text is a diff. `scores` is made here and stands where the screen puts it."""

    def __init__(self, *, id: str) -> None:
        self.diff = DiffView(id="detail-text")
        super().__init__(id=id, text=self.diff, scores=ScoreEditor(id="detail-scores", metered=False))
        self.meter = CapMeter(id="memory-size")
        self._diff: Shown | None = None

    def compose(self) -> ComposeResult:
        yield self._reading
        yield self.meter

    def show_view(self, view: MemoryView) -> None:
        """Show a candidate, or all that pass."""
        self._diff = view.diff
        self.show(view.page)
        self.scores.border_title = Content.styled("Scores", "$text-muted")
        self.meter.show(view.size)

    def _fill(self, page: Page) -> None:
        if self._diff is None:
            super()._fill(page)
            return
        moved = self._place_facts(page)
        self.diff.show_diff(replace(self._diff, head=tuple(moved)), key=f"{page.key}:{len(moved)}")

    def _edge(self, told: Content) -> Content:
        count, at = self.diff.hunks, self.diff.hunk
        if not count:
            return told
        changes = "1 change" if count == 1 else f"{count} changes"
        where = Content.styled(changes if at is None else f"change {at + 1} of {count}", "$text-muted")
        between = Content.styled(" · ", "$text-muted")
        parts = [Content(" ").join([_BACK, where, _ON]) if count > 1 else where]
        if self._reading.size.width >= _ROOM_FOR_SIGNS:
            parts += [_LESS_MORE, _ONE_COLUMN if self.diff.side else _TWO_COLUMNS]
        return between.join([*parts, told] if told.plain else parts)

    def on_diff_view_moved(self, event: DiffView.Moved) -> None:
        event.stop()
        self.tell()
