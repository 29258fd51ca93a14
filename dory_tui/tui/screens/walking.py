"""The moves of the review: the queue, the panels and panes, the filter, and the mouse. None of it decides."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, on
from textual.widget import Widget
from textual.widgets import OptionList

from dory_tui.review.items import Subject
from dory_tui.tui.screens.showing import Showing
from dory_tui.tui.widgets.entries import MEMORY, NAMES, STAGING, Entry, Nothing
from dory_tui.tui.widgets.filtering import FilterLine
from dory_tui.tui.widgets.panel import Panel, PanelList


class Walking(Showing):
    """Moves through the panels. The subclass shows where it is."""

    _panel = STAGING
    """The panel that is read."""
    _ended = False
    """Whether the end of the review is shown instead."""
    _panels: tuple[Panel, ...] = ()

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels, from top to bottom: the same ones once the screen is composed, and each key asks many times."""
        if not self._panels:
            self._panels = tuple(self.query(Panel))
        return self._panels

    @property
    def filter(self) -> FilterLine:
        return self.query_one(FilterLine)

    def _fill(self) -> None:
        """Fill the panels with what the filter lets through."""
        raise NotImplementedError

    def _arrange(self) -> None:
        """Give the panels their heights."""
        raise NotImplementedError

    def _show_selected(self) -> None:
        """Show the page of what is selected."""
        raise NotImplementedError

    def _go_to(self, subject: Subject) -> None:
        for panel in self.panels:
            at = next((n for n, entry in enumerate(panel.entries) if entry.subject == subject), None)
            if at is not None:
                panel.options.highlighted = at
                self._enter(panel.number)
                return

    def _enter(self, number: int, *, focus: bool = True) -> None:
        """Make a panel the current one."""
        self._panel, self._ended = number, False
        self._arrange()
        if focus and not self.has_class("-tiny"):
            self.panels[number].options.focus()
        self._show_selected()

    # Moving

    def action_walk(self, step: int) -> None:
        if self._panel in (STAGING, MEMORY) or self._ended:
            self._walk(step)
        elif step > 0:
            self.panels[self._panel].options.action_cursor_down()
        else:
            self.panels[self._panel].options.action_cursor_up()

    def _walk(self, step: int) -> None:
        """To the next thing that waits, in the order of the panels, which is the queue's."""
        if self.desk is None:
            return
        waiting = set(self.desk.queue)
        every = [entry for panel in self.panels[STAGING : MEMORY + 1] for entry in panel.entries]
        here = self.selected
        at = next((n for n, entry in enumerate(every) if entry is here), -1)
        ahead: Sequence[Entry] = every[at + 1 :] if step > 0 else every[: max(at, 0)][::-1]
        found = next((entry for entry in ahead if entry.subject in waiting), None)
        if found is not None and found.subject is not None:
            self._go_to(found.subject)

    def action_panel(self, number: int) -> None:
        self.remove_class("-reading")
        self._enter(number)

    def action_pane(self, step: int) -> None:
        if self.has_class("-tiny"):
            return
        panes: list[Widget] = [*(panel.options for panel in self.panels), self.detail.text]
        panes += [self.detail.block] if self.detail.block.display else []
        at = next((n for n, pane in enumerate(panes) if pane is self.focused), self._panel)
        at = (at + step) % len(panes)
        if at < len(NAMES):
            self.action_panel(at)
        else:
            self.add_class("-reading")
            panes[at].focus()

    def action_open(self) -> None:
        self.add_class("-reading")
        self.detail.text.focus()
        self.call_after_refresh(self.note_shown)

    def action_back(self) -> None:
        """Out of the text, then out of the filter."""
        options = self.panels[self._panel].options
        if options.has_focus and not self.has_class("-reading"):
            self.filter.clear()
        self.remove_class("-reading")
        options.focus()

    def action_read(self, step: int) -> None:
        self.add_class("-reading")
        self.detail.read(step)
        self.call_after_refresh(self.note_shown)

    # The filter

    def action_filter(self) -> None:
        if self.desk is not None and not self.has_class("-tiny"):
            self.remove_class("-reading")
            self.filter.open()
            self._arrange()

    def on_filter_line_changed(self) -> None:
        """Show what matches. Where the panel has nothing that does, one that has is read."""
        self._fill()
        has = [any(not isinstance(entry.thing, Nothing) for entry in panel.entries) for panel in self.panels]
        if not has[self._panel] and any(has):
            self._panel = has.index(True)
        self._ended = False
        self._arrange()
        self._show_selected()

    def on_filter_line_left(self) -> None:
        self.panels[self._panel].options.focus()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        panel = event.option_list.parent
        if isinstance(panel, Panel) and panel.number == self._panel and not self._ended:
            self._show_selected()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        panel = event.widget.parent
        if isinstance(event.widget, PanelList) and isinstance(panel, Panel) and panel.number != self._panel:
            self._enter(panel.number, focus=False)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        """A click on an entry; Enter is not one of the list's keys."""
        panel = event.option_list.parent
        if isinstance(panel, Panel):
            self._enter(panel.number)

    def on_panel_wanted(self, event: Panel.Wanted) -> None:
        self.action_panel(event.number)
