"""One pure function: a draft's bytes, its records, the holds and the time, in; a state and a reason, out.

The screen, the command line and the runner all ask it (gate.md, "State is derived from records"). It touches no file
and no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from dory_tui.gate.action import DEFAULT_LANE
from dory_tui.gate.window import apart, span, window
from dory_tui.ledger import records
from dory_tui.ledger.store import Item
from dory_tui.values import dataclass, replace
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.timestamps import when

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    pass

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
    signature: str | None = None
    """The sentence for a yes that must be signed and is not, or not by a key that counts."""
    starts: Sequence[datetime] = ()
    """When the yes's lane started something, in order, as far back as it matters."""
    interval: timedelta = timedelta(0)
    """How far apart the policy wants the starts of that lane; the yes may ask for more."""
    unruled: str | None = None
    """The sentence for a policy, or a lane's starts, that cannot be read: how far apart it must start is not known."""
    twin: str | None = None
    """The other path at which a workspace with this id is, when this one has to say what it is."""
    last: datetime | None = None
    """When this machine last wrote a record of this workspace, whatever it was about."""


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
    if (sentence := _clock_back(question)) is not None:
        return Standing("invalid", sentence, Exit.REFUSED, attempt)
    return _decided(question, attempt)


def _clock_back(question: Question) -> str | None:
    """Invariant 10: what a clock that was put back would allow is not known."""
    known = [item.record.when for item in question.items if item.record and item.original]
    newest = max([*known, question.last] if question.last is not None else known, default=None)
    if newest is None or question.now >= newest - CLOCK_SLACK:
        return None
    return f"the clock stands before the last record ({newest:%Y-%m-%d %H:%M} UTC): set the clock, then it goes on"


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
    mine = _decisions(question.items, attempt)
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


def _decisions(items: Sequence[Item], attempt: int) -> list[Item]:
    return counted([item for item in items if item.attempt == attempt and item.record is not None])


def deciding(items: Sequence[Item]) -> Item | None:
    """The last decision of the attempt that decides; None when there is none, or when it was claimed."""
    mine = [] if is_claimed(items) else _decisions(items, current_attempt(items))
    return mine[-1] if mine else None


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
    if question.signature is not None:
        return replace(refused, reason=question.signature)
    if data.get("digest") != question.digest:
        return replace(refused, state="superseded", reason="it changed after the yes: it needs a fresh one")
    if question.twin is not None:
        return replace(refused, reason=twin_sentence(question.twin))
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


def twin_sentence(path: str) -> str:
    """What a workspace says whose id is at an earlier path too."""
    return f"this workspace's id is also at {path}, so a yes is not for this copy: say `dory moved` or `dory copied`"


def _in_window(question: Question, attempt: int, record: records.Record) -> Standing:
    now, interval = question.now, apart(record.data, question.interval)
    start, end, late = window(record.data, record.when, question.starts, interval)
    found = Standing("approved", "a human said yes to these bytes", Exit.FINE, attempt, record, since=record.when)
    if now >= end:
        ended = when(end, now)
        return replace(
            found, state="expired", reason=f"the yes ended {ended}: it needs a fresh one", code=Exit.REFUSED,
            attempt=attempt + 1,
        )  # fmt: skip
    if question.unruled is not None:
        return replace(found, reason=question.unruled, code=Exit.REFUSED)
    if start is not None and now < start:
        return replace(found, reason=f"not before {when(start, now)}", code=Exit.NOT_YET)
    if late is not None and now > late:
        return replace(
            found, state="missed", reason=f"it was to start by {when(late, now)} and did not: it needs a fresh yes",
            code=Exit.REFUSED, attempt=attempt + 1,
        )  # fmt: skip
    free = max(question.starts, default=None)
    if free is not None and now < free + interval:
        lane = record.data.get("lane") or DEFAULT_LANE
        reason = f"the lane {lane} starts one item every {span(interval)}: not before {when(free + interval, now)}"
        return replace(found, reason=reason, code=Exit.NOT_YET)
    return found
