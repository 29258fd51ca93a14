"""The end of a review: what was decided, what will run and when, and whether anything is there to run it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from dory_tui.gate.rules import held_sentence
from dory_tui.gate.window import window
from dory_tui.review.desk import Desk
from dory_tui.review.items import Staged
from dory_tui.review.scheduling import crontab_line, program
from dory_tui.review.session import Session
from dory_tui.visible import visible_line
from dory_tui.workspace.timestamps import age, when

NEVER_LOOKED = "nothing has ever run `dory-agent run --due` here: until something does, a yes starts nothing"
SILENT = timedelta(hours=1)
"""A scheduler that has not looked for so long is taken for gone."""


@dataclass(frozen=True, slots=True)
class Run:
    """One approved draft that nothing holds. `when` says it in words; `starts` is its earliest time, None for now."""

    id: str
    title: str
    when: str
    lane: str | None
    starts: datetime | None
    ends: datetime
    text: bool = False
    """Whether nothing runs: the agent may use its words once."""


@dataclass(frozen=True, slots=True)
class Held:
    """One draft that waits for a hold to be lifted, and the sentence that says which."""

    id: str
    title: str
    by: str
    approved: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """`decided` are sentences, oldest first, without what was undone; `setup` a crontab line, where one is needed."""

    decided: tuple[str, ...]
    runs: tuple[Run, ...]
    held: tuple[Held, ...]
    waiting: int
    scheduler: str
    scheduler_ok: bool
    setup: str | None = None


def summarise(desk: Desk, session: Session | None) -> Summary:
    """What a review comes to. `waiting` counts drafts and memories that still want a word."""
    decided = tuple(visible_line(one.sentence) for one in (session.decided if session else ()) if not one.undone)
    runs = [_run(desk, item) for item in desk.staged if item.standing.state == "approved" and not item.held]
    held = [_held(item) for item in desk.staged if item.held and _open(item)]
    looks = desk.last_look is not None and desk.now - desk.last_look < SILENT
    return Summary(
        decided,
        tuple(sorted((run for run in runs if run is not None), key=lambda run: run.starts or desk.now)),
        tuple(held),
        len(desk.queue),
        _scheduler(desk),
        looks,
        None if looks else visible_line(crontab_line(program(desk.gate.environment), str(desk.gate.root))),
    )


def _run(desk: Desk, item: Staged) -> Run | None:
    approval = item.standing.approval
    if approval is None:
        return None
    start, end, late = window(approval.data, approval.when)
    text = not approval.data.get("action")
    latest = end if late is None else min(late, end)
    if start is not None and start > desk.now:
        words = f"{when(start, desk.now)} to {when(latest, desk.now)}"
    elif text:
        words = f"the agent may use it once, until {when(end, desk.now)}"
    else:
        words = f"when a scheduler next looks, until {when(latest, desk.now)}"
    lane = approval.data.get("lane")
    title = visible_line(item.title)
    starts = start if start is not None and start > desk.now else None
    return Run(item.draft.id, title, words, None if lane is None else visible_line(str(lane)), starts, latest, text)


def _held(item: Staged) -> Held:
    by = visible_line(held_sentence(item.standing.held_by))
    return Held(item.draft.id, visible_line(item.title), by, item.standing.state == "approved")


def _open(item: Staged) -> bool:
    """Whether lifting its hold could still let it run."""
    return item.standing.state in ("approved", "pending", "superseded", "missed", "expired")


def _scheduler(desk: Desk) -> str:
    if desk.last_look is None:
        return NEVER_LOOKED
    span = age(desk.now - desk.last_look)
    return "the scheduler last looked just now" if span == "now" else f"the scheduler last looked {span} ago"
