"""Moving among the candidates of the Memory screen, and in the diff. None of it decides."""

from __future__ import annotations

from textual import on
from textual.widgets import OptionList

from dory_tui.tui.screens.remembering import Remembering
from dory_tui.tui.widgets.candidates import CandidateList
from dory_tui.tui.widgets.diff_view import side_by_side
from dory_tui.tui.widgets.filtering import FilterLine
from dory_tui.tui.widgets.memory_detail import MemoryDetail
from dory_tui.tui.widgets.memory_view import CONTEXTS, USUAL
from dory_tui.tui.widgets.near import NearPane


class Browsing(Remembering):
    """Has the parts of the screen and moves in them. The subclass fills them."""

    _style: bool | None = None
    """Two columns or one, as the person chose; None as the width has it."""
    _around = USUAL
    """Which of `CONTEXTS` is shown around a change."""

    def _fill(self) -> None:
        """Fill the list with what the filter lets through."""
        raise NotImplementedError

    @property
    def detail(self) -> MemoryDetail:
        return self.query_one("#detail", MemoryDetail)

    @property
    def options(self) -> CandidateList:
        return self.query_one("#memory-list", CandidateList)

    @property
    def near(self) -> NearPane:
        return self.query_one("#memory-near", NearPane)

    @property
    def filter(self) -> FilterLine:
        return self.query_one(FilterLine)

    # Moving

    @on(OptionList.OptionHighlighted, "#memory-list")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option is self.options.highlighted_option:
            self.show_selected()

    @on(OptionList.OptionSelected, "#memory-list")
    def _clicked(self) -> None:
        self.options.focus()

    def on_candidate_list_marked(self, event: CandidateList.Marked) -> None:
        self.options.highlighted = event.at
        if self.check_action("mark", ()):
            self.action_mark()

    def action_walk(self, step: int) -> None:
        if step > 0:
            self.options.action_cursor_down()
        else:
            self.options.action_cursor_up()

    def action_pane(self, step: int) -> None:
        panes = [self.options, self.near, self.detail.text]
        panes = [pane for pane in panes if pane.display]
        at = next((n for n, pane in enumerate(panes) if pane is self.focused), 0)
        pane = panes[(at + step) % len(panes)]
        self.set_class(pane is self.detail.text, "-reading")
        pane.focus()

    def action_open(self) -> None:
        self.add_class("-reading")
        self.detail.text.focus()
        self.call_after_refresh(self.note_shown)

    def action_back(self) -> None:
        """Out of the text, then out of the filter, then out of all together."""
        if self.options.has_focus and not self.has_class("-reading"):
            if self.filter.words:
                self.filter.clear()
            elif self.together:
                self.action_together()
        self.remove_class("-reading")
        self.options.focus()

    def action_read(self, step: int) -> None:
        self.add_class("-reading")
        self.detail.read(step)
        self.call_after_refresh(self.note_shown)

    def action_filter(self) -> None:
        self.remove_class("-reading")
        self.filter.open()

    def on_filter_line_changed(self) -> None:
        self._fill()
        self.show_selected()

    def on_filter_line_left(self) -> None:
        self.options.focus()

    # The diff

    def action_hunk(self, step: int) -> None:
        self.detail.diff.action_hunk(step)
        self.call_after_refresh(self.note_shown)

    def action_style(self, asked: bool = False) -> None:  # noqa: ARG002
        self._style = not self.detail.diff.side
        self._fit_style()

    def _fit_style(self) -> None:
        self.detail.diff.set_side(side_by_side(self.size.width, self._style))

    def action_context(self, step: int) -> None:
        at = max(0, min(len(CONTEXTS) - 1, self._around + step))
        if at != self._around:
            self._around = at
            self.show_selected(again=True)
