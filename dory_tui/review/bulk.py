"""One decision about many things: every item is listed first, and each is then decided by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dory_tui.gate.rules import Exit, held_sentence
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.memory import promoting
from dory_tui.review import decide, memories
from dory_tui.review.change import DecisionError, Done, StaleError
from dory_tui.review.desk import Desk
from dory_tui.review.inspect import Inspection, inspect
from dory_tui.review.items import Candidate, Staged, Subject
from dory_tui.secrets import spans
from dory_tui.visible import visible_line
from dory_tui.workspace.document import WorkspaceError, decode
from dory_tui.workspace.edits import one_line
from dory_tui.workspace.promotions import Promotion, read_promotions

Verb = Literal["approve", "reject", "changes", "promote", "discard"]
_FOR = {"approve": "draft", "reject": "draft", "changes": "draft", "promote": "memory", "discard": "memory"}
_GONE = ("done", "happened", "unknown", "claimed", "running")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that would be decided. `what` is what runs, or what is written, in one line; `lines` all of it.

    `fingerprint` is of the program and its input as shown; `creates` the heading that MEMORY.md would get.
    """

    subject: Subject
    title: str
    what: str
    lines: tuple[tuple[str, str], ...] = ()
    fingerprint: str | None = None
    creates: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One thing that would not be decided, and why, in one sentence."""

    subject: Subject
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bulk decision would do, for the human to read first. `memory` is MEMORY.md as it starts from it."""

    verb: Verb
    items: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]
    memory: bytes = b""


class _LeftError(Exception):
    """Why an item is left out."""


def plan(desk: Desk, subjects: Sequence[Subject], verb: Verb) -> Plan:
    """List what a decision about all of these would do. Nothing is decided. Holds are never gone over in bulk."""
    items: list[Item] = []
    left: list[LeftOut] = []
    memory = desk.memory or b""
    for subject in dict.fromkeys(subjects):
        title = subject.id
        try:
            if subject.kind != _FOR[verb]:
                raise _LeftError(f"it is a {subject.kind}")
            if subject.kind == "draft":
                staged = desk.staged_by_id(subject.id)
                title = visible_line(staged.title) if staged is not None else title
                items.append(_draft(desk, staged, subject, verb))
            else:
                candidate = desk.candidate_by_id(subject.id)
                title = visible_line(candidate.promotion.title) if candidate is not None else title
                item, memory = _memory(desk, candidate, subject, verb, memory)
                items.append(item)
        except _LeftError as reason:
            left.append(LeftOut(subject, title, visible_line(str(reason))))
    return Plan(verb, tuple(items), tuple(left), desk.memory or b"")


def _draft(desk: Desk, staged: Staged | None, subject: Subject, verb: Verb) -> Item:
    if staged is None or staged.draft.digest != subject.digest:
        raise _LeftError("it changed since you marked it")
    standing = staged.standing
    looked = inspect(desk.gate.root, staged.draft, desk.now, gate=desk.gate)
    if verb == "approve":
        _approvable(desk, staged, looked)
    elif standing.state in _GONE or standing.state == ("rejected" if verb == "reject" else "changes-requested"):
        raise _LeftError(standing.reason)
    return Item(subject, visible_line(staged.title), _runs(looked), looked.lines, looked.fingerprint)


def _approvable(desk: Desk, staged: Staged, looked: Inspection) -> None:
    standing = staged.standing
    if standing.held_by:
        raise _LeftError(f"{held_sentence(standing.held_by)}: decide on it alone")
    if not standing.can_approve:
        raise _LeftError("it is approved already" if standing.state == "approved" else standing.reason)
    if looked.refusal is not None:
        raise _LeftError(looked.refusal)
    if looked.schedule.expires is not None and looked.schedule.expires <= desk.now:
        raise _LeftError("its window ended: it must be staged again with another")
    argv = "\n".join(looked.action.argv) if looked.action is not None else ""
    if spans(decode(staged.draft.data)) or spans(argv):
        raise _LeftError("it holds a secret, which is masked in lists: decide on it alone")


