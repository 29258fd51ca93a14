"""The decisions as the screen makes them, in a thread: what each needs is imported when it is first made.

(The service behind them brings git along, which the first paint does not wait for.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dory_tui.gate.survey import Gate
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Candidate, HoldView, Staged, Subject
from dory_tui.tui.widgets.entries import Entry
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.promises import Promise

if TYPE_CHECKING:
    from dory_tui.memory.audit import Mention
    from dory_tui.review.auditing import Audit, Progress
    from dory_tui.review.bulk import Plan, Verb
    from dory_tui.review.change import DecisionError, Done
    from dory_tui.review.session import Decided

Work: TypeAlias = "Callable[[Gate], Done | None]"
"""None: nothing was there to decide."""
_GONE_BY = ("done", "happened", "unknown", "claimed", "running")


@dataclass(frozen=True)
class Outcome:
    """What became of a decision: `done`, or the sentence that says why nothing was decided; and the desk since then."""

    desk: Desk | None
    done: Done | None = None
    refusal: str | None = None


def carry_out(gate: Gate, work: Work) -> Outcome:
    """Make a decision and read the workspace again. Called in a thread."""
    from dory_tui.review.change import DecisionError

    done, refusal = None, None
    try:
        done = work(gate)
    except DecisionError as error:
        refusal = str(error)
    try:
        return Outcome(load(gate), done, refusal)
    except WorkspaceError as error:
        return Outcome(None, done, refusal or str(error))


def read(gate: Gate) -> Outcome:
    """Read the workspace. Called in a thread."""
    try:
        return Outcome(load(gate))
    except WorkspaceError as error:
        return Outcome(None, refusal=str(error))


def finish(gate: Gate) -> list[str]:
    """What a crash left undone is finished; one sentence for each. Called in a thread, once."""
    from dory_tui.review.finish import finish

    return finish(gate)


def approve(
    subject: Subject, fingerprint: str | None, override: Sequence[str] = (), *, at_terminal: bool = False
) -> Work:
    """`at_terminal`: the terminal is free, so that signing may ask there for a passphrase or a touch."""

    def work(gate: Gate) -> Done:
        from dory_tui.review import decide

        return decide.approve(
            gate, subject.id, subject.digest, override, fingerprint=fingerprint, at_terminal=at_terminal
        )

    return work


def asks_at_terminal(gate: Gate) -> bool:
    """Whether a yes would ask at the terminal for a passphrase or a touch: the screen must step aside first."""
    from dory_tui.review import keys

    return keys.needs_terminal(gate)


def reject(subject: Subject, note: str) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide, memories

        no = decide.reject if subject.kind == "draft" else memories.discard
        return no(gate, subject.id, subject.digest, note)

    return work


def changes(subject: Subject, note: str) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide, memories

        back = decide.request_changes if subject.kind == "draft" else memories.send_back
        return back(gate, subject.id, subject.digest, note)

    return work


def revoke(subject: Subject) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide

        return decide.revoke(gate, subject.id, subject.digest)

    return work


def resolve(name: str, happened: bool) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide

        return decide.resolve(gate, name, happened)

    return work


def hold(text: str) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide

        return decide.add_hold(gate, text)

    return work


def lift(digest: str) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import decide

        return decide.lift(gate, digest)

    return work


def kept(promise: Promise) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import promises

        return promises.kept(gate, promise)

    return work


def promote(subject: Subject, after: str, create: bool, over: int | None = None) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import memories

        return memories.promote(gate, subject.id, subject.digest, after=after, create=create, over=over)

    return work


def prune(digest: str, lines: Sequence[int]) -> Work:
    """`digest` is the SHA-256 of MEMORY.md as shown."""

    def work(gate: Gate) -> Done:
        from dory_tui.review import pruning

        return pruning.prune(gate, digest, lines)

    return work


class EndedError(Exception):
    """Raised by the progress of an audit that nobody waits for any more."""


@dataclass(frozen=True)
class Audited:
    """MEMORY.md looked through, with the words of the line of each last mention; or the sentence that says why not."""

    audit: Audit | None
    words: Mapping[Mention, str]
    refusal: str = ""


def audit(gate: Gate, progress: Progress) -> Audited:
    """Look through MEMORY.md. Called in a thread; it takes seconds where there are logs of years."""
    from dory_tui.config import ConfigError
    from dory_tui.ledger.store import LedgerError
    from dory_tui.review import auditing
    from dory_tui.review.change import DecisionError
    from dory_tui.review.previewing import line_words

    try:
        found = auditing.audit(gate, progress)
    except (DecisionError, WorkspaceError, LedgerError, ConfigError) as error:
        return Audited(None, {}, str(error))
    except EndedError:
        return Audited(None, {})
    mentions = {one.mention for one in found.lines if one.mention is not None}
    words = {one: line_words(gate.root, one.path, one.line) or "" for one in mentions}
    return Audited(found, words)


def score(subject: Subject, scores: Mapping[str, int]) -> Work:
    def work(gate: Gate) -> Done:
        from dory_tui.review import memories

        return memories.score(gate, subject.id, subject.digest, scores)

    return work


def undo(expected: Decided | None = None) -> Work:
    """`expected` is what was asked about; if the last decision is another by now, nothing is undone."""

    def work(gate: Gate) -> Done:
        from dory_tui.review import undo as service

        return service.undo(gate, expected=expected)

    return work


def edit(subject: Subject, data: bytes) -> Work:
    def work(gate: Gate) -> Done | None:
        from dory_tui.review import edit as service

        return service.edit(gate, subject, subject.digest, data)

    return work


@dataclass(frozen=True)
class BulkOutcome:
    """What became of each item of a bulk decision, in its order; `refusal` when none was begun; the desk since then."""

    desk: Desk | None
    made: Sequence[tuple[Subject, Done | DecisionError]] = ()
    refusal: str | None = None


def plan(desk: Desk, subjects: Sequence[Subject], verb: Verb) -> Plan:
    """What a bulk decision would do. Called in a thread."""
    from dory_tui.review import bulk as service

    return service.plan(desk, subjects, verb)


def bulk(gate: Gate, planned: Plan, note: str = "") -> BulkOutcome:
    """Decide each item of a plan by itself and read the workspace again. Called in a thread."""
    from dory_tui.review import bulk as service
    from dory_tui.review.change import DecisionError

    made: Sequence[tuple[Subject, Done | DecisionError]] = ()
    refusal = None
    try:
        made = service.carry_out(gate, planned, note)
    except DecisionError as error:
        refusal = str(error)
    try:
        return BulkOutcome(load(gate), made, refusal)
    except WorkspaceError as error:
        return BulkOutcome(None, made, refusal or str(error))


def possible(entry: Entry | None) -> frozenset[str]:
    """The names of the decisions that make sense for what is selected (the actions of `keys.DECIDE`)."""
    found = {"hold"}
    thing = None if entry is None else entry.thing
    if isinstance(thing, Staged):
        found |= _for_draft(thing)
    elif isinstance(thing, Candidate) and thing.waits:
        found |= {"promote", "discard", "changes", "edit"} | ({"scores"} if thing.verdict is not None else set())
    elif isinstance(thing, HoldView) and thing.hold.kind != "file":
        found.add("lift")
    elif isinstance(thing, Promise):
        found.add("kept")
    return frozenset(found)


def _for_draft(item: Staged) -> set[str]:
    state = item.standing.state
    if state == "unknown":
        return {"happened", "not_happened"}
    found = set()
    if item.standing.can_approve or (state == "approved" and item.held):
        found.add("approve")
    if state == "approved":
        found.add("revoke")
    if state not in _GONE_BY:
        found.add("edit")
        found |= {"reject"} if state != "rejected" else set()
        found |= {"changes"} if state != "changes-requested" else set()
    return found
