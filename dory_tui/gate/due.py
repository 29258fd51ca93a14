"""What a scheduler calls: start what is due, never in a burst, and note that somebody looked."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from dory_tui.gate import action, notes
from dory_tui.gate.rules import Exit, Standing
from dory_tui.gate.runner import Answer, answer, executable_now, last_approval, run
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import LedgerError
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.timestamps import parse_instant

LOOKED = "looked.json"
_NOT_DUE = frozenset(
    {"done", "happened", "rejected", "changes-requested", "revoked", "running", "failed", "not-happened", "unknown",
     records.ABORTED}
)  # fmt: skip

_NAMED = ("approved", "superseded", "missed", "expired", "pending")
"""States in which a yes that is on record makes an item due; what stands in its way is named."""


def run_due(gate: Gate, most: int | None = None) -> list[Answer]:
    """Start what is due: at most one item per lane and call, the longest due first. Refusals are listed too.

    Due is what is approved, and what a time of its own has come for, approved or not. WorkspaceError when STAGING.md
    cannot be read. Ended by a signal in mid-run, it starts nothing more.
    """
    answers: list[Answer] = []
    taken: set[str] = set()
    started = 0
    for draft, standing in _due(gate):
        lane = _lane_of(standing)
        if standing.code == Exit.FINE and lane in taken:
            answers.append(
                Answer(
                    draft.id,
                    Exit.NOT_YET,
                    f"one item of the lane {lane} was started in this call",
                    "approved",
                )
            )
            continue
        if standing.code == Exit.FINE and most is not None and started >= most:
            answers.append(Answer(draft.id, Exit.NOT_YET, f"this call may start {most}", "approved"))
            continue
        found = run(gate, draft.id) if standing.code == Exit.FINE else answer(draft.id, standing)
        if found.started or found.state == records.ABORTED:
            taken.add(lane)
            started += 1
        answers.append(found)
        if found.interrupted:
            break
    _note_look(gate, answers)
    return answers


def _lane_of(standing: Standing) -> str:
    if standing.approval is not None:
        return str(standing.approval.data.get("lane") or action.DEFAULT_LANE)
    return action.DEFAULT_LANE


def _due(gate: Gate) -> list[tuple[Draft, Standing]]:
    """Drafts with an action that are due, the longest due first."""
    now = gate.clock()
    holds = gate.holds()
    with suppress(LedgerError):  # `run` notices them again, and refuses when it cannot
        gate.notice_holds(holds)
    found: list[tuple[datetime, str, Draft, Standing]] = []
    for draft in gate.staging().drafts:
        try:
            standing = gate.standing(draft, holds, executable=executable_now(gate, draft), now=now)
        except LedgerError as error:
            standing = Standing("invalid", str(error), Exit.REFUSED)
        if standing.state in _NOT_DUE:
            continue
        since = _due_since(gate, draft, standing, now)
        if since is not None:
            found.append((since, draft.id, draft, standing))
    return [(draft, standing) for _, _, draft, standing in sorted(found, key=lambda item: item[:2])]


def _due_since(gate: Gate, draft: Draft, standing: Standing, now: datetime) -> datetime | None:
    """Since when an item is due; None when it is not, or is text that no scheduler runs."""
    approval = standing.approval
    broken = standing.state == "invalid"
    if broken:
        with suppress(LedgerError):  # one that got a yes and is blocked now is named, not passed over
            approval = last_approval(gate, draft)
    if approval is not None and (broken or standing.state in _NAMED):
        if not approval.data.get("action"):
            return None
        start = approval.data.get("not_before")
        since = parse_instant(start) if start else approval.when
        return since if broken or since <= now else None
    try:
        plan = action.plan(draft)
    except action.ActionError:
        return None
    start_time = plan.schedule.not_before
    if plan.action is None or start_time is None or start_time > now:
        return None
    return start_time


def _note_look(gate: Gate, answers: list[Answer]) -> None:
    """Remember that a scheduler looked (commands.md)."""
    started = [a.id for a in answers if a.started]
    refused = [[a.id, a.sentence] for a in answers if not a.started]
    with suppress(LedgerError):
        gate.settle()
    notes.write(gate, LOOKED, gate.clock(), {"started": started, "refused": refused})


def last_look(gate: Gate) -> datetime | None:
    """When `run --due` last looked at this workspace; None when it never did."""
    return notes.when(gate, LOOKED)
