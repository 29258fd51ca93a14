"""The Logs screen: days at the left, the source of one log, and its headings where there is room."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dory_tui.tui.screens.days import Page, day_options, empty_page, read_page, title, waiting_page
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.rows import Heading, outline
from dory_tui.tui.widgets.text_view import TextView
from dory_tui.visible import visible_line
from dory_tui.workspace.logs import Log, flags, list_logs

# Bytes from which a log is read beside the message loop: about a fifth of a second.
_LARGE = 1_000_000
# Seconds between two looks: midnight passes, and the agent writes on, while the screen stands.
_LOOK_AGAIN = 20


class Search(Input):
    """A line to search with. What cannot be seen is written out in it as it is in the text."""

    def validate_value(self, value: str) -> str:
        return visible_line(value.replace("\t", "    "))


class LogsScreen(Screen[None]):
    """Reads the logs of a workspace. Nothing here decides anything or writes a file.

    `zone_today` gives the day it is where the human is.
    """

    CSS_PATH = "logs.tcss"
    TITLE = "Logs"
    AUTO_FOCUS = "#log-days"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (140, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "day(1)", "older", tooltip="The day before, from wherever you are.", id="logs.older"),
        Binding("right", "day(-1)", "newer", tooltip="The day after, from wherever you are.", id="logs.newer"),
        Binding("slash", "find", "find", tooltip="Search in the day, and in those you turn to.", id="logs.find"),
        Binding("n", "match(1)", "next", tooltip="The next place that was found.", id="logs.next"),
        Binding("N", "match(-1)", "previous", tooltip="The place found before.", id="logs.previous"),
        Binding("o", "outline", "outline", tooltip="To the headings, or from them to the text.", id="logs.outline"),
        Binding(
            "escape", "back", "back", tooltip="Out of the search, then back to the days.", show=False, id="logs.back"
        ),
    ]

    def __init__(self, root: Path, zone_today: Callable[[], date]) -> None:
        super().__init__()
        self._root, self._today = root, zone_today
        self._listed: tuple[list[Log], date] | None = None
        self._logs: dict[str, Log] = {}  # by path
        self._places: dict[str, int] = {}  # path → index of its option
        self._open: Log | None = None
        self._data: bytes | None = None
        self._headings: list[Heading] = []
        self._about = ""
        self._found = 0

    def compose(self) -> ComposeResult:
        with Horizontal(id="log-body"):
            yield Browser(id="log-days", markup=False)
            with Vertical(id="log-main"):
                yield Static(id="log-flag", markup=False)
                yield TextView(id="log-text")
                with Horizontal(id="log-search"):
                    yield Static("/", id="log-slash", markup=False)
                    yield Search(id="log-find", placeholder="find in this day", compact=True)
            yield Browser(id="log-outline", markup=False)

    @property
    def days(self) -> Browser:
        return self.query_one("#log-days", Browser)

    @property
    def headings(self) -> Browser:
        return self.query_one("#log-outline", Browser)

    @property
    def text(self) -> TextView:
        return self.query_one("#log-text", TextView)

    @property
    def search(self) -> Input:
        return self.query_one("#log-find", Input)

    # The list of days

    def on_mount(self) -> None:
        self.headings.border_title = Content("Outline")
        self.watch(self.text, "scroll_y", self._follow, init=False)
        self.set_interval(_LOOK_AGAIN, self._look_again)

    def on_screen_resume(self) -> None:
        self.reload()

    def _look_again(self) -> None:
        if self.is_current:
            self.reload()

    def reload(self) -> None:
        """Look at the files again. The day, the place in it and the focus stay."""
        listed = list_logs(self._root), self._today()
        if listed != self._listed:
            self._listed = listed
            self._fill(*listed)
        elif self._open is not None:
            self._read(self._open)

    def _fill(self, logs: list[Log], today: date) -> None:
        days, scrolled = self.days, self.days.scroll_y
        place = self._places.get(self._open.path, 0) if self._open else 0
        options = list(day_options(logs, today))
        self._places = {option.id: index for index, option in enumerate(options) if option.id is not None}
        self._logs = {log.path: log for log in logs}
        days.set_options(options)
        days.border_title = Content(f"Days  {len(logs)}" if logs else "Days")
        self.set_class(not logs, "-empty")
        self.refresh_bindings()
        if not logs:
            self._open = None
            self._show(empty_page(), "")
            self.text.border_title = title(None, today)
            self.text.focus()
            return
        kept = self._places.get(self._open.path) if self._open else None
        if kept is None:  # what was open is gone: stay near where it stood
            kept = min(self._places.values(), key=lambda index: abs(index - place))
        days.scroll_to(y=scrolled, animate=False)
        days.highlighted = kept

    @on(OptionList.OptionHighlighted, "#log-days")
    def _day_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        # A held-down key brings many of these, and a list that was read again old ones: only where it stopped counts.
        if event.option is self.days.highlighted_option:
            self._read(self._logs[str(event.option_id)])

    @on(OptionList.OptionSelected, "#log-days")
    def _day_selected(self) -> None:
        self.add_class("-reading")
        self.text.focus()

    def action_day(self, older: int) -> None:
        order = list(self._places.values())
        if self.days.highlighted in order:
            at = order.index(self.days.highlighted) + older
            if 0 <= at < len(order):
                self.days.highlighted = order[at]

    # The text

    def _read(self, log: Log) -> None:
        known = self._data if self._open and self._open.path == log.path else None
        self._open, self._data = log, known
        self.text.border_title = title(log, self._today())
        if log.size < _LARGE:
            self._arrived(log, read_page(self._root, log, known))
            return
        if known is None:
            self._show(waiting_page(log), f"{log.path} …")
        self._read_beside(log, known)

    @work(exclusive=True)
    async def _read_beside(self, log: Log, known: bytes | None) -> None:
        self._arrived(log, await asyncio.to_thread(read_page, self._root, log, known))

    def _arrived(self, log: Log, page: Page | None) -> None:
        if page is not None and log == self._open:
            self._show(page, log.path)

    def _show(self, page: Page, key: str) -> None:
        self._data, self._about = page.data, page.about
        self.text.show(page.rows, key=key, numbers=page.data is not None)
        self._warn()
        self._headings = outline(page.rows)
        self._fill_outline()
        self._follow()
        self._find(self.search.value)

    def _warn(self) -> None:
        """Say above the text when the day of the log can hardly be right."""
        flag = None
        if self._open is not None and self._data is not None:
            flag = flags(self._root, self._open, self._data, self._logs.values())
        self.set_class(flag is not None, "-flagged")
        if flag is not None:
            self.query_one("#log-flag", Static).update(Content(visible_line(flag)))

    def _subtitle(self) -> None:
        query = self.search.value
        if query and self._open:
            at = f"{self.text.match or 0} of {self._found}" if self._found else "nowhere here"
            about = Content.assemble(("“", "$text-muted"), visible_line(query), (f"” {at}", "$text-muted"))
        else:
            about = Content.assemble((self._about, "$text-muted"))
        self.text.border_subtitle = about

    # Finding

    def action_find(self) -> None:
        self.add_class("-searching", "-reading")
        self.search.focus()

    @on(Input.Changed, "#log-find")
    def _query_changed(self, event: Input.Changed) -> None:
        self._find(event.value)

    @on(Input.Submitted, "#log-find")
    def _query_done(self) -> None:
        self.remove_class("-searching")
        self.text.focus()

    def _find(self, query: str) -> None:
        before, self._found = self._found, self.text.find(query)
        self._subtitle()
        if bool(before) != bool(self._found):
            self.refresh_bindings()

    def action_match(self, step: int) -> None:
        if step > 0:
            self.text.next_match()
        else:
            self.text.previous_match()
        self._subtitle()

    # The outline

    def action_outline(self) -> None:
        if self.headings.has_focus:
            self.text.focus()
        else:
            self.headings.focus()

    def _fill_outline(self) -> None:
        """Only where it is shown: a list that changes has the whole screen laid out again."""
        if self.has_class("-wide"):
            options = [Option(Content("  " * (one.level - 1) + one.title)) for one in self._headings]
            self.headings.set_options(options or [Option(Content("no headings"), disabled=True)])

    def _follow(self) -> None:
        """Point out the heading under which the top of the text stands."""
        if self.headings.option_count >= len(self._headings) > 0 and not self.headings.has_focus:
            at = bisect_right([one.row for one in self._headings], self.text.top_row)
            self.headings.highlighted = max(0, at - 1)

    @on(OptionList.OptionHighlighted, "#log-outline")
    def _heading_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self.headings.has_focus and event.option is self.headings.highlighted_option:
            row = self._headings[event.option_index].row
            self.text.cursor = row
            self.text.scroll_to_row(row)

    @on(OptionList.OptionSelected, "#log-outline")
    def _heading_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option is self.headings.highlighted_option:
            self.text.scroll_to_row(self._headings[event.option_index].row)
        self.text.focus()

    # Keys

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        # Where only one side has room it is the one with the focus.
        self.set_class(event.widget is not self.days, "-reading")

    def on_resize(self) -> None:
        self._fill_outline()
        self._follow()
        self.refresh_bindings()

    def action_back(self) -> None:
        """One step back: out of the search, out of the text, and no further."""
        if self.has_class("-searching") or self.search.value:
            self.remove_class("-searching")
            self.search.value = ""
            if not self.days.has_focus:
                self.text.focus()
        elif self.headings.has_focus:
            self.text.focus()
        elif self.text.has_focus and self._places:
            self.remove_class("-reading")
            self.days.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "match":
            return bool(self._found)
        if action == "outline":
            return self.has_class("-wide") and bool(self._places)
        return bool(self._places) or action not in ("day", "find")
