"""One human decision carried out: ledger, then files, then one commit (workspace.md, "History")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository, Touched
from dory_tui.history.git import Readiness
from dory_tui.ledger.records import Record, serialise
from dory_tui.ledger.records import digest as digest_of
from dory_tui.ledger.store import HOLD_PREFIX, LedgerError
from dory_tui.review import session
from dory_tui.review.session import read_note, write_note
from dory_tui.secrets import masked
from dory_tui.workspace import layout, timestamps
from dory_tui.workspace.document import ChangedError, WorkspaceError, locked, read_bytes, remove, replace
from dory_tui.workspace.edits import add_line, one_line

POSTPONED = "postponed.json"
UNFINISHED = "unfinished"
TURN = "@turn"
"""The lock that a decision holds from its first file to its commit, so that files and commits come in one order."""
_TURN_SECONDS = 10.0
_TRIES = 20


class DecisionError(Exception):
    """A decision that was not carried out: nothing was decided. `code` is the exit code for it."""

    def __init__(self, code: Exit, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class StaleError(DecisionError):
    """What was shown is not what stands there now: it must be read again."""

    def __init__(self, what: str) -> None:
        super().__init__(Exit.REFUSED, f"{what} changed since you read it, so nothing was decided: read it again")


@dataclass(frozen=True, slots=True)
class Done:
    """A decision that stands. `commit` is the short hash of its commit; else `postponed` says why there is none."""

    sentence: str
    commit: str | None = None
    postponed: str | None = None
    problems: tuple[str, ...] = ()
    """Display files that could not be written; the decision stands all the same."""


@dataclass
class Change:
    """Gathers what one decision touches, and commits it."""

    gate: Gate
    touched: dict[str, Touched] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)
    """Items whose note of an unfinished decision goes when this one is finished."""
    turn: ExitStack | None = None
    about: str | None = None
    """The item of the ledger that is decided about."""
    made: Record | None = None
    """The record of the decision; an edit has none."""
    undoes: str | None = None
    """The name of the decision that this one takes back (`session.Decided.name`)."""
    whole: Mapping[str, tuple[bytes | None, bytes | None]] | None = None
    """Every file that undo puts back, before and after, where `touched` does not tell; empty where nobody knows."""

    def record(
        self, key: str, attempt: int, event: str, data: Mapping[str, object],
        seal: Callable[[Record], str] | None = None,
    ) -> Record:  # fmt: skip
        """Write the record, with the item's lock held. DecisionError when it cannot be written: nothing was decided."""
        flush_postponed(self.gate)
        try:
            if not key.startswith(HOLD_PREFIX):
                self._begin(key)
            made = self.gate.record(key, attempt, event, data, seal)
        except LedgerError as error:
            raise DecisionError(Exit.REFUSED, str(error)) from error
        self.about, self.made = key, made
        self.ledger_files(key)
        return made

    def _begin(self, key: str) -> None:
        """Note what is about to be decided, so that `finish` knows its own work from everybody else's."""
        history = self.gate.ledger.history(key)
        self.gate.settle()
        write_note(_note(self.gate, key), {"key": key, "after": history[-1].hash if history else None})
        self.begun.append(key)

    def ledger_files(self, key: str) -> None:
        """The item's mirror records, whoever wrote them, and the files that make the mirror readable."""
        folder = self.gate.root / layout.MIRROR / key
        names = [f"{layout.MIRROR}/{key}/{file.name}" for file in sorted(folder.glob("*.json"))]
        for path in (*names, layout.IDENTITY, f"{layout.DORY}/.gitattributes"):
            data = read_bytes(self.gate.root / path, path)
            if data is not None:
                self.touched[path] = Touched(path, None, data, own=True)

    def edit(self, path: str, work: Callable[[bytes | None], bytes]) -> None:
        """Splice one file: read, work out, compare and swap; again when another writer was faster.

        `work` may raise ValueError: the file is then left as it is and the sentence kept as a problem.
        """
        self.turn = self.turn or _take_turn(self.gate)
        for _ in range(_TRIES):
            try:
                before = read_bytes(self.gate.root / path, path)
                after = work(before)
                if after == before:
                    return
                replace(self.gate.root, path, before, after)
            except ChangedError:
                continue
            except (WorkspaceError, ValueError) as error:
                self.problems.append(str(error))
                return
            earlier = self.touched.get(path)
            first = before if earlier is None else earlier.before
            self.touched[path] = Touched(path, first, after)
            return
        self.problems.append(f"{path} kept changing, so it was not written")

    def take_away(self, path: str, expected: bytes) -> None:
        """Take a file away that holds these bytes; with others in it, it stays and that is a problem."""
        self.turn = self.turn or _take_turn(self.gate)
        try:
            remove(self.gate.root, path, expected)
        except WorkspaceError as error:
            self.problems.append(str(error))
            return
        self.touched[path] = Touched(path, expected, None)

    def decision_line(self, text: str) -> None:
        """A line in DECISIONS.md: `[stamp | dory] text`. A secret in its words is not written down once more."""
        line = f"[{timestamps.stamp(local(self.gate))} | dory] {one_line(masked(text))}"
        self.edit(layout.DECISIONS, lambda data: add_line(layout.DECISIONS, data, line))

    def commit(self, sentence: str, subject: str, decision: str, identity: str, digest: str) -> Done:
        """The commit of everything touched. A commit that cannot be made is postponed, never lost."""
        subject = masked(subject)
        trailers = {"Dory-Decision": decision, "Dory-Id": identity, "Dory-Digest": digest}
        repository = Repository(self.gate.root, self.gate.environment)
        outcome = repository.commit(list(self.touched.values()), subject, trailers)
        worth_waiting = outcome.postponed and len(outcome.left_out) < len(self.touched)
        if worth_waiting and repository.readiness()[0] not in (Readiness.NO_REPOSITORY, Readiness.NO_GIT):
            _postpone(self.gate, subject, trailers, sorted(self.touched))
        made = outcome.commits[-1].sha[:10] if outcome.commits else None
        self._remember(sentence, subject, decision, (identity, digest), made)
        self.let_go()
        for key in self.begun:
            forget(self.gate, key)
        return Done(sentence, made, outcome.postponed, tuple(self.problems))

    def _remember(self, sentence: str, subject: str, decision: str, named: tuple[str, str], commit: str | None) -> None:
        """Note the decision in the review that is going on, with what taking it back needs."""
        if self.undoes is not None:
            session.mark_undone(self.gate, self.undoes)
            return
        if self.about is None:
            return
        files = {
            path: (one.before, one.after)
            for path, one in self.touched.items()
            if not one.own and path != layout.DECISIONS  # lines of what was decided are never taken out
        }
        when = self.gate.clock() if self.made is None else self.made.when
        record = None if self.made is None else digest_of(serialise(self.made))
        kind = session.kind_of(self.about)
        made = session.Decided(
            sentence, decision, kind, *named, subject, self.about, record, (), commit, when,
        )  # fmt: skip
        if not session.note(self.gate, made, files if self.whole is None else self.whole):
            self.problems.append("it could not be noted for undo, which takes nothing of this review back any more")

    def let_go(self) -> None:
        """Let the next decision have its turn."""
        if self.turn is not None:
            self.turn.close()


