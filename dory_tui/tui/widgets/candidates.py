"""The list of the Memory screen: each candidate with its total and its four scores. Pure.

All text from files passes `visible_line` here. No string is ever read as markup.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate
from dory_tui.tui import keys
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.entries import MEMORY, Entry, PanelView, views
from dory_tui.tui.widgets.lines import GUTTER
from dory_tui.tui.widgets.panel import PanelList
from dory_tui.visible import visible_line
from dory_tui.workspace.promotions import AXES

_ROOM_FOR_WORDS = 36
_MODES = (("review", "Review"), ("memory", "Memory"), ("logs", "Logs"), ("history", "History"))


def candidate_list(desk: Desk) -> PanelView:
    """The MEMORY panel of the review with the four scores in each line; what is not promoted stands first."""
    found = views(desk)[MEMORY]
    edge = Content.styled(f"total · {'·'.join(axis[0].upper() for axis in AXES)}", "$text-muted")
    return replace(found, entries=tuple(map(_scored, found.entries)), edge=edge)


def _scored(entry: Entry) -> Entry:
    return replace(entry, row=_row(entry.thing)) if isinstance(entry.thing, Candidate) else entry


class CandidateList(PanelList, inherit_bindings=False):
    """The list. A click on the sign of a line marks it."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.LIST]

    class Marked(Message):
        """A line is to be marked, or not."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def on_click(self, event: events.Click) -> None:
        spot, at = event.get_content_offset(self), event.style.meta.get("option")
        if spot is not None and spot.x < GUTTER and at is not None:
            self.post_message(self.Marked(at))


class _Line(Columns):
    """Two columns with room for both; in a narrow list the word gives way, and a sign says the same."""

    def __init__(self, total: Content, sign: Content, title: Content, word: Content) -> None:
        super().__init__(Content.assemble(total, " ", title), word)
        self._short = Columns(Content.assemble(total, sign, title), Content(""))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        if width < _ROOM_FOR_WORDS:
            return self._short.render_strips(width, height, style, options)
        return super().render_strips(width, height, style, options)


def _row(one: Candidate) -> Visual:
    """`9  3222  Invoices go out on the 3rd   promote`, or `9✓ 3222 Invoices go out` where there is less room."""
    title, word = visible_line(one.promotion.title), visible_line(one.promotion.status)
    if one.verdict is None:
        style = "$error" if one.waits else "$text-disabled"
        says = Content.styled("cannot be read" if one.waits else word, style)
        return _Line(Content.styled(" ?", style), Content.styled("!", style), Content(f"       {title}"), says)
    good = one.verdict.promote
    scores = "".join(str(one.promotion.scores[axis]) for axis in AXES)
    tone = "$text-disabled" if not one.waits else "$success" if good else "$text-muted"
    quiet = "$text-muted" if one.waits else tone
    return _Line(
        Content.styled(f"{one.verdict.total:>2}", f"bold {tone}" if one.waits else tone),
        Content.styled(("✓" if good else "·") if one.waits else " ", tone),
        Content.assemble((f" {scores}  ", quiet), (title, "" if good and one.waits else tone)),
        Content.styled(word if not one.waits else "promote" if good else "stays out", tone),
    )


def head_line(desk: Desk) -> Content:
    """`4 memories wait, 3 earn their place`."""
    waiting = desk.memories
    if not waiting:
        return Content("no memory waits")
    good = sum(one.verdict is not None and one.verdict.promote for one in waiting)
    count = f"{len(waiting)} {'memory' if len(waiting) == 1 else 'memories'}"
    earn = f"{good} {'earns its' if good == 1 else 'earn their'} place" if good else "none earns its place"
    return Content.assemble(
        (count, "bold $warning"), " waits, " if len(waiting) == 1 else " wait, ",
        (earn, "$success" if good else "$text-muted"),
    )  # fmt: skip


def mode_names(here: str) -> Content:
    """The names of the screens. A click on one opens it."""
    parts = []
    for mode, name in _MODES:
        if mode == here:
            parts.append(Content.styled(name, "bold underline"))
        else:
            parts.append(clickable(name, f"app.mode('{mode}')"))
    return Content("   ").join(parts)


def clickable(words: str, action: str) -> Content:
    """Words that do something when they are clicked on."""
    return Content.styled(words, "$text-muted").stylize(Style.from_meta({"@click": action}))
