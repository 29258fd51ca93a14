"""The human's own words in place of the agent's: a draft, or a candidate for MEMORY.md, edited in the review.

An edit gives no yes. Changed bytes are other bytes, so whatever was decided about the old ones needs a fresh word.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from typing import NamedTuple

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import MEMORY_PREFIX, BusyError, LedgerError
from dory_tui.review.change import Change, DecisionError, Done, StaleError, local
from dory_tui.review.decide import show_status
from dory_tui.review.inspect import inspect
from dory_tui.review.items import Subject
from dory_tui.review.undo import EDITED
from dory_tui.workspace import layout
from dory_tui.workspace.document import Document, WorkspaceError
from dory_tui.workspace.drafts import Draft, Entry
from dory_tui.workspace.promotions import Promotion, parse_promotion, read_promotions

EDITORS = ("sensible-editor", "nano", "vi")
"""What is looked for when the environment names no editor."""
_GONE = ("done", "happened", "unknown", "claimed", "running")
_DECIDED = ("approved", "rejected", "changes requested")


class Editable(NamedTuple):
    """What an editor is given: the file, the bytes that are the human's to change, and where they stand in the file."""

    path: str
    data: bytes
    span: tuple[int, int]


def editable(gate: Gate, subject: Subject) -> Editable:
    """A draft's whole file, an inline draft's text below its labels, or a candidate's whole file.

    DecisionError when it is gone, cannot be read, or was started already; StaleError when it is not what was shown.
    """
    try:
        if subject.kind == "memory":
            candidate = _candidate(gate, subject)
            return Editable(candidate.path, candidate.data, (0, len(candidate.data)))
        return _draft_text(gate, _draft(gate, subject))
    except (WorkspaceError, LedgerError) as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error


def edit(gate: Gate, subject: Subject, digest: str, data: bytes) -> Done | None:
    """Put the human's bytes in place of those that were shown, whose draft or candidate has this digest.

    None when they are the same. What cannot be used as it is now is written all the same, and the sentence says what
    is wrong. StaleError when something else stands there by now: then nothing is written.
    """
    shown = Subject(subject.kind, subject.id, digest)
    key = subject.id if subject.kind == "draft" else MEMORY_PREFIX + subject.id
    try:
        gate.settle()
        with gate.ledger.lock(key):
            if editable(gate, shown).data == data:
                return None
            if not data.strip():
                raise DecisionError(Exit.USAGE, f"nothing is left of {subject.id}, so it was not written: reject it")
            change = Change(gate, about=key)
            try:
                return _edited_draft(change, shown, data) if shown.kind == "draft" else _edited(change, shown, data)
            finally:
                change.let_go()
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def _candidate(gate: Gate, subject: Subject) -> Promotion:
    found = next((one for one in read_promotions(gate.root) if one.id == subject.id), None)
    if found is None:
        raise DecisionError(Exit.USAGE, f"there is no candidate {subject.id!r} in {layout.PROMOTIONS}")
    if found.digest != subject.digest:
        raise StaleError(subject.id)
    if not found.data and found.problem is not None:
        raise DecisionError(Exit.USAGE, str(found.problem))
    return found


def _draft(gate: Gate, subject: Subject) -> Draft:
    """The draft as it was shown. Two of one id are told apart by their bytes: editing one is how that is mended."""
    same = [draft for draft in gate.staging().drafts if draft.id == subject.id]
    if not same:
        raise DecisionError(Exit.USAGE, f"there is no draft {subject.id!r}")
    found = next((draft for draft in same if draft.digest == subject.digest), None)
    if found is None:
        raise StaleError(subject.id)
    if not found.data and found.problem is not None:
        raise DecisionError(Exit.USAGE, str(found.problem))
    standing = gate.standing(found, ())
    if standing.state in _GONE:
        raise DecisionError(standing.code or Exit.REFUSED, f"{found.id} cannot be edited: {standing.reason}")
    return found


def _draft_text(gate: Gate, draft: Draft) -> Editable:
    if draft.path is not None:
        return Editable(draft.path, draft.data, (0, len(draft.data)))
    document = gate.staging().document
    span = _span(draft)
    return Editable(layout.STAGING, document.data[slice(*span)], span)


