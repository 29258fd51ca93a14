"""The two lines at the top: what waits, when a scheduler last looked, and the boot line."""

from __future__ import annotations

import re
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from dory_tui.review.desk import Desk
from dory_tui.tui.widgets.browser import Columns
from dory_tui.visible import cell_width, cut, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.timestamps import age

_TASK = re.compile(r"(.*ACTIVE=\[)(.*)(\] \| HOLD=.*)")
_NEVER = ("nothing has ever run `dory-agent run --due` here", "no scheduler has looked yet", "no scheduler")


class Headline(Vertical):
    """What waits at the left; at the right what is going on, else when a scheduler last looked."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._desk: Desk | None = None
        self._now: datetime | None = None
        self._busy = ""
        self._first = Static(markup=False, id="headline-waits")
        self._boot = Static(markup=False, id="headline-boot")
        self._problem = Static(markup=False, id="headline-problem")

    def compose(self) -> ComposeResult:
        yield self._first
        yield self._boot
        yield self._problem

    def on_mount(self) -> None:
        self._problem.display = False

    def show(self, desk: Desk, now: datetime) -> None:
        self._desk, self._now = desk, now
        problems = [str(one) for one in desk.problems if one.path in ("dory.toml", layout.MIRROR)]
        self._problem.update(Content.styled(visible_line(problems[0]) if problems else "", "$error"))
        self._problem.display = bool(problems)
        self._paint()

    @property
    def has_problem(self) -> bool:
        return bool(self._problem.display)

    def busy(self, words: str) -> None:
        """What is being done right now; nothing ends it."""
        if words != self._busy:
            self._busy = words
            self._paint()

    def on_resize(self) -> None:
        self._paint()

    def _paint(self) -> None:
        width = self.content_size.width
        if self._desk is None or self._now is None or not width:
            self._first.update(Content.styled(self._busy, "$text-muted"), layout=False)
            return
        left = waits(self._desk)
        self._first.update(Columns(left, self._right(width - left.cell_length - 2)), layout=False)
        self._boot.update(Content.styled(boot(self._desk.boot, width), "$text-muted"), layout=False)

    def _right(self, room: int) -> Content:
        """The longest way to say it that fits."""
        if self._busy:
            return Content.styled(self._busy, "$warning")
        desk, now = self._desk, self._now
        assert desk is not None
        assert now is not None
        if desk.last_look is None:
            return Content.styled(_fitting(_NEVER, room), "$warning")
        span = age(now - desk.last_look)
        ago = "just now" if span == "now" else f"{span} ago"
        return Content.styled(_fitting((f"the scheduler looked {ago}", f"looked {ago}"), room), "$text-muted")


def _fitting(ways: tuple[str, ...], room: int) -> str:
    return next((words for words in ways if len(words) <= room), ways[-1] if room >= len(ways[-1]) else "")


def waits(desk: Desk) -> Content:
    """`3 drafts and 4 memories wait · 1 outcome unknown`, in colours."""
    drafts, memories = len(desk.waiting) - desk.unknown, len(desk.memories)
    counts = [(drafts, "draft", "drafts"), (memories, "memory", "memories")]
    parts = [Content.styled(f"{n} {one if n == 1 else many}", "bold $warning") for n, one, many in counts if n]
    text = Content(" and ").join(parts) if parts else Content("nothing waits")
    if parts:
        text = Content.assemble(text, " wait" if drafts + memories != 1 else " waits")
    if desk.unknown:
        outcomes = f"{desk.unknown} outcome{'' if desk.unknown == 1 else 's'} unknown"
        text = Content.assemble(text, (" · ", "$text-muted"), (outcomes, "$error"))
    return text


def boot(line: str, width: int) -> str:
    """The boot line, the task in it cut further where there is no room for the counts."""
    match = _TASK.fullmatch(line)
    over = cell_width(line) - width
    if match is None or over <= 0:
        return line
    return f"{match[1]}{cut(match[2], max(2, cell_width(match[2]) - over))}{match[3]}"
