"""One human decision carried out: ledger, then files, then one commit (workspace.md, "History")."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository, Touched
from dory_tui.history.git import Readiness
from dory_tui.ledger.records import Record
from dory_tui.ledger.store import LedgerError
from dory_tui.workspace import layout, timestamps
from dory_tui.workspace.document import ChangedError, WorkspaceError, read_bytes, replace
from dory_tui.workspace.edits import add_line, one_line

POSTPONED = "postponed.json"
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

    def record(self, key: str, attempt: int, event: str, data: Mapping[str, object]) -> Record:
        """Write the record, with the item's lock held. DecisionError when it cannot be written: nothing was decided."""
        try:
            made = self.gate.record(key, attempt, event, data)
        except LedgerError as error:
            raise DecisionError(Exit.REFUSED, str(error)) from error
        self.ledger_files(key)
        return made

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

    def decision_line(self, text: str) -> None:
        """A line in DECISIONS.md: `[stamp | dory] text`."""
        stamp = timestamps.stamp(local(self.gate))
        self.edit(layout.DECISIONS, lambda data: add_line(layout.DECISIONS, data, f"[{stamp} | dory] {one_line(text)}"))

    def commit(self, sentence: str, subject: str, decision: str, identity: str, digest: str) -> Done:
        """The commit of everything touched. A commit that cannot be made is postponed, never lost."""
        trailers = {"Dory-Decision": decision, "Dory-Id": identity, "Dory-Digest": digest}
        repository = Repository(self.gate.root, self.gate.environment)
        flush_postponed(self.gate, repository)
        outcome = repository.commit(list(self.touched.values()), subject, trailers)
        problems = tuple(self.problems)
        if outcome.commits:
            return Done(sentence, outcome.commits[-1].sha[:10], None, problems)
        readiness, _ = repository.readiness()
        if outcome.postponed and readiness not in (Readiness.NO_REPOSITORY, Readiness.NO_GIT):
            _postpone(self.gate, subject, trailers, sorted(self.touched))
        return Done(sentence, None, outcome.postponed, problems)


def local(gate: Gate) -> datetime:
    """Now, in the workspace's zone."""
    try:
        name = config.load(gate.root).time_zone
    except config.ConfigError:
        name = None
    return gate.clock().astimezone(timestamps.zone(name))


def _postpone(gate: Gate, subject: str, trailers: Mapping[str, str], paths: list[str]) -> None:
    waiting = postponed(gate)
    waiting.append({"subject": subject, "trailers": dict(trailers), "paths": paths})
    _store(gate, waiting)


def postponed(gate: Gate) -> list[dict[str, object]]:
    """Decisions whose commit waits for git to be ready, oldest first."""
    try:
        found = json.loads((gate.ledger.state / POSTPONED).read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _store(gate: Gate, waiting: list[dict[str, object]]) -> None:
    file = gate.ledger.state / POSTPONED
    try:
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(waiting, indent=2, ensure_ascii=False), "utf-8")
        temporary.rename(file)
    except OSError:
        return  # the decision is in the ledger; only the later commit of its files is lost


def flush_postponed(gate: Gate, repository: Repository) -> None:
    """Make the commits that waited, with the files as they stand now."""
    waiting = postponed(gate)
    if not waiting or repository.readiness()[0] is not Readiness.READY:
        return
    for entry in waiting:
        paths, trailers = entry.get("paths"), entry.get("trailers")
        if not isinstance(paths, list) or not isinstance(trailers, dict):
            continue
        files = [
            Touched(path, repository.last_committed(path), read_bytes(gate.root / path, path))
            for path in map(str, paths)
        ]
        named = {str(name): str(value) for name, value in trailers.items()}
        repository.commit(files, str(entry.get("subject")), named)
    _store(gate, [])
