"""What an agent should know when it starts: everything but the words for it, which are in `context_text`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from dory_tui import config
from dory_tui.agent.boot import Look, look
from dory_tui.agent.write import local_or_machine
from dory_tui.gate import notes
from dory_tui.gate.conflicts import conflicts
from dory_tui.gate.covered import covered
from dory_tui.gate.exact_words import Captured, Drift, drift, last_captured
from dory_tui.gate.rules import Exit, Standing
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import MEMORY_PREFIX, LedgerError
from dory_tui.values import dataclass
from dory_tui.workspace import layout, logs
from dory_tui.workspace.document import Document, WorkspaceError, parse, read, read_bytes
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.entries import Decision, Task, first_open, read_decisions, read_task
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.promises import Promise, open_promises
from dory_tui.workspace.promotions import read_promotions

BOOTED = "booted.json"
"""In the state folder: when the context was last printed."""
AGAIN = timedelta(days=1)
"""What was answered so lately is told again: the session that was told may have ended before it acted."""
_FIRST = timedelta(days=7)
_ANSWERS = frozenset(
    {"approved", "rejected", "changes-requested", "revoked", "running", "done", "failed", "happened", "not-happened",
     records.ABORTED}
)  # fmt: skip
_DECISIONS = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a draft or a candidate. `fresh` when it is newer than the last boot; `text` has no action."""

    id: str
    kind: str
    state: str
    sentence: str
    when: datetime | None
    fresh: bool
    path: str
    code: Exit = Exit.REFUSED
    text: bool = False

    @property
    def to_do(self) -> bool:
        """Whether the agent is meant to act on it: told at every boot until it did."""
        return self.state == "changes-requested" or (self.state == "approved" and self.text)


@dataclass(frozen=True, slots=True)
class Context:
    """One look at a workspace for an agent. `since` bounds the answers; `last` is the boot before this one."""

    look: Look
    now: datetime
    since: datetime
    last: datetime | None
    holds: tuple[tuple[Hold, tuple[str, ...]], ...]
    task: Task | None
    captured: Captured | None
    drift: Drift | None
    answers: tuple[Answer, ...]
    waiting: tuple[tuple[Draft, Standing], ...]
    unknown: tuple[tuple[Draft, Standing], ...]
    promises: tuple[tuple[Promise, int], ...]
    decisions: tuple[Decision, ...]
    conflicts: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    problems: tuple[str, ...]


def context(gate: Gate) -> Context:
    """Read what an agent needs. A file that cannot be read is a sentence in `problems`, and the rest is there."""
    found = look(gate)
    now = local_or_machine(gate)
    last = notes.when(gate, BOOTED)
    since = now - _FIRST if last is None else min(last, now - AGAIN)
    active, tasks = _tasks(gate)
    captured, changed = _words(gate, active)
    said = "" if changed is None else f"{layout.ACTIVE}: {changed.sentence}"  # it stands with the task
    problems = [one for one in found.problems if one != said]
    decisions = _decisions(gate, problems)
    answers = [*_answers(gate, found, since, last), *_memories(gate, since, last, problems)]
    waiting = [one for one in found.drafts if one[1].needs_yes and one[1].state != "unknown"]
    problems += [f"{one.where}: {standing.reason}" for one, standing in found.drafts if standing.state == "invalid"]
    problems += _settings(gate)
    return Context(
        look=found,
        now=now,
        since=since,
        last=last,
        holds=tuple((hold, covered(hold, found.drafts)) for hold in found.holds),
        task=first_open(tasks),
        captured=captured,
        drift=changed,
        answers=tuple(sorted(answers, key=lambda one: (not one.to_do, not one.fresh))),
        waiting=tuple(waiting),
        unknown=tuple(one for one in found.drafts if one[1].state == "unknown"),
        promises=_promises(gate, now, problems),
        decisions=decisions[:_DECISIONS],
        conflicts=conflicts(tasks, found.holds, decisions),
        files=tuple(_files(gate, now, problems)),
        problems=tuple(dict.fromkeys(problems)),
    )


