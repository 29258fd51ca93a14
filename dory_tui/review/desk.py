"""Everything a review shows, read once: the panels, the queue, and what could not be read.

The screen, `dory status` and `dory show` are made from a `Desk`; none of them reads a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo

from dory_tui import config
from dory_tui.gate import due, rules
from dory_tui.gate.covered import covered
from dory_tui.gate.exact_words import Drift, drift
from dory_tui.gate.runner import executable_now
from dory_tui.gate.survey import Gate
from dory_tui.gate.zoned import moment
from dory_tui.ledger.store import LedgerError
from dory_tui.memory.scoring import verdict
from dory_tui.review.items import Candidate, HoldView, Past, Staged, Subject
from dory_tui.workspace import entries, layout, timestamps
from dory_tui.workspace.boot import boot_line
from dory_tui.workspace.document import Document, Problem, WorkspaceError, parse, read
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.frontmatter import FrontMatterError
from dory_tui.workspace.holds import Hold, count, hold_problems, unreadable_holds
from dory_tui.workspace.holds import holds as read_holds
from dory_tui.workspace.promises import Promise, open_promises
from dory_tui.workspace.promotions import read_promotions
from dory_tui.workspace.recognise import recognise
from dory_tui.workspace.until import stale

_ORDER = {"unknown": 0, "missed": 1, "superseded": 2, "expired": 2, "pending": 2}


@dataclass(frozen=True)
class Desk:
    """One morning's state of a workspace."""

    gate: Gate
    now: datetime
    settings: config.Settings
    holds: tuple[HoldView, ...]
    tasks: tuple[Task, ...]
    """Every task of ACTIVE.md, done ones too: one, where it is in the canonical form."""
    staged: tuple[Staged, ...]
    candidates: tuple[Candidate, ...]
    decisions: tuple[Decision, ...]
    memory: bytes | None
    last_look: datetime | None
    problems: tuple[Problem, ...]
    """What could not be read or fits no form, with file and line."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """Path → sentence of each state file that cannot be read at all."""
    drift: Drift | None = None
    """How the task in ACTIVE.md differs from the words that the agent captured."""
    lifted: tuple[Past, ...] = ()
    """Holds that HOLD.md itself says are over: shown, not counted."""
    promises: tuple[Promise, ...] = ()
    """What was promised in the logs of the last 60 days and is still open, the oldest first."""
    texts: Mapping[str, Document] = field(default_factory=dict)
    """Path → document, for every state file that was read: a panel without entries shows it as text."""

    @property
    def task(self) -> Task | None:
        """The task that is on: the first one that is not done."""
        return entries.first_open(self.tasks)

    def drifted(self, task: Task) -> Drift | None:
        """How this task differs from the words that were captured; None when it does not, or is another one."""
        found = self.drift
        if found is None or found.kind == "gone" or task.over:
            return None
        return found if not task.text or task.line == found.line else None

    @property
    def standing_decisions(self) -> int:
        """How many decisions still stand."""
        return sum(not one.over for one in self.decisions)

    @property
    def waiting(self) -> tuple[Staged, ...]:
        """Drafts that need a human's word, unknown outcomes first."""
        found = [item for item in self.staged if item.standing.needs_yes]
        return tuple(sorted(found, key=lambda item: _ORDER.get(item.standing.state, 9)))

    @property
    def memories(self) -> tuple[Candidate, ...]:
        """Candidates that wait, the highest total first, broken ones last."""
        found = [item for item in self.candidates if item.waits]
        return tuple(sorted(found, key=lambda item: -(item.verdict.total if item.verdict else -1)))

    @property
    def queue(self) -> tuple[Subject, ...]:
        """What wants a yes, in the order that the decision keys walk."""
        return (*(item.subject for item in self.waiting), *(item.subject for item in self.memories))

    @property
    def unknown(self) -> int:
        return sum(item.standing.state == "unknown" for item in self.staged)

    @property
    def open_holds(self) -> int | None:
        """How many holds are open; None when HOLD.md or the ledger cannot be read."""
        if self.unread.keys() & {layout.HOLD, layout.MIRROR}:
            return None
        return count([view.hold for view in self.holds])

    @property
    def boot(self) -> str:
        """The boot line (workspace.md)."""
        task: str | None = self.task.said if self.task else ""
        if layout.ACTIVE in self.unread or (not self.tasks and self._unrecognised(layout.ACTIVE)):
            task = None
        drafts = None if self._uncounted(layout.STAGING) else len(self.waiting)
        return boot_line(task, self.open_holds, drafts)

    def _uncounted(self, path: str) -> bool:
        """Whether a file cannot be read, or is shown as text."""
        return path in self.unread or any(one.path == path and one.sentence == entries.AS_TEXT for one in self.problems)

    def _unrecognised(self, path: str) -> bool:
        return any(problem.path == path for problem in self.problems)

    def staged_by_id(self, wanted: str) -> Staged | None:
        folded = wanted.casefold()
        return next((item for item in self.staged if item.draft.id == folded), None)

    def candidate_by_id(self, wanted: str) -> Candidate | None:
        return next((item for item in self.candidates if item.promotion.id == wanted.casefold()), None)

    @property
    def zone(self) -> tzinfo | None:
        return timestamps.zone(self.settings.time_zone) or self.now.tzinfo

    @property
    def today(self) -> date:
        return timestamps.today(self.now, self.settings.time_zone)


