"""Finish at the next start what a crash left undone: a recorded decision whose files or commit are missing.

A status that dory was about to write is written; one that somebody else wrote is left, and shown as a conflict
(workspace.md, "History"). What was about to be written is known by the note that a decision begins with, so that a
decision which was finished once is never looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress

from dory_tui import config
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.records import Record
from dory_tui.ledger.store import MEMORY_PREFIX, LedgerError
from dory_tui.memory.promoting import PromotingError
from dory_tui.memory.scoring import flow
from dory_tui.review import memories
from dory_tui.review.change import Change, Unfinished, as_it_stands, flush_postponed, forget, unfinished
from dory_tui.review.decide import show_status
from dory_tui.review.undo import finish_undo, put_back
from dory_tui.workspace import entries, layout, timestamps
from dory_tui.workspace.document import WorkspaceError, parse, read, read_bytes
from dory_tui.workspace.promotions import Promotion, read_promotions

_PATIENCE = 2.0
"""Seconds to wait for an item's lock: who holds it is in the middle of that decision, and finishes it."""
_DRAFTS: Mapping[str, tuple[str | None, str]] = {
    records.APPROVED: ("approved", "approved"),
    records.REJECTED: ("rejected", "rejected"),
    records.CHANGES: ("changes requested", "changes requested"),
    records.REVOKED: ("pending", "yes taken back"),
    records.HAPPENED: (None, "happened"),
    records.NOT_HAPPENED: (None, "did not happen"),
}
"""What each record of a draft shows: the status, and the words in DECISIONS.md."""
_MEMORIES: Mapping[str, tuple[str, str]] = {
    records.PROMOTED: ("promoted", "promoted to MEMORY.md"),
    records.DISCARDED: ("discarded", "discarded"),
    records.CHANGES: ("changes requested", "changes requested"),
}


def finish(gate: Gate) -> list[str]:
    """Write what was about to be written, and make the commits that waited. One sentence for each."""
    done: list[str] = []
    flush_postponed(gate)
    done.extend(finish_undo(gate))
    for note in unfinished(gate):
        try:
            with gate.ledger.lock(note.key, _PATIENCE):
                if note in unfinished(gate):
                    done.extend(_complete(gate, note))
                    forget(gate, note.key)
        except (WorkspaceError, LedgerError):
            continue  # what cannot be read or written now is shown by the review itself
    return done


def _complete(gate: Gate, note: Unfinished) -> list[str]:
    record = _decided(gate, note)
    if record is None:
        return []
    change = Change(gate)
    change.about, change.made = note.key, record
    change.ledger_files(note.key)
    kind = _undone if "undoes" in record.data else _memory if note.key.startswith(MEMORY_PREFIX) else _draft
    words = kind(change, record, note.key.removeprefix(MEMORY_PREFIX))
    if words is None:
        change.let_go()
        return [f"a decision that was interrupted cannot be finished: {one}" for one in change.problems]
    identity, digest = note.key.removeprefix(MEMORY_PREFIX), str(record.data.get("digest"))
    wrote = any(not touched.own for touched in change.touched.values())
    made = change.commit(
        f"{identity}: {words}", f"Finish what was decided: {identity} {words}", record.event, identity, digest
    )
    return [f"finished a decision that was interrupted: {identity} {words}"] if wrote or made.commit else []


def _decided(gate: Gate, note: Unfinished) -> Record | None:
    """The record that was written after the note, if it is a human's own of this machine."""
    items = gate.ledger.history(note.key)
    known = [item.hash for item in items]
    if note.after is not None and note.after not in known:
        return None
    fresh = items[0 if note.after is None else known.index(note.after) + 1 :]
    first = fresh[0] if fresh else None
    return first.record if first is not None and first.original and first.problem is None else None


def _draft(change: Change, record: Record, identity: str) -> str | None:
    """The status and the line of a decision on a draft; its words, or None when there is nothing to finish."""
    if record.event not in _DRAFTS:
        return None
    status, words = _DRAFTS[record.event]
    draft = change.gate.staging().find(identity)
    note = str(record.data.get("note") or "")
    if draft is not None and draft.entry is not None and status is not None:
        untouched = draft.status == record.data.get("display_from") != status
        if untouched and draft.digest == record.data.get("digest"):
            show_status(change, draft, status, note or None)
        elif draft.status == status:
            _keep(change, layout.STAGING)
    _decision_line(change, record, identity, words, note)
    return words


