"""The review that is going on: where it stands and what was decided in it, so that it can go on and be undone.

A note in the workspace's state folder on this machine, never in the workspace. It proves nothing: what was decided
stands in the ledger. A note that cannot be written or read is no reason to refuse a decision; undo then knows less, and
nothing older than what it does not know.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import HOLD_PREFIX, MEMORY_PREFIX
from dory_tui.workspace.document import locked

FOLDER = "review"
LASTS = timedelta(hours=18)
"""A review that began longer ago is over: the next one starts anew."""

Kind = Literal["draft", "memory", "hold", "files"]
FILES_PREFIX = "@files/"
"""What is decided about where that is no item of the ledger: a pruning, an archiving and their like have no record."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that a decision wrote: the SHA-256 of its bytes before and after, hex; None where there was no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of this review, and what taking it back needs.

    `decision` is the ledger's event, or one that has no record, such as `edited` and `pruned`. `digest` is of the bytes
    decided about (of a hold its hash), `subject` that of the commit, `record` the hash of the ledger's record.
    """

    sentence: str
    decision: str
    kind: Kind
    id: str
    digest: str
    subject: str
    key: str
    record: str | None
    files: tuple[FileChange, ...]
    commit: str | None
    when: datetime
    undone: bool = False

    @property
    def name(self) -> str:
        """What tells it from the other decisions of a review."""
        return self.record or f"{self.decision}:{self.key}:{self.when.isoformat()}:{self.commit}"


@dataclass(frozen=True, slots=True)
class Session:
    """A review. `here` is the key of what was last shown, such as `draft:launch-3`; `decided` the oldest first."""

    started: datetime
    here: str | None = None
    decided: tuple[Decided, ...] = ()


def kind_of(key: str) -> Kind:
    """What an item of the ledger is."""
    if key.startswith(HOLD_PREFIX):
        return "hold"
    if key.startswith(FILES_PREFIX):
        return "files"
    return "memory" if key.startswith(MEMORY_PREFIX) else "draft"


def current(gate: Gate) -> Session | None:
    """The review that is open, if one is. Nothing is written."""
    try:
        found: Any = json.loads(_note(gate).read_bytes())
        if found["ended"]:
            return None
        decided = tuple(_decided(one) for one in found["decided"])
        here = found["here"]
        session = Session(datetime.fromisoformat(found["started"]), None if here is None else str(here), decided)
        return session if gate.clock() - session.started < LASTS else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def begin(gate: Gate) -> Session:
    """Go on with the open review, or start a new one."""
    session = current(gate)
    if session is not None:
        return session
    fresh = Session(gate.clock())
    with suppress(OSError), locked(gate.ledger.state):
        return _opened(gate)
    return fresh


def move(gate: Gate, key: str | None) -> None:
    """Remember what is shown."""
    with suppress(OSError), locked(gate.ledger.state):
        _save(gate, replace(_opened(gate), here=key))


def end(gate: Gate) -> None:
    """End the review: the next one starts anew, and undo does not reach back over the end."""
    with suppress(OSError), locked(gate.ledger.state):
        session = current(gate)
        if session is not None:
            _save(gate, session, ended=True)


def note(gate: Gate, decided: Decided, contents: Mapping[str, tuple[bytes | None, bytes | None]]) -> bool:
    """Write a decision down, once. `contents` has each file's bytes before and after; `files` is made of it.

    False when it could not be: then this review is forgotten, so that undo does not take back an older decision.
    """
    try:
        with locked(gate.ledger.state):
            session = _opened(gate)
            if decided.record is not None and any(one.record == decided.record for one in session.decided):
                return True
            files = tuple(FileChange(path, keep(gate, a), keep(gate, b)) for path, (a, b) in contents.items())
            written = _save(gate, replace(session, decided=(*session.decided, replace(decided, files=files))))
    except OSError:
        written = False
    if not written:
        _clear([_note(gate)])
    return written


def mark_undone(gate: Gate, name: str) -> None:
    """Note that a decision was taken back."""
    with suppress(OSError), locked(gate.ledger.state):
        session = current(gate)
        if session is not None:
            changed = (replace(one, undone=True) if one.name == name else one for one in session.decided)
            _save(gate, replace(session, decided=tuple(changed)))


def kept(gate: Gate, name: str | None) -> bytes | None:
    """Bytes that a decision found or wrote; None when they are lost, and for the name of no file."""
    if name is None:
        return None
    try:
        data = (_folder(gate) / name).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == name else None


def _folder(gate: Gate) -> Path:
    return gate.ledger.state / FOLDER


def _note(gate: Gate) -> Path:
    return _folder(gate) / "session.json"


def _opened(gate: Gate) -> Session:
    """The open review, or a new one: then what was kept for undoing the last one goes. The lock must be held."""
    session = current(gate)
    if session is None:
        session = Session(gate.clock())
        _clear(_folder(gate).glob("*"))
        _save(gate, session)
    return session


def _clear(files: Iterable[Path]) -> None:
    for file in files:
        with suppress(OSError):
            file.unlink()


def keep(gate: Gate, data: bytes | None) -> str | None:
    """Store bytes under their hash. Not fsynced: what a power cut tears is told by its hash and not used."""
    if data is None:
        return None
    name = hashlib.sha256(data).hexdigest()
    file = _folder(gate) / name
    if kept(gate, name) is None:
        temporary = file.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(data)
        temporary.rename(file)
    return name


def _save(gate: Gate, session: Session, *, ended: bool = False) -> bool:
    values = asdict(session)
    values |= {"ended": ended, "started": session.started.isoformat()}
    for one in values["decided"]:
        one["when"] = one["when"].isoformat()
    return write_note(_note(gate), values)


def _decided(values: dict[str, Any]) -> Decided:
    files = tuple(FileChange(**one) for one in values["files"])
    return Decided(**{**values, "when": datetime.fromisoformat(values["when"]), "files": files})


def read_note(file: Path) -> object:
    """A JSON note of the state folder; None when there is none to be read."""
    try:
        found: object = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return found


def write_note(file: Path, value: object) -> bool:
    """A JSON note in the state folder, and whether it was written. If not, that is no reason to refuse a decision."""
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):
        file.parent.mkdir(exist_ok=True, mode=0o700)
        with temporary.open("w", encoding="utf-8") as handle:
            json.dump(value, handle, indent=2)  # in ASCII: the words may hold bytes that are no UTF-8
            handle.flush()
            os.fsync(handle.fileno())
        temporary.rename(file)
        return True
    return False
