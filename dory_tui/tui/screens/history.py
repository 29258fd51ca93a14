"""The History screen: what was decided and what became of it at the left, its record and its commit at the right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from dory_tui.gate.survey import Gate
from dory_tui.review.change import local
from dory_tui.review.past import Event, matching, past
from dory_tui.tui import keys
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.filtering import FilterLine
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.happened import OLDER, event_options, event_rows, nothing_rows, title
from dory_tui.tui.widgets.only import Only
from dory_tui.tui.widgets.pages import about_secrets
from dory_tui.tui.widgets.rows import Row, message_rows
from dory_tui.tui.widgets.text_view import TextView
from dory_tui.visible import Looking, visible_line

_LIMIT = 500


class HistoryScreen(Screen[None]):
    """Reads the ledger and git's log. Nothing here decides anything or writes a file."""

    CSS_PATH = "history.tcss"
    TITLE = "History"
    AUTO_FOCUS = "#past-list"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"), (80, "-normal"), (100, "-middle"), (140, "-wide"),
    ]  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*keys.HISTORY]

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self.gate = gate
        self.only: Only | None = None
        """The item whose past is shown; None for everything. Set before the screen is resumed."""
        self._limit = _LIMIT
        self._events: tuple[Event, ...] = ()
        self._shown: dict[str, Event] = {}  # by name, as the filter leaves them
        self._read_for: Only | None = None
        self._wanted = self._reading = False
        self._revealed: str | None = None
        """The event whose secrets are shown as they stand."""
        self._secrets = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="past-body"):
            with Vertical(id="past-left"):
                yield Browser(id="past-list", markup=False)
                yield FilterLine()
            yield TextView(id="past-text")
        yield Foot()

    @property
    def browser(self) -> Browser:
        return self.query_one("#past-list", Browser)

    @property
    def text(self) -> TextView:
        return self.query_one("#past-text", TextView)

    @property
    def filter_line(self) -> FilterLine:
        return self.query_one(FilterLine)

    @property
    def pointed(self) -> Event | None:
        """The event that is pointed out."""
        option = self.browser.highlighted_option
        return None if option is None else self._shown.get(str(option.id))

    # Reading

    def on_screen_resume(self) -> None:
        self.reload()

    def reload(self) -> None:
        """Read again. The event, the filter and the focus stay."""
        self._wanted = True
        if not self._reading:
            self._reading = True
            self.run_worker(self._load(), group="load")

    def show_only(self, only: Only | None) -> None:
        """The past of one item, or of everything."""
        if only != self.only:
            self.only, self._limit = only, _LIMIT
            if self.is_mounted and self.is_current:
                self.reload()

    async def _load(self) -> None:
        while self._wanted:
            self._wanted = False
            await self._read()
        self._reading = False

    async def _read(self) -> None:
        only, limit = self.only, self._limit
        if not self._events or only != self._read_for:
            self._say(message_rows("Reading…"), "reading")
        key, path = (only.key, only.path) if only is not None else (None, None)
        # One more than is shown tells whether there are older ones.
        found = await asyncio.to_thread(past, self.gate, limit + 1, key=key, path=path)
        if only != self.only:
            return  # another is wanted by now, and read next
        self._events, self._read_for = found, only
        self._fill()
        self.refresh_bindings()

    def _fill(self) -> None:
        browser, before, at = self.browser, self.browser.highlighted_option, self.browser.highlighted
        listed = self._events[: self._limit]
        kept = matching(listed, self.filter_line.words)
        self._shown = {event.name: event for event in kept}
        options = list(event_options(list(self._shown.values()), local(self.gate)))
        if len(self._events) > self._limit:
            options.append(Option(Content.styled("older ones: Enter reads them", "$text-muted"), id=OLDER))
        browser.set_options(options)
        self._title(len(self._shown), len(listed))
        self.set_class(not listed, "-empty")
        if not options:
            self._nothing(bool(listed))
            return
        places = {option.id: number for number, option in enumerate(options)}
        place = places.get(before.id) if before is not None and before.id != OLDER else None
        if place is None:  # what was pointed out is gone, or now older ones stand there: stay near that place
            near = 0 if at is None else min(at, len(options) - 1)
            place = min((n for n, option in enumerate(options) if not option.disabled), key=lambda n: abs(n - near))
        browser.highlighted = place
        self._show()

    def _title(self, shown: int, count: int) -> None:
        name = "History" if self.only is None else f"History of {visible_line(self.only.name)}"
        number = f"{shown} of {count}" if self.filter_line.words else f"{count}" if count else ""
        self.browser.border_title = Content.assemble((name, "bold"), f"  {number}" if number else "")

    def _nothing(self, filtered: bool) -> None:
        if filtered:
            words = visible_line(self.filter_line.words.strip())
            self._say(message_rows(f"Nothing that happened matches “{words}”. Esc ends the filter."), "nothing")
            return
        self._say(nothing_rows(self.only.name if self.only is not None else None), "nothing")

    # Showing

    def _say(self, rows: Sequence[Row], key: str) -> None:
        self.text.border_title = Content("")
        self.text.show(list(rows), key=key, numbers=False)

    def _show(self) -> None:
        event = self.pointed
        if event is None:
            if self.browser.highlighted_option is not None:
                self._say(message_rows("Older events: Enter reads them."), OLDER)
            return
        self.text.border_title = title(event)
        if self._revealed != event.name:
            self._revealed = None
        with Looking(reveal=self._revealed is not None) as look:
            rows = event_rows(event, local(self.gate))
        self._secrets = bool(look.secrets)
        if look.secrets:
            says = about_secrets(len(look.secrets), masked=bool(look.masked))
            rows = [*message_rows(says, style="note"), Row("", ()), *rows]
        self.text.show(rows, key=event.name)

    @on(OptionList.OptionHighlighted, "#past-list")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option is self.browser.highlighted_option:
            self._show()
            self.refresh_bindings()

    @on(OptionList.OptionSelected, "#past-list")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id == OLDER:
            self._limit += _LIMIT
            self.reload()
        elif event.option is self.browser.highlighted_option:
            self.add_class("-reading")
            self.text.focus()

    # Keys

    def action_filter(self) -> None:
        self.remove_class("-reading")
        self.filter_line.open()

    def on_filter_line_changed(self) -> None:
        self._fill()

    def on_filter_line_left(self) -> None:
        self.browser.focus()

    def action_day(self, older: int) -> None:
        """To the first event of the day before, or of the day after."""
        browser = self.browser
        heads = [number for number, option in enumerate(browser.options) if option.disabled]
        at = browser.highlighted
        if at is None or not heads:
            return
        day = max((number for number, head in enumerate(heads) if head < at), default=0) + older
        if 0 <= day < len(heads):
            browser.highlighted = heads[day] + 1

    def action_reveal(self) -> None:
        event = self.pointed
        if event is not None:
            self._revealed = event.name if self._revealed is None else None
            self._show()

    def action_only(self) -> None:
        """One item's past, or everybody's again."""
        event = self.pointed
        if self.only is not None:
            self.show_only(None)
        elif event is not None and event.item is not None:
            self.show_only(Only(event.key, None, event.id))

    def action_back(self) -> None:
        """One step back: out of the text, out of the filter, out of the one item, and no further."""
        if self.text.has_focus and self._shown:
            self.remove_class("-reading")
            self.browser.focus()
        elif self.filter_line.words:
            self.filter_line.clear()
        elif self.only is not None:
            self.show_only(None)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        # Where only one side has room it is the one with the focus.
        self.set_class(event.widget is self.text, "-reading")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "only":
            event = self.pointed
            return self.only is not None or (event is not None and event.item is not None)
        if action == "day":
            return bool(self._shown)
        if action == "reveal":
            return self._secrets
        return bool(self._events) or action != "filter"
