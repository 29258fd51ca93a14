"""The logs of a gate's workspace: a memory proposed out of one, lines put back that one lost, days without one."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from dory_tui.gate.survey import Gate
from dory_tui.review import days, restoring
from dory_tui.review.change import local
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.screens.ask import AskScreen, Question
from dory_tui.tui.screens.logs import LogsScreen
from dory_tui.tui.screens.proposing import Proposing
from dory_tui.tui.widgets.foot import Foot
from dory_tui.visible import Looking, visible_line
from dory_tui.wording import some
from dory_tui.workspace.document import WorkspaceError, decode
from dory_tui.workspace.logs import Log

if TYPE_CHECKING:
    from dory_tui.tui.screens.days import Page

_SHOWN = 3
_ABOVE = 2
"""Lines of a log that stay above one that another screen leads to."""
_LISTED = 200
"""Lines that are listed before they are put back."""
_PAUSE = 0.15
"""Seconds a log must stand on the screen before git is asked about it."""


class BrowseLogs(LogsScreen, Proposing):
    """The Logs screen on a gate's workspace and its days. `m` proposes, `R` restores after asking."""

    CSS_PATH = "logs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "propose", "propose", tooltip="Propose what is marked, or the entry under the cursor, for "
                "MEMORY.md.", id="logs.propose"),
        Binding("R", "restore", "restore", tooltip="Put back the lines that this log lost since it was last "
                "committed.", id="logs.restore"),
    ]  # fmt: skip

    def __init__(self, gate: Gate, clock: Monotonic = time.monotonic) -> None:
        super().__init__(gate.root, lambda: local(gate).date())
        self.gate = gate
        self.clock = clock
        self._lost: restoring.Lost | None = None
        self._lost_of: bytes | None = None
        self._wanted: tuple[str, int] | None = None

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Foot()

    # A line that another screen leads to

    def open_at(self, path: str, line: int) -> None:
        """Open a log with the cursor on a line, now or when the screen is shown next."""
        self._wanted = (path, line)
        if self.is_current and path in self._places:
            self._go_there()

    def _go_there(self) -> None:
        """To the log that is wanted; its line comes when it was read."""
        path = self._wanted[0] if self._wanted is not None else ""
        if path in self._places:
            self.add_class("-reading")
            if self.days.highlighted == self._places[path]:
                self._read(self._logs[path])
            else:
                self.days.highlighted = self._places[path]

    def _arrived(self, log: Log, page: Page | None) -> None:
        super()._arrived(log, page)
        if self._wanted is not None and self._wanted[0] == log.path:
            line, self._wanted = self._wanted[1], None
            self.call_after_refresh(self._point_at, line)

    def _point_at(self, line: int) -> None:
        self.text.focus()
        self.text.cursor = line - 1
        self.text.scroll_to_row(max(0, line - 1 - _ABOVE))

    # Days without a log

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self._go_there()
        self.call_after_refresh(self._find_bare)

    @work(group="bare", exclusive=True)
    async def _find_bare(self) -> None:
        found = await asyncio.to_thread(days.without_log, self.gate, list(self.logs))
        if found != self.bare:
            self.bare = found
            self.fill()

    # Lines that a log lost

    def shown(self, log: Log, page: Page) -> None:
        self._lost = None
        self._find_lost(log, page.data)

    @work(group="lost", exclusive=True)
    async def _find_lost(self, log: Log, data: bytes | None) -> None:
        await asyncio.sleep(_PAUSE)
        try:
            found = await asyncio.to_thread(restoring.lost, self.gate, log)
        except WorkspaceError:
            return  # which the text says already
        if found is not None and self.showing(log, data):
            self._lost, self._lost_of = found, data
            self.warn()
            self.refresh_bindings()

    def doubts(self, log: Log, data: bytes | None) -> list[Content]:
        found = super().doubts(log, data)
        if self._lost is not None and self._lost.path == log.path and self._lost_of is data:
            found += _missing(self._lost)
        return found

    def action_restore(self) -> None:
        found = self._lost
        if found is None:
            return
        body = [Content(f"{visible_line(found.path)} gets them back where they stood; what was written since stays.")]
        body += [Content("\n").join(_lost_lines(found, _LISTED))]
        rest = len(found.lines) - _LISTED
        body += [Content.styled(f"       and {rest:,} more", "$text-muted")] if rest > 0 else []
        question = Question(
            f"Put back {some(len(found.lines), 'line', 'lines')}?", body, [("restore", "put them back")]
        )

        def answered(name: str | None) -> None:
            if name:
                self.carry_out(lambda: restoring.restore(self.gate, found.path, found.digest), self.reload)

        self.app.push_screen(AskScreen(question, self.clock), answered)

    # Proposing

    def action_propose(self) -> None:
        marked = sorted(row + 1 for row in self.text.marked)
        numbers = marked or list(self.passage())
        document = self.document
        if document is not None and numbers:
            self.ask_about(document, numbers, self._under(numbers[0]))

    def proposed(self) -> None:
        self.text.marked = frozenset()
        self.reload()

    def _under(self, number: int) -> str:
        """The title of the heading that a line stands under."""
        document = self.document
        lines = document.lines[: number - 1] if document is not None else ()
        return next((line.heading[1] for line in reversed(lines) if line.heading is not None), "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "restore":
            return self._lost is not None
        if action == "propose":
            return bool(self.text.marked) or super().check_action("mark", ())
        return super().check_action(action, parameters)


def _missing(found: restoring.Lost) -> list[Content]:
    """What a log lost, the first lines of it."""
    lines = _lost_lines(found, _SHOWN if len(found.lines) <= _SHOWN else _SHOWN - 1)
    said = f"{some(len(found.lines), 'line', 'lines')} missing since this log was last committed; R puts them back"
    rest = len(found.lines) - len(lines)
    more = [Content.styled(f"      and {rest:,} more", "$text-muted")] if rest else []
    return [Content.styled(said, "$error"), *lines, *more]


def _lost_lines(found: restoring.Lost, most: int) -> list[Content]:
    """The first lines that a log lost, each with its number."""
    with Looking(of=(decode(found.restored),)):
        return [
            Content.assemble((f"{number:>5}  ", "$text-muted"), visible_line(text))
            for number, text in found.lines[:most]
        ]
