"""Finish at the next start what a crash left undone: a recorded decision whose files were not written yet.

A status that dory was about to write is written; one that somebody else wrote is left, and shown as a conflict
(workspace.md, "History").
"""

from __future__ import annotations

import hashlib

from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.ledger import records
from dory_tui.ledger.records import Record
from dory_tui.ledger.store import MEMORY_PREFIX, LedgerError
from dory_tui.memory.promoting import PromotingError
from dory_tui.review import memories
from dory_tui.review.change import Change, flush_postponed
from dory_tui.review.decide import show_status
from dory_tui.workspace import layout
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.promotions import Promotion, read_promotions

_STATUS = {
    records.APPROVED: "approved",
    records.REJECTED: "rejected",
    records.CHANGES: "changes requested",
    records.REVOKED: "pending",
}
_WORDS = {
    records.APPROVED: "approved",
    records.REJECTED: "rejected",
    records.CHANGES: "changes requested",
    records.REVOKED: "yes taken back",
}


def finish(gate: Gate) -> list[str]:
    """Write what was about to be written, and make the commits that waited. One sentence for each."""
    done: list[str] = []
    try:
        for draft in gate.staging().drafts:
            done.extend(_draft(gate, draft))
        for candidate in read_promotions(gate.root):
            done.extend(_promotion(gate, candidate))
        flush_postponed(gate, Repository(gate.root, gate.environment))
    except (WorkspaceError, LedgerError):
        return done  # what cannot be read now is shown by the review itself
    return done


def _last(gate: Gate, key: str) -> Record | None:
    """The last record of an item when it is a human's own of this machine."""
    items = gate.ledger.history(key)
    if not items or items[-1].problem is not None or not items[-1].original:
        return None
    return items[-1].record


def _draft(gate: Gate, draft: Draft) -> list[str]:
    record = _last(gate, draft.id)
    if record is None or record.event not in _STATUS or draft.entry is None:
        return []
    wanted = _STATUS[record.event]
    unchanged = draft.status == record.data.get("display_from") and draft.status != wanted
    if not unchanged or record.data.get("digest") != draft.digest:
        return []
    with gate.ledger.lock(draft.id):
        change = Change(gate)
        change.ledger_files(draft.id)
        note = str(record.data.get("note") or "") or None
        show_status(change, draft, wanted, note)
        words = _WORDS[record.event]
        if not _named(gate, draft.id, words, draft.short):
            change.decision_line(f"{draft.id}: {words} — {draft.short}")
        change.commit("", f"Finish what was decided: {draft.id} {words}", record.event, draft.id, draft.digest)
    return [f"finished a decision that was interrupted: {draft.id} {words}"]


def _named(gate: Gate, identity: str, words: str, short: str) -> bool:
    """Whether DECISIONS.md has a line of this decision already."""
    try:
        text = (gate.root / layout.DECISIONS).read_text("utf-8", "surrogateescape")
    except OSError:
        return False
    return any(f"{identity}: {words}" in line and short in line for line in text.splitlines())


def _promotion(gate: Gate, candidate: Promotion) -> list[str]:
    record = _last(gate, MEMORY_PREFIX + candidate.id)
    if record is None or record.event != records.PROMOTED or candidate.status != "pending":
        return []
    if record.data.get("digest") != candidate.digest:
        return []
    with gate.ledger.lock(MEMORY_PREFIX + candidate.id):
        change = Change(gate)
        change.ledger_files(MEMORY_PREFIX + candidate.id)
        memory = gate.root / layout.MEMORY
        now = hashlib.sha256(memory.read_bytes() if memory.exists() else b"").hexdigest()
        if now == record.data.get("before_sha256"):
            try:
                would = memories.preview(gate, candidate, create=bool(record.data.get("created")))
            except PromotingError:
                return []
            if hashlib.sha256(would.after).hexdigest() != record.data.get("after_sha256"):
                return []
            memories.write_promotion(change, candidate, would)
        elif now == record.data.get("after_sha256"):
            change.edit(candidate.path, lambda data: memories.set_front(data or b"", "status", "promoted"))
        else:
            return []
        if not _named(gate, candidate.id, "promoted to MEMORY.md", candidate.short):
            change.decision_line(f"{candidate.id}: promoted to MEMORY.md — {candidate.short}")
        subject = f"Finish what was decided: {candidate.id} promoted"
        change.commit("", subject, records.PROMOTED, candidate.id, candidate.digest)
    return [f"finished a promotion that was interrupted: {candidate.id}"]
