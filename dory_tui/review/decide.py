"""The human's verbs on drafts and holds. One service for the screen and the command line.

Each takes the digest of the bytes that were shown: if the bytes are others now, nothing is decided.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from dory_tui.gate import intents, lanes
from dory_tui.gate.action import YES_HOLDS
from dory_tui.gate.rules import Exit, Standing, twin_sentence
from dory_tui.gate.runner import executable_now
from dory_tui.gate.survey import Gate, seen_data
from dory_tui.ledger import records
from dory_tui.ledger.store import HOLD_PREFIX, BusyError, LedgerError
from dory_tui.review import keys
from dory_tui.review.change import Change, DecisionError, Done, StaleError, local
from dory_tui.review.inspect import Inspection, inspect
from dory_tui.secrets import masked
from dory_tui.workspace import layout, timestamps
from dory_tui.workspace.document import WorkspaceError, read_bytes
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.edits import add_line, new_hold, one_line, remove_hold, set_labels
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.shaped_edits import set_status


@contextmanager
def _item(gate: Gate, wanted: str, digest: str) -> Iterator[tuple[Change, Draft, Standing, list[Hold]]]:
    """The item's lock, and the item as it is now. DecisionError when it is gone, changed or busy."""
    try:
        found = gate.staging().find(wanted)
        if found is None:
            raise DecisionError(Exit.USAGE, f"there is no draft {wanted!r}")
        with gate.ledger.lock(found.id):
            now = gate.staging().find(wanted)
            if now is None or now.digest != digest:
                raise StaleError(found.id)
            in_force = gate.holds()
            gate.notice_holds(in_force)
            yield Change(gate), now, gate.standing(now, in_force, executable=executable_now(gate, now)), in_force
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def approve(
    gate: Gate, wanted: str, digest: str, override: Sequence[str] = (), *, fingerprint: str | None = None,
    at_terminal: bool = False,
) -> Done:  # fmt: skip
    """A yes to these bytes and to what they run. `override` are hashes of holds it goes over; others still hold.

    `fingerprint` is that of the inspection which was shown: when the program or its input is another by now, nothing
    is decided. `at_terminal`: a passphrase or a touch may be asked for at the terminal, where a yes must be signed.
    """
    seal = keys.sealer(gate, wanted, at_terminal=at_terminal)
    with _item(gate, wanted, digest) as (change, draft, standing, in_force):
        if (twin := gate.twin()) is not None:
            raise DecisionError(Exit.REFUSED, twin_sentence(twin))
        looked = inspect(gate.root, draft, local(gate), gate=gate)
        if fingerprint is not None and looked.fingerprint != fingerprint:
            raise StaleError(f"what {draft.id} would run")
        again = standing.state == "approved" and (override or _outdated(gate, standing, looked))
        if not standing.can_approve and not again:
            raise DecisionError(_code(standing), f"{draft.id} cannot be approved: {standing.reason}")
        if looked.refusal is not None:
            raise DecisionError(Exit.USAGE, looked.refusal)
        if looked.schedule.expires is not None and looked.schedule.expires <= gate.clock():
            ended = timestamps.when(looked.schedule.expires, local(gate))
            raise DecisionError(Exit.REFUSED, f"its window ended {ended}: stage it again with another")
        known = {hold.hash: hold for hold in in_force}
        for one in override:
            if one not in known or known[one].kind == "file":
                raise DecisionError(Exit.REFUSED, "that hold cannot be overridden: read HOLD.md again")
        kept = _earlier_overrides(standing) & set(known) | set(override)
        data = _approval(gate, draft, looked, sorted(kept))
        record = change.record(draft.id, standing.attempt, records.APPROVED, data, seal)
        show_status(change, draft, "approved", None)
        went_over = f", over the hold “{known[override[0]].subject}”" if override else ""
        change.decision_line(f"{draft.id}: approved{went_over} — {draft.short}")
        verb = "Override a hold for" if override else "Approve"
        end = record.data["expires"] or timestamps.instant(record.when + YES_HOLDS)
        return change.commit(
            f"{draft.id} is approved until {timestamps.when(timestamps.parse_instant(str(end)), local(gate))}",
            f"{verb} {draft.id}", "approved", draft.id, draft.digest,
        )  # fmt: skip


def _code(standing: Standing) -> Exit:
    return Exit.REFUSED if standing.code in (Exit.FINE, Exit.HELD, Exit.NOT_YET) else standing.code


def _outdated(gate: Gate, standing: Standing, looked: Inspection) -> bool:
    """Whether a yes stands that `run` refuses, since what it would start or feed is not what was approved."""
    kept = {} if standing.approval is None else standing.approval.data
    if gate.ledger.blob(str(kept.get("digest"))) is None:
        return True
    if looked.action is None or looked.executable is None:
        return False
    program = {"path": looked.executable.path, "sha256": looked.executable.sha256}
    stdin = hashlib.sha256(looked.stdin).hexdigest()
    if kept.get("executable") != program or kept.get("stdin_sha256") != stdin or gate.ledger.blob(stdin) is None:
        return True
    files = [(one["path"], one["sha256"]) for one in kept.get("attachments", ())]
    now = [(one.path, one.sha256) for one in looked.attached]
    return files != now or any(gate.ledger.blob(one.sha256) is None for one in looked.attached)


