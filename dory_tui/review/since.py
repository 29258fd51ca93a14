"""What changed in one draft since it was last decided about, or last committed (`dory diff`)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.ledger.store import Item
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, Staged
from dory_tui.review.memories import preview
from dory_tui.review.past import said
from dory_tui.workspace import layout
from dory_tui.workspace.timestamps import when

_COMMITS = 200
"""So many commits of a draft's file are looked through for the bytes that were decided about."""


@dataclass(frozen=True, slots=True)
class Since:
    """The bytes of `path` then and now. `sentence` says what "then" is, and of what else is compared."""

    path: str
    sentence: str
    before: bytes
    after: bytes


def of_draft(desk: Desk, item: Staged) -> Since:
    """A draft against the bytes that the last decision was about; where they are lost, against the last commit."""
    gate, draft = desk.gate, item.draft
    path = draft.path or layout.STAGING
    found = _last_decided(gate, draft.id)
    if found is not None and found.record is not None:
        digest = str(found.record.data["digest"])
        words = f"since it was {said(found.event)} ({when(found.record.when, desk.now)})"
        if digest == draft.digest:
            return Since(path, f"nothing changed {words}", draft.data, draft.data)
        then = gate.ledger.blob(digest) or _committed(gate, path, digest)
        if then is not None:
            return Since(path, words, then, draft.data)
    if draft.origin == "inline" or draft.path is None:
        sentence = "it stands in STAGING.md itself, and what it was before is not kept: `git diff` shows that file"
        return Since(path, sentence, draft.data, draft.data)
    last = Repository(gate.root, gate.environment).last_committed(path)
    if last is None:
        return Since(path, "it is new: nobody decided about it, and git does not know it yet", b"", draft.data)
    lost = "what was decided about is not kept; " if found is not None else "nobody decided about it yet; "
    return Since(path, f"{lost}since it was last committed", last, draft.data)


def of_candidate(desk: Desk, one: Candidate) -> Since:
    """MEMORY.md against what it would be. PromotingError says what stands in the way."""
    would = preview(desk.gate, one.promotion, create=True)
    return Since(layout.MEMORY, f"if {one.promotion.id} is promoted", would.before, would.after)


def _last_decided(gate: Gate, name: str) -> Item | None:
    """The last record of a draft that names the bytes it is about."""
    for item in reversed(gate.ledger.history(name)):
        if item.original and item.record is not None and isinstance(item.record.data.get("digest"), str):
            return item
    return None


def _committed(gate: Gate, path: str, digest: str) -> bytes | None:
    """The version of a file that has this digest, out of its newest commits."""
    repository = Repository(gate.root, gate.environment)
    for entry in repository.log(_COMMITS, [path]):
        data = repository.last_committed(path, entry.sha)
        if data is not None and hashlib.sha256(data).hexdigest() == digest:
            return data
    return None
