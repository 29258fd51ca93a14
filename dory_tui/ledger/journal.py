"""The journal: one line for every record that a machine wrote, in order, each line chained to the one before it.

`journal/<machine>.jsonl` in the workspace's state folder. A line is compact JSON: `n` counts from 1, `prev` is
`sha256:` and the hash of the line before it (without its line feed; null for the first), `key` and `name` are the
record's item and file, `when` its time in UTC, `sha256` the hash of the record's bytes. A line that was entered after
the fact, since a crash came between record and line, has `late` as well. It decides nothing: `dory verify`
compares it with the ledgers, and its last line says when a record was last made.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from dory_tui.ledger.disk import make_folder, permissions, wait, widen
from dory_tui.values import dataclass
from dory_tui.workspace.document import sync_folder

FOLDER = "journal"
LOCK_SECONDS = 20.0
_TAIL = 8192
"""Bytes read from the end of a journal for its last lines; a line is some 300."""
_UNFIT = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line says of a record. `sha256` is hex, without a prefix; `late` when it was entered after the fact."""

    key: str
    name: str
    sha256: str
    when: datetime
    late: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line: its number in the chain, the hash of the line before it, what it says, and its own hash."""

    n: int
    prev: str | None
    entry: Entry
    hash: str
    at: int = 0
    """Where it stands in the file, from 1; 0 when that was not asked."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in a journal that is not as it was written. `torn` is what a crash leaves, and no sign of a hand."""

    at: int
    sentence: str
    torn: bool = False


def file_of(state: Path, machine: str) -> Path:
    """The journal of a machine."""
    return state / FOLDER / f"{_UNFIT.sub('_', machine).lstrip('.') or 'machine'}.jsonl"


