"""One log on the screen: its source with a cursor, what is found and marked in it, and its headings."""

from __future__ import annotations

from bisect import bisect_right

from textual import on
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dory_tui.review.proposing import passage
from dory_tui.tui.screens.days import Page
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.log_text import LogText
from dory_tui.tui.widgets.rows import Heading, outline
from dory_tui.visible import visible_line, written_out
from dory_tui.workspace.document import Document, parse
from dory_tui.workspace.logs import Log


class Search(Input):
    """A line to search with. What cannot be seen is written out in it as it is in the text."""

    def validate_value(self, value: str) -> str:
        return written_out(value.replace("\t", "    "))


class ReadLog(Screen[None]):
    """Shows a log. The subclass says which, and lays the widgets out."""

    def __init__(self) -> None:
        super().__init__()
        self._open: Log | None = None
        self._data: bytes | None = None
        self._headings: list[Heading] = []
        self._about = ""
        self._found = 0
        self._parsed: Document | None = None
        self._page: Page | None = None

    @property
    def headings(self) -> Browser:
        return self.query_one("#log-outline", Browser)

    @property
    def text(self) -> LogText:
        return self.query_one("#log-text", LogText)

    @property
    def search(self) -> Input:
        return self.query_one("#log-find", Input)

    def _show(self, page: Page, key: str) -> None:
        self._data, self._about, self._page = page.data, page.about, page
        self.text.show(page.rows, key=key, numbers=page.data is not None)
        self.warn()
        self._headings = outline(page.rows)
        self._fill_outline()
        self._follow()
        self._find(self.search.value)

    def warn(self) -> None:
        """Say above the text what is wrong with the log."""
        found = [] if self._open is None else self.doubts(self._open, self._data)
        self.set_class(bool(found), "-flagged")
        if found:
            self.query_one("#log-flag", Static).update(Content("\n").join(found))

    def doubts(self, log: Log, data: bytes | None) -> list[Content]:
        """What is wrong with a log, a line for each; `data` is None where there is nothing to show of it."""
        raise NotImplementedError

    def _subtitle(self) -> None:
        query, marked = self.search.value, len(self.text.marked)
        if marked:
            about = Content.styled("1 line marked" if marked == 1 else f"{marked} lines marked", "$accent")
        elif query and self._open:
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

    # Marking

    def action_mark(self) -> None:
        """Mark what belongs to the line under the cursor, or take the mark off it, and go on to what follows."""
        found = self.passage()
        if found:
            rows, text = frozenset(number - 1 for number in found), self.text
            text.marked = text.marked - rows if text.marked >= rows else text.marked | rows
            text.go(found.stop - 1)
            self._subtitle()

    def passage(self) -> range:
        """Numbers of the lines that belong to the one under the cursor; none without a cursor."""
        cursor, document = self.text.cursor, self.document
        if cursor is None or document is None or cursor >= len(document.lines):
            return range(0)
        return passage(document, cursor + 1)

    @property
    def document(self) -> Document | None:
        """The log that is shown, parsed."""
        if self._open is None or self._data is None:
            return None
        if self._parsed is None or self._parsed.data is not self._data:
            self._parsed = parse(self._open.path, self._data)
        return self._parsed

    @on(LogText.Cursor)
    def _cursor_moved(self) -> None:
        self.refresh_bindings()

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
