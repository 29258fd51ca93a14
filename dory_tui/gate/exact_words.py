"""Whether the words quoted in ACTIVE.md are those that were captured (workspace.md, "Exact words")."""

from __future__ import annotations

import hashlib
from datetime import datetime

from dory_tui import config
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import TASK_PREFIX
from dory_tui.values import dataclass
from dory_tui.workspace import timestamps
from dory_tui.workspace.document import Document
from dory_tui.workspace.task_reading import said


@dataclass(frozen=True, slots=True)
class Captured:
    """The last words captured: where their record stands, their SHA-256 in hex, when, and whether they are finished.

    `digest` and `when` are None when the record cannot be read.
    """

    key: str
    attempt: int
    digest: str | None
    when: datetime | None
    finished: bool


def last_captured(gate: Gate) -> Captured | None:
    """The newest capture of the authoritative ledger; None when there never was one. LedgerError as below."""
    for key in reversed(gate.ledger.keys(TASK_PREFIX)):
        items = [item for item in gate.ledger.history(key) if item.original]
        captures = [item for item in items if item.event == records.CAPTURED]
        if not captures:
            continue
        item = captures[-1]
        finished = any(one.event == records.DONE and one.attempt >= item.attempt for one in items)
        kept = item.record
        digest = None if kept is None else str(kept.data.get("digest"))
        return Captured(key, item.attempt, digest, None if kept is None else kept.when, finished)
    return None


def task_words(gate: Gate, document: Document) -> str | None:
    """The sentence for words in ACTIVE.md that are not those captured; None when they are, or none are open.

    LedgerError when the ledger cannot be read.
    """
    words = said(document)
    captured = None if words is None else last_captured(gate)
    if words is None or captured is None or captured.finished:
        return None
    if captured.digest is None or captured.when is None:
        return f"the record of the captured words ({captured.key}) cannot be read, so nobody can say if these are they"
    if captured.digest == digest(words):
        return None
    return f"the quoted words are not those captured on {_on(gate, captured.when)}: somebody changed them since"


def digest(words: bytes) -> str:
    """The SHA-256 of the exact bytes, in hex."""
    return hashlib.sha256(words).hexdigest()


def _on(gate: Gate, moment: datetime) -> str:
    """`30 Nov 09:12`, in the workspace's zone."""
    try:
        name = config.load(gate.root).time_zone
    except config.ConfigError:
        name = None
    local = moment.astimezone(timestamps.zone(name))
    return f"{timestamps.short_day(local.date()).strip()} {local.strftime('%H:%M')}"