def files(state: Path) -> list[Path]:
    """Every journal of a workspace: a state folder may be shared, and a machine may have changed its name."""
    try:
        names = sorted(name for name in os.listdir(state / FOLDER) if name.endswith(".jsonl"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [state / FOLDER / name for name in names]


def serialise(entry: Entry, after: Line | None) -> bytes:
    """The line of an entry that follows `after` (None: it is the first), with its line feed."""
    values: dict[str, object] = {
        "n": 1 if after is None else after.n + 1,
        "prev": None if after is None else after.hash,
        "key": entry.key,
        "name": entry.name,
        "when": entry.when.astimezone(UTC).isoformat(timespec="microseconds"),
    }
    if entry.late:
        values["late"] = True
    values["sha256"] = entry.sha256  # the last, so that only a line that is whole has it with the brace after it
    return json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n"


def parse(raw: bytes, at: int = 0) -> Line | None:
    """A line without its line feed; None when it is no line of a journal."""
    try:
        values = json.loads(raw)
        when = datetime.fromisoformat(values["when"])
        entry = Entry(
            str(values["key"]), str(values["name"]), str(values["sha256"]), when.astimezone(UTC),
            values.get("late") is True,
        )  # fmt: skip
        n, prev = values["n"], values["prev"]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    if type(n) is not int or when.tzinfo is None or not (prev is None or isinstance(prev, str)):
        return None
    return Line(n, prev, entry, "sha256:" + hashlib.sha256(raw).hexdigest(), at)


def read(data: bytes) -> tuple[list[Line], list[Fault]]:
    """The whole lines of a journal in order, and where its chain is broken."""
    lines: list[Line] = []
    faults: list[Fault] = []
    unread: list[int] = []
    pieces = data.split(b"\n")
    ends = len(pieces) if parse(pieces[-1]) is not None else len(pieces) - 1  # a line may lack but its line feed
    for at, raw in enumerate(pieces[:ends], 1):
        line = parse(raw, at)
        if line is None:
            unread.append(at)
            continue
        faults += _follows(lines[-1] if lines else None, line, unread)
        unread = []
        lines.append(line)
    # What is unread at the end has no line after it that could vouch for it: a crash leaves at most one such piece.
    left = [*unread, len(pieces)] if pieces[ends:] not in ([], [b""]) else unread
    faults += [Fault(at, f"line {at} is not whole: what was to follow it was cut short", torn=True) for at in left]
    return lines, faults


def _follows(last: Line | None, line: Line, unread: Sequence[int]) -> Iterator[Fault]:
    """What is wrong between two whole lines with the unreadable ones between them."""
    if line.prev == (None if last is None else last.hash) and line.n == (1 if last is None else last.n + 1):
        for at in unread:
            yield Fault(
                at, f"line {at} is not whole: its writing was cut short, and what it names came again", torn=True
            )
        return
    expected = 1 if last is None else last.n + 1
    if unread:
        yield Fault(unread[0], f"line {unread[0]} was changed: it is no line of a journal any more")
    elif line.n > expected:
        yield Fault(line.at, f"{_lines(line.n - expected)} taken out before line {line.at}")
    elif line.n < expected:
        yield Fault(line.at, f"line {line.at} stands where it was not written: lines were moved or doubled")
    else:
        yield Fault(line.at, f"line {line.at} does not follow from the one before it, so one of the two was edited")


def _lines(count: int) -> str:
    return "1 line was" if count == 1 else f"{count} lines were"


def last_time(state: Path) -> datetime | None:
    """The UTC time of the newest last line of a workspace's journals; None when there is none to read.

    Reads only their tails, so it costs the same however long they are.
    """
    found: datetime | None = None
    for file in files(state):
        try:
            descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            last, _ = _end(descriptor)
        except OSError:
            continue
        finally:
            os.close(descriptor)
        if last is not None and (found is None or last.entry.when > found):
            found = last.entry.when
    return found


def _end(descriptor: int) -> tuple[Line | None, bool]:
    """The last whole line, and whether the file ends without a line feed."""
    size = os.fstat(descriptor).st_size
    span = _TAIL
    while True:
        start = max(0, size - span)
        pieces = os.pread(descriptor, size - start, start).split(b"\n")
        for raw in reversed(pieces if start == 0 else pieces[1:]):
            if (line := parse(raw)) is not None:
                return line, bool(pieces[-1])
        if start == 0:
            return None, bool(pieces[-1])
        span *= 8


def open_for(state: Path, machine: str) -> int:
    """A descriptor of the journal to write to; it is made when it is not there. OSError when it cannot be written."""
    folder = state / FOLDER
    make_folder(folder, state)
    file = file_of(state, machine)
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC
    mode = permissions(folder) & 0o666
    try:
        made = os.open(file, flags | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        return os.open(file, flags)
    widen(made, mode)
    return made


def add(descriptor: int, state: Path, entries: Sequence[Entry]) -> None:
    """Append one line for each entry, durably, under the journal's lock, which closing the descriptor lets go of.

    A late entry that some journal has by now is passed over. BusyError when the lock is not to be had; OSError when
    the lines are not on disk for certain.
    """
    wait(descriptor, LOCK_SECONDS)
    last, torn = _end(descriptor)
    first = os.fstat(descriptor).st_size == 0
    data = b"\n" if torn else b""
    for entry in entries:
        if entry.late and has(state, entry.sha256):
            continue
        raw = serialise(entry, last)
        last = parse(raw[:-1])
        data += raw
    written = os.write(descriptor, data)
    if written != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # only a full disk takes a part of a line
    os.fsync(descriptor)
    if first:
        sync_folder(state / FOLDER)


def has(state: Path, sha256: str) -> bool:
    """Whether a journal has a line for the bytes of this hash. Looks from the end, where recent records stand.

    OSError when a journal cannot be read.
    """
    wanted = f'"sha256":"{sha256}"}}'.encode("ascii")
    return any(_contains(file, wanted) for file in files(state))


def _contains(file: Path, wanted: bytes) -> bool:
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as handle:
        end = handle.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 65_536)
            handle.seek(start)
            if wanted in handle.read(end - start + len(wanted)):
                return True
            end = start
    return False
