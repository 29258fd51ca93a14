"""Check, run, claim and finish: the agent's and the scheduler's way through the gate.

The order of gate.md: item lock; hashes, window, executor; lane lock and spacing; holds and revocations; claim, fsync;
holds and revocations again; spawn; outcome, fsync.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dory_tui import config
from dory_tui.gate import action, jobs, rules
from dory_tui.gate.rules import Exit, Standing
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import BusyError, LedgerError, TakenError, try_lock
from dory_tui.values import dataclass
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.drafts import Draft

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from dory_tui.gate import spawn


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one request: its exit code, one plain sentence, and what it printed."""

    id: str
    code: Exit
    sentence: str
    state: str = ""
    output: bytes = b""
    started: bool = False
    interrupted: bool = False
    """Whether a signal ended the run: whoever sent it wants nothing more to start."""


def check(gate: Gate, wanted: str) -> Answer:
    """Whether `run` would start it now; the code and the sentence that `run` would give."""
    try:
        found = _find(gate, wanted)
        if isinstance(found, Answer):
            return found
        prepared = _prepare(gate, found.id, looking=True)
        if isinstance(prepared, Answer):
            return prepared
        if gate.ledger.busy(prepared.lane, "lane"):
            return _lane_busy(prepared)
        return answer(found.id, prepared.standing)
    except LedgerError as error:
        return Answer(wanted, Exit.REFUSED, str(error), "invalid")
    except WorkspaceError as error:
        return Answer(wanted, Exit.USAGE, str(error), "invalid")


def _find(gate: Gate, wanted: str) -> Draft | Answer:
    draft = gate.staging().find(wanted)
    if draft is not None:
        return draft
    return Answer(wanted, Exit.USAGE, f"there is no draft {wanted!r} in STAGING.md or state/drafts", "missing")


def answer(identity: str, standing: Standing) -> Answer:
    return Answer(identity, standing.code, standing.reason, standing.state)


def executable_now(gate: Gate, draft: Draft) -> str | None:
    """The hash of the approved program as it is now; "" when it is gone."""
    approval = last_approval(gate, draft)
    kept = approval.data.get("action") if approval else None
    if not kept:
        return None
    try:
        return action.resolve_executable(gate.root, action.Action.restore(kept)).sha256
    except WorkspaceError:
        return ""


def last_approval(gate: Gate, draft: Draft) -> records.Record | None:
    """The last yes that the authoritative ledger has for a draft, whatever came after it."""
    for item in reversed(gate.ledger.history(draft.id)):
        if item.event == records.APPROVED and item.record is not None and item.original:
            return item.record
    return None


def run(gate: Gate, wanted: str) -> Answer:
    """Start one approved item, at most once. Text without an action is for `claim`."""
    return _guarded(wanted, lambda: _run(gate, wanted))