def _undone(change: Change, record: Record, identity: str) -> str | None:
    """As `_draft`, for a decision that was being taken back."""
    words = put_back(change, record)
    if words is not None:
        _decision_line(change, record, identity, words, "")
    return words


def _memory(change: Change, record: Record, identity: str) -> str | None:
    """As `_draft`, for a candidate."""
    candidate = next((one for one in read_promotions(change.gate.root) if one.id == identity), None)
    same = candidate is not None and candidate.digest == record.data.get("digest")
    note = str(record.data.get("note") or "")
    if record.event == records.SCORED:
        return _scored(change, record, candidate, same)
    if record.event not in _MEMORIES:
        return None
    status, words = _MEMORIES[record.event]
    if record.event == records.PROMOTED and not _promoted(change, record, candidate if same else None, identity):
        return None
    if candidate is not None and candidate.status == status:
        _keep(change, candidate.path)
    elif candidate is not None and same and record.event != records.PROMOTED:
        memories.set_keys(change, candidate, memories.closing(status, note))
    _decision_line(change, record, identity, words, note)
    return words


def _scored(change: Change, record: Record, candidate: Promotion | None, same: bool) -> str:
    given, kept = record.data["scores"], record.data["agent_scores"]
    if candidate is not None and same:
        memories.set_keys(change, candidate, {"agent_scores": flow(kept), "scores": flow(given)})
    elif candidate is not None and dict(candidate.scores) == given:
        _keep(change, candidate.path)
    return "scored"


def _promoted(change: Change, record: Record, candidate: Promotion | None, identity: str) -> bool:
    """MEMORY.md and the candidate's status; False, and a problem, when it is neither what it was nor was to become."""
    gate = change.gate
    now = hashlib.sha256(read_bytes(gate.root / layout.MEMORY, layout.MEMORY) or b"").hexdigest()
    if now == record.data.get("after_sha256"):
        _keep(change, layout.MEMORY)
        if candidate is not None:
            memories.set_keys(change, candidate, {"status": "promoted"})
        return True
    if now == record.data.get("before_sha256") and candidate is not None:
        created, over = bool(record.data.get("created")), record.data.get("over")
        with suppress(PromotingError):
            would = memories.preview(gate, candidate, create=created, over=over)
            if hashlib.sha256(would.after).hexdigest() == record.data.get("after_sha256"):
                return memories.write_promotion(change, candidate, would)
    what = layout.MEMORY if candidate is not None else f"the candidate {identity}"
    change.problems.append(
        f"{identity} was to be promoted, and {what} changed since: if {layout.MEMORY} lacks it, promote it again"
    )
    return False


def _keep(change: Change, path: str) -> None:
    """Have a file committed that was written before the crash."""
    change.touched.setdefault(path, as_it_stands(change.gate, path))


def _decision_line(change: Change, record: Record, identity: str, words: str, note: str) -> None:
    """The line in DECISIONS.md, unless it stands there already."""
    short = str(record.data.get("digest"))[:12]
    if _stands(change.gate, record, f"{identity}: {words}", short):
        _keep(change, layout.DECISIONS)
        return
    sent_back = record.event in (records.REJECTED, records.CHANGES, records.DISCARDED)
    end = f"{note + ' ' if note else ''}({short})" if sent_back else short
    change.decision_line(f"{identity}: {words} — {end}")


def _stands(gate: Gate, record: Record, start: str, short: str) -> bool:
    """Whether DECISIONS.md has a line of this very decision, and not only of an earlier one like it."""
    try:
        zone = timestamps.zone(config.load(gate.root).time_zone)
    except config.ConfigError:
        zone = None
    since = record.when.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0)
    document = read(gate.root, layout.DECISIONS) or parse(layout.DECISIONS, b"")
    return any(
        start in one.text and short in one.text and one.when is not None and one.when >= since
        for one in entries.read_decisions(document).entries
    )
