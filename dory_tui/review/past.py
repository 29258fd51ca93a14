"""What happened in a workspace, newest first: the ledger's records and git's commits as one list.

A decision's record and the commit that carries it are one event. What was decided is told by the ledger alone:
whoever can commit can write any trailer, so a commit without a record is only a commit.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from dory_tui.gate.survey import Gate
from dory_tui.history import LogEntry, Repository
from dory_tui.ledger import records
from dory_tui.ledger.store import HOLD_PREFIX, MEMORY_PREFIX, TASK_PREFIX, Item, LedgerError
from dory_tui.visible import visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.holds import restore_hold

Kind = Literal["draft", "memory", "hold", "task", "commit"]
_LATE = 2.0
"""Seconds by which a file may seem older than what it says: clocks of file systems are coarse."""
_HANDLE = 8
_WORDS = {
    records.CHANGES: "sent back", records.REVOKED: "taken back", records.UNKNOWN: "outcome unknown",
    records.ABORTED: "not started", records.NOT_HAPPENED: "did not happen", records.SEEN: "held",
    records.NOT_A_HOLD: "not a hold", records.REOPENED: "waits again",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: a record, a commit, or both. `what` is the record's event, or `commit`."""

    when: datetime
    what: str
    kind: Kind
    id: str
    who: str
    about: str = ""
    """The words of a hold, the subject of a commit; empty where the id says it."""
    key: str = ""
    """The item in the ledger; empty for a commit that carries no record of its own."""
    item: Item | None = None
    commit: LogEntry | None = None
    """The commit that the record came with."""
    problem: str | None = None
    """Why the record cannot be read, or does not count."""

    @property
    def name(self) -> str:
        """What finds it again in another listing."""
        if self.item is None:
            return self.commit.sha if self.commit is not None else self.key
        return f"{self.key}/{records.file_name(self.item.attempt, self.item.number, self.item.event)}"


@dataclass
class _Shelf:
    """The ledger's items, each read when it is first asked for."""

    gate: Gate
    known: dict[str, Mapping[str, Item]] = field(default_factory=dict)

    def item(self, key: str, name: str) -> Item | None:
        if key not in self.known:
            found = self.gate.ledger.history(key)
            self.known[key] = {records.file_name(one.attempt, one.number, one.event): one for one in found}
        return self.known[key].get(name)


def past(gate: Gate, limit: int, *, key: str | None = None, path: str | None = None) -> tuple[Event, ...]:
    """The newest `limit` events; of one item of the ledger with `key`, and of its file with `path`.

    Nothing here raises for what the ledger or git is like: what cannot be read is an event that says so.
    """
    events = _recorded(gate, limit, key)
    repository = Repository(gate.root, gate.environment)
    paths = [] if key is None else [f"{layout.MIRROR}/{key}", *([path] if path else [])]
    merged = sorted(_merged(events, repository.log(limit, paths, files=True)), key=_order, reverse=True)
    return tuple(merged[:limit])


def _order(event: Event) -> tuple[datetime, int, int, str]:
    item = event.item
    # Git knows whole seconds: a commit follows the records of its second, which it may carry.
    when = event.when if item is not None else event.when + timedelta(microseconds=999_999)
    return (when, item.attempt if item else 0, item.number if item else 0, event.key)


# How an event is said


def word(event: Event) -> str:
    """What happened, in a word or two."""
    return said(event.what)


def said(what: str) -> str:
    """The name of a record's event, in a word or two."""
    return _WORDS.get(what, what.replace("-", " "))


def label(event: Event) -> str:
    """What it is about: an id, the words of a hold, the subject of a commit."""
    return visible_line(" ".join((event.about or event.id or event.key).split()))


def who(event: Event) -> str:
    """Who did it, as short as a list needs it: the person, or the agent's command."""
    name, mark, by = event.who.removesuffix(")").rpartition(" (")
    return visible_line(event.who if not mark else name if by == "dory" else by)


def searchable(event: Event) -> str:
    """What a filter looks in, casefolded."""
    commit = event.commit
    parts = [word(event), event.what, event.kind, event.id, event.about, event.who]
    parts += [commit.sha, commit.subject] if commit is not None else []
    return " ".join(parts).casefold()


def matching(events: Sequence[Event], typed: str) -> list[Event]:
    """The events that have every typed word."""
    words = typed.casefold().split()
    return [event for event in events if all(one in searchable(event) for one in words)]