def _earlier_overrides(standing: Standing) -> set[str]:
    if standing.state != "approved" or standing.approval is None:
        return set()
    return set(standing.approval.data.get("overrides", ()))


def _approval(gate: Gate, draft: Draft, looked: Inspection, overrides: list[str]) -> dict[str, object]:
    """Everything the yes is bound to. The bytes themselves go to the state folder: they are what will run."""
    gate.settle()
    lanes.prepare(gate.ledger)
    gate.ledger.keep_blob(draft.data)
    schedule = looked.schedule
    facts, _ = gate.facts(draft)
    start, end = schedule.not_before, schedule.expires
    data: dict[str, object] = {
        "digest": draft.digest,
        "path": str(gate.root),
        "machine": gate.machine,
        "not_before": timestamps.instant(start) if start else None,
        "expires": timestamps.instant(end) if end else None,
        "grace_s": int(schedule.grace / timedelta(seconds=1)),
        "lane": schedule.lane,
        "min_interval_s": int(looked.interval / timedelta(seconds=1)),
        "overrides": overrides,
        "facts": {} if facts is None else {k: getattr(facts, k) for k in ("title", "kind", "lane", "part")},
        "display_from": draft.status,
        "action": None,
    }
    if looked.action is not None and looked.executable is not None:
        data["action"] = looked.action.canonical()
        data["action_sha256"] = looked.action.digest
        data["executable"] = {"path": looked.executable.path, "sha256": looked.executable.sha256}
        data["stdin_sha256"] = gate.ledger.keep_blob(looked.stdin)
        data["attachments"] = [one.kept for one in looked.attached]
        for one in looked.attached:
            gate.ledger.keep_blob(one.data)
        wanted = intents.of_action(looked.action, looked.stdin, [one.sha256 for one in looked.attached])
        intents.note(gate.ledger, wanted, draft.id, gate.clock())
    return data


def show_status(change: Change, draft: Draft, status: str | None, note: str | None) -> None:
    """The status line of STAGING.md: a display, for the eye and for the agent. None: no such line."""
    if draft.entry is None:
        if draft.shaped is not None and status is not None:
            change.edit(layout.STAGING, lambda data: set_status(data or b"", draft.data, status))
        return
    heading = draft.entry.name
    same = [d for d in change.gate.staging().drafts if d.entry is not None and d.entry.name == heading]
    position = next((n for n, d in enumerate(same) if d.id == draft.id), 0)
    labels: dict[str, str | None] = {"status": status, "note": note}
    change.edit(layout.STAGING, lambda data: set_labels(data or b"", heading, position, labels))


def reject(gate: Gate, wanted: str, digest: str, note: str) -> Done:
    """A no to these bytes, with a note for the agent."""
    return _send_back(gate, wanted, digest, note, records.REJECTED)


def request_changes(gate: Gate, wanted: str, digest: str, note: str) -> Done:
    """Sent back with a note: what must be other before a yes. The note may not be empty."""
    if not one_line(note):
        raise DecisionError(Exit.USAGE, "say what should change: the note is what reaches the agent")
    return _send_back(gate, wanted, digest, note, records.CHANGES)


def _send_back(gate: Gate, wanted: str, digest: str, note: str, event: str) -> Done:
    words = one_line(note)
    spoken = "rejected" if event == records.REJECTED else "changes requested"
    with _item(gate, wanted, digest) as (change, draft, standing, _):
        if standing.state in ("done", "happened", "unknown", "claimed", "running"):
            raise DecisionError(_code(standing), f"{draft.id} cannot be {spoken}: {standing.reason}")
        data = {"digest": draft.digest, "note": words, "display_from": draft.status}
        change.record(draft.id, standing.attempt, event, data)
        show_status(change, draft, spoken, words or None)
        change.decision_line(f"{draft.id}: {spoken} — {words + ' ' if words else ''}({draft.short})")
        verb = "Reject" if event == records.REJECTED else "Request changes to"
        return change.commit(f"{draft.id} is {spoken}", f"{verb} {draft.id}", event, draft.id, draft.digest)


