"""The Search screen: a question, the passages that answer it, and the file around the one that is pointed out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static

from dory_tui.config import ConfigError
from dory_tui.gate.survey import Gate
from dory_tui.review.change import local
from dory_tui.search.answers import Answer, Result, Wanted
from dory_tui.tui import keys
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.questions import Questions
from dory_tui.tui.screens.proposing import Proposing
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.found import first_rows, nothing_rows, pointed_out, result_options, title, why
from dory_tui.tui.widgets.log_text import LogText
from dory_tui.tui.widgets.rows import Row, markdown_rows, message_rows
from dory_tui.visible import visible_line
from dory_tui.workspace.document import WorkspaceError, parse, read_bytes
from dory_tui.workspace.logs import list_logs

_PAUSE = 0.15
"""Seconds without a key after which a question that is being typed is asked."""
_LATE = 0.5
"""Seconds after which it is said that an answer takes its time."""
_LIMIT = 30
_ABOVE = 2
"""Lines of the file that stay above a passage."""


class Question(Input):
    """A line to ask with. What cannot be seen is written out in it."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.QUESTION]

    class Step(Message):
        """Another passage is wanted: the next one (1), or the one before (-1)."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Left(Message):
        """Escape in an empty line."""

    def validate_value(self, value: str) -> str:
        return visible_line(value.replace("\t", " "))

    def action_step(self, by: int) -> None:
        self.post_message(self.Step(by))

    def action_clear(self) -> None:
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Left())


class SearchScreen(Proposing):
    """Asks in a thread of its own, one question at a time; of what was typed meanwhile only the last is asked.

    Nothing here decides anything. Beside the index it writes only what `m` proposes.
    """

    CSS_PATH = "search.tcss"
    TITLE = "Search"
    AUTO_FOCUS = "#ask"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"), (80, "-normal"), (100, "-middle"), (140, "-wide"),
    ]  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*keys.SEARCH]

    class Opened(Message):
        """A line of a log is to be opened among the days."""

        def __init__(self, path: str, line: int) -> None:
            super().__init__()
            self.path, self.line = path, line

    def __init__(self, gate: Gate, clock: Monotonic = time.monotonic) -> None:
        super().__init__()
        self.gate, self.clock = gate, clock
        self._thread = ThreadPoolExecutor(1, "search")
        self._questions = Questions(gate)
        self._today = local(gate).date()
        self._answer: Answer | None = None
        self._recent = False
        self._shown: Result | None = None
        self._rows: tuple[bytes, list[Row]] | None = None  # of the file that was read last
        self._asked_for = 0  # questions so far: what comes of one that was dropped is not shown

    def compose(self) -> ComposeResult:
        with Horizontal(id="ask-line"):
            yield Question(id="ask", placeholder="what do you want to find?", compact=True, select_on_focus=False)
        yield Static(id="found-notice", markup=False)
        with Horizontal(id="found-body"):
            yield Browser(id="found-list", markup=False)
            yield LogText(id="found-text")
        yield Foot()

    def on_mount(self) -> None:
        self.query_one("#ask-line").border_title = Content.styled("Search", "bold")
        self._show_nothing(first_rows(), "first")

    def on_unmount(self) -> None:
        self._questions.stop()
        self._thread.submit(self._questions.close)
        self._thread.shutdown(wait=False)

    # The parts

    @property
    def line(self) -> Question:
        return self.query_one(Question)

    @property
    def found(self) -> Browser:
        return self.query_one("#found-list", Browser)

    @property
    def text(self) -> LogText:
        return self.query_one("#found-text", LogText)

    @property
    def pointed(self) -> Result | None:
        """The passage that is pointed out."""
        at = self.found.highlighted
        results: Sequence[Result] = self._answer.results if self._answer is not None else ()
        return results[at] if at is not None and at < len(results) else None

    # Asking

    def on_screen_resume(self) -> None:
        self._today = local(self.gate).date()
        if self.line.value.strip():
            self._ask(self.line.value, pause=0)

    @on(Input.Changed, "#ask")
    def _typed(self, event: Input.Changed) -> None:
        self._ask(event.value, pause=_PAUSE)

    @work(group="ask", exclusive=True)
    async def _ask(self, words: str, pause: float) -> None:
        self._asked_for += 1
        number = self._asked_for
        if not words.strip():
            self._no_answer(first_rows(), "first")
            return
        await asyncio.sleep(pause)
        loop = asyncio.get_running_loop()

        def progress(done: int, of: int) -> None:
            loop.call_soon_threadsafe(self._progress, number, done, of)

        wanted = Wanted(limit=_LIMIT, recent=self._recent, unfinished=True)
        started = time.perf_counter()
        late = self.set_timer(_LATE, lambda: self._say("looking… another process may be writing the index"))
        try:
            answer = await loop.run_in_executor(self._thread, self._questions.ask, words, self._today, wanted, progress)
        except (WorkspaceError, ConfigError) as error:
            self._no_answer(message_rows(f"{error}."), "refused")
            return
        finally:
            late.stop()
        self._take(answer, time.perf_counter() - started)

    def _progress(self, number: int, done: int, of: int) -> None:
        if self.is_mounted and of > 1 and number == self._asked_for:
            self._say(f"reading {done:,} of {of:,} files…")

    def _say(self, words: str) -> None:
        self.query_one("#ask-line").border_subtitle = Content.styled(words, "$text-muted")

    def _notice(self, sentences: Sequence[str]) -> None:
        self.set_class(bool(sentences), "-noticed")
        self.query_one("#found-notice", Static).update(
            Content("\n").join(Content(visible_line(one)) for one in sentences)
        )

    def _take(self, answer: Answer, seconds: float) -> None:
        before = self.pointed
        self._answer = answer
        order = ", the newest first" if self._recent else ""
        how = "words and meaning" if answer.mode == "hybrid" else "words alone"
        if answer.results and not any(one.terms or one.dated or one.alike is None for one in answer.results):
            how = "meaning alone, for nothing has these words"
        self._say(f"by {how}{order} · {seconds * 1000:,.0f} ms")
        self._notice(answer.notices)
        if not answer.results:
            self._show_nothing(nothing_rows(answer.question), "nothing")
            return
        self.remove_class("-empty")
        self.found.set_options(list(result_options(answer, self._today)))
        count = len(answer.results)
        self.found.border_title = Content.assemble(
            ("Passages", "bold"), f"  {count}{' or more' if count == _LIMIT else ''}"
        )
        same = [(one.path, one.line_start) for one in answer.results]
        place = (before.path, before.line_start) if before is not None and not self.line.has_focus else None
        self.found.highlighted = same.index(place) if place in same else 0
        self._show()
        self.refresh_bindings()

    # Showing

    def _no_answer(self, rows: Sequence[Row], key: str) -> None:
        self._answer = None
        self._say("")
        self._notice(())
        self._show_nothing(rows, key)

    def _show_nothing(self, rows: Sequence[Row], key: str) -> None:
        self.add_class("-empty")
        self.found.clear_options()
        self._shown = self._rows = None
        self.text.border_title, self.text.border_subtitle = Content(""), Content("")
        self.text.show(list(rows), key=key, numbers=False)
        self.refresh_bindings()

    @on(OptionList.OptionHighlighted, "#found-list")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option is self.found.highlighted_option:
            self._show()
            self.refresh_bindings()

    def _show(self) -> None:
        one = self.pointed
        if one is None:
            return
        self._shown = one
        self.text.border_title, self.text.border_subtitle = title(one, self._today), why(one)
        try:
            data = read_bytes(self.gate.root / one.path, one.path)
        except WorkspaceError as error:
            self._rows = None
            self.text.show(message_rows(f"{error}."), key=f"refused:{one.path}", numbers=False)
            return
        if data is None:
            self._rows = None
            gone = "It is gone since it was read: ask again."
            self.text.show(message_rows(gone), key=f"gone:{one.path}", numbers=False)
            return
        if self._rows is None or (self._rows[0] is not data and self._rows[0] != data):
            self._rows = data, markdown_rows(data)
        self.text.show(pointed_out(self._rows[1], one), key=f"{one.path}:{one.line_start}:{one.line_end}")
        self.text.marked = frozenset(range(one.line_start - 1, min(one.line_end, len(self._rows[1]))))
        if self.text.has_focus:
            self._point(one)
        self.text.scroll_to_row(max(0, one.line_start - 1 - _ABOVE))

    # Keys

    @on(Question.Step)
    def _stepped(self, event: Question.Step) -> None:
        self.action_passage(event.by)

    def action_passage(self, by: int) -> None:
        """To the next passage, or to the one before."""
        if by > 0:
            self.found.action_cursor_down()
        else:
            self.found.action_cursor_up()

    @on(Input.Submitted, "#ask")
    def _asked(self) -> None:
        if self._answer is not None and self._answer.results:
            self.found.focus()

    @on(Question.Left)
    def _left(self) -> None:
        self.app.switch_mode("review")

    @on(OptionList.OptionSelected, "#found-list")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option is self.found.highlighted_option:
            self.action_read()

    def action_read(self) -> None:
        """Into the text around the passage."""
        if self._shown is not None:
            self.add_class("-reading")
            self.text.focus()
            self._point(self._shown)

    def _point(self, one: Result) -> None:
        """The cursor to a passage, as far as its file still goes."""
        if self.text.rows:
            self.text.cursor = min(one.line_start, len(self.text.rows)) - 1

    def action_open(self) -> None:
        """At its line among the days, where it is of a log; else into the text here."""
        one = self._shown
        if one is None:
            return
        if any(log.path == one.path for log in list_logs(self.gate.root)):
            self.post_message(self.Opened(one.path, one.line_start))
        else:
            self.action_read()

    def action_order(self) -> None:
        self._recent = not self._recent
        self._ask(self.line.value, pause=0)

    def action_question(self) -> None:
        self.remove_class("-reading")
        self.line.focus()

    def action_pane(self, step: int) -> None:
        panes = [self.line, *([self.found] if not self.has_class("-empty") else []), self.text]
        at = next((n for n, pane in enumerate(panes) if pane is self.focused), 0)
        pane = panes[(at + step) % len(panes)]
        self.set_class(pane is self.text, "-reading")
        pane.focus()

    def action_back(self) -> None:
        """Out of the text, then back to the question, and no further."""
        if self.text.has_focus and not self.has_class("-empty"):
            self.remove_class("-reading")
            self.found.focus()
        else:
            self.action_question()

    def action_propose(self) -> None:
        one = self._shown
        if one is None or self._rows is None:
            return
        document = parse(one.path, self._rows[0])
        there = document.lines[one.line_start - 1 : one.line_end]
        if numbers := [line.number for line in there if line.mask != "front"]:
            self.ask_about(document, numbers, one.heading.rpartition(" > ")[2])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.set_class(event.widget is self.text, "-reading")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "propose" and (self._rows is None or self._shown is None or self._shown.path.endswith(".json")):
            return False  # a record of the ledger is no words to remember
        if action in ("open", "propose", "passage", "order"):
            return self._shown is not None and not self.line.has_focus
        return action != "question" or not self.line.has_focus