# Records


def _recorded(gate: Gate, limit: int, key: str | None) -> list[Event]:
    """The newest records. A record's file is no older than what it says, so most files need not be opened."""
    failed: list[Event] = []
    keys = [key] if key is not None else list(_keys(gate, failed))
    shelf, found, times = _Shelf(gate), list[Event](), list[float]()
    for changed, one, name in sorted(_places(gate, keys, failed), reverse=True):
        if len(times) >= limit and changed + _LATE < times[0]:
            break
        try:
            item = shelf.item(one, name)
        except LedgerError as error:
            failed.append(_failed(gate, one, str(error)))
            shelf.known[one] = {}
            continue
        if item is not None:
            event = _event(one, item, datetime.fromtimestamp(changed, UTC))
            found.append(event)
            heapq.heappush(times, event.when.timestamp())
            if len(times) > limit:
                heapq.heappop(times)
    return [*failed, *found]


def _keys(gate: Gate, failed: list[Event]) -> Iterator[str]:
    for prefix in ("", HOLD_PREFIX, MEMORY_PREFIX, TASK_PREFIX):
        try:
            yield from gate.ledger.keys(prefix)
        except LedgerError as error:
            failed.append(_failed(gate, prefix, str(error)))


def _places(gate: Gate, keys: Iterable[str], failed: list[Event]) -> Iterator[tuple[float, str, str]]:
    """(when the file was written, key, name) of every record, without opening one."""
    for key in keys:
        seen: set[str] = set()
        for folder in (gate.ledger.original / key, gate.ledger.mirror / key):
            try:
                with os.scandir(folder) as listing:
                    fresh = [one for one in listing if one.name not in seen and records.parse_name(one.name)]
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                failed.append(_failed(gate, key, f"the ledger of {key} cannot be listed ({error.strerror})"))
                continue
            for one in fresh:
                seen.add(one.name)
                with suppress(OSError):
                    yield one.stat(follow_symlinks=False).st_mtime, key, one.name


def _failed(gate: Gate, key: str, sentence: str) -> Event:
    """A part of the ledger that cannot be listed. Nobody knows when it was last written, so it stands first."""
    kind, name = _named(key)
    return Event(gate.clock(), "unreadable", kind, name, "", key=key, problem=sentence)


def _named(key: str) -> tuple[Kind, str]:
    if key.startswith(HOLD_PREFIX):
        return "hold", key.removeprefix(HOLD_PREFIX)[:_HANDLE]
    if key.startswith(MEMORY_PREFIX):
        return "memory", key.removeprefix(MEMORY_PREFIX)
    if key.startswith(TASK_PREFIX):
        return "task", key.removeprefix(TASK_PREFIX)
    return "draft", key


def _event(key: str, item: Item, changed: datetime) -> Event:
    kind, name = _named(key)
    record = item.record
    if record is None:
        return Event(changed, item.event, kind, name, "", key=key, item=item, problem=item.problem or "")
    about = restore_hold(str(record.data.get("text") or "")).subject if kind == "hold" else ""
    problem = item.problem
    if problem is None and not item.original and item.event in records.YESES:
        problem = "only the workspace has this record, not the ledger itself, so as a yes it does not count"
    return Event(record.when, item.event, kind, name, record.who, about, key, item, problem=problem)


# Commits


def _merged(events: Sequence[Event], commits: Sequence[LogEntry]) -> Iterator[Event]:
    """Each record with the commit that it came with, and the commits that decided nothing."""
    came = {path: commit for commit in commits for letter, path in commit.files if letter == "A"}
    told: set[str] = set()
    for event in events:
        commit = came.get(f"{layout.MIRROR}/{event.name}") if event.item is not None else None
        if commit is not None and _about(commit, event):
            told.add(commit.sha)
        yield event if commit is None else replace(event, commit=commit)
    for commit in commits:
        if commit.sha not in told:
            name = commit.trailers.get("Dory-Id", "")
            yield Event(commit.when, "commit", "commit", name, commit.author, commit.subject, commit=commit)


def _about(commit: LogEntry, event: Event) -> bool:
    """Whether the commit is that of a decision on the event's item, and not one that only brings its record along."""
    return commit.trailers.get("Dory-Id", "").casefold() == event.id.casefold()
