"""The question before a decision about many things, and what became of each: a list that must be read to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from dory_tui.review.items import Subject
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.screens.ask import AskScreen, Question
from dory_tui.tui.widgets.rows import Row, Span
from dory_tui.tui.widgets.text_view import TextView
from dory_tui.visible import visible_line

if TYPE_CHECKING:
    from dory_tui.review.bulk import Plan
    from dory_tui.review.change import DecisionError, Done


class AskAllScreen(AskScreen):
    """A question about a list. No answer counts before every line of it was on the screen."""

    AUTO_FOCUS = "#ask-list"

    def __init__(self, question: Question, clock: Monotonic, rows: Sequence[Row]) -> None:
        super().__init__(question, clock)
        self._rows = rows

    def compose(self) -> ComposeResult:
        with Vertical(id="ask-box"):
            yield TextView(id="ask-list")
            with Vertical(id="ask-choices"):
                yield from self.choices()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(TextView).show(self._rows, key="all")

    def action_choose(self, name: str) -> None:
        left = self.query_one(TextView).unseen
        if left:
            lines = "1 line is" if left == 1 else f"{left} lines are"
            self.warn(f"{lines} not read yet: Space reads on")
        else:
            super().action_choose(name)

    def warn(self, words: str) -> None:
        self.query_one("#ask-box").border_subtitle = Content.styled(words, "$warning")


def plan_rows(plans: Sequence[Plan]) -> list[Row]:
    """Every item with what runs or what is written, then what is left out and why."""
    rows: list[Row] = []
    number = 0
    for plan in plans:
        for item in plan.items:
            number += 1
            rows.append(_head(str(number), item.subject.id, item.title))
            rows.append(Row("", (Span(f"  {item.what}"),)))
    left = [one for plan in plans for one in plan.left_out]
    if left:
        rows += [*([Row("", ())] if rows else []), Row("", (Span("left out"),), "section")]
    for one in left:
        rows.append(_head("", one.subject.id, one.title))
        rows.append(Row("", (Span(f"  {one.why}"),), "note"))
    return rows


def report_rows(made: Sequence[tuple[Subject, Done | DecisionError]]) -> list[Row]:
    """What became of each."""
    rows = []
    for subject, became in made:
        if isinstance(became, Exception):
            rows.append(Row("", (Span(visible_line(f"{subject.id}: {became}")),), "removed"))
            continue
        commit = f" · commit {became.commit}" if became.commit else ""
        rows.append(Row("", (Span(visible_line(became.sentence)), Span(commit, "dim"))))
        trouble = [f"not committed: {became.postponed}"] if became.postponed else []
        trouble += [f"the decision stands, but: {problem}" for problem in became.problems]
        rows += [Row("", (Span(visible_line(f"  {words}")),), "note") for words in trouble]
    return rows


def _head(gutter: str, name: str, title: str) -> Row:
    known = visible_line(name)
    return Row(gutter, (Span(known, "heading"), Span("" if title == known else f"  {title}")))
