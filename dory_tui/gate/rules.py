"""One pure function: a draft's bytes, its records, the holds and the time, in; a state and a reason, out.

The screen, the command line and the runner all ask it (gate.md, "State is derived from records"). It touches no file
and no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from dory_tui.gate.action import YES_HOLDS
from dory_tui.ledger import records
from dory_tui.ledger.store import Item
from dory_tui.values import dataclass, replace
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.timestamps import parse_instant, when

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

CLOCK_SLACK = timedelta(minutes=2)


class Exit(IntEnum):
    """Exit codes, everywhere (commands.md)."""

    FINE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    CLAIMED = 4
    UNKNOWN = 5
    HELD = 6
    NOT_YET = 75


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about. `digest` is of the bytes now; `executable` the hash of the program now, if it was looked up.

    `problem` is the sentence for a draft that cannot be read or used; `holds` are those that cover it.
    """

    id: str
    digest: str
    items: Sequence[Item]
    holds: Sequence[Hold]
    now: datetime
    root: str
    machine: str
    problem: str | None = None
    running: bool = False
    executable: str | None = None
    ends: datetime | None = None
    """Where its own schedule ends, for a draft that nobody has said yes to."""
    over: bool = False
    """Whether STAGING.md itself says that it is past: published, rejected, struck through."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A draft's state, why, and what `run` would answer.

    `state` is one of: pending approved claimed running done failed unknown rejected changes-requested superseded
    expired revoked missed aborted-before-start happened not-happened past invalid. `held_by` is the overlay: the holds
    that outrank a yes. `attempt` is the one a fresh yes would be for.
    """

    state: str
    reason: str
    code: Exit
    attempt: int = 1
    approval: records.Record | None = None
    claim: records.Record | None = None
    held_by: tuple[Hold, ...] = ()
    since: datetime | None = None

    @property
    def needs_yes(self) -> bool:
        """Whether it stands in the queue that wants a human's word."""
        return self.state in ("pending", "superseded", "missed", "unknown") or (
            self.state == "expired" and self.approval is not None and not self.approval.data.get("expires")
        )

    @property
    def can_approve(self) -> bool:
        """Whether a human's yes is possible now."""
        return self.state in (
            "pending", "superseded", "missed", "failed", "aborted-before-start", "not-happened", "revoked",
            "rejected", "changes-requested",
        ) or (self.state == "expired" and self.needs_yes)  # fmt: skip


def standing(question: Question) -> Standing:
    """The state of one draft. Never raises."""
    found = _state(question)
    if not question.holds:
        return found
    held = tuple(question.holds)
    if found.approval is not None and found.state in ("approved", "missed", "expired"):
        overridden = set(found.approval.data.get("overrides", ()))
        held = tuple(hold for hold in held if hold.hash not in overridden)
    if not held or found.code in (Exit.CLAIMED, Exit.UNKNOWN, Exit.USAGE):
        return replace(found, held_by=held)
    if found.state == "invalid":
        return replace(found, held_by=held)
    return replace(found, held_by=held, code=Exit.HELD, reason=held_sentence(held))


def held_sentence(held: Sequence[Hold]) -> str:
    """`held by “X thread tweets 2-7 — awaiting explicit approval”`, and how many more."""
    first = held[0]
    words = first.subject + (f" — {first.reason}" if first.reason else "")
    more = f" and {len(held) - 1} more" if len(held) > 1 else ""
    if first.kind == "file":
        return f"everything is held: {first.text}"
    gone = "" if first.present else " (its line is gone from HOLD.md; only a human lifts it)"
    where = "" if first.kind == "stamp" else "everything is "
    return f"{where}held by “{words}”{more}{gone}"


def _state(question: Question) -> Standing:
    blocked = next((item.problem for item in question.items if item.problem and not _torn_claim(item)), None)
    attempt = current_attempt(question.items)
    if is_claimed(question.items):
        return _claimed(question, attempt)
    if blocked is not None:
        return Standing(
            "invalid",
            f"a record of it cannot be used, so it is blocked: {blocked}",
            Exit.REFUSED,
            attempt,
        )
    if question.problem is not None:
        return Standing("invalid", question.problem, Exit.USAGE, attempt)
    clock = max((i.record.when for i in question.items if i.record and i.original), default=None)
    if clock is not None and question.now < clock - CLOCK_SLACK:
        return Standing(
            "invalid", f"the clock stands before the last record of it ({clock:%Y-%m-%d %H:%M} UTC): set the clock",
            Exit.REFUSED, attempt,
        )  # fmt: skip
    return _decided(question, attempt)


