"""What is known of one entry of MEMORY.md, and how far your scores lie from the agent's. Pure.

All text from files passes `visible` or `visible_line` here. No string is ever read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from dory_tui.memory.pruning import Entry
from dory_tui.tui.widgets.audit_list import Known
from dory_tui.visible import visible, visible_line

if TYPE_CHECKING:
    from dory_tui.memory.audit import Audited, Gap
    from dory_tui.review.auditing import Audit

NO_FILE = "There is no MEMORY.md yet: the first memory that you promote (M, then a) makes it, or `dory init`."
NO_ENTRIES = "MEMORY.md has no entries yet: the first memory that you promote (M, then a) is one. Esc goes back."
_NOTHING_SCORED = "Nothing to compare yet. When you change a candidate's scores (s), how far you and the agent differ"
_LABEL = 11
_AMOUNT = 11
_HALF = 6
"""Cells of a bar on each side of the agent's score, which is in the middle: two for each point."""


def entry_facts(entry: Entry, known: Known, words: str | None, width: int) -> Content:
    """Where it stands, since when, and where a log last spoke of it, in `words`; then its own words.

    `width` is the room for a line; what is known is cut there, and its own words wrap.
    """
    lines = [_fact("section", Content(f"{visible_line(entry.section) or 'before the first'}, line {entry.first}"))]
    one, audit = known.of(entry), known.audit
    if one is None or audit is None:
        lines += [_fact("since", Content.styled("…", "$text-muted")), _fact("mentioned", Content(""))]
    else:
        tone = "$error" if one.stale else ""
        lines.append(_fact("since", Content.styled(_since(one, audit), tone)))
        lines += _mentioned(one, audit, words, tone)
    _, _, more = entry.text.partition("\n")
    own = [visible_line(entry.words), *visible(more).text.split("\n")]
    return Content("\n").join(
        [*(line.truncate(width, ellipsis=True) for line in lines), Content(""), *map(Content, own)]
    )


def _fact(label: str, value: Content) -> Content:
    return Content.assemble((f"{label:<{_LABEL}}", "$text-muted"), value)


def _since(one: Audited, audit: Audit) -> str:
    if one.since is None:
        return "nobody knows"
    origin = "" if audit.dated else ", by the file's date: git has no history of it"
    return f"{one.since.date()}, {ago(one.age(audit.today))}{origin}"


def _mentioned(one: Audited, audit: Audit, words: str | None, tone: str) -> list[Content]:
    if one.mention is None:
        return [_fact("mentioned", Content.styled("never, in any log", tone))]
    place = Content.styled(f"{visible_line(one.mention.path)}:{one.mention.line}", tone)
    said = f": “{visible_line(words)}”" if words else ""
    when = Content.assemble((ago(one.silent(audit.today)), tone), (said, "$text-muted"))
    return [_fact("mentioned", place), _fact("", when)]


def ago(days: int | None) -> str:
    if days is None or days <= 0:
        return "today"
    return "yesterday" if days == 1 else f"{days:,} days ago"


# The scores


def compared(gaps: Sequence[Gap]) -> int:
    """How many candidates have scores of both."""
    return max((gap.compared for gap in gaps), default=0)


def gap_lines(gaps: Sequence[Gap]) -> Content:
    """A line for each axis: a bar from the agent's score in the middle to yours, and the same in words."""
    if not compared(gaps):
        return Content.styled(f"{_NOTHING_SCORED} stands here, axis by axis.", "$text-muted")
    return Content("\n").join(
        Content.assemble(f"{gap.axis.capitalize():<{_LABEL}} ", _bar(gap.mean), "  ", _words(gap)) for gap in gaps
    )


def gap_line(gaps: Sequence[Gap]) -> Content:
    """The same in one line, for few lines: `scores against the agent's: longevity -0.8, reuse +0.5`."""
    if not compared(gaps):
        return Content.styled("scores against the agent's: nothing to compare yet", "$text-muted")
    apart = [gap for gap in sorted(gaps, key=lambda gap: -abs(gap.mean)) if _tenths(gap.mean)]
    said = ", ".join(f"{gap.axis} {gap.mean:+.1f}" for gap in apart) or "the same on average"
    return Content.assemble(("scores against the agent's: ", "$text-muted"), said)


def _bar(mean: float) -> Content:
    """`·····━━┃······`: two cells a point, to the left where you gave less."""
    long = min(_HALF, max(1, round(abs(mean) * 2))) if _tenths(mean) else 0
    left, right = (long, 0) if mean < 0 else (0, long)
    return Content.assemble(
        ("─" * (_HALF - left), "$text-disabled"), ("━" * left, "$secondary"), ("┃", "$text-muted"),
        ("━" * right, "$secondary"), ("─" * (_HALF - right), "$text-disabled"),
    )  # fmt: skip


def _words(gap: Gap) -> Content:
    changed = f"{gap.changed} of {gap.compared} changed" if gap.changed else "none changed"
    amount = _tenths(gap.mean)
    return Content.assemble(
        (f"{amount or 'the same':<{_AMOUNT}}", "" if amount else "$text-muted"), (changed, "$text-muted")
    )


def _tenths(mean: float) -> str:
    """`0.8 less`, `1.2 more`; empty where it rounds to nothing."""
    amount = f"{abs(mean):.1f}"
    return "" if amount == "0.0" else f"{amount} {'less' if mean < 0 else 'more'}"
