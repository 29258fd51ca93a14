"""The right side: a page's title, its facts, its text, and what stays at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dory_tui.tui import keys
from dory_tui.tui.widgets.pages import Fact, Page
from dory_tui.tui.widgets.rows import Row, Span
from dory_tui.tui.widgets.score_editor import ScoreEditor
from dory_tui.tui.widgets.text_view import TextView

_MOST_FACTS = 12
"""Lines that facts may take (review.tcss)."""
_TONES = {"quiet": "$text-muted", "asks": "$warning", "held": "$error"}
_ROW_STYLES = {"quiet": "dim", "asks": "note", "held": "removed"}


def _line(fact: Fact) -> Content:
    return Content.styled(fact.text, _TONES[fact.tone])


class Pane(TextView, inherit_bindings=False):
    """A text in which the keys that page are the screen's, since they go on into the next pane."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.TEXT]


class RunsBlock(Pane):
    """What runs if it is approved: labels at the left, every argument on a line of its own."""


class Detail(Container):
    """Shows one page. `unseen` counts its lines that were never on the screen, what would run included."""

    class Seen(Message):
        """More of the page was seen."""

    def __init__(self, *, id: str, text: Pane | None = None, scores: ScoreEditor | None = None) -> None:
        super().__init__(id=id)
        self.page: Page | None = None
        self.low = False
        """Few lines: facts below the first scroll with the text."""
        self._title = Static(markup=False, id="detail-title")
        self._state = Static(markup=False, id="detail-state")
        self._facts = Static(markup=False, id="detail-facts")
        self._seen = Static(markup=False, id="detail-seen")
        self.text = text or Pane(id="detail-text")
        self.block = RunsBlock(id="detail-block")
        self.scores = scores or ScoreEditor(id="detail-scores")
        self._reading = Vertical(self._title, self._state, self._facts, self.text, self._seen, id="detail-reading")

    def compose(self) -> ComposeResult:
        yield self._reading
        yield self.block
        yield self.scores

    def show(self, page: Page) -> None:
        """Show a page. One with the same key keeps its place, and what was seen of it."""
        self.page = page
        title = Content.styled(page.title, "bold $foreground")
        self._title.update(title, layout=False)
        self._reading.border_title = title
        self._fill(page)
        block, card = page.block, page.card
        self.block.display = block is not None
        if block is not None:
            self.block.show(list(block.rows), key=page.key)
        self.scores.display = card is not None
        if card is not None:
            self.scores.border_title = Content.styled("scores, and the size of MEMORY.md", "$secondary")
            self.scores.show(card)
        self.tell()

    def _fill(self, page: Page) -> None:
        """A quiet first fact is cut to the width; the others are whole, or rows of the text where lines are few."""
        moved = self._place_facts(page)
        self.text.show([*moved, *page.rows], key=f"{page.key}:{len(moved)}", numbers=page.numbers)

    def _place_facts(self, page: Page) -> list[Row]:
        """Show the facts above the text; returns those that scroll with it instead."""
        state = 1 if page.facts and page.facts[0].tone == "quiet" else 0
        self._state.update(_line(page.facts[0]) if state else "", layout=False)
        self._state.display = bool(state)
        above: Sequence[Fact] = () if self.low else page.facts[state:]
        shown = Content("\n").join(map(_line, above))
        self._facts.update(shown, layout=bool(above) and self._other_height(shown))
        self._facts.display = bool(above)
        return [Row("", (Span(fact.text),), _ROW_STYLES[fact.tone]) for fact in page.facts[state + len(above) :]]

    def _other_height(self, facts: Content) -> bool:
        """Whether facts take other lines than those shown: only then is the screen laid out anew."""
        width, height = self._facts.size
        return not width or min(_MOST_FACTS, facts.get_height({}, width)) != height

    def set_low(self, low: bool) -> None:
        if low != self.low:
            self.low = low
            self.scores.compact = low
            if self.page is not None:
                self._fill(self.page)
                self.tell()

    @property
    def unseen(self) -> int:
        """Lines of the text and of what would run that were never wholly on the screen."""
        page = self.page
        if page is None:
            return 0
        return self.text.unseen + (self.block.unseen if page.block is not None else 0)

    def on_text_view_seen(self, event: TextView.Seen) -> None:
        event.stop()
        self.tell()
        self.post_message(self.Seen())

    def tell(self) -> None:
        """Say how much was seen: under the text, and at the edge of what would run."""
        page = self.page
        told = Content("")
        if page is not None and page.counted:
            count, left = len(page.rows), self.unseen
            lines = "1 line" if count == 1 else f"{count} lines"
            told = Content.styled(f"{lines}, all seen", "$text-muted")
            if left:
                more = "1 more line" if left == 1 else f"{left} more lines"
                waits = "a waits, Space reads on" if self.text.size.width > 52 else "a waits (Space)"
                told = Content.styled(f"{more}, not seen yet{f': {waits}' if page.asks else ''}", "$warning")
        self._reading.border_subtitle = self._edge(told)
        self._seen.update(told, layout=False)
        self._seen.set_class(not told.plain, "-empty")
        if page is not None and page.block is not None:
            below = self.block.unseen
            more = f"  {below} more line{'' if below == 1 else 's'} below" if below else ""
            self.block.border_title = Content.assemble((page.block.title, "$secondary"), (more, "$warning"))

    def _edge(self, told: Content) -> Content:
        """What stands at the lower edge of the text."""
        return told

    def read(self, step: int) -> None:
        """Page through the text, then through what would run."""
        text, block = self.text, self.block
        views = [text, block] if block.display else [text]
        for view in views if step > 0 else reversed(views):
            at_end = view.scroll_offset.y >= view.max_scroll_y if step > 0 else view.scroll_offset.y <= 0
            if not at_end:
                view.action_text_page(step)
                return