def _torn_claim(item: Item) -> bool:
    return item.event == records.CLAIMED


def current_attempt(items: Sequence[Item]) -> int:
    """The attempt that decides: the first whose claim nothing reopened, whatever stands after it, else the last."""
    attempts = sorted({item.attempt for item in items})
    for attempt in attempts:
        mine = [item for item in items if item.attempt == attempt]
        claim = next((item for item in mine if item.event == records.CLAIMED), None)
        if claim is not None and not _reopened(claim, mine):
            return attempt
    return attempts[-1] if attempts else 1


def is_claimed(items: Sequence[Item]) -> bool:
    """Whether the attempt that decides was claimed, whatever became of it."""
    attempt = current_attempt(items)
    return any(item.attempt == attempt and item.event == records.CLAIMED for item in items)


def _reopened(claim: Item, mine: Sequence[Item]) -> bool:
    outcomes = _outcomes(claim, mine)
    return bool(outcomes) and outcomes[-1].event in (records.FAILED, records.ABORTED, records.NOT_HAPPENED)


def _outcomes(claim: Item, mine: Sequence[Item]) -> list[Item]:
    """What became of a claim, as far as it counts: out of the ledger that the claim is in."""
    return [i for i in mine if i.event in records.OUTCOMES and i.record is not None and i.original >= claim.original]


def _claimed(question: Question, attempt: int) -> Standing:
    """Claimed: what became of it."""
    mine = [item for item in question.items if item.attempt == attempt]
    claim = next(item for item in mine if item.event == records.CLAIMED)
    outcomes = _outcomes(claim, mine)
    approval = next((i.record for i in reversed(mine) if i.event == records.APPROVED and i.record), None)
    base = Standing("unknown", "", Exit.UNKNOWN, attempt, approval, claim.record)
    text = approval is not None and not approval.data.get("action")
    if not outcomes and text:
        return replace(
            base, reason="the agent took it and has not said what became of it: did it happen?", code=Exit.CLAIMED,
            since=_when(claim),
        )  # fmt: skip
    if not outcomes:
        if question.running:
            since = claim.record.when if claim.record else None
            return replace(base, state="running", reason="it is running now", code=Exit.CLAIMED, since=since)
        return replace(
            base,
            reason="it was started and never reported back: did it happen?",
            since=_when(claim),
        )
    last = outcomes[-1]
    assert last.record is not None
    since = last.record.when
    detail = str(last.record.data.get("reason") or "")
    if last.event == records.DONE:
        return replace(base, state="done", reason="it ran once and is done", code=Exit.CLAIMED, since=since)
    if last.event == records.HAPPENED:
        return replace(
            base, state="happened", reason="a human said it happened; it will not run again", code=Exit.CLAIMED,
            since=since,
        )  # fmt: skip
    if last.event == records.UNKNOWN:
        if question.running:
            return replace(base, reason=f"{detail}; what it started is still running", since=since)
        return replace(base, reason=f"{detail}: did it happen?", since=since)
    words = {
        records.FAILED: f"it ran and failed{f' ({detail})' if detail else ''}: only a fresh yes runs it again",
        records.ABORTED: f"it was stopped before it started ({detail}): only a fresh yes runs it",
        records.NOT_HAPPENED: "a human said it did not happen: only a fresh yes runs it again",
    }
    reopened = replace(
        base,
        state=last.event,
        reason=words[last.event],
        code=Exit.REFUSED,
        attempt=attempt + 1,
        since=since,
    )
    return reopened if question.problem is None else replace(reopened, reason=question.problem)


def _when(item: Item) -> datetime | None:
    return item.record.when if item.record else None


