"""What stands beside a candidate: entries of MEMORY.md that are like it, and where it was learnt, as rows."""

from __future__ import annotations

from collections.abc import Sequence

from dory_tui.memory.near import Likeness, Near, Passage
from dory_tui.tui.widgets.detail import Pane
from dory_tui.tui.widgets.rows import Row, Span
from dory_tui.visible import visible_line
from dory_tui.workspace.promotions import Promotion


class NearPane(Pane, inherit_bindings=False):
    """A few rows that scroll when there is no room for them."""


def near_rows(likeness: Likeness, found: Promotion, replaced: int | None) -> list[Row]:
    """The passages most like a candidate, each with how like it is; `replaced` is the line that it supersedes."""
    nears = list(likeness.near(found.text))
    if replaced is not None and not any(_holds(near.passage, replaced) for near in nears):
        passage = next((one for one in likeness.passages if _holds(one, replaced)), None)
        nears += [Near(passage, 0.0, False)] if passage is not None else []
    if not nears:
        return [Row("", (Span("nothing in MEMORY.md is like it"),), "dim")]
    return [_row(near, near_word(near, replaced)) for near in nears]


def near_word(near: Near, replaced: int | None) -> str:
    """What is to be said of a passage that is like a candidate; empty for no more than that it is."""
    if replaced is not None and _holds(near.passage, replaced):
        return "replaces this"
    return "says the same already" if near.exact else ""


def _row(near: Near, word: str) -> Row:
    number = "1.0" if near.exact else f"{near.likeness:.2f}"[1:] if near.likeness else ""
    spans = [Span(visible_line(near.passage.text)), Span(f" · line {near.passage.first}", "dim")]
    return Row(number, (*spans, Span(f"  {word}", "note")) if word else tuple(spans))


def _holds(passage: Passage, line: int) -> bool:
    return passage.first <= line <= passage.last


def source_rows_of(found: Promotion, words: str | None) -> list[Row]:
    """Where a candidate was learnt, and the words of that line of the log where there is one."""
    if not found.source:
        return []
    path, mark, line = found.source.partition("#L")
    where = f"{path}, line {line}" if mark else path
    rows = [Row("", ()), Row("", (Span("learnt ", "dim"), Span(visible_line(where))))]
    return [*rows, Row("", (Span(f"“{visible_line(words)}”"),), "dim")] if words else rows


def left_rows(left: Sequence[tuple[Promotion, str]]) -> list[Row]:
    """Which candidates are not among all that pass, and why."""
    if not left:
        return [Row("", (Span("all that wait are in it"),), "dim")]
    rows = []
    for one, why in left:
        rows.append(Row("", (Span(visible_line(one.title)),)))
        rows.append(Row("", (Span(f"  {visible_line(why)}"),), "dim"))
    return rows
