"""When each lane started something: one line for every claim, so that spacing needs no look at all of the ledger.

`lanes/<lane>` in the workspace's state folder. A line is `<time> <attempt> <id>` and is on disk before its claim is
made, under the lane's lock; a line whose claim the authoritative ledger lacks is of a start that never was. The ledger
decides: where the notes are missing they are made out of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from dory_tui.gate.action import DEFAULT_LANE
from dory_tui.gate.scan import whole
from dory_tui.ledger import records
from dory_tui.ledger.disk import LedgerError, make_folder, permissions, widen
from dory_tui.ledger.store import Ledger
from dory_tui.values import dataclass
from dory_tui.workspace.document import sync_folder
from dory_tui.workspace.timestamps import instant, parse_instant

FOLDER = "lanes"
_WHOLE = ".whole"
"""A mark in the folder: every claim made before it is noted."""
_TAIL = 65_536
"""Bytes read from the end of a lane's notes: some thousand starts, more than any window asks for."""
_SLACK = timedelta(minutes=10)
"""How far a clock may have been put back between two lines that stand in order."""


@dataclass(frozen=True, slots=True)
class _Start:
    when: datetime
    attempt: int
    key: str

    @property
    def line(self) -> bytes:
        return f"{instant(self.when)} {self.attempt} {self.key}\n".encode()


def _file(ledger: Ledger, lane: str) -> Path:
    return ledger.state / FOLDER / lane.replace("/", "~")


def note(ledger: Ledger, lane: str, key: str, attempt: int, when: datetime) -> None:
    """Note a start that is about to be claimed. The lane's lock must be held. LedgerError when it is not on disk."""
    prepare(ledger)
    try:
        _append(ledger, lane, _Start(when, attempt, key).line)
    except OSError as error:
        raise LedgerError(f"the start cannot be noted in its lane ({error.strerror}): nothing was decided") from error


def prepare(ledger: Ledger) -> None:
    """Make the notes out of the ledger, once: before the first yes or start. LedgerError when that fails."""
    mark = ledger.state / FOLDER / _WHOLE
    if mark.exists():
        return
    try:
        make_folder(mark.parent, ledger.state)
        for lane, start in _claims(ledger):
            _append(ledger, lane, start.line)
        mark.touch()
        sync_folder(mark.parent)
    except OSError as error:
        raise LedgerError(f"the lanes cannot be noted ({error.strerror}): nothing was decided") from error


def _append(ledger: Ledger, lane: str, line: bytes) -> None:
    file = _file(ledger, lane)
    fresh = not file.exists()
    mode = permissions(file.parent) & 0o666
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, mode)
    try:
        if fresh:
            widen(descriptor, mode)
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        os.write(descriptor, b"\n" * torn + line)  # one that is cut short is no line, and its claim does not follow
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if fresh:
        sync_folder(file.parent)


def starts(ledger: Ledger, lane: str, since: datetime) -> tuple[datetime, ...]:
    """The starts of a lane from `since` on, in order. LedgerError when they cannot be read."""
    try:
        if not (ledger.state / FOLDER / _WHOLE).exists():
            found = [start for of, start in _claims(ledger) if of == lane]
        else:
            found = list(_noted(ledger, lane, since))
    except OSError as error:
        raise LedgerError(f"the starts of the lane {lane} cannot be read ({error.strerror})") from error
    return tuple(sorted({start.when for start in found if start.when >= since}))


def _noted(ledger: Ledger, lane: str, since: datetime) -> Iterator[_Start]:
    """Those whose claim is there, the last one first."""
    try:
        with _file(ledger, lane).open("rb") as handle:
            size = handle.seek(0, os.SEEK_END)
            handle.seek(max(0, size - _TAIL))
            lines = handle.read().split(b"\n")
    except FileNotFoundError:
        return
    for line in reversed(lines[:-1] if size <= _TAIL else lines[1:-1]):
        start = _parse(line)
        if start is None:
            continue
        if start.when < since - _SLACK:
            return
        claim = records.file_name(start.attempt, records.CLAIM_NUMBER, records.CLAIMED)
        if (ledger.original / start.key / claim).exists():
            yield start


def _parse(line: bytes) -> _Start | None:
    try:
        moment, attempt, key = line.decode("utf-8").split(" ")
        return _Start(parse_instant(moment), int(attempt), key)
    except ValueError:
        return None


def _claims(ledger: Ledger) -> Iterator[tuple[str, _Start]]:
    """Every claim of the authoritative ledger with its lane. One that is torn tells neither lane nor time."""
    for record in whole(ledger, records.CLAIMED):
        lane = str(record.data.get("lane") or DEFAULT_LANE)
        yield lane, _Start(record.when, record.attempt, record.id)