def revoke(gate: Gate, wanted: str, digest: str) -> Done:
    """Take a yes back, before it ran."""
    with _item(gate, wanted, digest) as (change, draft, standing, _):
        spent = ("done", "happened", "unknown", "running", "failed", records.ABORTED, records.NOT_HAPPENED)
        if standing.approval is None or standing.state in spent:
            raise DecisionError(_code(standing), f"there is no yes to take back: {standing.reason}")
        attempt = standing.approval.attempt
        change.record(draft.id, attempt, records.REVOKED, {"digest": draft.digest, "display_from": draft.status})
        show_status(change, draft, "pending", None)
        change.decision_line(f"{draft.id}: yes taken back — {draft.short}")
        return change.commit(
            f"the yes to {draft.id} is taken back", f"Revoke {draft.id}", records.REVOKED, draft.id, draft.digest
        )


def resolve(gate: Gate, wanted: str, happened: bool) -> Done:
    """Say what became of an unknown outcome."""
    try:
        found = gate.staging().find(wanted)
    except WorkspaceError as error:
        raise DecisionError(Exit.USAGE, str(error)) from error
    if found is None:
        raise DecisionError(Exit.USAGE, f"there is no draft {wanted!r}")
    with _item(gate, wanted, found.digest) as (change, draft, standing, _):
        if standing.state != "unknown" or (standing.claim is None and not standing.code):
            raise DecisionError(_code(standing), f"there is nothing to resolve: {standing.reason}")
        if gate.ledger.running(draft.id):
            raise DecisionError(Exit.CLAIMED, "what it started is still running: wait until it ended")
        event = records.HAPPENED if happened else records.NOT_HAPPENED
        change.record(draft.id, standing.attempt, event, {"digest": draft.digest})
        words = "happened" if happened else "did not happen"
        change.decision_line(f"{draft.id}: {words} — {draft.short}")
        return change.commit(f"{draft.id} {words}", f"Resolve {draft.id}: {words}", event, draft.id, draft.digest)


def add_hold(gate: Gate, text: str) -> Done:
    """Block something from now on: `Item — reason`, or an item alone."""
    words = one_line(text)
    if not words:
        raise DecisionError(Exit.USAGE, "say what is held, such as: X thread tweets 2-7 — awaiting approval")
    change = Change(gate)
    source = f"[{timestamps.stamp(local(gate))} | dory] {words}"
    try:
        before = read_bytes(gate.root / layout.HOLD, layout.HOLD)
    except WorkspaceError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    made = new_hold(before, source)
    if made is None:
        raise DecisionError(Exit.USAGE, f"{words!r} does not make a hold line")
    key = HOLD_PREFIX + made.hash
    try:
        with gate.ledger.lock(key):
            change.record(key, 1, records.SEEN, seen_data(made))
            change.edit(layout.HOLD, lambda data: add_line(layout.HOLD, data, source))
    except LedgerError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    change.decision_line(f"hold {made.handle}: {made.subject} — held")
    return change.commit(f"held: {made.subject}", f"Hold {made.subject}", "held", made.handle, made.hash)


def find_hold(gate: Gate, wanted: str) -> Hold:
    """The hold that a handle (the first digits of its hash), its number in the list or its words name.

    DecisionError when there is none, or more than one.
    """
    in_force = gate.holds()
    folded = wanted.strip().casefold()
    if folded.isdigit() and len(folded) < 4 and 0 < int(folded) <= len(in_force):
        return in_force[int(folded) - 1]
    found = [hold for hold in in_force if len(folded) >= 4 and hold.hash.startswith(folded)]
    found = found or [hold for hold in in_force if folded and folded in hold.text.casefold()]
    if len(found) != 1:
        words = "no hold" if not found else f"{len(found)} holds"
        raise DecisionError(Exit.USAGE, f"{words} match {wanted!r}: name one by its handle (see `dory status`)")
    return found[0]


def lift(gate: Gate, digest: str) -> Done:
    """Lift one hold by its hash. A passage that is not a hold line stays in the file, marked as not a hold."""
    try:
        hold = next((one for one in gate.holds() if one.hash == digest), None)
    except LedgerError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    if hold is None:
        raise DecisionError(Exit.REFUSED, "that hold is gone or changed: look again")
    if hold.kind == "file":
        raise DecisionError(Exit.REFUSED, f"{hold.text}: mend the file, nothing else lifts this")
    change = Change(gate)
    marked = hold.marks and hold.present
    event = records.NOT_A_HOLD if marked else records.LIFTED
    key = HOLD_PREFIX + hold.hash
    try:
        gate.notice_holds([hold])
        with gate.ledger.lock(key):
            change.record(key, 1, event, seen_data(hold))
            if hold.present and not marked:
                day = local(gate).date()
                change.edit(layout.HOLD, lambda data: remove_hold(data or b"", hold, day))
    except LedgerError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    words = "marked as not a hold" if marked else "lifted"
    change.decision_line(f"hold {hold.handle}: {one_line(masked(hold.subject))[:80]} — {words}")
    subject = f"{'Mark as not a hold:' if marked else 'Lift the hold on'} {one_line(masked(hold.subject))[:60]}"
    return change.commit(f"{words}: {one_line(hold.subject)}", subject, event, hold.handle, hold.hash)