def _decided(question: Question, attempt: int) -> Standing:
    """Not claimed in this attempt: the last decision, if it is about these bytes."""
    mine = counted([item for item in question.items if item.attempt == attempt and item.record is not None])
    if question.ends is not None and question.now >= question.ends:
        found = f"its window ended {when(question.ends, question.now)}: stage it again with another"
        return Standing("expired", found, Exit.REFUSED, attempt)
    if not mine and question.over:
        return Standing("past", "STAGING.md says it is past, so it asks for nothing", Exit.REFUSED, attempt)
    if not mine:
        return Standing("pending", "no human has said yes to it", Exit.REFUSED, attempt)
    last = mine[-1]
    record = last.record
    assert record is not None
    same = record.data.get("digest") == question.digest
    if last.event == records.REOPENED:
        return Standing("pending", "a no was taken back: no human has said yes to it", Exit.REFUSED, attempt)
    if last.event == records.REVOKED:
        return Standing("revoked", "the yes was taken back", Exit.REFUSED, attempt, since=record.when)
    if last.event == records.REJECTED and same:
        return Standing("rejected", f"a human said no{_note(record)}", Exit.REFUSED, attempt, since=record.when)
    if last.event == records.CHANGES and same:
        return Standing(
            "changes-requested", f"a human asked for changes{_note(record)}", Exit.REFUSED, attempt,
            since=record.when,
        )  # fmt: skip
    if last.event in (records.REJECTED, records.CHANGES):
        return Standing("pending", "it was revised since a human sent it back", Exit.REFUSED, attempt)
    if last.event == records.APPROVED:
        return _approved(question, attempt, last, record)
    return Standing(
        "invalid",
        f"its last record is {last.event}, which makes no sense here",
        Exit.REFUSED,
        attempt,
    )


def counted(mine: Sequence[Item]) -> list[Item]:
    """One attempt's records without each `reopened` that does not count.

    It loosens a no, so it counts only from the authoritative ledger, and only directly after the no that it names by
    hash: a no that came between stands.
    """
    kept: list[Item] = []
    for item in mine:
        if item.event == records.REOPENED and not (kept and _takes_back(item, kept[-1])):
            continue
        kept.append(item)
    return kept


def _takes_back(item: Item, no: Item) -> bool:
    named = item.record is not None and item.record.data.get("reopens") == no.hash
    return named and item.original and no.event in (records.REJECTED, records.CHANGES, records.REVOKED)


def _note(record: records.Record) -> str:
    note = record.data.get("note")
    return f": {note}" if note else ""


def _approved(question: Question, attempt: int, item: Item, record: records.Record) -> Standing:
    refused = Standing("pending", "", Exit.REFUSED, attempt, record, since=record.when)
    data = record.data
    if not item.original:
        return replace(refused, reason="it was approved elsewhere, not with this ledger: ask again")
    if data.get("digest") != question.digest:
        return replace(refused, state="superseded", reason="it changed after the yes: it needs a fresh one")
    if data.get("path") != question.root:
        return replace(
            refused,
            reason=f"the yes was given for the workspace at {data.get('path')}, not for this copy: ask again",
        )
    if data.get("machine") != question.machine:
        return replace(
            refused,
            reason=f"the yes is for the machine {data.get('machine')}, and this is {question.machine}",
        )
    executable = data.get("executable")
    if executable and question.executable is not None and question.executable != executable["sha256"]:
        return replace(
            refused,
            state="superseded",
            reason=f"the program {executable['path']} changed after the yes",
        )
    return _in_window(question, attempt, record)


def window(data: dict[str, Any] | Any, given: datetime) -> tuple[datetime | None, datetime, datetime | None]:
    """(not before, end, latest on-time start) of an approval's data; `given` is when the yes was said.

    A yes said after the time itself is on time for as long as the grace from then on: else no yes to a missed item
    could let it run.
    """
    start = parse_instant(data["not_before"]) if data.get("not_before") else None
    end = parse_instant(data["expires"]) if data.get("expires") else given + YES_HOLDS
    late = None if start is None else max(start, given) + timedelta(seconds=int(data["grace_s"]))
    return start, end, late


def _in_window(question: Question, attempt: int, record: records.Record) -> Standing:
    start, end, late = window(record.data, record.when)
    now = question.now
    found = Standing("approved", "a human said yes to these bytes", Exit.FINE, attempt, record, since=record.when)
    if now >= end:
        ended = when(end, now)
        return replace(
            found, state="expired", reason=f"the yes ended {ended}: it needs a fresh one", code=Exit.REFUSED,
            attempt=attempt + 1,
        )  # fmt: skip
    if start is not None and now < start:
        return replace(found, reason=f"not before {when(start, now)}", code=Exit.NOT_YET)
    if late is not None and now > late:
        return replace(
            found, state="missed", reason=f"it was to start by {when(late, now)} and did not: it needs a fresh yes",
            code=Exit.REFUSED, attempt=attempt + 1,
        )  # fmt: skip
    return found
