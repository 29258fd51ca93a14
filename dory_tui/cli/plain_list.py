"""What `dory --plain` lists, part by part. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, HoldView


def parts(desk: Desk) -> Iterator[tuple[str, list[tuple[object, str]]]]:
    """Each part of the list: its title, and what stands in it with its line."""
    yield "HOLD: blocked", [(view, hold_line(view)) for view in desk.holds]
    yield "ACTIVE: the task", [(one, f"{'done: ' if one.over else ''}“{one.said}”") for one in desk.tasks]
    promises = [(one, f"promised: {one.text} ({one.path} line {one.line})") for one in desk.promises]
    yield "PROMISES that are open", list(promises)
    waiting = [(item, f"{item.word}: {item.title} ({item.draft.id})") for item in desk.waiting]
    yield "STAGING: drafts that wait for a yes", list(waiting)
    others = [item for item in desk.staged if item not in desk.waiting]
    yield "STAGING: the others", [(item, f"{item.word}: {item.title} ({item.draft.id})") for item in others]
    yield "MEMORY: what the agent would remember", [(one, _memory_line(one)) for one in desk.memories]


def hold_line(view: HoldView) -> str:
    """A hold, and what it covers."""
    covers = "everything" if view.hold.everything else ", ".join(view.covers) or "no draft"
    return f"{view.hold.subject} · covers {covers}{' · stale' if view.stale else ''}"


def _memory_line(one: Candidate) -> str:
    if one.verdict is None:
        return f"{one.promotion.id}: {one.promotion.problem}"
    says = "earns its place" if one.verdict.promote else "stays out"
    return f"{one.verdict.total} {one.promotion.title} ({says}, {one.promotion.id})"
