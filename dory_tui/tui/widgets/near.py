"""What stands beside a candidate: entries of MEMORY.md that are like it, and where it was learnt, as rows."""

from __future__ import annotations

from collections.abc import Sequence

from dory_tui.memory.near import Likeness, Near
from dory_tui.review.previewing import near_number, near_word, nears
from dory_tui.tui.widgets.detail import Pane
from dory_tui.tui.widgets.rows import Row, Span
from dory_tui.visible import visible_line
from dory_tui.workspace.promotions import Promotion


class NearPane(Pane):
    """A few rows that scroll when there is no room for them."""


def near_rows(likeness: Likeness, found: Promotion, line: int | None) -> list[Row]:
    """The passages most like a candidate, each with how like it is; `line` is the one that it supersedes."""
    made = nears(likeness, found, line)
    if not made:
        return [Row("", (Span("nothing in MEMORY.md is like it"),), "dim")]
    return [_row(near, near_word(near, line)) for near in made]


def _row(near: Near, word: str) -> Row:
    spans = [Span(visible_line(near.passage.text)), Span(f" · line {near.passage.first}", "dim")]
    return Row(near_number(near), (*spans, Span(f"  {word}", "note")) if word else tuple(spans))


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