def load(gate: Gate) -> Desk:
    """Read a workspace. One file that cannot be read is a sentence; the rest works.

    WorkspaceError only when the workspace as a whole cannot be opened.
    """
    reader = _Reader(gate)
    settings = reader.settings()
    zone = timestamps.zone(settings.time_zone)
    now = gate.clock().astimezone(zone)
    holds = reader.holds()
    staged = reader.staged(holds, now)
    hold_file = reader.document(layout.HOLD)
    promises = reader.promises(now.date())
    if hold_file is not None:
        reader.problems.extend(hold_problems(hold_file, [hold for hold in holds if hold.present]))
    return Desk(
        gate=gate,
        now=now,
        settings=settings,
        holds=tuple(_view(hold, staged, now) for hold in holds),
        tasks=reader.tasks(),
        staged=staged,
        candidates=reader.candidates(),
        decisions=reader.decisions(),
        memory=reader.memory(),
        last_look=due.last_look(gate),
        problems=tuple(reader.problems),
        unread=reader.unread,
        drift=reader.drift(),
        lifted=() if hold_file is None else _lifted(hold_file),
        promises=promises,
        texts=reader.texts,
    )


class _Reader:
    """Reads each file once and gathers what is wrong."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.problems: list[Problem] = []
        self.unread: dict[str, str] = {}
        self.texts: dict[str, Document] = {}

    def settings(self) -> config.Settings:
        try:
            return config.load(self.gate.root)
        except config.ConfigError as error:
            self.problems.append(Problem("dory.toml", 1, str(error)))
            return config.Settings()

    def document(self, path: str) -> Document | None:
        """A state file; None when it is missing or unreadable, which is noted."""
        if path in self.texts:
            return self.texts[path]
        try:
            found = read(self.gate.root, path)
        except WorkspaceError as error:
            self._bad(path, str(error))
            return None
        if found is not None:
            self.texts[path] = found
            if path != layout.HOLD and (line := found.conflicted) is not None:
                self._bad(path, f"{path} line {line}: merge conflict markers; resolve them first")
        return found

    def _bad(self, path: str, sentence: str) -> None:
        self.unread[path] = sentence
        self.problems.append(Problem(path, 1, sentence))

    def holds(self) -> list[Hold]:
        """The holds in force, noticed. Where the ledger cannot tell, everything is held."""
        try:
            found = self.gate.holds()
        except LedgerError as error:
            self._bad(layout.MIRROR, str(error))
            return [unreadable_holds(str(error))]
        try:
            self.gate.notice_holds(found)
        except LedgerError as error:
            self.problems.append(Problem(layout.MIRROR, 1, str(error)))
        return found

    def tasks(self) -> tuple[Task, ...]:
        reading = entries.read_task(self.document(layout.ACTIVE) or parse(layout.ACTIVE, b""))
        self.problems.extend(reading.text)
        return reading.entries

    def drift(self) -> Drift | None:
        """How the words quoted in ACTIVE.md differ from those captured."""
        document = self.document(layout.ACTIVE)
        if document is None or layout.ACTIVE in self.unread:
            return None
        try:
            return drift(self.gate, document)
        except LedgerError as error:
            return Drift("unreadable", 0, str(error))

    def decisions(self) -> tuple[Decision, ...]:
        """The newest first."""
        reading = entries.read_decisions(self.document(layout.DECISIONS) or parse(layout.DECISIONS, b""))
        self.problems.extend(reading.text)
        numbered = [
            (found.when.isoformat() if found.when else "", number, found)
            for number, found in enumerate(reading.entries)
        ]
        numbered.sort(key=lambda one: one[:2], reverse=True)
        return tuple(decision for _, _, decision in numbered)

    def promises(self, today: date) -> tuple[Promise, ...]:
        try:
            return open_promises(self.gate.root, today)
        except WorkspaceError as error:
            self.problems.append(Problem(layout.LOGS, 1, str(error)))
            return ()

    def memory(self) -> bytes | None:
        found = self.document(layout.MEMORY)
        return None if found is None else found.data

    def staged(self, holds: list[Hold], now: datetime) -> tuple[Staged, ...]:
        self.document(layout.STAGING)
        try:
            staging = self.gate.staging()
        except WorkspaceError as error:
            self.unread.setdefault(layout.STAGING, str(error))
            return ()
        self.problems.extend(staging.text)
        return tuple(self._one(draft, holds, now) for draft in staging.drafts)

    def _one(self, draft: Draft, holds: list[Hold], now: datetime) -> Staged:
        try:
            standing = self.gate.standing(draft, holds, executable=executable_now(self.gate, draft), now=now)
        except LedgerError as error:
            standing = rules.Standing("invalid", str(error), rules.Exit.REFUSED)
        title, start, lane = draft.title, None, None
        try:
            title = draft.fact("title") or draft.title
            lane = draft.lane
            schedule = draft.front.values.get("schedule")
            if isinstance(schedule, dict) and schedule.get("not_before"):
                start = moment(str(schedule["not_before"]))
        except (FrontMatterError, ValueError):
            start = None  # the standing says what is wrong with it
        return Staged(draft, standing, title, start, lane)

    def candidates(self) -> tuple[Candidate, ...]:
        try:
            found = read_promotions(self.gate.root)
        except WorkspaceError as error:
            self._bad(layout.PROMOTIONS, str(error))
            return ()
        return tuple(Candidate(one, verdict(one.scores) if one.problem is None else None) for one in found)


def _lifted(document: Document) -> tuple[Past, ...]:
    """The entries of HOLD.md that it says are over."""
    if document.conflicted is not None or all(hold.kind == "stamp" for hold in read_holds(document)):
        return ()
    found = recognise(document, "hold").entries
    return tuple(Past(layout.HOLD, one.line, one.title, one.text) for one in found if one.resolved)


def _view(hold: Hold, staged: tuple[Staged, ...], now: datetime) -> HoldView:
    age = None
    if hold.when is not None:
        age = now.replace(tzinfo=None) - hold.when
    ids = covered(hold, ((item.draft, item.standing) for item in staged))
    since = None if hold.when is None else hold.when.date()
    return HoldView(hold, ids, age, stale(hold.text, since, now.date()) is not None)
