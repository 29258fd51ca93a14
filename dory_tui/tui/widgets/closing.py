"""The last page of a review: what was decided, what will run and when, what is held, and whether anything runs it."""

from __future__ import annotations

from collections.abc import Iterator

from dory_tui.review.desk import Desk
from dory_tui.review.session import Session
from dory_tui.review.summary import Summary, summarise
from dory_tui.tui.widgets.pages import Fact, Page
from dory_tui.tui.widgets.rows import Row, Span, message_rows
from dory_tui.visible import visible_line
from dory_tui.workspace import layout

_INIT = "`dory init` adds what is missing, and overwrites nothing."
CLOSING = "end:"
"""How the key of the closing page begins."""


def closing_page(desk: Desk, session: Session | None) -> Page:
    """The end of a review. Pure."""
    found = summarise(desk, session)
    rows: list[Row] = []
    if not any(path in desk.texts or path in desk.unread for path in layout.STATE_FILES):
        first = "This folder has no state files yet."
        rows += [*message_rows(first, _INIT, "The README says how an agent uses them.", style=""), Row("", ())]
    for part in (_runs(found), _held(found), _scheduler(found), _decided(found)):
        rows += [*part, Row("", ())]
    undoes = "u takes the last decision back; " if found.decided else ""
    rows += message_rows(f"{undoes}q closes dory, which decides nothing.", style="")
    facts = tuple(_facts(found))
    key = f"{CLOSING}{len(found.decided)}:{found.waiting}:{hash((found.runs, found.held))}"
    return Page(key, _title(found), facts, rows, numbers=True)


def _title(found: Summary) -> str:
    if found.waiting:
        return f"{found.waiting} still wait{'s' if found.waiting == 1 else ''} for you"
    return "All reviewed" if found.decided else "Nothing waits for you"


def _facts(found: Summary) -> Iterator[Fact]:
    count = len(found.decided)
    if count:
        yield Fact(f"{count} decision{'' if count == 1 else 's'} in this review")
    if found.waiting:
        yield Fact("j goes to what waits", "asks")


def _runs(found: Summary) -> Iterator[Row]:
    """What the yeses let run, in the order of their times. Nothing else can run."""
    if not found.runs:
        held = any(one.approved for one in found.held)
        says = "Nothing can run: what is approved is held." if held else "Nothing is approved, so nothing will run."
        yield from message_rows(says, style="")
        return
    yield _heading("What your yes lets run, and nothing else")
    for run in found.runs:
        yield _row(Span(run.id, "code"), Span(f"  {run.title}"))
        yield _row(Span(f"{run.when} · lane {run.lane}" if run.lane else run.when, "dim"))


def _held(found: Summary) -> Iterator[Row]:
    """Each hold, and the drafts that it keeps."""
    if found.held:
        yield _heading("What a hold keeps from running")
    for sentence in dict.fromkeys(one.by for one in found.held):
        yield _row(Span(f"{sentence}:", "dim"))
        for one in found.held:
            if one.by == sentence:
                waits = "" if one.approved else " · waits for a yes"
                yield _row(Span(one.id, "code"), Span(f"  {one.title}"), Span(waits, "dim"))


def _row(*spans: Span) -> Row:
    """A line under a heading: the gutter sets it in."""
    return Row(" ", spans)


def _scheduler(found: Summary) -> Iterator[Row]:
    """Whether anything is there to run it; if not, how to have it."""
    yield _heading("What starts it")
    says = f"{found.scheduler[:1].upper()}{found.scheduler[1:]}."
    yield _row(Span(says, "" if found.scheduler_ok else "note"))
    if found.setup is not None:
        yield _row(Span("With `crontab -e`, for a look every five minutes:"))
        yield _row(Span(found.setup, "code"))


def _decided(found: Summary) -> Iterator[Row]:
    if found.decided:
        yield _heading("What you decided")
        for sentence in found.decided:
            yield _row(Span(visible_line(sentence)))


def _heading(words: str) -> Row:
    return Row("", (Span(words),), "section")
