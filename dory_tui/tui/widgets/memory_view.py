"""What the Memory screen shows of a candidate, or of all that pass: the page, the diff, the size, what is like it.

Reads one line of a log; called in a thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dory_tui.diff import Diff, diff
from dory_tui.memory.near import Likeness
from dory_tui.memory.promoting import NOTHING, Preview, Together, preview_all
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate
from dory_tui.review.previewing import Proposal, propose, replaced, source_words
from dory_tui.tui.widgets.cap_meter import Size
from dory_tui.tui.widgets.diff_view import Shown
from dory_tui.tui.widgets.memory_page import page_of
from dory_tui.tui.widgets.near import left_rows, near_rows, source_rows_of
from dory_tui.tui.widgets.pages import Fact, Page, with_secrets
from dory_tui.tui.widgets.rows import Row, diff_rows
from dory_tui.visible import Looking, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.document import decode

CONTEXTS = (0, 1, 3, 6, 12, 25, 1_000_000)
"""How many unchanged lines may stand around a change; the last is all."""
USUAL = 2


@dataclass(frozen=True)
class MemoryView:
    """One look: its page, the diff if there is one, MEMORY.md's size, and the rows beside it under their title."""

    page: Page
    diff: Shown | None
    size: Size
    beside: tuple[Row, ...]
    beside_title: str


def candidate_view(
    one: Candidate, desk: Desk, position: str, *, context: int, over: int | None, likeness: Likeness
) -> MemoryView:
    """A candidate that waits or was decided. `over` is what a human said that it replaces."""
    with Looking(of=(decode(desk.memory or b""), decode(one.promotion.data))):
        return _candidate_view(one, desk, position, context=context, over=over, likeness=likeness)


def _candidate_view(
    one: Candidate, desk: Desk, position: str, *, context: int, over: int | None, likeness: Likeness
) -> MemoryView:
    made = propose(one, desk, over) if one.waits else Proposal(None)
    page = page_of(one, desk, position, made)
    page = replace(page, facts=(*page.facts, *_offers(made)))
    shown = None
    if made.preview is not None:
        shown = _diff(made.preview, context)
        page = replace(page, rows=diff_rows(shown.diff, shown.old, shown.new))
    memory = desk.memory or b""
    found = one.promotion
    beside: list[Row] = []
    if one.waits and found.problem is None:
        beside = near_rows(likeness, found, replaced(memory, found, over))
    beside += source_rows_of(found, source_words(desk.gate.root, found.source))
    after = made.preview.after if made.preview is not None else None
    return MemoryView(page, shown, Size(memory, after, desk.settings.cap), tuple(beside), "Like it in MEMORY.md")


def _offers(made: Proposal) -> list[Fact]:
    """What can be done about what stands in the way."""
    if made.unclear is not None:
        return [Fact("a asks what it should replace, if anything", "asks")]
    if made.refusal is not None and made.preview is not None:
        return [Fact("P takes entries out of MEMORY.md", "asks")]
    if made.over == NOTHING:
        return [Fact("it replaces nothing, as you said", "asks")]
    return [Fact(f"it replaces line {made.over}, as you said", "asks")] if made.over is not None else []


def together_view(desk: Desk, context: int) -> MemoryView:
    """All that earn their place and fit, in the order in which they are promoted."""
    made = together(desk)
    shown = _diff(made.preview, context)
    count, wait = len(made.taken), len(desk.memories)
    facts = [Fact(f"{count} of {wait} that wait earn their place and fit: A promotes them all")]
    facts += [Fact(f"MEMORY.md gets a section “{visible_line(name)}”", "asks") for name in dict.fromkeys(made.created)]
    page = Page(
        f"together:{hash(made.preview.before)}:{hash(made.preview.after)}",
        "all that pass", tuple(facts), diff_rows(shown.diff, shown.old, shown.new),
        numbers=True, counted=True,
    )  # fmt: skip
    size = Size(made.preview.before, made.preview.after, desk.settings.cap)
    return MemoryView(page, shown, size, tuple(left_rows(made.left_out)), "Not among them")


def together(desk: Desk) -> Together:
    """MEMORY.md after all that pass."""
    waiting = [one.promotion for one in desk.memories]
    if layout.MEMORY in desk.unread:
        left = tuple((one, desk.unread[layout.MEMORY]) for one in waiting)
        return Together(Preview(b"", b"", None), (), left, ())
    return preview_all(desk.memory or b"", waiting, desk.settings.cap)


def plain_view(page: Page, desk: Desk) -> MemoryView:
    """A page that is about no candidate."""
    return MemoryView(page, None, Size(desk.memory or b"", None, desk.settings.cap), (), "Like it in MEMORY.md")


def text_diff(before: bytes, after: bytes, context: int) -> Shown:
    """The diff of two files, for a view with nothing above it."""
    return _diff(Preview(before, after, None), context)


def revealing(view: MemoryView, look: Looking) -> MemoryView:
    """A look with what is to be said of the secrets that were met in it, and with the diff masked, or not, as they."""
    shown = None if view.diff is None else replace(view.diff, reveal=look.reveal)
    return replace(view, page=with_secrets(view.page, look), diff=shown)


def _diff(would: Preview, context: int) -> Shown:
    old, new = decode(would.before), decode(would.after)
    found: Diff = diff(old, new, context)
    return Shown((), found, old, new)
