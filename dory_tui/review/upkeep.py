"""`dory upkeep`: what is due, as data that a screen and the command line show alike (memory.md, "Upkeep")."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from dory_tui.config import ConfigError
from dory_tui.gate.window import window
from dory_tui.gate.zoned import moment
from dory_tui.ledger.store import LedgerError
from dory_tui.review.archiving import plan
from dory_tui.review.change import DecisionError
from dory_tui.review.days import without_log
from dory_tui.review.desk import Desk
from dory_tui.review.items import HoldView, Staged
from dory_tui.review.linting import lint
from dory_tui.review.restoring import Lost, lost
from dory_tui.wording import some
from dory_tui.workspace import logs
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.frontmatter import FrontMatterError
from dory_tui.workspace.timestamps import age, when
from dory_tui.workspace.until import stale

Kind = Literal["shrunken", "drafts", "promises", "days", "holds", "lint", "archive", "memories", "unread"]

SOON = timedelta(hours=24)
LAST = timedelta(hours=6)
"""A yes that names no end holds for a day: it ends soon in its last hours, and not from the first."""
LOOKED_AT = 14
"""Logs of so many days are compared with their last commit."""


@dataclass(frozen=True, slots=True)
class Duty:
    """One kind of thing that is due. `does` is the command that sees to it, `items` a sentence for each of `count`."""

    kind: Kind
    sentence: str
    count: int
    does: str
    items: tuple[str, ...] = ()


def due(desk: Desk) -> tuple[Duty, ...]:
    """All that is due, what is lost or runs out first. Asks git, so not in the loop of a screen."""
    ways: tuple[Callable[[Desk], Duty | None], ...] = (
        _shrunken, _drafts, _promises, _days, _holds, _lint, _archive, _memories,
    )  # fmt: skip
    found = []
    for way in ways:
        try:
            duty = way(desk)
        except (WorkspaceError, LedgerError, ConfigError, DecisionError) as error:
            duty = Duty("unread", str(error), 1, "dory status", (str(error),))
        if duty is not None:
            found.append(duty)
    return tuple(found)


def shrunken(desk: Desk) -> Iterator[Lost]:
    """The logs of the last two weeks that lost lines since they were last committed."""
    for log in logs.list_logs(desk.gate.root):
        if not log.archived and (desk.today - log.day).days <= LOOKED_AT:
            found = lost(desk.gate, log)
            if found is not None:
                yield found


def stale_holds(desk: Desk) -> Iterator[tuple[HoldView, str]]:
    """Each hold that should be looked at again, and why."""
    for view in desk.holds:
        reason = stale(view.hold.text, view.hold.when.date() if view.hold.when else None, desk.today)
        if reason is not None:
            yield view, reason


def expiring(desk: Desk) -> Iterator[tuple[Staged, datetime]]:
    """Each open draft whose schedule ends within 24 hours, or whose yes within 6, and when."""
    for item in desk.staged:
        if item.standing.needs_yes or item.standing.state == "approved":
            end, span = _end(item)
            if end is not None and timedelta() <= end - desk.now <= span:
                yield item, end


def _end(item: Staged) -> tuple[datetime | None, timedelta]:
    """When a draft, or the yes to it, ends, and how long before that is soon."""
    approval = item.standing.approval
    if item.standing.state == "approved" and approval is not None:
        return window(approval.data, approval.when)[1], SOON if approval.data.get("expires") else LAST
    try:
        schedule = item.draft.front.values.get("schedule")
        named = schedule.get("expires") if isinstance(schedule, dict) else None
        return moment(str(named)) if named else None, SOON
    except (FrontMatterError, ValueError):
        return None, SOON


def _shrunken(desk: Desk) -> Duty | None:
    items = tuple(
        f"{one.path} lost {some(len(one.lines), 'line', 'lines')} since it was last committed" for one in shrunken(desk)
    )
    said = f"{some(len(items), 'log', 'logs')} lost lines"
    return Duty("shrunken", said, len(items), "dory upkeep", items) if items else None


def _drafts(desk: Desk) -> Duty | None:
    items = tuple(
        f"{item.draft.id} ({item.word}) ends {when(end, desk.now)}, in {age(end - desk.now)}"
        for item, end in expiring(desk)
    )
    said = f"{some(len(items), 'draft ends', 'drafts end')} within 24 hours"
    return Duty("drafts", said, len(items), "dory", items) if items else None


def _promises(desk: Desk) -> Duty | None:
    items = tuple(
        f"{one.text} ({age(timedelta(days=max(0, (desk.today - one.day).days)))}, {one.path} line {one.line})"
        for one in desk.promises
    )
    said = f"{some(len(items), 'promise is', 'promises are')} open"
    return Duty("promises", said, len(items), "dory kept", items) if items else None


def _days(desk: Desk) -> Duty | None:
    found = without_log(desk.gate, logs.list_logs(desk.gate.root))
    items = tuple(f"{day}: {some(count, 'commit', 'commits')} and no log" for day, count in sorted(found.items()))
    said = f"{some(len(items), 'day has', 'days have')} commits and no log"
    return Duty("days", said, len(items), "dory log", items) if items else None


def _holds(desk: Desk) -> Duty | None:
    items = tuple(f"{view.hold.text} — {reason}" for view, reason in stale_holds(desk))
    said = f"{some(len(items), 'hold is', 'holds are')} stale"
    return Duty("holds", said, len(items), "dory lift", items) if items else None


def _lint(desk: Desk) -> Duty | None:
    items = tuple(str(one) for one in lint(desk.gate))
    said = f"lint finds {some(len(items), 'thing', 'things')} to see to"
    return Duty("lint", said, len(items), "dory lint", items) if items else None


def _archive(desk: Desk) -> Duty | None:
    todo = plan(desk.gate)
    if not todo.due:
        return None
    items = tuple(f"{old} → {new}" for old, new in todo.moves.items())
    said = f"{todo.sentence} can go to the archive" if todo.sentence else "an archiving was cut short"
    return Duty("archive", said, max(1, len(todo.moves) + todo.decisions + todo.recent), "dory archive", items)


def _memories(desk: Desk) -> Duty | None:
    items = tuple(f"{one.promotion.id}: {one.promotion.title}" for one in desk.memories)
    said = f"{some(len(items), 'memory waits', 'memories wait')} for your verdict"
    return Duty("memories", said, len(items), "dory", items) if items else None