def _runs(looked: Inspection) -> str:
    """What would run, and when, in one line."""
    when = ", ".join(text for label, text in looked.lines if label == "when")
    if looked.refusal is not None:
        return looked.refusal
    if looked.action is None:
        return f"text, for the agent to use once · {when}"
    return f"{' '.join(visible_line(word) for word in looked.action.argv)} · {when}"


def _memory(desk: Desk, candidate: Candidate | None, subject: Subject, verb: Verb, memory: bytes) -> tuple[Item, bytes]:
    """The item, and MEMORY.md as it would be after it: promotions are written one after the other."""
    if candidate is None or candidate.promotion.digest != subject.digest:
        raise _LeftError("it changed since you marked it")
    found = candidate.promotion
    title = visible_line(found.title)
    if not candidate.waits:
        raise _LeftError(f"it is {found.status} already")
    if found.problem is not None or candidate.verdict is None:
        raise _LeftError(str(found.problem))
    if verb == "discard":
        return Item(subject, title, f"it stays out of MEMORY.md · {candidate.verdict.total} points"), memory
    if not candidate.verdict.promote:
        raise _LeftError(f"it does not earn its place: {candidate.verdict.reason}")
    try:
        promoting.check_secrets(found)
        would = promoting.preview(memory, found, create=True)
        promoting.check_cap(would, desk.settings.cap)
    except promoting.PromotingError as error:
        raise _LeftError(str(error)) from error
    into = visible_line(would.created or found.section)
    what = f"into a new section {into}" if would.created else f"into {into}"
    if found.replaces is not None:
        what = f"in place of “{visible_line(found.replaces)}”"
    return Item(subject, title, what, creates=would.created), would.after


def carry_out(gate: Gate, planned: Plan, note: str = "") -> list[tuple[Subject, Done | DecisionError]]:
    """Decide each item by itself, with a record and a commit of its own, in the order of the plan.

    What changed since the plan, or is held by now, is dropped with its sentence; the others go on. DecisionError
    before anything is decided when changes are asked for without a note.
    """
    if planned.verb == "changes" and not one_line(note):
        raise DecisionError(Exit.USAGE, "say what should change: the note is what reaches the agent")
    made: list[tuple[Subject, Done | DecisionError]] = []
    memory = planned.memory
    for item in planned.items:
        try:
            if planned.verb == "promote":
                done, memory = _promote(gate, item, memory)
            else:
                done = _decide(gate, item, planned.verb, note)
            made.append((item.subject, done))
        except DecisionError as error:
            made.append((item.subject, error))
    return made


def _decide(gate: Gate, item: Item, verb: Verb, note: str) -> Done:
    name, digest = item.subject.id, item.subject.digest
    if verb == "approve":
        _still_free(gate, name)
        return decide.approve(gate, name, digest, fingerprint=item.fingerprint)
    if verb == "discard":
        return memories.discard(gate, name, digest, note)
    return (decide.reject if verb == "reject" else decide.request_changes)(gate, name, digest, note)


def _still_free(gate: Gate, name: str) -> None:
    """DecisionError when a hold came since the plan: a yes said in bulk is none to something held."""
    try:
        draft = gate.staging().find(name)
        held = () if draft is None else gate.standing(draft, gate.holds()).held_by
    except (WorkspaceError, LedgerError) as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    if held:
        raise DecisionError(Exit.HELD, f"{name} is held by now, so it was left out: {held_sentence(held)}")


def _promote(gate: Gate, item: Item, memory: bytes) -> tuple[Done, bytes]:
    """One promotion into MEMORY.md as the ones before it left it; and the file after it."""
    found = _candidate(gate, item.subject)
    try:
        would = promoting.preview(memory, found, create=item.creates is not None)
    except promoting.PromotingError as error:
        raise DecisionError(Exit.REFUSED, f"{found.id}: {error}") from error
    after = hashlib.sha256(would.after).hexdigest()
    done = memories.promote(gate, found.id, found.digest, after=after, create=item.creates is not None)
    return done, would.after


def _candidate(gate: Gate, subject: Subject) -> Promotion:
    try:
        found = next((one for one in read_promotions(gate.root) if one.id == subject.id), None)
    except WorkspaceError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    if found is None or found.digest != subject.digest:
        raise StaleError(subject.id)
    return found
