"""What shows a decision, put back to what it was before: a draft's labels in STAGING.md, a line of HOLD.md."""

from __future__ import annotations

from collections.abc import Callable

from dory_tui.gate.survey import Gate
from dory_tui.review import session
from dory_tui.review.change import Change, as_it_stands
from dory_tui.review.decide import show_status
from dory_tui.review.reverting import revert
from dory_tui.review.session import Decided, FileChange
from dory_tui.workspace import layout
from dory_tui.workspace.document import parse, read_bytes
from dory_tui.workspace.drafts import Entry, entries, normal_status
from dory_tui.workspace.edits import add_line, remove_hold
from dory_tui.workspace.holds import holds

PENDING = "pending"
_DECIDED = {"approved": "approved", "rejected": "rejected", "changes requested": "changes-requested"}
"""What a label claims, and the state in which it is true."""


def label_back(change: Change, one: Decided) -> None:
    """Status and note as they were before the decision, in their own spelling.

    A status that somebody wrote since stays. One that would claim a decision which no longer stands reads `pending`.
    """
    gate = change.gate
    draft = gate.staging().find(one.id)
    if draft is None or draft.entry is None:
        return
    file = next((file for file in one.files if file.path == layout.STAGING), None)
    before = session.kept(gate, file.before) if file else None
    after = session.kept(gate, file.after) if file else None
    was, wrote = _entry(before, draft.entry), _entry(after, draft.entry)
    if file is None or was is None or wrote is None:
        _pending_if_claimed(change, one)
        return
    if _status(draft.entry) == _status(was) and draft.entry.value("note") == was.value("note"):
        change.touched.setdefault(layout.STAGING, as_it_stands(gate, layout.STAGING))
        return
    if _status(draft.entry) != _status(wrote):
        return
    if not _true(gate, one.id, _status(was)):
        show_status(change, draft, PENDING, None)
    elif read_bytes(gate.root / layout.STAGING, layout.STAGING) == after and before is not None:
        change.edit(layout.STAGING, lambda data: before if data == after else data or b"")
    else:
        show_status(change, draft, was.value("status"), was.value("note"))


def _pending_if_claimed(change: Change, one: Decided) -> None:
    """`pending` in place of the status that the decision wrote, where nobody knows what stood there before."""
    draft = change.gate.staging().find(one.id)
    if draft is not None and draft.status in _DECIDED and not _true(change.gate, one.id, draft.status):
        show_status(change, draft, PENDING, None)


def _entry(data: bytes | None, like: Entry) -> Entry | None:
    """The same entry in other bytes of STAGING.md: of the same name and place."""
    found = [] if data is None else entries(parse(layout.STAGING, data))[0]
    same = [entry for entry in found if entry.name == like.name and entry.value("location") == like.value("location")]
    return same[0] if len(same) == 1 else None


def _status(entry: Entry) -> str:
    return normal_status(entry.value("status") or "")


def _true(gate: Gate, wanted: str, status: str) -> bool:
    """Whether a status claims no decision, or one that stands now."""
    draft = gate.staging().find(wanted)
    claims = _DECIDED.get(status)
    return claims is None or (draft is not None and gate.standing(draft, ()).state == claims)


def line_out(gate: Gate, file: FileChange, digest: str) -> Callable[[bytes | None], bytes]:
    """For `Change.edit`: HOLD.md without the line of a hold that was added."""
    before, after = session.kept(gate, file.before), session.kept(gate, file.after)

    def work(data: bytes | None) -> bytes:
        if data is not None and data == after and before is not None:
            return before
        mine = next((one for one in holds(parse(layout.HOLD, data or b"")) if one.hash == digest), None)
        return data or b"" if mine is None else remove_hold(data or b"", mine)

    return work


def line_back(gate: Gate, file: FileChange, digest: str, text: str) -> Callable[[bytes | None], bytes]:
    """For `Change.edit`: the line of a hold where it stood, else in its section."""
    before, after = session.kept(gate, file.before), session.kept(gate, file.after)

    def work(data: bytes | None) -> bytes:
        now = data or b""
        if any(one.hash == digest for one in holds(parse(layout.HOLD, now))):
            return now
        made = revert(before, after, now) if before is not None and after is not None else None
        made = add_line(layout.HOLD, data, text) if made is None else made
        if not any(one.hash == digest for one in holds(parse(layout.HOLD, made))):
            raise ValueError(f"the line could not be put back into {layout.HOLD}; the hold stands all the same")
        return made

    return work