def _guarded(wanted: str, work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except TakenError:
        return Answer(wanted, Exit.CLAIMED, "it is already claimed", "claimed")
    except BusyError as error:
        return Answer(wanted, Exit.CLAIMED, str(error), "running")
    except LedgerError as error:
        return Answer(wanted, Exit.REFUSED, str(error), "invalid")
    except WorkspaceError as error:
        return Answer(wanted, Exit.USAGE, str(error), "invalid")


def _run(gate: Gate, wanted: str) -> Answer:
    found = _find(gate, wanted)
    if isinstance(found, Answer):
        return found
    with gate.ledger.lock(found.id) as release:
        if rules.is_claimed(gate.ledger.history(found.id)):
            release()  # a crowd at one item need not stand in line to hear that it came too late
            late = gate.standing(found, gate.holds())
            taken = Answer(found.id, Exit.CLAIMED, "it is already claimed", "claimed")
            return taken if late.code == Exit.FINE else answer(found.id, late)
        prepared = _prepare(gate, found.id)
        if isinstance(prepared, Answer):
            return prepared
        if prepared.job is None:
            return Answer(
                found.id, Exit.REFUSED, f"it is text without an action: `dory-agent claim {found.id}` prints it once",
                "approved",
            )  # fmt: skip
        with _lane(gate, prepared.lane) as free:
            if (refusal := _again(gate, prepared, free)) is not None:
                return refusal
            lock = gate.ledger.open_lock(found.id, "run")
            try:
                return _start(gate, prepared, lock, release)
            finally:
                os.close(lock)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An item that may start: its standing, the approved snapshot and, for an action, the job."""

    id: str
    standing: Standing
    snapshot: Draft
    lane: str
    job: action.Job | None


def _lane_busy(prepared: _Prepared) -> Answer:
    return Answer(prepared.id, Exit.NOT_YET, f"an item of the lane {prepared.lane} is running", "approved")


def _again(gate: Gate, prepared: _Prepared, free: bool) -> Answer | None:
    """In the lane's lock, just before the claim: spacing, holds and revocations as they are now."""
    if not free:
        return _lane_busy(prepared)
    standing = gate.standing(prepared.snapshot, gate.holds())
    return None if standing.code == Exit.FINE else answer(prepared.id, standing)


def _prepare(gate: Gate, identity: str, looking: bool = False) -> _Prepared | Answer:
    """Everything that must hold before a claim, read afresh under the item's lock (without it when only looking)."""
    draft = _find(gate, identity)
    if isinstance(draft, Answer):
        return draft
    holds = gate.holds()
    try:
        gate.notice_holds(holds)
    except LedgerError:
        if not looking:  # a look must answer even where nothing can be written
            raise
    standing = gate.standing(draft, holds, executable=executable_now(gate, draft))
    if standing.code != Exit.FINE or standing.approval is None:
        return answer(identity, standing)
    approved = standing.approval.data
    blob = gate.ledger.blob(str(approved["digest"]))
    if blob is None:
        return Answer(
            identity,
            Exit.REFUSED,
            "the approved copy of it is missing or damaged: it needs a fresh yes",
            "superseded",
        )
    snapshot = Draft(draft.id, draft.title, draft.origin, draft.path, blob, draft.entry)
    lane = str(approved.get("lane") or action.DEFAULT_LANE)
    if not approved.get("action"):
        return _Prepared(identity, standing, snapshot, lane, None)
    job = jobs.of_approval(gate, snapshot, standing.attempt, standing.approval)
    if isinstance(job, str):
        return Answer(identity, Exit.REFUSED, job, "superseded")
    return _Prepared(identity, standing, snapshot, lane, job)


def _start(gate: Gate, prepared: _Prepared, lock: int, release: Callable[[], None]) -> Answer:
    """Claim, look at the holds once more, spawn, write the outcome.

    The item's lock is held by the caller and let go once the child runs: the run lock then says "running".
    """
    from dory_tui.gate import spawn  # subprocess and its like cost half a start of Python, and `check` starts nothing

    if not try_lock(lock):
        return Answer(prepared.id, Exit.CLAIMED, "it is running now", "running")
    assert prepared.job is not None
    if (refusal := _claim(gate, prepared)) is not None:
        return refusal
    jobs.tidy(gate, prepared.id)
    result = spawn.run(prepared.job, gate.environment, config.home(gate.environment), lock, release)
    return _outcome(gate, prepared, result)


def _claim(gate: Gate, prepared: _Prepared) -> Answer | None:
    """The durable claim, then holds and revocations again. An answer when it must not start after all."""
    attempt = prepared.standing.attempt
    assert prepared.standing.approval is not None
    claim = {
        "digest": prepared.snapshot.digest,
        "approval": records.digest(records.serialise(prepared.standing.approval)),
        "lane": prepared.lane,
        "machine": gate.machine,
    }
    from dory_tui.gate import lanes, last_look

    now = gate.clock()
    try:
        lanes.note(gate.ledger, prepared.lane, prepared.id, attempt, now)
        gate.record(prepared.id, attempt, records.CLAIMED, claim, when=now)
    except TakenError:
        raise
    except LedgerError as error:
        _abort(gate, prepared, "the claim could not be written to both ledgers")
        return Answer(prepared.id, Exit.REFUSED, str(error), records.ABORTED)
    try:
        hindrance = last_look.hindrance(gate, prepared.snapshot, prepared.standing.approval)
        hindrance = hindrance or last_look.swapped(gate.root, prepared.job)
    except LedgerError as error:
        hindrance = (Exit.REFUSED, str(error))
    if hindrance is None:
        return None
    code, sentence = hindrance
    _abort(gate, prepared, sentence)
    return Answer(prepared.id, code, sentence, records.ABORTED)


def _abort(gate: Gate, prepared: _Prepared, reason: str) -> None:
    items = gate.ledger.history(prepared.id)
    attempt = prepared.standing.attempt
    if any(i.attempt == attempt and i.event == records.CLAIMED for i in items):
        gate.record(prepared.id, attempt, records.ABORTED, {"reason": reason})


def _outcome(gate: Gate, prepared: _Prepared, result: spawn.Result) -> Answer:
    data: dict[str, object] = {
        "reason": result.reason,
        "exit": result.status,
        "output": result.output.decode("utf-8", "replace"),
        "output_bytes": result.size,
        "output_sha256": result.sha256,
    }
    if result.unmasked:
        data["unmasked"] = list(result.unmasked)
    code = {
        records.DONE: Exit.FINE, records.FAILED: Exit.FAILED, records.ABORTED: Exit.REFUSED,
    }.get(result.event, Exit.UNKNOWN)  # fmt: skip
    sentence = {
        records.DONE: "it ran once and is done",
        records.FAILED: f"it ran and failed: {result.reason}",
    }.get(result.event, result.reason)
    if result.unmasked:
        sentence += f"; too short to be masked in what it printed: {', '.join(result.unmasked)}"
    try:
        gate.record(prepared.id, prepared.standing.attempt, result.event, data)
    except LedgerError as error:
        sentence = f"{sentence}; but its outcome could not be written ({error}), so it counts as unknown"
        return Answer(
            prepared.id, Exit.UNKNOWN, sentence, records.UNKNOWN, result.output, True, result.interrupted
        )  # fmt: skip
    started = result.event != records.ABORTED
    return Answer(prepared.id, code, sentence, result.event, result.output, started, result.interrupted)


@contextmanager
def _lane(gate: Gate, lane: str) -> Iterator[bool]:
    """The lane's lock, without waiting: at most one item of a lane runs at a time."""
    descriptor = gate.ledger.open_lock(lane, "lane")
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)


