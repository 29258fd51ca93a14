"""The Logs screen: days at the left, the source of one log, and its headings where there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from dory_tui.tui.keys import REVEAL
from dory_tui.tui.screens.days import Page, day_options, empty_page, read_page, title, waiting_page
from dory_tui.tui.screens.read_log import ReadLog, Search
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.log_text import LogText
from dory_tui.tui.widgets.pages import about_secrets
from dory_tui.visible import visible_line
from dory_tui.workspace.logs import Log, flags, list_logs

# Bytes from which a log is read beside the message loop: about a fifth of a second.
_LARGE = 1_000_000
# Seconds between two looks: midnight passes, and the agent writes on, while the screen stands.
_LOOK_AGAIN = 20


class LogsScreen(ReadLog):
    """Reads the logs of a workspace. Nothing here decides anything or writes a file.

    `zone_today` gives the day it is where the human is.
    """

    CSS_PATH = "logs.tcss"
    TITLE = "Logs"
    AUTO_FOCUS = "#log-days"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (140, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left", "day(1)", "day", tooltip="The day before, from wherever you are.", id="logs.older", key_display="←→"
        ),
        Binding(
            "right", "day(-1)", "newer", tooltip="The day after, from wherever you are.", id="logs.newer", show=False
        ),
        Binding("slash", "find", "find", tooltip="Search in the day, and in those you turn to.", id="logs.find"),
        Binding("n", "match(1)", "next", tooltip="The next place that was found.", id="logs.next"),
        Binding("N", "match(-1)", "previous", tooltip="The place found before.", id="logs.previous"),
        Binding("space,x", "mark", "mark", tooltip="Mark the entry under the cursor, or not.", id="logs.mark"),
        Binding("V", "reveal", "secrets", tooltip=REVEAL, id="logs.reveal"),
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
        self._revealed: str | None = None
        """The log whose secrets are shown as they stand."""
        self.bare: Mapping[date, int] = {}
        """How many commits each day has that has no log."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="log-body"):
            yield Browser(id="log-days", markup=False)
            with Vertical(id="log-main"):
                yield Static(id="log-flag", markup=False)
                yield LogText(id="log-text")
                with Horizontal(id="log-search"):
                    yield Static("/", id="log-slash", markup=False)
                    yield Search(id="log-find", placeholder="find in this day", compact=True)
            yield Browser(id="log-outline", markup=False)

    @property
    def days(self) -> Browser:
        return self.query_one("#log-days", Browser)

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

    @property
    def logs(self) -> Iterable[Log]:
        """Every log that is listed."""
        return self._logs.values()

    def fill(self) -> None:
        """Fill the list of days again."""
        if self._listed is not None:
            self._fill(*self._listed)

    def showing(self, log: Log, data: bytes | None) -> bool:
        """Whether these bytes of a log are what is shown; None for a sentence in their place."""
        return self._open == log and self._data is data

    def _fill(self, logs: list[Log], today: date) -> None:
        days, scrolled = self.days, self.days.scroll_y
        place = self._places.get(self._open.path, 0) if self._open else 0
        options = list(day_options(logs, today, self.bare))
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

    def _read(self, log: Log, *, again: bool = False) -> None:
        known = self._data if self._open and self._open.path == log.path and not again else None
        if self._revealed != log.path:
            self._revealed = None
        self._open, self._data = log, known
        self.text.border_title = title(log, self._today())
        if log.size < _LARGE:
            self._arrived(log, read_page(self._root, log, known, reveal=self._revealed is not None))
            return
        if known is None:
            self._show(waiting_page(log), f"{log.path} …")
        self._read_beside(log, known)

    @work(exclusive=True)
    async def _read_beside(self, log: Log, known: bytes | None) -> None:
        reveal = self._revealed is not None
        self._arrived(log, await asyncio.to_thread(read_page, self._root, log, known, reveal=reveal))

    def _arrived(self, log: Log, page: Page | None) -> None:
        if page is not None and log == self._open:
            self._show(page, log.path)
            self.shown(log, page)

    def shown(self, log: Log, page: Page) -> None:
        """A log was read and is shown. For who looks closer at it."""

    def doubts(self, log: Log, data: bytes | None) -> list[Content]:
        """What is wrong with a log: its day, which can hardly be right, and secrets in it."""
        flag = None if data is None else flags(self._root, log, data, self._logs.values())
        found = [] if flag is None else [Content(visible_line(flag))]
        page = self._page
        if page is not None and page.secrets:
            found.append(Content.styled(about_secrets(page.secrets, masked=page.masked), "$warning"))
        return found

    # Keys

    def action_reveal(self) -> None:
        if self._open is not None:
            self._revealed = self._open.path if self._revealed is None else None
            self._read(self._open, again=True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        # Where only one side has room it is the one with the focus.
        self.set_class(event.widget is not self.days, "-reading")
        self.refresh_bindings()

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
        elif self.text.marked:
            self.text.marked = frozenset()
            self._subtitle()
        elif self.headings.has_focus:
            self.text.focus()
        elif self.text.has_focus and self._places:
            self.remove_class("-reading")
            self.days.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "mark":
            return self.text.has_focus and self.text.cursor is not None and self._data is not None
        if action == "match":
            return bool(self._found)
        if action == "reveal":
            return self._page is not None and self._page.secrets > 0
        if action == "outline":
            return self.has_class("-wide") and bool(self._places)
        return bool(self._places) or action not in ("day", "find")
