"""What is owed and what contradicts: a promise as a line, and the holds that come before a task. Pure."""

from __future__ import annotations

from textual.content import Content
from textual.visual import Visual

from dory_tui.gate.conflicts import asks_for
from dory_tui.review.desk import Desk
from dory_tui.tui.widgets.browser import Columns
from dory_tui.visible import visible_line
from dory_tui.workspace.entries import Task
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.promises import Promise
from dory_tui.workspace.until import STALE_DAYS


def blocking(task: Task, desk: Desk) -> list[Hold]:
    """The holds that block what a task asks for: those come first (workspace.md, precedence)."""
    return [] if task.over else [view.hold for view in desk.holds if asks_for(task, view.hold)]


def stale(one: Promise, desk: Desk) -> bool:
    """Whether a promise is as old as a hold that went stale."""
    return (desk.today - one.day).days >= STALE_DAYS


def age_of(one: Promise, desk: Desk) -> str:
    """`today`, `3 d`: since the day in whose log it stands."""
    days = (desk.today - one.day).days
    return f"{days} d" if days > 0 else "today"


def promise_row(one: Promise, desk: Desk) -> Visual:
    """`promised 3 d: send Ana the poster`: quiet, its age red once it is stale."""
    age = (f"promised {age_of(one, desk)}: ", "$error" if stale(one, desk) else "$text-muted")
    return Columns(Content.assemble(age, (visible_line(one.text), "$text-muted")), Content(""))