def _span(draft: Draft) -> tuple[int, int]:
    """Where an inline draft's text stands in STAGING.md: below its labels, or all of an entry of another shape."""
    if draft.entry is not None:
        return _text_span(draft.entry)
    assert draft.shaped is not None
    return draft.shaped.span


def _text_span(entry: Entry) -> tuple[int, int]:
    """Where an inline draft's text stands: below its labels, line ends included."""
    return (entry.body[0].start, entry.body[-1].stop) if entry.body else (entry.label_stop, entry.label_stop)


def _edited(change: Change, shown: Subject, data: bytes) -> Done:
    """A candidate's file, with the item's lock held."""
    found = _candidate(change.gate, shown)
    _write(change, found.path, found.data, data)
    made = parse_promotion(found.path, data)
    change.decision_line(f"{shown.id}: {EDITED} — {made.short}")
    wrong = "" if made.problem is None else f", but cannot be promoted as it is: {made.problem}"
    return change.commit(f"{shown.id} is edited{wrong}", f"Edit {shown.id}", EDITED, shown.id, made.digest)


def _edited_draft(change: Change, shown: Subject, data: bytes) -> Done:
    gate = change.gate
    found = _draft(gate, shown)
    if found.path is not None:
        _write(change, found.path, found.data, data)
    else:
        document = gate.staging().document
        _write(change, layout.STAGING, document.data, _spliced(document, found, data))
    made = _again(gate, found)
    if made is not None and made.status in _DECIDED:
        show_status(change, made, "pending", None)
    digest = shown.digest if made is None else made.digest
    change.decision_line(f"{shown.id}: {EDITED} — {digest[:12]}")
    return change.commit(
        f"{shown.id} is edited{_what_now(gate, shown, made)}", f"Edit {shown.id}", EDITED, shown.id, digest
    )


def _spliced(document: Document, draft: Draft, text: bytes) -> bytes:
    """STAGING.md with another text in an entry, still parted from what stands around it."""
    data, end, span = document.data, document.line_end, _span(draft)
    whole = draft.entry is None or draft.entry.body
    above = b"" if whole else (b"" if data[: span[0]].endswith((b"\n", b"\r")) else end) + end
    below = end if data[span[1] :] and not text.endswith((b"\n", b"\r")) else b""
    return data[: span[0]] + above + text + below + data[span[1] :]


def _again(gate: Gate, before: Draft) -> Draft | None:
    """The draft as it reads after the edit: in its file, or under its heading."""
    for draft in gate.staging().drafts:
        if draft.path == before.path and (before.path is not None or draft.id == before.id):
            return draft
    return None


def _what_now(gate: Gate, shown: Subject, made: Draft | None) -> str:
    if made is None:
        return ", but is no draft of its own any more: look at it in STAGING.md"
    named = "" if made.id == shown.id else f" and is now {made.id}"
    looked = inspect(gate.root, made, local(gate), gate=gate)
    if looked.refusal is not None:
        return f"{named}, but cannot be approved as it is: {looked.refusal}"
    state = gate.standing(made, ()).state
    return f"{named}; it is approved, as these bytes were before" if state == "approved" else f"{named}: it needs a yes"


def _write(change: Change, path: str, shown: bytes, data: bytes) -> None:
    """The bytes, if the file still holds what was shown. DecisionError when they could not be written."""

    def work(now: bytes | None) -> bytes:
        if now != shown:
            raise StaleError(path)
        return data

    change.edit(path, work)
    if path not in change.touched:
        problem = change.problems[-1] if change.problems else f"{path} was not written"
        raise DecisionError(Exit.REFUSED, problem)


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """The person's editor and its arguments: `$VISUAL`, `$EDITOR`, else the first of `EDITORS` that is installed.

    DecisionError when the one that is named cannot be found, or none is.
    """
    path = environment.get("PATH")
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environment.get(name, ""))
        except ValueError as error:
            raise DecisionError(Exit.USAGE, f"${name} cannot be read ({error}): set it to your editor") from error
        if words and shutil.which(words[0], path=path) is None:
            raise DecisionError(Exit.USAGE, f"${name} names {words[0]!r}, which cannot be found: set it to your editor")
        if words:
            return words
    for name in EDITORS:
        if shutil.which(name, path=path) is not None:
            return [name]
    raise DecisionError(Exit.USAGE, "there is no editor here: set $EDITOR to the one you use")