def of_files(gate: Gate, about: str) -> Change:
    """A decision that is no more than its files. DecisionError when what undo needs cannot be kept."""
    try:
        gate.settle()
    except LedgerError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    return Change(gate, about=session.FILES_PREFIX + about)


def _take_turn(gate: Gate) -> ExitStack:
    """The turn, to be closed. Who does not get it in time goes on without: commits may then come in another order."""
    stack = ExitStack()
    with suppress(LedgerError):
        stack.enter_context(gate.ledger.lock(TURN, _TURN_SECONDS))
    return stack


def local(gate: Gate) -> datetime:
    """Now, in the workspace's zone."""
    try:
        name = config.load(gate.root).time_zone
    except config.ConfigError:
        name = None
    return gate.clock().astimezone(timestamps.zone(name))


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A decision that was begun: its item, and the hash of the item's last record before it (None: there was none)."""

    key: str
    after: str | None


def unfinished(gate: Gate) -> list[Unfinished]:
    """Decisions that are being made now, or that a crash cut short."""
    found = [read_note(file) for file in sorted((gate.ledger.state / UNFINISHED).glob("*.json"))]
    return [Unfinished(str(one["key"]), one.get("after")) for one in found if isinstance(one, dict) and "key" in one]


def forget(gate: Gate, key: str) -> None:
    """Drop the note of an item's decision: it is finished, or nothing was decided."""
    with suppress(OSError):
        _note(gate, key).unlink(missing_ok=True)


def _note(gate: Gate, key: str) -> Path:
    return gate.ledger.state / UNFINISHED / f"{key.replace('/', '~')}.json"


def postponed(gate: Gate) -> list[dict[str, object]]:
    """Decisions whose commit waits for git to be ready, oldest first."""
    found = read_note(gate.ledger.state / POSTPONED)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _postpone(gate: Gate, subject: str, trailers: Mapping[str, str], paths: list[str]) -> None:
    entry: dict[str, object] = {"subject": subject, "trailers": dict(trailers), "paths": paths}
    with suppress(OSError), locked(gate.ledger.state):
        write_note(gate.ledger.state / POSTPONED, [*postponed(gate), entry])


def flush_postponed(gate: Gate) -> None:
    """Make the commits that waited, with the files as they stand now. What cannot be made yet goes on waiting."""
    if not postponed(gate):
        return
    repository = Repository(gate.root, gate.environment)
    if repository.readiness()[0] is not Readiness.READY:
        return
    with _take_turn(gate):
        for entry in postponed(gate):
            if _commit_late(gate, repository, entry):
                with suppress(OSError), locked(gate.ledger.state):
                    write_note(gate.ledger.state / POSTPONED, [one for one in postponed(gate) if one != entry])


def _commit_late(gate: Gate, repository: Repository, entry: Mapping[str, object]) -> bool:
    """Whether nothing of a postponed decision is left to commit."""
    paths, trailers = entry.get("paths"), entry.get("trailers")
    if not isinstance(paths, list) or not isinstance(trailers, dict):
        return True
    try:
        files = [as_it_stands(gate, path) for path in map(str, paths)]
    except WorkspaceError:
        return False
    named = {str(name): str(value) for name, value in trailers.items()}
    outcome = repository.commit(files, str(entry.get("subject")), named)
    return outcome.postponed is None or len(outcome.left_out) == len(files)


def as_it_stands(gate: Gate, path: str) -> Touched:
    """A file whose change was made before, to be committed with what it holds now."""
    return Touched(path, None, read_bytes(gate.root / path, path), own=True)