def note_boot(gate: Gate) -> None:
    """Remember that the context was printed: the next one tells what is new since."""
    notes.write(gate, BOOTED, gate.clock())


def _tasks(gate: Gate) -> tuple[Document, tuple[Task, ...]]:
    """ACTIVE.md and its tasks; empty where it cannot be read, which `look` says."""
    try:
        document = read(gate.root, layout.ACTIVE) or parse(layout.ACTIVE, b"")
    except WorkspaceError:
        document = parse(layout.ACTIVE, b"")
    return document, () if document.conflicted is not None else read_task(document).entries


def _words(gate: Gate, document: Document) -> tuple[Captured | None, Drift | None]:
    try:
        captured = last_captured(gate)
        return captured, None if document.conflicted is not None else drift(gate, document)
    except LedgerError as error:
        return None, Drift("unreadable", 0, str(error))


def _decisions(gate: Gate, problems: list[str]) -> tuple[Decision, ...]:
    """Those that stand, the newest first."""
    try:
        document = read(gate.root, layout.DECISIONS) or parse(layout.DECISIONS, b"")
    except WorkspaceError as error:
        problems.append(str(error))
        return ()
    found = [one for one in read_decisions(document).entries if not one.over]
    found.sort(key=lambda one: (one.when.isoformat() if one.when else "", one.line), reverse=True)
    return tuple(found)


def _answers(gate: Gate, found: Look, since: datetime, last: datetime | None) -> Iterator[Answer]:
    for draft, standing in found.drafts:
        if standing.state not in _ANSWERS:
            continue
        approval = standing.approval
        text = approval is not None and not approval.data.get("action")
        fresh = last is None or standing.since is None or standing.since > last
        reason = standing.reason
        if standing.held_by and standing.state != "approved":
            reason = gate.standing(draft, ()).reason  # a hold outranks the answer, and must not hide its note
        one = Answer(draft.id, "draft", standing.state, reason, standing.since, fresh, draft.where, standing.code, text)
        if one.to_do or standing.since is None or standing.since > since:
            yield one


def _memories(gate: Gate, since: datetime, last: datetime | None, problems: list[str]) -> Iterator[Answer]:
    """What a human said of candidates for MEMORY.md."""
    words = {records.PROMOTED: "it is in MEMORY.md now", records.DISCARDED: "a human said no",
             records.CHANGES: "a human asked for changes"}  # fmt: skip
    try:
        for one in read_promotions(gate.root):
            if one.status in ("pending", "draft"):
                continue
            items = [item for item in gate.ledger.history(MEMORY_PREFIX + one.id) if item.record is not None]
            if not items or items[-1].event not in words or items[-1].record is None:
                continue
            event, record = items[-1].event, items[-1].record
            note = f": {record.data['note']}" if record.data.get("note") else ""
            fresh = last is None or record.when > last
            found = Answer(one.id, "memory", event, words[event] + note, record.when, fresh, one.path)
            if found.to_do or record.when > since:
                yield found
    except (WorkspaceError, LedgerError) as error:
        problems.append(str(error))


def _promises(gate: Gate, now: datetime, problems: list[str]) -> tuple[tuple[Promise, int], ...]:
    try:
        return tuple((one, (now.date() - one.day).days) for one in open_promises(gate.root, now.date()))
    except WorkspaceError as error:
        problems.append(str(error))
        return ()


def _settings(gate: Gate) -> list[str]:
    try:
        config.load(gate.root)
    except config.ConfigError as error:
        return [str(error)]
    return []


def _files(gate: Gate, now: datetime, problems: list[str]) -> Iterator[tuple[str, bytes]]:
    """What is read after the state files, in the order of workspace.md."""
    today = now.date()
    days = [log.path for log in logs.list_logs(gate.root) if log.day in (today, today - timedelta(days=1))]
    for path in ("SOUL.md", "USER.md", layout.MEMORY, *days, logs.RECENT):
        try:
            data = read_bytes(gate.root / path, path)
        except WorkspaceError as error:
            problems.append(str(error))
            continue
        if data is not None and data.strip():
            yield path, data