def claim(gate: Gate, wanted: str) -> Answer:
    """Hand out the approved body of a text draft, once; `output` is its bytes."""
    return _guarded(wanted, lambda: _claim_text(gate, wanted))


def _claim_text(gate: Gate, wanted: str) -> Answer:
    found = _find(gate, wanted)
    if isinstance(found, Answer):
        return found
    with gate.ledger.lock(found.id):
        prepared = _prepare(gate, found.id)
        if isinstance(prepared, Answer):
            return prepared
        if prepared.job is not None:
            return Answer(
                found.id,
                Exit.REFUSED,
                f"it has an action: `dory-agent run {found.id}` runs it",
                "approved",
            )
        with _lane(gate, prepared.lane) as free:
            refusal = _again(gate, prepared, free) or _claim(gate, prepared)
        if refusal is not None:
            return refusal
    return Answer(
        found.id, Exit.FINE, f"it is yours, once: say `dory-agent finish {found.id} ok` or `failed` afterwards",
        "claimed", prepared.snapshot.body, started=True,
    )  # fmt: skip


def finish(gate: Gate, wanted: str, succeeded: bool) -> Answer:
    """Record what became of a claimed text."""
    return _guarded(wanted, lambda: _finish(gate, wanted, succeeded))


def _finish(gate: Gate, wanted: str, succeeded: bool) -> Answer:
    found = _find(gate, wanted)
    if isinstance(found, Answer):
        return found
    with gate.ledger.lock(found.id):
        items = gate.ledger.history(found.id)
        attempt = rules.current_attempt(items)
        mine = [item for item in items if item.attempt == attempt]
        claimed = next((i for i in mine if i.event == records.CLAIMED), None)
        if claimed is None:
            return Answer(found.id, Exit.REFUSED, "it was never claimed, so there is nothing to finish")
        if (ended := next((i for i in mine if i.event in records.OUTCOMES), None)) is not None:
            wanted_event = records.DONE if succeeded else records.FAILED
            same = ended.event == wanted_event
            return Answer(
                found.id,
                Exit.FINE if same else Exit.CLAIMED,
                f"it is already recorded as {ended.event}",
                ended.event,
            )
        if gate.ledger.running(found.id):
            return Answer(
                found.id,
                Exit.CLAIMED,
                "it is running now; its runner writes the outcome",
                "running",
            )
        approval = last_approval(gate, found)
        if approval is not None and approval.data.get("action"):
            return Answer(
                found.id, Exit.UNKNOWN, "what it ran never reported back: only a human says what became of it "
                f"(`dory resolve {found.id} happened` or `not-happened`)", "unknown",
            )  # fmt: skip
        event = records.DONE if succeeded else records.FAILED
        gate.record(found.id, attempt, event, {"reason": "" if succeeded else "the agent said it failed"})
        return Answer(found.id, Exit.FINE, f"recorded as {event}", event)
